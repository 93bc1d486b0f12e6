//! Cuts a text into the pieces that byte pairs are merged within, for each vocabulary in its own way.
//!
//! By hand: a regular-expression engine takes most of the time of a count.

pub(super) mod claude2;
pub(super) mod gemma3;
pub(super) mod o200k;

use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory as _};

/// What the expression asks of a character; a set of the bits below.
#[derive(Clone, Copy)]
struct Class(u8);

impl Class {
    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, what a word begins with.
    const HEAD: u8 = 1;
    /// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`, what a word goes on with.
    const TAIL: u8 = 1 << 1;
    /// `\p{L}`
    const LETTER: u8 = 1 << 2;
    /// `\p{N}`
    const NUMBER: u8 = 1 << 3;
    /// `\s`
    const SPACE: u8 = 1 << 4;
    /// `[\r\n]`, which are `\s` too.
    const BREAK: u8 = 1 << 5;

    /// What is none of a break, a letter and a number may stand before a word.
    const NO_PREFIX: u8 = Self::BREAK | Self::LETTER | Self::NUMBER;
    /// What is none of these is `[^\s\p{L}\p{N}]`.
    const NO_SYMBOL: u8 = Self::SPACE | Self::LETTER | Self::NUMBER;

    /// The end of the text, which is in no set, not even in a negated one.
    const END: Class = Class(Self::NO_PREFIX | Self::NO_SYMBOL);

    const fn has(self, bits: u8) -> bool {
        self.0 & bits != 0
    }

    fn of(character: char) -> Class {
        if character.is_whitespace() {
            return Class(Self::SPACE);
        }
        Class(match character.general_category() {
            Category::UppercaseLetter | Category::TitlecaseLetter => Self::LETTER | Self::HEAD,
            Category::LowercaseLetter => Self::LETTER | Self::TAIL,
            // A lower-case letter until Unicode 16, which the counters that we have to agree with read.
            Category::OtherLetter if character == 'ʕ' => Self::LETTER | Self::TAIL,
            Category::ModifierLetter | Category::OtherLetter => Self::LETTER | Self::HEAD | Self::TAIL,
            Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark => Self::HEAD | Self::TAIL,
            Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber => Self::NUMBER,
            _ => 0,
        })
    }
}

/// The classes of ASCII.
static ASCII: [Class; 128] = {
    let mut classes = [Class(0); 128];
    let mut byte = 0_u8;
    while byte < 128 {
        classes[byte as usize] = Class(match byte {
            b'A'..=b'Z' => Class::LETTER | Class::HEAD,
            b'a'..=b'z' => Class::LETTER | Class::TAIL,
            b'0'..=b'9' => Class::NUMBER,
            b'\r' | b'\n' => Class::SPACE | Class::BREAK,
            b'\t' | b'\x0b' | b'\x0c' | b' ' => Class::SPACE,
            _ => 0,
        });
        byte += 1;
    }
    classes
};

/// The text from the start of a piece on.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    text: &'a str,
}

impl<'a> Cursor<'a> {
    /// The pieces of `text` in order, each of which ends where `end` says; together they are the text.
    fn pieces(text: &'a str, end: impl Fn(Cursor<'a>) -> usize) -> impl Iterator<Item = &'a str> {
        let mut rest = text;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let (piece, after) = rest.split_at(end(Cursor { text: rest }));
            rest = after;
            Some(piece)
        })
    }

    /// The class of the character at `at` and the offset after it.
    fn look(self, at: usize) -> (Class, usize) {
        match self.text.as_bytes().get(at) {
            Some(&byte) if byte < 128 => (ASCII[usize::from(byte)], at + 1),
            _ => match self.text[at..].chars().next() {
                Some(character) => (Class::of(character), at + character.len_utf8()),
                None => (Class::END, at),
            },
        }
    }

    /// The end of the run of characters at `at` that have one of `bits`.
    fn run(self, mut at: usize, bits: u8) -> usize {
        loop {
            let (class, next) = self.look(at);
            if next == at || !class.has(bits) {
                return at;
            }
            at = next;
        }
    }

    /// The end of the run of `[^\s\p{L}\p{N}]` at `at`.
    fn symbols(self, mut at: usize) -> usize {
        loop {
            let (class, next) = self.look(at);
            if class.has(Class::NO_SYMBOL) {
                return at;
            }
            at = next;
        }
    }

    /// The end of `\s+(?!\S)|\s+`, given the end of the white space at the start: before its last character if
    /// something follows that may take it as a prefix.
    fn space(self, end: usize) -> usize {
        match self.text[..end].char_indices().next_back() {
            Some((before_last, _)) if before_last > 0 && end < self.text.len() => before_last,
            _ => end,
        }
    }
}
