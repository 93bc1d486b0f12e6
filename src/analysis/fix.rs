//! Turning fixes into edits of the document, and applying them until nothing is left to mend.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use super::{Analysis, ReadAs, Report, Ruleset, World};
use crate::diagnostic::{Change, Diagnostic, Fix};
use crate::document::Document;
use crate::model::Tool;
use crate::rules;
use crate::syntax::{self, Value};
use crate::text::{Edit, TextRange, apply_edits};

/// Rounds of fixing before it counts as endless. One round mends all that does not overlap, or one thing where the text
/// is broken.
const MAX_ROUNDS: usize = 200;
/// How much text is read at most, in bytes, to see one by one what fixes do to a broken document.
const MAX_READ: usize = 256 << 20;

/// What fixing came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The text afterwards.
    pub text: String,
    /// How many findings were mended.
    pub count: usize,
    /// The sorted, disjoint edits of the old text that lead there; `None` where one round of them was not enough.
    pub edits: Option<Vec<Edit>>,
}

/// Applies the best fix that `select` accepts of every finding, again and again until there is none. A text that is
/// broken is mended wholly, or its syntax is left as it is: half a repair may be further from what was meant. No fix is
/// applied that would break the text.
pub fn fix_all(
    document: &Document,
    rules: &Arc<Ruleset>,
    read_as: Option<ReadAs>,
    select: impl Fn(&Diagnostic, &Fix) -> bool,
) -> Fixed {
    let fixed = fix_rounds(document, rules, read_as, &select);
    if syntax::read(&fixed.text).errors.is_empty() {
        return fixed;
    }
    fix_rounds(document, rules, read_as, &|finding, fix| {
        finding.rule != crate::rules::SYNTAX_ERROR && select(finding, fix)
    })
}

fn fix_rounds(
    document: &Document,
    rules: &Arc<Ruleset>,
    read_as: Option<ReadAs>,
    select: &dyn Fn(&Diagnostic, &Fix) -> bool,
) -> Fixed {
    let mut analysis = Analysis::default();
    let mut document = document.clone();
    let mut fixed = Fixed { text: document.text().to_string(), count: 0, edits: Some(Vec::new()) };
    let mut may_read = MAX_READ;
    for _ in 0..MAX_ROUNDS {
        let report = analysis.check(&World { read_as, ..World::new(&document, rules) });
        let resolver = Resolver::new(&report);
        let mut chosen = Vec::from_iter(report.findings().into_iter().filter_map(|finding| {
            let fix = finding.diagnostic.best_fix(|fix| select(finding.diagnostic, fix))?;
            let edits = resolver.edits(finding.base, &fix.change);
            Some(Chosen { rule: finding.diagnostic.rule, base: finding.base, edits })
        }));
        // Where only a person knows which of two equal keys is to stay, none of them goes for another reason.
        let mut doubled = Vec::new();
        for finding in report.findings() {
            let one = finding.diagnostic;
            if one.rule == rules::DUPLICATE_KEY && !one.fixes.iter().any(|fix| select(one, fix)) {
                let others = one.related.iter().map(|related| related.range.shifted(finding.base));
                doubled.extend(others.chain([finding.range()]));
            }
        }
        doubled.sort_unstable();
        chosen.retain(|one| !one.edits.iter().any(|edit| takes_any(edit.range, &doubled)));
        let reading = syntax::read(&fixed.text);
        let round = match reading.errors.len() {
            0 => {
                // What the last of equal keys says is mended when it is the only one, or another would come to light.
                if chosen.iter().any(|one| one.rule == rules::DUPLICATE_KEY) {
                    chosen.retain(|one| one.rule == rules::DUPLICATE_KEY);
                }
                fix_whole(&fixed.text, equal_keys(&reading.value), chosen)
            }
            errors => fix_broken(&fixed.text, errors, chosen, &mut may_read),
        };
        let Some(round) = round else { break };
        fixed.edits = (fixed.count == 0).then_some(round.edits);
        fixed.count += round.count;
        fixed.text = round.text;
        document.replace(&fixed.text);
    }
    fixed
}

/// Whether a range has a part of any of these, which are sorted and do not overlap.
fn takes_any(range: TextRange, all: &[TextRange]) -> bool {
    let index = all.partition_point(|other| other.end <= range.start);
    all.get(index).is_some_and(|other| other.start < range.end)
}

/// What one round came to; one that does nothing is none.
struct Round {
    text: String,
    count: usize,
    edits: Vec<Edit>,
}

/// A fix that is to be applied.
struct Chosen {
    rule: &'static str,
    /// Where the piece starts that its finding is in.
    base: usize,
    edits: Vec<Edit>,
}

/// Applies all that does not overlap. Where two fixes give one object the same key, of each piece the first.
fn fix_whole(old: &str, keys: usize, mut chosen: Vec<Chosen>) -> Option<Round> {
    loop {
        let (edits, count) = together(chosen.iter().map(|one| one.edits.clone()));
        let text = apply_edits(old, &edits);
        let reading = syntax::read(&text);
        let is_whole = reading.errors.is_empty();
        debug_assert!(is_whole, "a fix breaks the text: {edits:?}");
        let all = chosen.len();
        if equal_keys(&reading.value) > keys {
            let mut pieces = FxHashSet::default();
            chosen.retain(|one| pieces.insert(one.base));
        }
        if chosen.len() == all {
            return (is_whole && text != old).then_some(Round { text, count, edits });
        }
    }
}

/// How many keys come again in their object.
fn equal_keys(value: &Value) -> usize {
    let mut count = 0;
    value.each_object(&mut |object| {
        let members = object.members();
        let names: FxHashSet<&str> = members.iter().map(|member| &*member.key.name).collect();
        count += members.len() - names.len();
    });
    count
}

/// Applies all where every fix does what it promises: the text is less broken by each that mends it, and as broken as
/// before by the others. Else the first that does so alone.
fn fix_broken(old: &str, errors: usize, chosen: Vec<Chosen>, may_read: &mut usize) -> Option<Round> {
    let mut mended_by = |edits: &[Edit], mended: usize| {
        *may_read = may_read.checked_sub(old.len())?;
        let after = apply_edits(old, edits);
        let is_better = after != old && syntax::read(&after).errors.len() + mended <= errors;
        is_better.then_some(after)
    };
    let promises = |rule: &str| usize::from(rule == rules::SYNTAX_ERROR);
    let (edits, count) = together(chosen.iter().map(|one| one.edits.clone()));
    if count == chosen.len()
        && let Some(text) = mended_by(&edits, chosen.iter().map(|one| promises(one.rule)).sum())
    {
        return Some(Round { text, count, edits });
    }
    chosen.into_iter().find_map(|Chosen { rule, edits, .. }| {
        let text = mended_by(&edits, promises(rule))?;
        Some(Round { text, count: 1, edits })
    })
}

/// The edits of several fixes in one, without those that overlap others; and how many went in. Of two that overlap the
/// first in the text stays.
pub(super) fn together(fixes: impl Iterator<Item = Vec<Edit>>) -> (Vec<Edit>, usize) {
    let mut fixes: Vec<Vec<Edit>> = fixes.filter(|edits| !edits.is_empty()).collect();
    fixes.sort_by_key(|edits| edits[0].range.start);
    let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
    let mut all: Vec<Edit> = Vec::new();
    let mut count = 0;
    for edits in fixes {
        let is_free = |edit: &Edit| {
            let before = taken.range(..=edit.range.end).next_back();
            !before.is_some_and(|(start, end)| TextRange::new(*start, *end).intersects(edit.range))
        };
        if edits.iter().all(is_free) {
            taken.extend(edits.iter().map(|edit| (edit.range.start, edit.range.end)));
            all.extend(edits);
            count += 1;
        }
    }
    all.sort_by_key(|edit| edit.range);
    (all, count)
}

/// The edits of a change, relative to the document. `base` is where the finding's piece starts.
pub fn resolved(report: &Report, base: usize, change: &Change) -> Vec<Edit> {
    // For one change alone the words are not worth sorting.
    Resolver { report, words: OnceCell::from(None) }.edits(base, change)
}

/// Makes edits of changes of one document.
pub(super) struct Resolver<'a> {
    report: &'a Report<'a>,
    /// For every word the items that it stands in, made when the first tool is renamed; `None` where all are searched.
    words: OnceCell<Option<FxHashMap<u64, Vec<usize>>>>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(report: &'a Report<'a>) -> Resolver<'a> {
        Resolver { report, words: OnceCell::new() }
    }

    /// The edits of a change, relative to the document. `base` is where the finding's piece starts.
    pub(super) fn edits(&self, base: usize, change: &Change) -> Vec<Edit> {
        match change {
            Change::Edits(edits) => edits.iter().map(|edit| edit.shifted(base)).collect(),
            Change::RenameTool { from, to } => self.rename_tool(from, to),
        }
    }

    /// Renames a tool where it is declared, and where a description speaks of it.
    fn rename_tool(&self, from: &str, to: &str) -> Vec<Edit> {
        let mut edits = Vec::new();
        for index in self.items_with(from) {
            let item = self.report.item(index);
            let text = self.report.text().slice(item.range());
            let base = item.range().start;
            // The name itself may be written with escapes.
            if !text.contains(from) && item.name() != Some(from) {
                continue;
            }
            let reading = syntax::read(&text);
            let tool = Tool::new(&text, &reading.value, self.report.list(item.list()).form);
            if let Some((name, range)) = tool.name()
                && name == from
            {
                edits.push(Edit::replace(range.shifted(base), format!("\"{to}\"")));
            }
            let parameters = tool.parameters().iter().filter_map(|parameter| parameter.value.get("description"));
            for value in tool.description().map(|member| &member.value).into_iter().chain(parameters) {
                edits.extend(mentions(&text, value.range, from).map(|range| Edit::replace(range.shifted(base), to)));
            }
        }
        edits.sort_by_key(|edit| edit.range);
        edits
    }

    /// The items that may hold a name: those with its rarest word, since every tool may be renamed at once.
    fn items_with(&self, name: &str) -> Vec<usize> {
        let index = self.words.get_or_init(|| {
            let mut index: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
            for (number, item) in self.report.items().enumerate() {
                let text = self.report.text().slice(item.range());
                for word in hashes(&text).chain(hashes(item.name().unwrap_or_default())) {
                    let items = index.entry(word).or_default();
                    if items.last() != Some(&number) {
                        items.push(number);
                    }
                }
            }
            Some(index)
        });
        let items_of = |word| index.as_ref().map(|index| index.get(&word).map(Vec::as_slice).unwrap_or_default());
        let items = hashes(name).filter_map(items_of).min_by_key(|items| items.len());
        items.map_or_else(|| (0..self.report.len()).collect(), <[usize]>::to_vec)
    }
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '-')
}

/// The hashes of the words of a text.
fn hashes(text: &str) -> impl Iterator<Item = u64> {
    text.split(|char| !is_word(char)).filter(|word| !word.is_empty()).map(|word| xxh3_64(word.as_bytes()))
}

/// Where a text names a tool. A name that is an ordinary word counts only between backticks or quotes.
fn mentions<'t>(text: &'t str, within: TextRange, name: &'t str) -> impl Iterator<Item = TextRange> + 't {
    let is_distinct = name.chars().skip(1).any(|char| !char.is_lowercase());
    text[within.as_usize()].match_indices(name).filter_map(move |(at, _)| {
        let range = TextRange::new(within.start + at, within.start + at + name.len());
        let before = text[within.start..range.start].chars().next_back();
        let after = text[range.end..within.end].chars().next();
        let is_whole = !before.is_some_and(is_word) && !after.is_some_and(is_word);
        let is_quoted = matches!((before, after), (Some('`'), Some('`')) | (Some('\''), Some('\'')));
        (is_whole && (is_distinct || is_quoted)).then_some(range)
    })
}
