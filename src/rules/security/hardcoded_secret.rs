mod variable;

use variable::Variables;

use crate::diagnostic::Fix;
use crate::model::Server;
use crate::model::secret::{Secret, is_name, named_secret, secrets};
use crate::rules::{Context, Sink};
use crate::syntax::Value;
use crate::text::{Edit, TextRange, apply_edits, shown};

rule! {
    /// ## What it does
    /// Finds secrets that are written into a config file: tokens of well-known services, passwords in URLs, private
    /// keys, `Bearer` headers, random text under a name that speaks of a key, token, secret or password.
    ///
    /// ## Why
    /// Config files are committed, backed up, sent to colleagues and read by the model itself. A secret in one has to
    /// be treated as known to others. The secret is not repeated in this message.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {"mcpServers": {"db": {"command": "uvx", "args": ["db-server@1.0.0", "postgresql://app:S3cretPw9@db.example/notes"]}}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"db": {"command": "uvx", "args": ["db-server@1.0.0", "postgresql://app:${DB_PASSWORD}@db.example/notes"]}}}
    /// ```
    ///
    /// ## Fix
    /// Unsafe, since the variable has to be set: this client's reference to an environment variable in place of the
    /// secret. Where the client has none, the note says what else to do.
    ///
    /// ## Sources
    /// The services' own documentation of their tokens; anthropics/claude-code issue 2065.
    "hardcoded-secret", Security, Server(check), Warning;
    fix: Unsafe;
    help: "keep the secret in an environment variable, and replace it if others may have seen this file";
    since: "0.1.0";
}

/// A place where a secret may stand.
struct Place<'v> {
    value: &'v Value,
    /// For people: "the header `Authorization`".
    label: String,
    /// What the value is called there, where it has a name.
    name: Option<&'v str>,
    kind: PlaceKind,
}

#[derive(Clone, Copy, PartialEq)]
enum PlaceKind {
    Environment,
    Header,
    Other,
}

fn check(server: &Server, _: &Context, out: &mut Sink) {
    let mut variables = Variables::default();
    for place in places(server) {
        let Some(text) = place.value.as_str() else { continue };
        let found = named(&place, text).map_or_else(|| secrets(text), |secret| vec![secret]);
        for secret in &found {
            let raw = TextRange::new(place.value.range.start + 1, place.value.range.end.saturating_sub(1));
            // Where the text has escapes, a place in it is none in the file: the whole string is meant then.
            let is_plain = server.text.get(raw.as_usize()) == Some(text);
            let range = if is_plain { secret.range.shifted(raw.start) } else { place.value.range };
            let finding = out.add(range, format!("{} stands in {} in plain text", secret.kind, place.label));
            let client = server.dialect.name;
            let Some(syntax) = server.dialect.variables.map(|variables| variables.environment) else {
                finding.note(format!(
                    "{client} reads no variables in this file: let `command` be a script that takes the secret from the \
                     system's key store, and keep the file out of repositories and backups"
                ));
                continue;
            };
            finding.note("whoever reads this file has the secret; if it was ever shared, replace the secret as well");
            let variable = variables.of(server, &place, secret);
            let reference = syntax.replace("NAME", &variable);
            let edit = if place.kind == PlaceKind::Environment {
                Edit::replace(place.value.range, format!("\"{reference}\""))
            } else if is_plain {
                Edit::replace(range, reference)
            } else {
                let new = apply_edits(text, &[Edit::replace(secret.range, reference)]);
                if !secrets(&new).is_empty() {
                    continue;
                }
                Edit::replace(place.value.range, serde_json::Value::from(new).to_string())
            };
            finding.fix(Fix::unsafe_(format!("use the variable `{variable}` of {client}'s environment"), vec![edit]));
            if place.kind == PlaceKind::Environment || !is_plain {
                break;
            }
        }
    }
}

/// Every string of an entry that goes to the server.
fn places<'v>(server: &Server<'v>) -> Vec<Place<'v>> {
    let mut places = Vec::new();
    for group in server.value.members() {
        // Another client's word for `env` holds the same secrets.
        let own = server.dialect.own_word(&group.key.name).unwrap_or(&group.key.name);
        let (kind, what) = match own {
            "env" => (PlaceKind::Environment, "the variable"),
            "headers" => (PlaceKind::Header, "the header"),
            _ => continue,
        };
        places.extend(group.value.members().iter().map(|member| Place {
            value: &member.value,
            label: format!("{what} `{}`", shown(&member.key.name)),
            name: Some(&*member.key.name),
            kind,
        }));
    }
    let mut flag = None;
    for value in server.arguments() {
        let text = value.as_str().unwrap_or_default();
        places.push(Place { value, label: "the arguments".to_owned(), name: flag, kind: PlaceKind::Other });
        flag = text.starts_with('-').then_some(text).filter(|text| !text.contains(['=', ':', ' ']));
    }
    places.extend(["url", "command"].into_iter().filter_map(|key| {
        let value = server.value.get(key)?;
        Some(Place { value, label: format!("the `{key}`"), name: None, kind: PlaceKind::Other })
    }));
    places
}

/// The secret that a value is by its name: `"API_KEY": …`, `--token …`, `TOKEN=…`, `Authorization: Bearer …`.
fn named(place: &Place, text: &str) -> Option<Secret> {
    let inner = (place.kind == PlaceKind::Other).then(|| text.split_once(['=', ':'])).flatten();
    let Some((name, value)) = inner.filter(|(name, _)| is_name(name)) else {
        return named_secret(place.name?, text, place.kind == PlaceKind::Header);
    };
    let start = text.len() - value.len();
    let secret = named_secret(name, value, text[..start].ends_with(':'))?;
    Some(Secret { range: secret.range.shifted(start), ..secret })
}

#[cfg(test)]
mod tests;
