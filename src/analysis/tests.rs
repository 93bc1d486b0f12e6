//! The promises of the boundary: the same findings whatever the edits, one item checked for one item touched, and
//! what every rule gets for free.

use std::sync::Arc;

use proptest::prelude::*;

use super::testing::{counted, document, findings};
use super::{Analysis, ReadAs, Report, Ruleset, Uncounted, Unparsed, World, fix_all};
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::document::{Document, Format};
use crate::facts::{Facts, ProbeReport};
use crate::model::Kind;
use crate::model::dialect::Transport;
use crate::rules::{self, Check, Rule};
use crate::settings::{Limits, Preset, Settings};
use crate::text::TextRange;

mod fixes;

fn all_rules() -> Arc<Ruleset> {
    Arc::new(Ruleset::new(&Settings { preset: Some(Preset::All), ..Settings::default() }, false))
}

fn list(tools: usize) -> String {
    let tool = |index: usize| {
        format!(
            "    {{\n      \"name\": \"get_thing_{index}\",\n      \"description\": \"Get thing number {index} from the store.\",\n      \
             \"inputSchema\": {{ \"type\": \"object\", \"properties\": {{ \"id\": {{ \"type\": \"string\", \"description\": \"Its identifier\" }} }}, \"required\": [\"id\", \"x\"] }}\n    }}"
        )
    };
    format!("{{\n  \"tools\": [\n{}\n  ]\n}}\n", (0..tools).map(tool).collect::<Vec<_>>().join(",\n"))
}

fn absolute(report: &Report) -> Vec<(TextRange, Diagnostic)> {
    report.findings().iter().map(|finding| (finding.range(), finding.diagnostic.clone())).collect()
}

#[test]
fn an_edit_inside_one_of_500_tools_checks_one() {
    let text = list(500);
    let mut document = document("tools.json", &text);
    let rules = all_rules();
    let mut analysis = Analysis::default();
    assert_eq!(analysis.check(&World::new(&document.take_snapshot(), &rules)).len(), 500);
    assert_eq!(analysis.counters().items_checked, 500);
    let unparsed = analysis.unparsed("tools.json").expect("a parse to be made");
    analysis.take(unparsed.parse());
    for (index, letter) in ["a", " ", "z"].iter().enumerate() {
        let at = text.find("Get thing number 250").expect("the tool") + index;
        document.apply(TextRange::empty(at), letter);
        analysis.check(&World::new(&document.take_snapshot(), &rules));
        assert_eq!(analysis.counters().items_checked, 501 + index as u64);
        assert_eq!(analysis.counters().fast_edits, 1 + index as u64);
    }
    // A tool that is deleted, and one that is written twice, cost nothing but the walk.
    let at = text.find("    {\n      \"name\": \"get_thing_7\"").expect("the tool");
    document.apply(TextRange::new(at, at), "\n\n");
    analysis.check(&World::new(&document.take_snapshot(), &rules));
    assert_eq!(analysis.counters().items_checked, 503);
}

/// Fragments that make and break the structure of a document.
const FRAGMENTS: &[&str] = &[
    "x",
    " ",
    "\n",
    "\"",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "//",
    "/*",
    "*/",
    "\\",
    "\u{200b}",
    "é",
    "tru",
    "'",
    "\"name\": \"a\"",
    "\"description\": \"",
    "\"required\": [\"q\"]",
    "{\"name\": \"t\", \"inputSchema\": {}}",
    "// mcp-analyzer: ignore undefined-required\n",
    " /* mcp-analyzer: ignore duplicate-tool-name,duplicate-description */",
    "\"command\": \"npx\"",
    "\"url\": 1,",
    "\"mcpServers\": {}",
    "",
];

fn starts() -> impl Strategy<Value = (&'static str, String)> {
    prop_oneof![
        (0usize..5).prop_map(|tools| ("tools.json", list(tools))),
        (0usize..4).prop_map(|tools| ("tools.jsonc", format!("// x\n{}", list(tools).replace('\n', "\r\n")))),
        Just((
            "/work/.mcp.json",
            "{\"mcpServers\": {\"a\": {\"command\": \"npx\", \"args\": [\"x\"]}, \"b\": {\"url\": \"http://x\"}}}"
                .to_owned()
        )),
        Just(("/work/.vscode/mcp.json", "{\n // one\n \"servers\": {\"a\": {\"command\": \"npx\",}, },\n}".to_owned())),
        Just(("tools.json", String::new())),
        Just((
            "/work/.vscode/mcp.json",
            "{\"mcp\": {\"servers\": {\"a\": {\"command\": \"npx\"}, \"a\": {\"url\": \"http://x\"}}}}".to_owned()
        )),
        Just((
            "/work/.mcp.json",
            "{\n  \"a\": {\"command\": \"npx\"},\n  \"b\": {\"type\": \"http\", \"trust\": true}\n}".to_owned()
        )),
    ]
}

/// What came of asking each server of a config file: the same two tools.
fn reports(report: &Report) -> Vec<Arc<ProbeReport>> {
    let asked = |launch| {
        let mut report = ProbeReport::new(launch, "a", Transport::Stdio);
        report.snapshot = Some(document("/cache/a.json", &list(2)));
        Arc::new(report)
    };
    report.items().filter_map(|item| item.launch()).map(asked).collect()
}

#[test]
fn what_clashes_with_a_server_goes_with_it() {
    let text = "{\"mcpServers\": {\"a\": {\"command\": \"a\"}, \"b\": {\"command\": \"b\"}}}";
    let mut document = document("/work/.mcp.json", text);
    let rules = all_rules();
    let mut analysis = Analysis::default();
    let asked = reports(&analysis.check(&World::new(&document.take_snapshot(), &rules)));
    let mut facts = Facts::default();
    asked.into_iter().for_each(|report| facts.take(report));
    let mut clashes = |document: &mut Document| {
        let snapshot = document.take_snapshot();
        let report = analysis.check(&World { facts: &facts, ..World::new(&snapshot, &rules) });
        report.findings().iter().filter(|finding| finding.diagnostic.rule == "cross-server-same-name").count()
    };
    assert_eq!(clashes(&mut document), 1);
    let at = text.rfind("}}}").expect("the end of `b`");
    document.apply(TextRange::empty(at), ", \"disabled\": true");
    assert_eq!(clashes(&mut document), 0, "a server that is switched off clashes with none");
    document.apply(TextRange::new(at, at + ", \"disabled\": true".len()), "");
    assert_eq!(clashes(&mut document), 1);
    let at = text.find(", \"b\"").expect("`b`");
    document.apply(TextRange::new(at, text.len() - 2), "");
    assert_eq!(clashes(&mut document), 0, "nor does one that is gone");
}

proptest! {
    #![proptest_config(crate::analysis::testing::cases(300))]

    #[test]
    fn incremental_is_from_scratch(
        (path, start) in starts(),
        edits in prop::collection::vec((0.0..1.0f64, 0usize..12, 0..FRAGMENTS.len(), 0..4), 1..16),
        in_editor in any::<bool>(),
    ) {
        // Such that the rules over costs have something to say.
        let limits = Limits { token_budget: Some(900), schema_tokens: Some(130), ..Limits::default() };
        let settings = Settings { preset: Some(Preset::All), limits: Some(limits), ..Settings::default() };
        let rules = Arc::new(Ruleset::new(&settings, false));
        let mut document = document(path, &start);
        let mut analysis = Analysis::default();
        analysis.check(&World::new(&document.take_snapshot(), &rules));
        let (mut unparsed, mut uncounted) = (None, None);
        let mut facts = Facts::default();
        for (at, length, fragment, then) in edits {
            let start = (at * document.text().len() as f64) as usize;
            let length = length.saturating_sub(6);
            document.apply(TextRange::new(start, start + length), FRAGMENTS[fragment]);
            match then {
                0 => continue,
                // The parse comes late, when there have been other edits.
                1 => match unparsed.take() {
                    None => unparsed = analysis.unparsed(path),
                    Some(made) => analysis.take(Unparsed::parse(made)),
                },
                _ => {}
            }
            let snapshot = document.take_snapshot();
            // An editor's document stays a tool list while it is broken.
            let was_tools = analysis.last(path).is_some_and(|report| matches!(report.kind(), Kind::Tools));
            let read_as = (in_editor && was_tools).then_some(ReadAs::ToolsIfBroken);
            // Servers are asked while somebody writes.
            let asked = analysis.last(path).filter(|_| then == 3).map(|report| reports(&report)).unwrap_or_default();
            asked.into_iter().for_each(|report| facts.take(report));
            let world = World { read_as, facts: &facts, ..World::new(&snapshot, &rules) };
            analysis.check(&world);
            // The counts of an earlier text may come late.
            let late = uncounted.take().filter(|_| then == 2);
            uncounted = analysis.uncounted(path);
            late.into_iter().for_each(|late: Uncounted| _ = analysis.take_counts(late.count(|_, text| text.len()), &world));
            let report = counted(&mut analysis, &world, |_, text| text.len());
            let (incremental, is_ours) = (absolute(&report), !matches!(report.kind(), Kind::Unknown));
            let text = snapshot.text().to_string();
            let is_broken = !crate::syntax::read(&text).errors.is_empty();
            let is_told = incremental
                .iter()
                .any(|(_, finding)| [rules::SYNTAX_ERROR, "trailing-content"].contains(&finding.rule));
            prop_assert_eq!(is_told, is_broken && is_ours, "what is broken is told of: {:?}", text);
            let fresh = Document::new(path, snapshot.path.clone(), snapshot.format, &text);
            let (mut analysis, world) = (Analysis::default(), World { document: &fresh, ..world });
            analysis.check(&world);
            let scratch = absolute(&counted(&mut analysis, &world, |_, text| text.len()));
            prop_assert_eq!(&incremental, &scratch, "after {:?}", text);
            for (range, finding) in &incremental {
                prop_assert!(text.get(range.as_usize()).is_some(), "{:?} is not in the text", finding);
            }
        }
    }
}

/// The text of the first code block under a heading of a rule's page, with the path it is to be read at.
fn example(rule: &Rule, heading: &str) -> (String, String) {
    let section = rule.doc.split(" ## ").find(|section| section.trim_start().starts_with(heading));
    let section = section.unwrap_or_else(|| panic!("`{}` has no section {heading}", rule.name));
    let (_, rest) =
        section.split_once("```").unwrap_or_else(|| panic!("`{}` has no example under {heading}", rule.name));
    let (info, rest) = rest.split_once('\n').expect("a code block");
    let (code, _) = rest.split_once(" ```").expect("a closed code block");
    let path = info.split_whitespace().nth(1).unwrap_or("tools.json");
    // The lines of a doc comment start with a space.
    let mut lines: Vec<String> = Vec::new();
    for line in code.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)) {
        // `// … and 39 more` stands for so many lines like the one before, with other numbers.
        let more: Option<usize> =
            line.trim_start().strip_prefix("// … and ").and_then(|rest| rest.split(' ').next()?.parse().ok());
        match (more, lines.last().cloned()) {
            (Some(more), Some(before)) => {
                lines.extend((2..2 + more).map(|number| before.replace('1', &number.to_string())));
            }
            _ => lines.push(line.to_owned()),
        }
    }
    (path.to_owned(), lines.join("\n"))
}

#[test]
fn the_examples_of_a_rule_are_true() {
    // What is said of a file whatever is in it is not to be seen in what is in it.
    let of_text = |rule: &&Rule| !matches!(rule.check, Check::File(_));
    for rule in rules::ALL.iter().copied().filter(of_text) {
        let found = |(path, text): (String, String)| findings(Ruleset::only(rule), &path, &text);
        assert!(!found(example(rule, "Bad")).is_empty(), "`{}` finds nothing in its bad example", rule.name);
        assert_eq!(found(example(rule, "Good")), [], "`{}` finds something in its good example", rule.name);
    }
}

#[test]
fn the_pages_of_rules_have_their_headings() {
    for rule in rules::ALL {
        for heading in ["What it does", "Why", "Bad", "Good", "Fix", "Sources"] {
            assert!(rule.doc.contains(&format!(" ## {heading}\n")), "`{}` lacks {heading}", rule.name);
        }
        assert!(!rule.help.ends_with('.') && rule.help.starts_with(char::is_lowercase), "help of `{}`", rule.name);
        assert!(rule.name.chars().all(|char| char.is_ascii_lowercase() || char == '-'), "{}", rule.name);
        assert_eq!(rules::by_name(rule.name).map(|found| found.name), Some(rule.name));
    }
}

/// A fix that a rule declares does what it says, shown on the rule's bad example.
#[test]
fn a_fix_silences_its_rule_and_breaks_nothing() {
    let recommended = || Ruleset::new(&Settings::default(), false);
    for rule in rules::ALL.iter().copied() {
        let (path, text) = example(rule, "Bad");
        let found = findings(Ruleset::only(rule), &path, &text);
        let best = found.iter().flat_map(|finding| &finding.fixes).map(|fix| fix.applicability).max();
        assert_eq!(best, rule.fix, "the best fix of `{}` on its bad example", rule.name);
        for finding in &found {
            assert!(finding.message.starts_with(|first: char| !first.is_uppercase()), "{}", finding.message);
            assert!(!finding.message.ends_with('.') && !finding.message.contains('\n'), "{}", finding.message);
        }
        let Some(applicability) = rule.fix else { continue };
        let document = document(&path, &text);
        let fixed =
            fix_all(&document, &Arc::new(Ruleset::only(rule)), None, |_, fix| fix.applicability == applicability);
        assert_ne!(fixed.text, text, "`{}` changes nothing", rule.name);
        assert_eq!(
            findings(Ruleset::only(rule), &path, &fixed.text),
            [],
            "`{}` is not silent after its fix",
            rule.name
        );
        let errors = |text: &str| crate::syntax::read(text).errors.len();
        assert!(errors(&fixed.text) <= errors(&text), "`{}` breaks the text:\n{}", rule.name, fixed.text);
        let loudest = if applicability == Applicability::Suggestion { Severity::Information } else { Severity::Hint };
        let before: Vec<&str> =
            Vec::from_iter(findings(recommended(), &path, &text).iter().map(|finding| finding.rule));
        for finding in findings(recommended(), &path, &fixed.text) {
            let is_new = !before.contains(&finding.rule);
            assert!(!is_new || finding.severity <= loudest, "the fix of `{}` brings {finding:#?}", rule.name);
        }
    }
}

#[test]
fn nothing_is_said_of_the_tools_of_a_provider() {
    let found = |kind: &str| {
        let built_in = [
            r#"{"type": "bash_20250124", "name": "bash"}"#,
            r#"{"type": "code_interpreter", "container": {"type": "auto"}}"#,
            r#"{"type": "file_search", "vector_store_ids": ["x"]}"#,
            r#"{"type": "mcp", "server_label": "x", "server_url": "https://x.example/mcp"}"#,
            r#"{"type": "web_search_preview"}"#,
            r#"{"type": "text_editor_20250728", "name": "str_replace-based-edit.tool"}"#,
            r#"{"type": "bash_20250124", "name": "bash"}"#,
        ];
        let text = format!("[{}, {{{kind} \"name\": \"run_it\"}}]", built_in.join(", "));
        let text = text.replacen('[', r#"{"tools": [{"name": "a_tool", "description": "Run what is given and return its output.", "input_schema": {"type": "object", "properties": {}}}, "#, 1) + "}";
        findings(Ruleset::new(&Settings::default(), false), "tools.json", &text)
    };
    let said = |found: &[Diagnostic]| Vec::from_iter(found.iter().map(|finding| finding.rule));
    assert_eq!(said(&found(r#""type": "bash","#)), [""; 0]);
    for ours in [r#""type": "custom","#, r#""type": "function","#, r#""type": "x", "input_schema": {},"#, ""] {
        assert!(said(&found(ours)).contains(&"missing-description"), "{ours}");
    }
}

#[test]
fn two_fixes_never_give_an_object_the_same_key() {
    let text = r#"{"mcpServers": {"a": {"command": "npx -y x", "arg": ["-y"]}}}"#;
    let fixed =
        fix_all(&document(".mcp.json", text), &all_rules(), None, |_, fix| fix.applicability == Applicability::Safe);
    assert_eq!(fixed.text, r#"{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"], "arg": ["-y"]}}}"#);
}

#[test]
fn comments_silence_what_they_stand_before() {
    let rule = rules::by_name("undefined-required").expect("the rule");
    let tool = |comment: &str, end: &str| {
        format!(
            "[{comment}{{\"name\": \"a\", \"inputSchema\": {{\"properties\": {{}}, \"required\": [\"x\"]}}}}{end}\n]"
        )
    };
    let count = |text: &str| findings(Ruleset::only(rule), "tools.jsonc", text).len();
    assert_eq!(count(&tool("", "")), 1);
    assert_eq!(count(&tool("\n// mcp-analyzer: ignore undefined-required not ours\n", "")), 0);
    assert_eq!(count(&tool("\n/* mcp-analyzer: ignore other,undefined-required */\n", "")), 0);
    assert_eq!(count(&tool("\n// mcp-analyzer: ignore other, undefined-required not ours\n", "")), 0);
    assert_eq!(count(&tool("\n// mcp-analyzer: ignore missing-description\n", "")), 1);
    assert_eq!(count(&tool("", " // mcp-analyzer: ignore undefined-required")), 0);
    let inside = "[{\"name\": \"a\", \"inputSchema\": {\"properties\": {}, \n// mcp-analyzer: ignore undefined-required\n\"required\": [\"x\"]}}]";
    assert_eq!(count(inside), 0);
}

#[test]
fn a_comment_typed_into_a_tool_silences_what_is_said_across_the_list() {
    let tool = "{\"name\": \"get_a\",\n \"inputSchema\": {\"type\": \"object\"}}";
    let mut document = document("tools.jsonc", &format!("[{tool}, {tool}]"));
    let rules = Arc::new(Ruleset::only(rules::by_name("duplicate-tool-name").expect("the rule")));
    let mut analysis = Analysis::default();
    let mut count = |document: &mut Document| {
        let snapshot = document.take_snapshot();
        let found = analysis.check(&World::new(&snapshot, &rules)).findings().len();
        if let Some(unparsed) = analysis.unparsed("tools.jsonc") {
            analysis.take(unparsed.parse());
        }
        (found, analysis.counters().fast_edits)
    };
    assert_eq!(count(&mut document), (1, 0));
    let at = document.text().to_string().rfind(",\n").expect("the second name") + 1;
    document.apply(TextRange::empty(at), " // mcp-analyzer: ignore duplicate-tool-name");
    assert_eq!(count(&mut document), (0, 1));
}

/// A comment holds for its line, so that on a long line each of many holds for every item before it.
#[test]
fn many_comments_around_an_item_are_one() {
    let tool = "/* mcp-analyzer: ignore duplicate-tool-name */ {\"name\": \"a\", \"inputSchema\": {}},";
    let found = findings(
        Ruleset::only(rules::by_name("duplicate-tool-name").expect("the rule")),
        "tools.jsonc",
        &format!("[{}]", tool.repeat(3000)),
    );
    assert_eq!(found.len(), 1, "no comment stands behind the last");
}

#[test]
fn settings_set_levels_and_ignore() {
    let text = list(2);
    let parse = |settings: &str| toml::from_str::<Settings>(settings).expect("settings");
    let found = |settings: &str| findings(Ruleset::new(&parse(settings), false), "a/tools.json", &text);
    let of = |found: &[Diagnostic]| found.iter().filter(|finding| finding.rule == "undefined-required").count();
    assert_eq!(of(&found("")), 2);
    assert_eq!(of(&found("levels.undefined-required = 'off'")), 0);
    assert!(found("levels.undefined-required = 'hint'").iter().any(|finding| finding.severity == Severity::Hint));
    assert_eq!(of(&found("[[ignore]]\nrule = 'undefined-required'\ntool = 'get_thing_1'")), 1);
    assert_eq!(of(&found("[[ignore]]\nrule = 'undefined-required'\npath = '**/tools.json'")), 0);
    assert_eq!(of(&found("[[ignore]]\nrule = 'undefined-required'\npath = 'b/*.json'")), 2);
    let editors = Ruleset::new(&Settings::default(), true);
    assert_eq!(
        findings(editors, "tools.json", "{\"tools\": [{\"name\": \"a\" \"inputSchema\": {}}]}")
            .iter()
            .filter(|finding| finding.rule == "syntax-error")
            .count(),
        0
    );
}

#[test]
fn every_rule_is_listed_once_and_by_its_file() {
    let mut names: Vec<&str> = rules::ALL.iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rules::ALL.len());
    let order = |rule: &&Rule| (rule.family, rule.name);
    assert!(rules::ALL.is_sorted_by_key(order), "`rules::ALL` is sorted by family and name");
    for rule in rules::ALL {
        let is_over_list = matches!(rule.check, Check::Toolset(_) | Check::Costs(..) | Check::Servers(_));
        assert!(is_over_list || rule.family != rules::Family::Toolset, "{}", rule.name);
    }
    assert_eq!(Format::from_language_id("json"), Some(Format::Json));
}
