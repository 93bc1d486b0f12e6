use rustc_hash::FxHashSet;

use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::has_type;
use crate::rules::{Context, Sink};
use crate::syntax::{Place, insert_member};

rule! {
    /// ## What it does
    /// Finds input schemas with parameters and without a `required` list.
    ///
    /// ## Why
    /// Every parameter may then be left out, and a model leaves out what it can. If the server cannot do without one,
    /// the call fails; if it can, an empty list says so.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "read_note", "description": "Read one note and return its text.", "inputSchema": {"type": "object", "properties": {"path": {"type": "string", "description": "Path of the note"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "read_note", "description": "Read one note and return its text.", "inputSchema": {"type": "object", "properties": {"path": {"type": "string", "description": "Path of the note"}}, "required": ["path"]}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion: requires every parameter that has no default.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.5.3.
    "missing-required-list", Schema, Tool(check), Information;
    recommended: false;
    fix: Suggestion;
    help: "list the parameters that a call cannot do without under `required`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(schema) = tool.schema() else { return };
    let Some(properties) = schema.member("properties").filter(|member| !member.value.members().is_empty()) else {
        return;
    };
    // A branch may hold the list.
    if ["required", "$ref", "allOf", "anyOf", "oneOf", "if"].iter().any(|keyword| schema.get(keyword).is_some()) {
        return;
    }
    let needed = properties.value.members().iter().filter(|parameter| {
        let is_nullable = has_type(&parameter.value, "null");
        parameter.value.get("default").is_none() && !is_nullable
    });
    let mut known = FxHashSet::default();
    let names: Vec<&str> = needed.map(|parameter| &*parameter.key.name).filter(|name| known.insert(*name)).collect();
    let edit = insert_member(tool.text, schema, Place::Behind(&["properties"]), "required", &serde_json::json!(names));
    let title = match names.as_slice() {
        [] => "say that none is required",
        _ => "require the parameters without a default",
    };
    out.add(properties.key.range, format!("{} does not say which parameters are required", tool.quoted()))
        .fix(Fix::suggestion(title, vec![edit]));
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_properties() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"x": {"properties": {"y": {}}}}}}, {"name": "b", "inputSchema": {"properties": {}}},
                               ^^^^^^^^^^^^ `a` does not say which
 {"name": "c", "inputSchema": {"properties": {"x": {}}, "required": []}}, {"name": "d", "inputSchema": {"properties": {"x": {}}, "anyOf": [{"required": ["x"]}]}}]
"#,
        );
    }

    #[test]
    fn what_has_a_default_is_not_required() {
        let tool = |rest: &str| {
            format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{}}, "y": {{"default": 1}}}}{rest}}}}}]"#)
        };
        check_fix(&RULE, Suggestion, "tools.json", &tool(""), &tool(r#", "required": ["x"]"#));
    }
}
