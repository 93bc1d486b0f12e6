//! Turning fixes into edits of the document, and applying them until nothing is left to mend.

use std::sync::Arc;

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
        let mut edits: Vec<Edit> = Vec::new();
        let mut count = 0;
        for finding in report.findings() {
            let Some(fix) = finding.diagnostic.fixes.iter().find(|fix| select(finding.diagnostic, fix)) else {
                continue;
            };
            let new = resolved(&report, finding.base, &fix.change);
            let is_free = |edit: &Edit| !edits.iter().any(|other| other.range.intersects(edit.range));
            if new.iter().all(is_free) {
                edits.extend(new);
                count += 1;
            }
        }
        if edits.is_empty() {
            break;
        }
        edits.sort_by_key(|edit| edit.range);
        fixed.text = apply_edits(&fixed.text, &edits);
        fixed.count += count;
        document.replace(&fixed.text);
    }
    fixed
}

/// The edits of a change, relative to the document. `base` is where the finding's piece starts.
pub fn resolved(report: &Report, base: usize, change: &Change) -> Vec<Edit> {
    match change {
        Change::Edits(edits) => edits.iter().map(|edit| edit.shifted(base)).collect(),
        Change::RenameTool { from, to } => rename_tool(report, from, to),
    }
}

/// Renames a tool where it is declared, and where a description speaks of it.
fn rename_tool(report: &Report, from: &str, to: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for item in report.items() {
        let text = report.text().slice(item.range());
        let base = item.range().start;
        if !text.contains(from) {
            continue;
        }
        let reading = syntax::read(&text);
        let tool = Tool::new(&text, &reading.value, report.list(item.list()).form);
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

/// Where a text names a tool. A name that is an ordinary word counts only between backticks or quotes.
fn mentions<'t>(text: &'t str, within: TextRange, name: &'t str) -> impl Iterator<Item = TextRange> + 't {
    let is_word = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
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
