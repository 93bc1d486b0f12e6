//! First drafts of descriptions, made of what the declaration says already; for a person to finish.

use crate::model::Tool;
use crate::model::schema::{Types, followed};
use crate::rules::verbs::{self, Effect};
use crate::syntax::{Member, Value};
use crate::text::words;

/// Parameters, or values of an enum, that a draft lists.
const LISTED: usize = 6;
/// Shorter drafts say what comes back, too.
const SHORT: usize = 30;

/// A sentence about a tool: `Get weather for the given `city` and `units`.` None of one without a name.
pub(super) fn tool(tool: &Tool) -> Option<String> {
    let title = || tool.declaration.get("title").and_then(Value::as_str);
    let name = tool.name().map(|(name, _)| name).or_else(title)?;
    let mut draft = capitalised(&words(name).join(" "));
    if draft.is_empty() {
        return None;
    }
    let parameters: Vec<String> =
        tool.parameters().iter().take(LISTED).map(|parameter| code(&parameter.key.name)).collect();
    if !parameters.is_empty() {
        let more = if tool.parameters().len() > LISTED { ", among others" } else { "" };
        draft.push_str(&format!(" for the given {}{more}", listed(&parameters, "and")));
    }
    if draft.len() < SHORT {
        draft.push_str(" and return the result");
    }
    Some(draft + ".")
}

/// A sentence about a parameter: `Units: one of `metric` and `imperial`; `metric` by default.` None where that would say no
/// more than the name.
pub(super) fn parameter(parameter: &Member, root: &Value) -> Option<String> {
    let schema = followed(&parameter.value, root);
    let name = &parameter.key.name;
    let bare = capitalised(&words(name).join(" "));
    let mut draft = subject(name, schema).unwrap_or_else(|| bare.clone());
    let values: Vec<String> =
        schema.get("enum").map(Value::elements).unwrap_or_default().iter().filter_map(scalar).collect();
    match values.len() {
        0 => {}
        1 => draft.push_str(&format!(": always {}", values[0])),
        2..=LISTED => draft.push_str(&format!(": {}", listed(&values, "or"))),
        _ => draft.push_str(": one of the listed values"),
    }
    if let Some(form) = schema.get("format").and_then(Value::as_str).and_then(format_in_words) {
        draft.push_str(form);
    }
    let default = parameter.value.get("default").or_else(|| schema.get("default")).and_then(scalar);
    if let Some(default) = default {
        draft.push_str(&format!("; {default} by default"));
    }
    (draft != bare).then(|| draft + ".")
}

/// What the parameter is, by its name and type, where they tell.
fn subject(name: &str, schema: &Value) -> Option<String> {
    let types = Types::of(schema);
    let is = |name: &str| types.contains(name);
    let phrase = |words: &[String]| words.join(" ");
    Some(match words(name).as_slice() {
        [] => return None,
        [id] if id == "id" => "Identifier".to_owned(),
        [id] if id == "ids" => "Identifiers".to_owned(),
        [owner @ .., id] if id == "id" => format!("Identifier of the {}", phrase(owner)),
        [owner @ .., id] if id == "ids" => format!("Identifiers of the {}s", phrase(owner).trim_end_matches('s')),
        words @ [verb, ..] if is("boolean") && verbs::effect(verb).is_some_and(|effect| effect != Effect::Reads) => {
            format!("Whether to {}", phrase(words))
        }
        words @ [verb, _, ..] if is("boolean") && matches!(verb.as_str(), "is" | "has") => {
            format!("Whether it {}", phrase(words))
        }
        _ if is("boolean") => format!("Whether `{name}` is on"),
        words if is("array") => format!("List of {}", phrase(words)),
        [what @ .., unit] if unit == "ms" && !what.is_empty() => {
            format!("{}, in milliseconds", capitalised(&phrase(what)))
        }
        [prefix, rest @ ..] if prefix == "max" && !rest.is_empty() => format!("Largest {}", phrase(rest)),
        [prefix, rest @ ..] if prefix == "min" && !rest.is_empty() => format!("Smallest {}", phrase(rest)),
        _ => return None,
    })
}

fn format_in_words(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => ", a date such as `2026-01-31`",
        "date-time" => ", a date and time such as `2026-01-31T09:30:00Z`",
        "time" => ", a time such as `09:30:00Z`",
        "duration" => ", a duration such as `PT30M`",
        "email" => ", an email address",
        "uri" | "url" => ", a URL",
        "uuid" => ", a UUID",
        "ipv4" | "ipv6" => ", an IP address",
        "hostname" => ", a host name",
        _ => return None,
    })
}

/// A string, number or boolean as it goes into a sentence.
fn scalar(value: &Value) -> Option<String> {
    match value.to_json() {
        serde_json::Value::String(text) if text.is_empty() || text.chars().count() > 40 => None,
        serde_json::Value::String(text) => Some(code(&text)),
        other @ (serde_json::Value::Number(_) | serde_json::Value::Bool(_)) => Some(code(&other.to_string())),
        _ => None,
    }
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// `a, b and c`.
fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., end] => format!("{} {last} {end}", head.join(", ")),
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Form;
    use crate::syntax::read;

    #[test]
    fn a_tool_is_described_by_its_name_and_parameters() {
        let draft = |text: &str| tool(&Tool::new(text, &read(text).value, Form::Mcp));
        let some = |text: &str| Some(text.to_owned());
        let schema = r#""inputSchema": {"properties": {"city": {}, "units": {}}}"#;
        assert_eq!(
            draft(&format!(r#"{{"name": "getWeather", {schema}}}"#)),
            some("Get weather for the given `city` and `units`.")
        );
        assert_eq!(draft(r#"{"name": "run"}"#), some("Run and return the result."));
        assert_eq!(draft(r#"{"title": "List Files"}"#), some("List files and return the result."));
        assert_eq!(draft(r#"{"name": "__", "inputSchema": {"properties": {"a": {}}}}"#), None);
        assert_eq!(draft("{}"), None);
    }

    #[test]
    fn a_parameter_is_described_by_its_schema() {
        let draft = |text: &str| {
            let value = read(text).value;
            parameter(&value.members()[0], &value).unwrap_or_default()
        };
        assert_eq!(
            draft(r#"{"units": {"enum": ["metric", "imperial"], "default": "metric"}}"#),
            "Units: `metric` or `imperial`; `metric` by default."
        );
        assert_eq!(draft(r#"{"user_id": {"type": "string", "format": "uuid"}}"#), "Identifier of the user, a UUID.");
        assert_eq!(draft(r#"{"repoIds": {"type": "array"}}"#), "Identifiers of the repos.");
        assert_eq!(draft(r#"{"include_archived": {"type": "boolean"}}"#), "Whether to include archived.");
        assert_eq!(
            draft(r#"{"verbose": {"type": "boolean", "default": false}}"#),
            "Whether `verbose` is on; `false` by default."
        );
        assert_eq!(
            draft(r#"{"max_results": {"type": "integer", "default": 10}}"#),
            "Largest results; `10` by default."
        );
        assert_eq!(draft(r##"{"q": {"$ref": "#/d"}, "d": {"format": "date"}}"##), "Q, a date such as `2026-01-31`.");
        assert_eq!(draft(r#"{"search_query": {"type": "string"}}"#), "");
        assert_eq!(draft(r#"{"__": {}}"#), "");
        assert_eq!(draft(r#"{"n": {"default": 3}}"#), "N; `3` by default.");
    }
}
