//! How a text is written: on one line or many, with what indentation and line breaks, and where its comments are.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::documents::Node;

/// What stands around a member or element beside its comma. The number is the choice that leads to it.
mod gap {
    /// A comment on a line of its own before it.
    pub(super) const LINE_BEFORE: u8 = 1;
    /// A comment in brackets before it.
    pub(super) const BLOCK_BEFORE: u8 = 2;
    /// An empty line before it.
    pub(super) const EMPTY_LINE: u8 = 3;
    /// A comment in brackets before its comma.
    pub(super) const BLOCK_BEFORE_COMMA: u8 = 4;
    /// A comment to the end of the line before its comma.
    pub(super) const LINE_BEFORE_COMMA: u8 = 5;
    /// Its comma on the next line.
    pub(super) const COMMA_ON_NEXT_LINE: u8 = 6;
    /// A comma even if it is the last.
    pub(super) const TRAILING_COMMA: u8 = 7;
    /// A comment behind its comma.
    pub(super) const LINE_AFTER: u8 = 8;
    /// A comment of several lines before it.
    pub(super) const LONG_BEFORE: u8 = 9;
    /// A comment between key and value.
    pub(super) const BEFORE_VALUE: u8 = 10;
    /// The next one on the same line.
    pub(super) const SAME_LINE: u8 = 11;
    /// How many choices there are.
    pub(super) const COUNT: u8 = 12;
}

/// What comments say; some look like JSON.
const NOTES: &[&str] = &["note", "\"b\": 1, {", ", ]", "https://example.com // x", "it's \"so"];

/// How a text is written.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// One step; where there is none, all is on one line.
    pub(super) indentation: &'static str,
    pub(super) line_break: &'static str,
    pub(super) is_spaced: bool,
    /// Containers that are not longer are on one line.
    pub(super) width: usize,
    pub(super) has_mark: bool,
    pub(super) ends_with_line_break: bool,
    /// What stands around the children, one choice for each, again and again.
    pub(super) gaps: Vec<u8>,
}

/// Every layout.
pub(super) fn layouts() -> impl Strategy<Value = Layout> {
    let gap = prop_oneof![8 => Just(0), 2 => 0..gap::COUNT];
    let gaps = prop_oneof![2 => Just(Vec::new()), 3 => vec(gap, 1..40)];
    let indentation = select(&["", "  ", "    ", "\t"][..]);
    let line_break = select(&["\n", "\r\n"][..]);
    let flags = (any::<bool>(), prop::bool::weighted(0.1), any::<bool>());
    (indentation, line_break, flags, select(&[0, 40, 90][..]), gaps).prop_map(
        |(indentation, line_break, (is_tight, has_mark, ends_with_line_break), width, gaps)| Layout {
            indentation,
            line_break,
            is_spaced: !is_tight,
            width,
            has_mark,
            ends_with_line_break,
            gaps,
        },
    )
}

impl Layout {
    /// The text of a tree.
    pub(super) fn text(&self, root: &Node) -> String {
        let mut writer = Writer { layout: self, out: String::new(), depth: 0, gaps: 0, notes: 0 };
        if self.has_mark {
            writer.out.push('\u{feff}');
        }
        if self.gaps.first() == Some(&gap::LINE_BEFORE) {
            writer.line_note();
            writer.out.push_str(self.line_break);
        }
        writer.node(root);
        if self.ends_with_line_break {
            writer.out.push_str(self.line_break);
        }
        writer.out
    }
}

struct Writer<'l> {
    layout: &'l Layout,
    out: String,
    depth: usize,
    /// Choices made.
    gaps: usize,
    /// Comments written.
    notes: usize,
}

/// How long a tree is on one line.
fn flat(node: &Node) -> usize {
    match node {
        Node::Scalar(text) => text.len(),
        Node::Array(elements) => elements.iter().map(|element| flat(element) + 2).sum::<usize>() + 2,
        Node::Object(members) => members.iter().map(|(key, value)| key.len() + flat(value) + 4).sum::<usize>() + 2,
    }
}

impl Writer<'_> {
    fn gap(&mut self) -> u8 {
        let gaps = &self.layout.gaps;
        self.gaps += 1;
        if gaps.is_empty() { 0 } else { gaps[self.gaps % gaps.len()] }
    }

    fn note(&mut self) -> String {
        self.notes += 1;
        format!("{} {}", NOTES[self.notes % NOTES.len()], self.notes)
    }

    fn line_note(&mut self) {
        let note = self.note();
        self.out.push_str(&format!("// {note}"));
    }

    fn block_note(&mut self) {
        let note = self.note();
        self.out.push_str(&format!("/* {note} */"));
    }

    fn line(&mut self) {
        self.out.push_str(self.layout.line_break);
        self.out.push_str(&self.layout.indentation.repeat(self.depth));
    }

    fn space(&mut self) {
        if self.layout.is_spaced {
            self.out.push(' ');
        }
    }

    fn node(&mut self, node: &Node) {
        let has_lines = !self.layout.indentation.is_empty() && flat(node) > self.layout.width;
        match node {
            Node::Scalar(text) => self.out.push_str(text),
            Node::Array(elements) => {
                self.container(['[', ']'], has_lines, elements.iter().map(|element| (None, element)));
            }
            Node::Object(members) => {
                self.container(['{', '}'], has_lines, members.iter().map(|(key, value)| (Some(key), value)));
            }
        }
    }

    fn container<'n>(
        &mut self,
        [open, close]: [char; 2],
        has_lines: bool,
        children: impl ExactSizeIterator<Item = (Option<&'n String>, &'n Node)>,
    ) {
        self.out.push(open);
        self.depth += 1;
        let (count, mut stays) = (children.len(), false);
        for (index, (key, value)) in children.enumerate() {
            let gap = self.gap();
            if has_lines && gap == gap::EMPTY_LINE {
                self.out.push_str(self.layout.line_break);
            }
            match has_lines && !stays {
                true => self.line(),
                false if index > 0 => self.space(),
                false => {}
            }
            stays = gap == gap::SAME_LINE;
            match gap {
                gap::LINE_BEFORE if has_lines => {
                    self.line_note();
                    self.line();
                }
                gap::LONG_BEFORE if has_lines => {
                    self.out.push_str("/* long");
                    self.line();
                    self.out.push_str("   note */");
                    self.line();
                }
                gap::BLOCK_BEFORE => {
                    self.block_note();
                    self.space();
                }
                _ => {}
            }
            if let Some(key) = key {
                self.out.push_str(key);
                self.out.push(':');
                self.space();
                if gap == gap::BEFORE_VALUE {
                    self.block_note();
                    self.space();
                }
            }
            self.node(value);
            match gap {
                gap::BLOCK_BEFORE_COMMA => {
                    self.space();
                    self.block_note();
                }
                gap::LINE_BEFORE_COMMA if has_lines => {
                    self.space();
                    self.line_note();
                    self.line();
                }
                gap::COMMA_ON_NEXT_LINE if has_lines => self.line(),
                _ => {}
            }
            if index + 1 < count || gap == gap::TRAILING_COMMA {
                self.out.push(',');
            }
            if gap == gap::LINE_AFTER && has_lines {
                self.space();
                self.line_note();
            }
        }
        self.depth -= 1;
        if count == 0 {
            let gap = self.gap();
            match gap {
                gap::BLOCK_BEFORE => self.block_note(),
                gap::LINE_BEFORE if !self.layout.indentation.is_empty() => {
                    self.line_note();
                    self.line();
                }
                _ => {}
            }
        } else if has_lines {
            self.line();
        }
        self.out.push(close);
    }
}
