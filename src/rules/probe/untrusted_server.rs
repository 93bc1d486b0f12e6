use crate::facts::Standing;
use crate::rules::{Context, Probed, Sink};
use crate::text::shown_up_to;

rule! {
    /// ## What it does
    /// Says that a server was to be asked what it exposes and was not, since you have not said that it may be started.
    ///
    /// ## Why
    /// Starting a server is running somebody's code with your rights, and a config file can come from a stranger's
    /// repository. Nothing is started or contacted until you say so, and any change of what is started asks again.
    /// Without asking the server, nothing can be said of its tools.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"standing": "untrusted"}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": []}}
    /// ```
    ///
    /// ## Fix
    /// None that edits. The editor offers to start it once, always or never; on the command line it is
    /// `mcp-analyzer trust add` or `--yes`.
    ///
    /// ## Sources
    /// CVE-2025-54136: a config file that was approved once and changed later ran what nobody had approved.
    "untrusted-server", Probe, Probe(check), Information;
    help: "look at what would be started, and say whether it may be";
    since: "0.1.0";
}

/// How much of a command line is shown, in characters.
const LONGEST: usize = 1000;

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    if probed.known.standing == Standing::Untrusted {
        let finding = out.add(probed.range, "not started: not trusted");
        if let Some(told) = probed.told {
            finding.note(format!("to list its tools this would be run or contacted: {}", shown_up_to(told, LONGEST)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{findings, of_report};

    #[test]
    fn tells_what_would_be_run() {
        let found = findings(Ruleset::only(&RULE), "seen", r#"{"server": {"standing": "untrusted"}}"#);
        assert!(found[0].notes[0].ends_with(": server (in /work)"), "{found:?}");
    }

    #[test]
    fn is_silent_where_the_server_was_asked() {
        assert_eq!(of_report(&RULE, |_| {}), []);
    }
}
