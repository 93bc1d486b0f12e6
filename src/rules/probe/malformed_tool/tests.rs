use super::RULE;
use crate::analysis::testing::findings;
use crate::analysis::{Ruleset, testing};
use crate::diagnostic::{Anchor, Diagnostic};

fn found(tools: &str) -> Vec<Diagnostic> {
    findings(Ruleset::only(&RULE), "seen", &format!(r#"{{"server": {{"tools": {tools}}}}}"#))
}

#[test]
fn counts_and_names_them_once_for_the_server() {
    let found = found(
        r#"[{"name": "a"}, {"inputSchema": {"type": "object"}}, 7, {"name": "b", "inputSchema": {"type": "object"}},
            {"name": "c", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": "true"}}]"#,
    );
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(
        found[0].message,
        "4 of 5 tools are malformed, `a`, a tool without a name, an element and 1 more: a strict client loses the whole list"
    );
    let told: Vec<(String, &str)> = found[0]
        .related
        .iter()
        .map(|related| match &related.anchor {
            Anchor::Document(source) => (source.text.slice(related.range).into_owned(), &*related.message),
            anchor => panic!("{anchor:?}"),
        })
        .collect();
    let told: Vec<(&str, &str)> = told.iter().map(|(text, message)| (&**text, *message)).collect();
    assert_eq!(
        told,
        [
            ("{", "`a` has no `inputSchema`"),
            ("{", "a tool without a name has no `name`"),
            ("7", "an element is a number, not an object"),
            (
                "{\"readOnlyHint\":\"true\"}",
                "`c` needs an object whose hints are `true` or `false` as its `annotations`"
            ),
        ]
    );
}

#[test]
fn every_key_is_looked_at_and_null_may_stand_for_nothing() {
    let tool = |rest: &str| found(&format!(r#"[{{"name": "a", "inputSchema": {{"type": "object"}}, {rest}}}]"#)).len();
    for wrong in [
        r#""description": 5"#,
        r#""title": []"#,
        r#""outputSchema": {}"#,
        r#""outputSchema": true"#,
        r#""annotations": []"#,
        r#""_meta": "x""#,
        r#""inputSchema": {"type": ["object"]}"#,
        r#""inputSchema": {"type": "object", "properties": []}"#,
        r#""inputSchema": {"type": "object", "required": true}"#,
        r#""inputSchema": {"type": "object", "required": [1]}"#,
        r#""inputSchema": null"#,
    ] {
        assert_eq!(tool(wrong), 1, "{wrong}");
    }
    for right in [
        r#""description": null, "annotations": null, "outputSchema": null, "_meta": null"#,
        r#""outputSchema": {"type": "array"}, "annotations": {"readOnlyHint": null, "title": "A"}"#,
        r#""inputSchema": {"type": "object", "properties": {"x": true}, "required": []}"#,
    ] {
        assert_eq!(tool(right), 0, "{right}");
    }
}

#[test]
fn a_server_without_a_list_has_no_malformed_tool() {
    assert_eq!(testing::of_report(&RULE, |report| report.snapshot = None), []);
    assert_eq!(found("{}"), []);
}
