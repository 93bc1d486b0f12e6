//! The pieces of the vocabulary of Gemma 3.
//!
//! Its SentencePiece model merges within the whole text, but for the symbols that its makers defined: these are cut
//! out of the text first. Between them the text is cut wherever no token reaches across, which changes no merge and
//! leaves about the pieces that a regular expression would.
//!
//! The model writes a space as `▁`. Here the tokens are written with a space, so that a text need not be rewritten.

use crate::tokens::vocabulary::Tokens;
use std::borrow::Cow;

/// The text as it is before it is cut: `▁` is a space.
pub(in crate::tokens) fn normalized(text: &str) -> Cow<'_, str> {
    if text.contains('▁') { Cow::Owned(text.replace('▁', " ")) } else { Cow::Borrowed(text) }
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tokens) enum Piece<'a> {
    /// A defined symbol, one token.
    Symbol(&'a str),
    /// What is merged by itself.
    Text(&'a str),
}

/// Which two bytes stand side by side in a token, a bit each.
pub(in crate::tokens) struct Joins(Box<[u64]>);

/// Where two bytes have their bit: the word and the bit in it.
fn bit(left: u8, right: u8) -> (usize, u64) {
    ((usize::from(left) << 2) | usize::from(right >> 6), 1 << (right & 63))
}

impl Joins {
    pub(in crate::tokens) fn of(tokens: &Tokens) -> Joins {
        let mut joins = Joins(vec![0; 1024].into());
        for (left, right) in tokens.iter().flat_map(|token| token.iter().zip(&token[1..])) {
            let (word, bit) = bit(*left, *right);
            joins.0[word] |= bit;
        }
        joins
    }

    fn has(&self, left: u8, right: u8) -> bool {
        let (word, bit) = bit(left, right);
        self.0[word] & bit != 0
    }

    /// The pieces of a normalized text in order; together they are the text.
    pub(in crate::tokens) fn pieces<'a>(&self, text: &'a str) -> impl Iterator<Item = Piece<'a>> {
        let mut rest = text;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let symbol = symbol(rest.as_bytes());
            let (piece, after) = rest.split_at(symbol.unwrap_or_else(|| self.end(rest.as_bytes())));
            rest = after;
            Some(if symbol.is_some() { Piece::Symbol(piece) } else { Piece::Text(piece) })
        })
    }

    /// The end of the piece at the start of the text, which is no symbol.
    fn end(&self, text: &[u8]) -> usize {
        let is_cut = |at: &usize| {
            let is_inside_character = text[*at] & 0xc0 == 0x80;
            !is_inside_character && (!self.has(text[at - 1], text[*at]) || symbol(&text[*at..]).is_some())
        };
        (1..text.len()).find(is_cut).unwrap_or(text.len())
    }
}

/// The longest run of white space that is a symbol.
const LONGEST_RUN: usize = 31;

/// The longest tag is `</blockquote>`.
const LONGEST_TAG: usize = 13;

/// The names of the tags that are symbols, opening and closing ones.
pub(in crate::tokens) const TAGS: &[&str] = &[
    "a",
    "b",
    "bbox",
    "blockquote",
    "body",
    "caption",
    "code",
    "div",
    "em",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "html",
    "i",
    "iframe",
    "img",
    "li",
    "s",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
];

/// The numbers of `<unused0>` and so on are below this.
pub(in crate::tokens) const UNUSED: u16 = 6242;

/// The length of the symbol at the start of the text.
pub(in crate::tokens) fn symbol(text: &[u8]) -> Option<usize> {
    let run = |byte| text.iter().take(LONGEST_RUN).take_while(|other| **other == byte).count();
    match *text.first()? {
        byte @ (b'\n' | b'\t') => Some(run(byte)),
        b' ' => Some(run(b' ')).filter(|length| *length > 1),
        b'<' => {
            let end = text.iter().take(LONGEST_TAG).position(|byte| *byte == b'>')?;
            is_symbol(std::str::from_utf8(&text[1..end]).ok()?).then_some(end + 1)
        }
        b'[' => Some(b"[multimodal]".len()).filter(|length| text.get(..*length) == Some(b"[multimodal]")),
        _ => None,
    }
}

/// Whether `<name>` is a symbol.
fn is_symbol(name: &str) -> bool {
    name == "mask"
        || TAGS.contains(&name.strip_prefix('/').unwrap_or(name))
        || name.strip_prefix("unused").is_some_and(|digits| {
            digits.parse().is_ok_and(|number: u16| number < UNUSED && number.to_string() == digits)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_found() {
        let long = "\n".repeat(40);
        for (length, text) in [
            (Some(31), long.as_str()),
            (Some(1), "\t "),
            (Some(3), "   x"),
            (None, " x"),
            (Some(4), "<h1>>"),
            (Some(13), "</blockquote>"),
            (None, "<h7>"),
            (None, "<br>"),
            (None, "<é>"),
            (None, "<"),
            (Some(12), "<unused6241>"),
            (None, "<unused6242>"),
            (None, "<unused01>"),
            (None, "<bos>"),
            (Some(6), "<mask>"),
            (Some(12), "[multimodal]"),
            (None, "[multi"),
            (None, ""),
        ] {
            assert_eq!(symbol(text.as_bytes()), length, "{text}");
        }
    }
}
