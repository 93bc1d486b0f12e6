use rustc_hash::FxHashSet;

use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::{followed, walk};
use crate::rules::{Context, Sink};
use crate::syntax::element_with_comma;
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds names in `required` that no property has.
    ///
    /// ## Why
    /// The model cannot know what to give for a parameter that is not described, and a call without it is refused.
    /// Gemini refuses the whole list.
    ///
    /// ## Bad
    /// ```json
    /// {"name": "merge_notes", "description": "Merge two notes and return the merged text.", "inputSchema": {"type": "object", "properties": {"first": {"type": "string", "description": "First note"}}, "required": ["first", "second"]}}
    /// ```
    ///
    /// ## Good
    /// ```json
    /// {"name": "merge_notes", "description": "Merge two notes and return the merged text.", "inputSchema": {"type": "object", "properties": {"first": {"type": "string", "description": "First note"}, "second": {"type": "string", "description": "Second note"}}, "required": ["first", "second"]}}
    /// ```
    ///
    /// ## Fix
    /// Safe: removes the name from `required`.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.5.3; the answers of Gemini's API to such tools.
    "undefined-required", Schema, Tool(check), Error;
    fix: Safe;
    help: "define the property, or take its name out of `required`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(root) = tool.schema() else { return };
    walk(root, &mut |schema, _| {
        let Some(required) = schema.get("required") else { return };
        let schema = followed(schema, root);
        let Some(properties) = schema.get("properties").filter(|value| value.is_object()) else { return };
        if schema.get("patternProperties").is_some() || schema.get("allOf").is_some() || schema.get("$ref").is_some() {
            return;
        }
        let known: FxHashSet<&str> = properties.members().iter().map(|member| &*member.key.name).collect();
        for (index, name) in required.elements().iter().enumerate() {
            let Some(text) = name.as_str() else { continue };
            if !known.contains(text) {
                let edit = Edit::remove(element_with_comma(required, index));
                out.add(name.range, format!("`{text}` is required, but no property has this name"))
                    .fix(Fix::safe(format!("remove `{text}` from `required`"), vec![edit]));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn marks_the_name() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {}}, "required": ["x", "y", 1, "z"]}},
                                                                          ^^^     ^^^ is required, but no property has this name
 {"name": "b", "inputSchema": {"$ref": "#/$defs/b", "$defs": {"b": {"properties": {}, "required": ["x"]}}}},
                                                                                                   ^^^ `x`
 {"name": "c", "inputSchema": {"patternProperties": {"^x": {}}, "properties": {}, "required": ["xa"]}}]
"##,
        );
    }

    #[test]
    fn removing_keeps_the_commas_right() {
        let tool = |required: &str| {
            format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{}}}}, "required": {required}}}}}]"#)
        };
        let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
        fixed(r#"["y", "x"]"#, r#"["x"]"#);
        fixed(r#"["x", "y"]"#, r#"["x"]"#);
        fixed(r#"["y"]"#, "[]");
    }
}
