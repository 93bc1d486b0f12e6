//! What a schema breaks in JSON Schema's own schemas, in words.

use super::meta::Breach;
use crate::model::schema::{TYPES, Types, takes_named_schemas, takes_schema};
use crate::syntax::{Value, ValueKind, resolve};
use crate::text::{nearest, shown};

/// The keyword that a pointer ends with; `None` where it ends with the name of a property or the like, or an index.
pub(super) fn keyword<'p>(schema: &Value, pointer: &'p str) -> Option<&'p str> {
    let (parent, last) = pointer.rsplit_once('/')?;
    let (_, container) = parent.rsplit_once('/').unwrap_or_default();
    let has_names = takes_named_schemas(container) || container == "dependentRequired";
    let is_name = has_names && keyword(schema, parent).is_some();
    let is_index = resolve(schema, parent).is_some_and(Value::is_array);
    (!is_name && !is_index).then_some(last)
}

/// What is wrong at a place, in a person's words.
pub(super) fn message(schema: &Value, pointer: &str, value: &Value, breach: Breach) -> String {
    let (parent, last) = pointer.rsplit_once('/').unwrap_or_default();
    let Some(keyword) = keyword(schema, pointer) else {
        // A named schema, or the element of a list.
        let list = self::keyword(schema, parent);
        let last = last.replace("~1", "/").replace("~0", "~");
        return match list {
            Some("type") => unknown_type(value),
            Some("required") => format!("`required` lists names, and this is {}", value.kind_name()),
            Some("dependentRequired") => {
                format!("`dependentRequired` holds lists of names, and this is {}", value.kind_name())
            }
            Some("properties") if last == "$ref" && value.as_str().is_some() => {
                "a `$ref` cannot stand here: the keys of `properties` are names of parameters".to_owned()
            }
            Some("properties") if last == "required" && takes("required", value) => {
                "`required` stands inside `properties`, and belongs beside it".to_owned()
            }
            Some("properties") => {
                format!("the schema of `{}` has to be an object, not {}", shown(&last), value.kind_name())
            }
            Some(list) => format!("`{}` has to hold schemas, and this is {}", shown(list), value.kind_name()),
            None => format!("this has to be a schema, not {}", value.kind_name()),
        };
    };
    match breach {
        Breach::Empty => format!("`{keyword}` must not be empty"),
        Breach::Repeated => format!("`{keyword}` has the same element twice"),
        Breach::TooSmall if keyword == "multipleOf" => "`multipleOf` has to be more than 0".to_owned(),
        Breach::TooSmall => format!("`{keyword}` must not be negative"),
        Breach::Kind if keyword == "type" => unknown_type(value),
        Breach::Kind | Breach::Other => match expected(keyword) {
            Some(expected) if describes(value, expected) => format!("this `{keyword}` is not valid"),
            Some(expected) => format!("`{keyword}` has to be {expected}, not {}", value.kind_name()),
            None => format!("`{}` must not be {} here", shown(keyword), value.kind_name()),
        },
    }
}

fn unknown_type(value: &Value) -> String {
    match value.as_str() {
        None if value.is_array() => match culprit(value) {
            Some(Culprit::Twice(element)) => {
                format!("`{}` stands twice in this list of types", shown(element.as_str().unwrap_or_default()))
            }
            Some(Culprit::NoType(element)) => unknown_type(element),
            None if value.elements().is_empty() => "a list of types must not be empty".to_owned(),
            None => "this list of types is not valid".to_owned(),
        },
        None => format!("a `type` has to be the name of one, not {}", value.kind_name()),
        Some(name) => {
            let meant = meant_type(name).map_or(String::new(), |meant| format!(": did you mean `{meant}`?"));
            format!("`{}` is no type of JSON Schema{meant}", shown(name))
        }
    }
}

/// What makes a list of types none.
#[derive(Clone, Copy, Debug)]
pub(super) enum Culprit<'v> {
    /// This element names no type.
    NoType(&'v Value),
    /// This element stands before.
    Twice(&'v Value),
}

/// The first element of a list of types for which it is none.
pub(super) fn culprit(list: &Value) -> Option<Culprit<'_>> {
    list.elements().iter().enumerate().find_map(|(index, element)| {
        let is_type = |name: &str| TYPES.contains(&name);
        if !element.as_str().is_some_and(is_type) {
            return Some(Culprit::NoType(element));
        }
        let is_same = |other: &Value| other.as_str() == element.as_str();
        list.elements()[..index].iter().any(is_same).then_some(Culprit::Twice(element))
    })
}

/// The type that is plainly meant by a word of some programming language, or by a slip.
pub(super) fn meant_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "int" | "long" => "integer",
        "float" | "double" | "decimal" => "number",
        "str" | "text" | "date" => "string",
        "bool" => "boolean",
        "list" | "tuple" => "array",
        "dict" | "map" | "json" => "object",
        _ => return nearest(name, TYPES),
    })
}

/// What the value of a keyword has to be.
fn expected(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "a number",
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => "a whole number",
        "title" | "description" | "$comment" | "format" | "pattern" | "$ref" | "$id" | "$schema" | "$anchor"
        | "contentEncoding" | "contentMediaType" => "a string",
        "uniqueItems" | "readOnly" | "writeOnly" | "deprecated" => "a boolean",
        "required" => "an array of names",
        "enum" | "examples" => "an array",
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => "an array of schemas",
        "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas" => "an object of schemas",
        _ if takes_schema(keyword) => "a schema",
        _ => return None,
    })
}

/// Whether a value is of the kind that a keyword takes, as far as that is known.
pub(super) fn takes(keyword: &str, value: &Value) -> bool {
    let is_schema = |value: &Value| value.is_object() || value.as_bool().is_some();
    match expected(keyword) {
        Some("a whole number") => matches!(value.kind, ValueKind::Number(_)),
        Some("a schema") => is_schema(value),
        Some("an array of names") => value.is_array() && value.elements().iter().all(|name| name.as_str().is_some()),
        Some("an array of schemas") => value.is_array() && value.elements().iter().all(is_schema),
        Some("an object of schemas") => {
            value.is_object() && value.members().iter().all(|member| is_schema(&member.value))
        }
        Some(expected) => expected.starts_with(value.kind_name()),
        None if keyword == "type" => !Types::of_value(value).is_empty(),
        None => value.is_readable(),
    }
}

/// Whether a value is what it has to be, so that something else must be wrong with it.
fn describes(value: &Value, expected: &str) -> bool {
    expected == value.kind_name() || expected.starts_with(value.kind_name()) && !expected.ends_with("number")
}
