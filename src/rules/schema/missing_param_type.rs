use super::keywords::{type_of, with_article};
use super::unknown_schema_keyword::is_misspelt;
use crate::diagnostic::{Fix, Severity};
use crate::model::Tool;
use crate::model::schema::{Types, followed, is_typed};
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Place, Value, insert_member};
use crate::text::{shown, words};

rule! {
    /// ## What it does
    /// Finds parameters whose schema does not say what they are. `enum`, `const`, `anyOf`, `oneOf`, `allOf` and `$ref`
    /// say it, too. Where nothing in the schema speaks of one type, any value may be meant: that is a warning.
    ///
    /// ## Why
    /// The model has to guess between text, number and object. OpenAI's strict mode and Gemini refuse the tool.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "wait", "description": "Wait before the next step and return the time.", "inputSchema": {"type": "object", "properties": {"seconds": {"description": "How long to wait"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "wait", "description": "Wait before the next step and return the time.", "inputSchema": {"type": "object", "properties": {"seconds": {"type": "number", "description": "How long to wait"}}}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion: the type that the rest of the schema, the default or the name speak for. A parameter that takes
    /// any value says so with a list of types.
    ///
    /// ## Sources
    /// The answers of Gemini's API; OpenAI's guide to structured outputs.
    "missing-param-type", Schema, Tool(check), Error;
    fix: Suggestion;
    help: "give the parameter a `type`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(root) = tool.schema() else { return };
    for parameter in tool.parameters() {
        let schema = &parameter.value;
        if !schema.is_object() || is_typed(schema) || is_typed(followed(schema, root)) || is_misspelt(schema, "type") {
            continue;
        }
        let kind = guess(parameter);
        let edit = insert_member(tool.text, schema, Place::First, "type", &kind.into());
        let name = shown(&parameter.key.name);
        let severity = if speaks_of_a_type(schema) { Severity::Error } else { Severity::Warning };
        out.add_as(severity, parameter.key.range, format!("the parameter `{name}` has no `type`"))
            .fix(Fix::suggestion(format!("make `{name}` {}", with_article(Types::named(kind))), vec![edit]));
    }
}

/// Whether a type was forgotten rather than left out: something beside the texts makes sense with one type only.
fn speaks_of_a_type(schema: &Value) -> bool {
    schema.members().iter().any(|member| match &*member.key.name {
        "title" | "description" | "$comment" | "examples" | "deprecated" | "readOnly" | "writeOnly" => false,
        "default" => !member.value.is_null(),
        _ => true,
    })
}

/// The type that a parameter most likely has.
fn guess(parameter: &Member) -> &'static str {
    let schema = &parameter.value;
    match schema.get("default").map(Value::kind_name) {
        Some("a boolean") => return "boolean",
        Some("a number") => return "number",
        Some("a string") => return "string",
        Some("an array") => return "array",
        Some("an object") => return "object",
        _ => {}
    }
    if let Some(kind) = schema.members().iter().find_map(|member| type_of(&member.key.name)) {
        return kind;
    }
    let words = words(&parameter.key.name);
    let is = |word: Option<&String>, known: &[&str]| word.is_some_and(|word| known.contains(&word.as_str()));
    if is(words.first(), &["is", "has", "include", "enable", "allow", "dry"]) {
        return "boolean";
    }
    if is(words.last(), &["count", "limit", "offset", "page", "port", "size"]) {
        return "integer";
    }
    "string"
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_key() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {}, "y": {"enum": [1]}, "z": {"$ref": "#/$defs/z"}, "any": true, "v": {"minimum": 1}, "s": {"tpye": "string"}},
                                              ^^^ `x` has no `type`
                                                                                                                    ^^^
  "$defs": {"z": {"description": "anything"}}}}, {"name": "b", "inputSchema": {"type": "object", "additionalProperties": {}}},
 {"name": "c", "inputSchema": {"properties": {"x": {"type": "object", "properties": {"inner": {}}}, "y": {"anyOf": [{}]}}}}]
"##,
        );
    }

    #[test]
    fn guesses_the_type() {
        let fixed = |name: &str, before: &str, after: &str| {
            let tool =
                |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"{name}": {schema}}}}}}}]"#);
            check_fix(&RULE, Suggestion, "tools.json", &tool(before), &tool(after));
        };
        fixed("x", "{}", r#"{"type": "string"}"#);
        fixed("x", r#"{"default":true}"#, r#"{"type":"boolean","default":true}"#);
        fixed("pageSize", "{\r\n\t\"title\": \"x\"\r\n}", "{\r\n\t\"type\": \"integer\",\r\n\t\"title\": \"x\"\r\n}");
        fixed("x", r#"{"properties": {}}"#, r#"{"type": "object", "properties": {}}"#);
        fixed("is_on", r#"{"description": "x"}"#, r#"{"type": "boolean", "description": "x"}"#);
    }
}
