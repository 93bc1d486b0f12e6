//! The keywords of schemas, and the types whose values they speak of.

use crate::model::schema::{Subschema, Types};
use crate::syntax::Value;

/// Keywords that say something of the values of one type, and nothing of all others. `number` has `integer` in it.
/// Source: JSON Schema 2020-12 validation 6, core 10 and 11; draft-07 for `additionalItems` and `dependencies`.
const TYPED: &[(&str, &[&str])] = &[
    ("string", &["minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType", "contentSchema"]),
    ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    (
        "array",
        &[
            "items",
            "prefixItems",
            "additionalItems",
            "unevaluatedItems",
            "contains",
            "minContains",
            "maxContains",
            "minItems",
            "maxItems",
            "uniqueItems",
        ],
    ),
    (
        "object",
        &[
            "properties",
            "patternProperties",
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
            "required",
            "minProperties",
            "maxProperties",
            "dependencies",
            "dependentRequired",
            "dependentSchemas",
        ],
    ),
];

/// Keywords that speak of values of every type, or of none.
const UNTYPED: &[&str] = &[
    "type",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "$ref",
    "$defs",
    "definitions",
    "title",
    "default",
    "examples",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// The type that a keyword speaks of; `None` where it speaks of all.
pub(super) fn type_of(keyword: &str) -> Option<&'static str> {
    TYPED.iter().find(|(_, keywords)| keywords.contains(&keyword)).map(|(name, _)| *name)
}

/// Whether a keyword says something of values of these types.
pub(super) fn speaks_of(keyword: &str, types: Types) -> bool {
    type_of(keyword).is_none_or(|name| types.contains(name) || name == "number" && types.contains("integer"))
}

/// Every keyword that a person writes by hand.
pub(super) fn all() -> impl Iterator<Item = &'static str> + Clone {
    TYPED.iter().flat_map(|(_, keywords)| *keywords).chain(UNTYPED).copied()
}

/// The types that a schema allows; `None` where it does not say, or names one that does not exist.
pub(super) fn types(schema: &Subschema) -> Option<Types> {
    let value = schema.get("type")?;
    let is_known = |name: Option<&str>| name.is_some_and(|name| !Types::named(name).is_empty());
    let are_known = match value.is_array() {
        true => value.elements().iter().all(|element| is_known(element.as_str())),
        false => is_known(value.as_str()),
    };
    (are_known && !schema.types.is_empty()).then_some(schema.types)
}

/// The name of a type, in Gemini's capitals where the type that is there already is.
pub(super) fn spelled(name: &str, there: Option<&Value>) -> String {
    let is_capital =
        there.and_then(Value::as_str).is_some_and(|there| there.starts_with(|first: char| first.is_ascii_uppercase()));
    if is_capital { name.to_ascii_uppercase() } else { name.to_owned() }
}

/// Types with their articles, for messages.
pub(super) fn with_article(types: Types) -> String {
    let names: Vec<String> = types
        .names()
        .map(|name| {
            let article = if name.starts_with(['a', 'i', 'o']) { "an " } else { "a " };
            format!("{}{name}", if name == "null" { "" } else { article })
        })
        .collect();
    names.join(" or ")
}
