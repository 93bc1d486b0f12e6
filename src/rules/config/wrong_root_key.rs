use crate::diagnostic::{Fix, Severity};
use crate::model::dialect::is_root_key;
use crate::model::{Root, Server};
use crate::rules::{Context, Document, Sink};
use crate::syntax::{Member, Value};
use crate::text::{Edit, TextRange, shown};

mod layout;

use layout::{lifted, unwrapped, wrapped};

rule! {
    /// ## What it does
    /// Finds config files whose servers stand under a key that the client does not read: `mcpServers` in VS Code's
    /// `mcp.json`, `servers` in `.mcp.json`, `mcpServer`, or no key at all; one server without a name; `mcpServers`
    /// inside `mcpServers`. Finds a list or anything else in the place of the object that the file has to be, too.
    ///
    /// ## Why
    /// The file is valid JSON, so nobody complains: the client just shows no servers. Every client has its own key,
    /// and instructions on the web are for one of them.
    ///
    /// ## Bad
    /// ```json .vscode/mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}}
    /// ```
    ///
    /// ## Good
    /// ```json .vscode/mcp.json
    /// {"servers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}}
    /// ```
    ///
    /// ## Fix
    /// Safe: renames the key, takes the servers out of a key around it, or puts the key around them. Where another
    /// client reads the file as it is, this is a warning; keep what the client that you use reads. Unsafe: takes servers
    /// out of an entry around them. A suggestion: a name for a server that has none.
    ///
    /// ## Sources
    /// The sources of the clients' dialects; microsoft/vscode issue 261857 asks for a map of these keys.
    "wrong-root-key", Config, Config(check, check_server), Error;
    fix: Safe;
    help: "put the servers under the key that the client reads";
    since: "0.1.0";
}

fn check(document: &Document, _: &Context, out: &mut Sink) {
    let dialect = document.dialect;
    let root_key = dialect.root_key();
    match document.root {
        Root::Missing => check_kind(document, out),
        Root::Found => {
            check_kind(document, out);
            check_names(document, out);
        }
        Root::Nameless => {
            let root = &document.reading.value;
            let key = ["command", "url"].into_iter().find_map(|key| root.member(key));
            if let (Some(key), [own]) = (key, dialect.roots[0]) {
                nameless(document, root, key.key.range, &[own, NAME], out);
            }
        }
        Root::Foreign(path) => {
            let Some(outer) = document.members().iter().rfind(|member| path.first() == Some(&member.key.name)) else {
                return;
            };
            let written = path.join(".");
            let quoted = shown(&written);
            let other = dialect.other_readers.iter().find(|(key, _)| *key == written).map(|(_, reader)| *reader);
            let severity = if other.is_some() { Severity::Warning } else { RULE.severity };
            let message = format!("`{quoted}` is not read here: {} reads servers under `{root_key}`", dialect.name);
            let finding = out.add_as(severity, outer.key.range, message);
            match other {
                Some(reader) => finding.note(format!(
                    "{reader} reads `{quoted}` in a file of this name; a file for both clients needs both keys"
                )),
                None => finding.note(format!("{} shows none of these servers, and no error", dialect.name)),
            };
            // Where a quote is missing, a word may not be the key that it seems to be.
            let is_key = document.text[outer.key.range.as_usize()].starts_with('"')
                || !document.reading.errors.iter().any(|error| error.kind.is_structural());
            let edits = match (dialect.roots[0], path.as_slice()) {
                ([own], [_]) if is_key => Some(vec![Edit::replace(outer.key.range, format!("\"{own}\""))]),
                ([own], [_, inner]) => unwrapped(document, outer, inner, own),
                _ => None,
            };
            finding.fix(edits.map(|edits| Fix::safe(format!("rename `{quoted}` to `{root_key}`"), edits)));
        }
        Root::Bare => {
            let Some(first) = document.members().first() else { return };
            let message = format!("servers stand at the top here: {} reads them under `{root_key}`", dialect.name);
            let finding = out.add(first.key.range, message);
            if let [own] = dialect.roots[0] {
                let fix = wrapped(document, &document.reading.value, &[own])
                    .map(|edits| Fix::safe(format!("put the servers into `{own}`"), edits));
                finding.fix(fix);
            }
        }
    }
}

/// What a server is called until somebody knows better.
const NAME: &str = "my-server";

/// Finds the keys of a server among the servers.
fn check_names(document: &Document, out: &mut Sink) {
    for path in document.dialect.roots {
        let servers = path.iter().try_fold(&document.reading.value, |value, key| value.get(key));
        let Some(servers) = servers else { continue };
        let is_stray = |member: &&Member| {
            document.dialect.has_server_key(&member.key.name)
                && !document.text[member.value.range.as_usize()].starts_with('{')
                && !member.value.range.is_empty()
        };
        if let Some(stray) = servers.members().iter().find(is_stray) {
            nameless(document, servers, stray.key.range, &[NAME], out);
        }
    }
}

/// Tells of a server without a name, whose keys `object` has. `names` are what is missing around them.
fn nameless(document: &Document, object: &Value, range: TextRange, names: &[&str], out: &mut Sink) {
    let (client, own) = (document.dialect.name, document.dialect.root_key());
    let message = format!("this server has no name: {client} reads servers by their names under `{own}`");
    let is_key = |member: &Member| document.dialect.has_server_key(&member.key.name);
    let fix = object.members().iter().all(is_key).then(|| wrapped(document, object, names)).flatten();
    out.add(range, message).fix(fix.map(|edits| Fix::suggestion("give the server a name", edits)));
}

fn check_server(server: &Server, _: &Context, out: &mut Sink) {
    if is_root_key(server.name()) && server.holds_servers() {
        let name = shown(server.name());
        out.add(server.range(), format!("`{name}` has servers in it and counts as one server of that name"))
            .note("the servers belong where it stands")
            .fix(lifted(server).map(|edits| Fix::unsafe_(format!("take the servers out of `{name}`"), edits)));
    }
}

/// Says where the file is something else than an object.
fn check_kind(document: &Document, out: &mut Sink) {
    let root = &document.reading.value;
    if !document.reading.errors.is_empty() || !root.is_readable() || root.kind_name() == "an object" {
        return;
    }
    let (key, kind) = (document.dialect.root_key(), root.kind_name());
    out.add(root.range, format!("the file has to be an object with the servers under `{key}`, not {kind}"));
}

#[cfg(test)]
mod tests;
