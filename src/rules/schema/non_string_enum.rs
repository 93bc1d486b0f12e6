use super::keywords::{self, spelled};
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::Subschema;
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::syntax::{Value, ValueKind, without_member};
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds values of an `enum` that are numbers, booleans or anything else but strings. Of those that
    /// the type does not allow, enum-type-mismatch says so instead.
    ///
    /// ## Why
    /// JSON Schema allows every value, but in Gemini's function declarations an `enum` is a list of strings, and one
    /// number in it fails every request that has the tool in it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "set_sampling", "description": "Set how much of the traffic is traced and return the old share.", "inputSchema": {"type": "object", "properties": {"percent": {"type": "integer", "enum": [1, 10, 100], "description": "Share of the traffic"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "set_sampling", "description": "Set how much of the traffic is traced and return the old share.", "inputSchema": {"type": "object", "properties": {"percent": {"type": "integer", "description": "Share of the traffic: 1, 10 or 100"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe where a boolean may be both: removes the `enum`. Unsafe: writes the values as strings, which the server then
    /// has to take.
    ///
    /// ## Sources
    /// hyperdxio/hyperdx issue 2967, router-for-me/CLIProxyAPI issue 1075; google-genai's `types.Schema`: `enum` is a list
    /// of strings.
    "non-string-enum", Schema, Tool(check), Warning;
    fix: Unsafe;
    help: "write the values as strings, or name them in the description instead";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let Some(verdicts) = cx.verdicts(Feature::NonStringEnum) else { return };
    for schema in tool.schemas() {
        let Some(values) = schema.member("enum") else { continue };
        let is_other = |value: &&Value| value.as_str().is_none() && !value.is_null() && value.is_readable();
        // What the type does not allow is told as that.
        let types = keywords::types(schema);
        let elements = values.value.elements();
        let is_meant = |value: &&Value| is_other(value) && types.is_none_or(|types| types.admit(value));
        let Some(other) = elements.iter().find(is_meant) else { continue };
        let kind = other.kind_name();
        let message = match elements.iter().any(|value| value.as_str().is_some()) {
            true => format!("not all values of this `enum` are strings: one is {kind}"),
            false => format!("no value of this `enum` is a string: {}", who_is(elements, kind)),
        };
        out.add(values.key.range, message).note(verdicts.note()).fix(fix(tool, schema, &values.value));
    }
}

fn fix(tool: &Tool, schema: &Subschema, values: &Value) -> Option<Fix> {
    let allows = |value: bool| values.elements().iter().any(|element| element.as_bool() == Some(value));
    if schema.types.is("boolean") && allows(true) && allows(false) {
        let index = schema.value.members().iter().rposition(|member| &*member.key.name == "enum")?;
        let edits = without_member(tool.text, schema.value, index);
        return Some(Fix::safe("remove the `enum`: a boolean is nothing else", edits));
    }
    let mut edits = Vec::new();
    let kind = schema.get("type").filter(|kind| !kind.as_str().is_some_and(|name| name.eq_ignore_ascii_case("string")));
    edits.extend(kind.map(|kind| Edit::replace(kind.range, format!("\"{}\"", spelled("string", Some(kind))))));
    for value in values.elements().iter().chain(schema.get("default")) {
        match value.kind {
            ValueKind::String(_) | ValueKind::Null => {}
            _ => edits.push(quoted(tool.text, value)?),
        }
    }
    Some(Fix::unsafe_("write the values as strings", edits))
}

/// Whether one or each of several values is of a kind.
pub(super) fn who_is(values: &[Value], kind: &str) -> String {
    let are_all = values.iter().all(|value| value.kind_name() == kind);
    format!("{} is {kind}", if are_all && values.len() > 1 { "each" } else { "one" })
}

/// A number or boolean as a string.
pub(super) fn quoted(text: &str, value: &Value) -> Option<Edit> {
    let is_word = matches!(value.kind, ValueKind::Number(_) | ValueKind::Bool(_));
    is_word.then(|| Edit::replace(value.range, format!("\"{}\"", &text[value.range.as_usize()])))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::{self, Safe, Unsafe};

    #[test]
    fn marks_the_enum() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"enum": ["a", 1]}, "enum": {"type": "boolean", "enum": [true]}, "o": {"enum": [{}]}}}},
                                                    ^^^^^^ one is a number
                                                                                                   ^^^^^^ no value of this `enum` is a string: one is a boolean
                                                                                                                          ^^^^^^ one is an object
 {"name": "c", "inputSchema": {"properties": {"x": {"enum": [1, 2, 3]}, "y": {"enum": [1, true]}}}},
                                                    ^^^^^^ no value of this `enum` is a string: each is a number
                                                                              ^^^^^^ no value of this `enum` is a string: one is a number
 {"name": "b", "inputSchema": {"properties": {"x": {"type": "string", "enum": [1]}, "y": {"enum": ["a", null]}, "v": {"type": "string", "enum": ["a", 1]}, "z": {"enum": 1}}}}]
"##,
        );
    }

    #[test]
    fn writes_strings() {
        let fixed = |applicability: Applicability, before: &str, after: &str| {
            let tool =
                |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
            check_fix(&RULE, applicability, "tools.json", &tool(before), &tool(after));
        };
        fixed(
            Unsafe,
            r#"{"type": "number", "enum": [0.50, "auto"], "default": 0.50}"#,
            r#"{"type": "string", "enum": ["0.50", "auto"], "default": "0.50"}"#,
        );
        fixed(
            Safe,
            "{\r\n\t\"type\": \"boolean\",\r\n\t\"enum\": [true, false]\r\n}",
            "{\r\n\t\"type\": \"boolean\"\r\n}",
        );
    }
}
