//! Where a text as it is written holds what nobody else is to see, and how that is kept out of what others read.
//!
//! Unlike [`super::secret`] this is no finding: it reads the text and not its values, so that it works where the text
//! is broken, and in doubt it hides. A hidden word too much costs nothing, a shown secret has to be replaced.

use std::borrow::Cow;
use std::iter;

use rustc_hash::FxHashSet;

use super::secret::{is_placeholder, is_secret_name, secrets};
use crate::syntax;
use crate::text::TextRange;

/// Stands for a character that is not shown.
pub const MASK: char = '•';

/// What is hidden in a sentence, whatever its length.
const MASKED: &str = "•••";

/// A shorter piece of a secret tells nothing, and hiding it everywhere would hide ordinary words.
const SHORTEST: usize = 4;

/// How much of a string may follow a quote within it, in bytes.
const NEAR: usize = 200;

/// As much of a word, in bytes, makes it the same random one.
const WORD_START: usize = 8;

/// Ends of names that speak of secrets, beside those of [`is_secret_name`].
const NAME_ENDS: &[&str] = &[
    "_auth",
    "-auth",
    "_pass",
    "-pass",
    "apikeys",
    "connection_string",
    "connectionstring",
    "cookie",
    "credential",
    "credentials",
    "dsn",
    "jwt",
    "keys",
    "passphrase",
    "secrets",
    "session",
    "session_id",
    "sessionid",
    "signature",
    "webhook_url",
];

const SCHEMES: &[&str] = &["Bearer ", "bearer ", "Basic ", "basic ", "Token ", "token "];

/// The secrets of a config file, whole or broken: those that show by themselves, every password in a URL, and whatever
/// follows a name that speaks of a secret. Sorted and disjoint.
pub fn masks(text: &str) -> Vec<TextRange> {
    let mut found = shaped(text);
    found.extend(url_passwords(text));
    found.extend(escaped(text));
    found.extend(named(text));
    let found = merged(found);
    let again = repeated(text, &found, text);
    if again.is_empty() { found } else { merged([found, again].concat()) }
}

/// Where the words of another text's secrets stand again, whatever they are glued to: a file that is mended, or broken
/// anew, has the same ones in other places.
pub fn repeated(other: &str, masks: &[TextRange], text: &str) -> Vec<TextRange> {
    let is_random = |word: &str| {
        word.contains(|char: char| char.is_ascii_alphabetic()) && word.contains(|char: char| char.is_ascii_digit())
    };
    let hidden = masks.iter().flat_map(|mask| words(&other[mask.as_usize()])).filter(|(_, word)| is_random(word));
    let starts: FxHashSet<&[u8]> = hidden.filter_map(|(_, word)| word.as_bytes().get(..WORD_START)).collect();
    if starts.is_empty() {
        return Vec::new();
    }
    let again = words(text).filter_map(|(start, word)| {
        let at = word.as_bytes().windows(WORD_START).position(|window| starts.contains(window))?;
        Some(TextRange::new(start + at, start + word.len()))
    });
    again.collect()
}

/// The runs of letters, digits, `_` and `-` in a text, and where they start.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    let mut end = 0;
    iter::from_fn(move || {
        let start = end + text[end..].find(is_word)?;
        end = text[start..].find(|char| !is_word(char)).map_or(text.len(), |length| start + length);
        Some((start, &text[start..end]))
    })
}

/// The secrets that show by themselves; for texts that are public but for a slip, such as a tool list. Sorted and
/// disjoint.
pub fn masks_by_shape(text: &str) -> Vec<TextRange> {
    merged(shaped(text))
}

/// The text with [`MASK`] for each character of these ranges. Lines stay lines.
pub fn masked<'t>(text: &'t str, masks: &[TextRange]) -> Cow<'t, str> {
    if masks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for mask in masks {
        out.push_str(&text[at..mask.start]);
        let hidden = |char| if matches!(char, '\r' | '\n') { char } else { MASK };
        out.extend(text[mask.as_usize()].chars().map(hidden));
        at = mask.end;
    }
    out.push_str(&text[at..]);
    Cow::Owned(out)
}

/// What a sentence about a text is not to repeat.
#[derive(Debug, Default)]
pub struct Hidden {
    /// Every piece of [`WORD_START`] bytes of every secret, and the shorter secrets whole.
    pieces: FxHashSet<u64>,
    /// How long these are, in bytes.
    lengths: Vec<usize>,
}

impl Hidden {
    /// What these ranges of a text hold, as it is written and as it is meant.
    pub fn new(text: &str, masks: &[TextRange]) -> Hidden {
        let written = masks.iter().map(|mask| &text[mask.as_usize()]);
        let meant = written.clone().filter(|raw| raw.contains('\\')).filter_map(decoded).collect::<Vec<_>>();
        let mut hidden = Hidden::default();
        for secret in written.chain(meant.iter().map(String::as_str)).filter(|secret| secret.len() >= SHORTEST) {
            let length = secret.len().min(WORD_START);
            hidden.pieces.extend(secret.as_bytes().windows(length).map(piece));
            if !hidden.lengths.contains(&length) {
                hidden.lengths.push(length);
            }
        }
        hidden
    }

    /// The sentence without them and without pieces of them, each with the word that it is in, and without what shows
    /// to be a secret by itself.
    pub fn without<'s>(&self, sentence: &'s str) -> Cow<'s, str> {
        let mut found = masks_by_shape(sentence);
        // A rule's own words may be in a secret as well; what it quotes stands between backticks.
        let quoted = match (sentence.find('`'), sentence.rfind('`')) {
            (Some(start), Some(end)) => TextRange::new(start, end),
            _ => TextRange::empty(0),
        };
        for &length in &self.lengths {
            let windows = sentence.as_bytes().windows(length).enumerate();
            let known = windows.filter(|(at, window)| {
                let is_quoted = quoted.contains(TextRange::new(*at, at + length));
                (is_quoted || window.iter().any(u8::is_ascii_digit)) && self.pieces.contains(&piece(window))
            });
            found.extend(known.map(|(at, _)| TextRange::new(at, at + length)));
        }
        if found.is_empty() {
            return Cow::Borrowed(sentence);
        }
        let mut out = String::new();
        let mut at = 0;
        let whole = merged(found).into_iter().map(|range| whole_words(sentence, range)).collect();
        for range in merged(whole) {
            out.push_str(&sentence[at..range.start]);
            out.push_str(MASKED);
            at = range.end;
        }
        out.push_str(&sentence[at..]);
        Cow::Owned(out)
    }
}

/// At most [`WORD_START`] bytes as a number.
fn piece(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// A range with the rest of the words that it starts and ends in.
fn whole_words(text: &str, range: TextRange) -> TextRange {
    let bytes = text.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || !byte.is_ascii();
    let TextRange { mut start, mut end } = range;
    if is_word(&bytes[start]) {
        start -= bytes[..start].iter().rev().take_while(|byte| is_word(byte)).count();
    }
    if is_word(&bytes[end - 1]) {
        end += bytes[end..].iter().take_while(|byte| is_word(byte)).count();
    }
    TextRange::new(start, end)
}

/// The same places, sorted and disjoint.
pub fn merged(mut ranges: Vec<TextRange>) -> Vec<TextRange> {
    ranges.sort_unstable();
    ranges.dedup_by(|next, last| {
        let is_same = next.start <= last.end;
        if is_same {
            last.end = last.end.max(next.end);
        }
        is_same
    });
    ranges
}

fn shaped(text: &str) -> Vec<TextRange> {
    let mut found: Vec<TextRange> = secrets(text).iter().map(|secret| secret.range).collect();
    found.extend(private_keys(text));
    found
}

/// Every private key, also one that is broken off.
fn private_keys(text: &str) -> impl Iterator<Item = TextRange> + '_ {
    const END: &str = "PRIVATE KEY-----";
    text.match_indices(END).filter_map(|(at, _)| {
        let before = floor(text, at.saturating_sub(40));
        let start = before + text[before..at].rfind("-----BEGIN ")?;
        let content = at + END.len();
        let rest = &text[content..];
        let end =
            rest.find(END).map(|length| length + END.len()).or_else(|| rest.find(['"', '\''])).unwrap_or(rest.len());
        Some(TextRange::new(start, content + end))
    })
}

fn url_passwords(text: &str) -> impl Iterator<Item = TextRange> + '_ {
    text.match_indices("://").filter_map(|(at, separator)| {
        let start = at + separator.len();
        let rest = &text[start..];
        let is_end = |char: char| char.is_whitespace() || "/?#\"'\\<>".contains(char);
        let host = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        let at = host.rfind('@');
        let end = at.unwrap_or(host.len());
        let password = host[..end].find(':')? + 1;
        // Without a host behind it, it is a port or was broken off.
        let is_port = || {
            let port = host[password..].split(',').next().unwrap_or_default();
            host.starts_with('[') || port.chars().all(|char| char.is_ascii_digit())
        };
        let is_hidden = password < end && !starts_with_reference(&host[password..]) && (at.is_some() || !is_port());
        is_hidden.then(|| TextRange::new(start + password, start + end))
    })
}

/// The strings in which a secret shows only when their escapes are read.
fn escaped(text: &str) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('"').map(|length| at + length + 1) {
        let end = quoted_end(text, open, &|_| true);
        let raw = &text[open..end];
        if raw.contains('\\') && decoded(raw).is_some_and(|meant| shows_itself(&meant)) {
            found.push(TextRange::new(open, end));
        }
        at = if text[end..].starts_with('"') { end + 1 } else { end };
    }
    found
}

fn shows_itself(text: &str) -> bool {
    !shaped(text).is_empty() || url_passwords(text).next().is_some()
}

fn decoded(raw: &str) -> Option<String> {
    syntax::read(&format!("\"{raw}\"")).value.as_str().map(str::to_owned)
}

/// Where a string ends whose content starts at `start`: before a quote that `closes` with what follows it, or with its
/// line.
fn quoted_end(text: &str, start: usize, closes: &dyn Fn(&str) -> bool) -> usize {
    let quote = text.as_bytes()[start - 1];
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            b'\n' => return at,
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            _ if byte == quote && closes(&text[at + 1..]) => return at,
            _ => {}
        }
    }
    text.len()
}

/// What follows a name that speaks of a secret: `"API_KEY": "…"`, `--token=…`, `"--token", "…"`, `?key=…`,
/// `Authorization: Bearer …`. It does not matter which quotes are there, since in a broken text some are not.
fn named(text: &str) -> Vec<TextRange> {
    // Values are searched for names as well: where a quote is missing, what follows it is a part of the value. But an
    // unquoted one that starts inside of another ends where that ends.
    let mut hidden_to = 0;
    let named = words(text).filter_map(|(start, name)| {
        let value = value_at(text, start + name.len(), name.starts_with('-'))?;
        if !speaks_of_secret(name) || value.at < hidden_to && !starts_with_scheme(&text[value.at..]) {
            return None;
        }
        let range = hidden_value(text, value)?;
        if range.start == value.at {
            hidden_to = range.end;
        }
        Some(range)
    });
    named.collect()
}

fn starts_with_scheme(text: &str) -> bool {
    SCHEMES.iter().any(|scheme| text.starts_with(scheme))
}

/// A place where a value starts, and what stands before it.
#[derive(Clone, Copy)]
struct ValueStart {
    at: usize,
    is_after_colon: bool,
}

/// Where the value of a name starts that ends at `end`; `None` where it is no name of a value.
fn value_at(text: &str, end: usize, is_flag: bool) -> Option<ValueStart> {
    let after = &text[end..];
    let rest = after.trim_start_matches('\\').trim_start_matches(['"', '\'']);
    let is_bare = rest.len() == after.len();
    let separator = rest.trim_start();
    let value = match separator.bytes().next()? {
        b':' | b'=' => &separator[1..],
        b',' if is_flag => &separator[1..],
        _ if is_flag && is_bare && separator.len() < rest.len() => separator,
        _ => return None,
    };
    let is_after_colon = separator.starts_with(':');
    Some(ValueStart { at: text.len() - value.trim_start().len(), is_after_colon })
}

fn speaks_of_secret(name: &str) -> bool {
    let name = name.trim_end_matches(|char: char| char.is_ascii_digit()).trim_end_matches(['_', '-']);
    let lower = name.to_ascii_lowercase();
    is_secret_name(name) || lower == "pass" || NAME_ENDS.iter().any(|end| lower.ends_with(end))
}

fn hidden_value(text: &str, ValueStart { at, is_after_colon }: ValueStart) -> Option<TextRange> {
    let opening = &text[at..];
    let is_escaped = opening.starts_with("\\\"");
    let is_quoted = opening.starts_with(['"', '\'']);
    let start = at + if is_escaped { 2 } else { usize::from(is_quoted) };
    let scheme = SCHEMES.iter().find(|scheme| text[start..].starts_with(**scheme)).map_or(0, |scheme| scheme.len());
    let start = start + scheme;
    let rest = &text[start..];
    // Before the end is looked for: what is no value is read once only.
    if starts_with_reference(rest) || !is_quoted && rest.starts_with(['{', '[']) {
        return None;
    }
    let value = if is_quoted { quoted(text, start, scheme) } else { unquoted(rest) };
    let has_digit = value.contains(|char: char| char.is_ascii_digit());
    let is_number = value.chars().all(|char| char.is_ascii_digit());
    // A bare word after a colon is prose or a literal, but for what looks random.
    let is_prose = is_after_colon && scheme == 0 && !is_quoted && !is_escaped;
    let is_hidden = if is_prose {
        value.len() >= 16 || value.len() >= SHORTEST && has_digit && (!is_number || value.len() > 6)
    } else {
        !matches!(value, "true" | "false" | "null" | "")
    };
    (is_hidden && !is_plain_placeholder(value)).then(|| TextRange::new(start, start + value.len()))
}

/// The rest of a string. A quote that nothing fitting follows is a part of it where a better one is near; else another
/// quote is missing.
fn quoted(text: &str, start: usize, scheme: usize) -> &str {
    let closes = |rest: &str| {
        let rest = rest.trim_start_matches([' ', '\t', '\r']);
        rest.is_empty() || rest.starts_with([',', '}', ']', ':', '\n', '/'])
    };
    let first = quoted_end(text, start - scheme, &|_| true).max(start);
    let near = floor(text, first + NEAR);
    let end = quoted_end(&text[..near], start - scheme, &closes).max(start);
    let is_far = end == near && near < text.len();
    &text[start..if is_far { first } else { end }]
}

/// The last place for a cut at or before an offset.
fn floor(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// A word, without the brackets that close what is around it.
fn unquoted(rest: &str) -> &str {
    let is_end = |char: char| char.is_whitespace() || matches!(char, '"' | '\'' | '`' | '\\');
    let value = &rest[..rest.find(is_end).unwrap_or(rest.len())];
    let is_in_string = rest[value.len()..].starts_with(['"', '\'', '\\']);
    if is_in_string { value } else { value.trim_end_matches([',', '}', ']', ')', ';']) }
}

/// Whether a value is a reference to a variable, or words in brackets in place of one; at most with more of a URL
/// behind it.
fn starts_with_reference(text: &str) -> bool {
    let is_inner = |char: char| char.is_alphanumeric() || "_-.:/ ".contains(char);
    let pairs = [("${", "}"), ("{{", "}}"), ("%", "%"), ("<", ">"), ("{", "}"), ("[", "]")];
    let bracketed = pairs.iter().find_map(|(open, close)| {
        let inner = text.strip_prefix(open)?;
        let after = inner.trim_start_matches(is_inner);
        if after.len() < inner.len() { after.strip_prefix(close) } else { None }
    });
    let variable = || {
        let name = text.strip_prefix('$')?;
        let after = name.trim_start_matches(|char: char| char.is_ascii_uppercase() || char == '_');
        (after.len() < name.len()).then_some(after)
    };
    let ends = |char: char| char.is_whitespace() || "\"'\\`,}])&#@".contains(char);
    bracketed.or_else(variable).is_some_and(|after| after.is_empty() || after.starts_with(ends))
}

/// Whether a value is words in place of a secret: `your-api-key-here`.
fn is_plain_placeholder(value: &str) -> bool {
    value.chars().all(|char| char.is_ascii_alphabetic() || "_-.<> …*".contains(char)) && is_placeholder(value)
}

#[cfg(test)]
mod tests;
