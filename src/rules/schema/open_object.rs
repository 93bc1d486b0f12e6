use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::syntax::{Place, Value, insert_member};

rule! {
    /// ## What it does
    /// Finds input schemas that name parameters and do not say whether there may be others.
    ///
    /// ## Why
    /// Where `additionalProperties` is not `false`, any argument that a model makes up is a valid one. Closed, a slip in
    /// a name is found before the server has to guess. A schema without parameters says enough. Off unless asked for: half
    /// of all published tools are open, and most of their servers look away.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "read_note", "description": "Read one note and return its text.", "inputSchema": {"type": "object", "properties": {"path": {"type": "string", "description": "Path in the vault"}}, "required": ["path"]}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "read_note", "description": "Read one note and return its text.", "inputSchema": {"type": "object", "properties": {"path": {"type": "string", "description": "Path in the vault"}}, "required": ["path"], "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe, since calls with other arguments were valid until then: adds `"additionalProperties": false`.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 core 10.3.2.3; the strict modes of OpenAI and Anthropic ask for it.
    "open-object", Schema, Tool(check), Hint;
    recommended: false;
    fix: Unsafe;
    help: "write `\"additionalProperties\": false` where the server takes nothing else";
    since: "0.1.0";
}

/// Keywords that say something of further properties, or let others say it: closing these would take properties away.
const SPEAKING: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "dependencies",
    "dependentSchemas",
    "else",
    "if",
    "oneOf",
    "patternProperties",
    "propertyNames",
    "then",
    "unevaluatedProperties",
];

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(member) = tool.input_schema() else { return };
    let schema = &member.value;
    // In capitals it is Gemini's, whose `parameters` had no `additionalProperties`.
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
    let is_empty = schema.get("properties").is_none_or(|properties| properties.members().is_empty());
    if !is_object || is_empty || schema.members().iter().any(|member| SPEAKING.contains(&&*member.key.name)) {
        return;
    }
    let place = Place::Behind(&["properties", "required"]);
    let edit = insert_member(tool.text, schema, place, "additionalProperties", &false.into());
    out.add(member.key.range, format!("{} also takes arguments that its schema does not name", tool.quoted()))
        .fix(Fix::unsafe_("add `\"additionalProperties\": false`", vec![edit]));
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Unsafe;

    #[test]
    fn marks_the_key_of_a_schema_with_parameters() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "object", "properties": {"y": {}}}}}},
               ^^^^^^^^^^^^^ `a` also takes arguments
 {"name": "b", "inputSchema": {"type": "object"}}, {"name": "c", "inputSchema": {"type": "object", "properties": {}}},
 {"name": "d", "inputSchema": {"type": "object", "properties": {"x": {}}, "additionalProperties": true}},
 {"name": "e", "inputSchema": {"type": "object", "properties": {"x": {}}, "anyOf": [{"properties": {"y": {}}}]}},
 {"name": "f", "inputSchema": {"type": "object", "properties": {"x": {}}, "patternProperties": {}}}, {"name": "g", "inputSchema": {"properties": {"x": {}}}}]
"#,
        );
        check(
            &RULE,
            r#"[{"name": "a", "description": "d", "parameters": {"type": "OBJECT", "properties": {"x": {}}}}]"#,
        );
    }

    #[test]
    fn closes_it() {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {schema}}}]"#);
        let fixed = |before: &str, after: &str| check_fix(&RULE, Unsafe, "tools.json", &tool(before), &tool(after));
        fixed(
            r#"{"type": "object", "properties": {"x": {}}, "$defs": {}}"#,
            r#"{"type": "object", "properties": {"x": {}}, "additionalProperties": false, "$defs": {}}"#,
        );
        fixed(
            "{\r\n\t\"properties\": {\"x\": {}},\r\n\t\"type\": \"object\"\r\n}",
            "{\r\n\t\"properties\": {\"x\": {}},\r\n\t\"additionalProperties\": false,\r\n\t\"type\": \"object\"\r\n}",
        );
    }
}
