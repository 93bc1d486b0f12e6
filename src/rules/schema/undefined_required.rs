use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::{Role, followed, walk};
use crate::rules::{Context, Sink};
use crate::syntax::{Value, element_with_comma};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds names in `required` that no property has. In a branch (`anyOf`, `then`) the properties around it count, and
    /// around a branch those in it.
    ///
    /// ## Why
    /// The model cannot know what to give for a parameter that is not described, and a call without it is refused.
    /// Gemini refuses the whole list.
    ///
    /// ## Bad
    /// ```json
    /// {"name": "merge_notes", "description": "Merge two notes and return the merged text.", "inputSchema": {"type": "object", "properties": {"first": {"type": "string", "description": "First note"}}, "required": ["first", "second"]}}
    /// ```
    ///
    /// ## Good
    /// ```json
    /// {"name": "merge_notes", "description": "Merge two notes and return the merged text.", "inputSchema": {"type": "object", "properties": {"first": {"type": "string", "description": "First note"}, "second": {"type": "string", "description": "Second note"}}, "required": ["first", "second"]}}
    /// ```
    ///
    /// ## Fix
    /// Safe: removes the name from `required`.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.5.3; the answers of Gemini's API to such tools.
    "undefined-required", Schema, Tool(check), Error;
    fix: Safe;
    help: "define the property, or take its name out of `required`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(root) = tool.schema() else { return };
    // The schemas around the one at hand, from the outside in, and that one.
    let mut around: Vec<Level> = Vec::new();
    walk(root, &mut |schema, role| {
        while around.last().is_some_and(|outer| !outer.schema.range.contains(schema.range)) {
            around.pop();
        }
        let is_branch = matches!(role, Role::Keyword(keyword) if BRANCHES.contains(&keyword));
        around.push(Level { schema, is_branch, names: OnceCell::new() });
        let Some(required) = schema.get("required") else { return };
        if !followed(schema, root).get("properties").is_some_and(Value::is_object) {
            return;
        }
        let same_object = &around[around.iter().rposition(|level| !level.is_branch).unwrap_or_default()..];
        if same_object.iter().any(|level| level.names(root).is_open) {
            return;
        }
        for (index, name) in required.elements().iter().enumerate() {
            let Some(text) = name.as_str() else { continue };
            if !same_object.iter().any(|level| level.names(root).defined.contains(text)) {
                let edit = Edit::remove(element_with_comma(required, index));
                out.add(name.range, format!("`{}` is required, but no property has this name", shown(text)))
                    .fix(Fix::safe(format!("remove `{}` from `required`", shown(text)), vec![edit]));
            }
        }
    });
}

/// Keywords whose schemas speak of the same object as the schema that has them.
const BRANCHES: &[&str] = &["anyOf", "oneOf", "allOf", "if", "then", "else", "not", "dependentSchemas"];
/// Keywords that may define properties that are not looked for.
const OPEN: &[&str] = &["patternProperties", "allOf", "$ref", "dependentSchemas"];

/// A schema on the way to the one at hand.
struct Level<'v> {
    schema: &'v Value,
    /// It speaks of the same object as the one before.
    is_branch: bool,
    names: OnceCell<Names<'v>>,
}

/// The properties that a schema and its branches define.
struct Names<'v> {
    defined: FxHashSet<&'v str>,
    /// There may be others.
    is_open: bool,
}

impl<'v> Level<'v> {
    fn names(&self, root: &'v Value) -> &Names<'v> {
        self.names.get_or_init(|| {
            let schema = followed(self.schema, root);
            let branches = ["anyOf", "oneOf", "then", "else"].into_iter().filter_map(|keyword| schema.get(keyword));
            let branches = branches.flat_map(|value| std::iter::once(value).chain(value.elements()));
            let schemas = std::iter::once(schema).chain(branches.map(|branch| followed(branch, root)));
            let members = schemas.filter_map(|schema| schema.get("properties")).flat_map(Value::members);
            Names {
                defined: members.map(|member| &*member.key.name).collect(),
                is_open: schema.members().iter().any(|member| OPEN.contains(&&*member.key.name)),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn marks_the_name() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {}}, "required": ["x", "y", 1, "z"]}},
                                                                          ^^^     ^^^ is required, but no property has this name
 {"name": "b", "inputSchema": {"$ref": "#/$defs/b", "$defs": {"b": {"properties": {}, "required": ["x"]}}}},
                                                                                                   ^^^ `x`
 {"name": "c", "inputSchema": {"patternProperties": {"^x": {}}, "properties": {}, "required": ["xa"]}}]
"##,
        );
    }

    #[test]
    fn a_branch_speaks_of_the_same_object() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"k": {}, "a": {}}, "anyOf": [{"properties": {"k": {"const": 1}}, "required": ["k", "a", "b"]}]}},
                                                                                                                                      ^^^ `b`
 {"name": "b", "inputSchema": {"properties": {"k": {}}, "required": ["a", "b"], "oneOf": [{"properties": {"a": {}}}, {"required": ["k"]}]}},
                                                                          ^^^ `b`
 {"name": "c", "inputSchema": {"properties": {"b": {}}, "if": {"properties": {"k": {}}}, "then": {"properties": {"k": {}}, "required": ["b"]}}},
 {"name": "d", "inputSchema": {"properties": {"a": {"properties": {"x": {}}, "required": ["a"]}}}}]
                                                                                          ^^^ `a`
"##,
        );
    }

    #[test]
    fn removing_keeps_the_commas_right() {
        let tool = |required: &str| {
            format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{}}}}, "required": {required}}}}}]"#)
        };
        let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
        fixed(r#"["y", "x"]"#, r#"["x"]"#);
        fixed(r#"["x", "y"]"#, r#"["x"]"#);
        fixed(r#"["y"]"#, "[]");
    }
}
