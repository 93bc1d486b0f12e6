//! Asks a server what it exposes: starts or contacts it, agrees on a version of the protocol, reads its lists as it
//! sends them, and ends it again, with everything that it started.
//!
//! Knows nothing of documents or rules. *Invariant:* nothing here asks for consent; whoever calls [`probe`] has it.
//! *Invariant:* a probe may be dropped at any time, and leaves no process behind.

pub mod cache;
mod child;
mod environment;
mod failure;
mod http;
pub mod interrupt;
mod local;
pub mod prober;
mod redact;
mod refusal;
mod session;
mod snapshot;
mod sse;
mod stdio;
mod tap;
pub mod trust;

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::time::timeout;

pub use self::http::{client, is_local};
use self::redact::redacted;
pub use self::refusal::plain;
use self::snapshot::{Raw, snapshot};
use crate::facts::{Failure, Oddity, Phase, ProbeReport};
use crate::model::dialect::Transport;
use crate::model::launch::{Launch, Way};
use crate::settings;

/// What is to be asked, and how far to go.
#[derive(Clone, Debug)]
pub struct Request {
    /// The server's name.
    pub name: String,
    /// What is started or contacted, as it is written.
    pub launch: Launch,
    /// How far to go.
    pub limits: Limits,
    /// Variables that a started server has beside the basics and its own: `NAME` to pass ours on, `NAME=value` to set one.
    pub environment: Vec<String>,
    /// The user's home directory, where a server without a project runs.
    pub home: Option<PathBuf>,
}

impl Request {
    /// Asks a server as the user has set it.
    pub fn new(name: impl Into<String>, launch: Launch, settings: &settings::Probe) -> Request {
        let mut limits = Limits::default();
        if let Some(start) = settings.start_seconds.map(Duration::from_secs) {
            (limits.handshake, limits.download) = (start, start);
        }
        limits.list = settings.list_seconds.map_or(limits.list, Duration::from_secs);
        let environment = settings.environment.clone().unwrap_or_default();
        Request { name: name.into(), launch, limits, environment, home: std::env::home_dir() }
    }
}

/// How far a probe goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For the handshake; where a launcher such as `npx` may have to download first, [`Limits::download`] holds.
    pub handshake: Duration,
    /// For the handshake of what may have to be downloaded.
    pub download: Duration,
    /// For each page of a list.
    pub list: Duration,
    /// How long a server is waited for at its end, before it is told to end and once more before it is killed.
    pub grace: Duration,
    /// The length of one message, in bytes.
    pub message: usize,
    /// All that a server may say, in bytes.
    pub total: usize,
    /// Pages of one list.
    pub pages: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            handshake: Duration::from_secs(30),
            download: Duration::from_secs(120),
            list: Duration::from_secs(15),
            grace: Duration::from_millis(500),
            message: 16 << 20,
            total: 64 << 20,
            pages: 100,
        }
    }
}

/// Asks a server. Never fails: what goes wrong is in the report.
pub async fn probe(request: &Request) -> ProbeReport {
    let begun = Instant::now();
    let transport = match &request.launch.way {
        Way::Start(_) => Transport::Stdio,
        Way::Contact(contact) => contact.transport.unwrap_or(Transport::Http),
    };
    let mut report = ProbeReport::new(request.launch.id(), &request.name, transport);
    report.at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut raw = Raw::default();
    let mut secrets = Vec::new();
    // Every step has a limit of its own; this one is for all that may come together.
    let limits = &request.limits;
    let total = 3 * (limits.handshake.max(limits.download) + 4 * limits.list);
    let asked = timeout(total, ask(request, &mut secrets, &mut report, &mut raw)).await;
    let late = || Failure::TimedOut { phase: Phase::List("tools/list"), after: total, cause: None };
    report.failure = asked.unwrap_or_else(|_| Err(late())).err();
    conceal(&mut report, &secrets);
    report.counts = raw.counts();
    report.timings.total = begun.elapsed();
    if report.failure.is_none() || !raw.tools.is_empty() {
        report.snapshot = Some(snapshot(&raw, &report));
    }
    report
}

async fn ask(
    request: &Request,
    secrets: &mut Vec<String>,
    report: &mut ProbeReport,
    raw: &mut Raw,
) -> Result<(), Failure> {
    match environment::resolved(request)?.way {
        Way::Start(start) => local::ask(request, &start, secrets, report, raw).await,
        Way::Contact(contact) => http::ask(&contact, &request.limits, secrets, report, raw).await,
    }
}

/// Hides secrets in all that a server may have said them in, but for the lists, and for stderr, where it is done before
/// anybody looks for a cause.
fn conceal(report: &mut ProbeReport, secrets: &[String]) {
    let hide = |text: &mut String| *text = redacted(text, secrets);
    report.noise.first.iter_mut().for_each(hide);
    for oddity in &mut report.oddities {
        match oddity {
            Oddity::ListFailed { reason: text, .. } | Oddity::LenientHandshake(text) => hide(text),
            _ => {}
        }
    }
    let Some(failure) = &mut report.failure else { return };
    match failure {
        Failure::Refused { message, .. } => hide(message),
        // It may be a token in the wrong place.
        Failure::NotFound { command: text } | Failure::NoDirectory { directory: text } => hide(text),
        Failure::NotStarted(text) | Failure::Protocol(text) | Failure::Unreachable(text) => hide(text),
        Failure::Status { body, .. } => hide(body),
        Failure::Redirected { to } => hide(to),
        _ => {}
    }
}
