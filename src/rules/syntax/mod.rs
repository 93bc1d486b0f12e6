//! Rules about the text itself, before it means anything.

pub(super) mod comment_in_json;
pub(super) mod duplicate_key;
pub(super) mod syntax_error;
pub(super) mod trailing_comma;

use crate::diagnostic::Severity;
use crate::model::dialect::Strictness;
use crate::rules::Context;

/// How bad it is, and why, that a file holds what only a forgiving parser reads; `None` where its reader is one.
fn strict_reader(context: &Context) -> Option<(Severity, String)> {
    let client = context.dialect.map(|dialect| dialect.name);
    match (context.strictness, client) {
        (Strictness::Jsonc, _) => None,
        (Strictness::Strict, None) => Some((Severity::Error, "JSON allows none there".to_owned())),
        (Strictness::Strict, Some(client)) => Some((Severity::Error, format!("{client} reads strict JSON"))),
        (Strictness::Undocumented, client) => {
            let client = client.unwrap_or("the client");
            Some((Severity::Warning, format!("{client} does not say whether it reads such JSON")))
        }
    }
}
