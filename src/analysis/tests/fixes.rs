//! What every fix of every rule keeps to, over the fixtures, the examples of all rules and documents at random: its
//! edits are sound, the text is no more broken afterwards, its finding is gone, line breaks and comments stay. All safe
//! fixes together come to an end and bring nothing new, and editors do the same as the command line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use proptest::prelude::*;

use super::all_rules;
use crate::analysis::testing::{cases, document};
use crate::analysis::{Analysis, Effect, Ruleset, World, actions, fix_all, fix_all_action, resolved};
use crate::diagnostic::{Applicability, Diagnostic, Fix, Severity};
use crate::rules;
use crate::settings::Settings;
use crate::syntax::{Reading, read};
use crate::text::{Edit, TextRange, apply_edits};

mod documents;
mod fragments;
mod layout;

use documents::{Sample, laid_out, samples, shown, shown_in_layouts};
use layout::Layout;

/// A promise that a fix broke.
struct Broken {
    rule: String,
    title: String,
    what: String,
    path: String,
    before: String,
    after: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Broken { rule, title, what, path, before, after } = self;
        write!(out, "`{title}` of {rule} in {path}: {what}\n--- before\n{before}\n--- after\n{after}\n---")?;
        // What is not seen above.
        if (before.clone() + after).contains(|char: char| char == '\r' || char == '\t' || !char.is_ascii()) {
            write!(out, "\nbefore: {before:?}\nafter: {after:?}")?;
        }
        Ok(())
    }
}

/// A finding by itself, its ranges those of the document.
struct Found {
    rule: &'static str,
    severity: Severity,
    message: String,
    range: TextRange,
    fixes: Vec<(Fix, Vec<Edit>)>,
}

impl Found {
    fn is_like(&self, other: &Found) -> bool {
        self.rule == other.rule && self.message == other.message
    }

    /// How often the same is said.
    fn count(&self, all: &[Found]) -> usize {
        all.iter().filter(|other| self.is_like(other)).count()
    }

    fn is_safe_to_fix(&self) -> bool {
        self.fixes.iter().any(|(fix, _)| fix.applicability == Applicability::Safe)
    }
}

/// Checks texts of one path.
struct Checker {
    path: String,
    rules: Arc<Ruleset>,
    analysis: Analysis,
    broken: Vec<Broken>,
}

impl Checker {
    fn new(path: &str, rules: Arc<Ruleset>) -> Checker {
        Checker { path: path.to_owned(), rules, analysis: Analysis::default(), broken: Vec::new() }
    }

    fn found(&mut self, text: &str) -> Vec<Found> {
        let document = document(&self.path, text);
        let report = self.analysis.check(&World::new(&document, &self.rules));
        let findings = report.findings().into_iter().map(|finding| Found {
            rule: finding.diagnostic.rule,
            severity: finding.diagnostic.severity,
            message: finding.diagnostic.message.clone(),
            range: finding.range(),
            fixes: Vec::from_iter(
                finding.diagnostic.fixes.iter().map(|fix| (fix.clone(), resolved(&report, finding.base, &fix.change))),
            ),
        });
        findings.collect()
    }

    fn report(&mut self, rule: &str, title: &str, what: impl Into<String>, before: &str, after: &str) {
        self.broken.push(Broken {
            rule: rule.to_owned(),
            title: title.to_owned(),
            what: what.into(),
            path: self.path.clone(),
            before: before.to_owned(),
            after: after.to_owned(),
        });
    }

    /// Every fix of every finding by itself.
    fn each_fix(&mut self, text: &str) {
        let reading = read(text);
        let found = self.found(text);
        for finding in &found {
            for (fix, edits) in &finding.fixes {
                if let Err((what, after)) = self.one_fix(text, &reading, &found, finding, fix, edits) {
                    self.report(finding.rule, &fix.title, what, text, &after);
                }
            }
        }
    }

    fn one_fix(
        &mut self,
        text: &str,
        reading: &Reading,
        found: &[Found],
        finding: &Found,
        fix: &Fix,
        edits: &[Edit],
    ) -> Result<(), (String, String)> {
        let show = || format!("{edits:?}");
        if !edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start) {
            return Err(("its edits overlap or are not sorted".to_owned(), show()));
        }
        if !edits.iter().all(|edit| text.get(edit.range.as_usize()).is_some()) {
            return Err(("its edits are not in the text".to_owned(), show()));
        }
        let after = apply_edits(text, edits);
        let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err((what.to_owned(), after.clone())) };
        check(after != text, "it changes nothing")?;
        let new_reading = read(&after);
        let (errors, new_errors) = (reading.errors.len(), new_reading.errors.len());
        let is_repair = finding.rule == rules::SYNTAX_ERROR;
        if is_repair {
            // Where more is wrong, what one edit does to the whole is found out when it is applied.
            check(errors > 1 || new_errors == 0, "it does not mend the syntax")?;
        } else {
            // Beside other errors, what only a person applies may show one that they hid.
            let may_show_more = errors > 0 && fix.applicability != Applicability::Safe;
            check(new_errors <= errors || may_show_more, "it breaks the syntax")?;
        }
        check(keeps_line_breaks(text, &after), "it brings a line break that is not the file's")?;
        check(keeps_indentation(text, &after), "it brings an indentation that is not the file's")?;
        check(is_repair || blank_lines(&after) <= blank_lines(text), "it leaves an empty line")?;
        let lost = lost_comments(text, reading, &after, &new_reading, edits);
        // In a broken text, what is a comment may depend on what is mended.
        check(errors > 0 || lost.is_empty(), &format!("it loses the comments {lost:?}"))?;
        let now = self.found(&after);
        // An edit beside a syntax error may bring to light what the error hid, and one of two equal keys the other.
        let has_doubles = found.iter().any(|finding| finding.rule == rules::DUPLICATE_KEY);
        if errors == 0 && (!has_doubles || finding.rule == rules::DUPLICATE_KEY) {
            let place = hull(finding.range, edits);
            let is_there = |other: &&Found| {
                finding.is_like(other) && other.range.start < place.end && place.start < other.range.end
            };
            let same = now.iter().find(is_there).map(|other| &after[other.range.as_usize()]);
            check(same.is_none(), &format!("its finding is still there, at {same:?}: {}", finding.message))?;
            let (before, after_count) = (finding.count(found), finding.count(&now));
            check(after_count < before, &format!("its finding comes as often as before: {}", finding.message))?;
        }
        Ok(())
    }

    /// The actions that an editor offers for a place are the fixes of what is found there; the others keep what fixes
    /// keep.
    fn editor_does_the_same(&mut self, text: &str) {
        let document = document(&self.path, text);
        let world = World::new(&document, &self.rules);
        let report = self.analysis.check(&world);
        let is_whole = read(text).errors.is_empty();
        let mut broken = Vec::new();
        let mut silencing = Vec::new();
        let mut seen = BTreeSet::new();
        let all = report.findings();
        // Long lists have more of the same.
        for finding in all.iter().take(40) {
            let (rule, range) = (finding.diagnostic.rule, finding.range());
            // A long menu is cut.
            if all.iter().filter(|other| other.range().intersects(range)).count() > 50 {
                continue;
            }
            let offered = actions(&report, &world, range);
            for fix in &finding.diagnostic.fixes {
                let effect = Effect::Edits(resolved(&report, finding.base, &fix.change));
                let mut of_finding = offered.iter().filter(|action| action.finding == Some((rule, range)));
                if !of_finding.any(|action| action.title == fix.title && action.effect == effect) {
                    let what = "an editor does not offer it as it is".to_owned();
                    broken.push((rule, fix.title.clone(), what, format!("{offered:#?}")));
                }
            }
            for action in offered {
                let Effect::Edits(edits) = &action.effect else { continue };
                // The other findings have their turn.
                let is_ignoring = action.title.starts_with("ignore ") && action.finding == Some((rule, range));
                if !is_ignoring && (action.finding.is_some() || !seen.insert(action.title.clone())) {
                    continue;
                }
                let after = apply_edits(text, edits);
                if is_whole && !read(&after).errors.is_empty() {
                    let what = "the action breaks the syntax".to_owned();
                    broken.push((rule, action.title.clone(), what, after.clone()));
                }
                if !keeps_line_breaks(text, &after) {
                    let what = "the action brings a line break that is not the file's".to_owned();
                    broken.push((rule, action.title.clone(), what, after.clone()));
                }
                if is_whole && is_ignoring && silencing.len() < 10 {
                    silencing.push((rule, action.title, after));
                }
            }
        }
        let fixed = fix_all(&document, &self.rules, None, is_safe).text;
        let by_editor = match fix_all_action(&report, &world).map(|action| action.effect) {
            Some(Effect::Edits(edits)) => apply_edits(text, &edits),
            _ => text.to_owned(),
        };
        if by_editor != fixed {
            broken.push(("all rules", "fix all".to_owned(), format!("an editor writes {by_editor:?}"), fixed));
        }
        let count = |found: &[Found], rule: &str| found.iter().filter(|finding| finding.rule == rule).count();
        let found = self.found(text);
        for (rule, title, after) in silencing {
            if count(&self.found(&after), rule) >= count(&found, rule) {
                broken.push((rule, title, "the rule is not silent there".to_owned(), after));
            }
        }
        for (rule, title, what, after) in broken {
            self.report(rule, &title, what, text, &after);
        }
    }

    /// All safe fixes, until there is none.
    fn safe_fixes(&mut self, text: &str) {
        let (rules, path) = (self.rules.clone(), self.path.clone());
        let fix = |text: &str, select: &dyn Fn(&str, &Fix) -> bool| {
            let select = |finding: &Diagnostic, fix: &Fix| is_safe(finding, fix) && select(finding.rule, fix);
            fix_all(&document(&path, text), &rules, None, select).text
        };
        let fixed = fix(text, &|_, _| true);
        if fixed == text {
            return;
        }
        let mut broken = Vec::new();
        let (reading, new_reading) = (read(text), read(&fixed));
        if new_reading.errors.len() > reading.errors.len() {
            broken.push("it breaks the syntax".to_owned());
        }
        if !keeps_line_breaks(text, &fixed) {
            broken.push("it brings a line break that is not the file's".to_owned());
        }
        let again = fix(&fixed, &|_, _| true);
        if again != fixed {
            broken.push(format!("it does not come to an end; the second time it makes {again:?}"));
        }
        if new_reading.errors.is_empty() {
            let left = self.found(&fixed);
            // What touches one of two equal keys waits until a person has settled which of them stays.
            let has_doubles = left.iter().any(|finding| finding.rule == rules::DUPLICATE_KEY);
            let left = left.iter().filter(|_| !has_doubles).filter(|finding| finding.is_safe_to_fix());
            broken.extend(left.map(|finding| format!("it leaves what is safe to fix: {}", finding.message)));
        }
        if reading.errors.is_empty() {
            // What could not be read comes to light when its key, place or form is mended, servers at the top when nothing
            // else is there, what goes with a type when there is one, and that nothing is said of an object when no name
            // is asked of it; what a `$ref` names is said again where it is written out. That is not brought.
            let is_list = path.ends_with("tools.json") || path.ends_with("tools.jsonc");
            let shows_more = |rule: &str, fix: &Fix| {
                const SHOWING: &[&str] = &[
                    "const-union",
                    "enum-without-type",
                    "hidden-characters",
                    "invalid-annotation-type",
                    "invalid-url",
                    "nested-null",
                    "ref",
                    "undefined-required",
                    "unknown-annotation",
                    "wrong-root-key",
                    "wrong-value-type",
                ];
                SHOWING.contains(&rule)
                    || rule == rules::DUPLICATE_KEY && !is_list
                    || fix.title.starts_with("rename to")
            };
            let shown = fix(text, &shows_more);
            let mut recommended = Checker::new(&path, Arc::new(Ruleset::new(&Settings::default(), false)));
            let before = [text, &shown].map(|text| loud(&recommended.found(text)));
            for (rule, messages) in loud(&recommended.found(&fixed)) {
                let known = before.iter().filter_map(|found| found.get(rule)).max_by_key(|messages| messages.len());
                if messages.len() > known.map_or(0, Vec::len) {
                    broken.push(format!("it brings `{rule}`: {messages:?}, where there was {known:?}"));
                }
            }
        }
        if !broken.is_empty() {
            let found = self.found(text);
            let mut names = Vec::from_iter(found.iter().filter(|one| one.is_safe_to_fix()).map(|one| one.rule));
            names.sort_unstable();
            names.dedup();
            broken.into_iter().for_each(|what| self.report(&names.join(", "), "fix all", what, text, &fixed));
        }
    }
}

fn is_safe(_: &Diagnostic, fix: &Fix) -> bool {
    fix.applicability == Applicability::Safe
}

/// The messages of warnings and errors by rule.
fn loud(found: &[Found]) -> BTreeMap<&'static str, Vec<String>> {
    let mut out: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for finding in found.iter().filter(|finding| finding.severity >= Severity::Warning) {
        out.entry(finding.rule).or_default().push(finding.message.clone());
    }
    out
}

/// What a range becomes, with all that was written at its ends.
fn hull(range: TextRange, edits: &[Edit]) -> TextRange {
    let (mut start, mut end) = (range.start, range.end);
    for edit in edits.iter().rev() {
        let splice = edit.splice();
        let moved = |offset: usize, inside: usize| match () {
            () if offset < splice.start || offset == splice.start && inside == splice.start => offset,
            () if offset < splice.old_end => inside,
            () => splice.shift(offset),
        };
        (start, end) = (moved(start, splice.start), moved(end, splice.new_end));
    }
    TextRange::new(start.min(end), end)
}

/// Whether a text with line breaks of one kind has no other afterwards.
fn keeps_line_breaks(before: &str, after: &str) -> bool {
    let count = |text: &str| {
        let pairs = text.matches("\r\n").count();
        (pairs, text.matches('\n').count() - pairs, text.matches('\r').count() - pairs)
    };
    let (before, after) = (count(before), count(after));
    match before {
        (_, 0, 0) if before.0 > 0 => after.1 == 0 && after.2 == 0,
        (0, _, 0) => after.0 == 0 && after.2 == 0,
        _ => true,
    }
}

/// Whether a text that is indented with spaces only or tabs only still is.
fn keeps_indentation(before: &str, after: &str) -> bool {
    let has = |text: &str, space: char| text.lines().any(|line| line.starts_with(space));
    let keeps = |own: char, other: char| !has(before, own) || has(before, other) || !has(after, other);
    keeps(' ', '\t') && keeps('\t', ' ')
}

fn blank_lines(text: &str) -> usize {
    text.lines().filter(|line| line.trim().is_empty()).count()
}

/// The comments that are gone although no edit touched them.
fn lost_comments(before: &str, reading: &Reading, after: &str, new_reading: &Reading, edits: &[Edit]) -> Vec<String> {
    let mut left: Vec<&str> = new_reading.comments.iter().map(|comment| &after[comment.as_usize()]).collect();
    let is_touched = |comment: &&TextRange| {
        edits.iter().any(|edit| edit.range.start < comment.end && comment.start < edit.range.end)
    };
    let untouched = reading.comments.iter().filter(|comment| !is_touched(comment));
    let mut lost = Vec::new();
    for text in untouched.map(|comment| &before[comment.as_usize()]) {
        match left.iter().position(|other| *other == text) {
            Some(at) => drop(left.swap_remove(at)),
            None => lost.push(text.to_owned()),
        }
    }
    lost
}

/// Everything that is wrong with the fixes of a file.
fn broken(sample: &Sample, rules: &Arc<Ruleset>) -> Vec<Broken> {
    let mut checker = Checker::new(&sample.path, rules.clone());
    checker.each_fix(&sample.text);
    // Together, broken fixes only say the same again.
    if checker.broken.is_empty() {
        checker.safe_fixes(&sample.text);
        checker.editor_does_the_same(&sample.text);
    }
    checker.broken
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn fixes_keep_their_promises(sample in samples()) {
        if let Some(broken) = broken(&sample, &all_rules()).first() {
            return Err(TestCaseError::fail(broken.to_string()));
        }
    }

    #[test]
    fn fixes_keep_their_promises_in_any_layout_of_what_is_shown(sample in shown_in_layouts()) {
        if let Some(broken) = broken(&sample, &all_rules()).first() {
            return Err(TestCaseError::fail(broken.to_string()));
        }
    }
}

/// Every broken promise at once, of each kind the shortest, since many rules may have been changed.
#[test]
fn fixes_of_what_is_shown_keep_their_promises() {
    let layout = Layout {
        indentation: "\t",
        line_break: "\r\n",
        is_spaced: true,
        width: 30,
        has_mark: false,
        ends_with_line_break: true,
        gaps: Vec::new(),
    };
    let rules = all_rules();
    let mut worst: BTreeMap<(String, String, String), Broken> = BTreeMap::new();
    for sample in shown() {
        for sample in [laid_out(&sample, &layout), sample] {
            for broken in broken(&sample, &rules) {
                let kind = broken.what.split(['`', '"', ':']).next().unwrap_or_default().to_owned();
                let key = (broken.rule.clone(), broken.title.clone(), kind);
                if worst.get(&key).is_none_or(|known| broken.before.len() < known.before.len()) {
                    worst.insert(key, broken);
                }
            }
        }
    }
    let all: Vec<String> = worst.values().map(Broken::to_string).collect();
    assert!(all.is_empty(), "{} broken promises\n\n{}", all.len(), all.join("\n\n"));
}
