use super::RULE;
use crate::analysis::Ruleset;
use crate::analysis::testing::{check, check_fix, findings};
use crate::diagnostic::Applicability::Suggestion;
use crate::diagnostic::Severity;

#[test]
fn marks_the_few_and_is_louder_where_something_is_lost() {
    let text = r#"
[{"name": "delete_note", "inputSchema": {}}, {"name": "get_note", "inputSchema": {}, "annotations": null},
          ^^^^^^^^^^^^^ `delete_note` does not say that it destroys
                                                      ^^^^^^^^^^ `get_note` does not say whether it only reads
 {"name": "a", "inputSchema": {}, "annotations": {"readOnlyHint": false}}, {"name": "b", "inputSchema": {}, "annotations": {"destructiveHint": true}},
 {"name": "c", "inputSchema": {}, "annotations": "x"}, {"name": "d", "inputSchema": {}, "annotations": {"readOnly": true}},
 {"name": "e", "inputSchema": {}, "annotations": {"title": "E"}}]
          ^^^ `e` does not
"#;
    check(&RULE, text);
    check(
        &RULE,
        r#"[{"name": "a", "input_schema": {}}, {"type": "function", "function": {"name": "b", "parameters": {}}}]"#,
    );
}

#[test]
fn many_are_one_finding() {
    let list = |count: usize| {
        let tools = (0..count).map(|at| format!(r#"{{"name": "get_{at}", "inputSchema": {{}}}}"#));
        format!("[{}]", tools.collect::<Vec<_>>().join(", "))
    };
    let found = findings(Ruleset::only(&RULE), "tools.json", &list(40));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "no tool of this list says whether it only reads");
    assert_eq!(findings(Ruleset::only(&RULE), "tools.json", &list(3)).len(), 3);
    let destructive = findings(Ruleset::only(&RULE), "tools.json", &list(9).replace("get", "drop"));
    assert_eq!(destructive[0].severity, Severity::Information);
    let some = list(9).replacen("get", "drop", 4);
    let some =
        Vec::from_iter(findings(Ruleset::only(&RULE), "tools.json", &some).into_iter().map(|found| found.message));
    assert_eq!(
        some,
        [
            "4 of the 9 tools of this list do not say that they destroy, such as `drop_0`",
            "5 of the 9 tools of this list do not say whether they only read, such as `get_4`",
        ]
    );
}

#[test]
fn the_guess_is_written_like_its_neighbours() {
    let fixed = |before: &str, after: &str| check_fix(&RULE, Suggestion, "tools.json", before, after);
    fixed(
        "[\r\n  {\r\n    \"name\": \"list_a\",\r\n    \"inputSchema\": {}\r\n  }\r\n]",
        "[\r\n  {\r\n    \"name\": \"list_a\",\r\n    \"annotations\": {\"readOnlyHint\": true},\r\n    \"inputSchema\": {}\r\n  }\r\n]",
    );
    fixed(
        r#"[{"name":"wipe","annotations":null,"inputSchema":{}}]"#,
        r#"[{"name":"wipe","annotations":{"readOnlyHint":false,"destructiveHint":true},"inputSchema":{}}]"#,
    );
    fixed(
        r#"[{"name": "run", "inputSchema": {}, "annotations": {"title": "Run"}}]"#,
        r#"[{"name": "run", "inputSchema": {}, "annotations": {"readOnlyHint": false, "title": "Run"}}]"#,
    );
    fixed(
        r#"[{"name": "run", "inputSchema": {}, "annotations": {"readOnlyHint": null}}]"#,
        r#"[{"name": "run", "inputSchema": {}, "annotations": {"readOnlyHint": false}}]"#,
    );
}
