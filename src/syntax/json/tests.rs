//! What the reader makes of broken text, and what one edit mends.

use super::*;
use crate::text::apply_edits;
use proptest::prelude::*;

/// Every error as its message and what it points at.
fn errors(text: &str) -> Vec<(String, &str)> {
    read(text).errors.into_iter().map(|error| (error.kind.to_string(), &text[error.range.as_usize()])).collect()
}

/// What a text becomes when the repair of its only error is applied, which then has none.
#[track_caller]
fn repaired(text: &str) -> String {
    let errors = read(text).errors;
    assert_eq!(errors.len(), 1, "one error in {text}: {errors:?}");
    let edit = errors[0].repair.clone().expect("a repair");
    let after = apply_edits(text, &[edit]);
    assert_eq!(read(&after).errors, [], "{after}");
    after
}

#[test]
fn one_edit_mends_the_usual_slips() {
    assert_eq!(repaired(r#"{"a": 1 "b": 2}"#), r#"{"a": 1, "b": 2}"#);
    assert_eq!(repaired("[1 2]"), "[1, 2]");
    assert_eq!(repaired(r#"{"a" 1}"#), r#"{"a": 1}"#);
    assert_eq!(repaired("{\"a\": \"x,\n \"b\": 2}"), "{\"a\": \"x\",\n \"b\": 2}");
    assert_eq!(repaired(r#"{'a': 1}"#), r#"{"a": 1}"#);
    assert_eq!(repaired(r#"{"a": 'x'}"#), r#"{"a": "x"}"#);
    assert_eq!(repaired(r#"['don\'t "do"']"#), r#"["don't \"do\""]"#);
    assert_eq!(repaired("{“a”: 1}"), r#"{"a": 1}"#);
    assert_eq!(repaired("[„a “b” \"c\" d”]"), r#"["a “b” \"c\" d"]"#);
    assert_eq!(repaired("[“a\"\n]"), "[\"a\"\n]");
    assert_eq!(repaired("[1, # one\r\n 2]"), "[1, \r\n 2]");
    assert_eq!(repaired(r#"["\\srv\share"]"#), r#"["\\\\srv\\share"]"#);
    assert_eq!(repaired(r#"{a: 1}"#), r#"{"a": 1}"#);
    assert_eq!(repaired(r#"{"a": True}"#), r#"{"a": true}"#);
    assert_eq!(repaired(r#"{"a": [1, 2}"#), r#"{"a": [1, 2]}"#);
    assert_eq!(repaired(r#"[{"a": 1, {"b": 2}]"#), r#"[{"a": 1}, {"b": 2}]"#);
    assert_eq!(repaired(r#"[{"a": 1}}, {"b": 2}]"#), r#"[{"a": 1}, {"b": 2}]"#);
    assert_eq!(repaired(r#"{"a": {"b": 1}"#), r#"{"a": {"b": 1}}"#);
    assert_eq!(repaired("[1,, 2]"), "[1, 2]");
    assert_eq!(repaired("[\"a\tb\"]"), "[\"a\\tb\"]");
    assert_eq!(repaired(r#"["C:\Users"]"#), r#"["C:\\Users"]"#);
    assert_eq!(repaired(r#"["C:\Users\bob\new.exe"]"#), r#"["C:\\Users\\bob\\new.exe"]"#, "a path all along");
    assert_eq!(repaired(r#"["^\d\\\"$"]"#), r#"["^\\d\\\"$"]"#);
    assert_eq!(read(r#"["^\d\n"]"#).errors[0].repair, None, "one of the two may be meant");
    assert_eq!(repaired("[1,\u{a0}2]"), "[1, 2]");
    assert_eq!(repaired("`{\"a\": 1}"), "{\"a\": 1}");
    assert_eq!(repaired("export default [1]"), "[1]");
}

#[test]
fn an_error_names_its_place_and_the_rest_is_read() {
    assert_eq!(errors(""), [("nothing here: a JSON value is expected".to_owned(), "")]);
    assert_eq!(errors(r#"{"a":}"#)[0].1, ":");
    assert_eq!(errors(r#"{} []"#)[0].1, "[");
    assert_eq!(errors("[01, +1, .5, 1., 0x1, -, 1e5]").len(), 6);
    assert_eq!(errors("[\"a\0b\"]").len(), 1);
    assert_eq!(errors("{\"a\": 1} // x\n/* y"), [("expected `*/` at the end of this comment".to_owned(), "/*")]);
    let broken = read("{\"a\": tru, \"b\":\n  \"c\": 3}");
    let kinds: Vec<_> =
        broken.value.members().iter().map(|member| (&*member.key.name, member.value.kind_name())).collect();
    assert_eq!(kinds, [("a", "unreadable"), ("b", "unreadable"), ("c", "a number")]);
    let list = read("[{\"n\": {\"x\": 1, {\"n\": 2}, {\"n\": 3}]");
    assert_eq!(list.value.elements().len(), 3, "an unclosed element does not swallow the next");
    assert_eq!(list.errors.len(), 2);
}

#[test]
fn nesting_has_a_limit_and_the_rest_is_read() {
    let deep = format!("[{}1{}, 2]", "[".repeat(300), "]".repeat(300));
    let reading = read(&deep);
    assert_eq!(reading.errors.len(), 1);
    assert_eq!(reading.errors[0].kind, Kind::TooDeep);
    assert_eq!(reading.value.elements().len(), 2);
    read(&"[".repeat(1_000_000));
}

#[test]
fn comments_and_trailing_commas_are_listed() {
    let text = "{ // one\r\n \"a\": [1, /* two */ true/* three */, 2,// four\n], }";
    let reading = read(text);
    assert_eq!(reading.errors, []);
    let words: Vec<_> = reading.comments.iter().map(|range| &text[range.as_usize()]).collect();
    assert_eq!(words, ["// one", "/* two */", "/* three */", "// four"]);
    assert_eq!(reading.trailing_commas.len(), 2);
}

#[test]
fn an_outline_folds_what_it_is_told_to() {
    let text = r#"{"tools": [{"name": "a", "inputSchema": {"x": [1]}}, {"x": 1}]}"#;
    let reading = outline(text, &|folded| folded.keys.iter().any(|(key, _)| &**key == "name"));
    let elements = reading.value.get("tools").expect("tools").elements();
    let ValueKind::Folded(folded) = &elements[0].kind else { panic!("folded") };
    assert_eq!(folded.keys, [("name".into(), b'"'), ("inputSchema".into(), b'{')]);
    assert!(elements[1].is_object());
    let unclosed = outline(r#"[{"name": 1, {"name": 2}]"#, &|_| true);
    assert_eq!(unclosed.value.elements().len(), 2);
}

#[test]
fn a_line_break_in_a_string_is_one_error() {
    assert_eq!(repaired("{\"a\": \"one\n  two\", \"b\": 1}"), r#"{"a": "one\n  two", "b": 1}"#);
    assert_eq!(repaired("[\"one\r\ntwo \\\"2\\\"\r\n\r\n\"\r\n]"), "[\"one\\ntwo \\\"2\\\"\\n\\n\"\r\n]");
    let text = "[\"one\ntwo\"]";
    assert_eq!(errors(text), [("a line break in a string is written `\\n`".to_owned(), "\"one")]);
    assert_eq!(read(text).value.elements()[0].as_str(), Some("one\ntwo"));
    assert_eq!(read("[\"a\r\nb\"]").value.elements()[0].as_str(), Some("a\nb"));
}

#[test]
fn a_string_without_its_quote_ends_with_its_line() {
    for (text, after) in [
        ("{\"a\": \"x,\n \"b\": \"y\"}", "{\"a\": \"x\",\n \"b\": \"y\"}"),
        ("[\"x,\n\n \"y\", \"z\"]", "[\"x\",\n\n \"y\", \"z\"]"),
        ("[{\"a\": \"x\n}, {\"b\": \"\"}]", "[{\"a\": \"x\"\n}, {\"b\": \"\"}]"),
        ("[[\"x\r\n], \"y\"]", "[[\"x\"\r\n], \"y\"]"),
        ("[\"x,\n 1, \"y\"]", "[\"x\",\n 1, \"y\"]"),
    ] {
        assert_eq!(read(text).errors[0].kind, Kind::UnclosedString, "{text}");
        assert_eq!(repaired(text), after);
    }
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        (-1e9..1e9f64).prop_map(Into::into),
        "\\PC{0,6}|[\n\t\"\\\\]{0,3}".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::vec(("[a-c]{1,2}", inner), 0..5)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn valid_json_reads_as_any_parser_reads_it(value in json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.expect("a value");
        let reading = read(&text);
        prop_assert_eq!(&reading.errors, &[]);
        prop_assert_eq!(reading.value.to_json(), value);
        prop_assert_eq!(reading.value.range, TextRange::new(0, text.len()));
    }

    #[test]
    fn anything_is_read_and_ranges_nest(text in r#"([{}\[\],:"'/*\\a1 \n\t]|tru|"a":|é){0,40}"#) {
        fn nested(value: &Value, within: TextRange) -> bool {
            within.contains(value.range)
                && value.elements().iter().all(|element| nested(element, value.range))
                && value.members().iter().all(|member| value.range.contains(member.key.range) && nested(&member.value, value.range))
        }
        let reading = read(&text);
        prop_assert!(nested(&reading.value, TextRange::new(0, text.len())), "{:?}", reading.value);
        for error in &reading.errors {
            prop_assert!(text.get(error.range.as_usize()).is_some());
            if let Some(edit) = &error.repair {
                prop_assert!(text.get(edit.range.as_usize()).is_some());
            }
        }
        // Whoever reads it strictly finds an error where we find none only for comments and trailing commas.
        let strict = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        let clean = reading.errors.is_empty() && reading.comments.is_empty() && reading.trailing_commas.is_empty();
        prop_assert_eq!(strict, clean, "{:?}", reading);
    }
}

#[test]
fn a_text_without_an_end_to_its_errors_is_read_in_a_moment() {
    for part in ["}", ",", "[{", "[{\"a\": 1 ", "['x'", "{x", "“x ", "{“x\": ", "\"x\n\\\"\n", "\\\"\n"] {
        let text = format!("[{}", part.repeat((1 << 18) / part.len()));
        assert!((1..=MAX_ERRORS).contains(&outline(&text, &|_| true).errors.len()), "{part}");
    }
}
