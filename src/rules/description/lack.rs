//! What a description as a whole says too little of. Several rules ask; of one description one of them speaks.

use super::draft;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::syntax::Member;
use crate::text::{Edit, stem, words};

/// Why a description says too little, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    /// It has the words of the name, and none of its own.
    RepeatsName,
    /// Its words could be said of any tool.
    Vague,
    /// It has few words.
    Short,
}

/// Characters below which a description is short.
const SHORT: usize = 20;
/// Bytes from which on a description is looked at no closer.
const LONG: usize = 160;
/// A name of more words than this is a sentence: its tool may be described by it.
const TELLING_NAME: usize = 3;

/// Why the description of a tool says too little, and which it is; `None` where it has none.
pub(super) fn lack<'v>(tool: &Tool<'v>) -> Option<(Lack, &'v Member)> {
    let member = tool.description()?;
    Some((judge(tool, member.value.as_str()?)?, member))
}

/// A first draft in the place of a description that says too little, where the draft says more.
pub(super) fn redraft(tool: &Tool, member: &Member) -> Option<Fix> {
    let draft = draft::tool(tool)?;
    let edit = || Edit::replace(member.value.range, serde_json::Value::from(&*draft).to_string());
    judge(tool, &draft).is_none().then(|| Fix::suggestion("write another description to finish", vec![edit()]))
}

fn judge(tool: &Tool, text: &str) -> Option<Lack> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let is_short = || (text.chars().take(SHORT).map(weight).sum::<usize>() < SHORT).then_some(Lack::Short);
    // The words of other languages are not known here.
    if text.len() > LONG || text.chars().any(|char| char.is_alphabetic() && !char.is_ascii()) {
        return is_short();
    }
    says_nothing(tool.name().map_or("", |(name, _)| name), text).or_else(is_short)
}

/// Whether all words of a text are the name's, or such as could be said of any tool. Most texts have another one early.
fn says_nothing(name: &str, text: &str) -> Option<Lack> {
    let name: Vec<String> = words(name).iter().map(|word| stem(word).into_owned()).collect();
    let (mut count, mut said) = (0, 0);
    let (mut repeats, mut is_vague, mut has_vague_verb) = ((1..=TELLING_NAME).contains(&name.len()), true, false);
    for word in text.split_whitespace().flat_map(words) {
        count += 1;
        if EMPTY.contains(&word.as_str()) {
            continue;
        }
        let word = stem(&word);
        let (is_name, is_any) = (name.iter().any(|other| *other == word), VAGUE_NOUNS.contains(&&*word));
        let is_vague_verb = said == 0 && VAGUE_VERBS.contains(&&*word);
        has_vague_verb |= is_vague_verb;
        repeats &= is_name;
        is_vague &= is_any || is_vague_verb || is_name && has_vague_verb;
        if !repeats && !is_vague {
            return None;
        }
        said += 1;
    }
    match said {
        0 => (count > 1).then_some(Lack::Vague),
        _ if repeats => Some(Lack::RepeatsName),
        _ => Some(Lack::Vague),
    }
}

/// Words that say nothing of what is done, or to what.
#[rustfmt::skip] // by the alphabet
const EMPTY: &[&str] = &[
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "based", "be", "by", "certain", "detail", "details",
    "existing", "for", "from", "function", "given", "in", "info", "information", "into", "is", "it", "its", "mcp",
    "new", "of", "on", "or", "particular", "provided", "return", "returns", "s", "single", "specific", "specified",
    "that", "the", "these", "this", "those", "to", "tool", "using", "various", "via", "will", "with", "you", "your",
];

/// Verbs of which nobody knows what they do to what follows, as [`stem`] leaves them.
const VAGUE_VERBS: &[&str] = &["do", "doe", "execute", "handle", "help", "perform", "process", "use", "work"];

/// What any tool does its work on, or with, as [`stem`] leaves it.
#[rustfmt::skip] // by the alphabet
const VAGUE_NOUNS: &[&str] = &[
    "action", "anything", "data", "description", "everything", "general", "helper", "input", "job", "operation",
    "output", "placeholder", "purpose", "request", "result", "something", "stuff", "tbd", "thing", "todo", "utility",
    "work",
];

/// How much one character says, in letters.
fn weight(char: char) -> usize {
    match u32::from(char) {
        0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => {
            3
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Form;
    use crate::syntax::read;

    #[test]
    fn one_of_them_is_said() {
        let lack = |name: &str, text: &str| {
            let tool = format!(r#"{{"name": "{name}", "description": "{text}"}}"#);
            super::lack(&Tool::new(&tool, &read(&tool).value, Form::Mcp)).map(|(lack, _)| lack)
        };
        let is = |expected: Option<Lack>, cases: &[(&str, &str)]| {
            for (name, text) in cases {
                assert_eq!(lack(name, text), expected, "{name}: {text}");
            }
        };
        is(
            Some(Lack::RepeatsName),
            &[
                ("get_user", "Get user"),
                ("getUser", "Gets the details of a specific user."),
                ("list-files", "List files."),
                ("create_gist", "Create a new gist"),
                ("docker-getTags", "GET /docker.getTags"),
            ],
        );
        is(
            Some(Lack::Vague),
            &[
                ("sync", "Does stuff"),
                ("orders", "Processes the request."),
                ("order", "Handles the order and returns the result"),
                ("x", "This tool"),
                ("x", "TODO: description"),
                ("x", "Performs various operations on data"),
            ],
        );
        is(Some(Lack::Short), &[("get_weather", "Forecast."), ("x", "42"), ("x", "查询天气"), ("x", "é")]);
        is(
            None,
            &[
                ("get_user", "Get the profile of one user"),
                ("update_pull_request_title", "Update the title of a pull request"),
                ("execute_command", "Execute a command in the sandbox"),
                ("process", "Process the payment of an invoice"),
                ("list_files", "列出文件夹中的文件"),
                ("x", ""),
                ("x", "Ürünleri getir ve döndür"),
            ],
        );
    }
}
