use crate::diagnostic::Fix;
use crate::model::{Form, Tool};
use crate::rules::{Context, Sink};
use crate::syntax::{Place, insert_member, written_like};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds tools without `inputSchema`, or with `null` there. Only in MCP's form: OpenAI and Gemini let a function
    /// without parameters leave them out.
    ///
    /// ## Why
    /// MCP requires the schema. Clients that check what they receive drop the tool, some the whole list.
    ///
    /// ## Bad
    /// ```json
    /// {"tools": [{"name": "list_files", "description": "List the files of the open folder."}, {"name": "open", "description": "Open the folder that was last used.", "inputSchema": {"type": "object"}}]}
    /// ```
    ///
    /// ## Good
    /// ```json
    /// {"tools": [{"name": "list_files", "description": "List the files of the open folder.", "inputSchema": {"type": "object", "properties": {}}}]}
    /// ```
    ///
    /// ## Fix
    /// Safe: adds `{"type": "object", "properties": {}}`, which takes no parameters. Where a key is nearly
    /// `inputSchema`, renames the key instead.
    ///
    /// ## Sources
    /// MCP 2026-07-28, schema, `Tool.inputSchema`.
    "missing-input-schema", Schema, Tool(check), Error;
    fix: Safe;
    help: "add an `inputSchema`; a tool without parameters has `{\"type\": \"object\", \"properties\": {}}`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    if tool.form != Form::Mcp {
        return;
    }
    if let Some(slip) = tool.misspelt("inputSchema") {
        let written = shown(&slip.key.name);
        out.add(slip.key.range, format!("`{written}` is no key of a tool: did you mean `inputSchema`?"))
            .fix(Fix::rename_key(slip.key.range, "inputSchema"));
        return;
    }
    let empty = serde_json::json!({"type": "object", "properties": {}});
    match tool.input_schema() {
        None => {
            let place = Place::Behind(&["name", "title", "description"]);
            let edit = insert_member(tool.text, tool.declaration, place, "inputSchema", &empty);
            out.add(tool.range(), format!("{} has no `inputSchema`", tool.quoted()))
                .fix(Fix::safe("add an `inputSchema` without parameters", vec![edit]));
        }
        Some(member) if member.value.is_null() => {
            let edit = Edit::replace(member.value.range, written_like(tool.text, tool.declaration, &empty));
            out.add(member.value.range, format!("the `inputSchema` of {} is null", tool.quoted()))
                .fix(Fix::safe("write an `inputSchema` without parameters", vec![edit]));
        }
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn marks_the_name_or_the_null() {
        check(
            &RULE,
            r#"
{"tools": [{"name": "a", "description": "x"}, {"name": "b", "inputSchema": null}, {"name": "c", "inputSchema": {}}]}
                    ^^^ `a` has no `inputSchema`
                                                                           ^^^^ of `b` is null
"#,
        );
        check(
            &RULE,
            r#"[{"type": "function", "function": {"name": "a"}}, {"name": "b", "parameters": {}}, {"name": "c"}]"#,
        );
    }

    #[test]
    fn a_slip_is_renamed() {
        let list = |key: &str| {
            format!(r#"[{{"name": "a", "{key}": {{}}, "outputSchema": {{}}}}, {{"name": "b", "inputSchema": {{}}}}]"#)
        };
        for slip in ["inputschema", "input_Schema", "inputShema"] {
            check_fix(&RULE, Safe, "tools.json", &list(slip), &list("inputSchema"));
        }
        check(
            &RULE,
            r#"
{"tools": [{"name": "a", "inputschema": {}}, {"name": "b", "inputschema": true}, {"name": "c", "inputSchema": {}}]}
                         ^^^^^^^^^^^^^ `inputschema` is no key of a tool: did you mean `inputSchema`?
                                                      ^^^ `b` has no `inputSchema`
"#,
        );
    }

    #[test]
    fn the_schema_is_written_like_its_neighbours() {
        let rest = r#"{"name": "z", "inputSchema": {}}"#;
        let fixed = |before: &str, after: &str| {
            check_fix(&RULE, Safe, "tools.json", &format!("[{before}, {rest}]"), &format!("[{after}, {rest}]"));
        };
        fixed(
            "{\r\n  \"name\": \"a\",\r\n  \"description\": \"b\",\r\n  \"annotations\": {}\r\n}",
            "{\r\n  \"name\": \"a\",\r\n  \"description\": \"b\",\r\n  \"inputSchema\": {\"type\": \"object\", \"properties\": {}},\r\n  \"annotations\": {}\r\n}",
        );
        fixed(r#"{"name":"a"}"#, r#"{"name":"a","inputSchema":{"type":"object","properties":{}}}"#);
        fixed(
            r#"{"name": "a", "inputSchema": null}"#,
            r#"{"name": "a", "inputSchema": {"type": "object", "properties": {}}}"#,
        );
    }
}
