//! Whether tools that are described alike can be told apart all the same.

use crate::rules::ToolFacts;
use crate::text::words;

/// Words in names that do not tell tools apart: each line means the same, or nearly.
const SYNONYMS: &[&[&str]] = &[
    &["fetch", "find", "get", "list", "lookup", "query", "read", "retrieve", "search", "show", "view"],
    &["add", "create", "insert", "make", "new"],
    &["change", "edit", "modify", "patch", "put", "set", "update"],
    &["delete", "drop", "remove"],
    &["call", "execute", "invoke", "run"],
];

/// Whether names tell two tools apart, and descriptions bear it out: each name has a word that the other has not, and the
/// description of one has such a word of its own name that the other's has not. Descriptions in another language than
/// the names cannot bear anything out.
pub(super) fn are_told_apart(one: &ToolFacts, other: &ToolFacts) -> bool {
    let names = |tool: &ToolFacts| words(tool.label().unwrap_or_default());
    let own_words = |tool: &ToolFacts, from: &ToolFacts| {
        let others = names(from);
        let is_other = |word: &str| {
            let synonyms = SYNONYMS.iter().find(|synonyms| synonyms.contains(&word));
            others.iter().any(|other| other == word || synonyms.is_some_and(|all| all.contains(&other.as_str())))
        };
        let mut own = names(tool);
        own.retain(|word| !is_other(word));
        own
    };
    let (own, others) = (own_words(one, other), own_words(other, one));
    if own.is_empty() || others.is_empty() {
        return false;
    }
    let tells = |own: &[String], tool: &ToolFacts, from: &ToolFacts| {
        own.iter().any(|word| tool.terms.contain(word) && !from.terms.contain(word))
    };
    let is_foreign = |tool: &ToolFacts| !names(tool).iter().any(|word| tool.terms.contain(word));
    tells(&own, one, other) || tells(&others, other, one) || is_foreign(one) && is_foreign(other)
}
