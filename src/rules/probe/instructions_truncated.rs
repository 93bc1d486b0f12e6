use crate::provider::Feature;
use crate::rules::{Context, Piece, Sink};

rule! {
    /// ## What it does
    /// Finds lists whose server has instructions of more than 2,048 characters, where a client that cuts them there is among
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
    "instructions-truncated", Probe, Piece(check), Warning;
    help: "say what matters in the first 2,048 characters, and the rest in the descriptions of tools";
    since: "0.1.0";
}

/// What [`Feature::LongInstructions`] is more than, in characters.
const LIMIT: usize = 2048;

fn check(piece: &Piece, cx: &Context, out: &mut Sink) {
    if !piece.is_document || cx.dialect.is_some() {
        return;
    }
    let Some(instructions) = piece.reading.value.get("instructions") else { return };
    let length = instructions.as_str().map_or(0, |text| text.chars().count());
    let Some(verdicts) = cx.verdicts(Feature::LongInstructions).filter(|_| length > LIMIT) else { return };
    let message = format!("the instructions of the server have {length} characters, of which {LIMIT} reach the model");
    out.add(instructions.range, message).note(verdicts.note());
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::findings;

    #[test]
    fn so_many_characters_are_read() {
        let found = |count: usize| {
            let text = format!(
                r#"{{"instructions": "{}", "tools": [{{"name": "a", "inputSchema": {{}}}}]}}"#,
                "é".repeat(count)
            );
            findings(Ruleset::only(&RULE), "tools.json", &text)
        };
        assert_eq!(found(2048), []);
        let found = found(2049);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].range.start, found[0].range.end), (17, 17 + 2 + 2 * 2049));
        assert!(found[0].notes[0].contains("Claude Code"), "{:?}", found[0].notes);
    }

    #[test]
    fn is_told_on_the_entry_of_the_server() {
        let found = findings(Ruleset::only(&RULE), "seen", r#"{"server": {"tools": [], "instructions": 3000}}"#);
        assert_eq!((found.len(), found[0].related.len()), (1, 1));
    }
}
