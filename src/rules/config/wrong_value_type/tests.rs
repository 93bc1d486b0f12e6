use super::RULE;
use crate::analysis::Ruleset;
use crate::analysis::testing::{check_at, check_fix, findings};
use crate::diagnostic::Applicability::{self, Safe, Suggestion};
use crate::diagnostic::Severity;

fn fixed(applicability: Applicability, before: &str, after: &str) {
    let file = |server: &str| format!("{{\"mcpServers\": {{\"a\": {server}}}}}\r\n");
    check_fix(&RULE, applicability, ".mcp.json", &file(before), &file(after));
}

#[test]
fn every_key_holds_its_kind() {
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"mcpServers": {"a": {"command": ["x"], "args": "y", "env": ["K=V"], "type": ["stdio"], "timeout": "1"},
                                 ^^^^^          ^^^         ^^^^^^^          ^^^^^^^^^             ^^^ has to be
                "b": {"command": "x", "args": ["y", 1, [true]], "env": {"P": 1, "Q": {}}, "alwaysLoad": true},
                                                    ^ value 2 of `args` has to be a string, not a number
                                                       ^^^^^^ value 3 of `args` has to be a string, not an array
                                                                             ^ `P` in `env` has to be a string
                                                                                     ^^ `Q` in `env`
                "c": {"command": "x", "args": [], "env": {}, "other": [1], "oauth": {"callbackPort": 1}}, "d": [1]}}
"#,
    );
    check_at(&RULE, ".vscode/mcp.json", r#"{"servers": {"a": {"command": "x", "env": {"P": 1, "Q": null}}}}"#);
    let found = findings(Ruleset::only(&RULE), ".cursor/mcp.json", r#"{"mcpServers": {"a": {"args": null}}}"#);
    assert_eq!(found[0].severity, Severity::Warning);
    check_at(&RULE, ".mcp.json", r#"{"mcpServers": {"a": {"args": , "env": }}}"#);
}

#[test]
fn words_become_an_array() {
    fixed(Safe, r#"{"args": "-y docs@1.0.0"}"#, r#"{"args": ["-y", "docs@1.0.0"]}"#);
    fixed(Safe, r#"{"args":"--name 'a b' /srv/data"}"#, r#"{"args":["--name","a b","/srv/data"]}"#);
    fixed(Safe, r#"{"args": ""}"#, r#"{"args": []}"#);
    fixed(Safe, r#"{"args": 8080}"#, r#"{"args": ["8080"]}"#);
    fixed(Suggestion, r#"{"args": "/srv/my data"}"#, r#"{"args": ["/srv/my", "data"]}"#);
    fixed(Safe, r#"{"args": ["-p", 8080]}"#, r#"{"args": ["-p", "8080"]}"#);
    fixed(Suggestion, r#"{"args": ["-p", null]}"#, r#"{"args": ["-p"]}"#);
}

#[test]
fn an_array_becomes_what_it_holds() {
    fixed(Safe, r#"{"type": ["stdio"]}"#, r#"{"type": "stdio"}"#);
    fixed(Safe, r#"{"command": ["npx", "-y", "x"]}"#, r#"{"command": "npx", "args": ["-y", "x"]}"#);
    fixed(Safe, r#"{"command": ["npx", "-y"], "args": ["x"]}"#, r#"{"command": "npx", "args": ["-y", "x"]}"#);
    fixed(Safe, r#"{"env": ["A=b=c", "D="]}"#, r#"{"env": {"A": "b=c", "D": ""}}"#);
    fixed(Safe, r#"{"env": [{"name": "A", "value": 1}, {"B": "c"}]}"#, r#"{"env": {"A": "1", "B": "c"}}"#);
    fixed(Safe, r#"{"env": []}"#, r#"{"env": {}}"#);
    fixed(Safe, r#"{"headers": "X-Key: a:b"}"#, r#"{"headers": {"X-Key": "a:b"}}"#);
    fixed(Safe, r#"{"timeout": "5000"}"#, r#"{"timeout": 5000}"#);
    fixed(Safe, r#"{"alwaysLoad": "True"}"#, r#"{"alwaysLoad": true}"#);
    fixed(Safe, r#"{"env": {"DEBUG": true}}"#, r#"{"env": {"DEBUG": "true"}}"#);
}

#[test]
fn what_is_not_plain_is_left_to_a_person() {
    for server in [
        r#"{"type": ["stdio", "http"]}"#,
        r#"{"type": {}}"#,
        r#"{"args": "a && b"}"#,
        r#"{"args": {}}"#,
        r#"{"type": 5}"#,
        r#"{"headersHelper": 3}"#,
        r#"{"env": ["A=1", "A=2"]}"#,
        r#"{"env": ["A"]}"#,
        r#"{"env": 1}"#,
        r#"{"env": {"A": [1]}}"#,
        r#"{"timeout": "30s"}"#,
        r#"{"command": []}"#,
        r#"{"command": ["npx", "-y"], "args": "x"}"#,
    ] {
        let found = findings(Ruleset::only(&RULE), ".mcp.json", &format!("{{\"mcpServers\": {{\"a\": {server}}}}}"));
        assert!(found[0].fixes.is_empty(), "{server}: {found:#?}");
    }
}

#[test]
fn servers_are_members() {
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"mcpServers": [{"name": "a", "command": "x"}]}
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `mcpServers` has to be an object of names and servers, not an array
"#,
    );
    check_fix(
        &RULE,
        Safe,
        ".vscode/mcp.json",
        "{\r\n  \"servers\": [\r\n    // ours\r\n    {\"name\": \"a\", \"command\": \"x\"},\r\n    {\r\n      \"url\": \"y\",\r\n      \"name\": \"b\"\r\n    },\r\n  ]\r\n}",
        "{\r\n  \"servers\": {\r\n    // ours\r\n    \"a\": {\"command\": \"x\"},\r\n    \"b\": {\r\n      \"url\": \"y\"\r\n    },\r\n  }\r\n}",
    );
    check_fix(&RULE, Safe, ".mcp.json", r#"{"mcpServers": []}"#, r#"{"mcpServers": {}}"#);
    for servers in [
        r#"[{"command": "x"}]"#,
        r#"[{"name": "a"}]"#,
        r#"[1]"#,
        r#"[{"name": "a", "url": "x"}, {"name": "a", "url": "x"}]"#,
        "1",
    ] {
        let found = findings(Ruleset::only(&RULE), ".mcp.json", &format!("{{\"mcpServers\": {servers}}}"));
        assert!(found[0].fixes.is_empty(), "{servers}: {found:#?}");
    }
}
