//! Rules about tool names.
//!
//! They look at lists, not at single tools: whether a name can be bettered depends on the names beside it.

use rustc_hash::FxHashMap;

use crate::diagnostic::{Applicability, Fix};
use crate::rules::Toolset;

pub(super) mod generic_tool_name;
pub(super) mod invalid_tool_name;
pub(super) mod mixed_name_styles;
pub(super) mod name_without_verb;
mod style;
pub(super) mod tool_name_case;

use style::Style;

/// More findings of one list than this are told as one.
const MANY: usize = 20;

/// The names of a list, and those that its tools would get if all were in one style.
struct Taken<'a> {
    style: Style,
    names: FxHashMap<&'a str, usize>,
    new_names: FxHashMap<String, usize>,
}

impl<'a> Taken<'a> {
    fn new(toolset: &Toolset<'a>, style: Style) -> Taken<'a> {
        let mut taken = Taken { style, names: FxHashMap::default(), new_names: FxHashMap::default() };
        for name in toolset.tools.iter().filter_map(|tool| tool.label()) {
            *taken.names.entry(name).or_default() += 1;
            if let Some(new) = style.write(name).filter(|_| !style.fits(name)) {
                *taken.new_names.entry(new).or_default() += 1;
            }
        }
        taken
    }

    /// A tool's name in the style, where no other tool has it or would get it.
    fn free(&self, name: &str) -> Option<String> {
        let is_free = |new: &String| {
            !self.names.contains_key(new.as_str())
                && self.new_names.get(new) == Some(&1)
                && self.names.get(name) == Some(&1)
        };
        self.style.write(name).filter(is_free)
    }

    /// Another name for a tool, for a person to think about; where no other tool has it, or the old one.
    fn suggested(&self, name: &str, new: &str) -> Option<Fix> {
        let is_free = new.len() <= 64 && !self.names.contains_key(new) && self.names.get(name) == Some(&1);
        is_free.then(|| Fix { applicability: Applicability::Suggestion, ..Fix::rename_tool(name, new) })
    }
}
