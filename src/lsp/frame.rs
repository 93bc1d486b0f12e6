//! The notification `textDocument/publishDiagnostics` as bytes. Knows what is written where, not what is published.

use std::io::Write;

use crate::diagnostic::{Diagnostic, Severity, Tag};
use crate::settings_files::Problem;
use crate::text::{Encoding, LineColumn, Text};

/// The severity as the protocol counts it: 1 for an error, 4 for a hint.
pub(super) const fn severity_number(severity: Severity) -> usize {
    match severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Information => 3,
        Severity::Hint => 4,
    }
}

/// What does not move of a finding: from its severity to before the related places.
pub(super) fn tail(finding: &Diagnostic) -> Vec<u8> {
    let lines = std::iter::once(&finding.message).chain(&finding.notes);
    let message = lines.map(String::as_str).collect::<Vec<_>>().join("\n");
    tail_of(finding.severity, Some(finding.rule), &message, finding.tag)
}

fn tail_of(severity: Severity, code: Option<&str>, message: &str, tag: Option<Tag>) -> Vec<u8> {
    let severity = severity_number(severity);
    let code = code.map(|code| format!(",\"code\":\"{code}\"")).unwrap_or_default();
    let tags = match tag {
        None => "",
        Some(Tag::Unnecessary) => ",\"tags\":[1]",
        Some(Tag::Deprecated) => ",\"tags\":[2]",
    };
    let mut out = format!(",\"severity\":{severity}{code},\"source\":\"mcp-analyzer\",\"message\":").into_bytes();
    out.append(&mut json(message));
    out.extend_from_slice(tags.as_bytes());
    out
}

/// A diagnostic at the top of a file that is no rule's.
pub(super) fn top_diagnostic(message: &str, severity: Severity, out: &mut Vec<u8>) {
    out.push(b'{');
    range(LineColumn::default(), LineColumn::default(), out);
    out.extend_from_slice(&tail_of(severity, None, message, None));
    out.push(b'}');
}

/// Writes `"range":{…}`.
pub(super) fn range(start: LineColumn, end: LineColumn, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"range\":{\"start\":{\"line\":");
    number(start.line, out);
    out.extend_from_slice(b",\"character\":");
    number(start.column, out);
    out.extend_from_slice(b"},\"end\":{\"line\":");
    number(end.line, out);
    out.extend_from_slice(b",\"character\":");
    number(end.column, out);
    out.extend_from_slice(b"}}");
}

/// A text as a JSON string.
pub(super) fn json(text: &str) -> Vec<u8> {
    serde_json::Value::from(text).to_string().into_bytes()
}

fn number(number: u32, out: &mut Vec<u8>) {
    // Writing to a vector does not fail.
    let _ = write!(out, "{number}");
}

const HEADER: &[u8] = b"Content-Length: ";
const DIGITS: usize = 10;

/// Starts a notification about a URI, which is a JSON string; its length is filled in by [`end`].
pub(super) fn begin(uri: &str, version: Option<i32>, out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(HEADER);
    out.extend_from_slice(&[b'0'; DIGITS]);
    out.extend_from_slice(
        b"\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"uri\":",
    );
    out.extend_from_slice(uri.as_bytes());
    if let Some(version) = version {
        let _ = write!(out, ",\"version\":{version}");
    }
    out.extend_from_slice(b",\"diagnostics\":[");
}

/// Ends a notification.
pub(super) fn end(out: &mut Vec<u8>) {
    out.extend_from_slice(b"]}}");
    let digits = HEADER.len()..HEADER.len() + DIGITS;
    let length = out.len() - digits.end - b"\r\n\r\n".len();
    // Leading zeros are legal, and spare a copy of the whole.
    out[digits].copy_from_slice(format!("{length:010}").as_bytes());
}

/// The notification that a file has one problem at its top.
pub(super) fn message_frame(uri: &str, version: Option<i32>, message: &str, out: &mut Vec<u8>) {
    begin(&serde_json::Value::from(uri).to_string(), version, out);
    top_diagnostic(message, Severity::Warning, out);
    end(out);
}

/// The notification that a file has no problem.
pub(super) fn empty_frame(uri: &str, out: &mut Vec<u8>) {
    begin(&serde_json::Value::from(uri).to_string(), None, out);
    end(out);
}

/// The notification that tells what is wrong in a settings file.
pub(super) fn settings_frame(uri: &str, problems: &[Problem], text: &Text, encoding: Encoding, out: &mut Vec<u8>) {
    begin(&serde_json::Value::from(uri).to_string(), None, out);
    for (index, problem) in problems.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.push(b'{');
        let place = |offset: usize| text.line_column(offset, encoding);
        range(place(problem.range.start), place(problem.range.end), out);
        out.extend_from_slice(&tail_of(problem.severity, Some("settings"), &problem.message, None));
        out.push(b'}');
    }
    end(out);
}
