use super::RULE;
use crate::analysis::Ruleset;
use crate::analysis::testing::{check_at, check_fix, findings};
use crate::diagnostic::Applicability::{Safe, Suggestion};

fn file(server: &str) -> String {
    format!("{{\"mcpServers\": {{\"a\": {server}}}}}\n")
}

#[test]
fn a_path_with_spaces_is_a_program() {
    for command in [
        "npx",
        " ",
        "/Users/me/My Apps/server",
        "/Users/me/node projects/server",
        "~/Library/Application Support/tools/server",
        r"C:\\Program Files\\nodejs\\node.exe",
        r"C:\\Program Files\\My Server\\run",
        "./my server",
        "/Applications/Foo Bar.app/Contents/MacOS/foo",
        "${input:my program}",
        r#"\"/opt/my server\""#,
        "",
    ] {
        check_at(&RULE, ".mcp.json", &file(&format!(r#"{{"command": "{command}"}}"#)));
    }
    check_at(&RULE, ".mcp.json", &file(r#"{"command": ["npx", "-y x"]}"#));
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"mcpServers": {"a": {"args": [], "command": "node index.js"}}}
                                             ^^^^^^^^^^^^^^^ `node index.js` is a program with arguments
"#,
    );
}

#[test]
fn white_space_around_a_program_goes() {
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"mcpServers": {"a": {"command": " npx "}, "b": {"command": "./my server\n"}}}
                                 ^^^^^^^ the `command` of `a` starts with white space
                                                            ^^^^^^^^^^^^^^^ the `command` of `b` ends with white space
"#,
    );
    check_fix(
        &RULE,
        Safe,
        ".mcp.json",
        &file(r#"{"command": " npx ", "args": 1}"#),
        &file(r#"{"command": "npx", "args": 1}"#),
    );
}

#[test]
fn the_arguments_go_before_those_that_are_there() {
    let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, ".mcp.json", &file(before), &file(after));
    fixed(r#"{"command":"node index.js"}"#, r#"{"command":"node","args":["index.js"]}"#);
    fixed(r#"{"command": "uv run x", "args": ["-q"]}"#, r#"{"command": "uv", "args": ["run", "x", "-q"]}"#);
    fixed(
        "{\r\n  \"command\": \"npx -y\",\r\n  \"args\": [\r\n    \"docs\"\r\n  ]\r\n}",
        "{\r\n  \"command\": \"npx\",\r\n  \"args\": [\r\n    \"-y\",\r\n    \"docs\"\r\n  ]\r\n}",
    );
    fixed(
        r#"{"command": "docker run -i --name 'my docs' docs"}"#,
        r#"{"command": "docker", "args": ["run", "-i", "--name", "my docs", "docs"]}"#,
    );
    fixed(
        r#"{"command": "/usr/local/bin/node /srv/a.js"}"#,
        r#"{"command": "/usr/local/bin/node", "args": ["/srv/a.js"]}"#,
    );
    fixed(r#"{"command": "/opt/server --stdio"}"#, r#"{"command": "/opt/server", "args": ["--stdio"]}"#);
    fixed(
        r#"{"command": "C:\\Program Files\\nodejs\\npx.cmd -y docs"}"#,
        r#"{"command": "C:\\Program Files\\nodejs\\npx.cmd", "args": ["-y", "docs"]}"#,
    );
    fixed(
        r#"{"command": "\"/opt/my server/run\" --stdio"}"#,
        r#"{"command": "/opt/my server/run", "args": ["--stdio"]}"#,
    );
}

#[test]
fn what_is_not_plain_is_not_moved() {
    check_fix(
        &RULE,
        Suggestion,
        ".mcp.json",
        &file(r#"{"command": "/opt/My App/server --stdio"}"#),
        &file(r#"{"command": "/opt/My App/server", "args": ["--stdio"]}"#),
    );
    let fixes = |server: &str| findings(Ruleset::only(&RULE), ".mcp.json", &file(server))[0].fixes.len();
    assert_eq!(fixes(r#"{"command": "cd /srv && npm start"}"#), 0);
    assert_eq!(fixes(r#"{"command": "A=b npx x"}"#), 0);
    assert_eq!(fixes(r#"{"command": "npx x", "args": "y"}"#), 0);
}
