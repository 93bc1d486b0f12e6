//! The pieces of the vocabulary of Claude 2, which are the matches of this regular expression:
//!
//! ```text
//!   's|'t|'re|'ve|'m|'ll|'d |  ?\p{L}+ |  ?\p{N}+ |  ?[^\s\p{L}\p{N}]+ | \s+(?!\S) | \s+
//! ```

use super::{Class, Cursor};
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

const CONTRACTIONS: [&str; 7] = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"];

/// The text as it is before it is cut: in the normalization form NFKC.
pub(in crate::tokens) fn normalized(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

/// The pieces of a normalized text in order; together they are the text.
pub(in crate::tokens) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    Cursor::pieces(text, |cursor| {
        if let Some(contraction) = CONTRACTIONS.iter().find(|contraction| cursor.text.starts_with(**contraction)) {
            return contraction.len();
        }
        let start = usize::from(cursor.text.starts_with(' '));
        [cursor.run(start, Class::LETTER), cursor.run(start, Class::NUMBER), cursor.symbols(start)]
            .into_iter()
            .find(|end| *end > start)
            .unwrap_or_else(|| cursor.space(cursor.run(0, Class::SPACE)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line is a text cut by `|` as the regular expression cuts it.
    const CUTS: &[&str] = &[
        "hello| world",
        "get|_|current|_|weather",
        "don|'t| I|'|LL| '|tis|''|s| x|'re|ally",
        "1234567| ٣Ⅷ²",
        "a| | b|  |\t|c|\n|d| \n |\t|e",
        "end|  ",
        "(|\t|)| {\":\u{301}| e|\u{301}",
        "/|中文| 日本語|。",
    ];

    #[test]
    fn texts_are_cut_as_by_the_expression() {
        for cut in CUTS {
            let expected: Vec<&str> = cut.split('|').collect();
            assert_eq!(pieces(&expected.concat()).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn texts_are_normalized() {
        assert_eq!(normalized("™ ½ e\u{301}"), "TM 1⁄2 é");
        assert!(matches!(normalized("naïve"), Cow::Borrowed(_)));
    }
}
