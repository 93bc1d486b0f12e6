use super::RULE;
use crate::analysis::testing::{check, check_fix};
use crate::diagnostic::Applicability::{self, Safe, Unsafe};

#[test]
fn marks_the_default() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"type": "integer", "default": "10"}, "y": {"type": ["array", "null"], "default": {}}, "z": {"type": "integer", "default": 1.5}}}},
                                                                                  ^^^^ the default `"10"` is a string, not an integer
                                                                                                                                     ^^ is an object, not an array or null
                                                                                                                                                                              ^^^
 {"name": "b", "inputSchema": {"properties": {"x": {"enum": ["a", 1], "default": "b"}, "y": {"enum": [1, null], "default": 1.0}, "z": {"minLength": 2, "default": "é"}}}},
                                                                                 ^^^ none of the values
                                                                                                                                                                  ^^^ breaks `minLength`, which is `2`
 {"name": "c", "inputSchema": {"properties": {"x": {"type": "string", "default": null}, "y": {"default": 1}, "z": {"type": "INTEGER", "default": 1.0, "minimum": "2"},
   "default": {"type": "strng", "default": 1}, "v": {"type": "integer", "default": }, "w": {"minimum": 3, "default": "a"}, "u": {"enum": "a", "default": "b"}}}}]
"##,
    );
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"default": 5, "exclusiveMinimum": 5}, "y": {"default": 5, "exclusiveMaximum": 6}}}}]
                                                               ^ breaks `exclusiveMinimum`, which is `5`
"##,
    );
}

#[test]
fn writes_what_is_meant() {
    let fixed = |applicability: Applicability, before: &str, after: &str| {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
        check_fix(&RULE, applicability, "tools.json", &tool(before), &tool(after));
    };
    fixed(Safe, r#"{"type": "number", "default": "-1.50"}"#, r#"{"type": "number", "default": -1.50}"#);
    fixed(Safe, r#"{"type": "boolean", "default": "True"}"#, r#"{"type": "boolean", "default": true}"#);
    fixed(Safe, r#"{"type": "string", "default": 5}"#, r#"{"type": "string", "default": "5"}"#);
    fixed(Unsafe, r#"{"enum": ["asc"], "default": "ASC"}"#, r#"{"enum": ["asc"], "default": "asc"}"#);
    // The number breaks the bound, too.
    fixed(Unsafe, r#"{"type": "integer", "default": "10", "maximum": 5}"#, r#"{"type": "integer", "maximum": 5}"#);
    let first_fix_is_no_safe_one =
        r#"[{"name": "a", "inputSchema": {"properties": {"x": {"type": "integer", "default": "10", "maximum": 5}}}}]"#;
    let found = crate::analysis::testing::findings(
        crate::analysis::Ruleset::only(&RULE),
        "tools.json",
        first_fix_is_no_safe_one,
    );
    assert!(found.iter().all(|finding| finding.fixes.iter().all(|fix| fix.applicability != Safe)));
    fixed(Unsafe, r#"{"type": "integer", "default": "007"}"#, r#"{"type": "integer"}"#);
    fixed(Unsafe, "{\r\n\t\"maximum\": 1,\r\n\t\"default\": 2\r\n}", "{\r\n\t\"maximum\": 1\r\n}");
}
