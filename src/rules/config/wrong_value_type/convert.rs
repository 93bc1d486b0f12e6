//! What a value of the wrong kind becomes, where that is plain.

use serde_json::{Map, Value as Json};

use crate::diagnostic::Fix;
use crate::model::Server;
use crate::model::dialect::Holds;
use crate::rules::config::launch::{launch, shell_words};
use crate::syntax::{Member, Value, ValueKind, written_like};
use crate::text::Edit;

/// The fix that makes a value what the client reads.
pub(super) fn converted(server: &Server, member: &Member, holds: Holds) -> Option<Fix> {
    let value = &member.value;
    let replace = |title: &str, new: &Json| {
        let new = written_like(server.text, server.value, new);
        Fix::safe(title, vec![Edit::replace(value.range, new)])
    };
    match (holds, &value.kind) {
        (Holds::Text, ValueKind::Array(elements)) => {
            let words: Vec<String> =
                elements.iter().map(|element| element.as_str().map(str::to_owned)).collect::<Option<_>>()?;
            match &words[..] {
                [] => None,
                [only] => Some(replace("take the string out of the array", &only.as_str().into())),
                [program, arguments @ ..] if &*member.key.name == "command" => {
                    let edits = launch(server, member, program, arguments)?;
                    Some(Fix::safe("keep the program here and move the rest to `args`", edits))
                }
                _ => None,
            }
        }
        (Holds::Texts, ValueKind::String(text)) => {
            let words = shell_words(text)?;
            let new = written_like(server.text, server.value, &Json::from(words.as_slice()));
            let fix = if may_be_split_path(&words) { Fix::suggestion } else { Fix::safe };
            Some(fix("make it an array", vec![Edit::replace(value.range, new)]))
        }
        (Holds::Texts, ValueKind::Number(_) | ValueKind::Bool(_)) => {
            let text = &server.text[value.range.as_usize()];
            Some(replace("make it an array", &Json::from([text].as_slice())))
        }
        (Holds::TextMap | Holds::Variables, ValueKind::Array(_) | ValueKind::String(_)) => {
            let is_headers = &*member.key.name == "headers";
            let mut pairs = Map::new();
            let one = std::slice::from_ref(value);
            for element in if value.is_array() { value.elements() } else { one } {
                add_pairs(server.text, element, is_headers, &mut pairs)?;
            }
            Some(replace("make it an object", &Json::Object(pairs)))
        }
        (Holds::Number, ValueKind::String(text)) => {
            let number: serde_json::Number = serde_json::from_str(text.trim()).ok()?;
            Some(replace("write it without quotes", &Json::Number(number)))
        }
        (Holds::Boolean, ValueKind::String(text)) => {
            let truth = text.trim().to_ascii_lowercase().parse::<bool>().ok()?;
            Some(replace("write it without quotes", &Json::Bool(truth)))
        }
        _ => None,
    }
}

/// Whether a word may be a path that goes on in the next one.
fn may_be_split_path(words: &[String]) -> bool {
    let is_path = |word: &str| word.contains(":\\") || word.starts_with(['/', '.', '~']) || word.starts_with("\\\\");
    words.windows(2).any(|pair| is_path(&pair[0]) && !pair[1].starts_with('-') && !is_path(&pair[1]))
}

/// Takes `K=V`, `{"name": "K", "value": "V"}` or `{"K": "V"}` apart; `None` where it is nothing of the kind, or a name
/// comes twice.
fn add_pairs(text: &str, element: &Value, is_headers: bool, pairs: &mut Map<String, Json>) -> Option<()> {
    let as_text = |value: &Value| match &value.kind {
        ValueKind::String(text) => Some(text.to_string()),
        ValueKind::Number(_) | ValueKind::Bool(_) => Some(text[value.range.as_usize()].to_owned()),
        _ => None,
    };
    let mut add = |name: &str, value: String| {
        let is_name = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
        let is_fine = !name.is_empty() && name.chars().all(is_name);
        (is_fine && pairs.insert(name.to_owned(), value.into()).is_none()).then_some(())
    };
    match &element.kind {
        ValueKind::String(pair) => {
            let (name, value) = pair.split_once(if is_headers { [':', '='].as_slice() } else { ['='].as_slice() })?;
            add(name.trim(), if is_headers { value.trim() } else { value }.to_owned())
        }
        ValueKind::Object(members) => {
            let name = ["name", "key"].into_iter().find_map(|key| element.get(key)?.as_str());
            match (name, element.get("value")) {
                (Some(name), Some(value)) if members.len() == 2 => add(name, as_text(value)?),
                _ => members.iter().try_for_each(|member| add(&member.key.name, as_text(&member.value)?)),
            }
        }
        _ => None,
    }
}
