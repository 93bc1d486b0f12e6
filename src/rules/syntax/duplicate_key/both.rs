//! Two values of one key: whether the one says no more than the other, and how they become one.

use crate::model::looks_like_server;
use crate::syntax::{Value, ValueKind, read};
use crate::text::Edit;

/// Whether nothing is lost with `shadowed`, since it is empty or `kept` says the same and perhaps more.
pub(super) fn is_within(text: &str, shadowed: &Value, kept: &Value) -> bool {
    match &shadowed.kind {
        ValueKind::Null => true,
        ValueKind::String(text) => text.is_empty() || is_part(shadowed, kept),
        // Items are folded here, and an item that is no object is folded like an array.
        _ => {
            let [shadowed, kept] = [shadowed, kept].map(|value| read(&text[value.range.as_usize()]).value);
            let is_empty = match &shadowed.kind {
                ValueKind::Array(elements) => elements.is_empty(),
                ValueKind::Object(members) => members.is_empty(),
                ValueKind::Null => true,
                _ => false,
            };
            is_empty || is_part(&shadowed, &kept)
        }
    }
}

/// Whether two values are the same, but for members that only the second one has.
fn is_part(part: &Value, whole: &Value) -> bool {
    match (&part.kind, &whole.kind) {
        (ValueKind::Object(part), ValueKind::Object(_)) => {
            part.iter().all(|member| whole.get(&member.key.name).is_some_and(|other| is_part(&member.value, other)))
        }
        (ValueKind::Array(part), ValueKind::Array(whole)) => {
            part.len() == whole.len() && part.iter().zip(whole).all(|(part, whole)| is_part(part, whole))
        }
        (ValueKind::Unreadable, _) => false,
        (part, whole) => part == whole,
    }
}

/// The edit that adds what is in one container to another one of its kind; `None` where a name would come twice, a
/// comment would be lost, or the two are servers, each of which is reached in a way of its own.
pub(super) fn added(text: &str, shadowed: &Value, kept: &Value, may_be_lists: bool) -> Option<Edit> {
    let ranges = match (&shadowed.kind, &kept.kind) {
        (ValueKind::Object(moved), ValueKind::Object(own)) => {
            let is_taken = moved.iter().any(|member| kept.get(&member.key.name).is_some());
            let are_servers = looks_like_server(shadowed) && looks_like_server(kept);
            let ends = |members: &[crate::syntax::Member]| {
                Some((members.first()?.key.range.start, members.last()?.range().end))
            };
            (!is_taken && !are_servers).then(|| (ends(moved), ends(own)))
        }
        (ValueKind::Array(moved), ValueKind::Array(own)) => {
            let ends = |elements: &[Value]| Some((elements.first()?.range.start, elements.last()?.range.end));
            may_be_lists.then(|| (ends(moved), ends(own)))
        }
        _ => None,
    };
    let (moved, own) = ranges?;
    let (start, end) = moved?;
    let before = text.get(shadowed.range.start + 1..start)?;
    let behind = text.get(end..shadowed.range.end.checked_sub(1)?)?;
    if !before.chars().all(char::is_whitespace) || !behind.chars().all(|char| char == ',' || char.is_whitespace()) {
        return None;
    }
    let line = before.rfind('\n').map(|at| if before[..at].ends_with('\r') { at - 1 } else { at });
    let gap = line.map_or(" ", |at| &before[at..]);
    let moved = &text[start..end];
    Some(match own {
        Some((_, end)) => Edit::insert(end, format!(",{gap}{moved}")),
        // Nothing is there to say where it goes.
        None => Edit::insert(kept.range.start + 1, moved),
    })
}
