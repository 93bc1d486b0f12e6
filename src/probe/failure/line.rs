//! One line of a program's last words, and how names are taken out of it.

use serde_json::Value;

use super::LONGEST;

/// What a line calls itself stands near its start.
const HEAD: usize = 60;

/// What npm adds to the error that it tells.
const NPM_MORE: &[&str] =
    &["A complete log", "code ", "errno ", "path ", "command ", "syscall ", "404 Note", "404 tarball"];

/// Ends of sentences that say how it goes on.
const GOES_ON: &[&str] = &[
    "continuing",
    "defaulting",
    "fallback",
    "falling back",
    "ignoring",
    "optional",
    "retrying",
    "skipping",
    "using default",
    "will be disabled",
];

/// Words of what went wrong, in small letters.
const TROUBLE: &[&str] = &[
    "cannot",
    "could not",
    "couldn't",
    "denied",
    "failed",
    "failure",
    "invalid",
    "missing",
    "must ",
    "no such",
    "not found",
    "please ",
    "refused",
    "required",
    "unable to",
    "unexpected",
    "unknown",
    "unreachable",
    "unsupported",
];

/// A line without what frames it.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// What it says.
    pub(super) text: String,
    /// The same in small letters.
    pub(super) lower: String,
    /// Whether it is a warning or less, and no reason to fail.
    pub(super) is_aside: bool,
    /// Whether it calls itself an error.
    is_error: bool,
}

impl Line {
    pub(super) fn new(line: &str) -> Line {
        let is_frame = |char: char| char.is_whitespace() || "│|╰╭─├└▶×✖❌⚠\u{fe0f}".contains(char);
        let text = line.trim_start_matches(is_frame).trim_end_matches(|char: char| char.is_whitespace() || char == '│');
        let (is_logged_error, text) = match logged(text) {
            Some((is_error, message)) => (Some(is_error), message),
            None => (None, text.to_owned()),
        };
        let lower = text.to_lowercase();
        let is_error = is_logged_error.or_else(|| calls_itself_error(&text));
        let goes_on = is_error != Some(true) && GOES_ON.iter().any(|words| lower.contains(words));
        Line { is_aside: is_error == Some(false) || goes_on, is_error: is_error == Some(true), text, lower }
    }

    /// How much it looks like the reason: 0 not at all, 1 perhaps, 2 like an error.
    pub(super) fn alarm(&self) -> u8 {
        let is_more = self.npm().is_some_and(|rest| NPM_MORE.iter().any(|more| rest.starts_with(more)));
        if self.is_aside || is_more || is_place(&self.text) {
            return 0;
        }
        let is_named = ["error", "exception", "fatal", "panic:"].iter().any(|word| self.lower.contains(word));
        if is_named && self.npm().is_none() {
            2
        } else {
            u8::from(self.is_error || TROUBLE.iter().any(|words| self.lower.contains(words)))
        }
    }

    /// What npm says in it.
    pub(super) fn npm(&self) -> Option<&str> {
        self.text.strip_prefix("npm error ").or_else(|| self.text.strip_prefix("npm ERR! "))
    }

    /// What it says, for people who know that it is an error.
    pub(super) fn words(&self) -> String {
        let mut text = self.npm().unwrap_or(&self.text);
        while let Some(rest) = ["error:", "fatal error:", "fatal:"].iter().find_map(|word| {
            let is_word = text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
            is_word.then(|| text[word.len()..].trim_start()).filter(|rest| !rest.is_empty())
        }) {
            text = rest;
        }
        words(text)
    }
}

/// On one line and not too long.
pub(super) fn words(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// Whether a line is no message but a place in the code, or a piece of it.
fn is_place(text: &str) -> bool {
    let starts =
        ["at ", "File \"", "from /", "throw ", "raise ", "^", "~", "Node.js v", "...", "Traceback", "Require stack"];
    starts.iter().any(|start| text.starts_with(start)) || !text.contains(char::is_alphabetic)
}

/// Whether a line calls itself an error, or else a warning or less; `None` where it says neither.
fn calls_itself_error(text: &str) -> Option<bool> {
    if let Some(rest) = text.strip_prefix("npm ") {
        let word = rest.split(' ').next().unwrap_or_default().to_ascii_lowercase();
        return match &*word {
            "error" | "err!" => Some(true),
            "warn" | "notice" | "info" => Some(false),
            _ => None,
        };
    }
    let end = text.char_indices().nth(HEAD).map_or(text.len(), |(at, _)| at);
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let mut is_first = true;
    for word in text[..end].split(|char| !is_word(char)).filter(|word| word.contains(char::is_alphabetic)) {
        let level = if is_first { word.to_uppercase() } else { word.to_owned() };
        match &*level {
            "INFO" | "WARN" | "WARNING" | "DEBUG" | "TRACE" | "NOTICE" => return Some(false),
            "ERROR" | "ERR" | "FATAL" | "CRITICAL" | "SEVERE" => return Some(true),
            _ if word.ends_with("Warning") => return Some(false),
            _ => is_first = false,
        }
    }
    None
}

/// The message of a line that is a JSON object, as loggers write, and whether it is an error.
fn logged(text: &str) -> Option<(bool, String)> {
    if !(text.starts_with('{') && text.ends_with('}')) {
        return None;
    }
    let Value::Object(members) = serde_json::from_str(text).ok()? else { return None };
    let level = members.get("level").or_else(|| members.get("severity"));
    let is_error = match level {
        Some(Value::String(level)) => {
            let level = level.to_lowercase();
            ["err", "fatal", "crit", "panic"].iter().any(|word| level.contains(word))
        }
        // As pino and bunyan count.
        Some(Value::Number(level)) => level.as_f64().is_some_and(|level| level >= 50.0),
        _ => members.contains_key("error"),
    };
    let said = ["error", "err", "message", "msg"].iter().filter_map(|key| {
        let value = members.get(*key)?;
        value.as_str().or_else(|| value.get("message")?.as_str())
    });
    let said: Vec<&str> = said.collect();
    (!said.is_empty()).then(|| (is_error, said.join(": ")))
}

/// The text without escape sequences of terminals.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\u{1b}' => match chars.next() {
                Some('[') => while chars.next().is_some_and(|char| !('@'..='~').contains(&char)) {},
                // Ends with BEL or with ESC and a backslash.
                Some(']') => while chars.next().is_some_and(|char| !matches!(char, '\u{7}' | '\\' | '\n')) {},
                _ => {}
            },
            '\n' | '\r' | '\t' => out.push(char),
            _ if char.is_control() => {}
            _ => out.push(char),
        }
    }
    out
}

/// What follows the first of these words.
pub(super) fn after<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    text.split_once(words).map(|(_, rest)| rest)
}

/// What stands between the first quotes.
pub(super) fn quoted(text: &str) -> Option<&str> {
    let pairs = [('\'', '\''), ('"', '"'), ('`', '`'), ('‘', '’'), ('“', '”')];
    let (start, open) = text.char_indices().find(|(_, char)| pairs.iter().any(|(open, _)| open == char))?;
    let close = pairs.iter().find(|(other, _)| *other == open)?.1;
    let inside = &text[start + open.len_utf8()..];
    let inside = inside.split(close).next().unwrap_or_default();
    (!inside.trim().is_empty()).then_some(inside)
}

/// The first word, without what closes a sentence or a bracket.
pub(super) fn word(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find(|char: char| char.is_whitespace() || ",;)'\"`".contains(char)).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ':', '!'])
}

/// The last word before some others.
pub(super) fn word_before<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let (before, _) = text.rsplit_once(words)?;
    let start = before.rfind(|char: char| char.is_whitespace() || "('\"`".contains(char)).map_or(0, |at| at + 1);
    Some(before[start..].trim_end_matches([':', ',']))
}

/// What follows is quoted, or a word.
pub(super) fn name(text: &str) -> &str {
    let text = text.trim_start();
    if text.starts_with(['\'', '"', '`', '‘', '“']) { quoted(text).unwrap_or_default() } else { word(text) }
}

/// The host of the first URL.
pub(super) fn url_host(text: &str) -> Option<&str> {
    let rest = after(text, "://")?;
    let end = rest.find(|char: char| char.is_whitespace() || "/?#'\"`)>,".contains(char)).unwrap_or(rest.len());
    let host = rest[..end].rsplit('@').next().unwrap_or_default().trim_end_matches(':');
    (!host.is_empty()).then_some(host)
}
