//! What to remove so that an object loses a member, or an array an element, and its commas stay right. The layout of
//! the rest is kept, and so is every comment that speaks of something else.

use super::value::Value;
use crate::text::{Edit, TextRange};

/// The edits after which `object` is without its member at `index`. `text` is what the ranges count in.
pub fn without_member(text: &str, object: &Value, index: usize) -> Vec<Edit> {
    without_members(text, object, &[index])
}

/// The edits after which `object` is without its members at these `indices`, which ascend.
pub fn without_members(text: &str, object: &Value, indices: &[usize]) -> Vec<Edit> {
    without_each(text, object.range, object.members(), indices, |member| member.range())
}

/// The edits after which `array` is without its element at `index`. `text` is what the ranges count in.
pub fn without_element(text: &str, array: &Value, index: usize) -> Vec<Edit> {
    without_elements(text, array, &[index])
}

/// The edits after which `array` is without its elements at these `indices`, which ascend.
pub fn without_elements(text: &str, array: &Value, indices: &[usize]) -> Vec<Edit> {
    without_each(text, array.range, array.elements(), indices, |element| element.range)
}

/// Neighbours go together, since what is between them belongs to both.
fn without_each<T>(
    text: &str,
    container: TextRange,
    children: &[T],
    indices: &[usize],
    range: impl Fn(&T) -> TextRange,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for run in indices.chunk_by(|index, next| index + 1 == *next) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let neighbours = Neighbours {
            before: first.checked_sub(1).map(|before| range(&children[before])),
            own: TextRange::new(range(&children[*first]).start, range(&children[*last]).end),
            after: children.get(last + 1).map(&range),
        };
        edits.extend(without(text, container, neighbours));
    }
    edits
}

/// Members or elements that follow each other, with what stands beside them; the others of a container do not matter.
struct Neighbours {
    before: Option<TextRange>,
    own: TextRange,
    after: Option<TextRange>,
}

fn without(text: &str, container: TextRange, neighbours: Neighbours) -> Vec<Edit> {
    let range = neighbours.own;
    let comma = comma_after(text, range.end, container.end);
    let end = comma.map_or(range.end, |comma| comma + 1);
    if neighbours.after.is_some() {
        return vec![Edit::remove(TextRange::new(range.start, space_end(text, end)))];
    }
    let gap = neighbours.before.map_or(container.start + 1, |before| before.end);
    let ends_line = |offset: usize| text[offset..].trim_start_matches([' ', '\t', '\r']).starts_with('\n');
    let with_space_before = |offset: usize| {
        let start = space_start(text, offset).max(gap);
        // A comment that goes to the end of its line needs that end.
        let last_line = text[gap..start].rsplit('\n').next().unwrap_or_default();
        if last_line.contains("//") && !ends_line(end) { offset } else { start }
    };
    let start = with_space_before(range.start);
    let Some(neighbour) = neighbours.before else {
        // Nothing but white space is left: the brackets close up.
        let close = space_end(text, end);
        let is_empty = start == container.start + 1 && close + 1 == container.end;
        return vec![Edit::remove(TextRange::new(start, if is_empty { close } else { end }))];
    };
    let own = Edit::remove(TextRange::new(start, end));
    let before = comma_after(text, neighbour.end, range.start).filter(|_| comma.is_none());
    match before {
        Some(before) if before + 1 == start => vec![Edit::remove(TextRange::new(with_space_before(before), end))],
        Some(before) => {
            let start = if ends_line(before + 1) { space_start(text, before).max(gap) } else { before };
            vec![Edit::remove(TextRange::new(start, before + 1)), own]
        }
        None => vec![own],
    }
}

/// Where a comma stands that only white space and comments separate from `offset`.
fn comma_after(text: &str, offset: usize, limit: usize) -> Option<usize> {
    let mut at = offset;
    loop {
        at = space_end(text, at);
        let rest = text.get(at..limit)?;
        let length = match rest.as_bytes() {
            [b',', ..] => return Some(at),
            [b'/', b'/', ..] => rest.find('\n')?,
            [b'/', b'*', ..] => rest.find("*/")? + 2,
            _ => return None,
        };
        at += length;
    }
}

/// The end of the white space that starts at `offset`.
fn space_end(text: &str, offset: usize) -> usize {
    let rest = &text[offset..];
    offset + rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len()
}

/// The start of the white space that ends at `offset`.
fn space_start(text: &str, offset: usize) -> usize {
    text[..offset].trim_end_matches([' ', '\t', '\r', '\n']).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::read;
    use crate::text::apply_edits;

    #[track_caller]
    fn removed(before: &str, index: usize, after: &str) {
        let reading = read(before);
        let is_array = reading.value.is_array();
        let edits = if is_array { without_element } else { without_member }(before, &reading.value, index);
        let text = apply_edits(before, &edits);
        assert_eq!(text, after);
        assert_eq!(read(&text).errors, []);
    }

    #[test]
    fn the_commas_stay_right() {
        removed(r#"{"a": 1, "b": 2}"#, 0, r#"{"b": 2}"#);
        removed(r#"{"a": 1, "b": 2}"#, 1, r#"{"a": 1}"#);
        removed(r#"{"a": 1}"#, 0, "{}");
        removed("{\n  \"a\": 1\n}", 0, "{}");
        removed("{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}", 0, "{\r\n  \"b\": 2\r\n}");
        removed("{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}", 1, "{\r\n  \"a\": 1\r\n}");
        removed("[1, 2, 3]", 1, "[1, 3]");
        removed("[1, 2, 3,]", 2, "[1, 2,]");
        removed("[\n  1\n  , 2\n]", 1, "[\n  1\n]");
        removed("[1,]", 0, "[]");
    }

    #[test]
    fn several_go_at_once() {
        let text = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"d\": 4\n}";
        let value = read(text).value;
        let left = |indices: &[usize]| {
            let text = apply_edits(text, &without_members(text, &value, indices));
            assert_eq!(read(&text).errors, []);
            text
        };
        assert_eq!(left(&[0, 1, 3]), "{\n  \"c\": 3\n}");
        assert_eq!(left(&[0, 2, 3]), "{\n  \"b\": 2\n}");
        assert_eq!(left(&[0, 1, 2, 3]), "{}");
    }

    #[test]
    fn comments_stay_with_what_they_are_about() {
        removed("{\n  \"a\": 1,\n  // of b\n  \"b\": 2\n}", 0, "{\n  // of b\n  \"b\": 2\n}");
        removed("{\n  \"a\": 1, // of a\n  \"b\": 2\n}", 1, "{\n  \"a\": 1 // of a\n}");
        removed("{\n  \"a\": 1 /* , */, \"b\": 2\n}", 1, "{\n  \"a\": 1 /* , */\n}");
        removed("{\n  // of a\n  \"a\": 1\n}", 0, "{\n  // of a\n}");
        removed("[1, // of 1\n 2]", 1, "[1 // of 1\n ]");
        removed("[1 // of 1\n ,\n // of 2\n 2\n]", 1, "[1 // of 1\n // of 2\n]");
        removed("[1 // of 1\n , 2\n]", 1, "[1 // of 1\n]");
        removed("[ // of 1\n 1]", 0, "[ // of 1\n ]");
        removed("[ // of 1\n 1,]", 0, "[ // of 1\n ]");
        removed("{\"a\": 1 // of a\n , \"b\": 2}", 1, "{\"a\": 1 // of a\n }");
        removed("[1 // of 1\n , 2 // of 2\n]", 1, "[1 // of 1\n  // of 2\n]");
    }
}
