use crate::diagnostic::Fix;
use crate::model::Server;
use crate::model::dialect::{is_note, is_root_key};
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Place, insert_member};
use crate::text::{Edit, nearest, shown};

rule! {
    /// ## What it does
    /// Finds server entries that say neither which program to start nor which URL to connect to, or leave it empty,
    /// and entries that are no objects.
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
    // wrong-root-key says where these belong.
    if server.is_stray_key() || is_root_key(server.name()) && server.holds_servers() {
        return;
    }
    let name = shown(server.name());
    let dialect = server.dialect;
    if !server.value.is_object() {
        // A note among the servers is no server.
        if !is_note(server.name()) {
            let kind = server.value.kind_name();
            let what = if dialect.remote { "`command` or `url`" } else { "a `command`" };
            out.add(server.value.range, format!("`{name}` has to be an object with {what}, not {kind}"));
        }
        return;
    }
    let is_empty = |member: &&Member| member.value.as_str().is_some_and(|text| text.trim().is_empty());
    let given = || ["command", "url"].into_iter().filter(|key| dialect.remote || *key == "command");
    let given = || given().filter_map(|key| server.member(key));
    if let Some(empty) = given().find(is_empty).filter(|_| given().all(|member| is_empty(&member))) {
        out.add(empty.value.range, format!("the `{}` of `{name}` is empty", empty.key.name));
        return;
    }
    if given().next().is_some() {
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
    let command = insert_member(server.text, server.value, Place::First, "command", &"…".into());
    let insert = Fix::suggestion("add a `command`", vec![command]);
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
mod tests;
