use super::input_schema_not_object::allows_object;
use super::{breach, invalid_schema, meta};
use crate::diagnostic::{Fix, Severity};
use crate::model::schema::{TYPES, Types};
use crate::model::{Form, Tool};
use crate::rules::{Context, Sink};
use crate::syntax::{Place, insert_member};

rule! {
    /// ## What it does
    /// Finds output schemas that are no schema, have no `type` at their root, or break JSON Schema anywhere inside. Another
    /// type than `object` is a warning.
    ///
    /// ## Why
    /// Until 2025-11-25 MCP had objects only, and SDKs that hold to it check the whole list at once: one such tool, and
    /// the client sees none at all.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "count_notes", "description": "Count the notes of a folder.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"properties": {"count": {"type": "integer"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "count_notes", "description": "Count the notes of a folder.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object", "properties": {"count": {"type": "integer"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: adds `"type": "object"` where there are properties. A suggestion where nothing says what the result is.
    ///
    /// ## Sources
    /// MCP 2025-11-25 and 2026-07-28, schema, `Tool.outputSchema`; `ToolSchema` of the TypeScript SDK 1.x;
    /// opentokenz/mcpx issue 28.
    "invalid-output-schema", Schema, Tool(check), Error;
    fix: Safe;
    help: "write the schema of an object, with `\"type\": \"object\"` at its root";
    since: "0.1.0";
}

const LOSES_ALL: &str = "SDKs that check for an object refuse the whole list, and with it every tool";

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(member) = tool.declaration.member("outputSchema").filter(|_| tool.form == Form::Mcp) else { return };
    let schema = &member.value;
    let label = tool.quoted();
    if !schema.is_object() {
        if schema.is_readable() {
            let kind = schema.kind_name();
            out.add(schema.range, format!("the `outputSchema` of {label} is {kind}, not a schema")).note(LOSES_ALL);
        }
        return;
    }
    match schema.get("type") {
        None => {
            let finding = out.add(member.key.range, format!("the `outputSchema` of {label} has no `type`"));
            finding.note(LOSES_ALL);
            if allows_object(schema) {
                let edit = insert_member(tool.text, schema, Place::First, "type", &"object".into());
                let (title, edits) = ("add `\"type\": \"object\"`", vec![edit]);
                let is_object = schema.get("properties").is_some();
                finding.fix(if is_object { Fix::safe(title, edits) } else { Fix::suggestion(title, edits) });
            }
        }
        Some(kind) if !kind.is_readable() || kind.as_str() == Some("object") => {}
        Some(kind) if kind.as_str().is_some_and(|name| !TYPES.contains(&name)) => {
            out.add(kind.range, breach::message(schema, "/type", kind, meta::Breach::Kind)).note(LOSES_ALL);
        }
        Some(kind) if !Types::of(schema).is_empty() => {
            let message = format!("the result of {label} is not declared as an object alone");
            out.add_as(Severity::Warning, kind.range, message)
                .note(format!("MCP allows other types since 2026-07-28; {LOSES_ALL}"));
        }
        Some(kind) => {
            out.add(kind.range, breach::message(schema, "/type", kind, meta::Breach::Kind)).note(LOSES_ALL);
        }
    }
    invalid_schema::report(tool, schema, out);
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::{Safe, Suggestion};
    use crate::diagnostic::Severity;

    #[test]
    fn marks_the_key_or_what_is_wrong() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {}, "outputSchema": {"$id": "r.v1"}}, {"name": "b", "inputSchema": {}, "outputSchema": null},
                                  ^^^^^^^^^^^^^^ the `outputSchema` of `a` has no `type`
                                                                                                                     ^^^^ is null, not a schema
 {"name": "c", "inputSchema": {}, "outputSchema": {"type": "object", "properties": {"x": {"type": "int"}, "outputSchema": {"minLength": -1}}}},
                                                                                                  ^^^^^ `int` is no type of JSON Schema
                                                                                                                                        ^^
 {"name": "d", "inputSchema": {}, "outputSchema": {"type": "objekt"}}, {"name": "e", "inputSchema": {}, "outputSchema": {"type": 3}},
                                                           ^^^^^^^^ did you mean `object`
                                                                                                                                 ^ has to be the name of one
 {"name": "f", "inputSchema": {}, "outputSchema": {"type": "object"}}, {"name": "g", "input_schema": {}, "outputSchema": 1}]
"#,
        );
    }

    #[test]
    fn another_type_is_less_loud() {
        for kind in [r#""array""#, r#"["object", "null"]"#] {
            let text = format!(r#"[{{"name": "a", "inputSchema": {{}}, "outputSchema": {{"type": {kind}}}}}]"#);
            assert_eq!(findings(Ruleset::only(&RULE), "tools.json", &text)[0].severity, Severity::Warning);
        }
    }

    #[test]
    fn adds_the_type() {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{}}, "outputSchema": {schema}}}]"#);
        let fixed = |kind, before: &str, after: &str| check_fix(&RULE, kind, "tools.json", &tool(before), &tool(after));
        fixed(Safe, r#"{"properties":{}}"#, r#"{"type":"object","properties":{}}"#);
        fixed(Suggestion, r#"{"$id": "x"}"#, r#"{"type": "object", "$id": "x"}"#);
        let union = tool(r#"{"oneOf": [{"type": "string"}]}"#);
        assert_eq!(findings(Ruleset::only(&RULE), "tools.json", &union)[0].fixes, []);
    }
}
