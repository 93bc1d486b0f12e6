//! What of a regular expression is no text to match.

/// The characters of a pattern that are neither escaped nor in square brackets, with their places.
pub(super) fn operators(pattern: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut is_escaped, mut is_class) = (false, false);
    pattern.char_indices().filter(move |(_, char)| {
        match char {
            _ if std::mem::take(&mut is_escaped) => return false,
            '\\' => is_escaped = true,
            '[' => is_class = true,
            ']' => is_class = false,
            _ => return !is_class,
        }
        false
    })
}
