use super::keywords::spelled;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::{Role, Subschema, Types};
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Place, Value, insert_member, written_like};
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds an `anyOf` or `oneOf` of nothing but constant strings. Branches that say more, such as what a value stands
    /// for, are left alone.
    ///
    /// ## Why
    /// An `enum` says the same in a third of the tokens, and everybody reads it: Gemini's function declarations know no
    /// `const`, and what is left of the branches is empty.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "set_mode", "description": "Switch the editor's mode and return the active one.", "inputSchema": {"type": "object", "properties": {"mode": {"anyOf": [{"const": "draft"}, {"const": "final"}], "description": "Mode to use"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "set_mode", "description": "Switch the editor's mode and return the active one.", "inputSchema": {"type": "object", "properties": {"mode": {"type": "string", "enum": ["draft", "final"], "description": "Mode to use"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: writes the `enum`, with its type.
    ///
    /// ## Sources
    /// NousResearch/hermes-agent pull request 81150, zed-extensions/mcp-server-brave-search issue 12.
    "const-union", Schema, Tool(check), Information;
    fix: Safe;
    help: "write the values as an `enum`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    // What the root is, an object, is another rule's business.
    for schema in tool.schemas().into_iter().filter(|schema| !matches!(schema.role, Role::Root)) {
        let Some(union) = schema.member("anyOf").or_else(|| schema.member("oneOf")) else { continue };
        let branches = union.value.elements();
        let values: Option<Vec<&str>> = branches.iter().map(constant).collect();
        let Some(values) = values.filter(|values| values.len() > 1) else { continue };
        let message = format!("this `{}` of constants is an `enum`", union.key.name);
        out.add(union.key.range, message).fix(fix(tool, schema, union, &values));
    }
}

/// The string that a schema is, where it says nothing else.
fn constant(branch: &Value) -> Option<&str> {
    let is_said = |member: &Member| match &*member.key.name {
        "const" => true,
        "type" => member.value.as_str().is_some_and(|name| Types::named(name).contains("string")),
        _ => false,
    };
    branch.get("const").filter(|_| branch.members().iter().all(is_said))?.as_str()
}

fn fix(tool: &Tool, schema: &Subschema, union: &Member, values: &[&str]) -> Option<Fix> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    // The same value twice is none at all in `oneOf`, and what else is beside it has its own say.
    let is_said_twice = sorted.windows(2).any(|pair| pair[0] == pair[1]);
    let is_text = schema.types.contains("string") || !schema.has("type");
    if is_said_twice || !is_text || schema.has("enum") || schema.has("const") || schema.has("$ref") {
        return None;
    }
    let written = written_like(tool.text, schema.value, &serde_json::json!(values));
    let mut edits = vec![Edit::replace(union.key.range, "\"enum\""), Edit::replace(union.value.range, written)];
    if !schema.has("type") {
        let written = spelled("string", tool.schema().and_then(|root| root.get("type")));
        edits.push(insert_member(tool.text, schema.value, Place::First, "type", &written.into()));
    }
    Some(Fix::safe("write the values as an `enum`", edits))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn marks_the_keyword() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"anyOf": [{"const": "a"}, {"const": "b"}]}, "y": {"oneOf": [{"const": "a", "type": "string"}, {"type": "string", "const": "b"}]}}}},
                                                    ^^^^^^^ this `anyOf` of constants
                                                                                                      ^^^^^^^
 {"name": "b", "inputSchema": {"properties": {"x": {"anyOf": [{"const": "a"}, {"type": "null"}]}, "y": {"anyOf": [{"const": 1}, {"const": "b"}]}, "z": {"oneOf": [{"const": "a", "description": "A"}, {"const": "b"}]}, "v": {"anyOf": [{"const": "a"}]}, "w": {"anyOf": {}}}}}]
"##,
        );
    }

    #[test]
    fn writes_the_enum() {
        let fixed = |before: &str, after: &str| {
            let tool =
                |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
            check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
        };
        fixed(r#"{"anyOf":[{"const":"a"},{"const":"b"}]}"#, r#"{"type":"string","enum":["a","b"]}"#);
        fixed(
            "{\r\n\t\"type\": \"string\",\r\n\t\"oneOf\": [\r\n\t\t{\"const\": \"a\"},\r\n\t\t{\"const\": \"b\"}\r\n\t]\r\n}",
            "{\r\n\t\"type\": \"string\",\r\n\t\"enum\": [\"a\", \"b\"]\r\n}",
        );
    }
}
