use std::cell::LazyCell;

use rustc_hash::FxHashSet;

use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::Role;
use crate::rules::{Context, Sink};
use crate::syntax::{Place, Value, insert_member};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds texts whose description lists all their values, as in "one of asc, desc" or "'asc' or 'desc'", while the
    /// schema takes anything.
    ///
    /// ## Why
    /// With an `enum` a model cannot write another value, clients can offer the values, and a slip is found before the
    /// server sees it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "sort_notes", "description": "Sort the notes of a folder and return their names.", "inputSchema": {"type": "object", "properties": {"order": {"type": "string", "description": "The order, one of asc, desc"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "sort_notes", "description": "Sort the notes of a folder and return their names.", "inputSchema": {"type": "object", "properties": {"order": {"type": "string", "description": "The order, one of asc, desc", "enum": ["asc", "desc"]}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion: the values as an `enum`.
    ///
    /// ## Sources
    /// The providers' guides to tool use: make invalid arguments impossible to write.
    "undeclared-enum", Schema, Tool(check), Hint;
    fix: Suggestion;
    help: "list the values under `enum`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let names = LazyCell::new(|| {
        let names = tool.schemas().iter().filter_map(|schema| match schema.role {
            Role::Property(property) => Some(&*property.key.name),
            _ => None,
        });
        FxHashSet::from_iter(names)
    });
    for schema in tool.schemas() {
        let (Role::Property(property), Some(description)) = (schema.role, schema.get("description")) else { continue };
        let narrowed = ["enum", "const", "pattern", "format", "anyOf", "oneOf", "allOf", "$ref"];
        let is_text = schema.get("type").and_then(Value::as_str) == Some("string");
        if !is_text || narrowed.iter().any(|keyword| schema.has(keyword)) {
            continue;
        }
        let Some(values) = description.as_str().and_then(values::listed) else { continue };
        let default = schema.get("default").filter(|value| !value.is_null());
        let is_among = |default: &Value| default.as_str().is_some_and(|text| values.contains(&text));
        // "One of `path` and `url`" speaks of parameters, and so does "(`sha` or `refs.sha`)" at `sha`.
        let speaks_of_itself = values.contains(&&*property.key.name);
        if speaks_of_itself || values.iter().all(|value| names.contains(value)) || !default.is_none_or(is_among) {
            continue;
        }
        let place = Place::Behind(&["type", "description"]);
        let edit = insert_member(tool.text, schema.value, place, "enum", &values.as_slice().into());
        let name = shown(&property.key.name);
        out.add(description.range, format!("the description of `{name}` lists its values, and the schema does not"))
            .fix(Fix::suggestion(format!("take only these {} values", values.len()), vec![edit]));
    }
}

mod values;

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_description() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"x": {"type": "string", "description": "One of asc, desc"}, "y": {"type": "string", "description": "'a' or 'b'", "default": "c"},
                                                                                     ^^^^^^^^^^^^^^^^^^ of `x` lists its values
  "z": {"type": "string", "description": "One of `x`, `y`."}, "v": {"type": "string", "enum": ["a"], "description": "One of asc, desc"}, "description": {"type": "string", "description": 1}}}}]
"#,
        );
    }

    #[test]
    fn writes_the_enum() {
        let tool = |more: &str| {
            let schema = format!(r#"{{"type": "string", "description": "\"a\" or \"b\""{more}}}"#);
            format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#)
        };
        check_fix(&RULE, Suggestion, "tools.json", &tool(""), &tool(r#", "enum": ["a", "b"]"#));
    }
}
