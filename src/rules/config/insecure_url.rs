use crate::diagnostic::Fix;
use crate::model::Server;
use crate::rules::config::address::{Address, is_open};
use crate::rules::{Context, Sink};
use crate::text::{Edit, TextRange, shown};

rule! {
    /// ## What it does
    /// Finds servers that are reached over plain `http` though they are neither on this machine nor in the own network.
    ///
    /// ## Why
    /// Whoever is on the way can read what is sent, tokens in `headers` included, and change the tools that the model
    /// is told of.
    ///
    /// ## Bad
    /// ```json .vscode/mcp.json
    /// {"servers": {"docs": {"type": "http", "url": "http://docs.example/mcp"}}}
    /// ```
    ///
    /// ## Good
    /// ```json .vscode/mcp.json
    /// {"servers": {"docs": {"type": "http", "url": "https://docs.example/mcp"}}}
    /// ```
    ///
    /// ## Fix
    /// Unsafe, since the server has to answer there: `https`.
    ///
    /// ## Sources
    /// MCP 2026-07-28, authorization: endpoints are served over HTTPS; RFC 1918 and RFC 6762 for what is near.
    "insecure-url", Config, Server(check), Warning;
    fix: Unsafe;
    help: "use `https` where the server offers it";
    since: "0.1.0";
}

fn check(server: &Server, _: &Context, out: &mut Sink) {
    let Some(url) = server.member("url").filter(|_| server.dialect.remote) else { return };
    let Some(address) = url.value.as_str().and_then(|text| Address::of(text.trim())) else { return };
    let secure = match &*address.scheme.to_ascii_lowercase() {
        "http" => "https",
        "ws" => "wss",
        _ => return,
    };
    if address.host.is_empty() || is_open(address.host) || address.is_near() {
        return;
    }
    let (scheme, host) = (address.scheme, shown(address.host));
    let finding =
        out.add(url.value.range, format!("`{host}` is reached over `{scheme}`, which anyone on the way can read"));
    if server.member("headers").is_some_and(|headers| !headers.value.members().is_empty()) {
        finding.note("the `headers` are sent in the clear as well");
    }
    // Where it is written with escapes, it is not where it seems to be.
    let raw = &server.text[url.value.range.as_usize()];
    let fix = raw.find("://").filter(|end| raw[..*end].ends_with(scheme)).map(|end| {
        let range = TextRange::new(end - scheme.len(), end).shifted(url.value.range.start);
        Fix::unsafe_(format!("use `{secure}`"), vec![Edit::replace(range, secure)])
    });
    finding.fix(fix);
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check_at, check_fix};
    use crate::diagnostic::Applicability::Unsafe;

    #[test]
    fn what_is_far_is_reached_securely() {
        check_at(
            &RULE,
            ".mcp.json",
            r#"
{"mcpServers": {"a": {"type": "http", "url": "http://a.example:8080/mcp?key=x", "headers": {"X": "y"}},
                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `a.example` is reached over `http`, which anyone on the way can read the `headers` are sent
                "b": {"type": "ws", "url": "ws://203.0.113.7"}, "c": {"type": "http", "url": "https://a.example"},
                                           ^^^^^^^^^^^^^^^^^^
                "d": {"type": "http", "url": "http://localhost:1/mcp"}, "e": {"type": "http", "url": "http://${HOST}/mcp"},
                "f": {"type": "http", "url": "http:///mcp"}, "g": {"type": "http", "url": 1}, "h": {"command": "x"}}}
"#,
        );
        check_at(&RULE, "claude_desktop_config.json", r#"{"mcpServers": {"a": {"url": "http://a.example"}}}"#);
    }

    #[test]
    fn only_the_scheme_changes() {
        let file = |url: &str| format!("{{\"mcpServers\": {{\"a\": {{\"url\": \"{url}\"}}}}}}");
        check_fix(
            &RULE,
            Unsafe,
            ".cursor/mcp.json",
            &file("http://a.example/é?u=http://b"),
            &file("https://a.example/é?u=http://b"),
        );
    }
}
