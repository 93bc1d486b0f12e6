//! Reads JSON and JSONC into [`Value`]s: total, tolerant, with what is wrong and where.
//!
//! Comments and trailing commas are read without complaint and listed, since whether they are wrong depends on who
//! reads the file. A string ends at its line, so that a missing quote damages its line only, unless it plainly goes on in
//! the next one; a bracket that does not fit closes what it can. What is read depends on the text alone, never on how it was typed.

mod numbers;
mod strings;

use memchr::{memchr, memmem};

use super::error::{SyntaxError, SyntaxErrorKind as Kind};
use super::value::{Folded, Key, Member, Value, ValueKind};
use crate::text::{Edit, TextRange};

use numbers::is_number;
use strings::CURLY;
pub(super) use strings::unicode_escape;

/// Containers nested deeper are not read; a real tool list has ten levels.
const MAX_DEPTH: usize = 256;
/// Elements deeper than this are never folded, so that looking for their ends stays linear.
const MAX_FOLD_DEPTH: usize = 8;
/// Once ends were looked for in vain over this many times the text, nothing more is folded: a text in which no element
/// is closed would be looked through to its end for each.
const MAX_VAIN: usize = 4;

/// Errors of one reading that are listed. A text with more is no JSON in the first place, and a list of what is wrong
/// with megabytes of it would take gigabytes.
const MAX_ERRORS: usize = 10_000;

/// What a text holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The first value; unreadable and empty where there is none.
    pub value: Value,
    /// What is wrong, in the order of the text; the first ten thousand errors.
    pub errors: Vec<SyntaxError>,
    /// Every comment, its marks included.
    pub comments: Vec<TextRange>,
    /// Every comma after which its object or array ends.
    pub trailing_commas: Vec<TextRange>,
}

/// Reads a whole document.
pub fn read(text: &str) -> Reading {
    outline(text, &|_| false)
}

/// Reads a document, but leaves the objects in arrays folded of which `fold` says so.
pub fn outline(text: &str, fold: &dyn Fn(&Folded) -> bool) -> Reading {
    let mut reader = Reader::new(text, fold);
    reader.trivia();
    if reader.is_at_end() {
        reader.error(TextRange::empty(0), Kind::Empty, None);
        let value = Value { range: TextRange::empty(text.len()), kind: ValueKind::Unreadable };
        return reader.finish(value);
    }
    reader.text_before_value();
    let value = reader.value(false);
    reader.trivia();
    while let Some(close @ (b'}' | b']')) = reader.peek() {
        reader.unexpected_close(close);
        reader.trivia();
    }
    if !reader.is_at_end() {
        let range = reader.token();
        reader.error(range, Kind::TrailingContent, None);
    }
    reader.finish(value)
}

/// Reads one `"key": value`; `None` where the text does not start with a key.
pub fn read_member(text: &str) -> Option<(Key, Reading)> {
    let mut reader = Reader::new(text, &|_| false);
    let member = reader.member()?;
    Some((member.key, reader.finish(member.value)))
}

/// What stands between two values of a container, as far as it was read.
#[derive(Default)]
struct Gap {
    /// The comma after a value.
    comma: Option<TextRange>,
    /// There is a value before, and no comma yet.
    needs_comma: bool,
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// The end of the last token that is not trivia.
    token_end: usize,
    /// The closing bracket of each open container.
    open: Vec<u8>,
    /// Where each of them starts.
    opened: Vec<usize>,
    /// Where a comma stands that an unclosed container read, but that separates it from what follows.
    passed_comma: Option<usize>,
    fold: &'a dyn Fn(&Folded) -> bool,
    /// How many bytes were looked through for the ends of what has none.
    vain: usize,
    errors: Vec<SyntaxError>,
    comments: Vec<TextRange>,
    trailing_commas: Vec<TextRange>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, fold: &'a dyn Fn(&Folded) -> bool) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self {
            text,
            bytes: text.as_bytes(),
            at,
            token_end: at,
            open: Vec::new(),
            opened: Vec::new(),
            passed_comma: None,
            fold,
            vain: 0,
            errors: Vec::new(),
            comments: Vec::new(),
            trailing_commas: Vec::new(),
        }
    }

    fn finish(self, value: Value) -> Reading {
        Reading { value, errors: self.errors, comments: self.comments, trailing_commas: self.trailing_commas }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn error(&mut self, range: TextRange, kind: Kind, repair: Option<Edit>) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(SyntaxError { range, kind, repair });
        }
    }

    /// An empty value at this place.
    fn nothing(&self) -> Value {
        Value { range: TextRange::empty(self.token_end), kind: ValueKind::Unreadable }
    }

    fn advance(&mut self, end: usize) {
        self.at = end;
        self.token_end = end;
    }

    /// The last character before this place, to mark where something is missing.
    fn previous_character(&self) -> TextRange {
        let end = self.token_end;
        let start = self.text[..end].char_indices().next_back().map_or(0, |(start, _)| start);
        TextRange::new(start, end)
    }

    /// Skips white space and comments.
    fn trivia(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(b'/') => match self.bytes.get(self.at + 1) {
                    Some(b'/') => {
                        let rest = &self.bytes[self.at..];
                        let end = memchr(b'\n', rest).map_or(self.bytes.len(), |length| self.at + length);
                        let end = if self.bytes[..end].ends_with(b"\r") { end - 1 } else { end };
                        self.comments.push(TextRange::new(self.at, end));
                        self.at = end;
                    }
                    Some(b'*') => {
                        let close = memmem::find(&self.bytes[self.at + 2..], b"*/");
                        let end = close.map_or(self.bytes.len(), |length| self.at + 2 + length + 2);
                        if close.is_none() {
                            self.error(TextRange::new(self.at, self.at + 2), Kind::UnclosedComment, None);
                        }
                        self.comments.push(TextRange::new(self.at, end));
                        self.at = end;
                    }
                    _ => return,
                },
                Some(b'#') => {
                    let rest = &self.bytes[self.at..];
                    let end = self.at + memchr(b'\n', rest).unwrap_or(rest.len());
                    let end = if self.bytes[..end].ends_with(b"\r") { end - 1 } else { end };
                    let range = TextRange::new(self.at, end);
                    self.error(range, Kind::HashComment, Some(Edit::remove(range)));
                    self.at = end;
                }
                Some(byte) if !byte.is_ascii() => match self.character() {
                    Some(space) if space.is_whitespace() || space == '\u{feff}' => {
                        let range = TextRange::new(self.at, self.at + space.len_utf8());
                        let repair = Edit::replace(range, " ");
                        self.error(range, Kind::UnexpectedCharacter { found: space }, Some(repair));
                        self.at = range.end;
                    }
                    _ => return,
                },
                _ => return,
            }
        }
    }

    fn character(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// The token that starts here, without reading it.
    fn token(&self) -> TextRange {
        let end = match self.peek() {
            None => self.at,
            Some(b'"') => self.string_end(self.at).0,
            Some(b'{' | b'}' | b'[' | b']' | b',' | b':') => self.at + 1,
            Some(_) => self.word_end().max(self.at + self.character().map_or(0, char::len_utf8)),
        };
        TextRange::new(self.at, end)
    }

    /// The end of the run of characters that belong to no other token and start no comment.
    fn word_end(&self) -> usize {
        let rest = &self.bytes[self.at..];
        let is_end = |(index, byte): (usize, &u8)| match byte {
            b' ' | b'\n' | b'\r' | b'\t' | b',' | b':' | b'"' | b'{' | b'}' | b'[' | b']' => true,
            b'/' => matches!(rest.get(index + 1), Some(b'/' | b'*')),
            _ => false,
        };
        self.at + rest.iter().enumerate().position(is_end).unwrap_or(rest.len())
    }

    /// What was copied along with the value: a backtick, `export default`, a name and an equals sign.
    fn text_before_value(&mut self) {
        let line = &self.bytes[self.at..];
        let line = &line[..memchr(b'\n', line).unwrap_or(line.len())];
        let Some(length) = line.iter().position(|byte| matches!(byte, b'{' | b'[')).filter(|length| *length > 0) else {
            return;
        };
        if line[..length].contains(&b'"') {
            return;
        }
        let range = TextRange::new(self.at, self.at + self.text[self.at..self.at + length].trim_end().len());
        self.error(range, Kind::TextBeforeValue, Some(Edit::remove(TextRange::new(self.at, self.at + length))));
        self.advance(self.at + length);
    }

    /// A value, or what stands in its place. `in_array`: whether it is the element of an array.
    fn value(&mut self, in_array: bool) -> Value {
        let start = self.at;
        match self.peek() {
            Some(b'"') => {
                let (range, text) = self.string();
                Value { range, kind: ValueKind::String(text) }
            }
            Some(b'\'') => {
                let (range, text) = self.single_quoted();
                Value { range, kind: ValueKind::String(text) }
            }
            Some(CURLY) => match self.curly_end() {
                Some(end) => {
                    let (range, text) = self.curly_quoted(end);
                    Value { range, kind: ValueKind::String(text) }
                }
                None => self.scalar(),
            },
            Some(open @ (b'{' | b'[')) => {
                let close = if open == b'{' { b'}' } else { b']' };
                if self.open.len() >= MAX_DEPTH {
                    self.error(TextRange::new(start, start + 1), Kind::TooDeep, None);
                    let mut end = start;
                    if self.skim(&mut end).is_none() {
                        end = self.bytes.len();
                    }
                    self.advance(end);
                    return Value { range: TextRange::new(start, end), kind: ValueKind::Unreadable };
                }
                if in_array && open == b'{' && self.open.len() <= MAX_FOLD_DEPTH && self.may_look() {
                    let mut end = start;
                    match self.skim(&mut end) {
                        Some(folded) if (self.fold)(&folded) => {
                            self.advance(end);
                            return Value { range: TextRange::new(start, end), kind: ValueKind::Folded(folded) };
                        }
                        Some(_) => {}
                        None => self.vain += end - start,
                    }
                }
                self.advance(start + 1);
                self.open.push(close);
                self.opened.push(start);
                let kind = if open == b'{' { self.object() } else { self.array() };
                self.open.pop();
                self.opened.pop();
                Value { range: TextRange::new(start, self.token_end), kind }
            }
            _ => self.scalar(),
        }
    }

    fn array(&mut self) -> ValueKind {
        let mut elements = Vec::new();
        let mut gap = Gap::default();
        loop {
            self.trivia();
            match self.peek() {
                Some(b']') => {
                    self.close(&gap);
                    return ValueKind::Array(elements);
                }
                Some(b',') => self.comma(&mut gap),
                Some(b':') => self.skip_unexpected(),
                Some(b'}') if !self.open.contains(&b'}') => self.unexpected_close(b'}'),
                None | Some(b'}') => {
                    self.unclosed(']', &gap);
                    return ValueKind::Array(elements);
                }
                Some(_) => {
                    self.end_gap(&mut gap);
                    elements.push(self.value(true));
                }
            }
        }
    }

    fn object(&mut self) -> ValueKind {
        let mut members: Vec<Member> = Vec::new();
        let mut gap = Gap::default();
        loop {
            self.trivia();
            match self.peek() {
                Some(b'}') => {
                    self.close(&gap);
                    return ValueKind::Object(members);
                }
                Some(b',') => self.comma(&mut gap),
                Some(b':') => self.skip_unexpected(),
                Some(b']') if !self.open.contains(&b']') => self.unexpected_close(b']'),
                None | Some(b']') => {
                    self.unclosed('}', &gap);
                    return ValueKind::Object(members);
                }
                // In a list, the next object begins: this one was not closed.
                Some(b'{') if self.is_next_element() => {
                    self.unclosed('}', &gap);
                    return ValueKind::Object(members);
                }
                Some(_) => {
                    self.end_gap(&mut gap);
                    match self.member() {
                        Some(member) => members.push(member),
                        None => {
                            let range = self.token();
                            self.error(range, Kind::MissingKey, None);
                            self.value(false);
                        }
                    }
                }
            }
        }
    }

    /// Whether the object being read is an element of an array, so that `{` in place of a key starts the next element.
    fn is_next_element(&self) -> bool {
        self.open.len() >= 2 && self.open[self.open.len() - 2] == b']'
            || self.open.len() >= 3 && self.open[..self.open.len() - 1].contains(&b']')
    }

    /// A key with its colon and value; nothing is read where no key starts.
    fn member(&mut self) -> Option<Member> {
        let (range, name) = match self.peek()? {
            b'"' => self.string(),
            b'\'' => self.single_quoted(),
            _ => match self.curly_end() {
                Some(end) => self.curly_quoted(end),
                None => self.bare_key()?,
            },
        };
        let key = Key { name, range };
        self.trivia();
        if self.peek() != Some(b':') {
            let starts_value = matches!(self.peek(), Some(b'{' | b'[' | b'"' | b'-' | b'0'..=b'9'));
            let repair = starts_value.then(|| Edit::insert(self.token_end, ":"));
            self.error(range, Kind::MissingColon, repair);
            // What follows on another line is the next member rather than this one's value.
            let value = if starts_value && !self.is_new_line() { self.value(false) } else { self.nothing() };
            return Some(Member { key, value });
        }
        let colon = self.at;
        self.advance(colon + 1);
        self.trivia();
        let value = match self.peek() {
            None | Some(b',' | b'}' | b']' | b':') => {
                self.error(TextRange::new(colon, colon + 1), Kind::MissingValue, None);
                self.nothing()
            }
            Some(b'"') if self.is_new_line() && self.is_key() => {
                self.error(TextRange::new(colon, colon + 1), Kind::MissingValue, None);
                self.nothing()
            }
            Some(_) => self.value(false),
        };
        Some(Member { key, value })
    }

    /// Whether a line break lies between the last token and this place.
    fn is_new_line(&self) -> bool {
        self.bytes[self.token_end..self.at].contains(&b'\n')
    }

    /// Whether the string that starts here is followed by a colon.
    fn is_key(&self) -> bool {
        let (end, closed) = self.string_end(self.at);
        let rest = self.bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
        closed && rest == Some(&b':')
    }

    /// A word followed by a colon.
    fn bare_key(&mut self) -> Option<(TextRange, Box<str>)> {
        let end = self.word_end();
        let colon = self.bytes[end..].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        if end == self.at || colon != Some(&b':') {
            return None;
        }
        let range = TextRange::new(self.at, end);
        let word = &self.text[range.as_usize()];
        let plain = word.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '$' | '.'));
        self.error(range, Kind::BareKey, plain.then(|| Edit::replace(range, format!("\"{word}\""))));
        self.advance(end);
        Some((range, word.into()))
    }

    /// A comma of the container being read.
    fn comma(&mut self, gap: &mut Gap) {
        let range = TextRange::new(self.at, self.at + 1);
        gap.comma = gap.needs_comma.then_some(range);
        if !gap.needs_comma {
            self.error(range, Kind::ExtraComma, Some(Edit::remove(range)));
        }
        gap.needs_comma = false;
        self.passed_comma = None;
        self.advance(range.end);
    }

    /// The next value of the container being read begins.
    fn end_gap(&mut self, gap: &mut Gap) {
        if gap.needs_comma && self.passed_comma.take().is_none() {
            let repair = Edit::insert(self.token_end, ",");
            let range = self.token();
            self.error(range, Kind::MissingComma, Some(repair));
        }
        *gap = Gap { comma: None, needs_comma: true };
    }

    /// The container being read ends with its bracket.
    fn close(&mut self, gap: &Gap) {
        self.trailing_commas.extend(gap.comma);
        self.passed_comma = None;
        self.advance(self.at + 1);
    }

    /// The container being read ends without its bracket.
    fn unclosed(&mut self, expected: char, gap: &Gap) {
        let range = self.previous_character();
        self.passed_comma = gap.comma.map(|comma| comma.start).or(self.passed_comma);
        let end = self.passed_comma.unwrap_or(self.token_end);
        let opened = self.opened.last().copied().unwrap_or_default();
        self.error(range, Kind::Unclosed { expected, opened }, Some(Edit::insert(end, expected)));
    }

    fn unexpected_close(&mut self, close: u8) {
        let range = TextRange::new(self.at, self.at + 1);
        self.error(range, Kind::UnexpectedClose { found: char::from(close) }, Some(Edit::remove(range)));
        self.advance(range.end);
    }

    fn skip_unexpected(&mut self) {
        let Some(found) = self.character() else { return };
        let range = TextRange::new(self.at, self.at + found.len_utf8());
        self.error(range, Kind::UnexpectedCharacter { found }, Some(Edit::remove(range)));
        self.advance(range.end);
    }

    /// A number, `true`, `false`, `null`, or a word that is none of these.
    fn scalar(&mut self) -> Value {
        let start = self.at;
        let end = self.word_end();
        if end == start {
            self.skip_unexpected();
            return Value { range: TextRange::new(start, self.at), kind: ValueKind::Unreadable };
        }
        let range = TextRange::new(start, end);
        self.advance(end);
        let word = &self.text[range.as_usize()];
        let kind = match word {
            "null" => ValueKind::Null,
            "true" => ValueKind::Bool(true),
            "false" => ValueKind::Bool(false),
            _ if is_number(word.as_bytes()) => ValueKind::Number(word.into()),
            _ => {
                let meant = match word {
                    "True" | "TRUE" | "yes" => Some("true"),
                    "False" | "FALSE" | "no" => Some("false"),
                    "None" | "NULL" | "Null" | "nil" | "undefined" | "NaN" => Some("null"),
                    _ => None,
                };
                let repair = meant.map(|meant| Edit::replace(range, meant));
                let is_number =
                    word.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.'));
                let kind =
                    if is_number { Kind::InvalidNumber } else { Kind::UnknownWord { word: shortened(word), meant } };
                self.error(range, kind, repair);
                ValueKind::Unreadable
            }
        };
        Value { range, kind }
    }

    fn may_look(&self) -> bool {
        self.vain <= MAX_VAIN * self.bytes.len()
    }

    /// Moves `at` from the start of a container to its end, by its brackets and strings alone, and tells the keys of
    /// its own where it is an object; `None` where it is not well closed, and `at` is as far as was looked.
    fn skim(&self, at: &mut usize) -> Option<Folded> {
        let bytes = self.bytes;
        let is_object = bytes[*at] == b'{';
        let mut keys: Vec<(Box<str>, u8)> = Vec::new();
        let mut open = Vec::with_capacity(16);
        let mut at_key = false;
        let mut at_value = false;
        loop {
            let byte = *bytes.get(*at)?;
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' => {
                    *at += 1;
                    continue;
                }
                // What a comment with `#` holds may look like anything.
                b'#' => return None,
                b'/' if bytes.get(*at + 1) == Some(&b'/') => {
                    *at += memchr(b'\n', &bytes[*at..])?;
                    continue;
                }
                b'/' if bytes.get(*at + 1) == Some(&b'*') => {
                    *at += 2 + memmem::find(&bytes[*at + 2..], b"*/")? + 2;
                    continue;
                }
                _ => {}
            }
            if at_value && let Some(last) = keys.last_mut() {
                last.1 = byte;
            }
            let is_own = is_object && open.len() == 1;
            at_value = is_own && byte == b':';
            match byte {
                b'"' => {
                    let (end, closed) = self.string_end(*at);
                    if !closed {
                        return None;
                    }
                    if is_own && at_key {
                        keys.push((self.text[*at + 1..end - 1].into(), 0));
                    }
                    at_key = false;
                    *at = end;
                    continue;
                }
                b'{' => open.push(b'}'),
                b'[' => open.push(b']'),
                b'}' | b']' => {
                    if open.pop()? != byte {
                        return None;
                    }
                    if open.is_empty() {
                        *at += 1;
                        return Some(Folded { is_object, keys });
                    }
                }
                _ => {}
            }
            at_key = matches!(byte, b'{' | b',');
            *at += 1;
        }
    }
}

/// The first characters of a long word.
fn shortened(word: &str) -> String {
    const LIMIT: usize = 40;
    if word.chars().count() <= LIMIT { word.to_owned() } else { word.chars().take(LIMIT).chain(['…']).collect() }
}

#[cfg(test)]
mod tests;
