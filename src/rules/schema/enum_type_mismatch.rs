use super::keywords::{self, spelled, with_article};
use super::non_string_enum::{quoted, who_is};
use crate::diagnostic::{Fix, Severity};
use crate::model::Tool;
use crate::model::schema::{Subschema, Types};
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Value, without_element};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds an `enum` or `const` whose values are not of the `type` beside it. Where none of them is, it is a problem;
    /// where some are, a warning. Null is left alone beside OpenAPI's `nullable`, and where it is the only value.
    ///
    /// ## Why
    /// Both have to hold, and nothing satisfies them: whatever the model sends is refused.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "create_index", "description": "Create a vector index and return its name.", "inputSchema": {"type": "object", "properties": {"dimensions": {"type": "string", "enum": [256, 512], "description": "Size of a vector"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "create_index", "description": "Create a vector index and return its name.", "inputSchema": {"type": "object", "properties": {"dimensions": {"type": "string", "enum": ["256", "512"], "description": "Size of a vector"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Suggestions: the values as strings, or the type that they have. Only you know what the server takes.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.1; mongodb-js/mongodb-mcp-server issue 715.
    "enum-type-mismatch", Schema, Tool(check), Error;
    fix: Suggestion;
    help: "let the type be that of the values";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let Some(member) = schema.member("enum").or_else(|| schema.member("const")) else { continue };
        let Some(types) = keywords::types(schema) else { continue };
        let values =
            if &*member.key.name == "enum" { member.value.elements() } else { std::slice::from_ref(&member.value) };
        let is_misfit = |value: &&Value| !value.is_null() && !types.admit(value);
        let is_nullable = schema.has("nullable") || types.contains("null");
        let Some(misfit) = values.iter().find(is_misfit) else {
            let null = values.iter().position(Value::is_null).filter(|_| values.len() > 1 && !is_nullable);
            if let Some(index) = null {
                let expected = with_article(types);
                let edits = without_element(tool.text, &member.value, index);
                out.add_as(
                    Severity::Warning,
                    values[index].range,
                    format!("null is in this `enum`, and the type is {expected} only"),
                )
                .note("a call with null is refused")
                .fix(Fix::suggestion("take null out of the `enum`", edits));
            }
            continue;
        };
        let fits = values.iter().filter(|value| !value.is_null()).any(|value| types.admit(value));
        let expected = with_article(types);
        if fits {
            let written = shown(&tool.text[misfit.range.as_usize()]);
            let message = format!("the value `{written}` of this `enum` is {}, not {expected}", misfit.kind_name());
            let fix = quoted(tool.text, misfit).filter(|_| types.contains("string"));
            out.add_as(Severity::Warning, misfit.range, message)
                .fix(fix.map(|edit| Fix::suggestion("write it as a string", vec![edit])));
        } else {
            let keyword = &member.key.name;
            let message = match values {
                [_] => format!("the value of this `{keyword}` is {}, not {expected}", misfit.kind_name()),
                _ => format!("no value of this `{keyword}` is {expected}: {}", who_is(values, misfit.kind_name())),
            };
            let finding = out.add(member.key.range, message);
            finding.note("nothing satisfies both, so every call is refused");
            finding.fixes.extend(fixes(tool.text, schema, member, values, types));
        }
    }
}

fn fixes(text: &str, schema: &Subschema, member: &Member, values: &[Value], types: Types) -> Vec<Fix> {
    let Some(kind) = schema.get("type") else { return Vec::new() };
    let mut fixes = Vec::new();
    if types.is("string") {
        let edits: Option<Vec<Edit>> = values.iter().map(|value| quoted(text, value)).collect();
        fixes.extend(edits.map(|edits| Fix::suggestion("write the values as strings", edits)));
    }
    let meant = ["string", "boolean", "integer", "number", "array", "object"]
        .into_iter()
        .find(|name| values.iter().all(|value| value.is_readable() && Types::named(name).admit(value)));
    if let Some(meant) = meant {
        let title = format!("make the type `{meant}`, as in `{}`", member.key.name);
        let written = spelled(meant, Some(kind));
        fixes.push(Fix::suggestion(title, vec![Edit::replace(kind.range, format!("\"{written}\""))]));
    }
    fixes
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_keyword_or_the_value() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"type": "string", "enum": [1, 2]}, "enum": {"type": "integer", "const": "a"}, "y": {"type": "string", "enum": ["a", 1]}}}},
                                                                      ^^^^^^ no value of this `enum` is a string: each is a number
                                                                                                                   ^^^^^^^ the value of this `const` is a string, not an integer
                                                                                                                                                                        ^ the value `1`
 {"name": "c", "inputSchema": {"properties": {"x": {"type": "string", "enum": ["a", null]}, "y": {"type": "string", "nullable": true, "enum": ["a", null]}, "z": {"type": ["string", "null"], "enum": ["a", null]}}}},
                                                                                    ^^^^ null is in this `enum`, and the type is a string only
 {"name": "b", "inputSchema": {"properties": {"x": {"type": "string", "enum": [null]}, "y": {"type": ["number", "string"], "enum": [1, "a"]}, "z": {"type": "strng", "enum": [1]}, "v": {"type": "INTEGER", "enum": [1.0]}, "w": {"type": "string", "enum": {}}}}}]
"##,
        );
    }

    #[test]
    fn suggests_what_would_fit() {
        let fixed = |before: &str, after: &str| {
            let tool =
                |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
            check_fix(&RULE, Suggestion, "tools.json", &tool(before), &tool(after));
        };
        fixed(r#"{"type": "string", "enum": [1, true]}"#, r#"{"type": "string", "enum": ["1", "true"]}"#);
        fixed(r#"{"type": "INTEGER", "enum": ["1"]}"#, r#"{"type": "STRING", "enum": ["1"]}"#);
        fixed(r#"{"type": "string", "enum": ["a", null]}"#, r#"{"type": "string", "enum": ["a"]}"#);
        fixed(r#"{"type": "string", "enum": [1, "a"]}"#, r#"{"type": "string", "enum": ["1", "a"]}"#);
    }
}
