use super::keywords::spelled;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::{Role, Subschema};
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::syntax::{Place, insert_member};

rule! {
    /// ## What it does
    /// Finds an `enum` of strings without a `type` beside it.
    ///
    /// ## Why
    /// The values say it, and JSON Schema asks for no more; but Gemini on Vertex AI refuses a parameter without a type.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "sort_rows", "description": "Sort the open sheet and return the first rows.", "inputSchema": {"type": "object", "properties": {"direction": {"enum": ["asc", "desc"], "description": "Sort direction"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "sort_rows", "description": "Sort the open sheet and return the first rows.", "inputSchema": {"type": "object", "properties": {"direction": {"type": "string", "enum": ["asc", "desc"], "description": "Sort direction"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: adds the type.
    ///
    /// ## Sources
    /// nanbingxyz/5ire issue 218, google-gemini/gemini-cli issue 4400.
    "enum-without-type", Schema, Tool(check), Information;
    fix: Safe;
    help: "add `\"type\": \"string\"` beside the `enum`";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let verdicts = cx.verdicts(Feature::UntypedEnum);
    if verdicts.is_empty() {
        return;
    }
    for schema in tool.schemas() {
        let Some(values) = schema.member("enum") else { continue };
        let elements = values.value.elements();
        let is_text = !elements.is_empty() && elements.iter().all(|value| value.as_str().is_some());
        if !is_text || is_typed_elsewhere(tool, schema) {
            continue;
        }
        let written = spelled("string", tool.schema().and_then(|root| root.get("type")));
        let edit = insert_member(tool.text, schema.value, Place::First, "type", &written.clone().into());
        out.add(values.key.range, "this `enum` has no `type` beside it")
            .note(verdicts.note())
            .fix(Fix::safe(format!("add `\"type\": \"{written}\"`"), vec![edit]));
    }
}

/// Whether the type is said another way, or around a branch, or nobody asks for one.
fn is_typed_elsewhere(tool: &Tool, schema: &Subschema) -> bool {
    const OTHER_WAYS: &[&str] = &["type", "anyOf", "oneOf", "allOf", "$ref"];
    const CONDITIONS: &[&str] = &["not", "if", "then", "else", "contains", "propertyNames", "dependentSchemas"];
    if matches!(schema.role, Role::Root) || OTHER_WAYS.iter().any(|keyword| schema.has(keyword)) {
        return true;
    }
    let mut is_same_value = true;
    tool.schemas().outwards(schema).any(|around| {
        let is_typed = is_same_value && around.has("type");
        is_same_value &= matches!(around.role, Role::Keyword("anyOf" | "oneOf" | "allOf"));
        let is_condition =
            matches!(around.role, Role::Keyword(keyword) | Role::Named(keyword, _) if CONDITIONS.contains(&keyword));
        is_typed || is_condition
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn marks_the_enum() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"enum": ["a"]}, "enum": {"items": {"enum": ["a"]}}, "y": {"anyOf": [{"enum": ["a"]}, {"type": "null"}]}}}},
                                                                      ^^^^^^ has no `type`
                                                                                                         ^^^^^^
                                                                                                                                           ^^^^^^
 {"name": "b", "inputSchema": {"properties": {"x": {"type": "string", "anyOf": [{"enum": ["a"]}]}, "y": {"enum": [1]}, "z": {"enum": []}, "v": {"not": {"enum": ["a"]}}, "u": {"if": {"properties": {"x": {"enum": ["a"]}}}}, "w": {"$ref": "#", "enum": ["a"]}}}}]
"##,
        );
    }

    #[test]
    fn adds_the_type() {
        let fixed = |root: &str, before: &str, after: &str| {
            let tool = |schema: &str| {
                format!(
                    r#"[{{"name": "a", "description": "d", "parameters": {{"type": "{root}", "properties": {{"x": {schema}}}}}}}]"#
                )
            };
            check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
        };
        fixed("object", r#"{"enum":["a"]}"#, r#"{"type":"string","enum":["a"]}"#);
        fixed("OBJECT", r#"{"title": "X", "enum": ["a"]}"#, r#"{"type": "STRING", "title": "X", "enum": ["a"]}"#);
    }
}
