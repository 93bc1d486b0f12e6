use super::members::Members;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::syntax::Value;
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds input schemas that name no parameter and take any: with `additionalProperties` beside no
    /// `properties`.
    ///
    /// ## Why
    /// The model is told that it may give arguments, and not which. It invents some, and the server drops or refuses
    /// them.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "run_report", "description": "Run the monthly report and return it as text.", "inputSchema": {"type": "object", "properties": {}, "additionalProperties": true}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "run_report", "description": "Run the monthly report and return it as text.", "inputSchema": {"type": "object", "properties": {"month": {"type": "string", "description": "Month, such as 2026-03"}}}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion: say that there are no parameters. Where there are some, name them under `properties`.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 core 10.3.2; MCP 2026-07-28, server/tools, on tools without parameters.
    "accepts-any-object", Schema, Tool(check), Warning;
    fix: Suggestion;
    help: "name the parameters under `properties`, or say that there are none";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(schema) = tool.schema() else { return };
    if !schema.get("properties").is_none_or(Value::is_object) {
        return;
    }
    if let Members::Any(member) | Members::Typed(member) = Members::of(schema) {
        let message = format!("{} names no parameter, and takes arguments of any name", tool.quoted());
        out.add(member.key.range, message)
            .fix(Fix::suggestion("say that there are no parameters", vec![Edit::replace(member.value.range, "false")]));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_what_takes_any() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"type": "object", "additionalProperties": {"type": "string"}}}, {"name": "b", "inputSchema": {}},
                                                 ^^^^^^^^^^^^^^^^^^^^^^ `a` names no parameter
 {"name": "c", "inputSchema": {"type": "object"}}, {"name": "d", "inputSchema": {"type": "object", "properties": {"x": {}}, "additionalProperties": true}},
 {"name": "e", "inputSchema": {"type": "object", "additionalProperties": false}}, {"name": "f", "inputSchema": {"additionalProperties": true, "$ref": "#/x"}}]
"##,
        );
    }

    #[test]
    fn none_may_be_meant() {
        let tool = |schema: &str| format!(r#"[{{"name":"a","inputSchema":{schema}}}]"#);
        let fixed = |before: &str, after: &str| check_fix(&RULE, Suggestion, "tools.json", &tool(before), &tool(after));
        fixed(r#"{"additionalProperties": {}}"#, r#"{"additionalProperties": false}"#);
    }
}
