use crate::diagnostic::Fix;
use crate::model::Server;
use crate::rules::{Context, Sink};
use crate::text::{Edit, nearest, shown};

rule! {
    /// ## What it does
    /// Finds server entries that say neither which program to start nor which URL to connect to.
    ///
    /// ## Why
    /// The client cannot reach such a server. Some clients skip it without a word, some refuse to start.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"args": ["docs-server@1.0.0"]}}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}}
    /// ```
    ///
    /// ## Fix
    /// A suggestion: a `command` for you to fill in; in a file that has no remote servers, a bridge to the URL.
    ///
    /// ## Sources
    /// The sources of the clients' dialects; openai/codex issue 29396, tadata-org/fastapi_mcp issue 6.
    "missing-transport", Config, Server(check), Error;
    fix: Suggestion;
    help: "give the server a `command` that starts it, or a `url` where the client reads one";
    since: "0.1.0";
}

/// Words of other clients for how a server is reached; unknown-key speaks of them.
const OTHER_WORDS: &[&str] = &["cmd", "serverUrl", "httpUrl", "uri"];

fn check(server: &Server, _: &Context, out: &mut Sink) {
    let name = shown(server.name());
    let dialect = server.dialect;
    if server.member("command").is_some() || dialect.remote && server.member("url").is_some() {
        return;
    }
    let own = || ["command", "url"].into_iter().filter(|key| dialect.has_server_key(key));
    let is_meant = |key: &str| {
        nearest(key.trim(), own()).is_some() || OTHER_WORDS.contains(&key.trim()) && (dialect.remote || key == "cmd")
    };
    let keys = || server.value.members().iter().map(|member| &*member.key.name);
    if keys().any(is_meant) {
        return;
    }
    let start = server.value.range.start + 1;
    let gap = server.value.members().first().map(|first| &server.text[start..first.key.range.start]);
    let command = match gap {
        None => "\"command\": \"…\"".to_owned(),
        Some(gap) if gap.trim().is_empty() => format!("{gap}\"command\": \"…\","),
        Some(_) => "\"command\": \"…\",".to_owned(),
    };
    let insert = Fix::suggestion("add a `command`", vec![Edit::insert(start, command)]);
    if dialect.remote {
        out.add(server.range(), format!("`{name}` has neither a `command` to start nor a `url` to connect to"))
            .fix(insert);
        return;
    }
    let client = dialect.name;
    let Some(url) = server.member("url") else {
        out.add(server.range(), format!("`{name}` has no `command`, so {client} cannot start it")).fix(insert);
        return;
    };
    let bridge = url.value.as_str().filter(|_| server.member("args").is_none()).map(|_| {
        let address = &server.text[url.value.range.as_usize()];
        let bridge = format!("\"command\": \"npx\", \"args\": [\"-y\", \"mcp-remote\", {address}]");
        Fix::suggestion("reach the URL through `mcp-remote`", vec![Edit::replace(url.range(), bridge)])
    });
    out.add(
        server.range(),
        format!("`{name}` has a `url`, which {client} does not read from this file, and no `command`"),
    )
    .note(format!("add a remote server in the settings of {client}, or start a program that connects to it"))
    .fix(bridge)
    .fix(insert);
}

#[cfg(test)]
mod tests {
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
        fixed(r#"{"env": {}}"#, r#"{"command": "…","env": {}}"#);
        fixed("{\r\n    \"env\": {}\r\n  }", "{\r\n    \"command\": \"…\",\r\n    \"env\": {}\r\n  }");
        check_fix(
            &RULE,
            Suggestion,
            "claude_desktop_config.json",
            r#"{"mcpServers": {"a": {"url": "https://x.example/mcp"}}}"#,
            r#"{"mcpServers": {"a": {"command": "npx", "args": ["-y", "mcp-remote", "https://x.example/mcp"]}}}"#,
        );
    }
}
