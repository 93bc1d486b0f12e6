//! A new member for an object, written the way its neighbours are: on a line of its own with their indentation and
//! line break, or behind them; with a space after colon and comma, or without.

use serde_json::Value as Json;

use super::value::Value;
use crate::text::Edit;

/// Where in an object a member is put.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// Before all others.
    First,
    /// Behind the last of these keys that the object has, else behind all members.
    Behind(&'a [&'a str]),
}

/// The edit that gives `object` one more member. `text` is what the object's ranges count in.
pub fn insert_member(text: &str, object: &Value, place: Place, key: &str, value: &Json) -> Edit {
    let members = object.members();
    let is_spaced = is_spaced(text, object);
    let member = format!("{}{}{}", string(key), if is_spaced { ": " } else { ":" }, written(value, is_spaced));
    let (Some(first), Some(last)) = (members.first(), members.last()) else {
        return Edit::insert(object.range.start + 1, member);
    };
    match place {
        Place::First => {
            let start = first.key.range.start;
            Edit::insert(start, format!("{member},{}", separator(text, start, is_spaced)))
        }
        Place::Behind(keys) => {
            let behind = members.iter().rfind(|member| keys.contains(&&*member.key.name)).unwrap_or(last);
            let separator = separator(text, behind.key.range.start, is_spaced);
            Edit::insert(behind.range().end, format!(",{separator}{member}"))
        }
    }
}

/// The edit that puts strings before all elements of `array`.
pub fn insert_elements(text: &str, array: &Value, strings: &[String]) -> Edit {
    let strings: Vec<String> = strings.iter().map(|text| string(text)).collect();
    let Some(first) = array.elements().first() else {
        return Edit::insert(array.range.start + 1, strings.join(", "));
    };
    let is_spaced = array.elements().get(1).is_none_or(|second| !text[..second.range.start].ends_with(','));
    let separator = separator(text, first.range.start, is_spaced);
    let strings = strings.into_iter().map(|string| format!("{string},{separator}"));
    Edit::insert(first.range.start, strings.collect::<String>())
}

/// A value on one line, with or without spaces as the members of `object` are written.
pub fn written_like(text: &str, object: &Value, value: &Json) -> String {
    written(value, is_spaced(text, object))
}

/// What stands between two members or elements: the line break and indentation before the one that starts here, or a
/// space.
fn separator(text: &str, start: usize, is_spaced: bool) -> &str {
    let before = &text[..start];
    let space = &before[before.trim_end_matches([' ', '\t', '\r', '\n']).len()..];
    match space.rfind('\n') {
        Some(at) if space[..at].ends_with('\r') => &space[at - 1..],
        Some(at) => &space[at..],
        None if is_spaced => " ",
        None => "",
    }
}

/// Whether the first colon inside has a space behind it; where there is none, whether the first of the text has.
fn is_spaced(text: &str, object: &Value) -> bool {
    match object.members().first() {
        Some(member) => {
            let between = text.get(member.key.range.end..member.value.range.start).unwrap_or_default();
            !between.ends_with(':')
        }
        None => text.find("\":").is_none_or(|colon| text[colon + 2..].starts_with(char::is_whitespace)),
    }
}

fn written(value: &Json, is_spaced: bool) -> String {
    let space = if is_spaced { " " } else { "" };
    let joined = |parts: Vec<String>| parts.join(if is_spaced { ", " } else { "," });
    match value {
        Json::Object(members) => {
            let members =
                members.iter().map(|(key, value)| format!("{}:{space}{}", string(key), written(value, is_spaced)));
            format!("{{{}}}", joined(members.collect()))
        }
        Json::Array(elements) => {
            format!("[{}]", joined(elements.iter().map(|element| written(element, is_spaced)).collect()))
        }
        scalar => scalar.to_string(),
    }
}

fn string(text: &str) -> String {
    Json::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::read;
    use crate::text::apply_edits;

    #[track_caller]
    fn inserted(place: Place, before: &str, after: &str) {
        let edit = insert_member(before, &read(before).value, place, "x", &serde_json::json!({"y": [1, "é"]}));
        let text = apply_edits(before, &[edit]);
        assert_eq!(text, after);
        assert_eq!(read(&text).errors, []);
    }

    #[test]
    fn an_element_looks_like_its_neighbours() {
        let inserted = |before: &str, after: &str| {
            let edit = insert_elements(before, &read(before).value, &["x".to_owned(), "\"".to_owned()]);
            assert_eq!(apply_edits(before, &[edit]), after);
        };
        inserted("[]", r#"["x", "\""]"#);
        inserted("[1]", r#"["x", "\"", 1]"#);
        inserted("[1,2]", r#"["x","\"",1,2]"#);
        inserted("[\r\n  1\r\n]", "[\r\n  \"x\",\r\n  \"\\\"\",\r\n  1\r\n]");
        inserted("[ /* a */ 1]", r#"[ /* a */ "x", "\"", 1]"#);
    }

    #[test]
    fn a_member_looks_like_its_neighbours() {
        let behind_a = Place::Behind(&["a", "b"]);
        inserted(behind_a, r#"{"a": 1, "c": 2}"#, r#"{"a": 1, "x": {"y": [1, "é"]}, "c": 2}"#);
        inserted(behind_a, r#"{"a":1,"c":2}"#, r#"{"a":1,"x":{"y":[1,"é"]},"c":2}"#);
        inserted(behind_a, "{\n  \"a\": 1\n}", "{\n  \"a\": 1,\n  \"x\": {\"y\": [1, \"é\"]}\n}");
        inserted(
            behind_a,
            "{\r\n\t\"a\": 1,\r\n\t\"c\": 2\r\n}",
            "{\r\n\t\"a\": 1,\r\n\t\"x\": {\"y\": [1, \"é\"]},\r\n\t\"c\": 2\r\n}",
        );
        inserted(behind_a, "{}", r#"{"x": {"y": [1, "é"]}}"#);
        inserted(behind_a, r#"{"c": 2}"#, r#"{"c": 2, "x": {"y": [1, "é"]}}"#);
        inserted(Place::First, "{\n  \"a\": 1\n}", "{\n  \"x\": {\"y\": [1, \"é\"]},\n  \"a\": 1\n}");
        inserted(Place::First, r#"{"a":1}"#, r#"{"x":{"y":[1,"é"]},"a":1}"#);
        inserted(Place::First, "{\n}", "{\"x\": {\"y\": [1, \"é\"]}\n}");
        inserted(
            behind_a,
            "{\n  // of a\n  \"a\": 1, // more\n}",
            "{\n  // of a\n  \"a\": 1,\n  \"x\": {\"y\": [1, \"é\"]}, // more\n}",
        );
    }
}
