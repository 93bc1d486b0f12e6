//! The lossless value tree that every format is read into: each value, key and member has its byte range,
//! duplicate keys stay, and what could not be read is kept as such.

use crate::text::TextRange;

/// A value and where it stands. Ranges are relative to the text that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// From the first byte of the value to after its last, quotes and brackets included.
    pub range: TextRange,
    /// What it is.
    pub kind: ValueKind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it is written, such as `1.50`.
    Number(Box<str>),
    /// A string, its escapes decoded.
    String(Box<str>),
    /// An array.
    Array(Vec<Value>),
    /// An object, its members in the order of the text.
    Object(Vec<Member>),
    /// A container whose inside was not read, because the reader was asked for an outline only.
    Folded(Folded),
    /// Something stands here or is missing here that cannot be read as a value. Rules are silent about it.
    Unreadable,
}

/// What an outline tells of a container it did not read.
#[derive(Clone, Debug, PartialEq)]
pub struct Folded {
    /// Whether it is an object; else an array.
    pub is_object: bool,
    /// The object's own keys as they are written between the quotes, with the first byte of each value
    /// (`0` where there is none).
    pub keys: Vec<(Box<str>, u8)>,
}

/// One `key: value` of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The key.
    pub key: Key,
    /// The value; unreadable and empty where there is none.
    pub value: Value,
}

/// The key of a member.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The key, its escapes decoded.
    pub name: Box<str>,
    /// Where it stands, quotes included.
    pub range: TextRange,
}

impl Member {
    /// From the start of the key to the end of the value.
    pub fn range(&self) -> TextRange {
        TextRange::new(self.key.range.start, self.value.range.end.max(self.key.range.end))
    }
}

impl Value {
    /// The members of an object; none for anything else.
    pub fn members(&self) -> &[Member] {
        match &self.kind {
            ValueKind::Object(members) => members,
            _ => &[],
        }
    }

    /// The elements of an array; none for anything else.
    pub fn elements(&self) -> &[Value] {
        match &self.kind {
            ValueKind::Array(elements) => elements,
            _ => &[],
        }
    }

    /// The member that a JSON parser keeps for this key: the last one.
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members().iter().rfind(|member| &*member.key.name == key)
    }

    /// The value of [`Value::member`].
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.member(key).map(|member| &member.value)
    }

    /// Calls `visit` with every object that was read, from the outside in.
    pub fn each_object(&self, visit: &mut impl FnMut(&Value)) {
        if self.is_object() {
            visit(self);
        }
        self.members().iter().for_each(|member| member.value.each_object(visit));
        self.elements().iter().for_each(|element| element.each_object(visit));
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            ValueKind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match &self.kind {
            ValueKind::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Its first byte, for findings about a whole container.
    pub fn opening(&self) -> TextRange {
        TextRange::new(self.range.start, (self.range.start + 1).min(self.range.end))
    }

    /// The number, if it is one; what is too large is infinite.
    pub fn as_number(&self) -> Option<f64> {
        match &self.kind {
            ValueKind::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Whether it is an object that was read.
    pub fn is_object(&self) -> bool {
        matches!(self.kind, ValueKind::Object(_))
    }

    /// Whether it is an array that was read.
    pub fn is_array(&self) -> bool {
        matches!(self.kind, ValueKind::Array(_))
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.kind, ValueKind::Null)
    }

    /// Whether it could be read; the inside of a folded one was not.
    pub fn is_readable(&self) -> bool {
        !matches!(self.kind, ValueKind::Unreadable)
    }

    /// What it is, in JSON's words, with an article: `an object`, `a string`, …
    pub fn kind_name(&self) -> &'static str {
        match &self.kind {
            ValueKind::Null => "null",
            ValueKind::Bool(_) => "a boolean",
            ValueKind::Number(_) => "a number",
            ValueKind::String(_) => "a string",
            ValueKind::Array(_) => "an array",
            ValueKind::Object(_) => "an object",
            ValueKind::Folded(folded) if folded.is_object => "an object",
            ValueKind::Folded(_) => "an array",
            ValueKind::Unreadable => "unreadable",
        }
    }

    /// The same value for libraries that want `serde_json`'s. Of duplicate keys the last stays, as in every
    /// JSON parser; what is unreadable or folded becomes `null`.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match &self.kind {
            ValueKind::Null | ValueKind::Unreadable | ValueKind::Folded(_) => Json::Null,
            ValueKind::Bool(value) => Json::Bool(*value),
            ValueKind::Number(text) => serde_json::from_str(text).unwrap_or(Json::Null),
            ValueKind::String(text) => Json::String(text.to_string()),
            ValueKind::Array(elements) => elements.iter().map(Value::to_json).collect(),
            ValueKind::Object(members) => Json::Object(
                members.iter().map(|member| (member.key.name.to_string(), member.value.to_json())).collect(),
            ),
        }
    }
}
