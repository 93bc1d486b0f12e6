//! Rules about tool names.
//!
//! They look at lists, not at single tools: whether a name can be bettered depends on the names beside it.

use rustc_hash::FxHashMap;

use crate::diagnostic::{Applicability, Fix};
use crate::rules::Toolset;
use crate::text::words;

pub(super) mod generic_tool_name;
pub(super) mod invalid_tool_name;
pub(super) mod name_without_verb;
pub(super) mod tool_name_case;

/// The snake_case form of a name; `None` where it has letters that such a name cannot hold, or none at all.
fn snake_case(name: &str) -> Option<String> {
    let is_ascii = name.chars().all(|char| char.is_ascii() || !char.is_alphanumeric());
    Some(words(name).join("_")).filter(|snake| is_ascii && !snake.is_empty() && snake.len() <= 64)
}

/// The names of a list, and those that its tools would get.
struct Taken<'a> {
    names: FxHashMap<&'a str, usize>,
    new_names: FxHashMap<String, usize>,
}

impl<'a> Taken<'a> {
    fn new(toolset: &Toolset<'a>) -> Taken<'a> {
        let mut taken = Taken { names: FxHashMap::default(), new_names: FxHashMap::default() };
        for (name, _) in toolset.tools.iter().filter_map(|tool| tool.name.as_ref()) {
            *taken.names.entry(&**name).or_default() += 1;
            if let Some(snake) = snake_case(name).filter(|_| !is_snake_case(name)) {
                *taken.new_names.entry(snake).or_default() += 1;
            }
        }
        taken
    }

    /// The snake_case form of a tool's name, where no other tool has it or would get it.
    fn free(&self, name: &str) -> Option<String> {
        let is_free = |snake: &String| {
            !self.names.contains_key(snake.as_str())
                && self.new_names.get(snake) == Some(&1)
                && self.names.get(name) == Some(&1)
        };
        snake_case(name).filter(is_free)
    }

    /// Another name for a tool, for a person to think about; where no other tool has it, or the old one.
    fn suggested(&self, name: &str, new: &str) -> Option<Fix> {
        let is_free = new.len() <= 64 && !self.names.contains_key(new) && self.names.get(name) == Some(&1);
        is_free.then(|| Fix { applicability: Applicability::Suggestion, ..Fix::rename_tool(name, new) })
    }
}

/// Whether a name is its own snake_case form; every keystroke asks it of a whole list.
fn is_snake_case(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.bytes().all(is_allowed)
        && !name.is_empty()
        && !name.starts_with('_')
        && !name.ends_with('_')
        && !name.contains("__")
}
