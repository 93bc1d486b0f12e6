use super::stdout_is_evidence;
use crate::facts::ProbeReport;
use crate::model::dialect::Transport;
use crate::rules::{Context, Probed, Sink};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds servers that write something else than messages to stdout: a banner, a log, a progress bar. Where nothing
    /// came of the server, what it wrote is told with the reason instead.
    ///
    /// ## Why
    /// Between a client and a server that it started, stdout is the wire. Some clients pass over what they cannot read,
    /// some show an error for each line, and some end the session.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"tools": [], "stdout": ["Notes server 1.2 is listening on stdio"]}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": [], "stderr": "Notes server 1.2 is listening on stdio"}}
    /// ```
    ///
    /// ## Fix
    /// None. In JavaScript it is `console.error` instead of `console.log`, in Python `print(…, file=sys.stderr)` or a
    /// logger, whose default is stderr. A launcher may print, too: `npm run` wants `--silent`.
    ///
    /// ## Sources
    /// MCP, transports, stdio: a server writes nothing to its stdout that is not a message; microsoft/azure-devops-mcp
    /// issue 147 and hustcc/mcp-mermaid issue 25.
    "stdout-noise", Probe, Probe(check), Warning;
    help: "log to stderr";
    since: "0.1.0";
}

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let is_wire = |report: &&ProbeReport| report.transport == Transport::Stdio && !stdout_is_evidence(report);
    let Some(report) = probed.report().filter(is_wire) else { return };
    let Some(first) = report.noise.first.first() else { return };
    let message = match report.noise.lines {
        0 | 1 => format!("a line on stdout is no message: `{}`", shown(first)),
        lines => format!("{lines} lines on stdout are no messages, the first is `{}`", shown(first)),
    };
    out.add(probed.range, message)
        .note("stdout belongs to the protocol; some clients end the session at the first line that is no message");
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::of_report;
    use crate::facts::{Ended, Failure, Noise, Phase};
    use crate::model::dialect::Transport;

    fn noise() -> Noise {
        Noise { lines: 7, first: vec!["\u{1b}[32mready".to_owned(), "more".to_owned()] }
    }

    #[test]
    fn quotes_the_first_line() {
        let found = of_report(&RULE, |report| report.noise = noise());
        assert_eq!(found[0].message, "7 lines on stdout are no messages, the first is `\\u{1b}[32mready`");
    }

    #[test]
    fn is_silent_about_what_came_over_http() {
        let found = of_report(&RULE, |report| {
            report.noise = noise();
            report.transport = Transport::Http;
        });
        assert_eq!(found, []);
    }

    #[test]
    fn is_silent_where_nothing_came_of_the_server() {
        let found = of_report(&RULE, |report| {
            report.noise = noise();
            report.failure = Some(Failure::Exited { phase: Phase::Handshake, ended: Ended::Code(0), cause: None });
        });
        assert_eq!(found, []);
    }
}
