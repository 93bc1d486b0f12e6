use super::RULE;
use crate::analysis::Ruleset;
use crate::analysis::testing::{check, findings};
use crate::diagnostic::{Anchor, Diagnostic, Severity};

fn found(tools: impl IntoIterator<Item = (String, String)>) -> Vec<Diagnostic> {
    let tool = |(name, text)| format!(r#"{{"name": "{name}", "description": "{text}", "inputSchema": {{}}}}"#);
    let text = format!("[{}]", tools.into_iter().map(tool).collect::<Vec<_>>().join(",\n"));
    findings(Ruleset::only(&RULE), "tools.json", &text)
}

#[test]
fn one_finding_a_cluster_on_its_first_tool() {
    check(
        &RULE,
        r#"
[{"name": "a", "description": "Search public repositories by keyword and return matching names.", "inputSchema": {}},
                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `a` is described nearly like `c` and `d`
 {"name": "b", "description": "Search public repositories by keyword and return matching names.", "inputSchema": {}},
 {"name": "a", "description": "Search open repositories by keyword and return matching names.", "inputSchema": {}},
 {"name": "c", "description": "Search closed repositories by keyword and return matching names.", "inputSchema": {}},
 {"name": "d", "description": "Search closed and old repositories by keyword and return matching names.", "inputSchema": {}},
 {"name": "e", "description": "Write a letter to somebody far away.", "inputSchema": {}},
 {"name": "f", "description": "Search repositories.", "inputSchema": {}}, {"name": "g", "description": "Search repository.", "inputSchema": {}}]
"#,
    );
}

#[test]
fn the_nearest_three_are_named_and_all_are_related() {
    let texts = ["", "blue big", "blue", "small", "grey", "pink"]
        .map(|word| format!("Count {word} boats ships ferries rafts canoes yachts"));
    let names = ["a", "far", "near", "c", "d", "e"].map(str::to_owned);
    let found = found(names.into_iter().zip(texts));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "`a` is described nearly like `near`, `c`, `d` and 2 more");
    assert_eq!(found[0].related.len(), 5);
    assert_eq!(found[0].related[4].anchor, Anchor::Item(1), "the least alike comes last");
    assert!(found[0].notes[0].contains("88 %"), "{:?}", found[0].notes);
}

#[test]
fn a_list_that_is_alike_is_one_finding() {
    let of = |count: usize| {
        found((0..count).map(|index| (format!("t{index}"), format!("Get record {index} of the big old archive."))))
    };
    let (few, many) = (of(20), of(21));
    assert_eq!((few.len(), many.len()), (1, 1));
    assert_eq!((few[0].related.len(), many[0].related.len()), (19, 0));
    assert!(many[0].message.starts_with("21 of the 21 tools of this list"), "{}", many[0].message);
}

#[test]
fn what_names_and_words_tell_is_a_note() {
    let severity = |tools: &[(&str, &str)]| {
        let text = |what: &str| format!("{what} of a repository by keyword, newest first, open only");
        found(tools.iter().map(|(name, what)| (name.to_string(), text(what))))[0].severity
    };
    assert_eq!(
        severity(&[("list_issues", "List the issues"), ("list_branches", "List branches")]),
        Severity::Information
    );
    assert_eq!(severity(&[("listIssues", "Search issues"), ("searchIssues", "Find issues")]), Severity::Warning);
    assert_eq!(severity(&[("find_issues", "Find issues"), ("search_issues", "Search issues")]), Severity::Warning);
    assert_eq!(severity(&[("issues", "List issues"), ("branches", "List issues too")]), Severity::Warning);
    let three = [("list_issues", "List issues"), ("get_issues", "Get issues"), ("list_tags", "List tags")];
    assert_eq!(severity(&three), Severity::Warning);
}
