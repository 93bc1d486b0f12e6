//! Rules about tool names.
//!
//! They look at lists, not at single tools: whether a name can be bettered depends on the names beside it.

use rustc_hash::FxHashMap;

use crate::rules::Toolset;

pub(super) mod invalid_tool_name;
pub(super) mod mixed_name_styles;
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
}
