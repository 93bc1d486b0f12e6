//! The tokens of JSON that is known to be well formed: cut out as they stand, and laid out anew.
//!
//! Nothing here recurses, and the result is in proportion to the text, however deep or dense that is.

/// What fits in this many characters stays on its line.
const SHORT: usize = 72;
/// Containers that are deeper are not broken into lines.
const DEEPEST: usize = 24;
/// A value that would take this many times its length, and [`ROOM`] more, is not broken into lines at all.
const WIDEST: usize = 6;
/// See [`WIDEST`].
const ROOM: usize = 4096;

/// The tokens of a text: strings, brackets, commas, colons, and words such as `1.50` and `true`.
#[derive(Clone)]
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_ascii_start();
        let bytes = self.rest.as_bytes();
        let is_mark = |byte: &u8| b"{}[],:\"".contains(byte);
        let length = match bytes.first()? {
            b'"' => string_length(bytes),
            first if is_mark(first) => 1,
            _ => bytes.iter().position(|byte| byte.is_ascii_whitespace() || is_mark(byte)).unwrap_or(bytes.len()),
        };
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(token)
    }
}

fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(length) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
        at += length + 1;
        if bytes[at - 1] == b'"' {
            return at;
        }
        // What is escaped is at most the first of several bytes, none of which ends the string.
        at = (at + 1).min(bytes.len());
    }
    bytes.len()
}

fn tokens(text: &str) -> Tokens<'_> {
    Tokens { rest: text }
}

fn is_opening(token: &str) -> bool {
    matches!(token, "{" | "[")
}

fn is_closing(token: &str) -> bool {
    matches!(token, "}" | "]")
}

/// The value that starts at the next token; `None` where none does.
fn value<'a>(tokens: &mut Tokens<'a>) -> Option<&'a str> {
    let start = tokens.rest.trim_ascii_start();
    let mut open = 0_usize;
    loop {
        let token = tokens.next()?;
        if is_opening(token) {
            open += 1;
        } else if is_closing(token) {
            open = open.checked_sub(1)?;
        }
        if open == 0 {
            return Some(&start[..start.len() - tokens.rest.len()]);
        }
    }
}

/// The member of an object that a JSON parser keeps for this key: the last one.
pub(super) fn member<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let mut tokens = tokens(object);
    tokens.next().filter(|token| *token == "{")?;
    let mut found = None;
    while let Some(name) = tokens.next() {
        if tokens.next() != Some(":") {
            break;
        }
        let value = value(&mut tokens)?;
        // Not every key is text: `"\ud800"` is none.
        if serde_json::from_str::<String>(name).is_ok_and(|name| name == key) {
            found = Some(value);
        }
        tokens.next();
    }
    found
}

/// The elements of an array; `None` for anything else.
pub(super) fn elements(array: &str) -> Option<Vec<&str>> {
    let mut tokens = tokens(array);
    tokens.next().filter(|token| *token == "[")?;
    let mut elements = Vec::new();
    while let Some(element) = value(&mut tokens) {
        elements.push(element);
        tokens.next();
    }
    Some(elements)
}

/// Writes a value whose first line is indented by `level` levels already.
pub(super) fn lay_out(out: &mut String, text: &str, level: usize) {
    let start = out.len();
    let limit = start + WIDEST * text.len() + ROOM;
    if !laid_out(out, text, level, limit) {
        out.truncate(start);
        laid_out(out, text, DEEPEST, usize::MAX);
    }
}

/// Whether the result is shorter than the limit.
fn laid_out(out: &mut String, text: &str, level: usize, limit: usize) -> bool {
    let mut tokens = tokens(text);
    // Whether each open container is broken into lines.
    let mut open: Vec<bool> = Vec::new();
    let mut last = "";
    while let Some(token) = tokens.next() {
        if out.len() > limit {
            return false;
        }
        let is_broken = open.last() == Some(&true);
        let (is_first, is_last) = (is_opening(last), is_closing(token));
        if is_last {
            open.pop();
        }
        if is_first && is_last {
            // An empty one stays as it is.
        } else if is_broken && (is_first || is_last || last == ",") {
            out.push('\n');
            (0..level + open.len()).for_each(|_| out.push_str("  "));
        } else if matches!(last, ":" | "," | "{") || token == "}" {
            out.push(' ');
        }
        out.push_str(token);
        if is_opening(token) {
            let may_break = open.last() != Some(&false) && level + open.len() < DEEPEST;
            open.push(may_break && !is_short(tokens.clone()));
        }
        last = token;
    }
    true
}

/// Whether the container that was just opened holds no others and fits on a line.
fn is_short(tokens: Tokens) -> bool {
    let mut width = 0;
    let mut last = "";
    for token in tokens {
        width += token.len() + 1;
        let is_empty = is_opening(last) && is_closing(token);
        if width > SHORT || is_opening(last) && !is_empty {
            return false;
        }
        if is_closing(token) && !is_empty {
            return true;
        }
        last = token;
    }
    false
}

#[cfg(test)]
pub(super) mod testing {
    /// The tokens of a text.
    pub(in super::super) fn tokens(text: &str) -> Vec<&str> {
        super::tokens(text).collect()
    }
}
