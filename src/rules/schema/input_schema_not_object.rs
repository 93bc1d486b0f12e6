use super::strays::Strays;
use super::unknown_schema_keyword::is_misspelt;
use crate::diagnostic::Fix;
use crate::model::schema::{Types, followed};
use crate::model::{Form, Tool};
use crate::rules::{Context, Sink};
use crate::syntax::{Place, Value, insert_member, written_like};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds input schemas whose `type` is not `"object"` or is missing, and ones that are no schema at all. The `type`
    /// has to stand at the root itself, whatever a `$ref` there leads to.
    ///
    /// ## Why
    /// The arguments of a call are an object. MCP's SDKs and the providers' APIs refuse any other root, and some lose
    /// the whole list with it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "read_notes", "description": "Read several notes and return their text.", "inputSchema": {"properties": {"path": {"type": "string", "description": "Path in the vault"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "read_notes", "description": "Read several notes and return their text.", "inputSchema": {"type": "object", "properties": {"path": {"type": "string", "description": "Path in the vault"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: sets `"type": "object"`, where nothing else in the schema speaks of another type. A suggestion, where the
    /// parameters stand outside `properties`: puts them there.
    ///
    /// ## Sources
    /// MCP 2026-07-28, schema, `Tool.inputSchema`; the answers of Anthropic's and OpenAI's APIs.
    "input-schema-not-object", Schema, Tool(check), Error;
    fix: Safe;
    help: "write `\"type\": \"object\"` at the root of the schema, and the parameters under `properties`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(member) = tool.input_schema() else { return };
    let (key, schema) = (&*member.key.name, &member.value);
    let label = tool.quoted();
    if !schema.is_object() {
        // A missing schema is another rule's, and an unreadable one the syntax's.
        if !schema.is_readable() || schema.is_null() {
            return;
        }
        let finding = out.add(schema.range, format!("the `{key}` of {label} is {}, not a schema", schema.kind_name()));
        // What PHP makes of an empty map.
        if schema.is_array() && schema.elements().is_empty() {
            let empty = serde_json::json!({"type": "object", "properties": {}});
            let edit = Edit::replace(schema.range, written_like(tool.text, tool.declaration, &empty));
            finding.fix(Fix::safe("write a schema without parameters", vec![edit]));
        }
        return;
    }
    // Gemini writes its types in capitals; a function without parameters may have an empty schema.
    let is_object = |text: &str| text == "object" || tool.form == Form::Function && text == "OBJECT";
    let Some(kind) = schema.get("type") else {
        if tool.form == Form::Function && schema.members().is_empty() {
            return;
        }
        let message = format!("the `{key}` of {label} has no `type`");
        // A slip for `properties` is renamed first.
        if let Some(strays) = Strays::of(schema).filter(|_| !is_misspelt(schema, "properties")) {
            let strayed = strays.message().map(|strays| format!(", and {strays}")).unwrap_or_default();
            out.add(member.key.range, format!("{message}{strayed}")).fix(strays.fix(tool));
            return;
        }
        let finding = out.add(member.key.range, message);
        if allows_object(schema) {
            let edit = insert_member(tool.text, schema, Place::First, "type", &"object".into());
            finding.fix(Fix::safe("add `\"type\": \"object\"`", vec![edit]));
        }
        return;
    };
    if !kind.is_readable() || kind.as_str().is_some_and(is_object) {
        return;
    }
    let found = kind.as_str().map_or_else(|| kind.kind_name().to_owned(), |text| format!("`{}`", shown(text)));
    let finding = out.add(kind.range, format!("the `type` of the `{key}` of {label} is {found}, not `object`"));
    if allows_object(schema) {
        // With a description and no parameters it may be the schema of one.
        let is_one = schema.get("properties").is_none() && schema.get("description").is_some();
        let fix = if is_one { Fix::unsafe_ } else { Fix::safe };
        finding.fix(fix("set the `type` to `object`", vec![Edit::replace(kind.range, "\"object\"")]));
    }
}

/// Whether nothing at the root of a schema speaks of values that are no objects.
pub(super) fn allows_object(schema: &Value) -> bool {
    let is_silent = !["enum", "const", "not", "items", "prefixItems"].iter().any(|key| schema.get(key).is_some());
    let is_one = |part: &Value| {
        let part = followed(part, schema);
        Types::of(part).contains("object") || part.get("type").is_none() && part.get("properties").is_some()
    };
    let parts = ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(key)).flat_map(Value::elements);
    let is_silent = is_silent && schema.get("default").is_none_or(Value::is_object);
    is_silent && parts.into_iter().all(is_one) && (schema.get("$ref").is_none() || is_one(schema))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::{Safe, Suggestion};

    #[test]
    fn marks_the_type_or_the_key() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"type": "string"}}, {"name": "b", "inputSchema": {"properties": {}}},
                                       ^^^^^^^^ is `string`, not `object`
                                                                 ^^^^^^^^^^^^^ has no `type`
 {"name": "c", "inputSchema": {"type": "object"}}, {"name": "d", "inputSchema": null}, {"name": "e", "inputSchema": []},
                                                                                                                    ^^ is an array, not a schema
 {"name": "f", "inputSchema": {"type": ["object", "null"]}}, {"name": "g", "inputSchema": {"$ref": "#/$defs/g", "$defs": {"g": {"type": "object"}}}}]
                                       ^^^^^^^^^^^^^^^^^^ is an array
                                                                           ^^^^^^^^^^^^^
"##,
        );
    }

    #[test]
    fn functions_may_be_written_as_gemini_does() {
        check(
            &RULE,
            r#"
[{"name": "a", "description": "d", "parameters": {"type": "OBJECT"}}, {"name": "b", "parameters": {}}, {"name": "c", "parameters": {"type": "STRING"}}]
                                                                                                                                            ^^^^^^^^
"#,
        );
    }

    #[test]
    fn sets_the_type() {
        let tool = |schema: &str| format!(r#"{{"tools": [{{"name": "a", "inputSchema": {schema}}}]}}"#);
        let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
        fixed(r#"{"type": "string"}"#, r#"{"type": "object"}"#);
        fixed("{}", r#"{"type": "object"}"#);
        fixed("[]", r#"{"type": "object", "properties": {}}"#);
        fixed("{\r\n\t\"properties\": {}\r\n}", "{\r\n\t\"type\": \"object\",\r\n\t\"properties\": {}\r\n}");
        fixed(r#"{"anyOf":[{"properties":{}}]}"#, r#"{"type":"object","anyOf":[{"properties":{}}]}"#);
        // What may be meant for parameters is not to look as if there were none.
        for meant in [r#"{"query": "string"}"#, r#"{"params": [{"name": "a"}]}"#, r#"{"a": true}"#] {
            assert_eq!(findings(Ruleset::only(&RULE), "tools.json", &tool(meant))[0].fixes, [], "{meant}");
        }
        let suggested = |before: &str, after: &str| {
            let found = findings(Ruleset::only(&RULE), "tools.json", &tool(before));
            assert!(found[0].fixes.iter().all(|fix| fix.applicability == Suggestion), "{before}");
            check_fix(&RULE, Suggestion, "tools.json", &tool(before), &tool(after));
        };
        suggested(
            r#"{"a":{"type":"string"},"b":{"enum":[1]}}"#,
            r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"enum":[1]}}}"#,
        );
        suggested(
            r#"{"required": ["a"], "a": {"type": "string"}}"#,
            r#"{"required": ["a"], "type": "object", "properties": {"a": {"type": "string"}}}"#,
        );
        suggested(r#"{"parameters": {"a": {"type": "string"}}}"#, r#"{"properties": {"a": {"type": "string"}}}"#);
        suggested(
            r#"{"jsonSchema": {"type": "object", "properties": {"a": {}}}}"#,
            r#"{"type": "object", "properties": {"a": {}}}"#,
        );
        for schema in [
            r#"{"_def": {"typeName": "ZodObject"}}"#,
            r#"{"enum": [1]}"#,
            r#"{"type": "array", "items": {}}"#,
            r#"{"anyOf": [{"type": "string"}]}"#,
            "3",
        ] {
            let found = findings(Ruleset::only(&RULE), "tools.json", &tool(schema));
            assert!(found[0].fixes.is_empty(), "{schema}");
        }
    }
}
