//! What OpenAI's models read of tools: a TypeScript namespace.
//!
//! The rendering was found by comparing counts with those that OpenAI's API reported for recorded requests in public
//! repositories. With it, all 39 requests to GPT-5 models come out within 2 tokens; of 22 to GPT-4o and GPT-4.1 models 17
//! do, the worst 8 of 398 and 6 of 212: descriptions of several lines are counted a little too high there. The counts in
//! the tests of the npm package openai-chat-tokens and in OpenAI's cookbook are met exactly. Beyond the text every request
//! costs a constant that depends on the API and the model, not on the tools: 7 (responses) or 89 (chat completions) on
//! GPT-5, 3 to 9 before. [`super::Model::overhead`] has the one of the responses API.
//!
//! What the text does not show, the model does not see, and it costs nothing: `format`, `pattern`, bounds, `default`,
//! `title`, `additionalProperties`, `$ref`, and the descriptions inside nested objects. A schema without a plain `type`
//! becomes `undefined`.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::Declaration;
use super::page::{self, Page, Subject};
use crate::syntax::{Value, ValueKind};

/// Schemas nested deeper than this are cut off as `any`. A guard of the stack; OpenAI itself takes 10 levels.
const MAX_NESTING: usize = 64;

/// The text of one tool, up to and including the empty line after it.
pub fn tool_text(name: &str, description: Option<&str>, parameters: Option<&Value>) -> String {
    let mut page = Page::default();
    write(&Declaration { name, description, schema: parameters, schema_key: "" }, true, &mut page);
    page.text
}

/// Writes a tool. Models before GPT-5 are not shown the description of the whole schema: with it, one of the counts that
/// the tests of the npm package openai-chat-tokens took from the API would be 7 too high, and without it all are exact.
pub(super) fn write(tool: &Declaration, shows_root: bool, page: &mut Page) {
    let Declaration { name, description, schema, .. } = tool;
    if let Some(description) = description.filter(|text| !text.is_empty()) {
        _ = writeln!(page.text, "// {description}");
        page.note(Subject::Description, 0);
    }
    match schema.filter(|schema| schema.get("properties").is_some_and(|value| !value.members().is_empty())) {
        Some(schema) => {
            _ = write!(page.text, "type {name} = (_: ");
            if let Some(description) = page::description(schema).filter(|_| shows_root) {
                _ = writeln!(page.text, "// {description}");
            }
            page.push("{\n");
            write_properties(schema, 0, 0, page);
            page.push("\n}) => any;\n\n");
        }
        None => _ = write!(page.text, "type {name} = () => any;\n\n"),
    }
}

/// The text of a list of tools, given the texts of these.
pub fn list_text<T: AsRef<str>>(tool_texts: &[T]) -> String {
    let mut out = String::from("namespace functions {\n\n");
    for text in tool_texts {
        out.push_str(text.as_ref());
    }
    out.push_str("} // namespace functions");
    out
}

/// The tokens of a list beyond those that its tools add: the namespace around them, counted.
pub(super) const NAMESPACE_TOKENS: usize = 7;

/// The tokens that a tool adds to a list. In a list, the slashes before a description are one token with the end of
/// what stands before; a test holds that the sum is exact.
pub fn tool_tokens(tool_text: &str, text_tokens: usize) -> usize {
    text_tokens.saturating_sub(usize::from(tool_text.starts_with("//")))
}

/// The tokens of a list; none for an empty one, which is not sent.
pub fn list_tokens(tool_tokens: &[usize]) -> usize {
    if tool_tokens.is_empty() { 0 } else { NAMESPACE_TOKENS + tool_tokens.iter().sum::<usize>() }
}

/// Writes the properties of an object, one a line without a line break after the last. Only the first line of each
/// is indented. `indent` counts the spaces, two for each object around; `nesting` the schemas around.
fn write_properties(schema: &Value, indent: usize, nesting: usize, page: &mut Page) {
    let required: HashSet<&str> =
        schema.get("required").map(Value::elements).unwrap_or_default().iter().filter_map(Value::as_str).collect();
    let mut separator = "";
    for member in page::properties(schema) {
        let (name, property) = (&*member.key.name, &member.value);
        let start = page.text.len();
        page.push(separator);
        // One token with the line break and the slashes after it, so that a part has to have all of them.
        separator = ",\n";
        if indent == 0
            && let Some(description) = page::description(property)
        {
            _ = writeln!(page.text, "// {description}");
        }
        let optional = if required.contains(name) { "" } else { "?" };
        _ = write!(page.text, "{:indent$}{name}{optional}: ", "");
        write_type(property, indent, nesting + 1, page);
        page.note(Subject::of(property), start);
    }
    if !separator.is_empty() {
        page.push(",");
    }
}

/// Writes the type of a schema that stands in an object with this `indent`.
fn write_type(schema: &Value, indent: usize, nesting: usize, page: &mut Page) {
    if nesting > MAX_NESTING {
        page.push("any");
        return;
    }
    if let Some(variants) = schema.get("anyOf").filter(|variants| variants.is_array()) {
        for (at, variant) in variants.elements().iter().enumerate() {
            page.push(if at == 0 { "" } else { " | " });
            write_type(variant, indent, nesting + 1, page);
        }
        return;
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => write_choices(page::choices(schema), "\"", "string", page),
        Some("number" | "integer") => write_choices(page::choices(schema), "", "number", page),
        Some(kind @ ("boolean" | "null")) => page.push(kind),
        Some("object") => {
            page.push("{\n");
            write_properties(schema, indent + 2, nesting, page);
            page.push("\n}");
        }
        Some("array") => {
            match schema.get("items").filter(|items| !items.members().is_empty()) {
                Some(items) => write_type(items, indent, nesting + 1, page),
                None => page.push("any"),
            }
            page.push("[]");
        }
        _ => page.push("undefined"),
    }
}

/// Writes the values of an `enum`, each between `quote`s, or `otherwise` if there are none.
fn write_choices(choices: Option<&Value>, quote: &str, otherwise: &str, page: &mut Page) {
    let Some(choices) = choices else {
        page.push(otherwise);
        return;
    };
    let start = page.text.len();
    for (at, choice) in choices.elements().iter().enumerate() {
        page.push(if at == 0 { "" } else { " | " });
        page.push(quote);
        match &choice.kind {
            ValueKind::String(text) | ValueKind::Number(text) => page.push(text),
            // Python's words: the reference that the counts were compared with is written in it.
            ValueKind::Null => page.push("None"),
            ValueKind::Bool(true) => page.push("True"),
            ValueKind::Bool(false) => page.push("False"),
            _ => page.push("any"),
        }
        page.push(quote);
    }
    page.note(Subject::of(choices), start);
}

#[cfg(test)]
mod tests;
