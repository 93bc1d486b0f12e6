use std::time::Duration;

use super::MAY_DOWNLOAD;
use crate::model::dialect::Transport;
use crate::rules::{Context, Probed, Sink};

rule! {
    /// ## What it does
    /// Finds servers that need more than 10 seconds until they are ready.
    ///
    /// ## Why
    /// Clients do not wait long: unless told otherwise Codex gives a server 10 seconds and Claude Code 30. On a slower
    /// day the server is missing.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"tools": [], "ready": 14}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": [], "ready": 0.8}}
    /// ```
    ///
    /// ## Fix
    /// None. A package that is installed starts sooner than one that `npx` or `uvx` looks up each time. A server does
    /// well to answer first, and to connect to its services when a tool is called.
    ///
    /// ## Sources
    /// openai/codex, `startup_timeout_sec`, and its issue 11851; Claude Code's documentation of `MCP_TIMEOUT`.
    "slow-start", Probe, Probe(check), Warning;
    help: "install the server instead of having it fetched at each start, or raise the client's timeout";
    since: "0.1.0";
}

/// What the most impatient of the widespread clients gives a server.
const LIMIT: Duration = Duration::from_secs(10);

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let Some(report) = probed.report() else { return };
    let Some(ready) = report.timings.ready.filter(|ready| *ready > LIMIT) else { return };
    let finding =
        out.add(probed.range, format!("the server needs {:.1} seconds until it is ready", ready.as_secs_f64()));
    finding.note("unless told otherwise, Codex waits 10 seconds for a server and Claude Code 30");
    if report.transport == Transport::Stdio {
        finding.note(MAY_DOWNLOAD);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::RULE;
    use crate::analysis::testing::of_report;
    use crate::model::dialect::Transport;

    #[test]
    fn ten_seconds_are_allowed() {
        let found = |millis| of_report(&RULE, |report| report.timings.ready = Some(Duration::from_millis(millis)));
        assert_eq!(found(10_000), []);
        assert_eq!(found(14_230)[0].message, "the server needs 14.2 seconds until it is ready");
    }

    #[test]
    fn nothing_is_downloaded_for_a_remote_server() {
        let found = of_report(&RULE, |report| {
            report.timings.ready = Some(Duration::from_secs(20));
            report.transport = Transport::Http;
        });
        assert_eq!(found[0].notes.len(), 1);
    }
}
