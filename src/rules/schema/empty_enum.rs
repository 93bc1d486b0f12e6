use crate::diagnostic::{Fix, Severity};
use crate::model::Tool;
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::syntax::{without_element, without_member};

rule! {
    /// ## What it does
    /// Finds an `enum` that is empty, a problem, and one with an empty string among its values, a warning.
    ///
    /// ## Why
    /// An empty `enum` allows nothing: no call can be right. An empty string fails every request to Gemini that has the
    /// tool in it, and a model rarely knows what it stands for.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "create_rule", "description": "Create a rule from a template and return its number.", "inputSchema": {"type": "object", "properties": {"template": {"type": "string", "enum": [], "description": "Template to start from"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "create_rule", "description": "Create a rule from a template and return its number.", "inputSchema": {"type": "object", "properties": {"template": {"type": "string", "description": "Template to start from"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe: removes the `enum`, or the empty string: leave the parameter out where it stands for nothing.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.1.2: an `enum` should not be empty; sbroenne/mcp-server-excel issue 607.
    "empty-enum", Schema, Tool(check), Error;
    fix: Unsafe;
    help: "list the values that are allowed, without empty ones";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let Some(index) = schema.value.members().iter().rposition(|member| &*member.key.name == "enum") else {
            continue;
        };
        let member = &schema.value.members()[index];
        let values = member.value.elements();
        let is_closed = tool.text[member.value.range.as_usize()].ends_with(']');
        if values.is_empty() && member.value.is_array() && is_closed {
            let edits = without_member(tool.text, schema.value, index);
            out.add(member.key.range, "this `enum` is empty: no value is allowed")
                .fix(Fix::unsafe_("remove the `enum`", edits));
            continue;
        }
        let is_empty = |text: Option<&str>| text.is_some_and(str::is_empty);
        let Some(at) = values.iter().position(|value| is_empty(value.as_str())) else { continue };
        let verdicts = cx.verdicts(Feature::EmptyEnumValue);
        if verdicts.is_empty() {
            continue;
        }
        let may_go = values.len() > 1 && !is_empty(schema.get("default").and_then(|value| value.as_str()));
        let fix =
            may_go.then(|| Fix::unsafe_("remove the empty string", without_element(tool.text, &member.value, at)));
        out.add_as(Severity::Warning, values[at].range, "a value of this `enum` is an empty string")
            .note(verdicts.note())
            .fix(fix);
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Unsafe;

    #[test]
    fn marks_the_enum_or_the_value() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"enum": []}, "enum": {"enum": ["a", ""]}, "y": {"enum": [" ", null]}, "z": {"enum": {}}}}},
                                                    ^^^^^^ no value is allowed
                                                                                        ^^ empty string
 {"name": "b", "inputSchema": {"properties": {"x": {"enum": [
"##,
        );
    }

    #[test]
    fn removes_what_is_empty() {
        let fixed = |before: &str, after: &str| {
            let tool =
                |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
            check_fix(&RULE, Unsafe, "tools.json", &tool(before), &tool(after));
        };
        fixed(r#"{"type": "string", "enum": []}"#, r#"{"type": "string"}"#);
        fixed(
            "{\r\n\t\"enum\": [\r\n\t\t\"\",\r\n\t\t\"a\"\r\n\t]\r\n}",
            "{\r\n\t\"enum\": [\r\n\t\t\"a\"\r\n\t]\r\n}",
        );
    }
}
