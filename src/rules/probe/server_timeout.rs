use super::{MAY_DOWNLOAD, explain, told};
use crate::facts::{Failure, Phase};
use crate::model::dialect::Transport;
use crate::rules::{Context, Probed, Sink};

rule! {
    /// ## What it does
    /// Says that a server did not answer in time: until it was ready, or when it was asked for a list.
    ///
    /// ## Why
    /// Clients give up on such a server, most of them sooner: unless told otherwise Codex waits 10 seconds, Claude Code
    /// 30. Often it waits itself: for a service, for somebody to sign in, or for a word on its stdin that is no message.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"fails": "time"}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": [], "ready": 2}}
    /// ```
    ///
    /// ## Fix
    /// None. `probe.startSeconds` and `probe.listSeconds` in the settings say how long is waited.
    ///
    /// ## Sources
    /// MCP 2025-11-25, lifecycle, timeouts; openai/codex issue 11851.
    "server-timeout", Probe, Probe(check), Error;
    help: "start it by hand to see what it waits for, or allow it more time in the settings";
    since: "0.1.0";
}

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let Some(report) = probed.report() else { return };
    let Some(failure @ Failure::TimedOut { phase, .. }) = &report.failure else { return };
    let finding = out.add(probed.range, told(failure));
    match phase {
        Phase::Handshake => {
            finding.note("the limit is `probe.startSeconds` in the settings");
            if report.transport == Transport::Stdio {
                finding.note(MAY_DOWNLOAD);
            }
        }
        Phase::List(_) => {
            finding.note("the limit, which counts for each page, is `probe.listSeconds` in the settings");
        }
    }
    explain(finding, failure, report);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::RULE;
    use crate::analysis::testing::of_report;
    use crate::facts::{Failure, Phase};
    use crate::model::dialect::Transport;

    fn notes(phase: Phase, transport: Transport) -> String {
        let found = of_report(&RULE, |report| {
            report.failure = Some(Failure::TimedOut { phase, after: Duration::from_secs(30), cause: None });
            report.transport = transport;
            report.stderr = "waiting for the database".to_owned();
        });
        assert_eq!(found.len(), 1, "{found:#?}");
        found[0].notes.join("\n")
    }

    #[test]
    fn names_the_limit_and_what_it_may_have_waited_for() {
        let start = notes(Phase::Handshake, Transport::Stdio);
        assert!(start.contains("`probe.startSeconds`") && start.contains("a second try may be fast"), "{start}");
        assert!(start.ends_with("it wrote to stderr: `waiting for the database`"), "{start}");
        assert!(!notes(Phase::Handshake, Transport::Http).contains("a second try"));
        let list = notes(Phase::List("tools/list"), Transport::Stdio);
        assert!(list.contains("`probe.listSeconds`") && !list.contains("a second try"), "{list}");
    }
}
