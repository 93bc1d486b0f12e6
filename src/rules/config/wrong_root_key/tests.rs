use super::RULE;
use crate::analysis::Ruleset;
use crate::analysis::testing::{check_at, check_fix, findings};
use crate::diagnostic::Applicability::{Safe, Suggestion, Unsafe};
use crate::diagnostic::Severity;

#[test]
fn names_the_key_that_the_client_reads() {
    check_at(
        &RULE,
        ".vscode/mcp.json",
        r#"
{"mcpServers": {}, "inputs": []}
 ^^^^^^^^^^^^ `mcpServers` is not read here: VS Code reads servers under `servers`
"#,
    );
    check_at(
        &RULE,
        "claude_desktop_config.json",
        r#"
{"preferences": {}, "mcp_servers": {"a": {"url": "x", "disabled": false}}}
                    ^^^^^^^^^^^^^ `mcp_servers` is not read here: Claude Desktop reads servers under `mcpServers`
"#,
    );
    check_at(
        &RULE,
        ".cursor/mcp.json",
        r#"
{"mcp": {"servers": {"a": {"url": "x"}}}}
 ^^^^^ `mcp.servers` is not read here: Cursor reads servers under `mcpServers`
"#,
    );
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"McpServer": {"a": {"command": "x"}}}
 ^^^^^^^^^^^ `McpServer` is not read here: Claude Code reads servers under `mcpServers`
"#,
    );
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"a": {"command": "x"}, "b": {"type": "http", "url": "y"}}
 ^^^ servers stand at the top here: Claude Code reads them under `mcpServers`
"#,
    );
}

#[test]
fn what_another_client_reads_is_a_warning() {
    let found = findings(Ruleset::only(&RULE), ".mcp.json", r#"{"servers": {"a": {"command": "x"}}}"#);
    assert_eq!(found[0].severity, Severity::Warning);
    assert!(found[0].notes[0].contains("Visual Studio reads `servers`"), "{:?}", found[0].notes);
    let found = findings(Ruleset::only(&RULE), ".cursor/mcp.json", r#"{"servers": {"a": {"command": "x"}}}"#);
    assert_eq!(found[0].severity, Severity::Error);
}

#[test]
fn is_silent_where_the_servers_are_found_or_none_are_meant() {
    for text in [
        r#"{"mcpServers": {"a": {"command": "x"}}, "servers": {"a": {"command": "x"}}}"#,
        r#"{"mcpServers": {}}"#,
        "{}",
        "",
        r#"[{"mcpServers": {}}"#,
        r#"{"mcpServers": }"#,
        r#"{"server": {"port": 80}, "theme": "dark"}"#,
        r#"{"servers": ["a", "b"]}"#,
        r#"{"servers": {"host": "x"}}"#,
    ] {
        check_at(&RULE, ".mcp.json", text);
    }
}

#[test]
fn the_file_is_an_object() {
    check_at(
        &RULE,
        ".vscode/mcp.json",
        r#"
[{"a": {"command": "x"}}]
^^^^^^^^^^^^^^^^^^^^^^^^^ the file has to be an object with the servers under `servers`, not an array
"#,
    );
}

#[test]
fn renames_the_key() {
    check_fix(
        &RULE,
        Safe,
        ".vscode/mcp.json",
        "{\r\n  // servers\r\n  \"mcpServers\" : {\"a\": {\"url\": \"x\"}},\r\n  \"inputs\": [],\r\n}\r\n",
        "{\r\n  // servers\r\n  \"servers\" : {\"a\": {\"url\": \"x\"}},\r\n  \"inputs\": [],\r\n}\r\n",
    );
}

#[test]
fn takes_the_servers_out_of_a_key_around_them() {
    let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, ".vscode/mcp.json", before, after);
    fixed(r#"{"mcp":{"servers":{"a":{"url":"x"}}}}"#, r#"{"servers":{"a":{"url":"x"}}}"#);
    fixed(r#"{"mcp": {"mcpServers": {}}, "inputs": []}"#, r#"{"servers": {}, "inputs": []}"#);
    fixed(
        "{\n  \"mcp\": {\n    \"inputs\": [],\n    \"servers\": {\n      \"a\": {\"url\": \"x\"}\n    },\n  }\n}\n",
        "{\n  \"inputs\": [],\n  \"servers\": {\n    \"a\": {\"url\": \"x\"}\n  }\n}\n",
    );
    let fixes = |text: &str| findings(Ruleset::only(&RULE), ".vscode/mcp.json", text)[0].fixes.len();
    assert_eq!(fixes(r#"{"mcp": {"servers": {}, "port": 1}}"#), 0, "`port` would be lost");
    assert_eq!(fixes(r#"{"mcp": {"inputs": [], "servers": {}}, "inputs": []}"#), 0, "two `inputs`");
    assert_eq!(fixes(r#"{"mcp": {/* ours */ "servers": {}}}"#), 0, "the comment would be lost");
    assert_eq!(fixes(r#"{"mcp": {"servers": {}}"#), 0, "the file is broken");
}

#[test]
fn a_server_has_a_name() {
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"command": "npx", "args": ["-y", "foo"]}
 ^^^^^^^^^ this server has no name: Claude Code reads servers by their names under `mcpServers`
"#,
    );
    check_at(
        &RULE,
        ".cursor/mcp.json",
        r#"
{"mcpServers": {"args": ["-y", "foo"], "command": "npx"}}
                ^^^^^^ this server has no name
"#,
    );
    check_at(&RULE, ".mcp.json", r#"{"mcpServers": {"command": {"command": "npx"}, "other": 1}}"#);
    let fixed = |before: &str, after: &str| check_fix(&RULE, Suggestion, ".vscode/mcp.json", before, after);
    fixed(r#"{"command": "npx", "args": []}"#, r#"{"servers": {"my-server": {"command": "npx", "args": []}}}"#);
    fixed(
        "{\n  \"servers\": {\n    \"command\": \"npx\",\n    \"args\": []\n  }\n}",
        "{\n  \"servers\": {\n    \"my-server\": {\n      \"command\": \"npx\",\n      \"args\": []\n    }\n  }\n}",
    );
}

#[test]
fn servers_stand_at_one_level() {
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"mcpServers": {"mcpServers": {"a": {"command": "x"}}, "servers": {"command": "x"}}}
                ^^^^^^^^^^^^ `mcpServers` has servers in it and counts as one server of that name
"#,
    );
    let fixed = |before: &str, after: &str| check_fix(&RULE, Unsafe, ".mcp.json", before, after);
    fixed(
        r#"{"mcpServers": {"mcpServers": {"a": {"url": "x"}}, "b": {}}}"#,
        r#"{"mcpServers": {"a": {"url": "x"}, "b": {}}}"#,
    );
    fixed(
        "{\n  \"mcpServers\": {\n    \"mcpServers\": {\n      \"a\": {\n        \"url\": \"x\"\n      },\n    }\n  }\n}",
        "{\n  \"mcpServers\": {\n    \"a\": {\n      \"url\": \"x\"\n    }\n  }\n}",
    );
}

#[test]
fn puts_the_key_around_the_servers() {
    let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, ".vscode/mcp.json", before, after);
    fixed(r#"{"a": {"url": "x"}}"#, r#"{"servers": {"a": {"url": "x"}}}"#);
    fixed(
        "{\r\n  \"a\": {\"url\": \"x\"},\r\n  \"b\": {\"url\": \"y\"}, // last\r\n}\r\n",
        "{\r\n  \"servers\": {\r\n    \"a\": {\"url\": \"x\"},\r\n    \"b\": {\"url\": \"y\"}, // last\r\n  }\r\n}\r\n",
    );
    fixed(
        "{ // ours\n\t\"a\": {\"url\": \"x\"}\n}\n",
        "{\n\t\"servers\": { // ours\n\t\t\"a\": {\"url\": \"x\"}\n\t}\n}\n",
    );
    fixed(
        "{\n    // of a\n    \"a\": {\n        \"url\": \"x\"\n    },\n\n    \"b\": {\"url\": \"y\"}\n}\n",
        "{\n    \"servers\": {\n        // of a\n        \"a\": {\n            \"url\": \"x\"\n        },\n\n        \"b\": {\"url\": \"y\"}\n    }\n}\n",
    );
    fixed("{\n\"a\": {\"url\": \"x\"}}", "{\n\"servers\": {\n  \"a\": {\"url\": \"x\"}\n}}");
}
