use crate::provider::Feature;
use crate::rules::{Context, Probed, Sink};

rule! {
    /// ## What it does
    /// Finds servers whose instructions have more than 2,048 characters, where a client that cuts them there is among
    /// those that you target.
    ///
    /// ## Why
    /// The model never sees the rest, and neither the server nor the user is told.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"tools": [], "instructions": 5859}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": [], "instructions": 1706}}
    /// ```
    ///
    /// ## Fix
    /// None. What matters most belongs in front, and what is about one tool into its description.
    ///
    /// ## Sources
    /// Claude Code's documentation, MCP, for server authors; anthropics/claude-code issue 81268, nexu-io/open-design
    /// issue 7098.
    "instructions-truncated", Probe, Probe(check), Warning;
    help: "say what matters in the first 2,048 characters, and the rest in the descriptions of tools";
    since: "0.1.0";
}

/// What [`Feature::LongInstructions`] is more than, in characters.
const LIMIT: usize = 2048;

fn check(probed: &Probed, cx: &Context, out: &mut Sink) {
    let Some(report) = probed.report() else { return };
    let Some(length) = report.instructions.filter(|length| *length > LIMIT) else { return };
    let Some(verdicts) = cx.verdicts(Feature::LongInstructions) else { return };
    let message = format!("the instructions of the server have {length} characters, of which {LIMIT} reach the model");
    out.add(probed.range, message).note(verdicts.note());
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::RULE;
    use crate::analysis::testing::{of_report, seen};
    use crate::analysis::{Analysis, Ruleset, World};

    #[test]
    fn so_many_characters_are_read() {
        assert_eq!(of_report(&RULE, |report| report.instructions = Some(2048)), []);
        let found = of_report(&RULE, |report| report.instructions = Some(2049));
        assert_eq!(found.len(), 1);
        assert!(found[0].notes[0].contains("Claude Code"), "{:?}", found[0].notes);
    }

    #[test]
    fn is_told_in_the_saved_list_too() {
        let (_, facts) =
            seen(r#"{"server": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}], "instructions": 3000}}"#);
        let snapshot = facts.reports().find_map(|report| report.snapshot.clone()).expect("a saved list");
        let rules = Arc::new(Ruleset::only(&RULE));
        let mut analysis = Analysis::default();
        let report = analysis.check(&World { facts: &facts, ..World::new(&snapshot, &rules) });
        let found = report.findings();
        assert_eq!(found.len(), 1);
        assert_eq!(snapshot.text().slice(found[0].range()), "\"server\"");
    }
}
