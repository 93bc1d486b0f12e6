use super::{Filler, RULE, filler};
use crate::analysis::testing::{check, check_fix};
use crate::diagnostic::Applicability::Unsafe;

#[test]
fn marks_the_words() {
    check(
        &RULE,
        r#"
[{"name": "a", "description": "\nThis tool will list the notes of a folder.", "inputSchema": {}},
                                 ^^^^^^^^^^^^^^ `a` starts with `This tool will`, which says nothing
 {"name": "b", "description": "Lists notes. This tool lists them.", "inputSchema": {}},
 {"name": "list_notes", "description": "This tool lists notes.", "inputSchema": {}}]
"#,
    );
}

#[test]
fn what_follows_has_to_be_a_verb() {
    for text in [
        "This tool is deprecated.",
        "This tool requires an account.",
        "This tool set lists notes.",
        "This tool",
        "A tool that you want",
        "Used to be fast",
        "This tool will be removed",
        "Tooling for notes",
        "It will Ünï",
        "Use this tool to list notes",
    ] {
        assert_eq!(filler(text), None, "{text}");
    }
    for (text, rest) in [
        ("This tool fetches a page", "fetches a page"),
        ("A tool that queries it", "queries it"),
        ("USED TO list it", "list it"),
        ("this tool allows you to create it", "create it"),
    ] {
        assert_eq!(filler(text), Some(Filler { length: text.len() - rest.len(), may_go: true }), "{text}");
    }
    assert_eq!(filler("Tool for creating notes"), Some(Filler { length: 9, may_go: false }));
}

#[test]
fn drops_the_words() {
    let tool = |text: &str| format!(r#"[{{"name": "a", "description": "{text}", "inputSchema": {{}}}}]"#);
    let fixed = |before: &str, after: &str| check_fix(&RULE, Unsafe, "tools.json", &tool(before), &tool(after));
    fixed(r#"\n  This tool retrieves \"a\" note.\n"#, r#"\n  Retrieves \"a\" note.\n"#);
    fixed("A tool to search notes by their words.", "Search notes by their words.");
}
