use super::meta::Draft;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::Subschema;
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::syntax::{Value, ValueKind, without_member};
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds `exclusiveMinimum` and `exclusiveMaximum` with a boolean, the form of draft-04.
    ///
    /// ## Why
    /// Since draft-06 it is the bound itself. By 2020-12, MCP's default, the schema is invalid, and Anthropic's API refuses
    /// the whole request, whatever draft is declared. OpenAPI 3.0 and its generators still have the old form.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "set_expiry", "description": "Set the lifetime of a cache entry and return the old one.", "inputSchema": {"type": "object", "properties": {"ttl": {"type": "integer", "minimum": 0, "exclusiveMinimum": true, "description": "Seconds to live"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "set_expiry", "description": "Set the lifetime of a cache entry and return the old one.", "inputSchema": {"type": "object", "properties": {"ttl": {"type": "integer", "exclusiveMinimum": 0, "description": "Seconds to live"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: moves the number of `minimum` or `maximum` there; removes a `false`, which says nothing. Unsafe: removes a
    /// `true` that has no bound beside it.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.2.3 and 6.2.5; draft-04 validation 5.1.3; Dokploy/mcp issue 74.
    "boolean-exclusive-bound", Schema, Tool(check), Error;
    fix: Safe;
    help: "write the bound itself there, and take `minimum` or `maximum` out";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let has_old_form = tool.schema().is_some_and(|root| Draft::of(root) == Draft::Draft4);
    let verdicts = cx.verdicts(Feature::BooleanBound);
    if has_old_form && verdicts.is_empty() {
        return;
    }
    for schema in tool.schemas() {
        for (keyword, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            let Some((value, is_exclusive)) = schema.get(keyword).and_then(|value| Some((value, value.as_bool()?)))
            else {
                continue;
            };
            let fix = fix(tool.text, schema, keyword, bound, is_exclusive).filter(|_| !has_old_form);
            let finding = out.add(value.range, format!("`{keyword}` has to be a number, not a boolean")).fix(fix);
            finding.note("only draft-04 has a boolean here; since then it is the bound itself");
            if !verdicts.is_empty() {
                finding.note(verdicts.note());
            }
        }
    }
}

fn fix(text: &str, schema: &Subschema, keyword: &str, bound: &str, is_exclusive: bool) -> Option<Fix> {
    let without = |keyword: &str| {
        let index = schema.value.members().iter().rposition(|member| &*member.key.name == keyword)?;
        Some(without_member(text, schema.value, index))
    };
    let is_number = |value: &&Value| matches!(value.kind, ValueKind::Number(_));
    match schema.get(bound).filter(is_number) {
        _ if !is_exclusive => Some(Fix::safe(format!("remove `{keyword}`, which says nothing"), without(keyword)?)),
        None => Some(Fix::unsafe_(format!("remove `{keyword}`, which has no bound"), without(keyword)?)),
        Some(number) => {
            let written = &text[number.range.as_usize()];
            let mut edits = vec![Edit::replace(schema.get(keyword)?.range, written)];
            edits.extend(without(bound)?);
            Some(Fix::safe(format!("write the bound as `\"{keyword}\": {written}`"), edits))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::{self, Safe, Unsafe};

    #[test]
    fn marks_the_boolean() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"x": {"minimum": 0, "exclusiveMinimum": true}}}},
                                                                                                                                            ^^^^ Anthropic refuses
 {"name": "b", "inputSchema": {"properties": {"x": {"exclusiveMaximum": false}, "exclusiveMinimum": {"const": true}, "y": {"exclusiveMinimum": "1"}}}}]
                                                                        ^^^^^
"##,
        );
    }

    #[test]
    fn the_bound_moves() {
        let fixed = |applicability: Applicability, before: &str, after: &str| {
            let tool =
                |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
            check_fix(&RULE, applicability, "tools.json", &tool(before), &tool(after));
        };
        fixed(Safe, r#"{"exclusiveMinimum": true, "minimum": 0.50}"#, r#"{"exclusiveMinimum": 0.50}"#);
        fixed(
            Safe,
            "{\r\n\t\"maximum\": 1,\r\n\t\"exclusiveMaximum\": true\r\n}",
            "{\r\n\t\"exclusiveMaximum\": 1\r\n}",
        );
        fixed(Safe, r#"{"minimum": 0, "exclusiveMinimum": false}"#, r#"{"minimum": 0}"#);
        fixed(Unsafe, r#"{"minimum": "0", "exclusiveMinimum": true}"#, r#"{"minimum": "0"}"#);
    }
}
