//! Moves a config file's servers from one place to another, with their layout and comments.

use crate::model::Server;
use crate::rules::Document;
use crate::syntax::{Member, Value};
use crate::text::{Edit, TextRange, apply_edits};

/// Takes the servers under `inner` out of the key around them, where nothing is lost by that.
pub(super) fn unwrapped(document: &Document, outer: &Member, inner: &str, own: &str) -> Option<Vec<Edit>> {
    let text = document.text;
    let members = outer.value.members();
    let (first, last) = (members.first()?, members.last()?);
    let may_move = |member: &Member| {
        let is_taken = document.members().iter().any(|other| other.key.name == member.key.name);
        *member.key.name == *inner
            || !is_taken && document.dialect.root_keys.is_some_and(|keys| keys.contains(&&*member.key.name))
    };
    let start = TextRange::new(outer.key.range.start, first.key.range.start);
    let end = TextRange::new(last.value.range.end, outer.value.range.end);
    let opens = text[outer.key.range.end..start.end].chars().all(|char| char.is_whitespace() || ":{".contains(char));
    let closes = text[end.as_usize()].chars().all(|char| char.is_whitespace() || ",}".contains(char));
    if !members.iter().all(may_move) || !opens || !closes || !document.reading.errors.is_empty() {
        return None;
    }
    let mut edits = vec![Edit::remove(start), Edit::remove(end)];
    let key = members.iter().rfind(|member| *member.key.name == *inner)?.key.range;
    if inner != own {
        edits.push(Edit::replace(key, format!("\"{own}\"")));
    }
    indent_less(text, TextRange::new(start.end, end.start), indentation(text, start.start), &mut edits);
    edits.sort_by_key(|edit| edit.range);
    Some(vec![as_one(text, TextRange::new(start.start, end.end), &edits)])
}

/// Takes the servers out of the entry around them.
pub(super) fn lifted(server: &Server) -> Option<Vec<Edit>> {
    let text = server.text;
    let members = server.value.members();
    let start = TextRange::new(server.key.range.start, members.first()?.key.range.start);
    let end = TextRange::new(members.last()?.value.range.end, server.value.range.end);
    let opens = text[server.key.range.end..start.end].chars().all(|char| char.is_whitespace() || ":{".contains(char));
    let closes = text[end.as_usize()].chars().all(|char| char.is_whitespace() || ",}".contains(char));
    if !opens || !closes || !text.ends_with('}') {
        return None;
    }
    let mut edits = vec![Edit::remove(start), Edit::remove(end)];
    indent_less(text, TextRange::new(start.end, end.start), indentation(text, text.len() - 1), &mut edits);
    edits.sort_by_key(|edit| edit.range);
    Some(vec![as_one(text, TextRange::new(start.start, end.end), &edits)])
}

/// Takes away the step by which the lines that start with `range` are indented more than what is around them.
fn indent_less(text: &str, range: TextRange, outside: Option<&str>, edits: &mut Vec<Edit>) {
    let inside = indentation(text, range.start);
    if let Some(step) = outside.zip(inside).and_then(|(outside, inside)| inside.strip_prefix(outside)) {
        let lines = text[range.as_usize()].match_indices('\n').map(|(at, _)| range.start + at + 1);
        let lines = lines.filter(|line| !step.is_empty() && text[*line..].starts_with(inside.unwrap_or_default()));
        edits.extend(lines.map(|line| Edit::remove(TextRange::new(line, line + step.len()))));
    }
}

/// The white space before what starts here, where it is the first on its line.
fn indentation(text: &str, start: usize) -> Option<&str> {
    let line = text[..start].rsplit('\n').next()?;
    (line.len() < start && line.chars().all(|char| matches!(char, ' ' | '\t'))).then_some(line)
}

/// One edit for several, all of them inside `range`, since what others would do there counts on the indentation that
/// was.
fn as_one(text: &str, range: TextRange, edits: &[Edit]) -> Edit {
    let new = apply_edits(text, edits);
    Edit::replace(range, &new[range.start..new.len() - (text.len() - range.end)])
}

/// Puts `keys` around all that an object holds, each inside the one before. Where the members have lines of their own,
/// so have the keys, and they are indented by one step more.
pub(super) fn wrapped(document: &Document, object: &Value, keys: &[&str]) -> Option<Vec<Edit>> {
    let text = document.text;
    let range = object.range;
    if !document.reading.errors.is_empty() || !text[range.as_usize()].ends_with('}') {
        return None;
    }
    let (open, close) = (range.start + 1, range.end - 1);
    let before = &text[open..object.members().first()?.key.range.start];
    let opening: String = keys.iter().map(|key| format!("\"{key}\": {{")).collect();
    let closing = "}".repeat(keys.len());
    let Some(at) = before.rfind('\n') else {
        return Some(vec![Edit::insert(open, opening), Edit::insert(close, closing)]);
    };
    let line_break = if before[..at].ends_with('\r') { "\r\n" } else { "\n" };
    let line = &before[at + 1..];
    let indentation = &line[..line.len() - line.trim_start().len()];
    let outside = self::indentation(text, close).unwrap_or_default();
    let step = indentation.strip_prefix(outside).filter(|step| !step.is_empty()).unwrap_or("  ");
    let end = open + text[open..close].trim_end().len();
    let mut edits = vec![Edit::insert(open, format!("{line_break}{indentation}{opening}"))];
    // No string goes over a line break, so that the start of a line is never inside one.
    let starts = text[open..end].match_indices('\n').map(|(at, _)| open + at + 1);
    let is_blank = |start: usize| text[start..end].starts_with(['\r', '\n']);
    edits.extend(starts.filter(|start| !is_blank(*start)).map(|start| Edit::insert(start, step)));
    edits.push(Edit::insert(end, format!("{line_break}{indentation}{closing}")));
    Some(vec![as_one(text, TextRange::new(open, end), &edits)])
}
