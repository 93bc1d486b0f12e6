//! Which characters of a text nobody sees though a model reads them, and what they say.
//!
//! Most such characters have an honest use somewhere: a joiner in an emoji or in Hindi, a direction mark in Hebrew.
//! There they are not hidden.

use unicode_properties::UnicodeEmoji;

use crate::text::TextRange;

/// Code points that a message names.
const LISTED: usize = 8;

/// For each character whether it is hidden.
pub(super) fn hidden(text: &[char]) -> Vec<bool> {
    let is_right_to_left = text.iter().any(|char| is_right_to_left(*char));
    let mut out = vec![false; text.len()];
    let mut index = 0;
    while index < text.len() {
        let flag = flag_length(&text[index..]);
        if flag > 0 {
            index += flag;
            continue;
        }
        let command = command_length(&text[index..]);
        if command > 0 {
            out[index..index + command].fill(true);
            index += command;
            continue;
        }
        out[index] = is_hidden(text, index, is_right_to_left);
        index += 1;
    }
    out
}

/// The length of a command to a terminal, such as the one that makes it write in red: a terminal shows none of it.
/// Source: ECMA-48, section 5.4.
pub(super) fn command_length(text: &[char]) -> usize {
    let start = match text {
        ['\u{1B}', '[', ..] => 2,
        ['\u{9B}', ..] => 1,
        _ => return 0,
    };
    let parameters = text[start..].iter().take_while(|char| matches!(char, '\u{20}'..='\u{3F}')).count();
    let end = start + parameters;
    if matches!(text.get(end), Some('\u{40}'..='\u{7E}')) { end + 1 } else { 0 }
}

fn is_hidden(text: &[char], index: usize, is_right_to_left: bool) -> bool {
    let before = index.checked_sub(1).map(|at| text[at]);
    let after = text.get(index + 1).copied();
    let near = |is: fn(char) -> bool| before.is_some_and(is) || after.is_some_and(is);
    match u32::from(text[index]) {
        // Control characters but tab and the ends of lines.
        0x00..=0x08 | 0x0B | 0x0C | 0x0E..=0x1F | 0x7F..=0x9F => true,
        // Zero-width space: Thai, Khmer and their like mark the ends of words with it.
        0x200B => !(before.is_some_and(is_spaceless) && after.is_some_and(is_spaceless)),
        0x200C => !near(is_joining),
        0x200D => !(near(is_joining) || joins_emoji(text, index)),
        // Marks of direction, which a mixed text needs.
        0x200E | 0x200F | 0x61C => !is_right_to_left,
        // The Mongolian separator and selectors.
        0x180B..=0x180F => !near(|char| matches!(u32::from(char), 0x1800..=0x18AF)),
        0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF => true,
        // Selectors of a text or emoji form, and of the forms of mathematical signs and ideographs.
        0xFE0E | 0xFE0F => !before.is_some_and(has_emoji_form),
        0xFE00..=0xFE0D => !before.is_some_and(|char| is_ideograph(char) || has_variants(char)),
        0xE0100..=0xE01EF => !before.is_some_and(is_ideograph),
        0xE0000..=0xE007F => true,
        _ => false,
    }
}

/// The length of a flag such as Scotland's: a black flag, the tags of a region, the end tag.
fn flag_length(text: &[char]) -> usize {
    const LONGEST_REGION: usize = 6;
    if text.first() != Some(&'\u{1F3F4}') {
        return 0;
    }
    let is_region = |char: &&char| matches!(u32::from(**char), 0xE0030..=0xE0039 | 0xE0061..=0xE007A);
    let region = text[1..].iter().take_while(is_region).count();
    let is_closed = text.get(1 + region) == Some(&'\u{E007F}');
    if (3..=LONGEST_REGION).contains(&region) && is_closed { region + 2 } else { 0 }
}

/// Whether a joiner stands between two emoji, of which the first may carry a skin tone or a selector.
fn joins_emoji(text: &[char], index: usize) -> bool {
    let is_modifier = |char: &&char| matches!(u32::from(**char), 0xFE0F | 0x1F3FB..=0x1F3FF);
    let first = text[..index].iter().rev().find(|char| !is_modifier(char));
    first.is_some_and(|char| is_picture(*char)) && text.get(index + 1).is_some_and(|char| is_picture(*char))
}

fn is_picture(char: char) -> bool {
    !char.is_ascii() && char.is_emoji_char()
}

/// Whether a sign can be asked to look like an emoji or like text; `#` and digits can, for keycaps. Other symbols
/// are often followed by a selector that does nothing.
fn has_emoji_form(char: char) -> bool {
    char.is_emoji_char()
        || matches!(u32::from(char), 0x2000..=0x2BFF if !crate::text::is_invisible(char))
        || char == '\u{20E3}'
}

fn has_variants(char: char) -> bool {
    matches!(u32::from(char), 0x1000..=0x109F | 0x1800..=0x18AF | 0x2200..=0x22FF | 0x2A00..=0x2AFF | 0x3000..=0x303F | 0xA840..=0xA87F | 0xFF00..=0xFF60)
}

fn is_ideograph(char: char) -> bool {
    matches!(u32::from(char), 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn is_right_to_left(char: char) -> bool {
    matches!(u32::from(char), 0x590..=0x5FF | 0x620..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFC | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
}

/// Scripts whose letters join or stack: Arabic and its kin, those of India and South East Asia, Mongolian.
fn is_joining(char: char) -> bool {
    matches!(u32::from(char), 0x620..=0x109F | 0x1780..=0x18AF | 0x1A20..=0x1BFF | 0xA840..=0xABFF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFC | 0x10A00..=0x11FFF)
}

/// Scripts without spaces between words.
fn is_spaceless(char: char) -> bool {
    matches!(u32::from(char), 0xE00..=0xFFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x1950..=0x1AAF)
}

/// What hidden characters spell: tags stand for ASCII, and a run of selectors for bytes.
pub(super) fn spelled(hidden: &[char]) -> Option<String> {
    let tags: String = hidden
        .iter()
        .filter_map(|char| u32::from(*char).checked_sub(0xE0000))
        .filter(|code| (0x20..0x7F).contains(code))
        .filter_map(char::from_u32)
        .collect();
    if !tags.is_empty() {
        return Some(tags);
    }
    let bytes: Vec<u8> = hidden
        .iter()
        .filter_map(|char| match u32::from(*char) {
            code @ 0xFE00..=0xFE0F => u8::try_from(code - 0xFE00).ok(),
            code @ 0xE0100..=0xE01EF => u8::try_from(code - 0xE0100 + 16).ok(),
            _ => None,
        })
        .collect();
    let text = String::from_utf8(bytes).ok()?;
    let is_text = text.chars().count() > 1 && text.chars().all(|char| !char.is_control() || char.is_whitespace());
    is_text.then_some(text)
}

/// The ranges of hidden characters, those side by side as one.
pub(super) fn runs(marks: &[bool], ranges: &[TextRange]) -> Vec<TextRange> {
    let mut out: Vec<TextRange> = Vec::new();
    for (range, _) in ranges.iter().zip(marks).filter(|(_, hidden)| **hidden) {
        match out.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => out.push(*range),
        }
    }
    out
}

/// `U+200B, U+200D`, each once.
pub(super) fn code_points(found: impl IntoIterator<Item = u32>) -> String {
    let mut kinds: Vec<u32> = Vec::new();
    for code in found {
        if !kinds.contains(&code) {
            kinds.push(code);
        }
        if kinds.len() > LISTED {
            break;
        }
    }
    let names: Vec<String> = kinds.iter().take(LISTED).map(|code| format!("U+{code:04X}")).collect();
    names.join(", ") + if kinds.len() > LISTED { ", …" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text with what is hidden in it as `<CODE>`.
    fn seen(text: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        let marks = hidden(&chars);
        chars
            .iter()
            .zip(marks)
            .map(|(char, hidden)| if hidden { format!("<{:X}>", u32::from(*char)) } else { char.to_string() })
            .collect()
    }

    #[test]
    fn what_a_script_or_an_emoji_needs_is_not_hidden() {
        for text in [
            "👨\u{200d}👩\u{200d}👧 ❤\u{fe0f} ❤\u{fe0f}\u{200d}🔥",
            "🕵🏻\u{200d}♂\u{fe0f} 1\u{fe0f}\u{20e3} 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} ✓\u{fe0f} →\u{fe0e}",
            "می\u{200c}خواهم क\u{94d}\u{200d}ष שלום\u{200f} (a)\u{200e}",
            "葛\u{e0100} 神\u{fe00} ≨\u{fe00} ไทย\u{200b}ภาษา",
            "soft\u{ad}hyphen",
            "a\tb\r\n[31m",
        ] {
            assert_eq!(seen(text), text);
        }
    }

    #[test]
    fn everything_else_is() {
        assert_eq!(seen("a\u{200b}b\u{200d}c\u{200c}\u{feff}"), "a<200B>b<200D>c<200C><FEFF>");
        assert_eq!(seen("\u{202e}abc\u{202c} \u{200f}\u{2066}"), "<202E>abc<202C> <200F><2066>");
        assert_eq!(seen("a\u{fe01}\u{e0101}😀\u{fe0f}\u{fe0f}"), "a<FE01><E0101>😀\u{fe0f}<FE0F>");
        assert_eq!(seen("🏴\u{e0068}\u{e0069}"), "🏴<E0068><E0069>");
        assert_eq!(seen("😀\u{200d}a 👨\u{200d}"), "😀<200D>a 👨<200D>");
        assert_eq!(seen("\0a\u{8}\u{7f}\u{85}"), "<0>a<8><7F><85>");
        assert_eq!(seen("\u{1b}[1;31mred\u{9b}0m\u{1b}[1"), "<1B><5B><31><3B><33><31><6D>red<9B><30><6D><1B>[1");
    }

    #[test]
    fn the_hidden_text_is_spelled_out() {
        let tags: Vec<char> = "hi there".chars().filter_map(|char| char::from_u32(0xE0000 + u32::from(char))).collect();
        assert_eq!(spelled(&tags).as_deref(), Some("hi there"));
        let bytes: Vec<char> = "hi".bytes().filter_map(|byte| char::from_u32(0xE0100 + u32::from(byte) - 16)).collect();
        assert_eq!(spelled(&bytes).as_deref(), Some("hi"));
        assert_eq!(spelled(&['\u{200b}']), None);
    }
}
