//! One entry of a config file's server map.

use crate::model::Dialect;
use crate::syntax::{Key, Member, Value};
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

    /// The arguments that are strings.
    pub fn arguments(&self) -> impl Iterator<Item = &'v Value> {
        self.value.get("args").map(Value::elements).unwrap_or_default().iter()
    }
}
