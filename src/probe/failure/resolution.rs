//! What uv says when it finds no packages that suit each other: one long sentence, broken over lines.

use super::line::{Line, after, word, word_before, words};
use crate::facts::Cause;

const START: &str = "No solution found when resolving";
/// Where only the end of it was kept.
const END: &str = "requirements are unsatisfiable";

/// Why there is no solution; `None` where that is not what was said.
pub(super) fn unresolved(lines: &[Line]) -> Option<Cause> {
    let pieces: Vec<&str> = lines.iter().map(|line| line.text.as_str()).filter(|text| !text.is_empty()).collect();
    let whole = pieces.join(" ");
    let is_proof = || [END, "we can conclude that", "current Python version ("].iter().any(|part| whole.contains(part));
    let at = whole.rfind(START).or_else(|| is_proof().then_some(0))?;
    let text = &whole[at..];
    if let Some(rest) = after(text, "Python version (") {
        let (current, rest) = rest.split_once(')')?;
        let wanted = word(after(rest, "does not satisfy ")?);
        return Some(Cause::WrongRuntime(words(&format!("Python {current} does not satisfy {wanted}"))));
    }
    let reason = |text: &str| {
        let reason = after(text, "yanked (reason: ")?.split(')').next()?;
        Some(words(reason)).filter(|reason| !reason.is_empty())
    };
    if let Some(rest) = after(text, "all versions of ").filter(|rest| after(rest, " ").is_some_and(is_yanked)) {
        return Some(Cause::Withdrawn { package: word(rest).to_owned(), reason: reason(rest) });
    }
    if let Some(rest) = after(text, "Because ").filter(|rest| after(rest, " ").is_some_and(is_yanked)) {
        return Some(Cause::Withdrawn { package: word(rest).to_owned(), reason: reason(rest) });
    }
    if let Some(package) = word_before(text, " was not found in the") {
        return Some(Cause::NoSuchPackage(package.to_owned()));
    }
    for none in ["there is no version of ", "there are no versions of "] {
        if let Some(rest) = after(text, none) {
            return Some(Cause::NoSuchPackage(word(rest).to_owned()));
        }
    }
    let is_bounded = text.contains("is available") || text.contains("are available");
    if let Some(rest) = after(text, "you require ").filter(|_| is_bounded) {
        return Some(Cause::NoSuchPackage(word(rest).to_owned()));
    }
    // Some versions: the author may still say what to use in their place.
    if let (Some(package), Some(reason)) = (word_before(text, " was yanked (reason: "), reason(text)) {
        return Some(Cause::Withdrawn { package: package.to_owned(), reason: Some(reason) });
    }
    // The last step of the proof says at least which package it is about.
    let conclusion = text.rfind("because you require ").map_or(text, |at| &text[at + "because ".len()..]);
    Some(Cause::Said(words(conclusion)))
}

fn is_yanked(text: &str) -> bool {
    text.starts_with("were yanked") || text.starts_with("was yanked")
}
