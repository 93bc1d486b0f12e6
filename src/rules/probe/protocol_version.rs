use super::told;
use crate::diagnostic::Severity;
use crate::facts::Failure;
use crate::rules::{Context, Probed, Sink};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds servers that answer the handshake with a version of MCP that does not exist, and, as an error, servers that
    /// have no version in common with any client. A server that answers with an older version than it was offered, or
    /// with its own newest, does what it should.
    ///
    /// ## Why
    /// Client and server have to agree on a version before anything else. A client ends the session at one that it does
    /// not know.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"tools": [], "protocolVersion": "1.0"}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": [], "protocolVersion": "2025-06-18"}}
    /// ```
    ///
    /// ## Fix
    /// None: the server has to be mended or updated.
    ///
    /// ## Sources
    /// MCP, lifecycle, version negotiation; xpzouying/xiaohongshu-mcp issue 697, sysprog21/zhtw-mcp issue 109.
    "protocol-version", Probe, Probe(check), Warning;
    help: "answer with the version that the client offers, or else with the newest that the server knows";
    since: "0.1.0";
}

/// Every version of MCP, newest first. Source: its changelogs, November 2026.
const VERSIONS: [&str; 5] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let Some(report) = probed.report() else { return };
    if let Some(failure @ Failure::NoCommonVersion { .. }) = &report.failure {
        out.add_as(Severity::Error, probed.range, told(failure)).note(format!("clients know {}", VERSIONS.join(", ")));
    } else if let Some(version) = report.protocol_version.as_deref().filter(|version| !VERSIONS.contains(version)) {
        out.add(probed.range, format!("the server answers with version `{}` of MCP, which is none", shown(version)))
            .note(format!(
                "clients end the session at a version that they do not know; there are {}",
                VERSIONS.join(", ")
            ));
    }
}

#[cfg(test)]
mod tests {
    use super::{RULE, VERSIONS};
    use crate::analysis::testing::of_report;
    use crate::diagnostic::Severity::Error;
    use crate::facts::Failure;

    #[test]
    fn every_version_is_fine() {
        for version in VERSIONS {
            assert_eq!(of_report(&RULE, |report| report.protocol_version = Some(version.to_owned())), []);
        }
    }

    #[test]
    fn none_in_common_is_an_error() {
        let server = vec!["2030-01-01".to_owned()];
        let found = of_report(&RULE, |report| report.failure = Some(Failure::NoCommonVersion { server }));
        assert_eq!(found[0].severity, Error);
        assert!(found[0].message.contains("2030-01-01"), "{}", found[0].message);
    }
}
