use crate::model::{Form, Tool};
use crate::provider::{Feature, Verdicts};
use crate::rules::{Context, Sink};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds descriptions of tools with more than 2,048 characters, where a client that cuts them there is among those that
    /// you target. Characters are counted as that client counts them, in UTF-16 units: an emoji is two.
    ///
    /// ## Why
    /// The model never sees the rest, and neither the server nor the user is told. What is left can look whole.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "run_report", "description": "Run one of the saved reports and return its rows, oldest first. The report sales has one row for each day with the count, the total and the name of whoever entered it last. The report stock has one row for each day with the count, the total and the name of whoever entered it last. The report staff has one row for each day with the count, the total and the name of whoever entered it last. The report travel has one row for each day with the count, the total and the name of whoever entered it last. The report rent has one row for each day with the count, the total and the name of whoever entered it last. The report fuel has one row for each day with the count, the total and the name of whoever entered it last. The report repairs has one row for each day with the count, the total and the name of whoever entered it last. The report parts has one row for each day with the count, the total and the name of whoever entered it last. The report returns has one row for each day with the count, the total and the name of whoever entered it last. The report gifts has one row for each day with the count, the total and the name of whoever entered it last. The report visits has one row for each day with the count, the total and the name of whoever entered it last. The report calls has one row for each day with the count, the total and the name of whoever entered it last. The report letters has one row for each day with the count, the total and the name of whoever entered it last. The report claims has one row for each day with the count, the total and the name of whoever entered it last. The report loans has one row for each day with the count, the total and the name of whoever entered it last. The report leases has one row for each day with the count, the total and the name of whoever entered it last. The report permits has one row for each day with the count, the total and the name of whoever entered it last. The report tolls has one row for each day with the count, the total and the name of whoever entered it last. Dates are days in UTC, and a report of more than 1,000 rows is refused: ask for a shorter span of days, one after another.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "run_report", "description": "Run one of the saved reports and return its rows, oldest first.", "inputSchema": {"type": "object", "properties": {"report": {"type": "string", "description": "Name of the report, as list_reports gives it"}}}}]
    /// ```
    ///
    /// ## Fix
    /// None: what can go is for a person to say. What matters most belongs in front, and what belongs to one parameter
    /// into its description.
    ///
    /// ## Sources
    /// Claude Code's documentation, MCP, for server authors; anthropics/claude-code issues 41593, 81268 and 87650, for
    /// its versions 2.1.84 to 2.1.234. OpenAI's API refused more than 1,024 characters until the spring of 2025 and takes
    /// them since, run-llama/llama_index pull request 18784: of that nothing is said.
    "truncated-description", Description, Tool(check), Warning;
    help: "say what matters in the first 2,048 characters, and move the rest to the parameters or leave it out";
    since: "0.1.0";
}

/// What [`Feature::LongDescription`] is more than, in UTF-16 units.
const LIMIT: usize = 2048;
/// So many characters before the cut are shown.
const SHOWN: usize = 40;

/// A description that is cut.
struct Cut<'v> {
    /// In UTF-16 units.
    length: usize,
    /// What is left of it.
    kept: &'v str,
    verdicts: Verdicts,
}

/// Whether this rule has something to say of a tool.
pub(super) fn is_cut(tool: &Tool, cx: &Context) -> bool {
    cut(tool, cx).is_some()
}

fn cut<'v>(tool: &Tool<'v>, cx: &Context) -> Option<Cut<'v>> {
    // Those who cut are clients of MCP. So many bytes at least are so many units.
    let text = tool.description_text().filter(|text| tool.form == Form::Mcp && text.len() > LIMIT)?;
    let mut length = 0;
    let mut end = 0;
    for (start, char) in text.char_indices() {
        length += char.len_utf16();
        if length <= LIMIT {
            end = start + char.len_utf8();
        }
    }
    let verdicts = cx.verdicts(Feature::LongDescription).filter(|_| length > LIMIT)?;
    Some(Cut { length, kept: &text[..end], verdicts })
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let (Some(cut), Some(member)) = (cut(tool, cx), tool.description()) else { return };
    let (name, length) = (tool.quoted(), cut.length);
    let message = format!("the description of {name} has {length} characters, of which {LIMIT} reach the model");
    let start = cut.kept.char_indices().rev().nth(SHOWN - 1).map_or(0, |(start, _)| start);
    // The key, since the text would colour a screen.
    out.add(member.key.range, message)
        .note(cut.verdicts.note())
        .note(format!("what reaches the model ends with `{}`", shown(cut.kept[start..].trim())));
}

#[cfg(test)]
mod tests {
    use super::super::long_description;
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::findings;
    use crate::diagnostic::Diagnostic;

    fn found(rules: Ruleset, text: &str, schema_key: &str) -> Vec<Diagnostic> {
        let tool = format!(r#"[{{"name": "a", "description": "{text}", "{schema_key}": {{"type": "object"}}}}]"#);
        findings(rules, "tools.json", &tool)
    }

    #[test]
    fn so_many_units_are_read() {
        let found = |text: String| found(Ruleset::only(&RULE), &text, "inputSchema");
        assert_eq!(found("é".repeat(2048)), []);
        assert_eq!(found("🔧".repeat(1024)), []);
        let long = found(format!("{} This is the end🔧 of what is read", "é".repeat(2031)));
        let [long] = &long[..] else { panic!("one finding: {long:#?}") };
        assert_eq!(long.message, "the description of `a` has 2065 characters, of which 2048 reach the model");
        assert_eq!(long.range.len(), "\"description\"".len());
        assert!(long.notes[0].starts_with("Claude Code cuts"), "{:?}", long.notes);
        let kept = format!("what reaches the model ends with `{} This is the end`", "é".repeat(24));
        assert_eq!(long.notes[1], kept, "half of an emoji is none");
    }

    #[test]
    fn is_told_where_a_client_reads_it() {
        let text = "a ".repeat(2000);
        assert_eq!(found(Ruleset::only(&RULE), &text, "inputSchema").len(), 1);
        for key in ["input_schema", "parameters"] {
            assert_eq!(found(Ruleset::only(&RULE), &text, key), [], "{key}: no client of MCP");
        }
        let told = findings(
            Ruleset::only(&RULE),
            "seen",
            &format!(r#"{{"server": {{"tools": [{{"name": "a", "description": "{text}", "inputSchema": {{}}}}]}}}}"#),
        );
        assert_eq!((told.len(), told[0].related.len()), (1, 1), "on the entry of the server");
    }

    #[test]
    fn one_of_the_two_rules_speaks() {
        let said = |length: usize, settings: &str| {
            let rules = Ruleset::new(&toml::from_str(settings).expect("settings"), false);
            let found = found(rules, &"a ".repeat(length / 2), "inputSchema");
            let ours = [long_description::RULE.name, RULE.name];
            found.iter().map(|finding| finding.rule).filter(|rule| ours.contains(rule)).collect::<Vec<_>>()
        };
        assert_eq!(said(1500, ""), [""; 0]);
        assert_eq!(said(2048, ""), ["long-description"]);
        assert_eq!(said(2050, ""), ["truncated-description"]);
        assert_eq!(said(2050, "targets.clients = ['cursor', 'claude-code']"), ["truncated-description"]);
        assert_eq!(said(9000, "targets.clients = ['cursor']"), ["long-description"]);
    }
}
