//! The characters of a string as it is written, each with its place: what a reader decodes, and where it came from.

use super::json::unicode_escape;
use crate::text::TextRange;

/// The characters that a string stands for, each with where it is written: one character, or one escape. `range` is
/// the string with its quotes, in `text`.
pub fn characters(text: &str, range: TextRange) -> impl Iterator<Item = (char, TextRange)> {
    let raw = text.get(range.as_usize()).unwrap_or_default();
    let quote = raw.chars().next().filter(|char| matches!(char, '"' | '\''));
    let mut at = quote.map_or(0, char::len_utf8);
    let end = match quote {
        Some(quote) if raw.len() > 1 && raw.ends_with(quote) => raw.len() - 1,
        _ => raw.len(),
    };
    std::iter::from_fn(move || {
        let rest = raw.get(at..end)?;
        let first = rest.chars().next()?;
        let (char, length) = match (first, rest[first.len_utf8()..].chars().next()) {
            ('\\', Some('u')) => unicode_escape(rest).unwrap_or(('\\', 1)),
            ('\\', Some('b')) => ('\u{8}', 2),
            ('\\', Some('f')) => ('\u{c}', 2),
            ('\\', Some('n')) => ('\n', 2),
            ('\\', Some('r')) => ('\r', 2),
            ('\\', Some('t')) => ('\t', 2),
            ('\\', Some(other)) => (other, 1 + other.len_utf8()),
            _ => (first, first.len_utf8()),
        };
        let range = TextRange::new(at, at + length).shifted(range.start);
        at += length;
        Some((char, range))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::read;

    #[test]
    fn every_character_knows_where_it_is_written() {
        let text = r#" "aé\u200b\ud83d\ude00\n\"x" "#;
        let reading = read(text);
        let found: Vec<_> =
            characters(text, reading.value.range).map(|(char, range)| (char, &text[range.as_usize()])).collect();
        let expected =
            [('a', "a"), ('é', "é"), ('\u{200b}', r"\u200b"), ('😀', r"\ud83d\ude00"), ('\n', r"\n"), ('"', "\\\"")];
        assert_eq!(found[..6], expected);
        let decoded: String = found.iter().map(|(char, _)| char).collect();
        assert_eq!(Some(&*decoded), reading.value.as_str());
    }

    #[test]
    fn a_string_without_its_end_is_read_to_the_end() {
        for text in ["\"", "\"ab", "'a'", "\"a\\", "\"\\u12\"", "a", ""] {
            let found = characters(text, TextRange::new(0, text.len()));
            assert!(found.map(|(_, range)| range.len()).sum::<usize>() <= text.len(), "{text}");
        }
    }
}
