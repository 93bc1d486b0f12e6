use crate::model::Tool;
use crate::rules::description::truncated_description::is_cut;
use crate::rules::{Context, Sink};

rule! {
    /// ## What it does
    /// Finds descriptions of tools with more than 1,500 characters. Where a client cuts one, `truncated-description` says so
    /// instead.
    ///
    /// ## Why
    /// The model is sent all of it with every request, whether it calls the tool or not.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "run_report", "description": "Run one of the saved reports and return its rows, oldest first. The report sales has one row for each day with the count, the total and the name of whoever entered it last. The report stock has one row for each day with the count, the total and the name of whoever entered it last. The report staff has one row for each day with the count, the total and the name of whoever entered it last. The report travel has one row for each day with the count, the total and the name of whoever entered it last. The report rent has one row for each day with the count, the total and the name of whoever entered it last. The report fuel has one row for each day with the count, the total and the name of whoever entered it last. The report repairs has one row for each day with the count, the total and the name of whoever entered it last. The report parts has one row for each day with the count, the total and the name of whoever entered it last. The report returns has one row for each day with the count, the total and the name of whoever entered it last. The report gifts has one row for each day with the count, the total and the name of whoever entered it last. The report visits has one row for each day with the count, the total and the name of whoever entered it last. The report calls has one row for each day with the count, the total and the name of whoever entered it last. The report letters has one row for each day with the count, the total and the name of whoever entered it last. The report claims and so on for all the others.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "run_report", "description": "Run one of the saved reports and return its rows, oldest first.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// None: what can go is for a person to say. What belongs to one parameter can stand in its description, and what
    /// all tools share in the `instructions` of the server.
    ///
    /// ## Sources
    /// modelcontextprotocol/modelcontextprotocol issue 2808.
    "long-description", Description, Tool(check), Information;
    help: "keep what tells when to call the tool, and move the rest to the parameters or the server's instructions";
    since: "0.1.0";
}

/// Characters from which on a description is long.
const LONG: usize = 1500;

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let Some(member) = tool.description() else { return };
    // So many bytes at least are so many characters.
    let Some(text) = member.value.as_str().filter(|text| text.len() > LONG) else { return };
    let length = text.chars().count();
    if length > LONG && !is_cut(tool, cx) {
        let message = format!("the description of {} has {length} characters, more than {LONG}", tool.quoted());
        // The key, since the text would colour a screen.
        out.add(member.key.range, message);
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::findings;

    #[test]
    fn counts_characters() {
        let found = |text: &str| {
            let tool = format!(r#"[{{"name": "a", "description": "{text}", "inputSchema": {{}}}}]"#);
            findings(Ruleset::only(&RULE), "tools.json", &tool)
        };
        assert_eq!(found(&"é".repeat(1500)), []);
        let long = found(&"é".repeat(1501));
        assert!(long.len() == 1 && long[0].message.contains("1501 characters"), "{long:?}");
        assert_eq!(long[0].range.len(), "\"description\"".len());
    }
}
