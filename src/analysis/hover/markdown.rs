//! Names and texts of a document as Markdown that shows them and does nothing else. Names and values are code, texts are
//! escaped where Markdown would obey them; no link is ever written.

use crate::text::{is_invisible, shown};

/// Longer texts of a document are cut.
const MAX_TEXT: usize = 300;

/// A name or value of a document as a code span, in which Markdown obeys nothing but the backtick.
pub(super) fn code(text: &str) -> String {
    match one_line(text).replace('`', "'") {
        text if text.trim().is_empty() => "` `".to_owned(),
        text => format!("`{text}`"),
    }
}

/// The same, short: one of several in a line.
pub(super) fn named(name: &str) -> String {
    code(&shown(name))
}

/// A sentence of ours that quotes once, between backticks: whatever is quoted stays code.
pub(super) fn with_code(sentence: &str) -> String {
    match (sentence.find('`'), sentence.rfind('`')) {
        (Some(start), Some(end)) if start < end => {
            format!("{}{}{}", &sentence[..start], code(&sentence[start + 1..end]), &sentence[end + 1..])
        }
        _ => escaped(sentence),
    }
}

/// Text of a document as a paragraph of Markdown that shows it and does nothing else: what could be a link is code, and
/// only those marks are escaped that would be obeyed where they stand, since some editors show the backslashes.
pub(super) fn escaped(text: &str) -> String {
    let text = one_line(text);
    let mut out = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        if may_be_address(word) {
            out += &code(word);
        } else {
            escape_word(word, &mut out);
        }
    }
    out
}

/// Whether Markdown or an editor may make a link of a word as it stands.
fn may_be_address(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    lower.contains("://") || lower.contains("www.") || lower.contains("mailto:") || lower.contains('@')
}

fn escape_word(word: &str, out: &mut String) {
    let starts_line = out.is_empty();
    let mut before = None;
    let mut rest = word;
    while let Some(char) = rest.chars().next() {
        let at_start = starts_line && before.is_none();
        rest = &rest[char.len_utf8()..];
        let next = rest.chars().next();
        let is_obeyed = match char {
            '`' | '*' | '[' | ']' | '~' => true,
            '\\' => next.is_none_or(|next| next.is_ascii_punctuation()),
            '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
            '&' => {
                let name = rest.trim_start_matches(|char: char| char.is_ascii_alphanumeric() || char == '#');
                name.starts_with(';')
            }
            '_' => !(before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric)),
            '#' | '-' | '+' | '>' | '=' | '|' => at_start,
            '.' | ')' => starts_line && is_number(&word[..word.len() - rest.len() - 1]),
            _ => false,
        };
        if is_obeyed {
            out.push('\\');
        }
        out.push(char);
        before = Some(char);
    }
}

/// Whether a list may begin with this and a dot.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A text on one line, cut, with what cannot be seen by its number.
fn one_line(text: &str) -> String {
    let mut out = String::new();
    for (count, char) in text.chars().enumerate() {
        if count == MAX_TEXT {
            out.push('…');
            break;
        }
        match char {
            '\n' | '\r' | '\t' => out.push(' '),
            // What makes an emoji of a sign.
            '\u{fe0f}' => out.push(char),
            _ if char.is_control() || is_invisible(char) => out += &format!("U+{:04X}", u32::from(char)),
            _ => out.push(char),
        }
    }
    out
}
