//! What is published depends on the text alone.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::analysis::{Analysis, Ruleset, World};
use crate::document::{Document, Format};
use crate::settings::{Preset, Settings};

const LIMIT: usize = 6;

struct Session {
    analysis: Analysis,
    document: Document,
    rules: Arc<Ruleset>,
    published: Published,
    support: Support,
}

impl Session {
    fn new(text: &str, encoding: Encoding) -> Session {
        let settings = Settings { preset: Some(Preset::All), ..Settings::default() };
        let support = Support { encoding, related_information: true, ..Support::default() };
        Session {
            analysis: Analysis::default(),
            document: Document::new("untitled:a", None, Format::Json, text),
            rules: Arc::new(Ruleset::new(&settings, false)),
            published: Published::new("untitled:a", &support),
            support,
        }
    }

    /// What is published with a limit, and without one.
    fn publish(&mut self) -> (Value, Value) {
        let document = self.document.take_snapshot();
        let world = World::new(&document, &self.rules);
        let report = self.analysis.check(&world);
        self.published.update(&report);
        let mut frame = Vec::new();
        self.published.frame(&report, Some(7), usize::MAX, &mut frame);
        let all = parsed(&frame);
        let count = all["params"]["diagnostics"].as_array().map(Vec::len);
        assert_eq!(count, Some(report.findings().len()), "everything is published");
        self.published.frame(&report, Some(7), LIMIT, &mut frame);
        (parsed(&frame), all)
    }

    /// The same without a memory.
    fn without_memory(&self) -> (Value, Value) {
        Session::new(&self.document.text().to_string(), self.support.encoding).publish()
    }
}

fn parsed(frame: &[u8]) -> Value {
    let frame = std::str::from_utf8(frame).expect("UTF-8");
    let (header, body) = frame.split_once("\r\n\r\n").expect("a header");
    assert_eq!(header.strip_prefix("Content-Length: ").and_then(|length| length.parse().ok()), Some(body.len()));
    serde_json::from_str(body).expect("JSON")
}

const TOOLS: &str = "{\"tools\": [\r\n  {\"name\": \"a\u{1F600}\", \"inputSchema\": {\"required\": [\"x\"]}}, {\"name\": \"b\",\n \"inputSchema\": {\"type\": \"object\",\r\n\"required\": [\"\u{1F600}\", \"y\"]}},\r{\"name\": \"b\", \"inputSchema\": {\"type\": \"object\"}}, {\"name\": \"c\", \"description\": \"See what is there.\", \"inputSchema\": {}}\n]}\n";

#[test]
fn places_move_with_the_text() {
    let mut session = Session::new(TOOLS, Encoding::Utf16);
    let before = session.publish();
    session.document.apply(TextRange::empty(0), "\u{1F600}\r\n  ");
    assert_ne!(session.publish(), before);
    let (now, scratch) = (session.publish(), session.without_memory());
    assert_eq!(now, scratch);
}

#[test]
fn the_loudest_are_shown_and_the_rest_are_counted() {
    let tools = "{\"name\": \"a\", \"inputSchema\": {\"required\": [\"x\"], \"properties\": {\"y\": {}}}},".repeat(4);
    let mut session = Session::new(&format!("[{tools}]"), Encoding::Utf8);
    let severities = |published: &Value| -> Vec<u64> {
        let diagnostics = published["params"]["diagnostics"].as_array().expect("diagnostics");
        diagnostics.iter().filter_map(|one| one["severity"].as_u64()).collect()
    };
    let (few, all) = session.publish();
    let (mut few_severities, mut all_severities) = (severities(&few), severities(&all));
    let more = few["params"]["diagnostics"][0]["message"].as_str().expect("a message");
    let hidden = all_severities.len() - LIMIT;
    assert_eq!(more, format!("{hidden} more problems are not shown: `limits.problemsPerFile` is 6"));
    few_severities.remove(0);
    few_severities.sort_unstable();
    all_severities.sort_unstable();
    assert_eq!(few_severities, all_severities[..LIMIT]);
}

fn edit() -> impl Strategy<Value = (usize, usize, String)> {
    let pieces = prop_oneof![
        Just("x"),
        Just("\r"),
        Just("\n"),
        Just("\r\n"),
        Just("\u{1F600}"),
        Just("\""),
        Just("{"),
        Just("}"),
        Just(","),
        Just("]"),
        Just("{\"name\": \"a\", \"inputSchema\": {\"required\": [\"z\"]}},"),
        Just("{\"name\": \"b\",\n \"inputSchema\": {\"type\": \"object\"}},\r\n"),
        Just(""),
    ];
    (0usize..420, prop_oneof![Just(0usize), 0usize..3, 0usize..60], pieces.prop_map(str::to_owned))
}

proptest! {
    #[test]
    fn what_is_published_depends_on_the_text_alone(
        edits in prop::collection::vec(prop::collection::vec(edit(), 1..3), 1..12),
        is_utf8 in any::<bool>(),
    ) {
        let encoding = if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
        let mut session = Session::new(TOOLS, encoding);
        session.publish();
        for group in edits {
            for (start, length, new) in group {
                session.document.apply(TextRange::new(start, start + length), &new);
            }
            let (now, scratch) = (session.publish(), session.without_memory());
            prop_assert_eq!(now, scratch, "{:?}", session.document.text().to_string());
        }
    }
}
