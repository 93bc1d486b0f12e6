use crate::diagnostic::Anchor;
use crate::model;
use crate::rules::annotation::HINTS;
use crate::rules::{Context, Probed, Sink};
use crate::syntax::{self, Value, ValueKind};
use crate::text::{TextRange, shown};

rule! {
    /// ## What it does
    /// Counts the tools that a server lists in another form than MCP's: elements that are no objects, tools without a
    /// name or an input schema of an object, and values of the wrong type where programs look. `null` is left alone
    /// where a key may be missing.
    ///
    /// ## Why
    /// Clients made with a typed SDK check the answer as a whole: for one such tool they lose every tool of the server,
    /// and some show a server that is connected and has none. Other clients leave such tools out.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"tools": [{"name": "find_notes", "inputSchema": {}}, {"name": "read_note", "inputSchema": {"type": "object"}}]}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": [{"name": "find_notes", "inputSchema": {"type": "object"}}, {"name": "read_note", "inputSchema": {"type": "object"}}]}}
    /// ```
    ///
    /// ## Fix
    /// None: the server sends the list. In the saved list each place has its own finding, by the rule that it is about.
    ///
    /// ## Sources
    /// MCP 2026-07-28, schema, `Tool`; `ToolSchema` of the TypeScript SDK 1.x; anthropics/claude-code issue 88049,
    /// zereight/gitlab-mcp issue 286.
    "malformed-tool", Probe, Probe(check), Error;
    help: "mend these tools in the server, or update it; each place in the saved list says what is wrong";
    since: "0.1.0";
}

/// Tools that the message names.
const NAMED: usize = 3;
/// Places in the saved list that are told.
const MAX_PLACES: usize = 20;

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let Some(source) = probed.source else { return };
    let text = String::from(&source.text);
    // Tools stay folded in the outline and are read one after another, since a list may be large.
    let outline = model::outline(&text);
    let tools = outline.value.get("tools").map(Value::elements).unwrap_or_default();
    let malformed: Vec<Malformed> =
        tools.iter().filter(|it| it.is_readable()).filter_map(|element| Malformed::of(&text, element)).collect();
    if malformed.is_empty() {
        return;
    }
    let (count, all) = (malformed.len(), tools.len());
    let are = if count == 1 { "is" } else { "are" };
    let which = listed(&malformed);
    let message = format!("{count} of {all} tools {are} malformed ({which}): a strict client loses the whole list");
    let finding = out.add(probed.range, message);
    finding.note("clients made with a typed SDK check the answer as a whole; others leave these tools out");
    let anchor = if probed.in_config { Anchor::Document(source.clone()) } else { Anchor::Own };
    for Malformed { name, range, what } in malformed.iter().take(MAX_PLACES) {
        finding.related_at(anchor.clone(), *range, format!("{} {what}", name.as_deref().unwrap_or("this one")));
    }
}

/// `` `a`, `b` and 2 without a name ``
fn listed(malformed: &[Malformed]) -> String {
    let names: Vec<&str> = malformed.iter().filter_map(|it| it.name.as_deref()).collect();
    let mut parts: Vec<String> = names.iter().take(NAMED).map(|name| (*name).to_owned()).collect();
    parts.extend(match malformed.len() - names.len() {
        0 => None,
        nameless => Some(if nameless == 1 { "one".to_owned() } else { nameless.to_string() } + " without a name"),
    });
    parts.extend(names.len().checked_sub(NAMED + 1).map(|more| format!("{} more", more + 1)));
    let last = parts.pop().unwrap_or_default();
    if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) }
}

/// A tool that typed SDKs refuse.
struct Malformed {
    /// Its name, for messages.
    name: Option<String>,
    /// What is wrong, from the start of the list's text.
    range: TextRange,
    /// The first thing that is wrong, to follow the name.
    what: String,
}

impl Malformed {
    fn of(text: &str, element: &Value) -> Option<Malformed> {
        let is_object = element.is_object() || matches!(&element.kind, ValueKind::Folded(folded) if folded.is_object);
        if !is_object {
            let what = format!("is {}, not an object", element.kind_name());
            return Some(Malformed { name: None, range: element.range, what });
        }
        let tool = syntax::read(&text[element.range.as_usize()]).value;
        let (range, what) = flaw(&tool)?;
        let name = tool.get("name").and_then(Value::as_str).map(|name| format!("`{}`", shown(name)));
        Some(Malformed { name, range: range.shifted(element.range.start), what })
    }
}

/// What a key of a tool has to hold: whether there has to be one, its value in words to follow "needs", and as a test.
type Expected = (&'static str, bool, &'static str, fn(&Value) -> bool);

/// Source: MCP 2025-11-25, schema, `Tool`; what 2026-07-28 newly allows is right, too.
const EXPECTED: [Expected; 7] = [
    ("name", true, "a string", is_string),
    ("inputSchema", true, "a schema with `\"type\": \"object\"`", is_object_schema),
    ("outputSchema", false, "a schema with a `type`", |value| value.get("type").is_some()),
    ("title", false, "a string", is_string),
    ("description", false, "a string", is_string),
    ("annotations", false, "an object whose hints are `true` or `false`", are_annotations),
    ("_meta", false, "an object", Value::is_object),
];

/// The first thing in a tool that is not as it has to be: where, and what.
fn flaw(tool: &Value) -> Option<(TextRange, String)> {
    EXPECTED.iter().find_map(|(key, is_required, what, is_right)| match tool.get(key) {
        None => is_required.then(|| (tool.opening(), format!("has no `{key}`"))),
        Some(value) if value.is_null() => is_required.then(|| (value.range, format!("has null as its `{key}`"))),
        Some(value) if value.is_readable() && !is_right(value) => {
            Some((value.range, format!("needs {what} as its `{key}`")))
        }
        Some(_) => None,
    })
}

fn is_string(value: &Value) -> bool {
    value.as_str().is_some()
}

fn is_object_schema(schema: &Value) -> bool {
    let is = |key: &str, is_right: fn(&Value) -> bool| {
        schema.get(key).is_none_or(|value| value.is_null() || !value.is_readable() || is_right(value))
    };
    schema.get("type").is_some_and(|kind| kind.as_str() == Some("object") || !kind.is_readable())
        && is("properties", Value::is_object)
        && is("required", |value| value.is_array() && value.elements().iter().all(is_string))
}

fn are_annotations(value: &Value) -> bool {
    let is_hint = |hint: &Value| hint.as_bool().is_some() || hint.is_null() || !hint.is_readable();
    value.is_object() && HINTS.iter().all(|hint| value.get(hint).is_none_or(is_hint))
}

#[cfg(test)]
mod tests;
