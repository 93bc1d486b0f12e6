use std::sync::Arc;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::analysis::{Analysis, ReadAs, Ruleset, World};
use crate::diagnostic::{Anchor, Diagnostic, Related};
use crate::document::{Document, Format};
use crate::render::terminal::tests::HOSTILE;

/// A finding at `range` with these related places, drawn over `content`.
fn drawn(content: &str, range: TextRange, related: &[(TextRange, &str)], change: impl Fn(&mut Diagnostic)) -> String {
    let mut analysis = Analysis::default();
    let document = Document::new("x.json", None, Format::Json, content);
    let rules = Arc::new(Ruleset::default());
    let report = analysis.check(&World { read_as: Some(ReadAs::Tools), ..World::new(&document, &rules) });
    let related = related.iter().map(|(range, message)| Related {
        anchor: Anchor::Own,
        range: *range,
        message: (*message).to_owned(),
    });
    let mut diagnostic = Diagnostic {
        rule: "some-rule",
        severity: Severity::Warning,
        range,
        message: "something is `wrong`".to_owned(),
        help: "do something about it",
        notes: Vec::new(),
        related: related.collect(),
        fixes: Vec::new(),
        tag: None,
    };
    change(&mut diagnostic);
    let finding = Finding { diagnostic: &diagnostic, item: None, base: 0 };
    let shown = Shown { path: "some/x.json", report, masks: analysis::secrets(report.kind(), content) };
    frame(&shown, &finding, &Renderer::plain())
}

fn find(content: &str, word: &str) -> TextRange {
    let start = content.find(word).expect("a word of the text");
    TextRange::new(start, start + word.len())
}

fn check(content: &str, word: &str, related: &[(&str, &str)], expected: Expect) {
    let related: Vec<(TextRange, &str)> = related.iter().map(|(word, label)| (find(content, word), *label)).collect();
    expected.assert_eq(&drawn(content, find(content, word), &related, |_| ()));
}

#[test]
fn related_places_are_drawn_near_and_far() {
    let content = "{\"a\": 1,\n\n\n \"b\": 2,\n\n\n\n\n\n\n\n\n\n\n\n\t\"c\": \"größe 漢字\", \"d\": 4}";
    check(
        content,
        "\"b\"",
        &[("\"a\"", "the first"), ("\"d\"", "the last")],
        expect![[r#"
        warning[some-rule]: something is `wrong`
          --> some/x.json:4:2
           |
         1 | {"a": 1,
           |  --- the first
        ...
         4 |  "b": 2,
           |  ^^^
           |
          ::: some/x.json:16:19
           |
        16 |     "c": "größe 漢字", "d": 4}
           |                        --- the last
           |
           = help: do something about it"#]],
    );
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    let content =
        format!("[{}\"here\",{}\"there\"{}]", "\"x\",".repeat(200), "\"y\",".repeat(200), ",\"z\"".repeat(90));
    check(
        &content,
        "\"here\"",
        &[("\"there\"", "the other")],
        expect![[r#"
        warning[some-rule]: something is `wrong`
         --> some/x.json:1:802
          |
        1 | …","x","x","x","x","x","x","x","x","x","x","x","x","here","y","y","y","y","y","y","y","y","y","y","y","y","y","y","y"…
          |                                                    ^^^^^^
          |
         ::: some/x.json:1:1609
          |
        1 | …","y","y","y","y","y","y","y","y","y","y","y","y","there","z","z","z","z","z","z","z","z","z","z","z","z","z","z","z"…
          |                                                    ------- the other
          |
          = help: do something about it"#]],
    );
}

#[test]
fn notes_help_and_fix_follow() {
    let content = "{\"a\": 1}";
    let drawn = drawn(content, find(content, "1"), &[], |diagnostic| {
        diagnostic.note("this is why").fix(Fix::suggestion("write more", vec![]));
        diagnostic.fix(Fix::unsafe_("make it `2`", vec![]));
    });
    expect![[r#"
        warning[some-rule]: something is `wrong`
         --> some/x.json:1:7
          |
        1 | {"a": 1}
          |       ^
          |
          = note: this is why
          = help: do something about it
          = fix: make it `2` (applied by --fix --unsafe)"#]]
    .assert_eq(&drawn);
}

#[test]
fn what_is_hidden_is_shown() {
    check(
        "{\"a\": \"x\u{200b}\u{202e}y\u{1b}[2Jz\", \"b\": 1}",
        "\"b\"",
        &[],
        expect![[r#"
        warning[some-rule]: something is `wrong`
         --> some/x.json:1:20
          |
        1 | {"a": "x\u{200b}\u{202e}y\u{1b}[2Jz", "b": 1}
          |                                       ^^^
          |
          = help: do something about it"#]],
    );
}

#[test]
fn hostile_text_is_escaped_everywhere() {
    for text in HOSTILE {
        let content = format!("{{\"{text}\": 1,\n \"{text}\": 2}}");
        let drawn = drawn(&content, find(&content, "1"), &[(find(&content, "2"), text)], |diagnostic| {
            diagnostic.message = format!("`{text}`");
            diagnostic.note(*text).fix(Fix::safe(*text, vec![]));
        });
        let raw = drawn.chars().find(|char| *char != '\n' && is_hidden(*char));
        assert_eq!(raw, None, "{text:?}\n{drawn}");
    }
}

proptest! {
    #[test]
    fn every_place_can_be_drawn(
        content in "(?s)[a\"{}\\[\\]:,\t\r\n\u{e9}\u{6f22}\u{1F600}\u{200b}\u{1b}]{0,60}",
        pad in 0usize..300,
        places in prop::collection::vec((0usize..400, 0usize..40), 1..5),
    ) {
        let content = format!("{content}{}{content}", "漢".repeat(pad));
        let range = |(start, len): (usize, usize)| {
            let start = content.floor_char_boundary(start);
            TextRange::new(start, content.floor_char_boundary(start + len).max(start))
        };
        let related: Vec<_> = places[1..].iter().map(|place| (range(*place), "label")).collect();
        let drawn = drawn(&content, range(places[0]), &related, |_| ());
        prop_assert!(!drawn.contains(ORIGIN));
        prop_assert!(drawn.lines().count() < 80);
    }
}
