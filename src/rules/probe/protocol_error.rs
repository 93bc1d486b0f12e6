use super::explain;
use crate::diagnostic::Severity;
use crate::facts::{Failure, Oddity};
use crate::model::dialect::Transport;
use crate::rules::{Context, Probed, Sink};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds servers whose messages break the protocol. An error, where clients lose a list or the whole server by it;
    /// a warning, where some do; a note, where they only wonder.
    ///
    /// ## Why
    /// Clients differ in what they forgive. What works with the one that a server was written for ends the session of
    /// another, mostly without saying why.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"fails": "protocol"}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": []}}
    /// ```
    ///
    /// ## Fix
    /// None: the server has to be mended. Its SDK may be old.
    ///
    /// ## Sources
    /// MCP 2025-11-25 and 2026-07-28, base protocol, lifecycle and pagination; github/copilot-cli issue 4809, of servers
    /// that end at `server/discover`.
    "protocol-error", Probe, Probe(check), Error;
    help: "mend the server, or use a newer version of it; its author may not know";
    since: "0.1.0";
}

const STRICT: &str = "clients made with a typed SDK check the whole answer and lose everything that is in it";

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let Some(report) = probed.report() else { return };
    if let Some(failure @ (Failure::Protocol(_) | Failure::TooMuch(_))) = &report.failure {
        explain(out.add(probed.range, super::told(failure)), failure, report);
    }
    // What stands on stdout is another rule's.
    if report.transport != Transport::Stdio
        && report.failure.is_none()
        && let Some(first) = report.noise.first.first()
    {
        let message = match report.noise.lines {
            0 | 1 => format!("an event is no message of the protocol: `{}`", shown(first)),
            events => format!("{events} events are no messages of the protocol, the first is `{}`", shown(first)),
        };
        out.add_as(Severity::Information, probed.range, message)
            .note("most clients pass over them; some show an error");
    }
    for oddity in &report.oddities {
        let Some((severity, message, why)) = told(oddity) else { continue };
        out.add_as(severity, probed.range, message).note(why);
    }
}

/// How bad something odd is, what it is, and why that matters; `None` where another rule tells it.
fn told(oddity: &Oddity) -> Option<(Severity, String, &'static str)> {
    Some(match oddity {
        Oddity::CursorRepeats { .. } | Oddity::EndlessPages { .. } => return None,
        Oddity::NoList { method, found } => {
            (of_list(method), format!("the answer to `{method}` has {found} where its list has to be"), STRICT)
        }
        Oddity::CursorNotString { method } => {
            (of_list(method), format!("the `nextCursor` of the answer to `{method}` is no string"), STRICT)
        }
        Oddity::LenientHandshake(what) => (
            Severity::Error,
            format!("the answer to the handshake is not valid: {}", shown(what)),
            "clients that check it do not go on with the server",
        ),
        Oddity::ListFailed { method, reason } => (
            Severity::Warning,
            format!("the server declares what `{method}` lists, and cannot list it: {}", shown(reason)),
            "some clients give up on a server when one of its lists fails",
        ),
        Oddity::NotUtf8 => (
            Severity::Warning,
            "some of the server's messages are not UTF-8".to_owned(),
            "some clients drop such a message, and wait for the answer in it until their time is up",
        ),
        Oddity::DiedOnDiscover => (
            Severity::Warning,
            "the server ends or falls silent when it is asked `server/discover`".to_owned(),
            "clients that know MCP 2026-07-28 ask that first; a server that does not know it has to answer with an \
             error, or they take it for dead",
        ),
        Oddity::UnknownIds(count) => (
            Severity::Warning,
            match count {
                1 => "an answer of the server bears an id that no question had".to_owned(),
                count => format!("{count} answers of the server bear ids that no question had"),
            },
            "clients drop such an answer, and wait for the right one until their time is up; an id comes back as it was \
             sent, a number as a number",
        ),
        Oddity::UnofferedRequests(methods) => (
            Severity::Information,
            format!("the server asks its client for what that did not offer: {}", quoted(methods)),
            "a client has said in the handshake what it can do; what goes beyond it is refused",
        ),
    })
}

/// How bad it is that a list is lost.
fn of_list(method: &str) -> Severity {
    if method == "tools/list" { Severity::Error } else { Severity::Warning }
}

fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().take(3).map(|name| format!("`{}`", shown(name))).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests;
