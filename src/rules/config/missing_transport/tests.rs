use super::RULE;
use crate::analysis::testing::{check_at, check_fix};
use crate::diagnostic::Applicability::Suggestion;

#[test]
fn points_at_the_name() {
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"mcpServers": {"a": {"args": ["x"]}, "b": {}, "c": {"command": "x"}, "d": {"url": "y"}}}
                ^^^ `a` has neither a `command` to start nor a `url` to connect to
                                      ^^^ `b`
"#,
    );
    check_at(
        &RULE,
        "claude_desktop_config.json",
        r#"
{"mcpServers": {"a": {"args": ["x"]},
                ^^^ `a` has no `command`, so Claude Desktop cannot start it
                "b": {"type": "http", "url": "https://x.example/mcp"}}}
                ^^^ `b` has a `url`, which Claude Desktop does not read from this file, and no `command`
"#,
    );
}

#[test]
fn what_is_empty_or_no_object_is_no_server() {
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"mcpServers": {"a": {"command": ""}, "b": {"url": " ", "type": "http"}, "c": {"command": "", "url": "y"}, "d": {"url": 1},
                                 ^^ the `command` of `a` is empty
                                                   ^^^ the `url` of `b` is empty
                "e": null, "f": "npx foo", "g": ["npx"], "h": true, "_comment": "x", "i": nul}}
                     ^^^^ `e` has to be an object with `command` or `url`, not null
                                ^^^^^^^^^ not a string
                                                ^^^^^^^ not an array
                                                              ^^^^
"#,
    );
    check_at(
        &RULE,
        "claude_desktop_config.json",
        r#"
{"mcpServers": {"a": {"command": "", "url": "x"}, "b": "npx"}}
                                 ^^ the `command` of `a` is empty
                                                       ^^^^^ an object with a `command`, not a string
"#,
    );
    check_at(&RULE, ".mcp.json", r#"{"mcpServers": {"a": ["npx", "b": {"command": ""}}"#);
}

#[test]
fn leaves_other_words_and_slips_to_the_rule_for_keys() {
    let text =
        r#"{"mcpServers": {"a": {"comand": "x"}, "b": {"httpUrl ": "x"}, "c": {"uri": "x"}, "d": {"URL": "x"}}}"#;
    check_at(&RULE, ".mcp.json", text);
    check_at(&RULE, "claude_desktop_config.json", r#"{"mcpServers": {"a": {"cmd": "x"}, "b": {"Command": "x"}}}"#);
}

#[test]
fn adds_a_command() {
    let fixed = |before: &str, after: &str| {
        let file = |server: &str| format!(r#"{{"mcpServers": {{"a": {server}}}}}"#);
        check_fix(&RULE, Suggestion, ".mcp.json", &file(before), &file(after));
    };
    fixed("{}", r#"{"command": "…"}"#);
    fixed(r#"{"env": {}}"#, r#"{"command": "…", "env": {}}"#);
    fixed("{\r\n    \"env\": {}\r\n  }", "{\r\n    \"command\": \"…\",\r\n    \"env\": {}\r\n  }");
    check_fix(
        &RULE,
        Suggestion,
        "claude_desktop_config.json",
        r#"{"mcpServers": {"a": {"url": "https://x.example/mcp"}}}"#,
        r#"{"mcpServers": {"a": {"command": "npx", "args": ["-y", "mcp-remote", "https://x.example/mcp"]}}}"#,
    );
}
