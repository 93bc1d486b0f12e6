use crate::diagnostic::{Applicability, Fix};
use crate::model::{Form, Tool, is_key};
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Place, Value, insert_member, written_like};
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
    /// `inputSchema`, renames the key instead; unsafe, where a schema is under another key. A suggestion, where another object is.
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
        check_other_form(tool, out);
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
            let edits = vec![insert_member(tool.text, tool.declaration, place, "inputSchema", &empty)];
            let title = "add an `inputSchema` without parameters";
            let message = format!("{} has no `inputSchema`", tool.quoted());
            let Some(stray) = stray(tool) else {
                out.add(tool.range(), message).fix(Fix::safe(title, edits));
                return;
            };
            // The parameters may be there.
            if is_schema(&stray.value) {
                let rename =
                    Fix { applicability: Applicability::Unsafe, ..Fix::rename_key(stray.key.range, "inputSchema") };
                out.add(stray.key.range, format!("{message}: did you mean it by `{}`?", shown(&stray.key.name)))
                    .fix(rename);
            } else {
                out.add(tool.range(), message).fix(Fix::suggestion(title, edits));
            }
        }
        Some(member) if member.value.is_null() => {
            let edit = Edit::replace(member.value.range, written_like(tool.text, tool.declaration, &empty));
            out.add(member.value.range, format!("the `inputSchema` of {} is null", tool.quoted()))
                .fix(Fix::safe("write an `inputSchema` without parameters", vec![edit]));
        }
        Some(_) => {}
    }
}

/// A tool that is written for another API than the rest of its list, which is MCP's.
fn check_other_form(tool: &Tool, out: &mut Sink) {
    if tool.list_form == Form::Mcp
        && let Some(member) = tool.input_schema().filter(|member| is_schema(&member.value))
        && std::ptr::eq(tool.declaration, tool.element)
    {
        let message = format!("{} has no `inputSchema`, which others of the list have", tool.quoted());
        out.add(member.key.range, format!("{message}: `{}` is no key of MCP's", member.key.name))
            .fix(Fix::rename_key(member.key.range, "inputSchema"));
    }
}

/// An object or a list under a key that no tool has; one that looks like a schema first.
fn stray<'v>(tool: &Tool<'v>) -> Option<&'v Member> {
    let strays =
        || tool.declaration.members().iter().filter(|member| is_container(&member.value) && !is_key(&member.key.name));
    strays().find(|member| is_schema(&member.value)).or_else(|| strays().next())
}

fn is_container(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

fn is_schema(value: &Value) -> bool {
    value.get("type").is_some_and(|kind| kind.as_str().is_some())
        || value.get("properties").is_some_and(Value::is_object)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::{Safe, Suggestion, Unsafe};

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
    fn the_parameters_may_be_elsewhere() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {}}, {"name": "b", "schema": {"type": "object"}}, {"name": "c", "args": {"x": {"type": "string"}}},
                                                 ^^^^^^^^ `b` has no `inputSchema`: did you mean it by `schema`?
                                                                                         ^^^ `c` has no `inputSchema`
 {"name": "d", "input_schema": {"type": "object"}}, {"name": "e", "parameters": {"properties": {}}}, {"name": "f", "parameters": {"quality": 5}}]
               ^^^^^^^^^^^^^^ `d` has no `inputSchema`, which others of the list have: `input_schema`
                                                                  ^^^^^^^^^^^^ `e` has no
"#,
        );
        let list = |key: &str, schema: &str| {
            format!(r#"[{{"name": "a", "{key}": {schema}}}, {{"name": "b", "inputSchema": {{}}}}]"#)
        };
        let fixed = |applicability, key: &str| {
            let schema = r#"{"type": "object"}"#;
            check_fix(&RULE, applicability, "tools.json", &list(key, schema), &list("inputSchema", schema));
        };
        fixed(Unsafe, "schema");
        let later = |key: &str| {
            format!(r#"[{{"name": "b", "inputSchema": {{}}}}, {{"name": "a", "{key}": {{"type": "object"}}}}]"#)
        };
        check_fix(&RULE, Safe, "tools.json", &later("input_schema"), &later("inputSchema"));
        let found = findings(Ruleset::only(&RULE), "tools.json", &list("args", r#"{"x": {"type": "string"}}"#));
        assert!(found[0].fixes.iter().all(|fix| fix.applicability == Suggestion));
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
