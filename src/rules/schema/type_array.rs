use super::keywords;
use super::nullable::{is_null_by_default, is_optional, without_null};
use super::places::{Places, Remedy};
use crate::diagnostic::Applicability;
use crate::model::schema::{Role, Subschema};
use crate::model::{Form, Tool};
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::syntax::{Value, written_like};
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds schemas whose `type` is a list, at any depth; one finding for all of a tool.
    ///
    /// ## Why
    /// JSON Schema allows it, but Gemini's function declarations have room for one type, and a list of them fails every
    /// request that has the tool in it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "archive_mails", "description": "Archive mails of the inbox and return how many.", "inputSchema": {"type": "object", "properties": {"folder": {"type": ["string", "null"], "default": null, "description": "Folder to look in, all when left out"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "archive_mails", "description": "Archive mails of the inbox and return how many.", "inputSchema": {"type": "object", "properties": {"folder": {"type": "string", "description": "Folder to look in, all when left out"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe where the meaning stays: null goes where it is the default of a parameter that may be left out, a list of
    /// one becomes that type, and several become `anyOf`. Unsafe where null may mean something of its own.
    ///
    /// ## Sources
    /// github/copilot-cli issue 4623, google-gemini/gemini-cli issue 21094; google-genai's `types.Schema`: `type` is one.
    "type-array", Schema, Tool(check), Warning;
    fix: Safe;
    help: "write one type, and leave a parameter out of `required` instead of allowing null";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let Some(verdicts) = cx.verdicts(Feature::TypeList) else { return };
    // OpenAI's strict mode has it so, where every parameter has to be given.
    if tool.form == Form::Function && tool.declaration.get("strict").and_then(Value::as_bool) == Some(true) {
        return;
    }
    let mut places = Places::default();
    let mut has_null = false;
    for schema in tool.schemas() {
        // That of the root has to be one anyway, and another rule says so.
        if matches!(schema.role, Role::Root) {
            continue;
        }
        let Some(list) = schema.get("type").filter(|value| value.is_array()) else { continue };
        if keywords::types(schema).is_some() {
            has_null |= schema.types.contains("null");
            places.add(tool.schemas().place(schema), list.range, remedy(tool, schema, list));
        }
    }
    let message = |names: &str, are_several: bool| {
        format!("{names} {} a list of types", if are_several { "have" } else { "has" })
    };
    let title = |applicability: Applicability| match applicability {
        Applicability::Safe if has_null => {
            "write the types without a list, and without null and the default null".to_owned()
        }
        Applicability::Safe => "write the types without a list".to_owned(),
        _ => "write the types without a list, and without null".to_owned(),
    };
    if let Some(finding) = places.report(out, message, title) {
        finding.note(verdicts.note());
    }
}

fn remedy(tool: &Tool, schema: &Subschema, list: &Value) -> Option<Remedy> {
    let (nulls, others): (Vec<&Value>, Vec<&Value>) =
        list.elements().iter().partition(|name| name.as_str().is_some_and(|name| name.eq_ignore_ascii_case("null")));
    let mut edits = match *others.as_slice() {
        [] => return None,
        [one, ref more @ ..] if more.iter().all(|other| other.as_str() == one.as_str()) => {
            vec![Edit::replace(list.range, &tool.text[one.range.as_usize()])]
        }
        // What the other keywords say of an array or object has to be in its branch.
        _ if schema.types.contains("array") || schema.types.contains("object") => return None,
        _ if schema.has("anyOf") || schema.has("enum") => return None,
        _ => {
            let mut names: Vec<Option<&str>> = others.iter().map(|name| name.as_str()).collect();
            let mut seen = Vec::new();
            names.retain(|name| {
                !seen.contains(name) && {
                    seen.push(*name);
                    true
                }
            });
            let branches = names.iter().map(|name| serde_json::json!({"type": name})).collect();
            let any_of = written_like(tool.text, schema.value, &serde_json::Value::Array(branches));
            vec![Edit::replace(schema.member("type")?.key.range, "\"anyOf\""), Edit::replace(list.range, any_of)]
        }
    };
    let mut is_safe = true;
    if !nulls.is_empty() {
        if schema.has("const") {
            return None;
        }
        is_safe = is_null_by_default(schema) && is_optional(tool.schemas(), schema);
        edits.extend(without_null(tool.text, schema));
    }
    Some(Remedy::new(is_safe, edits))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::{self, Safe, Unsafe};

    #[test]
    fn openais_strict_mode_has_it_so() {
        let tool = |strict: bool| {
            format!(
                r#"[{{"type": "function", "function": {{"name": "a", "strict": {strict}, "parameters": {{"properties": {{"x": {{"type": ["string", "null"]}}}}}}}}}}]"#
            )
        };
        let count = |strict| findings(Ruleset::only(&RULE), "tools.json", &tool(strict)).len();
        assert_eq!((count(true), count(false)), (0, 1));
    }

    #[test]
    fn one_finding_a_tool() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": ["string", "null"]}, "type": {"type": ["array", "null"], "items": {"type": ["string", "number"]}}}}},
                                                                              ^^^^^^^^^^^^^^^^^^ `x`, `type` and 1 more have a list of types
 {"name": "b", "inputSchema": {"properties": {"y": {"type": ["string"]}}}},
                                                            ^^^^^^^^^^ `y` has a list of types
 {"name": "d", "inputSchema": {"type": ["object"]}}, {"name": "c", "inputSchema": {"properties": {"x": {"type": []}, "y": {"type": ["string", 1]}, "z": {"type": ["strng"]}, "e": {"enum": [{"type": ["string"]}]}}}}]
"##,
        );
    }

    #[track_caller]
    fn fixed(applicability: Applicability, before: &str, after: &str) {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
        check_fix(&RULE, applicability, "tools.json", &tool(before), &tool(after));
    }

    #[test]
    fn what_is_equal_is_safe() {
        fixed(Safe, r#"{"type": ["string"]}"#, r#"{"type": "string"}"#);
        fixed(Safe, r#"{"type": ["array", "null"], "default": null}"#, r#"{"type": "array"}"#);
        fixed(
            Safe,
            "{\r\n\t\"default\": null,\r\n\t\"type\": [\"STRING\", \"NULL\"],\r\n\t\"enum\": [\"a\", null]\r\n}",
            "{\r\n\t\"type\": \"STRING\",\r\n\t\"enum\": [\"a\"]\r\n}",
        );
        fixed(Safe, r#"{"type":["string","number"]}"#, r#"{"anyOf":[{"type":"string"},{"type":"number"}]}"#);
        fixed(Safe, r#"{"type":["string","number","string"]}"#, r#"{"anyOf":[{"type":"string"},{"type":"number"}]}"#);
        fixed(Unsafe, r#"{"type": ["string", "null"]}"#, r#"{"type": "string"}"#);
        fixed(
            Unsafe,
            r#"{"type": ["string", "number", "null"], "default": "a"}"#,
            r#"{"anyOf": [{"type": "string"}, {"type": "number"}], "default": "a"}"#,
        );
    }
}
