//! Rules about the text itself, before it means anything.

pub(super) mod byte_order_mark;
pub(super) mod comment_in_json;
pub(super) mod duplicate_key;
pub(super) mod file_too_large;
pub(super) mod invalid_ignore_comment;
pub(super) mod syntax_error;
pub(super) mod trailing_comma;
pub(super) mod trailing_content;
pub(super) mod unrecognised_file;

use crate::diagnostic::Severity;
use crate::model::dialect::Strictness;
use crate::rules::Context;
use crate::syntax::{SyntaxError, SyntaxErrorKind};

/// Whether an error is that something stands after the one value of the file. What starts with a comma or colon is not
/// that: the value ended too early.
fn is_second_value(text: &str, error: &SyntaxError) -> bool {
    error.kind == SyntaxErrorKind::TrailingContent && !text[error.range.as_usize()].starts_with([',', ':'])
}

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
