use super::RULE;
use crate::analysis::testing::{check, check_fix};
use crate::diagnostic::Applicability::Suggestion;

#[test]
fn marks_the_keyword() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"type": "object", "oneOf": [{}], "not": {}, "properties": {"x": {"anyOf": [{}]}, "anyOf": {}}}},
                                                 ^^^^^^^ the `inputSchema` of `a` has `oneOf` at its root
                                                                ^^^^^ `not` at its root OpenAI refuses
 {"name": "b", "inputSchema": {"type": "object", "if": {}, "then": {}}}]
"##,
    );
}

#[track_caller]
fn fixed(before: &str, after: &str) {
    let tool = |(description, schema): (&str, &str)| {
        format!(r#"[{{"name": "a", "description": "{description}", "inputSchema": {schema}}}]"#)
    };
    let (description, after) = after.split_once('|').expect("a description");
    check_fix(&RULE, Suggestion, "tools.json", &tool(("Do it", before)), &tool((description, after)));
}

#[test]
fn what_is_required_is_told() {
    fixed(
        r#"{"properties": {"x": {}, "y": {}, "z": {}}, "anyOf": [{"required": ["x"]}, {"required": ["y", "z"]}]}"#,
        r#"Do it. Needs `x` or `y` and `z`.|{"properties": {"x": {}, "y": {}, "z": {}}}"#,
    );
    fixed(
        r#"{"type": "object", "oneOf": [{"properties": {"x": {"type": "string"}}, "required": ["x"]}, {"properties": {"x": {}, "y": {}}, "required": ["y"]}]}"#,
        r#"Do it. Needs `x` or `y`, and only one of them.|{"type": "object", "properties": {"x": {"type": "string"}, "y": {}}}"#,
    );
    fixed(
        r#"{"anyOf": [{"properties": {"y": {}, "z": {}}, "required": ["y"]}], "properties": {"x": {}}}"#,
        r#"Do it. Needs `y`.|{"properties": {"x": {}, "y": {}, "z": {}}}"#,
    );
}

#[test]
fn what_is_in_all_goes_to_the_root() {
    fixed(
        "{\r\n  \"type\": \"object\",\r\n  \"allOf\": [\r\n    {\r\n      \"if\": {\r\n        \"x\": 1\r\n      },\r\n      \"then\": {}\r\n    }\r\n  ]\r\n}",
        "Do it|{\r\n  \"type\": \"object\",\r\n  \"if\": {\r\n    \"x\": 1\r\n  },\r\n  \"then\": {}\r\n}",
    );
}
