use crate::facts::Standing;
use crate::rules::{Context, Probed, Sink};

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

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    if probed.known.standing == Standing::Untrusted {
        out.add(probed.range, "not started: not trusted");
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::of_report;

    #[test]
    fn is_silent_where_the_server_was_asked() {
        assert_eq!(of_report(&RULE, |_| {}), []);
    }
}
