//! How the words of a name are put together.

use crate::text::words;

/// A way to put words together, the most common first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Snake,
    Camel,
    Kebab,
    Pascal,
}

impl Style {
    pub(super) const ALL: [Style; 4] = [Style::Snake, Style::Camel, Style::Kebab, Style::Pascal];

    /// The style that a name shows. None where it is one small word, or follows a scheme of its own, such as
    /// `group-doThis` and `mcp__server__tool`.
    pub(super) fn of(name: &str) -> Option<Style> {
        let has = |is: fn(&u8) -> bool| name.bytes().any(|byte| is(&byte));
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')) {
            return None;
        }
        let has_upper = has(u8::is_ascii_uppercase);
        match (has(|byte| *byte == b'_'), has(|byte| *byte == b'-')) {
            (true, false) => Some(Style::Snake).filter(|_| is_joined_by(b'_', name)),
            (false, true) => Some(Style::Kebab).filter(|_| is_joined_by(b'-', name)),
            (false, false) if has_upper && has(u8::is_ascii_lowercase) => {
                Some(if name.starts_with(|char: char| char.is_ascii_uppercase()) {
                    Style::Pascal
                } else {
                    Style::Camel
                })
            }
            _ => None,
        }
    }

    /// Whether a name may stay as it is among names of this style; every keystroke asks it of a whole list.
    pub(super) fn fits(self, name: &str) -> bool {
        match self {
            Style::Snake => is_joined_by(b'_', name),
            Style::Kebab => is_joined_by(b'-', name),
            Style::Camel | Style::Pascal => Style::of(name) == Some(self),
        }
    }

    /// A name in this style; `None` where it has letters that such a name cannot hold, or none at all.
    pub(super) fn write(self, name: &str) -> Option<String> {
        let is_ascii = name.chars().all(|char| char.is_ascii() || !char.is_alphanumeric());
        let words = words(name);
        let capital = |word: &String| {
            let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
            first.to_uppercase() + rest
        };
        let written = match self {
            Style::Snake => words.join("_"),
            Style::Kebab => words.join("-"),
            Style::Pascal => words.iter().map(capital).collect(),
            Style::Camel => words.iter().take(1).cloned().chain(words.iter().skip(1).map(capital)).collect(),
        };
        Some(written).filter(|written| is_ascii && !written.is_empty() && written.len() <= 64)
    }

    /// What people call it.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Style::Snake => "snake_case",
            Style::Camel => "camelCase",
            Style::Kebab => "kebab-case",
            Style::Pascal => "PascalCase",
        }
    }
}

/// Whether a name is small words with one such separator between each two.
fn is_joined_by(separator: u8, name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == separator;
    let is_end = |byte: Option<&u8>| byte.is_none_or(|byte| *byte == separator);
    let bytes = name.as_bytes();
    name.bytes().all(is_allowed)
        && !is_end(bytes.first())
        && !is_end(bytes.last())
        && !bytes.windows(2).any(|pair| pair == [separator; 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_shows_its_style() {
        for (name, style) in [
            ("get_user", Some(Style::Snake)),
            ("get-user-2", Some(Style::Kebab)),
            ("getUser", Some(Style::Camel)),
            ("GetUser", Some(Style::Pascal)),
            ("Read", Some(Style::Pascal)),
            ("search", None),
            ("OCR", None),
            ("", None),
            ("-", None),
            ("GET_USER", None),
            ("Get-User", None),
            ("user-getAll", None),
            ("user_get-all", None),
            ("mcp__files__read", None),
            ("_get_user", None),
            ("get.user", None),
            ("gétUser", None),
        ] {
            assert_eq!(Style::of(name), style, "{name}");
            assert!(style.is_none_or(|style| style.fits(name)), "{name}");
        }
        assert!(Style::Snake.fits("search") && Style::Kebab.fits("search") && !Style::Snake.fits(""));
    }

    #[test]
    fn a_name_is_written_in_a_style() {
        let all = |name: &str| Style::ALL.map(|style| style.write(name).unwrap_or_default()).join(" ");
        assert_eq!(all("getHTTPUrl"), "get_http_url getHttpUrl get-http-url GetHttpUrl");
        assert_eq!(all("list_2_items"), "list_2_items list2Items list-2-items List2Items");
        assert_eq!(all("größe"), "   ");
        assert_eq!(all("--"), "   ");
    }
}
