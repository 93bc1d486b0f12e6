//! What regular expressions are made of, as far as rules ask; nothing is ever matched.

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

/// What stands between slashes, and the flags behind them, where somebody wrote a pattern as a program has it:
/// `/^a$/i`. Without an end beside a slash it may be the part of a path, such as `/v1/`.
pub(super) fn slashed(pattern: &str) -> Option<(&str, &str)> {
    let (inner, flags) = pattern.strip_prefix('/')?.rsplit_once('/')?;
    let are_flags = flags.bytes().all(|byte| b"dgimsuvyx".contains(&byte));
    (are_flags && (inner.starts_with('^') || has_end(inner))).then_some((inner, flags))
}

/// Whether a pattern ends with a `$` that is no dollar sign.
pub(super) fn has_end(pattern: &str) -> bool {
    operators(pattern).last() == Some((pattern.len().wrapping_sub(1), '$'))
}

/// What JavaScript's Unicode mode does not know and one thing in a pattern is to blame for, with its place.
pub(super) fn foreign(pattern: &str) -> Option<(usize, &str)> {
    let (mut at, mut is_class, mut set) = (0, false, None);
    while let Some(first) = pattern[at..].chars().next() {
        let rest = &pattern[at..];
        let mut length = first.len_utf8();
        let earlier_set = set.take();
        let next = rest[length..].chars().next();
        match (first, next) {
            ('\\', Some(escaped)) => {
                length += escaped.len_utf8();
                let is_known = "bBdDsSwWfnrtvcxukpP0123456789^$\\.*+?()[]{}|/".contains(escaped);
                if !(is_known || is_class && escaped == '-') {
                    return Some((at, &rest[..length]));
                }
                set = "dDsSwW".contains(escaped).then_some(at);
            }
            ('[', _) => is_class = true,
            (']', _) => is_class = false,
            ('-', Some(next)) if is_class && next != ']' => {
                if let Some(start) = earlier_set {
                    return Some((start, &pattern[start..at + 1]));
                }
            }
            ('(', Some('?')) if !is_class => {
                if let Some(group) = foreign_group(rest) {
                    return Some((at, group));
                }
            }
            _ => {}
        }
        at += length;
    }
    None
}

/// The start of a group that JavaScript does not have.
fn foreign_group(rest: &str) -> Option<&str> {
    let kinds = ["(?P<", "(?P=", "(?P>", "(?>", "(?#"];
    if let Some(kind) = kinds.into_iter().find(|kind| rest.starts_with(kind)) {
        return rest.get(..kind.len());
    }
    let flags = rest[2..].find(|char: char| !char.is_ascii_alphabetic() && !matches!(char, '-' | '^'))?;
    (flags > 0 && rest[2 + flags..].starts_with(')')).then(|| &rest[..flags + 3])
}

/// What no dialect takes.
pub(super) fn broken(pattern: &str) -> Option<&'static str> {
    let mut open = 0;
    let mut class: Option<usize> = None;
    let mut may_repeat = false;
    let mut characters = pattern.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let could_repeat = std::mem::replace(&mut may_repeat, true);
        match (character, class) {
            ('\\', _) => {
                let Some(_) = characters.next() else { return Some("it ends in a `\\`") };
            }
            // Some dialects take a bracket that comes first for itself.
            (']', Some(start)) if !pattern[start..at].trim_start_matches('^').is_empty() => class = None,
            (_, Some(_)) => {}
            ('[', None) => class = Some(at + 1),
            ('(', None) => {
                open += 1;
                may_repeat = false;
                characters.next_if(|(_, next)| *next == '?');
            }
            (')', None) if open == 0 => return Some("a `)` has no `(`"),
            (')', None) => open -= 1,
            ('|' | '^', None) => may_repeat = false,
            ('*' | '+', None) if !could_repeat && !pattern[..at].ends_with('^') => {
                return Some("there is nothing to repeat");
            }
            _ => {}
        }
    }
    match class {
        Some(start) if !pattern[start..].contains(']') => Some("a `[` has no `]`"),
        None if open > 0 => Some("a `(` has no `)`"),
        _ => None,
    }
}
