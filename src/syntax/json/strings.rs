//! Strings of JSON text: where they end, and what they stand for.

use memchr::memchr3;

use super::{Kind, Reader};
use crate::text::{Edit, TextRange};

/// The first byte of every quote that word processors make of `"`.
pub(super) const CURLY: u8 = 0xe2;

/// Quotes with a backslash that the later lines of a string may have.
const MAX_LATER_QUOTES: usize = 64;

fn is_curly(character: char) -> bool {
    matches!(character, '“' | '”' | '„' | '‟')
}

impl Reader<'_> {
    /// Where the string that starts at `start` ends, and whether by a quote. One without ends with its line, unless it
    /// plainly goes on in the next ones.
    pub(super) fn string_end(&self, start: usize) -> (usize, bool) {
        let mut at = start + 1;
        loop {
            let Some(length) = memchr3(b'"', b'\\', b'\n', self.bytes.get(at..).unwrap_or_default()) else {
                return (self.bytes.len(), false);
            };
            at += length;
            match self.bytes[at] {
                b'"' => return (at + 1, true),
                b'\\' if self.bytes.get(at + 1).is_some_and(|byte| *byte != b'\n') => at += 2,
                b'\\' => at += 1,
                _ => {
                    let line_end = if self.bytes[at - 1] == b'\r' { at - 1 } else { at };
                    return self.later_end(at).map_or((line_end, false), |end| (end, true));
                }
            }
        }
    }

    /// Where a string ends that has the line break at `at` in it: at the next quote, when something stands behind that as
    /// only behind a string. `None` where the string lost its quote before the line break: where the next line starts
    /// with a bracket that closes, or the next quote opens a string.
    fn later_end(&self, mut at: usize) -> Option<usize> {
        let mut quotes = 0;
        loop {
            match self.bytes[at] {
                b'\n' => {
                    at += 1;
                    let line = self.bytes[at..].trim_ascii_start();
                    if matches!(line.first(), None | Some(b'}' | b']')) {
                        return None;
                    }
                }
                b'"' => {
                    let behind =
                        self.text[at + 1..].trim_start_matches(|char: char| char != '\n' && char.is_whitespace());
                    let is_end = behind.is_empty() || behind.starts_with([',', '}', ']', '\n']);
                    return is_end.then_some(at + 1);
                }
                _ => match self.bytes.get(at + 1)? {
                    b'\n' => return None,
                    // Each of them is looked at again as the start of a string where this is none.
                    b'"' if quotes == MAX_LATER_QUOTES => return None,
                    next => {
                        quotes += usize::from(*next == b'"');
                        at += 2;
                    }
                },
            }
            at += memchr3(b'"', b'\\', b'\n', self.bytes.get(at..)?)?;
        }
    }

    /// A string in double quotes: its range with them, and its text.
    pub(super) fn string(&mut self) -> (TextRange, Box<str>) {
        let start = self.at;
        let (mut end, closed) = self.string_end(start);
        let mut inner = TextRange::new(start + 1, end - usize::from(closed));
        if !closed {
            // `"text,` most likely lost its quote before the comma.
            let content = self.text[start + 1..end].trim_end();
            let content = content.strip_suffix(',').unwrap_or(content);
            end = start + 1 + content.len();
            inner = TextRange::new(start + 1, end);
            self.error(TextRange::new(start, end), Kind::UnclosedString, Some(Edit::insert(end, "\"")));
        }
        self.line_breaks(inner);
        let text = self.decoded(inner);
        self.advance(end);
        (TextRange::new(start, end), text)
    }

    /// Tells once of all line breaks inside a string.
    fn line_breaks(&mut self, inner: TextRange) {
        let raw = &self.text[inner.as_usize()];
        let (Some(first), Some(last)) = (raw.find('\n'), raw.rfind('\n')) else { return };
        let first = if raw[..first].ends_with('\r') { first - 1 } else { first };
        let escaped = raw[first..=last].replace("\r\n", "\\n").replace('\n', "\\n");
        let breaks = TextRange::new(first, last + 1).shifted(inner.start);
        let first_line = TextRange::new(inner.start - 1, breaks.start);
        self.error(first_line, Kind::LineBreak, Some(Edit::replace(breaks, escaped)));
    }

    /// A string in single quotes, as JavaScript and Python write it.
    pub(super) fn single_quoted(&mut self) -> (TextRange, Box<str>) {
        let start = self.at;
        let (end, closed) = match self.single_quote(start + 1) {
            Some(end) => (end + 1, true),
            None => (self.word_end().max(start + 1), false),
        };
        let range = TextRange::new(start, end);
        let inner = self.text[start + 1..end - usize::from(closed)].replace("\\'", "'");
        // Other escapes are the same in double quotes, or are told of when they stand there.
        let plain = closed && !inner.contains(char::is_control) && !inner.contains("\\\"");
        let repair = plain.then(|| Edit::replace(range, format!("\"{}\"", inner.replace('"', "\\\""))));
        self.error(range, Kind::SingleQuotes { closed }, repair);
        self.advance(end);
        (range, inner.into())
    }

    /// Where a string ends that starts here with a quote as word processors write it. Whichever quote comes before
    /// something that only stands behind a string ends it.
    pub(super) fn curly_end(&mut self) -> Option<usize> {
        let rest = self.text.get(self.at..).filter(|rest| self.may_look() && rest.starts_with(is_curly))?;
        let is_end = |end: usize| {
            let behind = rest[end..].trim_start_matches([' ', '\t', '\r']);
            behind.is_empty() || behind.starts_with([',', ':', '}', ']', '\n'])
        };
        for (at, character) in rest.char_indices().skip(1) {
            let end = at + character.len_utf8();
            if (is_curly(character) || character == '"') && is_end(end) {
                return Some(self.at + end);
            }
            if character == '\n' {
                self.vain += at;
                return None;
            }
        }
        self.vain += rest.len();
        None
    }

    /// The string that ends there.
    pub(super) fn curly_quoted(&mut self, end: usize) -> (TextRange, Box<str>) {
        let range = TextRange::new(self.at, end);
        let mut inner = self.text[range.as_usize()].chars();
        let found = inner.next().unwrap_or('“');
        inner.next_back();
        let inner = inner.as_str();
        let plain = !inner.contains(char::is_control) && !inner.contains("\\\"");
        let repair = plain.then(|| Edit::replace(range, format!("\"{}\"", inner.replace('"', "\\\""))));
        self.error(range, Kind::CurlyQuotes { found }, repair);
        self.advance(end);
        (range, inner.into())
    }

    /// Where the single quote is that ends a string on its line.
    fn single_quote(&self, mut at: usize) -> Option<usize> {
        loop {
            at += memchr3(b'\'', b'\\', b'\n', self.bytes.get(at..)?)?;
            match self.bytes[at] {
                b'\'' => return Some(at),
                b'\\' => at += 2,
                _ => return None,
            }
        }
    }

    /// The text that the inside of a string stands for. A lone surrogate becomes U+FFFD, as in most parsers.
    fn decoded(&mut self, inner: TextRange) -> Box<str> {
        let raw = &self.text[inner.as_usize()];
        if !raw.bytes().any(|byte| byte == b'\\' || byte < b' ') {
            return raw.into();
        }
        let mut out = String::with_capacity(raw.len());
        let mut at = 0;
        while let Some(char) = raw[at..].chars().next() {
            let start = inner.start + at;
            // Line breaks were told of; this is half of one.
            if raw[at..].starts_with("\r\n") {
                at += 1;
                continue;
            }
            if char != '\\' {
                if char < ' ' && char != '\n' {
                    let range = TextRange::new(start, start + 1);
                    let escape = match char {
                        '\t' => "\\t".to_owned(),
                        '\r' => "\\r".to_owned(),
                        other => format!("\\u{:04x}", u32::from(other)),
                    };
                    self.error(range, Kind::ControlCharacter { found: char }, Some(Edit::replace(range, escape)));
                }
                out.push(char);
                at += char.len_utf8();
                continue;
            }
            let escape = raw[at + 1..].chars().next();
            let simple = match escape {
                Some(same @ ('"' | '\\' | '/')) => Some(same),
                Some('b') => Some('\u{8}'),
                Some('f') => Some('\u{c}'),
                Some('n') => Some('\n'),
                Some('r') => Some('\r'),
                Some('t') => Some('\t'),
                _ => None,
            };
            if let Some(char) = simple {
                out.push(char);
                at += 2;
            } else if let Some((char, length)) = unicode_escape(&raw[at..]) {
                out.push(char);
                at += length;
            } else {
                let length = 1 + escape.map_or(0, char::len_utf8);
                let range = TextRange::new(start, start + length);
                let repair = with_doubled_backslashes(raw).map(|text| Edit::replace(inner, text));
                self.error(range, Kind::InvalidEscape, repair);
                out.push_str(&raw[at..at + length]);
                at += length;
            }
        }
        out.into()
    }
}

/// The inside of a string with every single backslash doubled, where that is what was meant: in a Windows path, and where
/// none of the backslashes starts an escape that JSON knows, as in a regular expression.
fn with_doubled_backslashes(raw: &str) -> Option<String> {
    let is_path = raw.starts_with("\\\\")
        || raw.as_bytes().windows(3).any(|bytes| bytes[0].is_ascii_alphabetic() && &bytes[1..] == b":\\");
    // `\\server\share` as it is meant: its first two are as little doubled as the rest.
    let is_share = raw.starts_with("\\\\") && !raw.starts_with("\\\\\\");
    if is_share && raw[2..].replace("\\\\", "").contains('\\') {
        return Some(raw.replace('\\', "\\\\"));
    }
    let mut out = String::with_capacity(raw.len() + 8);
    let mut characters = raw.chars();
    while let Some(character) = characters.next() {
        out.push(character);
        if character != '\\' {
            continue;
        }
        match characters.next() {
            // Written right already.
            Some(same @ ('\\' | '"')) => out.push(same),
            Some('b' | 'f' | 'n' | 'r' | 't' | 'u' | '/') if !is_path => return None,
            next => {
                out.push('\\');
                out.extend(next);
            }
        }
    }
    Some(out)
}

/// `\uXXXX` or a surrogate pair at the start of `raw`: the character and how long it is written.
pub(in crate::syntax) fn unicode_escape(raw: &str) -> Option<(char, usize)> {
    let unit = |at: usize| -> Option<u32> {
        let digits = raw.get(at..at + 6)?.strip_prefix("\\u")?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    };
    let first = unit(0)?;
    if let (0xD800..=0xDBFF, Some(second @ 0xDC00..=0xDFFF)) = (first, unit(6)) {
        let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return Some((char::from_u32(code)?, 12));
    }
    Some((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 6))
}
