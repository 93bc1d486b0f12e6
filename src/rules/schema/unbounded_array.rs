use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::Role;
use crate::rules::{Context, Sink};
use crate::syntax::{Place, insert_member};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds properties that take a list of any length: no `maxItems`.
    ///
    /// ## Why
    /// One call with ten thousand elements is valid, and the server has to do the work or to say where it ends.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "add_tags", "description": "Add tags to a note and return all of them.", "inputSchema": {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}, "description": "Tags to add"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "add_tags", "description": "Add tags to a note and return all of them.", "inputSchema": {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}, "maxItems": 20, "description": "Tags to add"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion: a `maxItems` to change.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.4.1; OWASP API4:2023, unrestricted resource consumption.
    "unbounded-array", Schema, Tool(check), Information;
    recommended: false;
    fix: Suggestion;
    help: "say with `maxItems` how many elements the server takes";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let Role::Property(property) = schema.role else { continue };
        let limits = ["maxItems", "enum", "const", "$ref", "allOf"];
        if !schema.types.is("array") || limits.iter().any(|keyword| schema.has(keyword)) {
            continue;
        }
        let edit = insert_member(tool.text, schema.value, Place::Behind(&["type", "items"]), "maxItems", &100.into());
        out.add(property.key.range, format!("`{}` takes a list of any length", shown(&property.key.name)))
            .fix(Fix::suggestion("limit its length, to change", vec![edit]));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_property() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"x": {"type": "array"}, "y": {"type": "array", "maxItems": 1}, "z": {"type": "string"},
                                              ^^^ `x` takes a list
   "o": {"properties": {"maxItems": {"type": ["array", "null"]}}}}}}]
                        ^^^^^^^^^^
"#,
        );
    }

    #[test]
    fn limits_its_length() {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
        let (before, after) = (r#"{"type":"array","items":{}}"#, r#"{"type":"array","items":{},"maxItems":100}"#);
        check_fix(&RULE, Suggestion, "tools.json", &tool(before), &tool(after));
    }
}
