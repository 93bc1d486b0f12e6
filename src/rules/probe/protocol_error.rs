use super::explain;
use crate::diagnostic::Severity;
use crate::facts::{Failure, Oddity};
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
            Severity::Information,
            match count {
                1 => "the server sent an answer to nothing that was asked".to_owned(),
                count => format!("the server sent {count} answers to nothing that was asked"),
            },
            "clients drop them; an answer that bears the wrong id is one that somebody waits for",
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
mod tests {
    use super::RULE;
    use crate::analysis::testing::of_report;
    use crate::diagnostic::Severity::{self, Error, Information, Warning};
    use crate::facts::{Failure, Oddity};

    #[test]
    fn is_as_loud_as_clients_suffer() {
        let cases: [(Oddity, Severity, &str); 9] = [
            (Oddity::NoList { method: "tools/list", found: "an object" }, Error, "`tools/list` has an object where"),
            (Oddity::NoList { method: "prompts/list", found: "null" }, Warning, "`prompts/list` has null where"),
            (Oddity::CursorNotString { method: "tools/list" }, Error, "is no string"),
            (Oddity::LenientHandshake("`serverInfo` is missing".to_owned()), Error, "not valid: `serverInfo`"),
            (Oddity::ListFailed { method: "prompts/list", reason: "no".to_owned() }, Warning, "cannot list it: no"),
            (Oddity::NotUtf8, Warning, "not UTF-8"),
            (Oddity::DiedOnDiscover, Warning, "`server/discover`"),
            (Oddity::UnknownIds(2), Information, "2 answers"),
            (Oddity::UnofferedRequests(vec!["roots/list".to_owned()]), Information, "`roots/list`"),
        ];
        for (oddity, severity, words) in cases {
            let found = of_report(&RULE, |report| report.oddities.push(oddity));
            assert_eq!(found.len(), 1, "{words}");
            assert_eq!(found[0].severity, severity, "{words}");
            assert!(found[0].message.contains(words), "{}", found[0].message);
        }
    }

    #[test]
    fn what_the_pages_do_wrong_is_another_rules() {
        let found = of_report(&RULE, |report| {
            report.oddities.push(Oddity::EndlessPages { method: "tools/list", pages: 100 });
        });
        assert_eq!(found, []);
    }

    #[test]
    fn a_flood_is_one_problem() {
        let found = of_report(&RULE, |report| report.failure = Some(Failure::TooMuch("a line of 20 MiB".to_owned())));
        assert_eq!(found.len(), 1, "{found:#?}");
    }
}
