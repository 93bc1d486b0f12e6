//! Cuts a text into the pieces that byte pairs are merged within, as the regular expression of `o200k_base` does:
//!
//! ```text
//!   [^\r\n\p{L}\p{N}]? [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]* [\p{Ll}\p{Lm}\p{Lo}\p{M}]+ (?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! | [^\r\n\p{L}\p{N}]? [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+ [\p{Ll}\p{Lm}\p{Lo}\p{M}]* (?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! | \p{N}{1,3}
//! |  ?[^\s\p{L}\p{N}]+ [\r\n/]*
//! | \s* [\r\n]+
//! | \s+ (?!\S)
//! | \s+
//! ```
//!
//! The first alternative that matches wins, each part takes as much as it can and gives back only what the rest
//! needs. Written by hand because a regular-expression engine takes most of the time of a count.

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

/// The pieces of `text` in order; together they are the text.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(Cursor { text: rest }.piece());
        rest = after;
        Some(piece)
    })
}

/// The text from the start of a piece on.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    text: &'a str,
}

impl Cursor<'_> {
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

    /// The end of the piece at the start of the text, which is not empty.
    fn piece(self) -> usize {
        let (first, after_first) = self.look(0);
        let prefixed = if first.has(Class::NO_PREFIX) { Word::default() } else { self.word(after_first) };
        let plain = if first.has(Class::HEAD | Class::TAIL) { self.word(0) } else { Word::default() };
        if let Some(end) = prefixed.with_tail.or(plain.with_tail).or(prefixed.with_head).or(plain.with_head) {
            return self.contraction(end);
        }
        if first.has(Class::NUMBER) {
            return self.number(after_first);
        }
        let symbols = if self.text.starts_with(' ') { 1 } else { 0 };
        if let Some(end) = self.symbols(symbols) {
            return end;
        }
        self.space()
    }

    /// The word at `at`.
    fn word(self, at: usize) -> Word {
        let mut end = at;
        let mut after_tail = None;
        loop {
            let (class, next) = self.look(end);
            if next > end && class.has(Class::HEAD) {
                end = next;
                if class.has(Class::TAIL) {
                    after_tail = Some(end);
                }
            } else if class.has(Class::TAIL) {
                let end = self.run(end, Class::TAIL);
                return Word { with_tail: Some(end), with_head: (end > at).then_some(end) };
            } else {
                return Word { with_tail: after_tail, with_head: (end > at).then_some(end) };
            }
        }
    }

    /// The end of the contraction at `at`, which is `at` itself if there is none.
    fn contraction(self, at: usize) -> usize {
        let Some(letters) = self.text[at..].strip_prefix('\'') else {
            return at;
        };
        let mut letters = letters.chars();
        let length = match letters.next().map(|letter| letter.to_ascii_lowercase()) {
            Some('s' | 't' | 'm' | 'd') => 1,
            // The long s is an `s` to `(?i:s)`.
            Some('ſ') => 'ſ'.len_utf8(),
            Some('r' | 'v') if matches!(letters.next(), Some('e' | 'E')) => 2,
            Some('l') if matches!(letters.next(), Some('l' | 'L')) => 2,
            _ => return at,
        };
        at + 1 + length
    }

    /// The end of a number whose first digit ends at `at`.
    fn number(self, mut at: usize) -> usize {
        for _ in 0..2 {
            let (class, next) = self.look(at);
            if next == at || !class.has(Class::NUMBER) {
                break;
            }
            at = next;
        }
        at
    }

    /// The end of the symbols at `at` and of the breaks and slashes after them.
    fn symbols(self, at: usize) -> Option<usize> {
        let mut end = at;
        loop {
            let (class, next) = self.look(end);
            if class.has(Class::NO_SYMBOL) {
                break;
            }
            end = next;
        }
        if end == at {
            return None;
        }
        let trail = self.text.as_bytes()[end..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/'));
        Some(end + trail.count())
    }

    /// The end of the white space at the start: after its last break, or before its last character if something
    /// follows that may take it as a prefix.
    fn space(self) -> usize {
        let end = self.run(0, Class::SPACE);
        let space = &self.text[..end];
        if let Some(last_break) = space.rfind(['\r', '\n']) {
            return last_break + 1;
        }
        match space.char_indices().next_back() {
            Some((before_last, _)) if before_last > 0 && end < self.text.len() => before_last,
            _ => end,
        }
    }
}

/// Where a word ends by either of the first two alternatives, the contraction left out.
#[derive(Default)]
struct Word {
    /// By the first one, which needs a character of the tail.
    with_tail: Option<usize>,
    /// By the second one, which needs a character of the head.
    with_head: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::pieces;

    /// Each line is a text cut by `|` as the regular expression cuts it.
    const CUTS: &[&str] = &[
        "hello| world",
        "get|_current|_weather",
        "get|Current|Weather| GPT|4|o",
        "HTTPServer|URL",
        "don't| I'LL| '|tis|''|s| x|'y",
        "it'ſ",
        "123|456|7",
        "Ⅷ²①|٣",
        "a| | b|   |\tc",
        "x|  \n \n\r\n| | y",
        "end|  ",
        " \n|  ",
        "(|\t|)",
        "a|!?/\n//\r|b",
        " //\n/| !\u{301}| e\u{301}",
        "/中文| 日本語",
        "\u{301}|AB| \u{301}|AB",
        "ǅAʰAʰ|A",
        "Aʕ|A",
        "\u{2028}a|\u{2028}|\u{2028}|1",
        "🦀🦀| 🦀!",
        "\0\u{200b}|a",
    ];

    #[test]
    fn texts_are_cut_as_by_the_expression() {
        for cut in CUTS {
            let expected: Vec<&str> = cut.split('|').collect();
            assert_eq!(pieces(&expected.concat()).collect::<Vec<_>>(), expected);
        }
    }
}
