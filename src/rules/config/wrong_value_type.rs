use crate::diagnostic::{Fix, Severity};
use crate::model::Server;
use crate::model::dialect::Holds;
use crate::rules::{Context, Document, Sink};
use crate::syntax::{Member, Value, ValueKind, without_element, without_member};
use crate::text::{Edit, shown};

mod convert;
mod servers;

use convert::converted;
use servers::named;

rule! {
    /// ## What it does
    /// Finds values of another kind than the client reads: `args` as one string, a number among the `args` or in `env`,
    /// `env` as an array, `"type": ["stdio"]`, an array of servers in the place of the object.
    ///
    /// ## Why
    /// Clients check the kinds of values before anything else. Most drop the entry, some the whole file, and not all
    /// of them say so.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": "docs-server@1.0.0 --quiet", "env": {"PORT": 8080}}}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0", "--quiet"], "env": {"PORT": "8080"}}}}
    /// ```
    ///
    /// ## Fix
    /// Safe where the meaning is plain: the words of a string as an array, a number or truth value as a string, a single
    /// string out of its array, `["K=V"]` as an object, entries with a `name` as members. A suggestion, where a word may
    /// be a piece of a path with spaces, and to remove `null`.
    ///
    /// ## Sources
    /// The sources of the clients' dialects; for VS Code, whose `env` takes numbers and `null`, its schema of the file.
    "wrong-value-type", Config, Config(check_root, check_server), Error;
    fix: Safe;
    help: "write the value as the kind that the client reads";
    since: "0.1.0";
}

fn check_root(document: &Document, _: &Context, out: &mut Sink) {
    if !document.reading.errors.is_empty() {
        return;
    }
    for path in document.dialect.roots {
        let servers = path.iter().try_fold(&document.reading.value, |value, key| value.get(key));
        let Some(servers) = servers.filter(|value| value.is_readable() && value.kind_name() != "an object") else {
            continue;
        };
        let (key, kind) = (path.join("."), servers.kind_name());
        let message = format!("`{key}` has to be an object of names and servers, not {kind}");
        let edits = named(document.text, servers);
        out.add(servers.range, message).fix(edits.map(|edits| Fix::safe("make the names the keys", edits)));
    }
}

fn check_server(server: &Server, _: &Context, out: &mut Sink) {
    for (index, member) in server.value.members().iter().enumerate() {
        let Some(key) = server.dialect.server_key(&member.key.name) else { continue };
        let value = &member.value;
        if !value.is_readable() || is_held(key.holds, value) {
            let is_string = |value: &Value| matches!(value.kind, ValueKind::String(_) | ValueKind::Unreadable);
            let is_variable = |value: &Value| {
                key.holds == Holds::Variables && matches!(value.kind, ValueKind::Number(_) | ValueKind::Null)
            };
            for (index, element) in value.elements().iter().enumerate().filter(|(_, element)| !is_string(element)) {
                if key.holds == Holds::Texts {
                    let what = format!("value {} of `{}`", index + 1, key.name);
                    report_inside(server, &what, element, || without_element(server.text, value, index), out);
                }
            }
            let is_map = matches!(key.holds, Holds::TextMap | Holds::Variables);
            for (index, Member { key: name, value: inner }) in value.members().iter().enumerate() {
                if is_map && !is_string(inner) && !is_variable(inner) {
                    let what = format!("`{}` in `{}`", shown(&name.name), key.name);
                    report_inside(server, &what, inner, || without_member(server.text, value, index), out);
                }
            }
            continue;
        }
        let message = format!("`{}` has to be {}, not {}", key.name, in_words(key.holds), value.kind_name());
        if value.kind == ValueKind::Null {
            let fix =
                Fix::suggestion(format!("remove `{}`", key.name), without_member(server.text, server.value, index));
            out.add_as(Severity::Warning, value.range, message).fix(fix);
        } else {
            out.add(value.range, message).fix(converted(server, member, key.holds));
        }
    }
}

/// Whether a value is of the right kind, whatever is in it.
fn is_held(holds: Holds, value: &Value) -> bool {
    match holds {
        Holds::Anything => true,
        Holds::Text => value.as_str().is_some(),
        Holds::Texts => value.is_array(),
        Holds::TextMap | Holds::Variables | Holds::Object => value.is_object(),
        Holds::Number => matches!(value.kind, ValueKind::Number(_)),
        Holds::Boolean => value.as_bool().is_some(),
    }
}

/// The kind with its article.
fn in_words(holds: Holds) -> &'static str {
    match holds {
        Holds::Text => "a string",
        Holds::Texts => "an array of strings",
        Holds::TextMap | Holds::Variables => "an object of names and strings",
        Holds::Number => "a number",
        Holds::Boolean => "`true` or `false`",
        Holds::Object => "an object",
        Holds::Anything => "a value",
    }
}

/// Tells of a value that is no string among others that are.
fn report_inside(server: &Server, what: &str, value: &Value, without: impl Fn() -> Vec<Edit>, out: &mut Sink) {
    let finding = out.add(value.range, format!("{what} has to be a string, not {}", value.kind_name()));
    finding.fixes.extend(match value.kind {
        ValueKind::Null => Some(Fix::suggestion("remove the `null`", without())),
        ValueKind::Number(_) | ValueKind::Bool(_) => Some(quoted(server, value)),
        _ => None,
    });
}

/// Puts a number or truth value into quotes.
fn quoted(server: &Server, value: &Value) -> Fix {
    let text = &server.text[value.range.as_usize()];
    Fix::safe(format!("write `\"{text}\"`"), vec![Edit::replace(value.range, format!("\"{text}\""))])
}

#[cfg(test)]
mod tests;
