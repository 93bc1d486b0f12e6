//! Counting findings and what they were found in, and saying so in plain words.

use super::{File, Outcome, Server};
use crate::diagnostic::Severity;
use crate::model::Kind;
use crate::text::counted;

/// How much was found, in how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Findings that break something.
    pub error: usize,
    /// Findings worth a maintainer's minute.
    pub warning: usize,
    /// Findings worth knowing.
    pub info: usize,
    /// The quietest findings.
    pub hint: usize,
    /// Tools looked at.
    pub tools: usize,
    /// Server entries looked at.
    pub servers: usize,
    /// Files looked at.
    pub files: usize,
    /// Servers that were to be asked and whose tools are not known.
    pub unread: usize,
}

impl Counts {
    /// Counts what is in these files, and what the servers that config files name have listed: the lists of other
    /// servers are among the files.
    pub fn of(files: &[File], servers: &[Server]) -> Counts {
        let listed = servers.iter().filter(|server| server.config.is_some()).map(Server::tools);
        let unread = servers.iter().filter(|server| !server.is_read()).count();
        let mut counts = Counts { tools: listed.sum(), unread, ..Counts::default() };
        for file in files {
            let Some(report) = file.report() else { continue };
            counts.files += usize::from(matches!(file.outcome, Outcome::Checked(_)));
            match report.kind() {
                Kind::Config(_) => counts.servers += report.checked(),
                Kind::Tools | Kind::Unknown => counts.tools += report.checked(),
            }
            for finding in report.findings() {
                *counts.slot(finding.diagnostic.severity) += 1;
            }
        }
        counts
    }

    /// How many findings are this loud or louder.
    pub fn at_least(&self, severity: Severity) -> usize {
        let mut counts = *self;
        Severity::ALL.into_iter().filter(|other| *other >= severity).map(|other| *counts.slot(other)).sum()
    }

    fn slot(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Error => &mut self.error,
            Severity::Warning => &mut self.warning,
            Severity::Information => &mut self.info,
            Severity::Hint => &mut self.hint,
        }
    }

    /// One line in plain words: `1 problem, 2 warnings in 12 tools`.
    pub fn line(&self) -> String {
        if self.files == 0 {
            return "nothing was checked".to_owned();
        }
        let found = listed(
            &[(self.error, "problem"), (self.warning, "warning"), (self.info, "note"), (self.hint, "hint")],
            ", ",
        );
        let files = || counted(self.files, "file");
        let places = listed(&[(self.tools, "tool"), (self.servers, "server")], " and ").unwrap_or_else(files);
        if self.unread == 0 {
            return format!("{} in {places}", found.as_deref().unwrap_or("nothing a model would stumble over"));
        }
        // Nobody knows whether a server is well that told nothing.
        let found = found.map(|found| format!("{found} in {places}")).unwrap_or_else(|| match self.tools {
            0 => format!("nothing was found in {}", files()),
            tools => format!("nothing was found in {} and {}", counted(tools, "tool"), files()),
        });
        format!("{found}; the tools of {} were not read", counted(self.unread, "server"))
    }
}

/// How much fixing would mend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixable {
    /// Problems that `--fix` mends.
    pub safe: usize,
    /// What `--fix --unsafe` mends beyond those.
    pub unsafe_: usize,
    /// Fixes were counted and not tried: some may exclude each other, and some bring others to light.
    pub is_estimate: bool,
}

impl std::ops::AddAssign for Fixable {
    fn add_assign(&mut self, other: Fixable) {
        self.safe += other.safe;
        self.unsafe_ += other.unsafe_;
        self.is_estimate |= other.is_estimate;
    }
}

impl Fixable {
    /// What `--fix` would do; `None` where it would do nothing.
    pub fn line(&self) -> Option<String> {
        let about = if self.is_estimate { "about " } else { "" };
        match (self.safe, self.unsafe_) {
            (0, 0) => None,
            (safe, 0) => Some(format!("`--fix` mends {about}{}", counted(safe, "problem"))),
            (0, unsafe_) => Some(format!("`--fix --unsafe` mends {about}{}", counted(unsafe_, "problem"))),
            (safe, unsafe_) => {
                Some(format!("`--fix` mends {about}{}, `--fix --unsafe` {unsafe_} more", counted(safe, "problem")))
            }
        }
    }
}

fn listed(numbers: &[(usize, &str)], separator: &str) -> Option<String> {
    let parts: Vec<String> =
        numbers.iter().filter(|(number, _)| *number > 0).map(|(number, word)| counted(*number, word)).collect();
    (!parts.is_empty()).then(|| parts.join(separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_agree() {
        let line = |error, warning, info, hint, tools, servers| {
            Counts { error, warning, info, hint, tools, servers, files: 1, unread: 0 }.line()
        };
        assert_eq!(line(1, 2, 3, 0, 12, 0), "1 problem, 2 warnings, 3 notes in 12 tools");
        assert_eq!(line(2, 0, 0, 1, 1, 3), "2 problems, 1 hint in 1 tool and 3 servers");
        assert_eq!(line(0, 0, 0, 0, 0, 1), "nothing a model would stumble over in 1 server");
        assert_eq!(line(1, 0, 0, 0, 0, 0), "1 problem in 1 file");
        assert_eq!(Counts::default().line(), "nothing was checked");
    }

    #[test]
    fn what_was_not_read_is_not_called_healthy() {
        let line =
            |error, tools, unread| Counts { error, tools, servers: 2, files: 1, unread, ..Counts::default() }.line();
        assert_eq!(line(0, 0, 1), "nothing was found in 1 file; the tools of 1 server were not read");
        assert_eq!(line(0, 3, 2), "nothing was found in 3 tools and 1 file; the tools of 2 servers were not read");
        assert_eq!(line(1, 3, 1), "1 problem in 3 tools and 2 servers; the tools of 1 server were not read");
    }
}
