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
    let draft = draft::tool(tool);
    let edit = || Edit::replace(member.value.range, serde_json::Value::from(&*draft).to_string());
    judge(tool, &draft).is_none().then(|| Fix::suggestion("write another description to finish", vec![edit()]))
}

fn judge(tool: &Tool, text: &str) -> Option<Lack> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let is_short = || (text.chars().map(weight).sum::<usize>() < SHORT).then_some(Lack::Short);
    // The words of other languages are not known here.
    if text.len() > LONG || text.chars().any(|char| char.is_alphabetic() && !char.is_ascii()) {
        return is_short();
    }
    let name = tool.name().map(|(name, _)| stems(name)).unwrap_or_default();
    let mut said = words(text);
    let is_phrase = said.len() > 1;
    said.retain(|word| !EMPTY.contains(&word.as_str()));
    let said: Vec<String> = said.iter().map(|word| stem(word).into_owned()).collect();
    let (is_vague_verb, is_vague) = (|word: &String| any(VAGUE_VERBS, word), |word: &String| any(VAGUE_NOUNS, word));
    if (1..=TELLING_NAME).contains(&name.len()) && !said.is_empty() && said.iter().all(|word| name.contains(word)) {
        return Some(Lack::RepeatsName);
    }
    let says_nothing = match said.split_first() {
        None => is_phrase,
        Some((first, rest)) if is_vague_verb(first) => rest.iter().all(|word| is_vague(word) || name.contains(word)),
        Some(_) => said.iter().all(is_vague),
    };
    let has_stuff = said.len() <= 6 && said.iter().any(|word| word == "stuff");
    if says_nothing || has_stuff { Some(Lack::Vague) } else { is_short() }
}

fn stems(text: &str) -> Vec<String> {
    words(text).iter().map(|word| stem(word).into_owned()).collect()
}

fn any(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

/// Words that say nothing of what is done, or to what.
const EMPTY: &[&str] = &[
    "a",
    "about",
    "all",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "based",
    "be",
    "by",
    "certain",
    "detail",
    "details",
    "existing",
    "for",
    "from",
    "function",
    "given",
    "in",
    "info",
    "information",
    "into",
    "is",
    "it",
    "its",
    "mcp",
    "new",
    "of",
    "on",
    "or",
    "particular",
    "provided",
    "return",
    "returns",
    "s",
    "single",
    "specific",
    "specified",
    "that",
    "the",
    "these",
    "this",
    "those",
    "to",
    "tool",
    "using",
    "various",
    "via",
    "will",
    "with",
    "you",
    "your",
];

/// Verbs of which nobody knows what they do to what follows, as [`stem`] leaves them.
const VAGUE_VERBS: &[&str] = &["do", "doe", "execute", "handle", "help", "perform", "process", "use", "work"];

/// What any tool does its work on, or with, as [`stem`] leaves it.
const VAGUE_NOUNS: &[&str] = &[
    "action",
    "anything",
    "data",
    "description",
    "everything",
    "general",
    "helper",
    "input",
    "job",
    "operation",
    "output",
    "placeholder",
    "purpose",
    "request",
    "result",
    "something",
    "stuff",
    "tbd",
    "thing",
    "todo",
    "utility",
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
                ("get_all", "Get some stuff from the server"),
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
