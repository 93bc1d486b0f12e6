//! Whether a schema is one: JSON Schema's own schemas, asked only where a quick look leaves a doubt.

use jsonschema::error::ValidationErrorKind;
use jsonschema::meta::MetaValidator;

use crate::model::schema::{TYPES, takes_schema};
use crate::syntax::{Value, ValueKind, resolve};

/// A schema that breaks its draft in more places is none in the first place.
const MAX_BREACHES: usize = 100;

/// The drafts that have a schema of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Draft {
    Draft4,
    Draft6,
    Draft7,
    Draft201909,
    Draft202012,
}

impl Draft {
    /// The draft that a schema declares; 2020-12, MCP's default, where it declares none or one that is not known.
    pub(super) fn of(schema: &Value) -> Draft {
        schema.get("$schema").and_then(Value::as_str).and_then(Draft::declared).unwrap_or(Draft::Draft202012)
    }

    /// The draft that a URI names.
    pub(super) fn declared(uri: &str) -> Option<Draft> {
        let (_, path) = uri.trim_end_matches('#').split_once("://json-schema.org/")?;
        Some(match path {
            "draft-04/schema" => Draft::Draft4,
            "draft-06/schema" => Draft::Draft6,
            "draft-07/schema" => Draft::Draft7,
            "draft/2019-09/schema" => Draft::Draft201909,
            "draft/2020-12/schema" => Draft::Draft202012,
            _ => return None,
        })
    }

    /// The name for people.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Draft::Draft4 => "draft-04",
            Draft::Draft6 => "draft-06",
            Draft::Draft7 => "draft-07",
            Draft::Draft201909 => "2019-09",
            Draft::Draft202012 => "2020-12",
        }
    }

    /// Built once by the library, and kept.
    fn validator(self) -> MetaValidator<'static> {
        match self {
            Draft::Draft4 => jsonschema::draft4::meta::validator(),
            Draft::Draft6 => jsonschema::draft6::meta::validator(),
            Draft::Draft7 => jsonschema::draft7::meta::validator(),
            Draft::Draft201909 => jsonschema::draft201909::meta::validator(),
            Draft::Draft202012 => jsonschema::draft202012::meta::validator(),
        }
    }
}

/// What a place of a schema breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breach {
    /// It is of the wrong type, or none of the values that are allowed.
    Kind,
    /// It is empty, and must not be.
    Empty,
    /// It has the same element twice.
    Repeated,
    /// It is a number that is too small.
    TooSmall,
    /// Something else.
    Other,
}

/// The places where a schema breaks its draft, in no order, each once, as JSON pointers with what is broken. What
/// could not be read breaks nothing.
pub(super) fn breaches(schema: &Value, draft: Draft, in_capitals: bool) -> Vec<(String, Breach)> {
    if draft != Draft::Draft4 && is_plain(schema, in_capitals) {
        return Vec::new();
    }
    let mut json = schema.to_json();
    if in_capitals {
        lower_types(&mut json);
    }
    let mut out: Vec<(String, Breach)> = Vec::new();
    for error in draft.validator().iter_errors(&json).take(MAX_BREACHES) {
        let breach = match error.kind() {
            // Whether a pattern or a reference is well formed is for other rules.
            ValidationErrorKind::Format { .. } | ValidationErrorKind::Pattern { .. } => continue,
            ValidationErrorKind::Type { .. } | ValidationErrorKind::Enum { .. } | ValidationErrorKind::AnyOf { .. } => {
                Breach::Kind
            }
            ValidationErrorKind::MinItems { .. } | ValidationErrorKind::MinLength { .. } => Breach::Empty,
            ValidationErrorKind::UniqueItems => Breach::Repeated,
            ValidationErrorKind::Minimum { .. } | ValidationErrorKind::ExclusiveMinimum { .. } => Breach::TooSmall,
            _ => Breach::Other,
        };
        let pointer = error.instance_path().to_string();
        let is_read = resolve(schema, &pointer).is_some_and(is_read);
        if is_read && !out.iter().any(|(known, _)| *known == pointer) {
            out.push((pointer, breach));
        }
    }
    out
}

/// Whether all of a value could be read.
fn is_read(value: &Value) -> bool {
    value.is_readable()
        && value.elements().iter().all(is_read)
        && value.members().iter().all(|member| is_read(&member.value))
}

/// Gemini's types, as every draft writes them.
fn lower_types(json: &mut serde_json::Value) {
    match json {
        serde_json::Value::Object(members) => {
            for (key, value) in members {
                match value {
                    serde_json::Value::String(text) if key == "type" && is_capital_type(text) => {
                        text.make_ascii_lowercase();
                    }
                    other => lower_types(other),
                }
            }
        }
        serde_json::Value::Array(elements) => elements.iter_mut().for_each(lower_types),
        _ => {}
    }
}

fn is_capital_type(text: &str) -> bool {
    TYPES.iter().any(|name| name.to_ascii_uppercase() == text)
}

/// Whether a schema holds only what every draft from draft-06 on takes. A `false` says nothing: the library is slow,
/// and knows.
fn is_plain(schema: &Value, in_capitals: bool) -> bool {
    match &schema.kind {
        ValueKind::Bool(_) => true,
        ValueKind::Object(members) => {
            members.iter().all(|member| is_plain_keyword(&member.key.name, &member.value, in_capitals))
        }
        _ => false,
    }
}

fn is_plain_keyword(keyword: &str, value: &Value, in_capitals: bool) -> bool {
    let is_schema = |value: &Value| is_plain(value, in_capitals);
    match keyword {
        "type" => match value.as_str() {
            Some(name) => TYPES.contains(&name) || in_capitals && is_capital_type(name),
            None => {
                let elements = value.elements();
                let is_type = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
                !elements.is_empty() && elements.iter().all(is_type) && are_different(elements)
            }
        },
        "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas" => {
            value.is_object() && value.members().iter().all(|member| is_schema(&member.value))
        }
        "anyOf" | "oneOf" | "allOf" => !value.elements().is_empty() && value.elements().iter().all(is_schema),
        _ if takes_schema(keyword) => is_schema(value),
        "required" => {
            let elements = value.elements();
            value.is_array() && elements.iter().all(|name| name.as_str().is_some()) && are_different(elements)
        }
        "enum" => {
            !value.elements().is_empty() && value.elements().iter().all(is_read) && are_different(value.elements())
        }
        "title" | "description" | "$comment" | "format" | "pattern" | "contentEncoding" | "contentMediaType" => {
            value.as_str().is_some()
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => matches!(value.kind, ValueKind::Number(_)),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            matches!(&value.kind, ValueKind::Number(number) if number.bytes().all(|byte| byte.is_ascii_digit()))
        }
        "uniqueItems" | "readOnly" | "writeOnly" | "deprecated" => value.as_bool().is_some(),
        "default" | "const" => true,
        "examples" => value.is_array(),
        "$schema" | "$ref" => value.as_str().is_some_and(|text| text.bytes().all(is_plain_in_uri)),
        // A keyword with a form of its own in some draft; anything else is nobody's.
        _ => !OTHER_KEYWORDS.contains(&keyword),
    }
}

/// Keywords that are left to the library.
const OTHER_KEYWORDS: &[&str] = &[
    "$anchor",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$recursiveAnchor",
    "$recursiveRef",
    "$vocabulary",
    "dependencies",
    "dependentRequired",
    "id",
    "maxContains",
    "minContains",
    "multipleOf",
    "prefixItems",
];

fn is_plain_in_uri(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"#/:.-_$~".contains(&byte)
}

/// Whether all are strings and no two of them equal, as far as a short list is worth looking.
fn are_different(elements: &[Value]) -> bool {
    const SHORT: usize = 64;
    elements.len() <= SHORT
        && elements.iter().enumerate().all(|(index, element)| {
            element.as_str().is_some_and(|text| elements[..index].iter().all(|other| other.as_str() != Some(text)))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::read;
    use proptest::prelude::*;

    #[test]
    fn a_schema_declares_its_draft() {
        let draft = |text: &str| Draft::of(&read(&format!(r#"{{"$schema": "{text}"}}"#)).value);
        assert_eq!(draft("http://json-schema.org/draft-07/schema#"), Draft::Draft7);
        assert_eq!(draft("https://json-schema.org/draft/2019-09/schema"), Draft::Draft201909);
        assert_eq!(draft("http://json-schema.org/draft-04/schema"), Draft::Draft4);
        assert_eq!(draft("https://example.org/my-dialect"), Draft::Draft202012);
    }

    const KEYWORDS: &[&str] = &[
        "type",
        "properties",
        "anyOf",
        "items",
        "required",
        "enum",
        "title",
        "minimum",
        "exclusiveMinimum",
        "minLength",
        "uniqueItems",
        "default",
        "examples",
        "$ref",
        "additionalProperties",
        "not",
        "prefixItems",
        "multipleOf",
        "x",
        "const",
        "definitions",
        "if",
        "dependencies",
        "contains",
        "deprecated",
    ];

    fn schema() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("\"string\"".to_owned()),
            Just("\"strng\"".to_owned()),
            Just("true".to_owned()),
            Just("1".to_owned()),
            Just("-1.5".to_owned()),
            Just("null".to_owned()),
            Just("[\"null\", \"a\"]".to_owned()),
            Just("[\"null\", \"array\"]".to_owned()),
            Just("[\"a\", \"a\"]".to_owned()),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let member =
                (0..KEYWORDS.len(), inner.clone()).prop_map(|(at, value)| format!("\"{}\": {value}", KEYWORDS[at]));
            prop_oneof![
                prop::collection::vec(member, 0..4).prop_map(|members| format!("{{{}}}", members.join(", "))),
                prop::collection::vec(inner, 0..3).prop_map(|elements| format!("[{}]", elements.join(", "))),
            ]
        })
    }

    proptest! {
        #![proptest_config(crate::analysis::testing::cases(2000))]

        #[test]
        fn what_is_plain_is_valid_in_every_draft(text in schema()) {
            let value = read(&text).value;
            if is_plain(&value, false) {
                let json = value.to_json();
                for draft in [Draft::Draft6, Draft::Draft7, Draft::Draft201909, Draft::Draft202012] {
                    prop_assert!(draft.validator().is_valid(&json), "{} {text}", draft.name());
                }
            }
        }
    }
}
