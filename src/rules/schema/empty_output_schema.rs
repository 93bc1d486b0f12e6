use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::syntax::{Value, without_member};

rule! {
    /// ## What it does
    /// Finds output schemas of an object that say nothing of what is in it.
    ///
    /// ## Why
    /// With an output schema, however empty, every call has to answer with structured content: clients refuse a result
    /// that is text alone. And the schema tells nobody anything. Mostly some framework made it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "get_report", "description": "Return the report of one month as text.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object"}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "get_report", "description": "Return the report of one month as text.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe: removes it. The server must not have relied on it.
    ///
    /// ## Sources
    /// MCP 2026-07-28, server/tools: servers must provide structured results that conform to the schema;
    /// rekog-labs/MCP-Nest issue 79.
    "empty-output-schema", Schema, Tool(check), Information;
    fix: Unsafe;
    help: "remove the output schema, or say what the result holds";
    since: "0.1.0";
}

/// Keywords that say nothing of what is in an object.
const SILENT: &[&str] = &["$comment", "$id", "$schema", "description", "title", "type"];

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let members = tool.declaration.members();
    let Some(index) = members.iter().rposition(|member| &*member.key.name == "outputSchema") else { return };
    let member = &members[index];
    let is_silent = |member: &crate::syntax::Member| match &*member.key.name {
        "properties" | "required" => member.value.members().is_empty() && member.value.elements().is_empty(),
        "additionalProperties" => member.value.as_bool().is_some(),
        keyword => SILENT.contains(&keyword),
    };
    // One without `type` is invalid-output-schema's.
    let is_object = member.value.get("type").and_then(Value::as_str) == Some("object");
    if is_object && member.value.members().iter().all(is_silent) {
        out.add(member.key.range, format!("the `outputSchema` of {} says nothing of the result", tool.quoted()))
            .note("every call now has to answer with structured content, and clients refuse text alone")
            .fix(Fix::unsafe_("remove it", without_member(tool.text, tool.declaration, index)));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Unsafe;

    #[test]
    fn marks_the_key() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {}, "outputSchema": {"type": "object", "$schema": "x"}}, {"name": "b", "inputSchema": {}, "outputSchema": {"type": "object", "properties": {}, "additionalProperties": false}},
                                  ^^^^^^^^^^^^^^ the `outputSchema` of `a`
                                                                                                                        ^^^^^^^^^^^^^^
 {"name": "c", "inputSchema": {}, "outputSchema": {"type": "object", "additionalProperties": {"type": "string"}}}, {"name": "d", "inputSchema": {}, "outputSchema": {"type": "array"}},
 {"name": "e", "inputSchema": {}, "outputSchema": {"type": "object", "$ref": "x"}}, {"name": "f", "inputSchema": {}, "outputSchema": {}}, {"name": "g", "inputSchema": {}}]
"#,
        );
    }

    #[test]
    fn removes_it() {
        let (before, after) = (
            r#"[{"name": "a", "inputSchema": {}, "outputSchema": {"type": "object"}}]"#,
            r#"[{"name": "a", "inputSchema": {}}]"#,
        );
        check_fix(&RULE, Unsafe, "tools.json", before, after);
    }
}
