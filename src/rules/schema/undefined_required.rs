use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::meta::Draft;
use super::strays::lacks_properties;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::{Role, Schemas};
use crate::provider::Feature;
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
    /// Some providers refuse the whole list.
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
    /// Safe: removes the name from `required`; unsafe where there are no `properties` at all. Unsafe, where a property has nearly this name: requires that one, or removes
    /// the name. Unsafe, too, where `additionalProperties` speaks of other properties, and in draft-04, where the list
    /// may not be empty.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.5.3; the answers of Gemini's API to such tools.
    "undefined-required", Schema, Tool(check), Error;
    fix: Safe;
    help: "define the property, or take its name out of `required`";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let verdicts = cx.verdicts(Feature::UndefinedRequired);
    let schemas = tool.schemas();
    // In this draft a list without names is not valid.
    let needs_names = tool.schema().is_some_and(|schema| Draft::of(schema) == Draft::Draft4);
    // Asked again and again of a schema with many branches.
    let mut known: FxHashMap<*const Value, Names> = FxHashMap::default();
    for schema in schemas {
        let Some(required) = schema.get("required") else { continue };
        let has_properties = schemas.followed(schema.value).get("properties").is_some_and(Value::is_object);
        if !has_properties && !lacks_properties(schema) {
            continue;
        }
        let mut same_object: Vec<*const Value> = Vec::new();
        for around in schemas.outwards(schema) {
            let place = std::ptr::from_ref(around.value);
            known.entry(place).or_insert_with(|| Names::of(around.value, schemas));
            same_object.push(place);
            if !matches!(around.role, Role::Keyword(keyword) | Role::Named(keyword, _) if BRANCHES.contains(&keyword)) {
                break;
            }
        }
        let same_object: Vec<&Names> = same_object.iter().map(|place| &known[place]).collect();
        if same_object.iter().any(|names| names.is_open) {
            continue;
        }
        // Where other members are spoken of, one of them may have this name.
        let has_others = schema.get("additionalProperties").is_some_and(|value| value.as_bool() != Some(false));
        let fix = if needs_names || has_others || !has_properties { Fix::unsafe_ } else { Fix::safe };
        let listed: FxHashSet<&str> = required.elements().iter().filter_map(Value::as_str).collect();
        // What a name may be a slip of.
        let free: OnceCell<Vec<&str>> = OnceCell::new();
        for (index, name) in required.elements().iter().enumerate() {
            let Some(text) = name.as_str() else { continue };
            if !same_object.iter().any(|names| names.defined.contains(text)) {
                let free = free.get_or_init(|| {
                    let defined = same_object.iter().flat_map(|names| &names.defined).copied();
                    sorted(defined.filter(|name| !listed.contains(name)))
                });
                let is_few = free.len() * listed.len() <= MAX_PAIRS;
                let meant = nearest(text, free.iter().copied().filter(|_| is_few));
                let removal = without_element(tool.text, required, index);
                let remove = format!("remove `{}` from `required`", shown(text));
                let mut message = format!("`{}` is required, but no property has this name", shown(text));
                if let Some(meant) = meant {
                    message.push_str(&format!(": did you mean `{}`?", shown(meant)));
                }
                let finding = out.add(name.range, message);
                // Nobody can know what to give, whoever reads it.
                if let Some(verdicts) = &verdicts {
                    finding.note(verdicts.note());
                }
                match meant {
                    None => finding.fix(fix(remove, removal)),
                    Some(meant) => {
                        let edit = Edit::replace(name.range, serde_json::Value::from(meant).to_string());
                        finding
                            .fix(Fix::unsafe_(format!("require `{}` instead", shown(meant)), vec![edit]))
                            .fix(Fix::unsafe_(remove, removal))
                    }
                };
            }
        }
    }
}

/// Names times properties that are compared in search of slips.
const MAX_PAIRS: usize = 100_000;

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

/// The properties that a schema and its branches define.
struct Names<'v> {
    defined: FxHashSet<&'v str>,
    /// There may be others.
    is_open: bool,
}

impl<'v> Names<'v> {
    fn of(schema: &'v Value, schemas: &Schemas<'v>) -> Names<'v> {
        let schema = schemas.followed(schema);
        let branches = ["anyOf", "oneOf", "then", "else"].into_iter().filter_map(|keyword| schema.get(keyword));
        let branches = branches.flat_map(|value| std::iter::once(value).chain(value.elements()));
        let all = std::iter::once(schema).chain(branches.map(|branch| schemas.followed(branch)));
        let members = all.filter_map(|schema| schema.get("properties")).flat_map(Value::members);
        Names {
            defined: members.map(|member| &*member.key.name).collect(),
            is_open: schema.members().iter().any(|member| OPEN.contains(&&*member.key.name)),
        }
    }
}

#[cfg(test)]
mod tests;
