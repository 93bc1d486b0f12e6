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
        "4 of 5 tools are malformed (`a`, `c` and 2 without a name): a strict client loses the whole list"
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
            ("{", "this one has no `name`"),
            ("7", "this one is a number, not an object"),
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

#[test]
fn a_saved_list_has_it_at_the_name_of_its_server() {
    let launch = "0".repeat(32);
    let list = |tools: &str| {
        let text = format!("{{\"snapshot\": 1, \"launch\": \"{launch}\", \"name\": \"fs\", \"tools\": {tools}}}");
        let found = findings(Ruleset::only(&RULE), "fs.json", &text);
        let slice = |range: crate::text::TextRange| text[range.as_usize()].to_owned();
        found
            .iter()
            .map(|it| {
                let places = it.related.iter().map(|related| {
                    assert_eq!(related.anchor, Anchor::Own);
                    slice(related.range)
                });
                (slice(it.range), places.collect::<Vec<_>>(), it.message.clone())
            })
            .collect::<Vec<_>>()
    };
    let (name, places, message) = &list(r#"[null, {"name": "a", "inputSchema": {"type": "object"}}]"#)[0];
    assert_eq!((&**name, &places[..]), ("\"fs\"", &["null".to_owned()][..]));
    assert!(message.starts_with("1 of 2 tools is malformed (one without a name)"), "{message}");
    assert_eq!(list(r#"[{"name": "a", "inputSchema": {"type": "object"}}]"#), []);
}

#[test]
fn of_many_a_few_are_named() {
    let nameless = "1, 2, ";
    let named: Vec<String> = ["a", "b", "c", "d", "e"].map(|name| format!("{{\"name\": \"{name}\"}}")).into();
    let found = found(&format!("[{nameless}{}]", named.join(", ")));
    let told = "7 of 7 tools are malformed (`a`, `b`, `c`, 2 without a name and 2 more)";
    assert!(found[0].message.starts_with(told), "{}", found[0].message);
}
