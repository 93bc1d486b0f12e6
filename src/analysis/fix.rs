//! Turning fixes into edits of the document, and applying them until nothing is left to mend.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::{Analysis, ReadAs, Report, Ruleset, World};
use crate::diagnostic::{Change, Diagnostic, Fix};
use crate::document::Document;
use crate::model::Tool;
use crate::syntax;
use crate::text::{Edit, TextRange, apply_edits};

/// Rounds of fixing before it counts as endless; one round mends all that does not overlap.
const MAX_ROUNDS: usize = 20;

/// What fixing came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The text afterwards.
    pub text: String,
    /// How many findings were mended.
    pub count: usize,
}

/// Applies the first fix that `select` accepts of every finding, again and again until there is none.
pub fn fix_all(
    document: &Document,
    rules: &Arc<Ruleset>,
    read_as: Option<ReadAs>,
    select: impl Fn(&Diagnostic, &Fix) -> bool,
) -> Fixed {
    let mut analysis = Analysis::default();
    let mut document = document.clone();
    let mut fixed = Fixed { text: document.text().to_string(), count: 0 };
    for _ in 0..MAX_ROUNDS {
        let report = analysis.check(&World { document: &document, rules, read_as });
        let resolver = Resolver::new(&report);
        let (edits, count) = together(report.findings().into_iter().filter_map(|finding| {
            let fix = finding.diagnostic.fixes.iter().find(|fix| select(finding.diagnostic, fix))?;
            Some(resolver.edits(finding.base, &fix.change))
        }));
        if edits.is_empty() {
            break;
        }
        fixed.text = apply_edits(&fixed.text, &edits);
        fixed.count += count;
        document.replace(&fixed.text);
    }
    fixed
}

/// Sorted edits of several fixes in one, without the fixes that touch an earlier one; and how many went in.
pub(super) fn together(fixes: impl Iterator<Item = Vec<Edit>>) -> (Vec<Edit>, usize) {
    // By place; no fix touches another, so that only neighbours have to be compared.
    let mut taken: BTreeMap<(TextRange, usize), Edit> = BTreeMap::new();
    let mut count = 0;
    for fix in fixes {
        let is_free = |edit: &Edit| {
            let end = TextRange::new(edit.range.end, usize::MAX);
            let before = taken.range(..=(end, usize::MAX)).next_back();
            !before.is_some_and(|(_, other)| other.range.intersects(edit.range))
        };
        if fix.iter().all(is_free) {
            count += 1;
            for edit in fix {
                taken.insert((edit.range, taken.len()), edit);
            }
        }
    }
    (taken.into_values().collect(), count)
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
            if !text.contains(from) {
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
                for word in hashes(&self.report.text().slice(item.range())) {
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
