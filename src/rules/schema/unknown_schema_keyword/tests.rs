use super::RULE;
use crate::analysis::testing::{check, check_fix};
use crate::diagnostic::Applicability::{self, Safe, Unsafe};

#[test]
fn marks_the_key() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"type": "object", "propeties": {"x": {"tpye": "string", "enums": ["a"]}}, "requried": ["x"]}},
                                                 ^^^^^^^^^^^ did you mean `properties`?
                                                                     ^^^^^^ did you mean `type`?
                                                                                       ^^^^^^^ did you mean `enum`?
                                                                                                         ^^^^^^^^^^ did you mean `required`?
 {"name": "b", "inputSchema": {"properties": {"minimun": {"minimun": 1, "tpye": "string", "min_length": 2, "anyof": [{}]}, "y": {"ref": "#/$defs/y"}}}},
                                                          ^^^^^^^^^ did you mean `minimum`?
                                                                        ^^^^^^ did you mean `type`?
                                                                                          ^^^^^^^^^^^^ did you mean `minLength`?
                                                                                                           ^^^^^^^ did you mean `anyOf`?
                                                                                                                                 ^^^^^ did you mean `$ref`?
 {"name": "d", "inputSchema": {"properties": {"x": {"titel": "a", "titles": "b"}}}},
                                                    ^^^^^^^ did you mean `title`?
 {"name": "c", "inputSchema": {"properties": {"x": {"x-enums": ["a"], "tpye": "text", "type": "string", "minimun": 1, "items": {"note": "a"}, "ref": "docs", "example": 1, "title": "a", "nullable": true, "item": {}}}, "item": {"type": "string"}}}]
"##,
    );
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"type": "integer", "min": 1}, "y": {"type": "string", "max": 9, "regex": "^a$"}, "z": {"max": 1}, "v": {"type": ["string", "integer"], "min": 1}, "min": {"type": "boolean", "min": 1}}}}]
                                                                       ^^^^^ did you mean `minimum`?
                                                                                                          ^^^^^ did you mean `maxLength`?
                                                                                                                    ^^^^^^^ did you mean `pattern`?
"##,
    );
}

#[test]
fn renames_it() {
    let fixed = |applicability: Applicability, before: &str, after: &str| {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
        check_fix(&RULE, applicability, "tools.json", &tool(before), &tool(after));
    };
    fixed(Safe, r#"{"max_items": 1}"#, r#"{"maxItems": 1}"#);
    fixed(Safe, r#"{"defualt": 1}"#, r#"{"default": 1}"#);
    fixed(Unsafe, r#"{"propretis": {}}"#, r#"{"properties": {}}"#);
}

#[test]
fn slips_inside_a_slip_are_told_at_once() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"propeties": {"x": {"item": {"minimun": 1}}, "item": {"anyof": [{"tpye": "string"}]}}}}]
                               ^^^^^^^^^^^ did you mean `properties`?
                                                   ^^^^^^ did you mean `items`?
                                                            ^^^^^^^^^ did you mean `minimum`?
                                                                                     ^^^^^^^ did you mean `anyOf`?
                                                                                                ^^^^^^ did you mean `type`?
"##,
    );
}
