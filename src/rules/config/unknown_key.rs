use crate::diagnostic::{Fix, Severity};
use crate::model::dialect::{FOREIGN_SERVER_KEYS, NOTE_KEYS, is_note};
use crate::model::server::{asks_for_nothing, switches_off};
use crate::model::{Root, Server};
use crate::rules::{Context, Document, Sink};
use crate::syntax::{Member, Value, without_member};
use crate::text::{Edit, nearest, shown};

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
    /// Safe: the key that is meant, or this client's own word for it. A suggestion, where there is no such word or the
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
    let Some(keys) = document.dialect.root_keys else { return };
    if *document.root == Root::Bare {
        return;
    }
    let root = &document.reading.value;
    let mut proposed = Vec::new();
    for (index, member) in root.members().iter().enumerate() {
        let key = &*member.key.name;
        let is_servers = matches!(document.root, Root::Foreign(path) if path.first() == Some(&member.key.name));
        if keys.contains(&key) || is_note(key) || is_servers {
            continue;
        }
        let meant = Meant::new(nearest(key.trim(), keys.iter().copied()), root, &mut proposed);
        report(document.dialect.name, document.text, root, (index, member), meant, out);
    }
}

fn check_server(server: &Server, _: &Context, out: &mut Sink) {
    let dialect = server.dialect;
    let mut proposed = Vec::new();
    let is_unreachable = !dialect.remote && server.member("command").is_none();
    for (index, member) in server.value.members().iter().enumerate() {
        let key = &*member.key.name;
        let word = key.trim();
        if dialect.has_server_key(key) || is_note(key) || is_unreachable && REMOTE_WORDS.contains(&word) {
            continue;
        }
        let own = dialect.own_word(word).filter(|own| has_right_type(own, &member.value));
        let is_slip = !FOREIGN_SERVER_KEYS.contains(&word) && !NOTE_KEYS.contains(&word);
        let known = || dialect.server_keys.iter().map(|key| key.name);
        let meant = own.or_else(|| nearest(word, known()).filter(|_| is_slip));
        let meant = Meant::new(meant, server.value, &mut proposed);
        report(dialect.name, server.text, server.value, (index, member), meant, out);
    }
}

/// The key that is meant.
#[derive(Clone, Copy)]
struct Meant<'k> {
    key: &'k str,
    /// Neither the object has it, nor is another key to become it.
    is_free: bool,
}

impl<'k> Meant<'k> {
    fn new(key: Option<&'k str>, object: &Value, proposed: &mut Vec<&'k str>) -> Option<Meant<'k>> {
        let key = key?;
        let is_free = !proposed.contains(&key) && object.member(key).is_none();
        if !proposed.contains(&key) {
            proposed.push(key);
        }
        Some(Meant { key, is_free })
    }
}

fn report(
    client: &str,
    text: &str,
    object: &Value,
    (index, member): (usize, &Member),
    meant: Option<Meant>,
    out: &mut Sink,
) {
    let key = &*member.key.name;
    let name = shown(key);
    let range = member.key.range;
    let remove = || Fix::suggestion(format!("remove `{name}`"), without_member(text, object, index));
    match meant {
        Some(Meant { key: meant, is_free }) => {
            let is_slip = strsim::damerau_levenshtein(key, meant) <= 2 || key.trim().eq_ignore_ascii_case(meant);
            let message = match (is_slip, key.trim() == meant) {
                (_, true) => format!("white space in the key `{name}`: {client} knows `{meant}` only"),
                (true, _) => format!("`{name}` is no key of {client}: did you mean `{meant}`?"),
                (false, _) => format!("`{name}` is no key of {client} and is ignored; its own is `{meant}`"),
            };
            let rename =
                || Fix::safe(format!("rename to `{meant}`"), vec![Edit::replace(range, format!("\"{meant}\""))]);
            out.add(range, message).fix(if is_free { rename() } else { remove() });
        }
        None => {
            let is_note = NOTE_KEYS.contains(&key);
            let severity = if is_note || asks_for_nothing(member) { Severity::Information } else { RULE.severity };
            let finding = out.add_as(severity, range, format!("`{name}` is no key of {client} and is ignored"));
            if switches_off(member) {
                finding.note("the server is on all the same");
            } else if FOREIGN_SERVER_KEYS.contains(&key) && !is_note {
                finding.note("this key is another client's");
            }
            finding.fix(remove());
        }
    }
}

/// Whether the value of another client's key would do under this client's.
fn has_right_type(own: &str, value: &Value) -> bool {
    if own == "env" { value.is_object() } else { value.as_str().is_some() }
}

#[cfg(test)]
mod tests;
