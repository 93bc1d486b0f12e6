//! The words of an identifier, and how a piece of text is shown in a message.

use std::borrow::Cow;
use std::fmt::Write;

/// Characters of a value that a message shows.
const SHOWN: usize = 72;

/// A number with its word: `1 tool`, `2 tools`.
pub fn counted(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// The words that a name is made of, in lower case: `getHTTPUrl`, `get-http-url` and `Get HTTP url` are the same three.
/// A digit stays with the letters before it.
pub fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut out = vec![String::new()];
    for (index, &char) in chars.iter().enumerate() {
        if !char.is_alphanumeric() {
            out.push(String::new());
            continue;
        }
        if starts_word(&chars, index) {
            out.push(String::new());
        }
        out.last_mut().expect("starts with one and never shrinks").extend(char.to_lowercase());
    }
    out.retain(|word| !word.is_empty());
    out
}

/// Whether the upper-case letter at `index` starts a word: after a small letter or digit, or as the last of a run
/// that small letters follow. The `s` of `IDs` is a plural and no word.
fn starts_word(chars: &[char], index: usize) -> bool {
    if index == 0 || !chars[index].is_uppercase() {
        return false;
    }
    let is_lower = |at: usize| chars.get(at).is_some_and(|char| char.is_lowercase());
    let before = chars[index - 1];
    let is_plural = chars.get(index + 1) == Some(&'s') && !is_lower(index + 2);
    before.is_lowercase() || before.is_numeric() || (before.is_uppercase() && is_lower(index + 1) && !is_plural)
}

/// A word in small letters without the ending of a plural or of the third person: `files`, `queries`, `fetches`.
pub fn stem(word: &str) -> Cow<'_, str> {
    if let Some(start) = word.strip_suffix("ies").filter(|start| start.len() > 1) {
        return Cow::Owned(format!("{start}y"));
    }
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let ending = match word {
        _ if ends(&["sses", "ches", "shes", "xes"]) => "es",
        _ if ends(&["ss", "us", "is"]) => "",
        _ => "s",
    };
    Cow::Borrowed(word.strip_suffix(ending).filter(|start| start.len() > 1).unwrap_or(word))
}

/// A value as a message shows it: on one line, characters that cannot be seen as `\u{…}`, cut where it is long.
pub fn shown(value: &str) -> Cow<'_, str> {
    shown_up_to(value, SHOWN)
}

/// The same, cut after so many characters.
pub fn shown_up_to(value: &str, length: usize) -> Cow<'_, str> {
    let is_plain = |char: char| !char.is_control() && !is_invisible(char);
    if value.chars().all(is_plain) && value.chars().nth(length).is_none() {
        return Cow::Borrowed(value);
    }
    let mut out = String::new();
    for (index, char) in value.chars().enumerate() {
        if index == length {
            out.push('…');
            break;
        }
        match char {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            _ if is_plain(char) => out.push(char),
            _ => write!(out, "\\u{{{:x}}}", u32::from(char)).expect("a string takes everything"),
        }
    }
    Cow::Owned(out)
}

/// Whether a character takes no room of its own on a screen, changes the direction of what follows, or breaks the line.
/// Source: Unicode 16, `Default_Ignorable_Code_Point`, without the Hangul fillers; U+2028 and U+2029.
pub fn is_invisible(char: char) -> bool {
    matches!(
        u32::from(char),
        0xAD | 0x34F
            | 0x61C
            | 0x180B..=0x180F
            | 0x200B..=0x200F
            | 0x2028..=0x202E
            | 0x2060..=0x206F
            | 0xFE00..=0xFE0F
            | 0xFEFF
            | 0xE0000..=0xE0FFF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words() {
        let snake = |name: &str| words(name).join("_");
        assert_eq!(snake("getHTTPUrl"), "get_http_url");
        assert_eq!(snake("getV2Item"), "get_v2_item");
        assert_eq!(snake("ListIDs"), "list_ids");
        assert_eq!(snake("getURLsByTag"), "get_urls_by_tag");
        assert_eq!(snake("get-http_url"), "get_http_url");
        assert_eq!(snake("GET_USER"), "get_user");
        assert_eq!(snake("s3.getObject2"), "s3_get_object2");
        assert_eq!(snake("  "), "");
    }

    #[test]
    fn endings_are_taken_off() {
        let stems = ["files", "queries", "fetches", "processes", "boxes", "uses", "ids"].map(stem);
        assert_eq!(stems, ["file", "query", "fetch", "process", "box", "use", "id"]);
        for word in ["file", "process", "status", "analysis", "is", "s"] {
            assert_eq!(stem(word), word);
        }
    }

    #[test]
    fn a_message_shows_what_cannot_be_seen() {
        assert_eq!(shown("plain"), "plain");
        assert_eq!(shown("a\nb\u{200b}\u{1b}"), "a\\nb\\u{200b}\\u{1b}");
        assert_eq!(shown(&"x".repeat(200)).chars().count(), SHOWN + 1);
    }
}
