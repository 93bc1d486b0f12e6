use super::breach::takes;
use super::keywords::{all, speaks_of};
use crate::diagnostic::{Applicability, Fix};
use crate::model::Tool;
use crate::model::schema::{Role, Schemas, Types, schemas_under};
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Value};
use crate::text::{nearest, shown};

rule! {
    /// ## What it does
    /// Finds keys of a schema that are nearly a keyword, with a value that the keyword takes: a slip, other capitals,
    /// another way to join the words, or `min`, `max` and `regex`. All other keys that JSON Schema does not know are left alone.
    ///
    /// ## Why
    /// JSON Schema ignores what it does not know, without a word. The check that was wanted is not made, and with
    /// `propeties` the tool has no parameters.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_orders", "description": "List the latest orders with their totals.", "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer", "minimun": 1, "description": "How many"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_orders", "description": "List the latest orders with their totals.", "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer", "minimum": 1, "x-unit": "orders", "description": "How many"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe where one letter is wrong, or only capitals and joints: renames the key. Unsafe where two are.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 core 6.5: unknown keywords are annotations.
    "unknown-schema-keyword", Schema, Tool(check), Warning;
    fix: Safe;
    help: "write the keyword as JSON Schema has it";
    since: "0.1.0";
}

/// Keys that OpenAPI, editors and generators of forms and schemas add.
const OTHERS: &[&str] = &[
    "description",
    "discriminator",
    "enumDescriptions",
    "enumNames",
    "errorMessage",
    "example",
    "formatMaximum",
    "formatMinimum",
    "id",
    "markdownDescription",
    "nullable",
    "optional",
    "propertyOrdering",
];

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    check_inside(tool.schemas(), true, out);
}

/// What a misspelt keyword holds is looked at as if it were spelt right: nobody wants to mend one slip to be told of
/// the next. `is_input` says whether the outermost schema is that of the tool's input, an object by MCP.
fn check_inside(schemas: &Schemas, is_input: bool, out: &mut Sink) {
    for schema in schemas {
        let types = match schema.role {
            Role::Root if is_input => Types::named("object"),
            _ => schema.types,
        };
        let mut taken: Vec<&str> = Vec::new();
        for member in schema.value.members() {
            let key = &*member.key.name;
            // Of two slips for one keyword, one at most can be it.
            let Some(meant) = meant(schema.value, types, member).filter(|meant| !taken.contains(meant)) else {
                continue;
            };
            taken.push(meant);
            let mut fix = Fix::rename_key(member.key.range, meant);
            if !is_one_slip(key, meant) {
                fix.applicability = Applicability::Unsafe;
            }
            let written = shown(key);
            out.add(member.key.range, format!("`{written}` is no keyword of a schema: did you mean `{meant}`?"))
                .note("JSON Schema ignores keys that it does not know")
                .fix(fix);
            for hidden in schemas_under(meant, &member.value) {
                check_inside(&Schemas::of(hidden), false, out);
            }
        }
    }
}

/// Whether a key is one that JSON Schema or somebody near it gives a meaning.
pub(super) fn is_known(key: &str) -> bool {
    all().any(|keyword| keyword == key) || OTHERS.contains(&key) || key.starts_with("x-")
}

/// Whether a schema lacks a keyword and has a slip of the pen for it, which this rule tells of.
pub(super) fn is_misspelt(schema: &Value, keyword: &str) -> bool {
    schema.get(keyword).is_none()
        && schema.members().iter().any(|member| meant(schema, Types::of(schema), member) == Some(keyword))
}

/// The keyword that is meant, where the schema lacks it and it would say something here.
fn meant(schema: &Value, types: Types, member: &Member) -> Option<&'static str> {
    let key = &*member.key.name;
    if is_known(key) {
        return None;
    }
    let same_letters = || all().find(|keyword| letters(keyword).eq(letters(key)));
    let meant = same_letters().or_else(|| short_for(key, types)).or_else(|| nearest(key, all()))?;
    let is_wanted = types.is_empty() || speaks_of(meant, types);
    let is_reference = meant != "$ref" || member.value.as_str().is_some_and(|text| text.starts_with('#'));
    (is_wanted && is_reference && schema.get(meant).is_none() && takes(meant, &member.value)).then_some(meant)
}

/// The keyword that other tools have a shorter word for.
fn short_for(key: &str, types: Types) -> Option<&'static str> {
    let of_type = |keywords: [&'static str; 3]| {
        let mut fitting = keywords.into_iter().filter(|keyword| !types.is_empty() && speaks_of(keyword, types));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    match key {
        "min" => of_type(["minimum", "minLength", "minItems"]),
        "max" => of_type(["maximum", "maxLength", "maxItems"]),
        "regex" | "regexp" => Some("pattern"),
        _ => None,
    }
}

/// The letters of a key in lower case: `min_length` and `minLength` have the same.
fn letters(key: &str) -> impl Iterator<Item = char> {
    key.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase)
}

fn is_one_slip(key: &str, meant: &str) -> bool {
    strsim::damerau_levenshtein(key, meant) <= 1 || letters(key).eq(letters(meant))
}

#[cfg(test)]
mod tests;
