use super::meta::Draft;
use crate::diagnostic::{Fix, Severity};
use crate::model::Tool;
use crate::model::schema::Subschema;
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Value, written_like};
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds arrays whose elements have a schema for each position: `items` as a list, the form of draft-07, and
    /// `prefixItems`, that of 2020-12. The first is a problem whatever draft is declared, the second a warning.
    ///
    /// ## Why
    /// Anthropic's API validates by 2020-12, where `items` is one schema, and refuses the whole request. `prefixItems` is
    /// right, but VS Code and Gemini look for `items`.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "plot_route", "description": "Draw a route between two points and return its length.", "inputSchema": {"type": "object", "properties": {"bounds": {"type": "array", "items": [{"type": "number"}, {"type": "number"}], "minItems": 2, "maxItems": 2, "description": "Lower and upper bound"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "plot_route", "description": "Draw a route between two points and return its length.", "inputSchema": {"type": "object", "properties": {"bounds": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2, "description": "Lower and upper bound"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe where all positions have the same schema and `maxItems` allows no more: one schema for all. Unsafe elsewhere:
    /// one schema, or `anyOf` of all.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 core 10.3.1; anthropics/claude-code issue 586, hyperdxio/hyperdx pull request 2925,
    /// D4Vinci/Scrapling issue 150.
    "tuple-items", Schema, Tool(check), Error;
    fix: Safe;
    help: "give all elements one schema by `items`, and their number by `minItems` and `maxItems`";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        if let Some(items) = schema.member("items").filter(|items| is_tuple(&items.value)) {
            let verdicts = cx.verdicts(Feature::ArrayFormItems);
            let is_in_draft = tool.schema().is_some_and(|root| Draft::of(root) != Draft::Draft202012);
            if !verdicts.is_empty() || !is_in_draft {
                let finding = out
                    .add(items.key.range, "`items` is a list, and JSON Schema 2020-12 has one schema there")
                    .fix(one_for_all(tool, schema, items));
                if !verdicts.is_empty() {
                    finding.note(format!("{}, whatever `$schema` says", verdicts.note()));
                }
            }
        } else if let Some(items) = schema.member("prefixItems").filter(|items| is_tuple(&items.value)) {
            let verdicts = cx.verdicts(Feature::PrefixItems);
            if !verdicts.is_empty() {
                let fix = one_for_all(tool, schema, items).filter(|_| !schema.has("items"));
                out.add_as(Severity::Warning, items.key.range, "`prefixItems` is not read by everybody")
                    .note(verdicts.note())
                    .fix(fix);
            }
        }
    }
}

/// Whether there is a schema for each position. An empty list is no tuple, and what is no schema has a rule.
pub(super) fn is_tuple(items: &Value) -> bool {
    let elements = items.elements();
    !elements.is_empty() && elements.iter().all(|element| element.is_object() || element.as_bool().is_some())
}

fn one_for_all(tool: &Tool, schema: &Subschema, items: &Member) -> Option<Fix> {
    let mut different: Vec<&Value> = Vec::new();
    let mut jsons: Vec<serde_json::Value> = Vec::new();
    for element in items.value.elements() {
        let json = element.to_json();
        if jsons.len() <= MAX_BRANCHES && !jsons.contains(&json) {
            different.push(element);
            jsons.push(json);
        }
    }
    if schema.has("additionalItems") || different.len() > MAX_BRANCHES {
        return None;
    }
    let (title, written) = match *different.as_slice() {
        [one] => ("give all elements this one schema", tool.text[one.range.as_usize()].to_owned()),
        _ => {
            let any_of = serde_json::json!({"anyOf": jsons});
            ("let every element be any of these", written_like(tool.text, schema.value, &any_of))
        }
    };
    let edits = vec![Edit::replace(items.key.range, "\"items\""), Edit::replace(items.value.range, written)];
    let most = schema.get("maxItems").and_then(Value::as_number);
    let is_bounded = most.is_some_and(|most| most <= items.value.elements().len() as f64);
    Some(if different.len() == 1 && is_bounded { Fix::safe(title, edits) } else { Fix::unsafe_(title, edits) })
}

/// Nobody writes more by hand.
const MAX_BRANCHES: usize = 16;

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::{self, Safe, Unsafe};

    #[test]
    fn marks_the_keyword() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"items": {"items": [{}, true]}}}},
                                                                                                              ^^^^^^^ whatever `$schema` says
 {"name": "b", "inputSchema": {"properties": {"x": {"prefixItems": [{"type": "string"}], "items": false}}}},
                                                    ^^^^^^^^^^^^^ VS Code leaves the tool out
 {"name": "c", "inputSchema": {"properties": {"x": {"items": []}, "y": {"prefixItems": []}, "z": {"items": [1]}, "v": {"items": true}}}}]
"##,
        );
    }

    #[test]
    fn one_schema_is_given_to_all() {
        let fixed = |applicability: Applicability, before: &str, after: &str| {
            let tool =
                |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
            check_fix(&RULE, applicability, "tools.json", &tool(before), &tool(after));
        };
        fixed(
            Safe,
            "{\r\n\t\"prefixItems\": [{ \"type\": \"number\" }, {\"type\": \"number\"}],\r\n\t\"maxItems\": 2\r\n}",
            "{\r\n\t\"items\": { \"type\": \"number\" },\r\n\t\"maxItems\": 2\r\n}",
        );
        fixed(Unsafe, r#"{"items": [{"type": "number"}]}"#, r#"{"items": {"type": "number"}}"#);
        fixed(
            Unsafe,
            r#"{"items":[{"type":"number"},{"type":"string"}],"maxItems":2}"#,
            r#"{"items":{"anyOf":[{"type":"number"},{"type":"string"}]},"maxItems":2}"#,
        );
    }
}
