use super::places::{Places, Remedy};
use crate::model::Tool;
use crate::model::schema::{Role, Subschema};
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds `true` and `false` as the schema of a property, of an array's elements or of a branch; one finding for all of
    /// a tool. `additionalProperties` and the like have a boolean by custom.
    ///
    /// ## Why
    /// JSON Schema allows it: `true` takes everything, `false` nothing. Gemini expects an object, and refuses every
    /// request that has the tool in it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "append_rows", "description": "Append rows to the open sheet and return the count.", "inputSchema": {"type": "object", "properties": {"rows": {"type": "array", "items": true, "description": "Rows to append"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "append_rows", "description": "Append rows to the open sheet and return the count.", "inputSchema": {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "string"}, "description": "Rows to append"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: `{}`, which is the same as `true`. None for a parameter, which needs a type, and for `false`.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 core 4.3.2; github/copilot-cli issue 4623.
    "boolean-subschema", Schema, Tool(check), Warning;
    fix: Safe;
    help: "write a schema that says what is taken";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let verdicts = cx.verdicts(Feature::BooleanSubschema);
    if verdicts.is_empty() {
        return;
    }
    let schemas = tool.schemas();
    let mut places = Places::default();
    for schema in schemas {
        if let Some(takes_all) = schema.value.as_bool().filter(|_| is_read(schema)) {
            let is_parameter = matches!(schema.role, Role::Property(_))
                && schemas.parent(schema).is_some_and(|parent| matches!(parent.role, Role::Root));
            let edits = vec![Edit::replace(schema.value.range, "{}")];
            let remedy = (takes_all && !is_parameter).then(|| Remedy::new(true, edits));
            places.add(schemas.place(schema), schema.value.range, remedy);
        }
    }
    let message = |names: &str, are_several: bool| {
        format!("{names} {} a boolean for a schema", if are_several { "have" } else { "has" })
    };
    if let Some(finding) = places.report(out, message, |_| "write `{}` for `true`".to_owned()) {
        finding.note(verdicts.note());
    }
}

/// Whether a schema stands where those who mind look.
fn is_read(schema: &Subschema) -> bool {
    match schema.role {
        Role::Property(_) | Role::Named("$defs" | "definitions", _) => true,
        Role::Keyword(keyword) => matches!(keyword, "items" | "prefixItems" | "anyOf" | "oneOf" | "allOf"),
        Role::Root | Role::Named(..) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::{Safe, Unsafe};

    #[test]
    fn one_finding_a_tool() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"type": "object", "properties": {"cell": true}, "additionalProperties": false}, "y": {"items": false}}}},
                                                                                             ^^^^ `x.cell` and `y[]` have a boolean
 {"name": "b", "inputSchema": {"properties": {"x": {"default": true, "not": false, "required": true}}, "patternProperties": {"^x": true}}},
 {"name": "c", "inputSchema": {"properties": {"true": true}}}]
                                                      ^^^^ `true` has a boolean for a schema
"##,
        );
    }

    #[test]
    fn writes_the_object_that_says_the_same() {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
        check_fix(&RULE, Safe, "tools.json", &tool(r#"{"items": true}"#), &tool(r#"{"items": {}}"#));
        check_fix(
            &RULE,
            Unsafe,
            "tools.json",
            &tool(r#"{"anyOf": [true, false]}"#),
            &tool(r#"{"anyOf": [{}, false]}"#),
        );
    }
}
