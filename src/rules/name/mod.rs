//! Rules about tool names.
//!
//! They look at lists, not at single tools: whether a name can be bettered depends on the names beside it.

use rustc_hash::FxHashMap;

use crate::rules::Toolset;
use crate::text::words;

pub(super) mod invalid_tool_name;
pub(super) mod tool_name_case;

/// The snake_case form of a name; `None` where it has letters that such a name cannot hold, or none at all.
fn snake_case(name: &str) -> Option<String> {
    let is_ascii = name.chars().all(|char| char.is_ascii() || !char.is_alphanumeric());
    Some(words(name).join("_")).filter(|snake| is_ascii && !snake.is_empty() && snake.len() <= 64)
}

/// How often each name would be there if every tool had its snake_case name beside its own.
struct Taken(FxHashMap<String, usize>);

impl Taken {
    fn new(toolset: &Toolset) -> Taken {
        let mut taken: FxHashMap<String, usize> = FxHashMap::default();
        for (name, _) in toolset.tools.iter().filter_map(|tool| tool.name.as_ref()) {
            if let Some(snake) = snake_case(name).filter(|snake| **snake != **name) {
                *taken.entry(snake).or_default() += 1;
            }
            *taken.entry(name.to_string()).or_default() += 1;
        }
        Taken(taken)
    }

    /// The snake_case form of a tool's name, where no other tool has it or would get it.
    fn free(&self, name: &str) -> Option<String> {
        snake_case(name).filter(|snake| self.0.get(snake) == Some(&1) && self.0.get(name) == Some(&1))
    }
}
