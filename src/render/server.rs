//! Servers that were to be asked what they expose, one line each.

use std::fmt;

use super::terminal::escaped;
use crate::facts::ProbeReport;
use crate::provider::Provider;
use crate::text::counted;

/// A server that was to be asked.
#[derive(Clone, Copy, Debug)]
pub struct Server<'a> {
    /// Its name.
    pub name: &'a str,
    /// The client whose config file names it.
    pub client: Option<&'static str>,
    /// That file; none where the command line says how to reach it.
    pub config: Option<&'a str>,
    /// What came of it.
    pub outcome: ServerOutcome<'a>,
    /// What its tools cost with each of [`Provider::ALL`], in tokens, where that was counted.
    pub tokens: Option<[usize; Provider::ALL.len()]>,
}

/// What came of asking a server.
#[derive(Clone, Copy, Debug)]
pub enum ServerOutcome<'a> {
    /// It said what it exposes.
    Listed(&'a ProbeReport),
    /// That ended early, for this reason.
    Failed(&'a ProbeReport, &'a str),
    /// It was not asked, for this reason.
    Skipped(&'a str),
}

impl Server<'_> {
    /// Whether its list of tools is known, as far as it came.
    pub fn is_read(&self) -> bool {
        match self.outcome {
            ServerOutcome::Listed(_) => true,
            ServerOutcome::Failed(report, _) => report.snapshot.is_some(),
            ServerOutcome::Skipped(_) => false,
        }
    }

    /// What it listed, as far as that came; none where asking it failed before any tool.
    pub fn list(&self) -> Option<&ProbeReport> {
        match self.outcome {
            ServerOutcome::Listed(report) => Some(report),
            ServerOutcome::Failed(report, _) => (report.counts.tools > 0).then_some(report),
            ServerOutcome::Skipped(_) => None,
        }
    }

    /// How many tools it listed.
    pub fn tools(&self) -> usize {
        match self.outcome {
            ServerOutcome::Listed(report) | ServerOutcome::Failed(report, _) => report.counts.tools,
            ServerOutcome::Skipped(_) => 0,
        }
    }
}

/// `fs: 12 tools, 2025-11-25, 340 ms`
impl fmt::Display for Server<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}: ", escaped(self.name))?;
        let report = match self.outcome {
            ServerOutcome::Listed(report) => report,
            ServerOutcome::Failed(_, reason) | ServerOutcome::Skipped(reason) => {
                return write!(out, "{}", escaped(reason));
            }
        };
        write!(out, "{}", counted(report.counts.tools, "tool"))?;
        if let Some(version) = &report.protocol_version {
            write!(out, ", {}", escaped(version))?;
        }
        write!(out, ", {} ms", report.timings.ready.unwrap_or(report.timings.total).as_millis())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::dialect::Transport;
    use crate::model::launch::Launch;

    #[test]
    fn a_line_tells_how_it_went() {
        let mut report = ProbeReport::new(Launch::url("https://a.example").id(), "fs", Transport::Stdio);
        report.counts.tools = 1;
        report.protocol_version = Some("2025-11-25".to_owned());
        report.timings.ready = Some(Duration::from_micros(340_900));
        let line = |outcome| Server { name: "f\u{1b}s", client: None, config: None, outcome, tokens: None }.to_string();
        assert_eq!(line(ServerOutcome::Listed(&report)), "f\\u{1b}s: 1 tool, 2025-11-25, 340 ms");
        assert_eq!(line(ServerOutcome::Failed(&report, "it ended")), "f\\u{1b}s: it ended");
        assert_eq!(line(ServerOutcome::Skipped("not started")), "f\\u{1b}s: not started");
    }
}
