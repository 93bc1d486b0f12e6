use super::breach::{Culprit, culprit, keyword, meant_type, message};
use super::meta::{Breach, Draft, breaches};
use super::tuple_items::is_tuple;
use crate::diagnostic::Fix;
use crate::model::{Form, Tool};
use crate::rules::{Context, Sink};
use crate::syntax::{Value, ValueKind, read, resolve};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds the places where an input schema is no JSON Schema: a type that does not exist, a bound that is no
    /// number, a `required` that is no list. The draft that `$schema` names decides, and 2020-12 where it names none.
    ///
    /// ## Why
    /// Whoever validates the schema first refuses the tool: SDKs when they receive the list, model providers with
    /// every request. Whoever does not ignores the keyword, and the rule that it was meant to be.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "wait", "description": "Wait before the next step and return the time.", "inputSchema": {"type": "object", "properties": {"seconds": {"type": "integer", "minimum": "1", "description": "How long to wait"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "wait", "description": "Wait before the next step and return the time.", "inputSchema": {"type": "object", "properties": {"seconds": {"type": "integer", "minimum": 1, "description": "How long to wait"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe where a number or a boolean stands in quotes, or one name in place of a list of them. A suggestion where the
    /// type that is meant is plain, as with `int` and `bool`; else what was meant is not in the list.
    ///
    /// ## Sources
    /// The meta-schemas of JSON Schema draft-04, draft-06, draft-07, 2019-09 and 2020-12; MCP 2026-07-28, server/tools:
    /// 2020-12 is the default.
    "invalid-schema", Schema, Tool(check), Error;
    fix: Unsafe;
    help: "write the keyword as JSON Schema has it";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    if let Some(schema) = tool.schema() {
        report(tool, schema, out);
    }
}

/// Adds a finding for each place where a schema of a tool is none, except for the type of its root.
pub(super) fn report(tool: &Tool, schema: &Value, out: &mut Sink) {
    let draft = Draft::of(schema);
    let mut found: Vec<(String, Breach)> = breaches(schema, draft, tool.form == Form::Function);
    // The type of the root has a rule of its own, and so has a name that is required twice.
    found.retain(|(pointer, breach)| {
        let is_required_twice = *breach == Breach::Repeated && keyword(schema, pointer) == Some("required");
        pointer != "/type" && !is_required_twice
    });
    for (pointer, breach) in &found {
        let Some(value) = resolve(schema, pointer).filter(|value| is_closed(tool.text, value)) else { continue };
        if has_rule_of_its_own(keyword(schema, pointer), value, *breach) {
            continue;
        }
        // Of a list of types, the one for which it is none.
        let culprit = culprit(value).filter(|_| keyword(schema, pointer) == Some("type"));
        let place = match culprit {
            Some(Culprit::NoType(element) | Culprit::Twice(element)) => element,
            None => value,
        };
        let finding = out.add(place.range, message(schema, pointer, value, *breach));
        match (keyword(schema, pointer), value.as_bool()) {
            (Some("required"), Some(_)) => finding.note("the object around it lists the names of what is required"),
            _ if schema.get("$schema").is_some() => finding.note(format!("`$schema` names {}", draft.name())),
            _ => finding,
        };
        if let (Some("type"), Some(meant)) = (
            keyword(schema, pointer),
            place.as_str().filter(|_| !matches!(culprit, Some(Culprit::Twice(_)))).and_then(meant_type),
        ) {
            let edit = Edit::replace(place.range, format!("\"{meant}\""));
            finding.fix(Fix::suggestion(format!("write `{meant}`"), vec![edit]));
        }
        let meant = keyword(schema, pointer)
            .filter(|_| draft != Draft::Draft4)
            .and_then(|keyword| meant_value(schema, pointer, keyword, value));
        finding.fix(meant.map(|meant| {
            Fix::unsafe_(format!("write `{}`", shown(&meant)), vec![Edit::replace(value.range, &*meant)])
        }));
    }
}

/// What a string plainly stands for where a keyword takes none: one name for a list of names that are there, a number
/// or a boolean in quotes.
fn meant_value(schema: &Value, pointer: &str, keyword: &str, value: &Value) -> Option<String> {
    let text = value.as_str()?;
    if keyword == "required" {
        let around = resolve(schema, pointer.strip_suffix("/required")?)?;
        around.get("properties")?.get(text)?;
        return Some(serde_json::json!([text]).to_string());
    }
    let is_meant = match read(text).value.kind {
        ValueKind::Number(_) if keyword.ends_with("imum") => true,
        ValueKind::Number(_) if keyword.starts_with("min") || keyword.starts_with("max") => {
            text.bytes().all(|byte| byte.is_ascii_digit())
        }
        ValueKind::Bool(_) => keyword == "uniqueItems" || keyword.starts_with("additional"),
        _ => false,
    };
    (is_meant && serde_json::from_str::<serde_json::Value>(text).is_ok()).then(|| text.to_owned())
}

/// Whether tuple-items, boolean-exclusive-bound, empty-enum or duplicate-enum says it, and how to mend it.
fn has_rule_of_its_own(keyword: Option<&str>, value: &Value, breach: Breach) -> bool {
    match keyword {
        Some("items") => is_tuple(value),
        Some("exclusiveMinimum" | "exclusiveMaximum") => value.as_bool().is_some(),
        Some("enum") => matches!(breach, Breach::Empty | Breach::Repeated),
        _ => false,
    }
}

/// Whether a list or object that is wrong for what it lacks has its end, or somebody is still typing.
fn is_closed(text: &str, value: &Value) -> bool {
    !(value.is_array() || value.is_object()) || text[value.range.as_usize()].ends_with([']', '}'])
}

#[cfg(test)]
mod tests;
