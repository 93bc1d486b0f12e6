use super::members::Members;
use super::strays::Strays;
use super::unknown_schema_keyword::is_misspelt;
use crate::diagnostic::{Fix, Severity};
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
    /// Safe: adds `"properties": {}`. A suggestion, where parameters stand outside `properties`, which is a warning: puts
    /// them there.
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
    // A slip for `properties` is another rule's, and is renamed first.
    if !root.types.is("object") || root.has("properties") || is_misspelt(root.value, "properties") {
        return;
    }
    let strays = Strays::of(root.value);
    if let Some(strays) = &strays
        && let (Some(member), Some(message)) = (tool.input_schema(), strays.message())
    {
        out.add_as(
            Severity::Warning,
            member.key.range,
            format!("{message} in the `{}` of {}", member.key.name, tool.quoted()),
        )
        .note("JSON Schema ignores keys that it does not know: whoever reads this sees no parameters")
        .fix(strays.fix(tool));
        return;
    }
    if !matches!(Members::of(root.value), Members::Unsaid) {
        return;
    }
    let (Some(verdicts), Some(member)) = (cx.verdicts(Feature::NoProperties), tool.input_schema()) else { return };
    let edit = insert_member(tool.text, root.value, Place::Behind(&["type"]), "properties", &serde_json::json!({}));
    out.add(member.key.range, format!("the `{}` of {} has no `properties`", member.key.name, tool.quoted()))
        .note(verdicts.note())
        .fix(strays.is_none().then(|| Fix::safe("say that there are no parameters", vec![edit])));
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::{Safe, Suggestion};

    #[test]
    fn marks_the_schema() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"type": "object", "required": []}}, {"name": "b", "inputSchema": {"type": "object", "additionalProperties": false}},
               ^^^^^^^^^^^^^ the `inputSchema` of `a` has no `properties`
 {"name": "c", "inputSchema": {}}, {"name": "d", "inputSchema": {"type": "object", "properties": {}}}, {"name": "e", "inputSchema": {"type": "object", "$ref": "#/x"}},
 {"name": "f", "inputSchema": {"type": "object", "anyOf": []}}, {"name": "g", "inputSchema": {"type": "object", "properties": null}},
 {"name": "h", "inputSchema": {"type": "object", "a": {"type": "string"}, "b": {"enum": [1]}}}, {"name": "i", "inputSchema": {"type": "object", "propertys": {"a": {}}}},
               ^^^^^^^^^^^^^ `a` and 1 more stand outside `properties` in the `inputSchema` of `h`
 {"name": "j", "inputSchema": {"type": "object", "property": {"a": {"type": "string"}}}}, {"name": "k", "inputSchema": {"type": "object", "_def": {"a": 1}}}]
               ^^^^^^^^^^^^^ `property` is no keyword of a schema
                                                                                                        ^^^^^^^^^^^^^ has no `properties`
"##,
        );
    }

    #[test]
    fn they_come_behind_the_type() {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {schema}}}]"#);
        let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
        fixed(r#"{"type":"object","title":"x"}"#, r#"{"type":"object","properties":{},"title":"x"}"#);
        check_fix(
            &RULE,
            Suggestion,
            "tools.json",
            &tool("{\n  \"type\": \"object\",\n  \"a\": {\"type\": \"string\"}\n}"),
            &tool("{\n  \"type\": \"object\",\n  \"properties\": {\"a\": {\"type\": \"string\"}}\n}"),
        );
        fixed("{\r\n  \"type\": \"object\"\r\n}", "{\r\n  \"type\": \"object\",\r\n  \"properties\": {}\r\n}");
    }
}
