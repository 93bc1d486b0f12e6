use super::members::Members;
use crate::diagnostic::{Fix, Severity};
use crate::model::Tool;
use crate::model::schema::{Role, Schemas, Subschema, Types};
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::syntax::{Place, Value, insert_member};
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds objects inside the parameters of which the schema names no member and says nothing of their values: a warning
    /// where `properties` is there and empty, which Gemini's API is known to refuse, else a note.
    ///
    /// ## Why
    /// The model has to guess the keys and what to put under them. Gemini's API refuses an object without
    /// `properties`, and strict modes do.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "save_options", "description": "Store the display options of a board and return them.", "inputSchema": {"type": "object", "properties": {"options": {"type": "object", "description": "Display options", "properties": {}}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "save_options", "description": "Store the display options of a board and return them.", "inputSchema": {"type": "object", "properties": {"options": {"type": "object", "description": "Display options", "properties": {"columns": {"type": "integer", "description": "How many columns to show"}}}}}}]
    /// ```
    ///
    /// ## Fix
    /// Suggestions: a first member to rename, or, for a map whose keys are free, the type of its values.
    ///
    /// ## Sources
    /// The answer of Gemini's API: `should be non-empty for OBJECT type`; CherryHQ/cherry-studio issue 3270.
    "free-form-object", Schema, Tool(check), Warning;
    fix: Suggestion;
    help: "name the members under `properties`, or say with `additionalProperties` what the values of a map are";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let schemas = tool.schemas();
    for schema in schemas {
        if !schema.types.is("object") || !declares(schemas, schema) {
            continue;
        }
        let severity = match Members::of(schema.value) {
            // The form that is known to be refused.
            Members::Unsaid if schema.has("properties") => Severity::Warning,
            Members::Unsaid => Severity::Information,
            Members::Any(_) if !is_any_value(schemas, schema) => Severity::Information,
            _ => continue,
        };
        let message = format!("nothing says what is in the object {}", schemas.place(schema));
        let finding = out.add_as(severity, schema.range(), message);
        let verdicts = cx.verdicts(Feature::EmptyObject);
        if !verdicts.is_empty() {
            finding.note(verdicts.note());
        }
        let field = serde_json::json!({"field": {"type": "string", "description": "Value of the field"}});
        let strings = serde_json::json!({"type": "string"});
        let with = |key: &str, value: &serde_json::Value| match schema.member(key) {
            Some(member) => Edit::replace(member.value.range, value.to_string()),
            None => insert_member(tool.text, schema.value, Place::Behind(&["type", "description"]), key, value),
        };
        finding
            .fix(Fix::suggestion("name a first member", vec![with("properties", &field)]))
            .fix(Fix::suggestion("say that its values are strings", vec![with("additionalProperties", &strings)]));
    }
}

/// Whether a schema declares values of its own: it is no condition, and no branch of an object that is described.
fn declares(schemas: &Schemas, schema: &Subschema) -> bool {
    match schema.role {
        Role::Property(_) | Role::Named("$defs" | "definitions" | "patternProperties", _) => true,
        Role::Keyword("anyOf" | "oneOf") => schemas.parent(schema).is_some_and(|parent| {
            !matches!(parent.role, Role::Root) && !parent.has("properties") && declares(schemas, parent)
        }),
        Role::Keyword(keyword) => matches!(keyword, "items" | "prefixItems" | "additionalProperties"),
        Role::Root | Role::Named(..) => false,
    }
}

/// Whether it is one of several kinds of values for the same property: so is any value written.
fn is_any_value(schemas: &Schemas, schema: &Subschema) -> bool {
    let branches = |schema: &Subschema| {
        let all = ["anyOf", "oneOf"].iter().filter_map(|keyword| schema.get(keyword)).flat_map(Value::elements);
        all.filter(|branch| !Types::of(branch).is("null")).count()
    };
    let declares = |schema: &&Subschema| !matches!(schema.role, Role::Property(_) | Role::Named(..) | Role::Root);
    schemas
        .outwards(schema)
        .take_while(declares)
        .filter_map(|around| schemas.parent(around))
        .any(|parent| branches(parent) > 1)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_objects_of_which_nothing_is_said() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"type": "object"}, "y": {"type": ["object", "null"], "properties": {}}, "z": {"items": {"type": "object", "additionalProperties": true}}}}},
                                              ^^^ nothing says what is in the object `x`
                                                                       ^^^
                                                                                                                                           ^ the object `z[]`
 {"name": "b", "inputSchema": {"properties": {"x": {"type": "object", "additionalProperties": {"type": "string"}}, "y": {"type": "object", "additionalProperties": false}, "z": {"type": "object", "$ref": "#"}}}},
 {"name": "c", "inputSchema": {"properties": {"x": {"properties": {"y": {}}, "anyOf": [{"type": "object", "required": []}]}, "y": {"not": {"type": "object"}}}, "type": "object"}},
 {"name": "d", "inputSchema": {"properties": {"x": {"anyOf": [{"type": "object"}, {"type": "null"}]}, "v": {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": true}]}, "y": {"type": ["object", "string"]}, "z": {"default": {"type": "object"}}}}}]
                                                              ^ the object `x`
"##,
        );
    }

    #[test]
    fn offers_a_member_or_a_type() {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
        let fixed = |before: &str, after: &str| check_fix(&RULE, Suggestion, "tools.json", &tool(before), &tool(after));
        fixed(
            "{\r\n  \"type\": \"object\"\r\n}",
            "{\r\n  \"type\": \"object\",\r\n  \"properties\": {\"field\": {\"type\": \"string\", \"description\": \"Value of the field\"}}\r\n}",
        );
    }
}
