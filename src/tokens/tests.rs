use super::*;
use proptest::prelude::*;

/// Texts and their counts by tiktoken-rs 0.12.
const KNOWN: &[(usize, &str)] = &[
    (1, "a"),
    (1, " "),
    (2, "hello world"),
    (4, "Hello, world!"),
    (10, "The quick brown fox jumps over the lazy dog."),
    (1, "don't"),
    (10, "DON'T stop, I'LL say we'Ve"),
    (3, "it'ſ"),
    (4, "rock'n'roll"),
    (1, "'s"),
    (1, "1"),
    (2, "1234"),
    (4, "3.14159"),
    (13, "2026-11-30T12:00:00Z"),
    (4, "٣٤٥٦"),
    (4, "Ⅷ²①"),
    (3, "get_current_weather"),
    (3, "getCurrentWeather"),
    (4, "GetHTTPServerURL"),
    (7, "SCREAMING_SNAKE_CASE"),
    (3, "   three before"),
    (5, "a  b   c"),
    (3, "trailing   "),
    (4, "\t\tindented"),
    (6, "line one\nline two\n"),
    (6, "line one\r\nline two\r\n\r\n"),
    (1, "\n\n\n"),
    (2, " \n \n x"),
    (5, "a\u{2028}b\u{a0}c"),
    (11, "{\"type\": \"object\", \"properties\": {}}"),
    (6, "// comment\n/path/to/file"),
    (13, "https://example.org/a?b=c&d=e#f"),
    (3, "!!!///\n//"),
    (3, "你好，世界"),
    (6, "今日はいい天気ですね。"),
    (3, "안녕하세요 세계"),
    (4, "Привет, мир"),
    (4, "مرحبا بالعالم"),
    (5, "नमस्ते दुनिया"),
    (4, "สวัสดี"),
    (3, "🦀"),
    (12, "👩\u{200d}👩\u{200d}👧\u{200d}👦 family"),
    (8, "🇩🇪🇯🇵"),
    (12, "e\u{301} naïve ÅNGSTRÖM İstanbul ß"),
    (11, "ǅ ʰʕA \u{301}A"),
    (7, "<|endoftext|>"),
    (4, "\u{0}\u{1}\u{feff}\u{200b}"),
    (6, "\u{10ffff}\u{e000}"),
    (66, "xkqzvwjxkqzvwjxkqzvwjxkqzvwjxkqzvwjxkqzvwjxkqzvwjxkqzvwjxkqzvwjxkqzvwjxkqzvwj"),
];

#[test]
fn counts_are_those_of_tiktoken() {
    for (expected, text) in KNOWN {
        assert_eq!(count(text), *expected, "{text:?}");
    }
    assert_eq!(count(""), 0);
    assert_eq!(count(&KNOWN.iter().map(|(_, text)| *text).collect::<String>()), 303);
}

/// A megabyte in one piece would not end in a test's time if merging were quadratic. Counts by tiktoken-rs 0.12.
#[test]
fn long_pieces_are_no_trouble() {
    assert_eq!(count(&"a".repeat(1 << 20)), 131_072);
    assert_eq!(count(&"ab".repeat(1 << 19)), 262_144);
    assert_eq!(count(&"=".repeat(100_000)), 1_562);
    assert_eq!(count(&" ".repeat(20_000)), 157);
}

proptest! {
    #[test]
    fn a_count_is_at_most_the_bytes(text in ".{0,60}") {
        let tokens = count(&text);
        prop_assert!(tokens <= text.len());
        prop_assert_eq!(tokens == 0, text.is_empty());
    }

    #[test]
    fn the_pieces_are_the_text(text in "(.|[ \\r\\n'A-Za-z0-9]){0,60}") {
        let pieces: Vec<&str> = pretokenize::pieces(&text).collect();
        prop_assert!(pieces.iter().all(|piece| !piece.is_empty()));
        prop_assert_eq!(pieces.concat(), text);
    }
}
