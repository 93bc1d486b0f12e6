//! Asks a server that is started.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::child::Child;
use super::environment::{Place, is_container, may_download, place};
use super::failure::cause;
use super::redact::redacted;
use super::session::{Opening, Session, Stop};
use super::snapshot::Raw;
use super::stdio::Pipes;
use super::tap::Tap;
use super::{Limits, Request};
use crate::facts::{Cause, Ended, Failure, Oddity, Phase, ProbeReport};
use crate::model::launch::{LaunchId, Start};

/// How long an answer to `server/discover` is waited for. Generous: a server that does not know it is asked the older way
/// only then.
const DISCOVER: Duration = Duration::from_secs(8);
/// A container is ended by whoever started it, who must not be killed before.
const CONTAINER_GRACE: Duration = Duration::from_secs(5);

/// Servers that only `initialize` opens, as long as this process lives, and whether they die of anything else.
static OLD: Mutex<BTreeMap<LaunchId, bool>> = Mutex::new(BTreeMap::new());

/// One start of a server.
struct Attempt {
    outcome: Result<(), Failure>,
    /// Whether the handshake went well.
    is_open: bool,
    tap: Tap,
}

/// Starts a server and asks it; once more where it may have died of a question that it does not know.
pub(super) async fn ask(
    request: &Request,
    start: &Start,
    secrets: &mut Vec<String>,
    report: &mut ProbeReport,
    raw: &mut Raw,
) -> Result<(), Failure> {
    let place = place(request, start, secrets)?;
    let mut limits = request.limits.clone();
    if may_download(start) {
        limits.handshake = limits.handshake.max(limits.download);
    }
    if is_container(start) {
        limits.grace = limits.grace.max(CONTAINER_GRACE);
    }
    let id = request.launch.id();
    let mut old = OLD.lock().get(&id).copied();
    let mut opening = if old.is_some() { Opening::Initialize } else { Opening::Auto };
    let mut before: Option<Failure> = None;
    loop {
        let attempt = attempt(&place, opening, &limits, secrets, report, raw).await?;
        let next = match &attempt.outcome {
            Err(failure) if !attempt.is_open && is_worth_another(failure) => match opening {
                Opening::Auto => Some(Opening::Initialize),
                // It may be another server by now.
                _ => old.take().map(|_| Opening::Auto),
            },
            _ => None,
        };
        let Some(next) = next else {
            attempt.tap.tell(report);
            if attempt.is_open && opening == Opening::Initialize {
                let has_died = *old.get_or_insert_with(|| has_died(before.as_ref(), start, report));
                report.oddities.extend(has_died.then_some(Oddity::DiedOnDiscover));
                OLD.lock().insert(id, has_died);
            }
            // The first silence was the longer one.
            return match (attempt.outcome, before) {
                (Err(failure), Some(before)) if is_silent(&failure) && is_silent(&before) => Err(before),
                (outcome, _) => outcome,
            };
        };
        OLD.lock().remove(&id);
        before = attempt.outcome.err();
        if before.as_ref().is_some_and(is_silent) {
            // It has been downloaded by now, if it can be.
            limits.handshake = limits.handshake.min(request.limits.handshake) / 2;
        }
        opening = next;
    }
}

/// Whether a server was silent.
fn is_silent(failure: &Failure) -> bool {
    matches!(failure, Failure::TimedOut { .. })
}

/// Whether it was the question of the new protocol that a first start failed of, now that another one went well. One that
/// was silent may have been slow for another reason: a download, or a machine with much to do.
fn has_died(before: Option<&Failure>, start: &Start, report: &ProbeReport) -> bool {
    match before {
        Some(Failure::Exited { .. }) => true,
        Some(Failure::TimedOut { after, .. }) => {
            !may_download(start) && report.timings.ready.is_some_and(|ready| ready * 4 < *after)
        }
        _ => false,
    }
}

/// Whether another opening could help: not where the server has said what else is wrong.
fn is_worth_another(failure: &Failure) -> bool {
    match failure {
        Failure::Exited { cause, .. } | Failure::TimedOut { cause, .. } | Failure::Refused { cause, .. } => {
            matches!(cause, None | Some(Cause::Said(_)))
        }
        Failure::Protocol(_) => true,
        _ => false,
    }
}

/// Starts a server, asks it, and ends it; an error where it cannot even be started.
async fn attempt(
    place: &Place,
    opening: Opening,
    limits: &Limits,
    secrets: &[String],
    report: &mut ProbeReport,
    raw: &mut Raw,
) -> Result<Attempt, Failure> {
    let tap = Tap::default();
    let begun = Instant::now();
    let (started, stdin, stdout) = Child::start(place).map_err(not_started)?;
    let pipes = Pipes::new(stdout, stdin, &tap, limits);
    // Dropped before its pipes: once they are closed it may end, and nobody could tell any more what it has started.
    let mut child = started;
    let (within, patience) = (limits.handshake, DISCOVER.min(limits.handshake / 2));
    let talk = async {
        let mut opened = Session::open(pipes.lines(patience), opening, within, &tap, limits).await;
        if opened.is_err() && tap.discovered_late() {
            // It does know the question, and was only slow to start.
            opened = Session::open(pipes.lines(within), Opening::Discover, within, &tap, limits).await;
        }
        let session = opened?;
        report.timings.ready = Some(begun.elapsed());
        let read = session.read(report, raw).await;
        Ok((session, read))
    };
    let talked = tokio::select! {
        talked = talk => talked,
        () = child.is_gone(&tap) => {
            let is_open = tap.handshake().is_some();
            Err(Stop::Closed(if is_open { Phase::List("tools/list") } else { Phase::Handshake }))
        }
    };
    child.note_family();
    let (read, is_open) = match talked {
        Ok((session, read)) => {
            session.close().await;
            (read, true)
        }
        Err(stop) => (Err(stop), report.timings.ready.is_some()),
    };
    drop(pipes);
    let ended = child.end(limits.grace).await;
    report.stderr = redacted(&child.last_words(), secrets);
    let outcome = read.map_err(|stop| match stop {
        Stop::Closed(phase) => tap.failure().unwrap_or_else(|| Failure::Exited {
            phase,
            ended: ended.unwrap_or(Ended::ClosedOutput),
            cause: cause(&report.stderr),
        }),
        Stop::Failed(failure) => explained(failure, &report.stderr, secrets),
    });
    Ok(Attempt { outcome, is_open, tap })
}

fn not_started(error: io::Error) -> Failure {
    Failure::NotStarted(match error.kind() {
        // The program itself has been found.
        io::ErrorKind::NotFound => "what its first line says that it is run by is not there".to_owned(),
        _ => error.to_string(),
    })
}

/// A failure with the cause that its words tell, or the last that went to stderr.
fn explained(mut failure: Failure, stderr: &str, secrets: &[String]) -> Failure {
    match &mut failure {
        Failure::TimedOut { cause: known, .. } => *known = cause(stderr),
        Failure::Refused { message, cause: known, .. } => {
            let own = cause(&redacted(message, secrets)).filter(|cause| !matches!(cause, Cause::Said(_)));
            *known = own.or_else(|| cause(stderr));
        }
        _ => {}
    }
    failure
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
