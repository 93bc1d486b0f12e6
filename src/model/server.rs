//! One entry of a config file's server map.

use crate::model::dialect::{Holds, ServerKey};
use crate::model::{Dialect, looks_like_server};
use crate::syntax::{Key, Member, Value, ValueKind};
use crate::text::TextRange;

/// A server entry. Ranges are relative to the entry, which starts with its key.
#[derive(Clone, Copy, Debug)]
pub struct Server<'v> {
    /// The entry as it is written.
    pub text: &'v str,
    /// Its name in the file, with its place.
    pub key: &'v Key,
    /// What the name stands for; an object where all is well.
    pub value: &'v Value,
    /// How its client reads it.
    pub dialect: &'static Dialect,
}

impl<'v> Server<'v> {
    /// Its name.
    pub fn name(&self) -> &'v str {
        &self.key.name
    }

    /// Where to point when the entry as a whole is meant: its name.
    pub fn range(&self) -> TextRange {
        self.key.range
    }

    /// The member with this key.
    pub fn member(&self, key: &str) -> Option<&'v Member> {
        self.value.member(key)
    }

    /// Whether a URL of its would be refused for want of a `type`. Another client's word for it counts as one.
    pub fn lacks_type(&self) -> bool {
        let is_type = |key: &str| key == "type" || self.dialect.own_word(key) == Some("type");
        let keys = || self.value.members().iter().map(|member| member.key.name.trim());
        self.dialect.url_needs_type && !keys().any(|key| key == "command" || is_type(key))
    }

    /// Whether it has other servers in it and nothing else.
    pub fn holds_servers(&self) -> bool {
        let members = self.value.members();
        !members.is_empty() && members.iter().all(|member| looks_like_server(&member.value))
    }

    /// Whether it is most likely no server but a key of one that has no name.
    pub fn is_stray_key(&self) -> bool {
        let is_map = |holds| matches!(holds, Holds::TextMap | Holds::Variables);
        let is_key = |key: &ServerKey| match self.value.members() {
            [] => !self.value.is_object(),
            variables => {
                is_map(key.holds) && variables.iter().all(|member| !self.dialect.has_server_key(&member.key.name))
            }
        };
        self.dialect.server_key(self.name()).is_some_and(is_key)
    }

    /// The arguments that are strings.
    pub fn arguments(&self) -> impl Iterator<Item = &'v Value> {
        self.value.get("args").map(Value::elements).unwrap_or_default().iter()
    }
}

/// Whether all is as a key of another client wants it though nobody reads it.
pub fn asks_for_nothing(member: &Member) -> bool {
    match (&*member.key.name, &member.value.kind) {
        ("disabled" | "trust", ValueKind::Bool(false)) | ("enabled" | "isActive", ValueKind::Bool(true)) => true,
        (_, ValueKind::Array(elements)) => elements.is_empty(),
        (_, kind) => *kind == ValueKind::Null,
    }
}

/// Whether a key of another client is meant to switch the server off.
pub fn switches_off(member: &Member) -> bool {
    match &*member.key.name {
        "disabled" => member.value.as_bool() == Some(true),
        "enabled" | "isActive" => member.value.as_bool() == Some(false),
        _ => false,
    }
}
