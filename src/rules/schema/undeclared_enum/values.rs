//! Values that a text lists in full. *Precision first:* a list that may be open, or of something else, is none.

/// Words that a list of all values follows. Behind the first group the values may stand without quotes.
const LEADS: &[&str] =
    &["one of", "allowed values", "possible values", "valid values", "accepted values", "supported values"];
const LEADS_TO_QUOTES: &[&str] = &["options", "can be", "either", "values"];
/// What a list without such words stands behind, beside the start of the text.
const OPENERS: &[&str] = &["(", "- ", "— ", "– "];
/// Words between a lead and its list.
const FILLERS: &[&str] = &["the following", "values", "are", "is", ":"];
/// What says, before a list, that it holds examples only, or anywhere that several values may be given, or one in
/// other capitals.
const EXAMPLES: &[&str] = &["e.g", "example", "such as", "like", "includ"];
const SEVERAL: &[&str] = &["comma", "separated", "combin", "custom", "insensitive", "any case", "ignoring case"];
/// Words that are no values.
const NO_VALUES: &[&str] =
    &["a", "an", "any", "etc", "it", "more", "that", "the", "their", "them", "these", "they", "this", "those", "your"];
/// What may follow the last value, beside the end of a sentence.
const ENDS: &[&str] = &["and the default", "and default", "the default", "default", "by default"];
/// Places of one text that are looked at, so that a long one takes a moment.
const MAX_STARTS: usize = 24;
/// As many as an `enum` may well have.
const MAX: usize = 40;

/// The values that a text lists, in its order; at least two.
pub(super) fn listed(text: &str) -> Option<Vec<&str>> {
    let lower = text.to_ascii_lowercase();
    if SEVERAL.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let behind = |leads: &'static [&'static str], may_be_bare: bool| {
        let lower = &lower;
        leads
            .iter()
            .flat_map(move |lead| lower.match_indices(lead))
            .map(move |(at, lead)| (at, at + lead.len(), may_be_bare))
    };
    let starts = behind(LEADS, true).chain(behind(LEADS_TO_QUOTES, false)).chain(behind(OPENERS, false));
    std::iter::once((0, 0, false)).chain(starts).take(MAX_STARTS).find_map(|(lead, start, may_be_bare)| {
        let sentence = lower[..lead].rfind(". ").map_or(0, |at| at + 2);
        let is_example = EXAMPLES.iter().any(|word| lower[sentence..start].contains(word));
        let list = without_fillers(&text[start..]);
        (!is_example).then(|| list_at(list, may_be_bare)).flatten()
    })
}

fn without_fillers(text: &str) -> &str {
    FILLERS.iter().fold(text.trim_start(), |text, filler| text.strip_prefix(filler).unwrap_or(text).trim_start())
}

/// The list that a text starts with, if it ends where the sentence does.
fn list_at(text: &str, may_be_bare: bool) -> Option<Vec<&str>> {
    let is_bare = !text.starts_with(['\'', '"', '`']);
    if is_bare && !may_be_bare {
        return None;
    }
    let (mut rest, mut values) = (text, Vec::new());
    loop {
        let (value, after) = if is_bare { bare(rest) } else { quoted(rest) }?;
        if values.len() == MAX || values.contains(&value) {
            return None;
        }
        values.push(value);
        rest = without_remark(after).trim_start();
        if is_end(rest) {
            // "China, province or city" are kinds of things.
            let is_upper = |value: &&str| value.starts_with(|first: char| first.is_ascii_uppercase());
            let is_mixed = is_bare && values.iter().any(is_upper) && !values.iter().all(is_upper);
            return (values.len() > 1 && !is_mixed).then_some(values);
        }
        rest = behind_separator(rest)?;
    }
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|char| matches!(char, '\'' | '"' | '`'))?;
    let (value, after) = text[1..].split_once(quote)?;
    let is_value =
        !value.is_empty() && value.len() <= MAX && !value.contains(['\n', '…', '<', '{']) && !value.contains("...");
    is_value.then_some((value, after))
}

fn bare(text: &str) -> Option<(&str, &str)> {
    let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.');
    let word = &text[..text.find(|char| !is_part(char)).unwrap_or(text.len())];
    let value = word.trim_end_matches('.');
    let is_value = !value.is_empty() && !NO_VALUES.contains(&&*value.to_ascii_lowercase());
    is_value.then(|| (value, &text[value.len()..]))
}

/// The text behind a remark in brackets.
fn without_remark(text: &str) -> &str {
    let remark = text.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    remark.map_or(text, |(_, after)| after)
}

fn is_end(text: &str) -> bool {
    let text = text.strip_prefix(',').unwrap_or(text).trim_start();
    let word = text.strip_prefix("and ").unwrap_or(text);
    let is_stop = text.starts_with(['.', ')', ';']) && !text.starts_with("...");
    text.is_empty() || is_stop || ENDS.iter().any(|end| word.starts_with(end))
}

fn behind_separator(text: &str) -> Option<&str> {
    let rest = text.strip_prefix([',', '|']).unwrap_or(text).trim_start();
    let rest = ["or ", "and ", "or\n"].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest).trim_start();
    (rest.len() < text.len()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn lists_that_are_whole() {
        for (text, values) in [
            ("Sort order, one of asc, desc", "asc desc"),
            ("The http method (one of GET, POST).", "GET POST"),
            ("One of NONE, SUPERSCRIPT or SUBSCRIPT", "NONE SUPERSCRIPT SUBSCRIPT"),
            ("Status. Can be: `GET` or `POST` and the default is `POST`. See there.", "GET POST"),
            ("Must be one of \"add\", \"update\",\nor \"delete\".", "add update delete"),
            ("Conflicts. One of: \"all\" (default), \"new\", \"none\".", "all new none"),
            ("Direction - 'LEFT' or 'RIGHT'", "LEFT RIGHT"),
            ("Section (\"header\" or \"footer\") to write", "header footer"),
            ("Allowed values are: 1.0, 2.0.", "1.0 2.0"),
            ("Valid values: \"pod\" | \"node\"; the rest is ignored", "pod node"),
        ] {
            assert_eq!(listed(text).map(|values| values.join(" ")).as_deref(), Some(values), "{text}");
        }
    }

    #[test]
    fn lists_that_are_not() {
        for text in [
            "Use one of the connect tools.",
            "Provide either this or sourcePath, but not both.",
            "One of podTemplate or podTemplatePath is required.",
            "Branch (e.g., 'main' or 'master')",
            "A type, for example 'a' or 'b'",
            "The value. \"true\" or \"false\" for checkboxes, or any text",
            "Valid values include: a, b",
            "One of 'a', 'b' or a number",
            "One of a, b, etc...",
            "Supported values: png, jpg, webp, etc.",
            "One of a, b and more",
            "Must be one of: GET, POST (case-insensitive)",
            "Comma-separated, one of a, b",
            "One of 'a', 'a'",
            "Must be one of China, province, city. Be specific.",
            "Those by hand must be `billed` or `past_due`.",
            "one of a",
            "",
        ] {
            assert_eq!(listed(text), None, "{text}");
        }
    }
}
