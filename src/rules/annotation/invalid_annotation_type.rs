use super::HINTS;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::syntax::{Value, ValueKind};
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds `annotations` that are no object, hints in there that are neither `true` nor `false`, and titles that are
    /// no strings. `null` is left alone: programs write it for what is not there.
    ///
    /// ## Why
    /// Clients made with a typed SDK check the answer as a whole: for one hint of the wrong type they lose every tool of
    /// the server.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_notes", "description": "List the notes of a folder with their dates.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": "true"}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_notes", "description": "List the notes of a folder with their dates.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true}}]
    /// ```
    ///
    /// ## Fix
    /// Safe, where it is plain what is meant: `"true"`, `"false"`, `1` and `0` become booleans, an empty array an empty
    /// object. Else there is none.
    ///
    /// ## Sources
    /// MCP 2026-07-28, schema, `ToolAnnotations`.
    "invalid-annotation-type", Annotation, Tool(check), Error;
    fix: Safe;
    help: "write `annotations` as an object, its hints as `true` or `false` and its title as a string";
    since: "0.1.0";
}

const WHY: &str = "clients that check types lose every tool of the server";

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(annotations) = tool.declaration.get("annotations").filter(|value| has_value(value)) else { return };
    let replace = |value: &Value, new: &str| Fix::safe(format!("write `{new}`"), vec![Edit::replace(value.range, new)]);
    if !annotations.is_object() {
        let kind = annotations.kind_name();
        // What some languages make of an empty map.
        let is_empty_array = annotations.is_array() && annotations.elements().is_empty();
        out.add(annotations.range, format!("the annotations of {} have to be an object, not {kind}", tool.quoted()))
            .note(WHY)
            .fix(is_empty_array.then(|| replace(annotations, "{}")));
        return;
    }
    for hint in HINTS {
        let Some(value) = annotations.get(hint).filter(|value| has_value(value)) else { continue };
        if value.as_bool().is_none() {
            let kind = value.kind_name();
            out.add(value.range, format!("the `{hint}` of {} has to be `true` or `false`, not {kind}", tool.quoted()))
                .note(WHY)
                .fix(meant(value).map(|new| replace(value, new)));
        }
    }
    if let Some(title) = annotations.get("title").filter(|value| has_value(value) && value.as_str().is_none()) {
        let message =
            format!("the annotation `title` of {} has to be a string, not {}", tool.quoted(), title.kind_name());
        out.add(title.range, message).note(WHY);
    }
}

fn has_value(value: &Value) -> bool {
    value.is_readable() && !value.is_null()
}

/// The boolean that a value plainly stands for.
fn meant(value: &Value) -> Option<&'static str> {
    match &value.kind {
        ValueKind::String(text) if text.trim().eq_ignore_ascii_case("true") => Some("true"),
        ValueKind::String(text) if text.trim().eq_ignore_ascii_case("false") => Some("false"),
        ValueKind::Number(text) if &**text == "1" => Some("true"),
        ValueKind::Number(text) if &**text == "0" => Some("false"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn marks_what_is_of_another_type() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {}, "annotations": "readOnly"}, {"name": "b", "inputSchema": {}, "annotations": null},
                                                 ^^^^^^^^^^ the annotations of `a` have to be an object, not a string
 {"name": "c", "inputSchema": {}, "annotations": {"readOnlyHint": {}, "idempotentHint": null, "title": ["C"], "x": 1}},
                                                                  ^^ the `readOnlyHint` of `c` has to be `true` or `false`, not an object
                                                                                                       ^^^^^ the annotation `title` of `c` has to be a string, not an array
 {"name": "d", "inputSchema": {}, "annotations": {"readOnlyHint": false, "title": ""}}]
"#,
        );
    }

    #[test]
    fn mends_what_is_plain() {
        let tool =
            |annotations: &str| format!(r#"[{{"name": "a", "inputSchema": {{}}, "annotations": {annotations}}}]"#);
        let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
        fixed(r#"{"openWorldHint": "False"}"#, r#"{"openWorldHint": false}"#);
        fixed(r#"{"destructiveHint":1}"#, r#"{"destructiveHint":true}"#);
        fixed("[]", "{}");
    }
}
