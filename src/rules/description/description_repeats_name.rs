use super::lack::{Lack, lack, redraft};
use crate::diagnostic::Severity;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Value};

rule! {
    /// ## What it does
    /// Finds descriptions of tools that have no words but those of the name: "Gets the user" for `get_user`. Small words
    /// do not count, nor do "details", "information" or "a specific". A name of more than three words is left alone: it is a
    /// sentence itself. Where every parameter is described, it is a note. English only.
    ///
    /// ## Why
    /// The model reads the name beside it and learns nothing more: not which of two tools to take, not what comes back,
    /// not when the call fails.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "get_user", "description": "Gets the details of a user.", "inputSchema": {"type": "object", "properties": {"login": {"type": "string"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "get_user", "description": "Fetch the public profile of one person: name, company and time of the last visit.", "inputSchema": {"type": "object", "properties": {"login": {"type": "string", "description": "Login name"}}}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion, where the tool has parameters: a first sentence that names them, for you to finish.
    ///
    /// ## Sources
    /// The providers' guides to tool use: a description says what the name cannot.
    "description-repeats-name", Description, Tool(check), Warning;
    fix: Suggestion;
    help: "say what the name does not: what comes back, when to use the tool and when not";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    if let Some((Lack::RepeatsName, member)) = lack(tool) {
        // Parameters that are described say what the tool is about.
        let is_described = |parameter: &Member| {
            let description = parameter.value.get("description").and_then(Value::as_str);
            description.is_some_and(|text| !text.trim().is_empty())
        };
        let parameters = tool.parameters();
        let says_more = !parameters.is_empty() && parameters.iter().all(is_described);
        let severity = if says_more { Severity::Information } else { Severity::Warning };
        out.add_as(
            severity,
            member.value.range,
            format!("the description of {} says nothing beyond its name", tool.quoted()),
        )
        .fix(redraft(tool, member));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_text() {
        check(
            &RULE,
            r#"
[{"name": "list_files", "description": "Lists all files.", "inputSchema": {}},
                                       ^^^^^^^^^^^^^^^^^^ `list_files` says nothing beyond its name
 {"name": "list_files", "description": "Lists all files of a folder.", "inputSchema": {}}]
"#,
        );
    }

    #[test]
    fn drafts_what_says_more() {
        let tool = |text: &str| {
            format!(
                r#"[{{"name": "list_files", "description": "{text}", "inputSchema": {{"properties": {{"folder": {{}}}}}}}}]"#
            )
        };
        check_fix(&RULE, Suggestion, "tools.json", &tool("List files"), &tool("List files for the given `folder`."));
    }
}
