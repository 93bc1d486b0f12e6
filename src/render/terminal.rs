//! The one way for text from a checked file, or its path, to a terminal.

use std::borrow::Cow;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The text with everything made visible that a terminal would obey or that a person would not see: control
/// characters, directional and other invisible format characters, line separators, tags, and variation selectors
/// beyond those of emoji, in the way of [`crate::text::shown`]. A tab stays.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for char in text.chars() {
        if is_hidden(char) {
            out.push_str(&format!("\\u{{{:x}}}", u32::from(char)));
        } else {
            out.push(char);
        }
    }
    Cow::Owned(out)
}

/// Whether a character is obeyed instead of shown, or shows nothing at all.
pub fn is_hidden(char: char) -> bool {
    match char {
        '\t' | ' '..='~' => false,
        '\u{e0100}'..='\u{e01ef}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => true,
        _ => matches!(
            char.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
                | GeneralCategory::PrivateUse
        ),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Texts that a hostile file may hold, for the tests of every sink.
    pub(crate) const HOSTILE: &[&str] = &[
        "\u{1b}[2J\u{1b}[31mred",
        "\u{1b}]0;title\u{7}",
        "\u{1b}]8;;http://example.com\u{1b}\\link",
        "\u{9b}31m",
        "\u{90}1$r\u{9c}",
        "a\rb\u{8}c\u{7f}d\0e",
        "\u{202e}gpj.exe\u{202c}",
        "\u{2066}a\u{2069}\u{200f}\u{61c}",
        "a\u{200b}b\u{200d}c\u{2060}d\u{feff}e\u{ad}f",
        "\u{e0041}\u{e0042}\u{e007f}",
        "a\u{e0100}b\u{2028}c\u{2029}d\u{85}e",
        "\u{3164}\u{115f}",
        "\u{e000}",
        "a\nb",
    ];

    #[test]
    fn nothing_hidden_is_left() {
        for text in HOSTILE {
            let shown = escaped(text);
            assert!(!shown.chars().any(is_hidden), "{shown:?}");
            assert!(!shown.contains(|char: char| char.is_control() && char != '\t'), "{shown:?}");
        }
        assert_eq!(escaped("\u{1b}[2J"), "\\u{1b}[2J");
    }

    #[test]
    fn what_a_person_sees_stays() {
        for text in ["plain", "größe\t漢字", "❤\u{fe0f} 👍🏽", "e\u{301}"] {
            assert!(matches!(escaped(text), Cow::Borrowed(_)), "{text:?}");
        }
    }
}
