use super::RULE;
use crate::analysis::Ruleset;
use crate::analysis::testing::{check_at, check_fix, findings};
use crate::diagnostic::Applicability::{Safe, Suggestion};
use crate::diagnostic::Severity;

#[test]
fn tells_slips_from_the_words_of_other_clients() {
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"mcpServers": {"a": {"comand": "x", "Args": [], "url ": "z", "eniv": {}},
                      ^^^^^^^^ did you mean `command`?
                                     ^^^^^^ did you mean `args`?
                                                 ^^^^^^ white space in the key `url `: Claude Code knows `url` only
                                                              ^^^^^^ did you mean `env`?
                "b": {"transport": "stdio", "command": "x", "environment": {"T": "1"}, "disabled": true},
                      ^^^^^^^^^^^ `transport` is no key of Claude Code and is ignored; its own is `type`
                                                            ^^^^^^^^^^^^^ its own is `env`
                                                                                       ^^^^^^^^^^ the server is on all the same
                "c": {"httpUrl": "x", "tools": ["*"], "colour": "red", "env_vars": ["A"]}}}
                      ^^^^^^^^^ its own is `url`
                                      ^^^^^^^ this key is another client's
                                                      ^^^^^^^^ `colour` is no key of Claude Code and is ignored
                                                                       ^^^^^^^^^^ this key is another client's
"#,
    );
}

#[test]
fn knows_the_root_of_a_file_that_holds_nothing_else() {
    check_at(
        &RULE,
        ".vscode/mcp.json",
        r#"
{"servers": {"g": {"url": "https://e.example/mcp", "type": "http", "version": "0.0.1"}}, "input": [], "mcpServers": {}, "server": {"a": {"command": "x"}}}
                                                                                         ^^^^^^^ did you mean `inputs`?
                                                                                                      ^^^^^^^^^^^^ `mcpServers` is not read by VS Code; its servers belong under `servers`
                                                                                                                        ^^^^^^^^ `server` is not read by VS Code; its servers
"#,
    );
    check_at(&RULE, ".vscode/mcp.json", r#"{"$schema": "x", "mcpServers": {}, "_note": 1}"#);
    check_at(&RULE, "claude_desktop_config.json", r#"{"mcpServers": {}, "preferences": {}, "input": []}"#);
    check_at(&RULE, ".vscode/mcp.json", r#"{"command": "npx", "args": []}"#);
}

#[test]
fn a_second_map_of_servers_is_told_of_in_any_file() {
    let text = r#"
{"servers": {"a": {"command": "x"}}, "mcpServers": {"b": {"command": "x"}}, "context_servers": {"b": {"command": "x"}}, "mcp": {}}
 ^^^^^^^^^ `servers` is not read by
"#;
    for path in [".mcp.json", ".cursor/mcp.json", "claude_desktop_config.json"] {
        check_at(&RULE, path, text);
    }
    let severity =
        |path: &str| findings(Ruleset::only(&RULE), path, text.lines().nth(1).unwrap_or_default())[0].severity;
    assert_eq!(severity(".cursor/mcp.json"), Severity::Warning);
    assert_eq!(severity(".mcp.json"), Severity::Information, "Visual Studio reads it");
}

#[test]
fn servers_inside_a_server_are_not_removed() {
    check_at(&RULE, ".mcp.json", r#"{"mcpServers": {"mcpServers": {"a": {"command": "x"}}}}"#);
    check_at(&RULE, ".mcp.json", r#"{"mcpServers": {"command": "x", "env": {"K": "v"}}}"#);
}

#[test]
fn notes_are_left_alone() {
    let text = r#"{"mcpServers": {"a": {"command": "x", "//": "1", "_comment": "1", "$id": 1, "x-own": 1, "description": "d"}}}"#;
    let found = findings(Ruleset::only(&RULE), ".cursor/mcp.json", text);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].severity, Severity::Information);
}

#[test]
fn what_changes_nothing_is_information() {
    let text = r#"{"mcpServers": {"a": {"command": "x", "disabled": false, "autoApprove": [], "alwaysAllow": ["b"]}}}"#;
    let found = findings(Ruleset::only(&RULE), ".mcp.json", text);
    let severities = Vec::from_iter(found.iter().map(|finding| finding.severity));
    assert_eq!(severities, [Severity::Information, Severity::Information, Severity::Warning]);
}

#[test]
fn a_remote_server_where_there_are_none_is_said_once() {
    let text = r#"{"mcpServers": {"a": {"url": "x", "headers": {}, "transport": "http"}}}"#;
    check_at(&RULE, "claude_desktop_config.json", text);
    check_at(
        &RULE,
        "claude_desktop_config.json",
        r#"
{"mcpServers": {"a": {"url": "x", "command": "y"}}}
                      ^^^^^ `url` is no key of Claude Desktop and is ignored
"#,
    );
}

#[test]
fn servers_under_a_second_key_are_not_removed() {
    let found = |key: &str| {
        let text = format!(r#"{{"servers": {{"a": {{"url": "x"}}}}, "{key}": {{"b": {{"url": "x"}}}}}}"#);
        findings(Ruleset::only(&RULE), ".vscode/mcp.json", &text)
    };
    for key in ["mcpServers", "mcp", "context_servers", "Servers", "others"] {
        assert_eq!(found(key).iter().map(|finding| finding.fixes.len()).collect::<Vec<_>>(), [0], "{key}");
    }
}

#[test]
fn a_url_gets_the_type_that_the_client_asks_for() {
    let file = |server: &str| format!("{{\"mcpServers\": {{\"a\": {server}}}}}");
    let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, ".mcp.json", &file(before), &file(after));
    fixed(r#"{"serverUrl": "https://x.example"}"#, r#"{"type": "http", "url": "https://x.example"}"#);
    fixed(
        "{\n  \"headers\": {},\n  \"uri\": \"https://x.example/sse?a=/b\"\n}",
        "{\n  \"type\": \"sse\",\n  \"headers\": {},\n  \"url\": \"https://x.example/sse?a=/b\"\n}",
    );
    fixed(r#"{"ulr": "x", "type": "sse"}"#, r#"{"url": "x", "type": "sse"}"#);
    fixed(r#"{"httpUrl": "x", "transport": "sse"}"#, r#"{"url": "x", "transport": "sse"}"#);
    let in_cursor = |key: &str| file(&format!(r#"{{"{key}": "x"}}"#));
    check_fix(&RULE, Safe, ".cursor/mcp.json", &in_cursor("serverUrl"), &in_cursor("url"));
}

#[test]
fn renames_or_removes() {
    let fixed = |applicability, before: &str, after: &str| {
        let file = |server: &str| format!("{{\"mcpServers\": {{\"a\": {server}}}}}\r\n");
        check_fix(&RULE, applicability, ".cursor/mcp.json", &file(before), &file(after));
    };
    fixed(Safe, r#"{"comand": "x", "args": []}"#, r#"{"command": "x", "args": []}"#);
    fixed(Safe, r#"{"command": "node", "arguments": ["x"]}"#, r#"{"command": "node", "args": ["x"]}"#);
    fixed(Safe, r#"{"command": "node", "params": ["x"]}"#, r#"{"command": "node", "args": ["x"]}"#);
    fixed(Suggestion, r#"{"command": "node", "params": {}}"#, r#"{"command": "node"}"#);
    fixed(Safe, r#"{"type": "http", "serverUrl" : "x"}"#, r#"{"type": "http", "url" : "x"}"#);
    fixed(Suggestion, r#"{"url": "x", "serverUrl": "y"}"#, r#"{"url": "x"}"#);
    fixed(Suggestion, r#"{"disabled": false}"#, "{}");
    let text = r#"{"mcpServers": {"a": {"serverUrl": "x", "httpUrl": "y"}}}"#;
    let found = findings(Ruleset::only(&RULE), ".cursor/mcp.json", text);
    assert_eq!([found[0].fixes[0].applicability, found[1].fixes[0].applicability], [Safe, Suggestion], "one `url`");
    fixed(
        Suggestion,
        "{\r\n  \"disabled\": false, // off\r\n  \"url\": \"x\"\r\n}",
        "{\r\n  // off\r\n  \"url\": \"x\"\r\n}",
    );
}
