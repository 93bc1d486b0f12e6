use super::RULE;
use crate::analysis::testing::{check, check_fix, findings};
use crate::diagnostic::Applicability::{Suggestion, Unsafe};

#[test]
fn marks_the_pattern() {
    check(
        &RULE,
        r#"
[{"name": "a", "inputSchema": {"properties": {"x": {"pattern": "a"}, "y": {"items": {"pattern": "^a"}}, "z": {"pattern": "a$"}, "v": {"pattern": "^a\\$"}}}},
                                                               ^^^ of `x` neither starts with
                                                                                                ^^^^ of `y[]` does not end with `$`
                                                                                                                         ^^^^ of `z` does not start with
                                                                                                                                                 ^^^^^^^ of `v` does not end
 {"name": "b", "inputSchema": {"properties": {"x": {"pattern": "^a$"}, "y": {"pattern": ""}, "z": {"pattern": 1}, "pattern": {"not": {"pattern": "a"}}}}}]
"#,
    );
}

#[test]
fn gives_it_both_ends() {
    let tool = |pattern: &str| {
        format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{"pattern":{pattern}}}}}}}}}]"#)
    };
    let fixed = |before: &str, after: &str| check_fix(&RULE, Unsafe, "tools.json", &tool(before), &tool(after));
    fixed(r#""[0-9]+s""#, r#""^.*[0-9]+s.*$""#);
    fixed(r#""\\bfoo\\b""#, r#""^.*\\bfoo\\b.*$""#);
    fixed(r#""a|\\d""#, r#""^.*(?:a|\\d).*$""#);
    fixed(r#""^a""#, r#""^a.*$""#);
    fixed(r#""^a.*""#, r#""^a.*$""#);
    fixed(r#""^a\\.*""#, r#""^a\\.*.*$""#);
    fixed(r#"".*""#, r#""^.*$""#);
    fixed(r#""^(a|b)-""#, r#""^(a|b)-.*$""#);
    fixed(r#""a$""#, r#""^.*a$""#);
    fixed(r#""^a|b""#, r#""^(?:a.*|.*b.*)$""#);
    fixed(r#""^a|b$""#, r#""^(?:a.*|.*b)$""#);
    let (before, after) = (tool(r#""a|b""#), tool(r#""^(?:a|b)$""#));
    check_fix(&RULE, Suggestion, "tools.json", &before, &after);
}

#[test]
fn what_it_does_not_surely_understand_is_left_alone() {
    for pattern in [
        "(?i)^abc$",
        r"\\A\\w+\\z",
        r"^\\d+\\Z",
        "*.txt",
        r"^a\\",
        "/^abc$/",
        "/^abc/i",
        "^[a-z",
        "(^a$)",
        "a^b",
        "^a$|^b$",
        r"^[\\w-.]+",
        "^$",
    ] {
        let text =
            format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{"pattern": "{pattern}"}}}}}}}}]"#);
        assert_eq!(findings(crate::analysis::Ruleset::only(&RULE), "tools.json", &text), [], "{pattern}");
    }
}
