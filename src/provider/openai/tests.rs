use super::*;
use crate::syntax::{Key, Member};
use crate::text::TextRange;
use expect_test::{Expect, expect};
use serde_json::{Value as Json, json};

fn value(kind: ValueKind) -> Value {
    Value { range: TextRange::default(), kind }
}

fn object(members: impl IntoIterator<Item = (impl AsRef<str>, Value)>) -> Value {
    let member = |(name, value): (_, Value)| Member { key: key(AsRef::as_ref(&name)), value };
    value(ValueKind::Object(members.into_iter().map(member).collect()))
}

fn key(name: &str) -> Key {
    Key { name: name.into(), range: TextRange::default() }
}

fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => value(ValueKind::Null),
        Json::Bool(truth) => value(ValueKind::Bool(*truth)),
        Json::Number(number) => value(ValueKind::Number(number.to_string().into())),
        Json::String(text) => value(ValueKind::String(text.as_str().into())),
        Json::Array(elements) => value(ValueKind::Array(elements.iter().map(from_json).collect())),
        Json::Object(members) => object(members.iter().map(|(name, value)| (name, from_json(value)))),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "so that calls read as data")]
fn check(name: &str, description: &str, parameters: Json, expected: Expect) {
    expected.assert_eq(&tool_text(name, Some(description), Some(&from_json(&parameters))));
}

#[test]
fn a_tool_without_parameters() {
    let expected = "type ping = () => any;\n\n";
    assert_eq!(tool_text("ping", None, None), expected);
    assert_eq!(tool_text("ping", Some(""), Some(&from_json(&json!({"type": "object", "properties": {}})))), expected);
    assert_eq!(tool_text("ping", Some("Pings."), Some(&from_json(&json!(true)))), format!("// Pings.\n{expected}"));
}

#[test]
fn descriptions_and_optional_properties() {
    check(
        "find_boats",
        "Finds boats.\nNewest first.",
        json!({
            "type": "object",
            "description": "What to look for.",
            "properties": {
                "harbour": {"type": "string", "description": "Name of the harbour.", "pattern": "^[A-Z]"},
                "berth": {"type": "integer", "minimum": 1, "default": 3},
                "length": {"type": "number", "description": "In metres."},
                "afloat": {"type": "boolean", "description": ""}
            },
            "required": ["harbour", "afloat"],
            "additionalProperties": false
        }),
        expect![[r#"
            // Finds boats.
            Newest first.
            type find_boats = (_: // What to look for.
            {
            // Name of the harbour.
            harbour: string,
            berth?: number,
            // In metres.
            length?: number,
            afloat: boolean,
            }) => any;

        "#]],
    );
}

#[test]
fn enums() {
    check(
        "paint",
        "Paints.",
        json!({"properties": {
            "colour": {"type": "string", "enum": ["red", "sea green"]},
            "coats": {"type": "integer", "enum": [1, 2]},
            "odd": {"type": "string", "enum": ["on", 3, null, true]},
            "none": {"type": "string", "enum": []}
        }}),
        expect![[r#"
            // Paints.
            type paint = (_: {
            colour?: "red" | "sea green",
            coats?: 1 | 2,
            odd?: "on" | "3" | "None" | "True",
            none?: string,
            }) => any;

        "#]],
    );
}

#[test]
fn arrays_and_nested_objects() {
    check(
        "order",
        "Orders parts.",
        json!({"properties": {
            "lines": {"type": "array", "description": "At least one.", "items": {
                "type": "object",
                "properties": {
                    "part": {"type": "string", "description": "not shown"},
                    "sizes": {"type": "array", "items": {"type": "number"}},
                    "box": {"type": "object", "properties": {"deep": {"type": "boolean"}}}
                },
                "required": ["part"]
            }},
            "anything": {"type": "array"},
            "free": {"type": "object"}
        }}),
        expect![[r#"
            // Orders parts.
            type order = (_: {
            // At least one.
            lines?: {
              part: string,
              sizes?: number[],
              box?: {
                deep?: boolean,
            },
            }[],
            anything?: any[],
            free?: {

            },
            }) => any;

        "#]],
    );
}

#[test]
fn alternatives_and_what_has_no_plain_type() {
    check(
        "odd",
        "Odd.",
        json!({"properties": {
            "either": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
            "untyped": {"description": "No type."},
            "two": {"type": ["string", "null"]},
            "reference": {"$ref": "#/$defs/x"},
            "all": {"allOf": [{"type": "string"}]},
            "any": true,
            "items": {"type": "array", "items": {}}
        }}),
        expect![[r#"
            // Odd.
            type odd = (_: {
            either?: string | number[] | null,
            // No type.
            untyped?: undefined,
            two?: undefined,
            reference?: undefined,
            all?: undefined,
            any?: undefined,
            items?: any[],
            }) => any;

        "#]],
    );
}

#[test]
fn of_duplicate_keys_the_last_counts_in_the_place_of_the_first() {
    let string = || from_json(&json!({"type": "string"}));
    let number = || from_json(&json!({"type": "number"}));
    let schema = object([("properties", object([("b", string()), ("a", string()), ("b", number())]))]);
    assert_eq!(tool_text("t", None, Some(&schema)), "type t = (_: {\nb?: number,\na?: string,\n}) => any;\n\n");
}

#[test]
fn what_could_not_be_read_is_no_trouble() {
    let unreadable = || value(ValueKind::Unreadable);
    for name in ["description", "properties", "required"] {
        assert_eq!(tool_text("t", None, Some(&object([(name, unreadable())]))), "type t = () => any;\n\n");
    }
    let property = |name: &str| object([("properties", object([("p", object([(name, unreadable())]))]))]);
    for name in ["description", "type", "enum", "anyOf", "items"] {
        assert_eq!(tool_text("t", None, Some(&property(name))), "type t = (_: {\np?: undefined,\n}) => any;\n\n");
    }
}

#[test]
fn deep_schemas_are_cut_off() {
    let nest = |levels: usize| {
        let inner = from_json(&json!({"type": "string"}));
        let array = |items| object([("type", value(ValueKind::String("array".into()))), ("items", items)]);
        let schema = (0..levels).fold(inner, |items, _| array(items));
        tool_text("t", None, Some(&object([("properties", object([("p", schema)]))])))
    };
    assert!(nest(MAX_NESTING - 1).contains(&format!("p?: string{},", "[]".repeat(MAX_NESTING - 1))));
    assert!(nest(MAX_NESTING + 20).contains(&format!("p?: any{},", "[]".repeat(MAX_NESTING))));
}

#[test]
fn a_list() {
    let texts = [tool_text("ping", Some("Pings."), None), tool_text("pong", None, None)];
    expect![[r#"
        namespace functions {

        // Pings.
        type ping = () => any;

        type pong = () => any;

        } // namespace functions"#]]
    .assert_eq(&list_text(&texts));
    assert_eq!(list_text::<&str>(&[]), "namespace functions {\n\n} // namespace functions");
}
