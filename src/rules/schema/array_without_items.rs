use super::unknown_schema_keyword::is_misspelt;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::Role;
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::syntax::{Place, Value, insert_member};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds schemas of arrays that do not say what their elements are, at any depth. `prefixItems`, and `items` where
    /// the schema's `$ref` leads to, count.
    ///
    /// ## Why
    /// JSON Schema allows it, but OpenAI, Gemini and VS Code refuse the tool, and some of them the whole request.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "add_tags", "description": "Add tags to a note and return all of them.", "inputSchema": {"type": "object", "properties": {"tags": {"type": "array", "description": "Tags to add"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "add_tags", "description": "Add tags to a note and return all of them.", "inputSchema": {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}, "description": "Tags to add"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Suggestions, since only you know what the server takes: elements that are strings, or objects.
    ///
    /// ## Sources
    /// The answers of OpenAI's and Gemini's APIs: `array schema missing items`; VS Code's check of MCP tools.
    "array-without-items", Schema, Tool(check), Error;
    fix: Suggestion;
    help: "say with `items` what the elements of the array are";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let Some(verdicts) = cx.verdicts(Feature::ArrayWithoutItems) else { return };
    for schema in tool.schemas() {
        // A condition speaks of arrays without declaring one, and what is no object at the root is another rule's.
        if matches!(schema.role, Role::Root | Role::Keyword("not" | "if")) || !schema.types.contains("array") {
            continue;
        }
        let Some(array) = schema.get("type").and_then(array_type) else { continue };
        let has_items =
            |schema: &Value| schema.members().iter().any(|member| matches!(&*member.key.name, "items" | "prefixItems"));
        if has_items(schema.value)
            || is_misspelt(schema.value, "items")
            || has_items(tool.schemas().followed(schema.value))
        {
            continue;
        }
        let message = match schema.role {
            Role::Property(member) => format!("the array `{}` has no `items`", shown(&member.key.name)),
            Role::Keyword("items") => "the arrays in this array have no `items`".to_owned(),
            _ => "this array has no `items`".to_owned(),
        };
        let items = |kind: &str| {
            let value = serde_json::json!({"type": kind});
            vec![insert_member(tool.text, schema.value, Place::Behind(&["type"]), "items", &value)]
        };
        out.add(array.range, message)
            .note(verdicts.note())
            .fix(Fix::suggestion("say that the elements are strings", items("string")))
            .fix(Fix::suggestion("say that the elements are objects", items("object")));
    }
}

/// Where a `type` says "array"; Gemini writes it in capitals.
fn array_type(kind: &Value) -> Option<&Value> {
    let is_array = |value: &&Value| matches!(value.as_str(), Some("array" | "ARRAY"));
    Some(kind).filter(is_array).or_else(|| kind.elements().iter().find(is_array))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_type_at_any_depth() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"type": "array"}, "y": {"type": ["array", "null"]}, "z": {"type": "array", "items": {"type": "array"}}}}},
                                                            ^^^^^^^ the array `x` has no `items`
                                                                                     ^^^^^^^ the array `y`
                                                                                                                                                 ^^^^^^^ in this array
 {"name": "b", "inputSchema": {"properties": {"x": {"anyOf": [{"type": "array"}, {"type": "null"}]}, "type": {"type": "array", "items": {}}, "p": {"type": "array", "prefixItems": []}, "s": {"type": "array", "item": {}}}}},
                                                                       ^^^^^^^ this array
 {"name": "c", "inputSchema": {"properties": {"x": {"type": "array", "$ref": "#/$defs/x"}}, "$defs": {"x": {"items": true}}}},
 {"name": "d", "inputSchema": {"properties": {"x": {"enum": [{"type": "array"}]}, "y": {"type": "string", "default": {"type": "array"}, "not": {"type": "array"}}}}}]
"##,
        );
    }

    #[test]
    fn offers_items_behind_the_type() {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
        let fixed = |before: &str, after: &str| check_fix(&RULE, Suggestion, "tools.json", &tool(before), &tool(after));
        fixed(
            r#"{"type": "array", "description": "x"}"#,
            r#"{"type": "array", "items": {"type": "string"}, "description": "x"}"#,
        );
        fixed(r#"{"type":"array"}"#, r#"{"type":"array","items":{"type":"string"}}"#);
        fixed(
            "{\r\n  \"type\": \"array\"\r\n}",
            "{\r\n  \"type\": \"array\",\r\n  \"items\": {\"type\": \"string\"}\r\n}",
        );
    }
}
