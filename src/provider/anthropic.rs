//! What Anthropic's models read of tools: each as one line of JSON, written as Python writes it, between tags.
//!
//! Nothing of the schema is taken out, not even `$schema`: `title`, `format`, `pattern` and `additionalProperties` cost
//! what they are long. Found by comparing with the counts of 68 tools that were published on 2025-10-17 for Claude
//! Sonnet 4.5: spaces after commas and colons fit three times better than none, and so does keeping everything; the
//! order of keys makes no difference.
//!
//! Anthropic has published no vocabulary since that of Claude 2. Its count is a proxy, and [`tokens`] what it comes to. A
//! published count is that of a request for the tool alone; 500.4 of it belong to the request. In recorded requests for
//! two and three tools each of them adds about 2 tokens less than this.

use super::Declaration;
use super::page::{Page, Subject, kept_members};
use crate::syntax::{Value, ValueKind};

/// What is sent for a tool that has no schema: the API demands one.
const NO_PARAMETERS: &str = r#"{"type": "object", "properties": {}}"#;

/// The published counts are this many times those of the Claude 2 vocabulary.
const SLOPE: f64 = 1.065;
/// How much more tokens with a letter in them cost since Opus 4.7: from what people measured of prose and of JSON, not
/// of tools.
const LETTERS: f64 = 1.45;

/// Writes a tool.
pub(super) fn write(tool: &Declaration, page: &mut Page) {
    page.push("<function>{");
    if let Some(description) = tool.description.filter(|text| !text.is_empty()) {
        let start = page.text.len();
        page.push("\"description\": ");
        write_string(description, page);
        page.push(", ");
        page.note(Subject::Description, start);
    }
    page.push("\"name\": ");
    write_string(tool.name, page);
    page.push(", \"parameters\": ");
    match tool.schema {
        Some(schema) => write_value(schema, page),
        None => page.push(NO_PARAMETERS),
    }
    page.push("}</function>\n");
}

/// What a text of so many tokens of Claude 2 comes to, up to Claude 4.6.
pub(super) fn tokens(count: usize) -> usize {
    (count as f64 * SLOPE).round() as usize
}

/// The same since Claude Opus 4.7, `letters` of them with a letter.
pub(super) fn newer_tokens(count: usize, letters: usize) -> usize {
    ((count as f64 + letters as f64 * (LETTERS - 1.0)) * SLOPE).round() as usize
}

/// The words of a text, one a line, and how many line breaks that makes. A word here is letters with the space before,
/// as the vocabulary cuts a text before it looks for tokens; the line breaks between are a token each.
pub(super) fn words(text: &str) -> (String, usize) {
    let mut out = String::with_capacity(text.len());
    let mut breaks = 0;
    let mut before = '\0';
    for char in text.chars() {
        if char.is_alphabetic() {
            if !before.is_alphabetic() {
                if !out.is_empty() {
                    out.push('\n');
                    breaks += 1;
                }
                if before == ' ' {
                    out.push(' ');
                }
            }
            out.push(char);
        }
        before = char;
    }
    (out, breaks)
}

/// Writes JSON with a space after every comma and colon, and nothing but what must be escaped.
fn write_value(value: &Value, page: &mut Page) {
    match &value.kind {
        ValueKind::Null | ValueKind::Folded(_) | ValueKind::Unreadable => page.push("null"),
        ValueKind::Bool(true) => page.push("true"),
        ValueKind::Bool(false) => page.push("false"),
        ValueKind::Number(text) => page.push(text),
        ValueKind::String(text) => write_string(text, page),
        ValueKind::Array(elements) => {
            for (at, element) in elements.iter().enumerate() {
                page.push(if at == 0 { "[" } else { ", " });
                write_value(element, page);
            }
            page.push(if elements.is_empty() { "[]" } else { "]" });
        }
        ValueKind::Object(_) => {
            page.push("{");
            for (at, member) in kept_members(value).into_iter().enumerate() {
                page.push(if at == 0 { "" } else { ", " });
                let start = page.text.len();
                write_string(&member.key.name, page);
                page.push(": ");
                write_value(&member.value, page);
                page.note(Subject::of(&member.value), start);
            }
            page.push("}");
        }
    }
}

fn write_string(text: &str, page: &mut Page) {
    page.push("\"");
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            8 => "\\b",
            12 => "\\f",
            0..32 => "",
            _ => continue,
        };
        page.push(&text[start..at]);
        page.push(escape);
        if escape.is_empty() {
            page.push(&format!("\\u{byte:04x}"));
        }
        start = at + 1;
    }
    page.push(&text[start..]);
    page.push("\"");
}
