//! Comments that silence a rule: `mcp-analyzer: ignore RULE, RULE reason`.
//!
//! One on a line of its own silences the member or element that follows it; one behind something, its line.

use crate::rules;
use crate::syntax::{Reading, Value};
use crate::text::TextRange;

/// What a comment silences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Silence {
    /// The rules' names, each once; what is no rule silences nothing.
    pub(super) rules: Vec<&'static str>,
    /// Where their findings are not shown.
    pub(super) range: TextRange,
    /// It stands around the item that it silences, and holds for all of it.
    pub(super) is_outer: bool,
}

impl Silence {
    /// Whether a finding of this rule that starts here is not shown.
    pub(super) fn fits(&self, rule: &str, start: usize) -> bool {
        (self.is_outer || self.range.start <= start && start < self.range.end) && self.rules.contains(&rule)
    }
}

/// What stands around an item and silences all of it: one silence, however many comments there are.
pub(super) fn around(silences: &[Silence], item: TextRange) -> Option<Silence> {
    let is_around = |silence: &&Silence| silence.range.start <= item.start && item.end <= silence.range.end;
    let rules = distinct(silences.iter().filter(is_around).flat_map(|silence| silence.rules.iter().copied()));
    (!rules.is_empty()).then_some(Silence { rules, range: TextRange::default(), is_outer: true })
}

fn distinct(rules: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut out = Vec::new();
    for rule in rules {
        if !out.contains(&rule) {
            out.push(rule);
        }
    }
    out
}

/// The silences that stand in a piece of text.
pub(super) fn silences(text: &str, reading: &Reading) -> Vec<Silence> {
    reading.comments.iter().filter_map(|comment| silence(text, &reading.value, *comment)).collect()
}

fn silence(text: &str, root: &Value, comment: TextRange) -> Option<Silence> {
    let names = rules::ignored(&text[comment.as_usize()])?;
    let rules = distinct(names.into_iter().filter_map(rules::by_name).map(|rule| rule.name));
    if rules.is_empty() {
        return None;
    }
    let line_start = text[..comment.start].rfind('\n').map_or(0, |at| at + 1);
    let range = if text[line_start..comment.start].trim().is_empty() {
        node_after(root, comment.end)?
    } else {
        TextRange::new(line_start, comment.start)
    };
    Some(Silence { rules, range, is_outer: false })
}

/// The outermost member or element that starts first after `offset`.
fn node_after(value: &Value, offset: usize) -> Option<TextRange> {
    if value.range.start >= offset {
        return Some(value.range);
    }
    let children = value
        .members()
        .iter()
        .map(|member| (member.range(), &member.value))
        .chain(value.elements().iter().map(|element| (element.range, element)));
    for (range, child) in children {
        if range.start >= offset {
            return Some(range);
        }
        if range.end > offset {
            return node_after(child, offset);
        }
    }
    None
}
