//! What a schema says of the members of an object.

use crate::syntax::{Member, Value};

/// What a schema says of the members of its objects.
#[derive(Clone, Copy, Debug)]
pub(super) enum Members<'v> {
    /// Which there may be, or that there are none.
    Some,
    /// Nothing.
    Unsaid,
    /// With this `additionalProperties`, that there may be any, whatever is in them.
    Any(&'v Member),
    /// With this `additionalProperties`, that there may be any, and what is in them.
    Typed(&'v Member),
}

/// Keywords that speak of members, be it by way of another schema.
const SPEAKING: &[&str] = &[
    "$dynamicRef",
    "$recursiveRef",
    "$ref",
    "allOf",
    "anyOf",
    "const",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "enum",
    "if",
    "maxProperties",
    "not",
    "oneOf",
    "patternProperties",
    "then",
    "unevaluatedProperties",
];

impl<'v> Members<'v> {
    /// What a schema, which is that of an object, says of members.
    pub(super) fn of(schema: &'v Value) -> Members<'v> {
        let has = |key| schema.get(key).is_some_and(|value: &Value| !is_empty(value));
        // What a generator writes of every map.
        let is_any_name = |names: &Value| names.members().iter().all(|member| &*member.key.name == "type");
        if schema.members().iter().any(|member| SPEAKING.contains(&&*member.key.name))
            || has("properties")
            || has("required")
            || !schema.get("propertyNames").is_none_or(is_any_name)
        {
            return Members::Some;
        }
        match schema.member("additionalProperties") {
            None => Members::Unsaid,
            Some(member) if member.value.as_bool() == Some(true) => Members::Any(member),
            Some(member) if member.value.is_object() && is_empty(&member.value) => Members::Any(member),
            Some(member) if member.value.is_object() => Members::Typed(member),
            Some(_) => Members::Some,
        }
    }
}

/// Whether a value is an object or array with nothing in it.
fn is_empty(value: &Value) -> bool {
    (value.is_object() || value.is_array()) && value.members().is_empty() && value.elements().is_empty()
}
