use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::RULE;
use crate::analysis::testing::{check, check_fix, document, findings};
use crate::analysis::{Ruleset, fix_all};
use crate::diagnostic::Applicability::Safe;
use crate::settings::Settings;

#[test]
fn is_told_once_a_tool() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/x"}, "y": {"$ref": "#/$defs/x"}, "z": {"$ref": "#/none"}}, "$defs": {"x": {}}}},
                                                            ^^^^^^^^^^^ 2 schemas in `a` are described by a `$ref`
 {"name": "b", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/x", "minLength": 1}, "y": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"minLength": 2}}}},
                                                            ^^^^^^^^^^^ `x` is described by a `$ref`, which not every model gets to see Gemini
                                                                                                        ^^^^^^^^^^^ `y` is
 {"name": "c", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"items": {"$ref": "#/$defs/x"}}}}}]
"##,
    );
}

#[track_caller]
fn fixed(before: &str, after: &str) {
    let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {schema}}}]"#);
    check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
}

#[test]
fn what_is_named_is_written_in_its_place() {
    fixed(
        r##"{"properties": {"x": {"$ref": "#/$defs/x"}, "y": {"$ref": "#/properties/z"}, "z": {}}, "$defs": {"w": {}, "x": {"type": "string"}}}"##,
        r##"{"properties": {"x": {"type": "string"}, "y": {}, "z": {}}, "$defs": {"w": {}}}"##,
    );
    fixed(
        r##"{"$ref": "#/definitions/r", "definitions": {"r": {"type": "object", "properties": {"x": {"$ref": "#s"}}}, "s": {"$anchor": "s", "type": "string"}}}"##,
        r##"{"type": "object", "properties": {"x": {"type": "string"}}}"##,
    );
    fixed(
        r##"{"properties": {"x": {"$ref": "#/$defs/x", "description": "mine", "minLength": 1, "type": "string"}}, "$defs": {"x": {"description": "old", "type": "string", "title": "X"}}}"##,
        r##"{"properties": {"x": {"title": "X", "description": "mine", "minLength": 1, "type": "string"}}}"##,
    );
    fixed(
        r##"{"properties": {"x": {"$ref": "#/$defs/x", "title": "mine"}}, "$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"$ref": "#/$defs/z"}, "z": {"title": "Z", "enum": [1]}}}"##,
        r##"{"properties": {"x": {"enum": [1], "title": "mine"}}}"##,
    );
}

#[test]
fn what_is_still_named_stays() {
    fixed(
        r##"{"properties": {"x": {"$ref": "#/$defs/x"}, "y": {"$ref": "#/$defs/x", "enum": [1]}}, "$defs": {"x": {"enum": [2]}}}"##,
        r##"{"properties": {"x": {"enum": [2]}, "y": {"$ref": "#/$defs/x", "enum": [1]}}, "$defs": {"x": {"enum": [2]}}}"##,
    );
    fixed(
        r##"{"properties": {"x": {"$ref": "#/$defs/x"}}, "discriminator": {"mapping": {"x": "#/$defs/x"}}, "$defs": {"x": {"enum": [2]}}}"##,
        r##"{"properties": {"x": {"enum": [2]}}, "discriminator": {"mapping": {"x": "#/$defs/x"}}, "$defs": {"x": {"enum": [2]}}}"##,
    );
}

#[test]
fn lines_are_indented_for_their_place() {
    fixed(
        "{\r\n  \"properties\": {\r\n    \"x\": {\"$ref\": \"#/$defs/x\", \"title\": \"t\"},\r\n    \"y\": {\r\n      \"$ref\": \"#/$defs/x\",\r\n      \"title\": \"t\"\r\n    },\r\n    \"z\": {\"$ref\": \"#/$defs/x\"}\r\n  },\r\n  \"$defs\": {\r\n    \"deep\": {\"$defs\": {\"k\": {}}},\r\n    \"x\": {\r\n        \"type\": \"array\",\r\n        \"items\": {\r\n            \"type\": \"string\"\r\n        }\r\n    }\r\n  }\r\n}",
        "{\r\n  \"properties\": {\r\n    \"x\": {\r\n        \"type\": \"array\",\r\n        \"items\": {\r\n            \"type\": \"string\"\r\n        },\r\n        \"title\": \"t\"\r\n    },\r\n    \"y\": {\r\n      \"type\": \"array\",\r\n      \"items\": {\r\n          \"type\": \"string\"\r\n      },\r\n      \"title\": \"t\"\r\n    },\r\n    \"z\": {\r\n        \"type\": \"array\",\r\n        \"items\": {\r\n            \"type\": \"string\"\r\n        }\r\n    }\r\n  },\r\n  \"$defs\": {\r\n    \"deep\": {\"$defs\": {\"k\": {}}}\r\n  }\r\n}",
    );
}

#[test]
fn who_minds_nothing_is_told_nothing() {
    let text = r##"[
        {"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#/$defs/x"}, "y": {"$ref": "#"}}, "$defs": {"x": {}}}},
        {"name": "b", "inputSchema": {"type": "object"}}, {"name": "c", "inputSchema": {"type": "object", "anyOf": [{}], "not": {}}}
    ]"##;
    let about = |targets: &str| {
        let settings = toml::from_str::<Settings>(targets).expect("settings");
        let found = findings(Ruleset::new(&settings, false), "tools.json", text);
        ["ref", "recursive-ref", "no-properties", "root-composition"]
            .map(|rule| found.iter().filter(|finding| finding.rule == rule).count())
    };
    assert_eq!(about(""), [1, 1, 1, 2]);
    assert_eq!(about("[targets]\nproviders = ['anthropic']\nclients = ['cursor']"), [0, 0, 0, 1]);
}

#[test]
fn comments_stay() {
    let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {schema}}}]"#);
    let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, "tools.jsonc", &tool(before), &tool(after));
    fixed(
        "{\"properties\": {\"x\": { /* one */ \"$ref\": \"#/$defs/x\" // two\n }, \"y\": {}}, \"$defs\": {\"x\": {\"type\": \"string\", // three\n \"title\": \"t\",}}}",
        "{\"properties\": {\"x\": { /* one */ \"type\": \"string\", // three\n\"title\": \"t\" // two\n }, \"y\": {}}}",
    );
    // A comment that would end up elsewhere is left where it is.
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/x", "title": "t"}}, "$defs": {"x": {"enum": [1] /* one */}}}}]
                                                            ^^^^^^^^^^^ cannot simply be written here
"##,
    );
}

/// A schema that names definitions behind the first `after`.
fn schema(after: usize) -> impl Strategy<Value = Json> {
    let reference = (after..DEFINITIONS).prop_map(|at| ("$ref", json!(format!("#/$defs/d{at}"))));
    let leaf = prop_oneof![
        Just(("type", json!("object"))),
        Just(("type", json!("array"))),
        Just(("description", json!("one"))),
        Just(("description", json!("two"))),
        Just(("minItems", json!(1))),
        Just(("enum", json!(["a", 1]))),
        Just(("required", json!(["x"]))),
        Just(("additionalProperties", json!(false))),
        reference,
    ];
    let members = |member: BoxedStrategy<(&'static str, Json)>| {
        let pairs = prop::collection::vec(member, 0..4);
        pairs.prop_map(|pairs| pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Json>())
    };
    members(leaf.clone().boxed()).prop_recursive(3, 16, 3, move |inner| {
        let deeper = prop_oneof![
            inner.clone().prop_map(|inner| ("items", inner)),
            inner.clone().prop_map(|inner| ("additionalProperties", inner)),
            inner.clone().prop_map(|inner| ("properties", json!({ "x": inner }))),
            prop::collection::vec(inner, 1..3).prop_map(|inner| ("anyOf", json!(inner))),
        ];
        members(prop_oneof![leaf.clone(), deeper].boxed())
    })
}

/// How many definitions there are; the last goes in a circle.
const DEFINITIONS: usize = 4;

proptest! {
    #![proptest_config(crate::analysis::testing::cases(400))]

    #[test]
    fn the_schema_means_the_same(
        root in schema(0), a in schema(1), b in schema(2), c in schema(3), in_lines in any::<bool>(), crlf in any::<bool>(),
    ) {
        let mut root = root;
        let circle = json!({"items": {"$ref": "#/$defs/d3"}});
        root["$defs"] = json!({"d0": a, "d1": b, "d2": c, "d3": circle, "other": {}});
        let tools = json!([{"name": "a", "inputSchema": root}]);
        let text = if in_lines { serde_json::to_string_pretty(&tools).unwrap() } else { tools.to_string() };
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        let rules = Arc::new(Ruleset::only(&RULE));
        let fixed = fix_all(&document("tools.json", &text), &rules, None, |_, fix| fix.applicability == Safe).text;
        let left = findings(Ruleset::only(&RULE), "tools.json", &fixed);
        prop_assert!(left.iter().all(|finding| finding.fixes.is_empty()), "left in {fixed}");
        prop_assert_eq!(fixed.contains("\r\n"), text.contains("\r\n") && fixed.contains('\n'));
        let schema = |text: &str| serde_json::from_str::<Json>(text).unwrap()[0]["inputSchema"].clone();
        let (before, after) = (schema(&text), schema(&fixed));
        let validator = |schema: &Json| jsonschema::draft202012::new(schema).unwrap();
        let (old, new) = (validator(&before), validator(&after));
        for instance in [
            json!({}), json!([]), json!("a"), json!(1), json!({"x": 1}), json!({"x": "b"}), json!({"x": {"x": []}}), json!({"y": 1}),
            json!([[], {}]), json!([1, "b"]), json!({"x": {}, "y": {"x": "a"}}), json!([{"x": 1}, {"y": [1]}]),
        ] {
            prop_assert_eq!(old.is_valid(&instance), new.is_valid(&instance), "{} for\n{}\nand\n{}", instance, before, after);
        }
    }
}
