use super::RULE;
use crate::analysis::Ruleset;
use crate::analysis::testing::{check_at, check_fix, findings};
use crate::diagnostic::Applicability::{Safe, Suggestion};

fn file(url: &str) -> String {
    format!("{{\"servers\": {{\"a\": {{\"type\": \"http\", \"url\": \"{url}\"}}}}}}\r\n")
}

#[test]
fn a_url_can_be_connected_to() {
    for url in [
        "https://a.example/mcp",
        "HTTP://localhost:8080",
        "http://[::1]:8080/mcp",
        "https://a.example/?q=a%20b",
        "${input:the url}/mcp",
        "https://${input:the host}/mcp",
        "http://localhost:${env:PORT}/mcp",
        "<your url>",
        "unix:///run/a.sock",
        "",
        " ",
    ] {
        check_at(&RULE, ".vscode/mcp.json", &file(url));
    }
    check_at(&RULE, "claude_desktop_config.json", r#"{"mcpServers": {"a": {"url": "a.example"}}}"#);
    check_at(&RULE, ".mcp.json", r#"{"mcpServers": {"a": {"type": "ws", "url": "wss://a.example"}}}"#);
}

#[test]
fn the_message_says_what_is_wrong() {
    let says = |url: &str, words: &str| {
        let found = findings(Ruleset::only(&RULE), ".vscode/mcp.json", &file(url));
        assert!(found.len() == 1 && found[0].message.contains(words), "{url}: {found:#?}");
    };
    says(" https://a.example/mcp", "the `url` of `a` starts with white space");
    says("https://a.example/mcp\\n", "ends with white space");
    says("https://a.example/my mcp", "has white space in it");
    says("localhost:8008/mcp", "has no `http://` or `https://`");
    says("/mcp", "has no `http://` or `https://`");
    says("wss://a.example", "starts with `wss://`, which VS Code cannot connect to");
    says("file:///a", "starts with `file://`");
    says("https:///mcp", "has no host");
    says("http://localhost:PORT/mcp", "has a port that is no number");
}

#[test]
fn mends_what_is_plain() {
    let fixed = |applicability, before: &str, after: &str| {
        check_fix(&RULE, applicability, ".vscode/mcp.json", &file(before), &file(after));
    };
    fixed(Safe, " https://a.example/mcp/", "https://a.example/mcp/");
    fixed(Safe, "localhost:8008/mcp", "http://localhost:8008/mcp");
    fixed(Safe, "192.168.0.2:8008", "http://192.168.0.2:8008");
    fixed(Safe, "htps://a.example", "https://a.example");
    fixed(Safe, "http:/a.example", "http://a.example");
    fixed(Safe, "https//a.example", "https://a.example");
    fixed(Suggestion, "a.example/mcp", "https://a.example/mcp");
    fixed(Suggestion, "//a.example/mcp", "https://a.example/mcp");
    fixed(Safe, " localhost:8008 ", "http://localhost:8008");
    let fixes = |url: &str| findings(Ruleset::only(&RULE), ".vscode/mcp.json", &file(url))[0].fixes.len();
    assert_eq!(fixes("localhost:x/mcp"), 0, "there is more wrong with it");
}
