use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::{Role, followed, walk};
use crate::rules::{Context, Sink};
use crate::syntax::{Value, without_element};
use crate::text::{Edit, nearest, shown};

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
    /// Safe: removes the name from `required`. Unsafe, where a property has nearly this name: requires that one, or removes
    /// the name.
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
                let is_listed = |name: &str| required.elements().iter().any(|other| other.as_str() == Some(name));
                let defined = same_object.iter().flat_map(|level| &level.names(root).defined).copied();
                let meant = nearest(text, sorted(defined.filter(|name| !is_listed(name))));
                let removal = without_element(tool.text, required, index);
                let remove = format!("remove `{}` from `required`", shown(text));
                let message = format!("`{}` is required, but no property has this name", shown(text));
                match meant {
                    None => out.add(name.range, message).fix(Fix::safe(remove, removal)),
                    Some(meant) => {
                        let edit = Edit::replace(name.range, serde_json::Value::from(meant).to_string());
                        out.add(name.range, format!("{message}: did you mean `{}`?", shown(meant)))
                            .fix(Fix::unsafe_(format!("require `{}` instead", shown(meant)), vec![edit]))
                            .fix(Fix::unsafe_(remove, removal))
                    }
                };
            }
        }
    });
}

/// The names in an order that does not change from run to run.
fn sorted<'v>(names: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
    let mut names = Vec::from_iter(names);
    names.sort_unstable();
    names
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
mod tests;
