use super::RULE;
use crate::analysis::Ruleset;
use crate::analysis::testing::{check, check_at, check_fix, findings};
use crate::diagnostic::Applicability::{Safe, Suggestion, Unsafe};

#[test]
fn marks_the_shadowed_key_at_any_depth() {
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"mcpServers": {"a": {"command": "x", "env": {"K": "1", "K": "2"}}, "b": {"url": "y"}, "a": {"command": "z"}}}
                                              ^^^ `K` comes again later
                ^^^ Claude Code keeps the last one
"#,
    );
    check(
        &RULE,
        r#"
[{"name": "a", "inputSchema": {"properties": {"x": {"enum": [{"q": 1, "\u0071": 2}]}, "x": {}}}, "X": 1}]
                                              ^^^ JSON parsers
                                                              ^^^ JSON parsers
"#,
    );
}

#[test]
fn every_shadowed_one_of_many_is_marked() {
    let keys = |from: usize| (from..12).map(|key| format!("\"{key}\": 1")).collect::<Vec<_>>().join(", ");
    let before = format!("[{{\"name\": \"a\", \"inputSchema\": {{}}, \"x\": {{\"11\": 1, {}}}}}]", keys(0));
    let after = format!("[{{\"name\": \"a\", \"inputSchema\": {{}}, \"x\": {{{}}}}}]", keys(0));
    check_fix(&RULE, Safe, "tools.json", &before, &after);
}

#[test]
fn the_shadowed_one_goes() {
    let fixed = |before: &str, after: &str| check_fix(&RULE, Unsafe, ".vscode/mcp.json", before, after);
    fixed(
        "{\r\n  \"servers\": {\r\n    // old\r\n    \"a\": {\"command\": \"x\"},\r\n    // new\r\n    \"a\": {\"command\": \"y\"}\r\n  }\r\n}\r\n",
        "{\r\n  \"servers\": {\r\n    // old\r\n    // new\r\n    \"a\": {\"command\": \"y\"}\r\n  }\r\n}\r\n",
    );
    fixed(
        r#"{"servers": {"a": {"url": "x", "type": "sse", "url": "y"}}}"#,
        r#"{"servers": {"a": {"type": "sse", "url": "y"}}}"#,
    );
}

#[test]
fn a_second_server_may_get_another_name() {
    check_fix(
        &RULE,
        Suggestion,
        ".mcp.json",
        r#"{"mcpServers": {"a": {"url": "x"}, "a-2": {}, "a": {"url": "y"}}}"#,
        r#"{"mcpServers": {"a-3": {"url": "x"}, "a-2": {}, "a": {"url": "y"}}}"#,
    );
}

#[test]
fn what_says_nothing_more_goes_safely() {
    let file = |server: &str| format!(r#"{{"mcpServers": {{"a": {server}}}}}"#);
    let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, ".mcp.json", &file(before), &file(after));
    fixed(r#"{"command": "", "command": "x"}"#, r#"{"command": "x"}"#);
    fixed(r#"{"env": {"K": "1"}, "env": {"L": "2", "K": "1"}}"#, r#"{"env": {"L": "2", "K": "1"}}"#);
    fixed(r#"{"args": ["x", 1], "args": [ "x", 1 ]}"#, r#"{"args": [ "x", 1 ]}"#);
    check_fix(
        &RULE,
        Safe,
        ".mcp.json",
        r#"{"mcpServers": {"a": {"command": "x"}, "a": {"args": [], "command": "x"}}}"#,
        r#"{"mcpServers": {"a": {"args": [], "command": "x"}}}"#,
    );
    for server in [
        r#"{"command": "x", "command": ""}"#,
        r#"{"env": {"K": "1"}, "env": {"K": "2"}}"#,
        r#"{"args": ["x"], "args": ["x", "y"]}"#,
    ] {
        let found = findings(Ruleset::only(&RULE), ".mcp.json", &file(server));
        assert!(found[0].fixes.iter().all(|fix| fix.applicability == Unsafe), "{server}: {found:#?}");
    }
}

#[test]
fn two_maps_or_lists_become_one() {
    let fixed = |path: &str, before: &str, after: &str| check_fix(&RULE, Unsafe, path, before, after);
    fixed(
        ".mcp.json",
        r#"{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {"b": {"command": "y"}}}"#,
        r#"{"mcpServers": {"b": {"command": "y"}, "a": {"command": "x"}}}"#,
    );
    fixed(
        ".mcp.json",
        "{\r\n  \"mcpServers\": {\r\n    \"a\": {}\r\n  },\r\n  \"mcpServers\": {\r\n    \"b\": {}\r\n  }\r\n}",
        "{\r\n  \"mcpServers\": {\r\n    \"b\": {},\r\n    \"a\": {}\r\n  }\r\n}",
    );
    fixed(".mcp.json", r#"{"mcpServers": {"a": {}}, "mcpServers": {}}"#, r#"{"mcpServers": {"a": {}}}"#);
    let tool = |name: &str| format!(r#"{{"name": "{name}", "inputSchema": {{}}}}"#);
    let (a, b) = (tool("a"), tool("b"));
    fixed("tools.json", &format!(r#"{{"tools": [{a}], "tools": [{b}]}}"#), &format!(r#"{{"tools": [{b}, {a}]}}"#));
    // With a server of one name in both, one would be lost.
    fixed(
        ".mcp.json",
        r#"{"mcpServers": {"a": {"url": "x"}}, "mcpServers": {"a": {"url": "y"}}}"#,
        r#"{"mcpServers": {"a": {"url": "y"}}}"#,
    );
    let text = r#"{"mcpServers": {"a": {"url": "x"}}, "mcpServers": {"a": {"url": "y"}}}"#;
    let fixes = &findings(Ruleset::only(&RULE), ".mcp.json", text)[0].fixes;
    assert_eq!(fixes.len(), 1, "no other name for the root key: {fixes:?}");
}
