use super::RULE;
use crate::analysis::testing::{check, check_fix, findings};
use crate::diagnostic::Applicability::{Safe, Unsafe};

#[test]
fn marks_the_pattern() {
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"pattern": "(a"}, "y": {"pattern": "a)"}, "z": {"pattern": "[a"}, "v": {"pattern": "*a"}, "w": {"pattern": "a\\"}}}},
                                                               ^^^^ a `(` has no `)`
                                                                                       ^^^^ a `)` has no `(`
                                                                                                               ^^^^ a `[` has no `]`
                                                                                                                                       ^^^^ nothing to repeat
                                                                                                                                                               ^^^^^ ends in a `\`
 {"name": "b", "inputSchema": {"properties": {"x": {"pattern": "(?i)a"}, "y": {"pattern": "(?P<n>a)"}, "pattern": {"const": "("}, "z": {"pattern": null}}, "patternProperties": {"[": {}}}}]
                                                               ^^^^^^^ has `(?i)`, unknown to JavaScript
                                                                                          ^^^^^^^^^^ has `(?P<`
                                                                                                                                                                                 ^^^ a `[` has no `]`
"##,
    );
    check(
        &RULE,
        r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"pattern": "/^a$/"}, "y": {"pattern": "^[\\w-.]$"}, "z": {"pattern": "\\Aa"}, "v": {"pattern": "a{,3}"}, "w": {"pattern": "/v1/"}}}}]
                                                               ^^^^^^^ stands between slashes
                                                                                          ^^^^^^^^^^^ has `\w-`, unknown to
                                                                                                                         ^^^^^^ has `\A`
                                                                                                                                                   ^^^^^^^ is no regular expression of JavaScript in
"##,
    );
}

#[test]
fn mends_what_it_knows() {
    let tool = |pattern: &str| {
        format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{"pattern": "{pattern}"}}}}}}}}]"#)
    };
    let fixed = |kind, before: &str, after: &str| check_fix(&RULE, kind, "tools.json", &tool(before), &tool(after));
    fixed(Safe, r"^[\\w-.]+\\@[\\d-]$", r"^[\\w\\-.]+@[\\d-]$");
    fixed(Unsafe, "^(?P<y>[0-9]+)$", "^(?<y>[0-9]+)$");
    fixed(Unsafe, "/^a$/", "^a$");
}

#[test]
fn what_javascript_takes_is_left_alone_and_nothing_is_matched() {
    let patterns = [
        r"^(?=.*\\d)(?!x)(?<=a)(?<!b)(?<n>a)\\k<n>\\1$",
        r"^[^\\]\\\\[]*$",
        r"\\p{L}+\\u{1F600}[\\w.-]",
        "^(a+)+$",
        "(((a{1000}){1000}){1000}){1000}",
        "",
        "a{2,}?|^$",
        "[]",
    ];
    let nested = format!("{}{}", "(".repeat(4_000), ")".repeat(4_000));
    for pattern in patterns.into_iter().chain([&*nested, &*"(".repeat(100_000)]) {
        let text =
            format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{"pattern": "{pattern}"}}}}}}}}]"#);
        assert_eq!(findings(crate::analysis::Ruleset::only(&RULE), "tools.json", &text), [], "{pattern}");
    }
}
