//! Tests of rules as data: a document with `^^^^` lines under what a rule is to find.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use proptest::test_runner::{Config as ProptestConfig, RngSeed};

use super::{Analysis, Count, Report, Ruleset, Uncounted, World};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::document::{Document, Format};
use crate::facts::{Challenge, Ended, Facts, Failure, Oddity, Phase, ProbeReport, Standing};
use crate::model::dialect::Transport;
use crate::model::launch::Launch;
use crate::model::{Dialect, Server};
use crate::rules::Rule;
use crate::text::TextRange;
use crate::tokens::Vocabulary;

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

/// The path of examples that are no document but what was seen of servers; see [`seen`].
const SEEN: &str = "seen";

/// Where the config file of [`seen`] is.
const CONFIG: &str = "/work/.mcp.json";

/// Every finding of a ruleset in a text, relative to the document.
pub(crate) fn findings(rules: Ruleset, path: &str, text: &str) -> Vec<Diagnostic> {
    let (document, facts) = if path == SEEN { seen(text) } else { (document(path, text), Facts::default()) };
    let rules = Arc::new(rules);
    let mut analysis = Analysis::default();
    let world = World { facts: &facts, ..World::new(&document, &rules) };
    analysis.check(&world);
    let report = counted(&mut analysis, &world, Vocabulary::count);
    let moved = |finding: &super::Finding| Diagnostic { range: finding.range(), ..finding.diagnostic.clone() };
    report.findings().iter().map(moved).collect()
}

/// What is found once all that can be counted was.
pub(crate) fn counted<'a>(analysis: &'a mut Analysis, world: &World, count: Count) -> Report<'a> {
    if let Some(uncounted) = analysis.uncounted(&world.document.uri).filter(Uncounted::may_matter) {
        analysis.take_counts(uncounted.count(count), world);
    }
    analysis.last(&world.document.uri).expect("it was checked")
}

/// A config file and what came of asking its servers, from a map of their names to what was seen: `tools`; `stdout`, lines
/// that are no messages; `stderr`; `ready`, seconds until it was; `pages` of tools; `protocolVersion`; `serverInfo`;
/// `instructions`, a number of characters; `fails`, one of the words below; `standing`, where it was not asked.
pub(crate) fn seen(servers: &str) -> (Document, Facts) {
    let servers: serde_json::Map<String, serde_json::Value> = serde_json::from_str(servers).expect("a map of servers");
    let entries = servers.keys().map(|name| format!("    \"{name}\": {{ \"command\": \"{name}\" }}"));
    let text = format!("{{\n  \"mcpServers\": {{\n{}\n  }}\n}}\n", entries.collect::<Vec<_>>().join(",\n"));
    let mut facts = Facts::default();
    for (name, what) in &servers {
        let word = |key: &str| what.get(key).and_then(|value| value.as_str()).map(str::to_owned);
        let number = |key: &str| what.get(key).and_then(serde_json::Value::as_f64);
        let launch = launch(name).id();
        let mut report = ProbeReport::new(launch, name, Transport::Stdio);
        if let Some(tools) = what.get("tools") {
            report.counts.tools = tools.as_array().map_or(0, Vec::len);
            report.counts.tool_pages = number("pages").unwrap_or(1.0) as usize;
            let instructions = number("instructions").map(|count| "x".repeat(count as usize));
            let instructions = instructions.map(|text| format!(", \"instructions\": \"{text}\"")).unwrap_or_default();
            let text = format!(
                "{{\"snapshot\": 1, \"launch\": \"{launch}\", \"name\": \"{name}\"{instructions}, \"tools\": {tools}}}"
            );
            report.snapshot = Some(document(&format!("/cache/{name}.json"), &text));
        }
        report.noise.first = what["stdout"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|line| line.as_str().unwrap_or_default().to_owned())
            .collect();
        report.noise.lines = report.noise.first.len();
        report.stderr = word("stderr").unwrap_or_default();
        report.timings.ready = number("ready").map(Duration::from_secs_f64);
        report.protocol_version = word("protocolVersion");
        report.instructions = number("instructions").map(|count| count as usize);
        report.server.name = what["serverInfo"]["name"].as_str().map(str::to_owned);
        report.failure = word("fails").map(|word| match &*word {
            "not found" => Failure::NotFound { command: name.clone() },
            "exit" => Failure::Exited { phase: Phase::Handshake, ended: Ended::Code(1), cause: None },
            "time" => Failure::TimedOut { phase: Phase::Handshake, after: Duration::from_secs(30), cause: None },
            "protocol" => Failure::Protocol("the answer has no `result`".to_owned()),
            "sign in" => Failure::AuthorizationRequired(Challenge { status: 401, ..Challenge::default() }),
            "version" => Failure::NoCommonVersion { server: vec!["2030-01-01".to_owned()] },
            word => panic!("no failure is called `{word}`"),
        });
        report.oddities.extend(word("odd").map(|word| match &*word {
            "cursor" => Oddity::CursorRepeats { method: "tools/list", pages: 2 },
            word => panic!("nothing odd is called `{word}`"),
        }));
        match word("standing").as_deref() {
            None => facts.take(Arc::new(report)),
            Some("untrusted") => facts.set_standing(launch, Standing::Untrusted),
            Some(word) => panic!("nothing stands like `{word}`"),
        }
    }
    (document(CONFIG, &text), facts)
}

/// What [`seen`] has for a server with this name.
fn launch(name: &str) -> Launch {
    let entry = format!("\"{name}\": {{ \"command\": \"{name}\" }}");
    let (key, reading) = crate::syntax::read_member(&entry).expect("an entry");
    let dialect = Dialect::by_path(CONFIG).expect("a client");
    let server = Server { text: &entry, key: &key, value: &reading.value, dialect };
    Launch::of(&server, dialect.project(CONFIG.as_ref()).as_deref()).expect("a launch")
}

/// What a rule alone says of a server that was asked.
pub(crate) fn of_report(rule: &'static Rule, change: impl FnOnce(&mut ProbeReport)) -> Vec<Diagnostic> {
    let (document, mut facts) = seen(r#"{"server": {"tools": []}}"#);
    let mut report = facts.reports().next().map(|report| (**report).clone()).expect("a report");
    change(&mut report);
    facts.take(Arc::new(ProbeReport { number: u64::MAX, ..report }));
    let rules = Arc::new(Ruleset::only(rule));
    let mut analysis = Analysis::default();
    let report = analysis.check(&World { facts: &facts, ..World::new(&document, &rules) });
    report.findings().iter().map(|finding| finding.diagnostic.clone()).collect()
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
    let report = analysis.check(&World::new(&document, &rules));
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
