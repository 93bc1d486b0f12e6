use crate::diagnostic::Fix;
use crate::model::Server;
use crate::model::dialect::Transport;
use crate::rules::{Context, Sink};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds a `type` that the client does not know, such as another client's word, one that speaks of a URL where the
    /// entry has a `command`, or the other way round, and one that does not go with the start of the URL: `http` with
    /// `wss`.
    ///
    /// ## Why
    /// Each client has its own words for the same ways to reach a server: `http`, `streamable-http`, `streamableHttp`,
    /// `remote`. An entry with another client's word is refused or taken for something to start.
    ///
    /// ## Bad
    /// ```json .vscode/mcp.json
    /// {"servers": {"docs": {"type": "streamable-http", "url": "https://docs.example/mcp"}}}
    /// ```
    ///
    /// ## Good
    /// ```json .vscode/mcp.json
    /// {"servers": {"docs": {"type": "http", "url": "https://docs.example/mcp"}}}
    /// ```
    ///
    /// ## Fix
    /// Safe: this client's word for what the entry is. None where neither the word nor the entry tells.
    ///
    /// ## Sources
    /// The sources of the clients' dialects. Claude Code takes `streamable-http` for `http`: anthropics/claude-code
    /// issue 45836.
    "invalid-transport-type", Config, Server(check), Error;
    fix: Safe;
    help: "use the client's own word in `type`, the one for a `command` or the one for a `url`";
    since: "0.1.0";
}

fn check(server: &Server, _: &Context, out: &mut Sink) {
    let dialect = server.dialect;
    let Some(kind) = server.member("type").filter(|_| !dialect.transports.is_empty()) else { return };
    let Some(word) = kind.value.as_str() else { return };
    let has =
        |own: &str| {
            let is_own = |key: &str| key == own || dialect.own_word(key) == Some(own);
            let is_empty = |text: &str| text.trim().is_empty();
            server.value.members().iter().any(|member| {
                is_own(member.key.name.trim()) && member.value.as_str().is_some_and(|text| !is_empty(text))
            })
        };
    let meant = Transport::meant(word);
    let url = server.value.get("url").and_then(|url| url.as_str());
    // What the client cannot connect to at all is invalid-url's.
    let scheme = url.and_then(|url| url.split_once("://")).map(|(scheme, _)| scheme);
    let scheme = scheme.filter(|scheme| dialect.url_schemes.contains(scheme));
    let goes_with = |said: Transport, scheme: &str| {
        (said == Transport::WebSocket) == matches!(scheme, "ws" | "wss") || said == Transport::Stdio
    };
    // What the entry itself says it is.
    let transport = match (has("command"), has("url")) {
        (true, false) => Some(Transport::Stdio),
        (false, true) => {
            let spoken = meant.filter(|meant| *meant != Transport::Stdio && dialect.word_for(*meant).is_some());
            let spoken = spoken.filter(|meant| scheme.is_none_or(|scheme| goes_with(*meant, scheme)));
            spoken.or_else(|| url.map(Transport::of_url)).or(Some(Transport::Http))
        }
        _ => meant,
    };
    let is_started = transport == Some(Transport::Stdio);
    let (name, quoted) = (shown(server.name()), shown(word));
    let message = match dialect.transport(word) {
        None if word.trim().is_empty() => format!("the `type` of `{name}` is empty"),
        None => format!("`{quoted}` is no `type` of {}", dialect.name),
        Some(said) if !has("command") && scheme.is_some_and(|scheme| !goes_with(said, scheme)) => {
            let scheme = scheme.unwrap_or_default();
            format!("`{quoted}` does not go with the `url` of `{name}`, which starts with `{scheme}://`")
        }
        Some(said) if transport.is_none() || (said == Transport::Stdio) == is_started => return,
        Some(_) if is_started => format!("`{quoted}` is for a `url`, and `{name}` has a `command`"),
        Some(_) => format!("`{quoted}` is for a `command`, and `{name}` has a `url`"),
    };
    let words: Vec<String> = dialect.transports.iter().map(|(word, _)| format!("`{word}`")).collect();
    out.add(kind.value.range, message).note(format!("{} knows {}", dialect.name, words.join(", "))).fix(
        transport.and_then(|transport| dialect.word_for(transport)).map(|word| {
            Fix::safe(format!("replace by `{word}`"), vec![Edit::replace(kind.value.range, format!("\"{word}\""))])
        }),
    );
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check_at, check_fix};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn every_client_has_its_words() {
        check_at(
            &RULE,
            ".vscode/mcp.json",
            r#"
{"servers": {"a": {"type": "streamable-http", "url": "https://a.example"}, "b": {"type": "", "command": "x"},
                           ^^^^^^^^^^^^^^^^^ `streamable-http` is no `type` of VS Code VS Code knows `stdio`, `http`, `sse`
                                                                                         ^^ the `type` of `b` is empty
             "c": {"type": "http", "url": "x"}, "d": {"type": "stdio", "command": "x"}, "e": {"type": 1, "url": "x"}}}
"#,
        );
        check_at(
            &RULE,
            ".mcp.json",
            r#"
{"mcpServers": {"a": {"type": "streamable-http", "url": "https://a.example"}, "b": {"type": "docker"},
                                                                                            ^^^^^^^^ `docker` is no `type`
                "c": {"type": "ws", "url": "wss://a.example"}}}
"#,
        );
        let any =
            r#"{"mcpServers": {"a": {"type": "streamableHttp", "url": "x"}, "b": {"type": "x", "command": "y"}}}"#;
        check_at(&RULE, ".cursor/mcp.json", any);
        check_at(&RULE, "claude_desktop_config.json", any);
    }

    #[test]
    fn the_word_fits_the_entry() {
        check_at(
            &RULE,
            ".mcp.json",
            r#"
{"mcpServers": {"a": {"type": "stdio", "url": "https://a.example"}, "b": {"type": "sse", "command": "x"},
                              ^^^^^^^                                             ^^^^^
                "c": {"type": "http", "command": "x", "url": "y"}, "d": {"type": "http"}, "e": {"type": "http", "serverUrl": "x"}}}
"#,
        );
    }

    #[test]
    fn the_word_fits_the_start_of_the_url() {
        check_at(
            &RULE,
            ".mcp.json",
            r#"
{"mcpServers": {"a": {"type": "http", "url": "wss://a.example"}, "b": {"type": "ws", "url": "https://a.example"},
                              ^^^^^^ `http` does not go with the `url` of `a`, which starts with `wss://`
                                                                               ^^^^
                "c": {"type": "http", "url": "${WSS}"}, "d": {"type": "sse", "url": "https://a.example"},
                "e": {"type": "http", "url": "ftp://a.example"}}}
"#,
        );
        check_at(&RULE, ".vscode/mcp.json", r#"{"servers": {"a": {"type": "http", "url": "wss://a.example"}}}"#);
        let file =
            |word: &str| format!(r#"{{"mcpServers": {{"a": {{"type": "{word}", "url": "wss://a.example/sse"}}}}}}"#);
        check_fix(&RULE, Safe, ".mcp.json", &file("http"), &file("ws"));
    }

    #[test]
    fn the_clients_own_word_takes_its_place() {
        let fixed = |before: &str, after: &str| {
            let file = |server: &str| format!("{{\"servers\": {{\"a\": {{\"type\": {server}}}}}}}");
            check_fix(&RULE, Safe, ".vscode/mcp.json", &file(before), &file(after));
        };
        fixed(r#""streamableHttp", "url": "https://a.example/sse""#, r#""http", "url": "https://a.example/sse""#);
        fixed(r#""SSE", "url": "https://a.example""#, r#""sse", "url": "https://a.example""#);
        fixed(r#""stdio", "url": "https://a.example/sse""#, r#""sse", "url": "https://a.example/sse""#);
        fixed(r#""local", "command": "x""#, r#""stdio", "command": "x""#);
        fixed(r#""docker", "command": "docker""#, r#""stdio", "command": "docker""#);
        fixed(r#""http", "command": "x""#, r#""stdio", "command": "x""#);
    }
}
