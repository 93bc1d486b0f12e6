//! Rules about what came of starting or contacting a server, shown on its entry.

pub(super) mod authorization_required;
pub(super) mod instructions_truncated;
pub(super) mod invalid_server_info_name;
pub(super) mod malformed_tool;
pub(super) mod no_tools;
pub(super) mod paginated_list;
pub(super) mod pagination_loop;
pub(super) mod protocol_error;
pub(super) mod protocol_version;
pub(super) mod server_failed;
pub(super) mod server_timeout;
pub(super) mod slow_start;
pub(super) mod stdout_noise;
pub(super) mod untrusted_server;

use crate::diagnostic::Diagnostic;
use crate::facts::{Cause, Failure, Phase, ProbeReport};
use crate::model::dialect::Transport;
use crate::text::shown;

/// Lines of what a server wrote to stderr that a finding quotes.
const LAST_WORDS: usize = 5;

/// What may have taken the time of a server that was started.
const MAY_DOWNLOAD: &str =
    "where `npx`, `uvx` or `docker` starts it, it may have been downloaded first: a second try may be fast";

/// A failure as a message.
fn told(failure: &Failure) -> String {
    format!("the server {}", failure.told())
}

/// Adds to a finding about a failure what helps to understand it.
fn explain(finding: &mut Diagnostic, failure: &Failure, report: &ProbeReport) {
    let cause = failure.cause();
    finding.notes.extend(cause.and_then(Cause::advice));
    let may_lack_variables = match cause {
        None | Some(Cause::Usage(_) | Cause::Said(_)) => matches!(failure, Failure::Exited { .. }),
        Some(cause) => matches!(cause, Cause::MissingVariable(_) | Cause::Unauthorized),
    };
    if may_lack_variables && report.transport == Transport::Stdio {
        finding.note(
            "it was started with few variables beside the `env` of its entry: `probe.environment` in the settings \
             passes more of yours on",
        );
    }
    if matches!(cause, Some(Cause::MissingVariable(_) | Cause::Unauthorized)) && report.transport == Transport::Stdio {
        finding.note(
            "for authors: it was started with `MCP_PROBE=1`; a server that sees this may list its tools without a key",
        );
    }
    if report.snapshot.is_some() {
        finding.note("what it had listed until then is checked");
    }
    if let Some(line) = report.noise.first.first().filter(|_| stdout_is_evidence(report)) {
        finding.note(format!("it wrote to stdout: `{}`", shown(line)));
    }
    let lines: Vec<&str> = report.stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for line in &lines[lines.len().saturating_sub(LAST_WORDS)..] {
        finding.note(format!("it wrote to stderr: `{}`", shown(line)));
    }
}

/// Whether what stands on stdout tells why nothing came of a server, rather than being in the way of its messages.
fn stdout_is_evidence(report: &ProbeReport) -> bool {
    matches!(
        report.failure,
        Some(
            Failure::Exited { phase: Phase::Handshake, .. }
                | Failure::TimedOut { phase: Phase::Handshake, .. }
                | Failure::Refused { phase: Phase::Handshake, .. }
        )
    )
}
