use crate::diagnostic::Fix;
use crate::model::Server;
use crate::rules::{Context, Sink};
use crate::syntax::{Place, insert_member};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds server entries with a `url` and without the `type` that the client asks for beside it.
    ///
    /// ## Why
    /// Claude Code takes an entry without a `type` for a program that is to be started, misses its `command` and
    /// refuses the entry. Other clients connect to the same entry, so that it looks fine where it was copied from.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"url": "https://docs.example/mcp"}}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"type": "http", "url": "https://docs.example/mcp"}}}
    /// ```
    ///
    /// ## Fix
    /// Safe: adds the `type`; `sse` where the path of the URL ends so, else `http`.
    ///
    /// ## Sources
    /// Claude Code's change log, 2.1.202; code.claude.com/docs/en/mcp.
    "missing-transport-type", Config, Server(check), Error;
    fix: Safe;
    help: "say in `type` how the URL is spoken to: `http` for most servers of today";
    since: "0.1.0";
}

fn check(server: &Server, _: &Context, out: &mut Sink) {
    let Some(url) = server.member("url").filter(|_| server.lacks_type()) else { return };
    // An empty one is missing-transport's.
    let Some(address) = url.value.as_str().filter(|address| !address.trim().is_empty()) else { return };
    let client = server.dialect.name;
    let message = format!("`{}` has a `url` and no `type`, and {client} refuses that", shown(server.name()));
    let finding = out.add(url.key.range, message);
    finding.note(format!("without a `type`, {client} expects a `command` to start"));
    finding.fix(server.dialect.word_for_url(address).map(|word| {
        let edit = insert_member(server.text, server.value, Place::First, "type", &word.into());
        Fix::safe(format!("add `\"type\": \"{word}\"`"), vec![edit])
    }));
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check_at, check_fix};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn asks_for_the_type_where_the_client_does() {
        check_at(
            &RULE,
            ".mcp.json",
            r#"
{"mcpServers": {"a": {"url": "https://a.example/mcp", "headers": {}},
                      ^^^^^ `a` has a `url` and no `type`, and Claude Code refuses that
                "b": {"type": "http", "url": "x"}, "c": {"transport": "sse", "url": "x"}, "d": {"url": ""},
                "e": {"command": "x", "url": "y"}, "f": {"serverUrl": "x"}, "g": {"url": 1}}}
"#,
        );
        for path in [".cursor/mcp.json", "claude_desktop_config.json"] {
            check_at(&RULE, path, r#"{"mcpServers": {"a": {"url": "https://a.example/mcp"}}}"#);
        }
        check_at(&RULE, ".vscode/mcp.json", r#"{"servers": {"a": {"url": "https://a.example/mcp"}}}"#);
    }

    #[test]
    fn adds_the_type_that_the_url_speaks_of() {
        let fixed = |before: &str, after: &str| {
            let file = |server: &str| format!("{{\"mcpServers\": {{\"a\": {server}}}}}\r\n");
            check_fix(&RULE, Safe, ".mcp.json", &file(before), &file(after));
        };
        fixed(r#"{"url":"https://a.example/mcp"}"#, r#"{"type":"http","url":"https://a.example/mcp"}"#);
        fixed(
            "{\r\n  \"headers\": {},\r\n  \"url\": \"https://a.example/sse\"\r\n}",
            "{\r\n  \"type\": \"sse\",\r\n  \"headers\": {},\r\n  \"url\": \"https://a.example/sse\"\r\n}",
        );
    }
}
