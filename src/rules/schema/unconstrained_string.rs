use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::Role;
use crate::rules::{Context, Sink};
use crate::syntax::{Place, insert_member};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds properties that take a text of any kind and length: no `enum`, `const`, `format`, `pattern`, `maxLength`.
    ///
    /// ## Why
    /// Whatever the model writes, or somebody makes it write, reaches the server: a page of text where a name is meant, a
    /// path where a word is.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "add_tag", "description": "Add a tag to a note and return all of them.", "inputSchema": {"type": "object", "properties": {"tag": {"type": "string", "description": "The tag"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "add_tag", "description": "Add a tag to a note and return all of them.", "inputSchema": {"type": "object", "properties": {"tag": {"type": "string", "description": "The tag", "maxLength": 40}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion: a `maxLength` to change.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.3; OWASP cheat sheet on input validation.
    "unconstrained-string", Schema, Tool(check), Information;
    recommended: false;
    fix: Suggestion;
    help: "say with `maxLength`, `pattern`, `format` or `enum` what the server takes";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let Role::Property(property) = schema.role else { continue };
        let limits = ["enum", "const", "format", "pattern", "maxLength", "anyOf", "oneOf", "allOf", "$ref"];
        if !schema.types.is("string") || limits.iter().any(|keyword| schema.has(keyword)) {
            continue;
        }
        let edit =
            insert_member(tool.text, schema.value, Place::Behind(&["type", "description"]), "maxLength", &1000.into());
        out.add(property.key.range, format!("`{}` takes a text of any kind and length", shown(&property.key.name)))
            .fix(Fix::suggestion("limit its length, to change", vec![edit]));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_property() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"x": {"type": "string"}, "y": {"type": "string", "enum": ["a"]}, "z": {"type": "integer"},
                                              ^^^ `x` takes a text
   "o": {"properties": {"i": {"type": ["string", "null"]}, "j": {"type": "string", "maxLength": 4}, "k": {"type": ["string", "object"]}}}}}}]
                        ^^^
"#,
        );
    }

    #[test]
    fn limits_its_length() {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
        let (before, after) = (r#"{"type":"string"}"#, r#"{"type":"string","maxLength":1000}"#);
        check_fix(&RULE, Suggestion, "tools.json", &tool(before), &tool(after));
    }
}
