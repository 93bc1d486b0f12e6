//! From a path or stdin to text, with a reason in plain words where there is none.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::analysis;
use crate::document::{Document, Format};
use crate::model::mask::{Hidden, masks};
use crate::syntax::{self, SyntaxErrorKind};
use crate::text::{Encoding, Text};

/// Larger files are not read.
const MAX_BYTES: u64 = analysis::MAX_TEXT as u64;

/// How stdin is named in reports.
pub(super) const STDIN: &str = "<stdin>";

/// Something to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File {
        /// Its path as the user gave it.
        shown: String,
        /// The path to read.
        path: PathBuf,
        /// How it was come by.
        found: Found,
    },
}

/// How a file was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It is named on the command line.
    Named,
    /// It stands in a directory, where a client would read it.
    Place,
    /// It stands in a directory.
    Walked,
}

/// Why a file cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// In plain words.
    pub(super) reason: String,
    /// It may be a fine file, but not one of ours: nothing to worry about where nobody named it.
    pub(super) is_content: bool,
    /// It is not there, or no longer.
    pub(super) is_gone: bool,
}

impl Input {
    /// The name in reports.
    pub(super) fn shown(&self) -> &str {
        match self {
            Input::Stdin => STDIN,
            Input::File { shown, .. } => shown,
        }
    }

    /// Whether the user asked for exactly this, so that nothing about it goes without saying.
    pub(super) fn found(&self) -> Found {
        match self {
            Input::Stdin => Found::Named,
            Input::File { found, .. } => *found,
        }
    }

    /// The file, where it is one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Input::Stdin => None,
            Input::File { path, .. } => Some(path),
        }
    }

    /// Reads it all.
    pub(super) fn read(&self) -> Result<Document, Unreadable> {
        let bytes = match self {
            Input::Stdin => read_limited(&mut io::stdin().lock()),
            Input::File { path, .. } => read_file(path),
        }?;
        let mut content = decode(bytes)?;
        if let Some(answer) = matches!(self, Input::Stdin).then(|| tools_line(&content)).flatten() {
            content = answer;
        }
        let path = self.path().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        let format = path.as_deref().and_then(Format::from_path).unwrap_or(Format::Json);
        Ok(Document::new(self.shown(), path, format, &content))
    }
}

/// Of the messages that a server writes, one a line, the last that lists tools; the other lines are left empty, so that
/// it stays where it is. `None` of anything else.
fn tools_line(content: &str) -> Option<String> {
    let lines: Vec<&str> = content.lines().collect();
    let messages: Vec<usize> = (0..lines.len()).filter(|line| !lines[*line].trim().is_empty()).collect();
    let [first, others @ ..] = messages.as_slice() else { return None };
    let message = |line: usize| {
        let reading = syntax::read(lines[line]);
        (reading.errors.is_empty() && reading.value.get("jsonrpc").is_some()).then_some(reading.value)
    };
    let has_tools = |line: usize| {
        message(line).is_some_and(|value| value.get("result").is_some_and(|it| it.get("tools").is_some()))
    };
    if others.is_empty() || message(*first).is_none() {
        return None;
    }
    let last = messages.iter().copied().rev().find(|line| has_tools(*line))?;
    Some("\n".repeat(last) + lines[last] + "\n")
}

impl Unreadable {
    fn content(reason: impl Into<String>) -> Unreadable {
        Unreadable { reason: reason.into(), is_content: true, is_gone: false }
    }
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Unreadable {
        Unreadable { reason: plain(&error), is_content: false, is_gone: error.kind() == io::ErrorKind::NotFound }
    }
}

/// An error of the operating system in plain words.
pub(super) fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or directory".to_owned(),
        io::ErrorKind::PermissionDenied => "no permission to read it".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => error.to_string(),
    }
}

/// What keeps a named file from being JSON, since it may well have been meant for a tool list.
pub(super) fn not_json(text: &Text) -> Option<String> {
    let content = String::from(text);
    if content.trim_start_matches('\u{feff}').trim().is_empty() {
        return Some("it is empty".to_owned());
    }
    let errors = syntax::read(&content).errors;
    let error = errors.iter().find(|error| error.kind != SyntaxErrorKind::TooDeep)?;
    let place = text.line_column(error.range.start, Encoding::Utf32);
    let hidden = Hidden::new(&content, &masks(&content));
    let what = error.kind.to_string();
    Some(format!("it is not JSON: {} at {}:{}", hidden.without(&what), place.line + 1, place.column + 1))
}

/// Why a file cannot be written, in plain words.
pub(super) fn not_written(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "no permission to write it".to_owned(),
        _ => plain(error),
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() > MAX_BYTES {
        return Err(too_large());
    }
    read_limited(&mut file)
}

fn read_limited(source: &mut dyn Read) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large());
    }
    Ok(bytes)
}

fn too_large() -> Unreadable {
    Unreadable::content(analysis::unread())
}

/// The text of a file. A byte order mark stays.
fn decode(bytes: Vec<u8>) -> Result<String, Unreadable> {
    if looks_like_utf16(&bytes) {
        return Err(Unreadable::content("it is written in UTF-16; JSON files are UTF-8"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let what = if before.contains(&0) || at == 0 { "it is a binary file" } else { "it is not valid UTF-8" };
        Unreadable::content(format!("{what} (line {line}, byte {at})"))
    })
}

fn looks_like_utf16(bytes: &[u8]) -> bool {
    matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..])
        || matches!(bytes, [0, b1, 0, b2, ..] | [b1, 0, b2, 0, ..] if *b1 != 0 && *b2 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(bytes: &[u8]) -> String {
        decode(bytes.to_vec()).expect_err("unreadable").reason
    }

    #[test]
    fn what_is_not_utf8_says_where() {
        assert_eq!(reason(b"{\n\"a\": \"\xff\"}"), "it is not valid UTF-8 (line 2, byte 8)");
        assert_eq!(reason(b"\x7fELF\0\0\xff"), "it is a binary file (line 1, byte 6)");
        assert!(reason(b"\xff\xfe{\0}\0").contains("UTF-16"));
        assert!(reason(b"{\0\"\0").contains("UTF-16"));
        assert!(reason(b"\0{\0\"").contains("UTF-16"));
    }

    #[test]
    fn other_text_is_kept_as_it_is() {
        for text in ["", "\u{feff}{}\r\n", "{\"a\": \"\0\"}", "\0"] {
            assert_eq!(decode(text.as_bytes().to_vec()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn of_messages_the_last_list_of_tools_is_taken() {
        let hello = r#"{"jsonrpc": "2.0", "id": 1, "result": {"capabilities": {"tools": {}}}}"#;
        let tools = r#"{"jsonrpc": "2.0", "id": 2, "result": {"tools": []}}"#;
        let log = r#"{"jsonrpc": "2.0", "method": "notifications/message"}"#;
        assert_eq!(tools_line(&format!("{hello}\r\n\n{tools}\r\n{log}\n")), Some(format!("\n\n{tools}\n")));
        for other in [tools.to_owned(), format!("[\n{hello},\n{tools}\n]"), format!("{log}\n{hello}"), String::new()] {
            assert_eq!(tools_line(&other), None, "{other}");
        }
    }

    #[test]
    fn an_endless_source_ends() {
        let error = read_limited(&mut io::repeat(b' ')).expect_err("too large");
        assert!(error.reason.contains("64 MiB"));
    }
}
