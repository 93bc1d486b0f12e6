//! The pieces of `o200k_base`, which are the matches of this regular expression:
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
//! needs.

use super::{Class, Cursor};

/// The pieces of `text` in order; together they are the text.
pub(in crate::tokens) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    Cursor::pieces(text, Cursor::piece)
}

impl Cursor<'_> {
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
        let symbols = usize::from(self.text.starts_with(' '));
        self.symbols_and_breaks(symbols).unwrap_or_else(|| self.breaks_or_space())
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
    fn symbols_and_breaks(self, at: usize) -> Option<usize> {
        let end = self.symbols(at);
        let trail = self.text.as_bytes()[end..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/'));
        (end > at).then(|| end + trail.count())
    }

    /// The end of the white space at the start: after its last break, or as [`Cursor::space`] says.
    fn breaks_or_space(self) -> usize {
        let end = self.run(0, Class::SPACE);
        self.text[..end].rfind(['\r', '\n']).map_or_else(|| self.space(end), |last_break| last_break + 1)
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
