//! A text that is being written for a model, with a note of where in it each part of the tool stands.

use std::collections::HashMap;
use std::ops::Range;

use crate::syntax::{Member, Value};

/// Objects with more members than this are looked up by a map.
const FEW: usize = 16;

/// The text of one tool as it grows.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// What is written so far.
    pub text: String,
    parts: Vec<(Subject, Range<usize>)>,
}

/// What a part of the text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    /// What the tool does.
    Description,
    /// This value of the schema, by its address.
    Value(*const Value),
}

impl Subject {
    /// A value of the schema.
    pub fn of(value: &Value) -> Subject {
        Subject::Value(value)
    }
}

impl Page {
    /// Writes text.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Notes that what was written since `start` is about `subject`.
    pub fn note(&mut self, subject: Subject, start: usize) {
        self.parts.push((subject, start..self.text.len()));
    }

    /// Writes another text behind this one.
    pub fn append(&mut self, other: Page) {
        let start = self.text.len();
        self.text.push_str(&other.text);
        let moved = |range: Range<usize>| start + range.start..start + range.end;
        self.parts.extend(other.parts.into_iter().map(|(subject, range)| (subject, moved(range))));
    }

    /// The texts about each subject, in the order in which they ended.
    pub fn parts(&self) -> impl Iterator<Item = (Subject, &str)> {
        self.parts.iter().map(|(subject, range)| (*subject, &self.text[range.clone()]))
    }
}

/// The members that a JSON parser keeps: of duplicate keys the last, in the place of the first.
pub(super) fn kept_members(value: &Value) -> Vec<&Member> {
    let members = value.members();
    let mut kept: Vec<&Member> = Vec::with_capacity(members.len());
    let mut places: HashMap<&str, usize> = HashMap::new();
    for member in members {
        let name = &*member.key.name;
        let place = match members.len() {
            0..=FEW => kept.iter().position(|known| *known.key.name == *name).unwrap_or(kept.len()),
            _ => *places.entry(name).or_insert(kept.len()),
        };
        match kept.get_mut(place) {
            Some(known) => *known = member,
            None => kept.push(member),
        }
    }
    kept
}

/// The properties of a schema that a JSON parser keeps.
pub(super) fn properties(schema: &Value) -> Vec<&Member> {
    schema.get("properties").map(kept_members).unwrap_or_default()
}

/// The description of a schema, unless it is empty.
pub(super) fn description(schema: &Value) -> Option<&str> {
    schema.get("description").and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The values of a schema's `enum`.
pub(super) fn choices(schema: &Value) -> Option<&Value> {
    schema.get("enum").filter(|choices| !choices.elements().is_empty())
}
