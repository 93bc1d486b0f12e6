use super::{explain, told};
use crate::diagnostic::Severity;
use crate::facts::Failure;
use crate::model::launch::Unresolved;
use crate::rules::{Context, Probed, Sink};

rule! {
    /// ## What it does
    /// Says why a server could not be asked what it exposes: it could not be started, it ended, it refused, or nothing
    /// that speaks MCP answers at its address. What only the client can know, such as a value that it asks you for, is
    /// no problem of the server's and a note.
    ///
    /// ## Why
    /// Clients show little of this. Some say that the server failed, some leave it out without a word, and the reason
    /// is in a log. A server that fails here mostly fails there, too, unless it needs variables that only your shell
    /// has.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"fails": "exit", "stderr": "Error: NOTES_TOKEN is not set"}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": []}}
    /// ```
    ///
    /// ## Fix
    /// None. The notes hold the last of what the server said, without secrets.
    ///
    /// ## Sources
    /// Reports of servers that clients call "failed" or "disconnected": juehang/vscode-mcp-server issue 6,
    /// openags/paper-search-mcp issue 107.
    "server-failed", Probe, Probe(check), Error;
    help: "mend what the message names, and probe the server again";
    since: "0.1.0";
}

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let Some(report) = probed.report() else { return };
    let Some(failure) = &report.failure else { return };
    match failure {
        Failure::NotFound { .. }
        | Failure::NoDirectory { .. }
        | Failure::NotStarted(_)
        | Failure::Exited { .. }
        | Failure::Refused { .. }
        | Failure::Status { .. }
        | Failure::Redirected { .. }
        | Failure::NotMcp { .. }
        | Failure::Unreachable(_) => explain(out.add(probed.range, told(failure)), failure, report),
        Failure::Unresolved(Unresolved::Input(_) | Unresolved::Transport(_)) => {
            out.add_as(Severity::Information, probed.range, told(failure));
        }
        // Each of them has its own rule.
        Failure::TimedOut { .. }
        | Failure::Protocol(_)
        | Failure::TooMuch(_)
        | Failure::NoCommonVersion { .. }
        | Failure::AuthorizationRequired(_)
        | Failure::Unresolved(Unresolved::SignIn) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::of_report;
    use crate::diagnostic::Severity;
    use crate::facts::{Cause, Challenge, Ended, Failure, Noise, Phase};
    use crate::model::dialect::Transport;
    use crate::model::launch::Unresolved;

    fn exited(cause: Option<Cause>) -> Failure {
        Failure::Exited { phase: Phase::Handshake, ended: Ended::Code(1), cause }
    }

    #[test]
    fn quotes_the_last_words_of_a_server() {
        let found = of_report(&RULE, |report| {
            report.failure = Some(exited(None));
            report.stderr = "one\n\ntwo\nthree\nfour\nfive\nsix\u{1b}[0m\n".to_owned();
            report.noise = Noise { lines: 1, first: vec!["Usage: notes".to_owned()] };
        });
        assert_eq!(found.len(), 1, "{found:#?}");
        let notes = &found[0].notes;
        let quoted: Vec<&str> = notes.iter().filter_map(|note| note.strip_prefix("it wrote to stderr: ")).collect();
        assert_eq!(quoted, ["`two`", "`three`", "`four`", "`five`", "`six\\u{1b}[0m`"]);
        assert!(notes.contains(&"it wrote to stdout: `Usage: notes`".to_owned()), "{notes:#?}");
    }

    #[test]
    fn says_how_to_pass_variables_on_where_one_may_be_missing() {
        let says = |failure: Failure, transport| {
            let found = of_report(&RULE, |report| {
                report.failure = Some(failure);
                report.transport = transport;
            });
            found[0].notes.iter().any(|note| note.contains("`probe.environment`"))
        };
        assert!(says(exited(None), Transport::Stdio));
        assert!(says(exited(Some(Cause::MissingVariable("TOKEN".to_owned()))), Transport::Stdio));
        assert!(!says(exited(Some(Cause::PortInUse(Some(80)))), Transport::Stdio));
        assert!(!says(exited(None), Transport::Http));
        assert!(!says(Failure::NotFound { command: "npx".to_owned() }, Transport::Stdio));
    }

    #[test]
    fn tells_authors_that_a_key_is_not_needed_to_list() {
        let found = of_report(&RULE, |report| report.failure = Some(exited(Some(Cause::Unauthorized))));
        assert!(found[0].notes.iter().any(|note| note.contains("`MCP_PROBE=1`")), "{found:#?}");
        let found = of_report(&RULE, |report| report.failure = Some(exited(None)));
        assert!(!found[0].notes.iter().any(|note| note.contains("MCP_PROBE")), "{found:#?}");
    }

    #[test]
    fn what_only_the_client_knows_is_a_note() {
        let found = of_report(&RULE, |report| {
            report.failure = Some(Failure::Unresolved(Unresolved::Input("key".to_owned())));
        });
        assert_eq!(found[0].severity, Severity::Information);
    }

    #[test]
    fn leaves_to_other_rules_what_is_theirs() {
        for failure in [
            Failure::AuthorizationRequired(Challenge::default()),
            Failure::Unresolved(Unresolved::SignIn),
            Failure::Protocol("x".to_owned()),
            Failure::NoCommonVersion { server: Vec::new() },
        ] {
            assert_eq!(of_report(&RULE, |report| report.failure = Some(failure)), []);
        }
    }
}
