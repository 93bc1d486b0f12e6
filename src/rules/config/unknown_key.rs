use crate::diagnostic::{Fix, Severity};
use crate::model::dialect::{FOREIGN_SERVER_KEYS, NOTE_KEYS, is_note, is_root_key};
use crate::model::{Root, Server, looks_like_server};
use crate::rules::{Context, Document, Sink};
use crate::syntax::{Member, Place, Value, insert_member};
use crate::text::{Edit, nearest, shown};

mod told;

use told::{Meant, report};

rule! {
    /// ## What it does
    /// Finds keys that the client does not know: slips of the pen (`comand`), keys of another client (`environment`,
    /// `disabled`), and keys that no client has.
    ///
    /// ## Why
    /// Clients ignore what they do not know and say nothing. Variables under `environment` never reach the server, and
    /// a server with `"disabled": true` runs where the client has no such key.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"], "environment": {"LANGUAGE": "en"}}}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"], "env": {"LANGUAGE": "en"}}}}
    /// ```
    ///
    /// ## Fix
    /// Safe: the key that is meant, or this client's own word for it; with a `url` comes the `type` that Claude Code asks
    /// for. None for a second key that holds servers: move them under the client's own. A suggestion, where there is no such word or the
    /// entry has it already: removes the key. Keys that start with `_`, `$`, `#`, `//` or `x-` are notes and are left
    /// alone; `description` and the like are told as information.
    ///
    /// ## Sources
    /// The sources of the clients' dialects; pantheon-org/tekhne pull request 226.
    "unknown-key", Config, Config(check_root, check_server), Warning;
    fix: Safe;
    help: "use a key that the client knows, or remove this one";
    since: "0.1.0";
}

/// What speaks of a remote server; where a client has none, missing-transport says so once.
const REMOTE_WORDS: &[&str] =
    &["auth", "headers", "httpUrl", "oauth", "serverUrl", "transport", "transportType", "uri", "url"];

fn check_root(document: &Document, _: &Context, out: &mut Sink) {
    let root = &document.reading.value;
    let is_server = |member: &Member| looks_like_server(&member.value);
    let Some(keys) = document.dialect.root_keys else { return check_second_map(document, out) };
    if matches!(document.root, Root::Bare | Root::Nameless) {
        return;
    }
    let mut proposed = Vec::new();
    for (index, member) in root.members().iter().enumerate() {
        let key = &*member.key.name;
        let is_servers = matches!(document.root, Root::Foreign(path) if path.first() == Some(&member.key.name));
        if keys.contains(&key) || is_note(key) || is_servers {
            continue;
        }
        if member.value.is_object() && is_root_key(key) || member.value.members().iter().any(is_server) {
            // What is under it is not for removing.
            out.add(member.key.range, not_read(document, key));
            continue;
        }
        let meant = Meant::new(nearest(key.trim(), keys.iter().copied()), root, &mut proposed);
        report(document.dialect.name, document.text, root, (index, member), meant, out);
    }
}

/// What is said of a key with servers that is not the client's own.
fn not_read(document: &Document, key: &str) -> String {
    let (client, own) = (document.dialect.name, document.dialect.root_key());
    format!("`{}` is not read by {client}; its servers belong under `{own}`", shown(key))
}

/// Where a file may hold anything, a second map of servers is one under a key that some client reads, with a server that
/// the first one has not.
fn check_second_map(document: &Document, out: &mut Sink) {
    let [own] = document.dialect.roots[0] else { return };
    let Some(servers) = document.reading.value.get(own).filter(|_| *document.root == Root::Found) else { return };
    for member in document.members() {
        let key = &*member.key.name;
        let is_missed =
            |server: &Member| looks_like_server(&server.value) && servers.member(&server.key.name).is_none();
        if key == *own || !is_root_key(key) || !member.value.members().iter().any(is_missed) {
            continue;
        }
        let reader = document.dialect.other_readers.iter().find(|(read, _)| *read == key);
        let severity = if reader.is_some() { Severity::Information } else { RULE.severity };
        let finding = out.add_as(severity, member.key.range, not_read(document, key));
        if let Some((_, reader)) = reader {
            finding.note(format!("{reader} reads `{key}` in a file of this name"));
        }
    }
}

fn check_server(server: &Server, _: &Context, out: &mut Sink) {
    // What is no server is wrong-root-key's.
    if server.is_stray_key() {
        return;
    }
    let dialect = server.dialect;
    let mut proposed = Vec::new();
    let is_unreachable = !dialect.remote && server.member("command").is_none();
    for (index, member) in server.value.members().iter().enumerate() {
        let key = &*member.key.name;
        let word = key.trim();
        // Servers inside a server are in the wrong place and not for removing.
        let is_server = looks_like_server(&member.value);
        if is_server || dialect.has_server_key(key) || is_note(key) || is_unreachable && REMOTE_WORDS.contains(&word) {
            continue;
        }
        let is_started = server.member("command").is_some() || server.member("url").is_none();
        let fits = |own: &&str| has_right_type(own, &member.value) && (is_started || !matches!(*own, "args" | "env"));
        let own = dialect.own_word(word).filter(fits);
        let is_slip = !FOREIGN_SERVER_KEYS.contains(&word) && !NOTE_KEYS.contains(&word);
        let known = || dialect.server_keys.iter().map(|key| key.name);
        let meant = own.or_else(|| nearest(word, known()).filter(|_| is_slip));
        let meant = Meant::new(meant, server.value, &mut proposed);
        let finding = report(dialect.name, server.text, server.value, (index, member), meant, out);
        if meant.is_some_and(|meant| meant.key == "url" && meant.is_free) && server.lacks_type() {
            finding.fixes = vec![rename_to_url(server, member)];
        }
    }
}

/// Renames a key to `url` and adds the `type` that goes with its value.
fn rename_to_url(server: &Server, member: &Member) -> Fix {
    let word = server.dialect.word_for_url(member.value.as_str().unwrap_or_default()).unwrap_or("http");
    let add = insert_member(server.text, server.value, Place::First, "type", &word.into());
    let rename = Edit::replace(member.key.range, "\"url\"");
    Fix::safe(format!("rename to `url` and add `\"type\": \"{word}\"`"), vec![add, rename])
}

/// Whether the value of another client's key would do under this client's.
fn has_right_type(own: &str, value: &Value) -> bool {
    match own {
        "args" => value.is_array() && value.elements().iter().all(|element| element.as_str().is_some()),
        "env" => value.is_object(),
        _ => value.as_str().is_some(),
    }
}

#[cfg(test)]
mod tests;
