use super::draft;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::syntax::{Place, insert_member};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds tools without a description, or with an empty one.
    ///
    /// ## Why
    /// A model decides by the description whether to call a tool. With the name alone it guesses.
    ///
    /// ## Bad
    /// ```json
    /// {"name": "list_files", "inputSchema": {"type": "object", "properties": {}}}
    /// ```
    ///
    /// ## Good
    /// ```json
    /// {"name": "list_files", "description": "List the files of a folder with their sizes.", "inputSchema": {"type": "object", "properties": {}}}
    /// ```
    ///
    /// ## Fix
    /// A suggestion: a first sentence made of the name and the parameters, for you to finish. Safe, where a key is
    /// nearly `description`: renames the key.
    ///
    /// ## Sources
    /// MCP 2026-07-28, server/tools; the providers' guides to tool use ask for a description of every tool.
    "missing-description", Description, Tool(check), Error;
    fix: Suggestion;
    help: "say in one or two sentences what the tool does, when to use it and what it returns";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    if let Some(slip) = tool.misspelt("description") {
        let written = shown(&slip.key.name);
        out.add(slip.key.range, format!("`{written}` is no key of a tool: did you mean `description`?"))
            .fix(Fix::rename_key(slip.key.range, "description"));
        return;
    }
    let add = |draft: String| {
        let place = Place::Behind(&["name", "title"]);
        insert_member(tool.text, tool.declaration, place, "description", &draft.into())
    };
    let draft = draft::tool(tool);
    match tool.description() {
        None => {
            out.add(tool.range(), format!("{} has no description", tool.quoted()))
                .fix(draft.map(|draft| Fix::suggestion("add a description to finish", vec![add(draft)])));
        }
        Some(member) if member.value.as_str().is_none_or(|text| text.trim().is_empty()) => {
            let tool_name = tool.quoted();
            let problem = match member.value.as_str() {
                Some(_) => format!("the description of {tool_name} is empty"),
                None if !member.value.is_readable() => return,
                None => format!("the description of {tool_name} has to be a string, not {}", member.value.kind_name()),
            };
            let fix = draft.map(|draft| {
                let edit = Edit::replace(member.value.range, serde_json::Value::from(draft).to_string());
                Fix::suggestion("write a description to finish", vec![edit])
            });
            // What else stands there may be the text in another form.
            let may_go = member.value.is_null() || member.value.as_str().is_some();
            out.add(member.value.range, problem).fix(fix.filter(|_| may_go));
        }
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::{Safe, Suggestion};

    #[test]
    fn a_slip_is_renamed() {
        let tool = |key: &str| format!(r#"[{{"name": "a", "{key}": "Do it.", "title": "b", "inputSchema": {{}}}}]"#);
        check_fix(&RULE, Safe, "tools.json", &tool("descripton"), &tool("description"));
        check_fix(&RULE, Safe, "tools.json", &tool("Description"), &tool("description"));
        check(
            &RULE,
            r#"
[{"name": "a", "descriptions": ["x"], "inputSchema": {}}, {"name": "b", "Description ": "x", "inputSchema": {}}]
          ^^^ `a` has no description
                                                                        ^^^^^^^^^^^^^^ `Description ` is no key of a tool: did you mean `description`?
"#,
        );
    }

    #[test]
    fn marks_the_name_or_the_empty_text() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {}}, {"name": "b", "description": " \n", "inputSchema": {}},
          ^^^ `a` has no description
                                                                ^^^^^ of `b` is empty
 {"name": "c", "description": "x", "inputSchema": {}}, {"name": "d", "description": 1, "inputSchema": {}}]
                                                                                    ^ has to be a string, not a number
"#,
        );
    }

    #[test]
    fn nothing_is_drafted_of_a_tool_without_a_name() {
        let found = findings(
            Ruleset::only(&RULE),
            "tools.json",
            r#"[{"name": "a", "description": "b", "inputSchema": {}}, {"inputSchema": {}}]"#,
        );
        assert_eq!((found.len(), found[0].fixes.len()), (1, 0));
    }

    #[test]
    fn the_draft_is_written_like_its_neighbours() {
        let fixed = |before: &str, after: &str| check_fix(&RULE, Suggestion, "tools.json", before, after);
        fixed(
            "[\r\n  {\r\n    \"name\": \"get_weather\",\r\n    \"inputSchema\": {\"properties\": {\"city\": {}}}\r\n  }\r\n]",
            "[\r\n  {\r\n    \"name\": \"get_weather\",\r\n    \"description\": \"Get weather for the given `city`.\",\r\n    \"inputSchema\": {\"properties\": {\"city\": {}}}\r\n  }\r\n]",
        );
        fixed(
            r#"[{"name":"run","inputSchema":{}}]"#,
            r#"[{"name":"run","description":"Run and return the result.","inputSchema":{}}]"#,
        );
        fixed(
            r#"[{"type": "function", "function": {"name": "run", "description": ""}}]"#,
            r#"[{"type": "function", "function": {"name": "run", "description": "Run and return the result."}}]"#,
        );
    }
}
