use super::RULE;
use crate::analysis::Ruleset;
use crate::analysis::testing::{check, check_fix, findings};
use crate::diagnostic::Applicability::{Safe, Unsafe};

#[test]
fn marks_the_name() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"properties": {"x": {}}, "required": ["x", "y", 1, "z"]}},
                                                                          ^^^     ^^^ is required, but no property has this name
 {"name": "b", "inputSchema": {"$ref": "#/$defs/b", "$defs": {"b": {"properties": {}, "required": ["x"]}}}},
                                                                                                   ^^^ `x`
 {"name": "c", "inputSchema": {"patternProperties": {"^x": {}}, "properties": {}, "required": ["xa"]}}]
"##,
    );
}

#[test]
fn the_properties_may_be_forgotten() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"type": "object", "required": ["x"]}}, {"name": "b", "inputSchema": {"required": ["x"], "additionalProperties": {}}},
                                                              ^^^ `x` is required, but no property has this name
 {"name": "c", "inputSchema": {"required": ["x"], "x": {"type": "string"}}}, {"name": "d", "inputSchema": {"required": ["x"], "anyOf": [{"properties": {"x": {}}}]}},
 {"name": "e", "inputSchema": {"required": ["x"], "propertys": {"x": {}}}}, {"name": "f", "inputSchema": {"required": ["x"], "patternProperties": {}}}]
"##,
    );
    let tool = |required: &str| format!(r#"[{{"name": "a", "inputSchema": {{"required": {required}}}}}]"#);
    check_fix(&RULE, Unsafe, "tools.json", &tool(r#"["x"]"#), &tool("[]"));
}

#[test]
fn a_branch_speaks_of_the_same_object() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"properties": {"k": {}, "a": {}}, "anyOf": [{"properties": {"k": {"const": 1}}, "required": ["k", "a", "b"]}]}},
                                                                                                                                      ^^^ `b`
 {"name": "b", "inputSchema": {"properties": {"k": {}}, "required": ["a", "b"], "oneOf": [{"properties": {"a": {}}}, {"required": ["k"]}]}},
                                                                          ^^^ `b`
 {"name": "c", "inputSchema": {"properties": {"b": {}}, "if": {"properties": {"k": {}}}, "then": {"properties": {"k": {}}, "required": ["b"]}}},
 {"name": "d", "inputSchema": {"properties": {"a": {"properties": {"x": {}}, "required": ["a"]}}}}]
                                                                                          ^^^ `a`
"##,
    );
}

#[test]
fn removing_keeps_the_commas_right() {
    let tool = |required: &str| {
        format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{}}}}, "required": {required}}}}}]"#)
    };
    let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
    fixed(r#"["y", "x"]"#, r#"["x"]"#);
    fixed(r#"["x", "y"]"#, r#"["x"]"#);
    fixed(r#"["y"]"#, "[]");
    fixed("[\n  \"y\"\n]", "[]");
    fixed("[\r\n  \"x\",\r\n  \"y\"\r\n]", "[\r\n  \"x\"\r\n]");
    let draft = |required: &str| tool(&format!(r#"{required}, "$schema": "http://json-schema.org/draft-04/schema#""#));
    check_fix(&RULE, Unsafe, "tools.json", &draft(r#"["x", "y"]"#), &draft(r#"["x"]"#));
    let open = |required: &str| tool(&format!(r#"{required}, "additionalProperties": true"#));
    check_fix(&RULE, Unsafe, "tools.json", &open(r#"["x", "y"]"#), &open(r#"["x"]"#));
}

#[test]
fn a_slip_of_the_pen_is_not_removed_unasked() {
    let tool = |required: &str| {
        let properties = r#"{"query": {}, "a\"long name": {}, "limit": {}}"#;
        format!(r#"[{{"name": "a", "inputSchema": {{"properties": {properties}, "required": {required}}}}}]"#)
    };
    let found = findings(Ruleset::only(&RULE), "tools.json", &tool(r#"["limit", "qeury"]"#));
    assert!(found[0].message.ends_with("no property has this name: did you mean `query`?"), "{}", found[0].message);
    assert_eq!(found[0].fixes.iter().map(|fix| fix.applicability).collect::<Vec<_>>(), [Unsafe, Unsafe]);
    let fixed = |kind, before: &str, after: &str| check_fix(&RULE, kind, "tools.json", &tool(before), &tool(after));
    fixed(Unsafe, r#"["limit", "qeury"]"#, r#"["limit", "query"]"#);
    fixed(Unsafe, r#"["a'long name"]"#, r#"["a\"long name"]"#);
    fixed(Safe, r#"["query", "qeury"]"#, r#"["query"]"#);
}
