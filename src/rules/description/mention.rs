//! What the description of a tool says of its parameters, as those made of docstrings do.

/// Characters of a tool's description that are looked through for its parameters.
const LOOKED_THROUGH: usize = 8192;

/// A place where a text speaks of a parameter.
pub(super) struct Mention<'t> {
    /// What stands in the line before it, up to the quote that it may be in.
    before: &'t str,
    /// What follows, from the colon or dash that defines it or from whatever else there is.
    after: &'t str,
}

/// Where a text speaks of a parameter: `name:`, `name (int):`, `name - …`, or the name in quotes.
pub(super) fn mentions<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = Mention<'t>> {
    let text = text.char_indices().nth(LOOKED_THROUGH).map_or(text, |(end, _)| &text[..end]);
    text.match_indices(name).filter_map(move |(at, _)| {
        let after = &text[at + name.len()..];
        let char = text[..at].chars().next_back();
        if name.is_empty() || char.is_some_and(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.')) {
            return None;
        }
        let quoted = char.filter(|char| matches!(char, '`' | '\'' | '"')).and_then(|quote| after.strip_prefix(quote));
        let unquoted = quoted.unwrap_or(after);
        let after = match unquoted.trim_start().strip_prefix('(').and_then(|inside| inside.split_once(')')) {
            Some((_, rest)) => rest,
            None => unquoted,
        };
        let is_mention = quoted.is_some() || defining(after).is_some();
        is_mention.then(|| {
            let line = text[..at].rfind('\n').map_or(0, |line_break| line_break + 1);
            Mention { before: &text[line..at], after }
        })
    })
}

/// What stands behind a colon or dash.
fn defining(after: &str) -> Option<&str> {
    [":", " - ", " – ", " — "].iter().find_map(|sign| after.strip_prefix(sign))
}

impl Mention<'_> {
    /// What the text says of the parameter where it begins a line: the rest of that, and the lines that are indented
    /// below it. A word alone is its type.
    pub(super) fn definition(&self) -> Option<String> {
        let marks = [' ', '\t', '-', '*', '`', '\'', '"', ':', '@'];
        if !matches!(self.before.trim_matches(marks), "" | "param") {
            return None;
        }
        let indent = |line: &str| line.len() - line.trim_start().len();
        let mut lines = defining(self.after)?.lines();
        let first = lines.next()?;
        let below = lines.take_while(|line| !line.trim().is_empty() && indent(line) > indent(self.before));
        let words: Vec<&str> = std::iter::once(first).chain(below).flat_map(str::split_whitespace).collect();
        (words.len() > 1).then(|| words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_word_alone_is_no_mention() {
        let told = |text: &str| mentions(text, "limit").next().is_some();
        assert!(told("List.\n\nArgs:\n    limit: How many") && told("limit (int, optional): x") && told("the `limit`"));
        assert!(told("- limit - how many") && !told("Rates have a limit.") && !told("rate_limit: x") && !told(""));
    }

    #[test]
    fn a_definition_begins_its_line() {
        let definition =
            |text: &str| mentions(text, "query").find_map(|mention| mention.definition()).unwrap_or_default();
        assert_eq!(definition("Find.\n\nArgs:\n    query: Words,\n        or an id\n    n: x"), "Words, or an id");
        assert_eq!(definition("Args:\r\n  query (str): What to find\r\n\r\nReturns: it"), "What to find");
        assert_eq!(definition("- `query` - What to find"), "What to find");
        assert_eq!(definition(":param query: What to find"), "What to find");
        assert_eq!(definition("Takes a query: one or more words"), "");
        assert_eq!(definition("query: str"), "");
        assert_eq!(definition("the `query` to run"), "");
    }
}
