//! Texts, byte ranges and edits, and the one place of line and column arithmetic.
//!
//! The only module that names ropey: a [`Text`] is cheap to clone, so that a snapshot of a document costs nothing.
//! Knows nothing of what a text means.

mod range;
mod words;

use std::borrow::Cow;
use std::fmt;

use ropey::Rope;

pub use range::{Edit, Splice, TextRange, apply_edits};
pub use words::{counted, is_invisible, shown, shown_up_to, stem, words};

/// How the columns of a line are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// In bytes.
    Utf8,
    /// In UTF-16 code units, the default of the language server protocol.
    Utf16,
    /// In Unicode scalar values, as a person counts on the command line.
    Utf32,
}

/// A place in a text, both numbers from zero. Lines end with LF, CRLF or CR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column, in the units of an [`Encoding`].
    pub column: u32,
}

/// A text that is cheap to clone and to edit.
#[derive(Clone, Debug, Default)]
pub struct Text {
    rope: Rope,
}

impl Text {
    /// A text with this content.
    pub fn new(content: &str) -> Self {
        Self { rope: Rope::from_str(content) }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.rope.len_bytes()
    }

    /// Whether there is no byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Everything, as far as the end of the text.
    pub fn range(&self) -> TextRange {
        TextRange::new(0, self.len())
    }

    /// The part of the text in `range`, which is clamped to the text and to whole characters.
    pub fn slice(&self, range: TextRange) -> Cow<'_, str> {
        let range = self.clamped(range);
        self.rope.byte_slice(range.as_usize()).into()
    }

    /// The bytes from `offset` to the end of the piece that holds it; none at the end of the text.
    pub fn chunk_from(&self, offset: usize) -> &[u8] {
        if offset >= self.len() {
            return b"";
        }
        let (chunk, chunk_start, _, _) = self.rope.chunk_at_byte(offset);
        &chunk.as_bytes()[offset - chunk_start..]
    }

    /// Applies one edit, its range clamped to the text and to whole characters, and tells what it did to offsets.
    pub fn apply(&mut self, range: TextRange, new_text: &str) -> Splice {
        let range = self.clamped(range);
        let start = self.rope.byte_to_char(range.start);
        if !range.is_empty() {
            self.rope.remove(start..self.rope.byte_to_char(range.end));
        }
        self.rope.insert(start, new_text);
        Splice { start: range.start, old_end: range.end, new_end: range.start + new_text.len() }
    }

    /// The line and column of a byte offset; an offset inside a character counts as its start.
    pub fn line_column(&self, offset: usize, encoding: Encoding) -> LineColumn {
        let offset = self.floor(offset);
        let line = self.rope.byte_to_line(offset);
        let line_start = self.rope.line_to_byte(line);
        let column = match encoding {
            Encoding::Utf8 => offset - line_start,
            Encoding::Utf16 => self.utf16(offset) - self.utf16(line_start),
            Encoding::Utf32 => self.rope.byte_to_char(offset) - self.rope.byte_to_char(line_start),
        };
        LineColumn { line: line as u32, column: column as u32 }
    }

    /// The byte offset of a line and column. Total: a line past the end is the end of the text, a column past the end
    /// of its line is the end of the line, a column inside a character is the character's start.
    pub fn offset(&self, place: LineColumn, encoding: Encoding) -> usize {
        let line = place.line as usize;
        if line >= self.rope.len_lines() {
            return self.len();
        }
        let start = self.rope.line_to_byte(line);
        let end = self.line_end(line);
        let column = place.column as usize;
        match encoding {
            Encoding::Utf8 => self.floor((start + column).min(end)),
            Encoding::Utf16 => {
                let unit = self.utf16(start) + column;
                if unit >= self.utf16(end) { end } else { self.rope.char_to_byte(self.rope.utf16_cu_to_char(unit)) }
            }
            Encoding::Utf32 => {
                let char = self.rope.byte_to_char(start) + column;
                if char >= self.rope.byte_to_char(end) { end } else { self.rope.char_to_byte(char) }
            }
        }
    }

    /// The range of a line without its line break; empty past the last line.
    pub fn line_range(&self, line: u32) -> TextRange {
        let line = line as usize;
        if line >= self.rope.len_lines() {
            return TextRange::empty(self.len());
        }
        TextRange::new(self.rope.line_to_byte(line), self.line_end(line))
    }

    /// The end of a line, before its line break.
    fn line_end(&self, line: usize) -> usize {
        let start = self.rope.line_to_byte(line);
        if line + 1 >= self.rope.len_lines() {
            return self.len();
        }
        let next = self.rope.line_to_byte(line + 1);
        let crlf = next - start >= 2 && self.rope.byte(next - 1) == b'\n' && self.rope.byte(next - 2) == b'\r';
        next - if crlf { 2 } else { 1 }
    }

    fn utf16(&self, offset: usize) -> usize {
        self.rope.char_to_utf16_cu(self.rope.byte_to_char(offset))
    }

    fn floor(&self, offset: usize) -> usize {
        self.rope.char_to_byte(self.rope.byte_to_char(offset.min(self.len())))
    }

    fn clamped(&self, range: TextRange) -> TextRange {
        let start = self.floor(range.start);
        TextRange::new(start, self.floor(range.end).max(start))
    }
}

/// The candidate that a mistyped word most likely means: at most two edits away, and fewer than half its length.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // A word that is much longer or shorter is none of them, whatever its letters, and may be a megabyte long.
    let length = word.chars().count();
    let mut candidates =
        candidates.into_iter().filter(|candidate| candidate.chars().count().abs_diff(length) <= 2).peekable();
    candidates.peek()?;
    let lower = word.to_lowercase();
    candidates
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= 2 && distance * 2 < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rope.chunks().try_for_each(|chunk| formatter.write_str(chunk))
    }
}

impl From<&Text> for String {
    fn from(text: &Text) -> String {
        let mut out = String::with_capacity(text.len());
        text.rope.chunks().for_each(|chunk| out.push_str(chunk));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        let candidates = ["command", "args", "env"];
        assert_eq!(nearest("comand", candidates), Some("command"));
        assert_eq!(nearest("Commandd", candidates), Some("command"));
        assert_eq!(nearest("agrs", candidates), Some("args"));
        assert_eq!(nearest("url", candidates), None);
        assert_eq!(nearest(&"k".repeat(1 << 20), candidates), None);
    }

    #[test]
    fn columns_count_in_the_units_of_their_encoding() {
        let text = Text::new("a\u{1F600}b\r\nc\u{2028}d\re");
        let at = |offset, encoding| text.line_column(offset, encoding);
        assert_eq!(at(5, Encoding::Utf8), LineColumn { line: 0, column: 5 });
        assert_eq!(at(5, Encoding::Utf16), LineColumn { line: 0, column: 3 });
        assert_eq!(at(5, Encoding::Utf32), LineColumn { line: 0, column: 2 });
        assert_eq!(at(12, Encoding::Utf16), LineColumn { line: 1, column: 2 }, "U+2028 ends no line");
        assert_eq!(at(14, Encoding::Utf16), LineColumn { line: 2, column: 0 }, "a lone CR does");
        assert_eq!(text.offset(LineColumn { line: 0, column: 99 }, Encoding::Utf16), 6, "clamped before CRLF");
        assert_eq!(text.offset(LineColumn { line: 0, column: 2 }, Encoding::Utf16), 1, "inside a surrogate pair");
        assert_eq!(text.offset(LineColumn { line: 9, column: 0 }, Encoding::Utf8), text.len());
    }

    proptest! {
        #[test]
        fn positions_round_trip(content in "(?s)[a-z\u{e9}\u{1F600}\r\n\u{2028}]{0,40}", at in 0usize..60) {
            let text = Text::new(&content);
            let offset = text.floor(at);
            // Between CR and LF is no place that a line and column can name.
            prop_assume!(!(content[..offset].ends_with('\r') && content[offset..].starts_with('\n')));
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                prop_assert_eq!(text.offset(text.line_column(offset, encoding), encoding), offset);
            }
        }

        #[test]
        fn edits_do_what_string_edits_do(content in "\\PC{0,30}", start in 0usize..40, len in 0usize..10, new in "\\PC{0,8}") {
            let mut text = Text::new(&content);
            let range = text.clamped(TextRange::new(start, start + len));
            let splice = text.apply(TextRange::new(start, start + len), &new);
            let mut expected = content.clone();
            expected.replace_range(range.as_usize(), &new);
            prop_assert_eq!(text.to_string(), expected);
            prop_assert_eq!(splice, Edit::replace(range, new).splice());
        }

        #[test]
        fn composed_splices_cover_both(content in "[a-z]{10,30}", a in 0usize..10, b in 0usize..10, x in "[A-Z]{0,5}", y in "[0-9]{0,5}") {
            let mut text = Text::new(&content);
            let first = text.apply(TextRange::new(a.min(b), a.max(b)), &x);
            let second = text.apply(TextRange::new(b, b + 2), &y);
            let both = first.then(second);
            let after = text.to_string();
            prop_assert_eq!(&after[..both.start], &content[..both.start]);
            prop_assert_eq!(&after[both.new_end..], &content[both.old_end..]);
        }
    }
}
