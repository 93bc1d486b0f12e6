use super::members::Members;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::syntax::{Place, insert_member};

rule! {
    /// ## What it does
    /// Finds input schemas with neither `properties` nor anything else that says which parameters there are.
    ///
    /// ## Why
    /// MCP allows it, but OpenAI's API refuses an object without `properties`. Many clients add an empty one before they
    /// send the tool, and not all. `"properties": {}` says for everybody that there are no parameters.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_team", "description": "List the members of the signed-in team with their roles.", "inputSchema": {"type": "object"}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_team", "description": "List the members of the signed-in team with their roles.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: adds `"properties": {}`.
    ///
    /// ## Sources
    /// MCP 2026-07-28, schema, `Tool.inputSchema`: optional; the answer of OpenAI's API: `object schema missing
    /// properties`.
    "no-properties", Schema, Tool(check), Information;
    fix: Safe;
    help: "write `\"properties\": {}` where a tool takes no parameters";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let Some(root) = tool.schemas().iter().next() else { return };
    if !root.types.is("object") || root.has("properties") || !matches!(Members::of(root.value), Members::Unsaid) {
        return;
    }
    let verdicts = cx.verdicts(Feature::NoProperties);
    let Some(member) = tool.input_schema().filter(|_| !verdicts.is_empty()) else { return };
    let edit = insert_member(tool.text, root.value, Place::Behind(&["type"]), "properties", &serde_json::json!({}));
    out.add(member.key.range, format!("the `{}` of {} has no `properties`", member.key.name, tool.quoted()))
        .note(verdicts.note())
        .fix(Fix::safe("say that there are no parameters", vec![edit]));
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn marks_the_schema() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"type": "object", "required": []}}, {"name": "b", "inputSchema": {"type": "object", "additionalProperties": false}},
               ^^^^^^^^^^^^^ the `inputSchema` of `a` has no `properties`
 {"name": "c", "inputSchema": {}}, {"name": "d", "inputSchema": {"type": "object", "properties": {}}}, {"name": "e", "inputSchema": {"type": "object", "$ref": "#/x"}},
 {"name": "f", "inputSchema": {"type": "object", "anyOf": []}}, {"name": "g", "inputSchema": {"type": "object", "properties": null}}]
"##,
        );
    }

    #[test]
    fn they_come_behind_the_type() {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {schema}}}]"#);
        let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
        fixed(r#"{"type":"object","title":"x"}"#, r#"{"type":"object","properties":{},"title":"x"}"#);
        fixed("{\r\n  \"type\": \"object\"\r\n}", "{\r\n  \"type\": \"object\",\r\n  \"properties\": {}\r\n}");
    }
}
