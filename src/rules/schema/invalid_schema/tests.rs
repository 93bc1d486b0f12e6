use super::RULE;
use crate::analysis::testing::{check, check_fix};
use crate::diagnostic::Applicability::{Suggestion, Unsafe};

#[test]
fn marks_the_value_of_the_keyword() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "strng"}, "y": {"type": ["string", "nul"]}, "z": "string"}}},
                                                                              ^^^^^^^ `strng` is no type of JSON Schema: did you mean `string`?
                                                                                                                 ^^^^^ `nul` is no type of JSON Schema: did you mean `null`?
                                                                                                                               ^^^^^^^^ the schema of `z` has to be an object, not a string
 {"name": "b", "inputSchema": {"type": "object", "properties": {"x": {"minimum": "1", "required": true}, "required": {"type": "int"}}, "required": ["x", "x"]}},
                                                                                 ^^^ `minimum` has to be a number, not a string
                                                                                                  ^^^^ `required` has to be an array of names, not a boolean
                                                                                                                              ^^^^^ did you mean `integer`?
 {"name": "c", "inputSchema": {"properties": {"x": {"minLength": -1}, "y": {"anyOf": []}, "e": {"enum": "a"}, "d": {"description": null}}}},
                                                                 ^^ must not be negative
                                                                                     ^^ must not be empty
                                                                                                        ^^^ has to be an array, not a string
                                                                                                                                   ^^^^ has to be a string, not null
 {"name": "d", "inputSchema": {"type": "objekt"}}]
"##,
    );
}

#[test]
fn the_declared_draft_decides() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"x": {"minContains": "1"}}}},
 {"name": "b", "inputSchema": {"properties": {"x": {"minContains": "1"}}}},
                                                                   ^^^ `minContains` has to be a whole number, not a string
 {"name": "c", "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"x": {"exclusiveMinimum": "1"}}}},
                                                                                                                                   ^^^ has to be a number
 {"name": "d", "inputSchema": {"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"x": {"minimum": 1, "exclusiveMinimum": true}}}},
 {"name": "e", "inputSchema": {"$schema": "https://example.org/x", "properties": {"x": {"type": "nope"}}}}]
                                                                                                ^^^^^^
"##,
    );
}

#[test]
fn what_cannot_be_read_and_what_gemini_writes_is_left_alone() {
    check(
        &RULE,
        r#"[{"name": "a", "inputSchema": {"properties": {"x": {"minimum": , "type": strin}, "y": {"type": [}}}}]"#,
    );
    check(
        &RULE,
        r#"
[{"name": "a", "description": "d", "parameters": {"type": "OBJECT", "properties": {"x": {"type": "STRING", "nullable": true}, "y": {"type": "String", "multipleOf": 0}}}}]
                                                                                                                                            ^^^^^^^^
                                                                                                                                                                    ^
"#,
    );
}

#[test]
fn what_has_a_rule_of_its_own_is_said_once() {
    check(
        &RULE,
        r#"
[{"name": "a", "inputSchema": {"properties": {"x": {"items": [{}], "exclusiveMaximum": true}, "y": {"enum": []}}}},
 {"name": "b", "inputSchema": {"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"x": {"enum": []}, "y": {"enum": [1, 1]}}}}]
"#,
    );
}

#[test]
fn a_name_in_dependent_required_is_no_keyword() {
    check(
        &RULE,
        r#"
[{"name": "a", "inputSchema": {"dependentRequired": {"type": "object", "x": ["type"]}}}]
                                                             ^^^^^^^^ lists of names, and this is a string
"#,
    );
}

#[test]
fn a_list_of_types_names_the_culprit() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"type": ["string", "int"]}, "y": {"type": ["string", "string"]}, "z": {"type": []}}}},
                                                                       ^^^^^ `int` is no type of JSON Schema: did you mean `integer`?
                                                                                                         ^^^^^^^^ `string` stands twice
                                                                                                                                   ^^ must not be empty
 {"name": "b", "inputSchema": {"properties": {"$ref": "#/definitions/b"}}}]
                                                      ^^^^^^^^^^^^^^^^^ a `$ref` cannot stand here
"##,
    );
    let tool =
        |kind: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{"type": {kind}}}}}}}}}]"#);
    check_fix(&RULE, Suggestion, "tools.json", &tool(r#"["string", "int"]"#), &tool(r#"["string", "integer"]"#));
}

#[test]
fn writes_what_is_plainly_meant() {
    let fixed = |before: &str, after: &str| {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {schema}}}]"#);
        check_fix(&RULE, Unsafe, "tools.json", &tool(before), &tool(after));
    };
    fixed(r#"{"properties": {"id": {}}, "required": "id"}"#, r#"{"properties": {"id": {}}, "required": ["id"]}"#);
    fixed(r#"{"properties": {"x": {"minimum": "0"}}}"#, r#"{"properties": {"x": {"minimum": 0}}}"#);
    fixed(r#"{"additionalProperties": "false"}"#, r#"{"additionalProperties": false}"#);
}

#[test]
fn a_list_of_names_in_the_wrong_place_is_told() {
    check(
        &RULE,
        r#"
[{"name": "a", "inputSchema": {"properties": {"a": {"minLength": "x"}, "required": ["a"]}}}]
                                                                 ^^^ `minLength` has to be a whole number
                                                                                   ^^^^^ `required` stands inside `properties`
"#,
    );
}
