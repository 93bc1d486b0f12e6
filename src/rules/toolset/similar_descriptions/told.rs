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

/// Whether names tell two tools apart, and descriptions bear it out: each has a word of its own name that the other's
/// name has not, and one of them is a word that the other's description has not either.
pub(super) fn are_told_apart(one: &ToolFacts, other: &ToolFacts) -> bool {
    let own_words = |tool: &ToolFacts, from: &ToolFacts| {
        let others = words(from.label().unwrap_or_default());
        let is_other = |word: &str| {
            let synonyms = SYNONYMS.iter().find(|synonyms| synonyms.contains(&word));
            others.iter().any(|other| other == word || synonyms.is_some_and(|all| all.contains(&other.as_str())))
        };
        let mut own = words(tool.label().unwrap_or_default());
        own.retain(|word| !is_other(word) && tool.terms.contain(word));
        own
    };
    let (own, others) = (own_words(one, other), own_words(other, one));
    let tells = |own: &[String], from: &ToolFacts| own.iter().any(|word| !from.terms.contain(word));
    !own.is_empty() && !others.is_empty() && (tells(&own, other) || tells(&others, one))
}
