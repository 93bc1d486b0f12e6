use super::RULE;
use crate::analysis::testing::{check, check_fix};
use crate::diagnostic::Applicability::{self, Safe, Unsafe};

#[test]
fn one_finding_a_tool() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "y": {"oneOf": [{"type": "null", "title": "None"}, {"type": "integer"}]}}}},
                                                    ^^^^^^^ `x` and `y` take null
 {"name": "b", "inputSchema": {"properties": {"y": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "anyOf": {"anyOf": [{"type": "string"}, {}]}}, "required": ["y"]}},
 {"name": "c", "inputSchema": {"properties": {"y": {"anyOf": [{"type": "null"}]}, "z": {"items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "n": {"anyOf": null}}}}]
"##,
    );
}

#[track_caller]
fn fixed(applicability: Applicability, before: &str, after: &str) {
    let tool =
        |schema: &str| format!("[{{\"name\": \"a\", \"inputSchema\": {{\"properties\": {{\"x\": {schema}}}}}}}]");
    check_fix(&RULE, applicability, "tools.json", &tool(before), &tool(after));
}

#[test]
fn what_is_beside_null_moves_out() {
    fixed(
        Safe,
        r#"{"anyOf": [{"items": {"type": "string"}, "type": "array"}, {"type": "null"}], "default": null, "title": "X"}"#,
        r#"{"items": {"type": "string"}, "type": "array", "title": "X"}"#,
    );
    fixed(
        Safe,
        "{\r\n  \"default\": null,\r\n  \"anyOf\": [\r\n    {\r\n      \"type\": \"array\",\r\n      \"items\": {\r\n        \"type\": \"string\"\r\n      }\r\n    },\r\n    {\r\n      \"type\": \"null\"\r\n    }\r\n  ]\r\n}",
        "{\r\n  \"type\": \"array\",\r\n  \"items\": {\r\n    \"type\": \"string\"\r\n  }\r\n}",
    );
    fixed(
        Safe,
        r#"{"anyOf":[{"type":"string"},{"type":"number"},{"type":"null"}],"default":null}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"number"}]}"#,
    );
    fixed(
        Unsafe,
        r#"{"anyOf": [{"description": "An x", "type": "string"}, {"type": "null"}], "description": "An x"}"#,
        r#"{"type": "string", "description": "An x"}"#,
    );
}

#[test]
fn what_would_be_lost_stays() {
    let tool = |schema: &str, draft: &str| {
        format!(r#"[{{"name": "a", "inputSchema": {{{draft}"properties": {{"x": {schema}}}}}}}]"#)
    };
    let fixes = |schema: &str, draft: &str| {
        let found = crate::analysis::testing::findings(
            crate::analysis::Ruleset::only(&RULE),
            "tools.jsonc",
            &tool(schema, draft),
        );
        found.iter().map(|finding| finding.fixes.len()).sum::<usize>()
    };
    let reference = r##"{"anyOf": [{"$ref": "#/$defs/x"}, {"type": "null"}], "default": null}"##;
    assert_eq!(fixes(reference, ""), 1);
    assert_eq!(fixes(reference, r#""$schema": "http://json-schema.org/draft-07/schema#", "#), 0);
    assert_eq!(fixes(r#"{"anyOf": [{"type": "string", "title": "A"}, {"type": "null"}], "title": "B"}"#, ""), 0);
    assert_eq!(fixes("{\"anyOf\": [{\"type\": \"string\"}, // or\n {\"type\": \"null\"}]}", ""), 0);
}
