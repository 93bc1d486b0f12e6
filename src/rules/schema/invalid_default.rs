use super::keywords::{self, with_article};
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::{Subschema, Types};
use crate::rules::{Context, Sink};
use crate::syntax::{Value, ValueKind, read, without_member};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds a `default` that the schema beside it does not allow: by its type, its `enum` or its bounds. A `default` of
    /// null is left alone, since many generators write it for "none".
    ///
    /// ## Why
    /// The model reads the default as an example of what to give, and a call with it is refused. Forms in clients start
    /// with it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_orders", "description": "List the latest orders with their totals.", "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer", "default": "20", "description": "How many"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_orders", "description": "List the latest orders with their totals.", "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer", "default": 20, "description": "How many"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe where it is written as another type: `"20"` becomes 20. Unsafe elsewhere: the value of the `enum` that
    /// differs in capitals only, or no `default`.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 9.2: a default should be valid against its schema.
    "invalid-default", Schema, Tool(check), Warning;
    fix: Safe;
    help: "give a default that the schema allows, or none";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let Some(default) = schema.get("default").filter(|value| value.is_readable() && !value.is_null()) else {
            continue;
        };
        let written = shown(&tool.text[default.range.as_usize()]);
        let types = keywords::types(schema);
        let values = schema.get("enum").map(Value::elements).unwrap_or_default();
        let (message, mended) = if let Some(types) = types.filter(|types| !types.admit(default)) {
            let message = format!("the default `{written}` is {}, not {}", default.kind_name(), with_article(types));
            let mended = converted(tool.text, default, types)
                .filter(|text| values.is_empty() && broken_bound(schema, &read(text).value).is_none());
            (
                message,
                mended.map(|text| Fix::safe(format!("write `{text}`"), vec![Edit::replace(default.range, &*text)])),
            )
        } else if !values.is_empty() && !values.iter().any(|value| is_same(value, default)) {
            (format!("the default `{written}` is none of the values of the `enum`"), in_capitals(tool, values, default))
        } else if let Some((bound, limit)) = broken_bound(schema, default) {
            (format!("the default `{written}` breaks `{bound}`, which is `{}`", shown(limit)), None)
        } else {
            continue;
        };
        let index = schema.value.members().iter().rposition(|member| &*member.key.name == "default");
        let remove = index.map(|index| without_member(tool.text, schema.value, index));
        let remove = remove.map(|edits| Fix::unsafe_("remove the default", edits));
        out.add(default.range, message).fix(mended).fix(remove);
    }
}

/// The default as the type has it, where what is meant is plain.
fn converted(text: &str, default: &Value, types: Types) -> Option<String> {
    match &default.kind {
        ValueKind::String(string) => {
            let string = string.trim();
            let lower = string.to_lowercase();
            let is_boolean = types.contains("boolean") && matches!(&*lower, "true" | "false");
            let is_plain_number =
                string.parse::<f64>().is_ok_and(|number| types.contains("number") || number.fract() == 0.0)
                    && string.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'))
                    && serde_json::from_str::<serde_json::Number>(string).is_ok();
            let is_number = (types.contains("number") || types.contains("integer")) && is_plain_number;
            is_boolean.then_some(lower).or_else(|| is_number.then(|| string.to_owned()))
        }
        ValueKind::Number(_) | ValueKind::Bool(_) if types.contains("string") => {
            Some(format!("\"{}\"", &text[default.range.as_usize()]))
        }
        _ => None,
    }
}

fn is_same(value: &Value, other: &Value) -> bool {
    match (value.as_number(), other.as_number()) {
        (Some(value), Some(other)) => value == other,
        (None, None) => value.as_str() == other.as_str() && value.to_json() == other.to_json(),
        _ => false,
    }
}

/// The fix where a value of the `enum` differs in capitals only.
fn in_capitals(tool: &Tool, values: &[Value], default: &Value) -> Option<Fix> {
    let written = default.as_str()?;
    let meant = values.iter().find(|value| value.as_str().is_some_and(|text| text.eq_ignore_ascii_case(written)))?;
    let text = &tool.text[meant.range.as_usize()];
    Some(Fix::unsafe_(format!("write `{}`", shown(text)), vec![Edit::replace(default.range, text)]))
}

/// The bound that the default breaks, with its limit as it is written.
fn broken_bound<'v>(schema: &Subschema<'v>, default: &Value) -> Option<(&'static str, &'v str)> {
    let number = default.as_number();
    let length = default.as_str().map(|text| text.chars().count() as f64);
    let count = default.is_array().then(|| default.elements().len() as f64);
    // What is measured, and how it compares to the limit when it breaks the bound.
    let bounds = [
        ("minimum", number, f64::lt as fn(&f64, &f64) -> bool),
        ("maximum", number, f64::gt),
        ("exclusiveMinimum", number, f64::le),
        ("exclusiveMaximum", number, f64::ge),
        ("minLength", length, f64::lt),
        ("maxLength", length, f64::gt),
        ("minItems", count, f64::lt),
        ("maxItems", count, f64::gt),
    ];
    bounds.into_iter().find_map(|(keyword, measured, is_beyond)| {
        let ValueKind::Number(written) = &schema.get(keyword)?.kind else { return None };
        let (measured, limit) = (measured?, written.parse::<f64>().ok()?);
        is_beyond(&measured, &limit).then_some((keyword, &**written))
    })
}

#[cfg(test)]
mod tests;
