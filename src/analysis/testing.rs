//! Tests of rules as data: a document with `^^^^` lines under what a rule is to find.

use std::path::PathBuf;
use std::sync::Arc;

use proptest::test_runner::{Config as ProptestConfig, RngSeed};

use super::{Analysis, Ruleset, World};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::document::{Document, Format};
use crate::rules::Rule;
use crate::text::TextRange;

/// How a property is tested: with as many cases as given, always the same ones, so that a test that was green stays so.
/// `PROPTEST_CASES=20000 cargo test NAME` looks further, at other ones each time.
pub(crate) fn cases(count: u32) -> ProptestConfig {
    let config = ProptestConfig { max_shrink_iters: 20_000, max_shrink_time: 60_000, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        config
    } else {
        ProptestConfig { cases: count, rng_seed: RngSeed::Fixed(1), ..config }
    }
}

/// A document at `path` with this text.
pub(crate) fn document(path: &str, text: &str) -> Document {
    Document::new(path, Some(PathBuf::from(path)), Format::from_path(path.as_ref()).unwrap_or(Format::Json), text)
}

/// Every finding of a ruleset in a text, relative to the document.
pub(crate) fn findings(rules: Ruleset, path: &str, text: &str) -> Vec<Diagnostic> {
    let document = document(path, text);
    let rules = Arc::new(rules);
    let mut analysis = Analysis::default();
    let report = analysis.check(&World { document: &document, rules: &rules, read_as: None });
    let moved = |finding: &super::Finding| Diagnostic { range: finding.range(), ..finding.diagnostic.clone() };
    report.findings().iter().map(moved).collect()
}

/// Asserts that a rule alone finds in a tool list exactly what the marker lines mark. A marker line holds nothing but
/// spaces and runs of `^`, and the words that the message has to contain behind the last run; it stands under the
/// line that it marks.
#[track_caller]
pub(crate) fn check(rule: &'static Rule, marked: &str) {
    check_at(rule, "tools.json", marked);
}

/// The same for a file at `path`.
#[track_caller]
pub(crate) fn check_at(rule: &'static Rule, path: &str, marked: &str) {
    let (text, expected) = unmarked(marked);
    let found = findings(Ruleset::only(rule), path, &text);
    let show = |range: TextRange| format!("{range:?} {:?}", text.get(range.as_usize()).unwrap_or("<not in the text>"));
    let found_ranges: Vec<String> = found.iter().map(|finding| show(finding.range)).collect();
    let expected_ranges: Vec<String> = expected.iter().map(|(range, _)| show(*range)).collect();
    assert_eq!(found_ranges, expected_ranges, "what `{}` finds in\n{text}\n{found:#?}", rule.name);
    for (finding, (_, words)) in found.iter().zip(&expected) {
        let all = format!("{} {}", finding.message, finding.notes.join(" "));
        assert!(all.contains(words.as_str()), "`{words}` in the message or notes: {all}");
    }
}

/// Asserts what a text becomes when the first fix of this kind of a rule's first finding is applied.
#[track_caller]
pub(crate) fn check_fix(rule: &'static Rule, applicability: Applicability, path: &str, before: &str, after: &str) {
    let rules = Arc::new(Ruleset::only(rule));
    let document = document(path, before);
    let mut analysis = Analysis::default();
    let report = analysis.check(&World { document: &document, rules: &rules, read_as: None });
    let findings = report.findings();
    let finding = findings.first().expect("a finding");
    let fix = finding.diagnostic.fixes.iter().find(|fix| fix.applicability == applicability).expect("a fix");
    let edits = super::resolved(&report, finding.base, &fix.change);
    assert_eq!(crate::text::apply_edits(before, &edits), after, "{}", fix.title);
}

/// Takes the marker lines out of a text: what is left, and what they mark with the words behind them.
fn unmarked(marked: &str) -> (String, Vec<(TextRange, String)>) {
    let mut text = String::new();
    let mut expected = Vec::new();
    let mut line_start = 0;
    for line in marked.split_inclusive('\n') {
        let markers = line.trim_start().starts_with('^');
        if !markers {
            line_start = text.len();
            text.push_str(line);
            continue;
        }
        let content = line.trim_end();
        let words_at = content.rfind('^').map_or(content.len(), |at| at + 1);
        let words = content[words_at..].trim().to_owned();
        // Columns of marker lines count characters, as an editor shows them.
        let offset = |column: usize| {
            let line = &text[line_start..];
            line_start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
        };
        let mut column = 0;
        let mut characters = content[..words_at].chars().peekable();
        while let Some(character) = characters.next() {
            if character == '^' {
                let start = column;
                while characters.next_if_eq(&'^').is_some() {
                    column += 1;
                }
                expected.push((TextRange::new(offset(start), offset(column + 1)), words.clone()));
            }
            column += 1;
        }
    }
    expected.sort_by_key(|(range, _)| range.start);
    (text, expected)
}
