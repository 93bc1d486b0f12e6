//! What can be done about a place, as plain data: quick fixes of the findings there, the same for the whole document,
//! descriptions to add, and silencing a rule.

use std::cell::OnceCell;
use std::time::Duration;

use rustc_hash::FxHashSet;
use similar::{DiffOp, TextDiff};

use super::asking::{self, Order};
use super::fix::{Resolver, together};
use super::{Finding, ItemView, Report, World, fix_all, listed, resolved};
use crate::diagnostic::Applicability;
use crate::model::Kind;
use crate::model::dialect::Strictness;
use crate::settings::Ignore;
use crate::syntax::{self, Value};
use crate::text::{Edit, Encoding, TextRange, counted, shown};

/// A rule with more findings than this has no "fix all" in the menu, which is made anew at every move of the cursor.
const MAX_FIX_ALL: usize = 500;

/// Findings that a menu for a long range is made of, by place. Nobody reads a longer one.
const MAX_FINDINGS: usize = 50;

/// How long two texts are compared; what is not known by then is replaced as a whole.
const MAX_COMPARING: Duration = Duration::from_millis(100);

/// The rules whose fixes together are "add missing descriptions".
const DESCRIPTIONS: &[&str] = &["missing-description", "missing-param-description"];

/// Something to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// What it does, as a verb phrase.
    pub title: String,
    /// Where an editor lists it.
    pub kind: ActionKind,
    /// What happens.
    pub effect: Effect,
    /// The best thing to do at this place.
    pub is_preferred: bool,
    /// Who may do it without looking.
    pub applicability: Applicability,
    /// The finding that it mends: its rule and place.
    pub finding: Option<(&'static str, TextRange)>,
}

/// Where an editor lists an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Beside the finding.
    QuickFix,
    /// Among the rewrites of the place.
    Rewrite,
    /// Run on the whole document, on save if the user likes.
    FixAll,
}

/// What an action does.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Sorted, disjoint edits of the document.
    Edits(Vec<Edit>),
    /// One more entry in the nearest settings file; its `path` is for whoever knows where that is.
    IgnoreInSettings(Ignore),
    /// No change of a file: the language server is told to do something.
    Order(Order),
}

/// What can be done at `range`. Where an empty one touches no finding, it stands for those that begin in its line, where
/// an editor may show no more of them than a sign.
pub fn actions(report: &Report, world: &World, range: TextRange) -> Vec<Action> {
    // What a server listed is what it listed; it is mended where the server is written.
    if report.is_snapshot() {
        return listed::actions(report, range);
    }
    let all = report.findings();
    let in_range = all.iter().filter(|finding| finding.range().intersects(range));
    let mut here: Vec<&Finding> = in_range.take(MAX_FINDINGS).collect();
    if here.is_empty() && range.is_empty() {
        let text = report.text();
        let line = text.line_range(text.line_column(range.start, Encoding::Utf8).line);
        here.extend(all.iter().filter(|finding| line.touches(finding.range().start)).take(MAX_FINDINGS));
    }
    let resolver = Resolver::new(report);
    let mut out = Vec::new();
    for finding in &here {
        for fix in &finding.diagnostic.fixes {
            let edits = match here.len() {
                1 => resolved(report, finding.base, &fix.change),
                _ => resolver.edits(finding.base, &fix.change),
            };
            out.push(Action {
                title: fix.title.clone(),
                kind: ActionKind::QuickFix,
                effect: Effect::Edits(edits),
                is_preferred: false,
                applicability: fix.applicability,
                finding: Some((finding.diagnostic.rule, finding.range())),
            });
        }
    }
    if let Some(best) = out.iter_mut().find(|action| action.applicability == Applicability::Safe) {
        best.is_preferred = true;
    }
    let mut rules: Vec<&'static str> = here.iter().map(|finding| finding.diagnostic.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    out.extend(rules.iter().filter_map(|rule| fix_rule(&resolver, &all, rule)));
    out.extend(add_descriptions(report, range));
    out.extend(asking::actions(report, range));
    out.extend(listed::actions(report, range));
    let mut ignored = FxHashSet::default();
    let whole = OnceCell::new();
    for finding in &here {
        if ignored.insert((finding.diagnostic.rule, finding.range())) {
            out.push(ignore(report, world, finding, &whole));
        }
    }
    out
}

/// Every safe fix of the document, to the point where none is left; `None` where there is none.
pub fn fix_all_action(report: &Report, world: &World) -> Option<Action> {
    let is_safe = |applicability| applicability == Applicability::Safe;
    let fixed = fix_all(world.document, world.rules, world.read_as, |_, fix| is_safe(fix.applicability));
    let edits = fixed.edits.unwrap_or_else(|| edits_between(&report.text().to_string(), &fixed.text));
    (!edits.is_empty()).then(|| Action {
        title: format!("fix {} safely", counted(fixed.count, "problem")),
        kind: ActionKind::FixAll,
        effect: Effect::Edits(edits),
        is_preferred: false,
        applicability: Applicability::Safe,
        finding: None,
    })
}

/// The best fixes of all findings of a rule, where there are several.
fn fix_rule(resolver: &Resolver, all: &[Finding], rule: &'static str) -> Option<Action> {
    let found: Vec<&Finding> = all.iter().filter(|finding| finding.diagnostic.rule == rule).collect();
    if found.len() > MAX_FIX_ALL {
        return None;
    }
    let applicability =
        found.iter().flat_map(|finding| &finding.diagnostic.fixes).map(|fix| fix.applicability).max()?;
    if applicability == Applicability::Suggestion {
        return None;
    }
    let fixes = found.iter().filter_map(|finding| {
        let fix = finding.diagnostic.fixes.iter().find(|fix| fix.applicability == applicability)?;
        Some(resolver.edits(finding.base, &fix.change))
    });
    let (edits, count) = together(fixes);
    (count > 1).then(|| Action {
        title: format!("fix all {count} of `{rule}` in this file"),
        kind: ActionKind::QuickFix,
        effect: Effect::Edits(edits),
        is_preferred: false,
        applicability,
        finding: None,
    })
}

/// Drafts for the descriptions that a tool lacks, and for those that the whole list lacks.
fn add_descriptions(report: &Report, range: TextRange) -> Vec<Action> {
    let Kind::Tools = report.kind() else { return Vec::new() };
    let missing = |item: &ItemView| -> Vec<Vec<Edit>> {
        let base = item.range().start;
        let findings = item.findings().iter().filter(|finding| DESCRIPTIONS.contains(&finding.rule));
        findings.filter_map(|finding| Some(resolved(report, base, &finding.fixes.first()?.change))).collect()
    };
    let action = |title: String, edits: Vec<Edit>| Action {
        title,
        kind: ActionKind::Rewrite,
        effect: Effect::Edits(edits),
        is_preferred: false,
        applicability: Applicability::Suggestion,
        finding: None,
    };
    let mut out = Vec::new();
    let Some(tool) = report.items().find(|item| item.range().intersects(range)) else { return out };
    let (edits, in_tool) = together(missing(&tool).into_iter());
    if in_tool > 0 {
        let name = tool.name().map_or("this tool".to_owned(), |name| format!("`{}`", shown(name)));
        out.push(action(format!("add {} to {name}", counted(in_tool, "missing description")), edits));
    }
    if report.len() <= MAX_FIX_ALL {
        let list = report.items().filter(|item| item.list() == tool.list());
        let (edits, in_list) = together(list.flat_map(|item| missing(&item)));
        if in_list > in_tool {
            out.push(action(format!("add {} to this list", counted(in_list, "missing description")), edits));
        }
    }
    out
}

/// A text and what it holds, read when the first comment is to be placed.
type Whole = OnceCell<(String, Value)>;

/// A comment where the format has them, else an entry in the settings file.
fn ignore(report: &Report, world: &World, finding: &Finding, whole: &Whole) -> Action {
    let rule = finding.diagnostic.rule;
    let comment = if report.strictness() == Strictness::Jsonc { comment_above(report, finding, whole) } else { None };
    let effect = comment.map(|edit| Effect::Edits(vec![edit])).unwrap_or_else(|| {
        let name = finding.item.and_then(|index| report.item(index).name()).map(str::to_owned);
        let (server, tool) = match report.kind() {
            Kind::Config(_) => (name, None),
            _ => (None, name),
        };
        let path = world.document.path.as_ref().map(|path| path.to_string_lossy().into_owned());
        Effect::IgnoreInSettings(Ignore { rule: rule.to_owned(), path, server, tool, ..Ignore::default() })
    });
    Action {
        title: format!("ignore `{rule}` here"),
        kind: ActionKind::QuickFix,
        effect,
        is_preferred: false,
        applicability: Applicability::Safe,
        finding: Some((rule, finding.range())),
    }
}

/// A comment on a line of its own above the innermost member or element around a finding that starts its line.
fn comment_above(report: &Report, finding: &Finding, whole: &Whole) -> Option<Edit> {
    let (text, value) = whole.get_or_init(|| {
        let text = report.text().to_string();
        let value = syntax::read(&text).value;
        (text, value)
    });
    let start = own_line(text, value, finding.range())?;
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let newline = if text[..start].ends_with("\r\n") || text.contains("\r\n") { "\r\n" } else { "\n" };
    let indent = &text[line_start..start];
    Some(Edit::insert(line_start, format!("{indent}// mcp-analyzer: ignore {}{newline}", finding.diagnostic.rule)))
}

fn own_line(text: &str, value: &Value, range: TextRange) -> Option<usize> {
    let starts_line = |start: usize| {
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        text[line_start..start].trim().is_empty().then_some(start)
    };
    let members = value.members().iter().map(|member| (member.range(), &member.value));
    let elements = value.elements().iter().map(|element| (element.range, element));
    let inner = members.chain(elements).find(|(place, _)| place.contains(range));
    inner.and_then(|(place, child)| own_line(text, child, range).or_else(|| starts_line(place.start)))
}

/// The edits that turn one text into another, line by line.
fn edits_between(old: &str, new: &str) -> Vec<Edit> {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let diff = TextDiff::configure().timeout(MAX_COMPARING).diff_slices(&old_lines, &new_lines);
    let starts = |lines: &[&str]| -> Vec<usize> {
        let ends = lines.iter().scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        });
        std::iter::once(0).chain(ends).collect()
    };
    let (old_starts, new_starts) = (starts(&old_lines), starts(&new_lines));
    let changed = diff.ops().iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changed
        .map(|op| {
            let (old_range, new_range) = (op.old_range(), op.new_range());
            let range = TextRange::new(old_starts[old_range.start], old_starts[old_range.end]);
            Edit::replace(range, &new[new_starts[new_range.start]..new_starts[new_range.end]])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::testing::document;
    use crate::analysis::{Analysis, Ruleset};
    use crate::settings::Settings;
    use crate::text::apply_edits;
    use proptest::prelude::*;

    fn at(path: &str, marked: &str) -> (String, Vec<Action>, Option<Action>) {
        let offset = marked.find('¦').expect("a mark");
        let text = marked.replace('¦', "");
        let document = document(path, &text);
        let rules = Arc::new(Ruleset::new(&Settings::default(), false));
        let world = World::new(&document, &rules);
        let mut analysis = Analysis::default();
        let report = analysis.check(&world);
        let actions = actions(&report, &world, TextRange::empty(offset));
        let fix_all = fix_all_action(&report, &world);
        (text, actions, fix_all)
    }

    const LIST: &str = "[\n  {\"name\": \"get_one\", \"description\": \"Get one of the things there are.\",\n   \"inputSchema\": {\"type\": \"object\", \"properties\": {},\n     \"required\": [\"¦x\"]}},\n  {\"name\": \"get_two\", \"description\": \"Get two of the things there are.\",\n   \"inputSchema\": {\"type\": \"object\", \"properties\": {}, \"required\": [\"y\"]}}\n]\n";

    #[test]
    fn descriptions_are_added_by_rules_that_are_there() {
        assert!(DESCRIPTIONS.iter().all(|rule| crate::rules::by_name(rule).is_some()));
        let list = r#"[{"name": "get_¦a", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}, "user_id": {"type": "string"}}}}, {"name": "get_b", "inputSchema": {"type": "object", "properties": {}}}]"#;
        let (text, actions, _) = at("tools.json", list);
        let of = |title: &str| actions.iter().find(|action| action.title == title).map(|action| &action.effect);
        let Some(Effect::Edits(tool)) = of("add 2 missing descriptions to `get_a`") else { panic!("{actions:#?}") };
        let Some(Effect::Edits(list)) = of("add 3 missing descriptions to this list") else { panic!("{actions:#?}") };
        let count = |edits: &[Edit]| apply_edits(&text, edits).matches("\"description\"").count();
        assert_eq!((count(tool), count(list)), (2, 3));
    }

    #[test]
    fn one_fix_is_preferred_and_all_can_be_fixed() {
        let (text, actions, fix_all) = at("tools.json", LIST);
        let titles: Vec<&str> = actions.iter().map(|action| action.title.as_str()).collect();
        assert_eq!(
            titles,
            [
                "remove `x` from `required`",
                "fix all 2 of `undefined-required` in this file",
                "ignore `undefined-required` here"
            ]
        );
        assert_eq!(actions.iter().filter(|action| action.is_preferred).count(), 1);
        let Some(Action { effect: Effect::Edits(edits), .. }) = fix_all else { panic!("edits") };
        let fixed = apply_edits(&text, &edits);
        assert_eq!(fixed, text.replace("\"x\"", "").replace("\"y\"", ""));
        assert!(edits.iter().all(|edit| edit.range.len() < 100), "only the lines that change: {edits:?}");
    }

    #[test]
    fn an_empty_range_stands_for_the_findings_of_its_line() {
        let fix = "remove `x` from `required`";
        let on_line = LIST.replace('¦', "").replace("     \"required\"", "  ¦   \"required\"");
        let (_, actions, _) = at("tools.json", &on_line);
        assert_eq!(actions.iter().filter(|action| action.title == fix).count(), 1);
        assert!(actions[0].is_preferred);
        let other_line = LIST.replace('¦', "").replace("  {\"name\": \"get_one", "¦  {\"name\": \"get_one");
        assert!(at("tools.json", &other_line).1.iter().all(|action| action.title != fix));
    }

    /// Tools with two safe fixes each.
    fn many(count: usize) -> String {
        let tool = |number| {
            format!(
                "{{\"name\": \"get_{number}\", \"description\": \"Gets the thing with the number {number}.\",\n  \"inputSchema\": {{\"type\": \"object\", \"properties\": {{}}, \"required\": [\n\"x\",\n\"y\"]}}, \"annotations\": {{\"readOnlyHint\": true}}}}"
            )
        };
        format!("[{}]", (0..count).map(tool).collect::<Vec<_>>().join(",\n"))
    }

    #[test]
    fn a_long_range_is_a_short_menu() {
        let text = many(500);
        let document = document("tools.jsonc", &text);
        let rules = Arc::new(Ruleset::new(&Settings::default(), false));
        let world = World::new(&document, &rules);
        let mut analysis = Analysis::default();
        let report = analysis.check(&world);
        let actions = actions(&report, &world, report.text().range());
        assert!((MAX_FINDINGS..4 * MAX_FINDINGS).contains(&actions.len()), "{}", actions.len());
        let first = actions[0].finding.map(|(_, range)| range.start);
        let findings = report.findings();
        let mut fixable = findings.iter().filter(|finding| !finding.diagnostic.fixes.is_empty());
        assert_eq!(first, fixable.next().map(|finding| finding.range().start));
    }

    #[test]
    fn the_edits_of_all_fixes_are_those_of_the_fixes() {
        for text in [many(50), many(50).replacen("[{", "[{,", 1)] {
            let document = document("tools.json", &text);
            let rules = Arc::new(Ruleset::new(&Settings::default(), false));
            let world = World::new(&document, &rules);
            let mut analysis = Analysis::default();
            let report = analysis.check(&world);
            let fixed = fix_all(&document, &rules, None, |_, fix| fix.applicability == Applicability::Safe);
            let Some(Action { effect: Effect::Edits(edits), .. }) = fix_all_action(&report, &world) else {
                panic!("edits")
            };
            assert_eq!(apply_edits(&text, &edits), fixed.text);
            assert!(fixed.count >= 50);
        }
    }

    #[test]
    fn a_rule_is_ignored_by_comment_or_by_settings() {
        let (_, actions, _) = at("p/tools.json", LIST);
        let Some(Effect::IgnoreInSettings(ignore)) = actions.last().map(|action| &action.effect) else {
            panic!("settings")
        };
        assert_eq!((ignore.rule.as_str(), ignore.tool.as_deref()), ("undefined-required", Some("get_one")));
        let (text, actions, _) = at("p/tools.jsonc", LIST);
        let Some(Effect::Edits(edits)) = actions.last().map(|action| &action.effect) else { panic!("edits") };
        let ignored = apply_edits(&text, edits);
        assert!(
            ignored.contains("\n     // mcp-analyzer: ignore undefined-required\n     \"required\": [\"x\"]"),
            "{ignored}"
        );
        let rules = Ruleset::only(crate::rules::by_name("undefined-required").expect("the rule"));
        assert_eq!(crate::analysis::testing::findings(rules, "tools.jsonc", &ignored).len(), 1);
    }

    proptest! {
        #[test]
        fn edits_between_texts_turn_one_into_the_other(old in "[ab\r\n]{0,30}", new in "[ab\r\n]{0,30}") {
            prop_assert_eq!(apply_edits(&old, &edits_between(&old, &new)), new);
        }
    }
}
