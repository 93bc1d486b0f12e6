//! The `type` that some clients want beside a `url`.

use crate::diagnostic::Fix;
use crate::model::Server;
use crate::syntax::{Member, Place, insert_member};
use crate::text::Edit;

/// Whether a `url` would be refused for want of a `type`. Another client's word for it counts as one.
pub(super) fn needs_type(server: &Server) -> bool {
    let is_type = |key: &str| key == "type" || server.dialect.own_word(key) == Some("type");
    let keys = || server.value.members().iter().map(|member| member.key.name.trim());
    server.dialect.url_needs_type && !keys().any(|key| key == "command" || is_type(key))
}

/// Renames a key to `url` and adds the `type` that goes with its value.
pub(super) fn rename_to_url(server: &Server, member: &Member) -> Fix {
    let address = member.value.as_str().unwrap_or_default();
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let kind = if path.trim_end_matches('/').ends_with("/sse") { "sse" } else { "http" };
    let add = insert_member(server.text, server.value, Place::First, "type", &kind.into());
    let rename = Edit::replace(member.key.range, "\"url\"");
    Fix::safe(format!("rename to `url` and add `\"type\": \"{kind}\"`"), vec![add, rename])
}
