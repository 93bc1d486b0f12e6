use super::draft;
use super::mention::mentions;
use crate::diagnostic::{Fix, Severity};
use crate::model::schema::followed;
use crate::model::{Tool, misspelt};
use crate::rules::{Context, Sink};
use crate::syntax::{Place, Value, insert_member};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds parameters without a description, or with an empty one. A description where the parameter's `$ref` leads
    /// to counts, and one that can have one value only needs none. Where the description of the tool speaks of the
    /// parameter, as those made of Python docstrings do, it is a note.
    ///
    /// ## Why
    /// The model fills in every parameter by what it is told of it. From a name like `query` or `mode` it cannot know
    /// the syntax, the unit or the allowed values, and makes them up.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "get_weather", "description": "Fetch the weather of a city.", "inputSchema": {"type": "object", "properties": {"units": {"type": "string", "enum": ["metric", "imperial"]}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "get_weather", "description": "Fetch the weather of a city.", "inputSchema": {"type": "object", "properties": {"units": {"type": "string", "description": "Celsius or Fahrenheit", "enum": ["metric", "imperial"]}}}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion: what the description of the tool says of the parameter, in a line of its own; else a first sentence
    /// made of the name, the type, the allowed values, the format and the default, for you to finish. None where that
    /// would be the name alone.
    ///
    /// ## Sources
    /// The providers' guides to tool use ask for a description of every parameter.
    "missing-param-description", Description, Tool(check), Warning;
    fix: Suggestion;
    help: "say what the parameter means: its unit, its syntax, what happens without it";
    aliases: ["AGT013"];
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(root) = tool.schema() else { return };
    for parameter in tool.parameters() {
        let schema = &parameter.value;
        if !schema.is_object() || is_described(schema, root) || has_one_value(schema) {
            continue;
        }
        if let Some(slip) = misspelt(schema, "description", &[]) {
            let written = shown(&slip.key.name);
            out.add(slip.key.range, format!("`{written}` is no keyword of a schema: did you mean `description`?"))
                .fix(Fix::rename_key(slip.key.range, "description"));
            continue;
        }
        let name = shown(&parameter.key.name);
        let mentions = || mentions(tool.description_text().unwrap_or_default(), &parameter.key.name);
        let is_told = mentions().next().is_some();
        let told = mentions().find_map(|mention| mention.definition());
        let draft = told.or_else(|| draft::parameter(parameter, root));
        let severity = if is_told { Severity::Information } else { Severity::Warning };
        let finding = if let Some(empty) = schema.get("description") {
            out.add_as(severity, parameter.key.range, format!("the description of the parameter `{name}` is empty"))
                .fix(draft.map(|draft| {
                    let edit = Edit::replace(empty.range, serde_json::Value::from(draft).to_string());
                    Fix::suggestion(format!("write a description of `{name}` to finish"), vec![edit])
                }))
        } else {
            out.add_as(severity, parameter.key.range, format!("the parameter `{name}` has no description")).fix(
                draft.map(|draft| {
                    let place = Place::Behind(&["type"]);
                    let edit = insert_member(tool.text, schema, place, "description", &draft.into());
                    Fix::suggestion(format!("add a description of `{name}` to finish"), vec![edit])
                }),
            )
        };
        if is_told {
            finding.note(
                "the description of the tool speaks of it; forms and other programs show only the parameter's own",
            );
        }
    }
}

/// Whether only one value is valid, which says what it is.
fn has_one_value(schema: &Value) -> bool {
    schema.get("const").is_some() || schema.get("enum").is_some_and(|values| values.elements().len() == 1)
}

/// Whether a schema, or the one it refers to, has a description. One that is no string is not this rule's.
fn is_described(schema: &Value, root: &Value) -> bool {
    let own = |schema: &Value| {
        schema.get("description").is_some_and(|value| value.as_str().is_none_or(|text| !text.trim().is_empty()))
    };
    // Older pydantic wraps a reference in an `allOf` of one.
    let wrapped = schema.get("allOf").map(Value::elements).unwrap_or_default();
    own(schema) || own(followed(schema, root)) || wrapped.iter().any(|part| own(followed(part, root)))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::Suggestion;
    use crate::diagnostic::Severity;

    #[test]
    fn the_tools_description_may_speak_of_it() {
        let tool = r#"{"name": "a", "description": "Do it.\n\nArgs:\n  x: An x", "inputSchema": {"properties": {"x": {}, "y": {}, "z": {"const": 1}}}}"#;
        let found = findings(Ruleset::only(&RULE), "tools.json", tool);
        let severities: Vec<Severity> = found.iter().map(|finding| finding.severity).collect();
        assert_eq!(severities, [Severity::Information, Severity::Warning]);
    }

    #[test]
    fn what_the_tools_description_says_is_the_draft() {
        let list = |schema: &str| {
            format!(
                r#"[{{"name": "a", "description": "Args:\n q: Two words", "inputSchema": {{"properties": {schema}}}}}]"#
            )
        };
        let after = r#"{"q": {"description": "Two words"}}"#;
        check_fix(&RULE, Suggestion, "tools.json", &list(r#"{"q": {}}"#), &list(after));
        let found = findings(Ruleset::only(&RULE), "tools.json", &list(r#"{"n": {"type": "string"}}"#));
        assert_eq!((found.len(), found[0].fixes.len()), (1, 0));
    }

    #[test]
    fn a_slip_in_the_key_is_renamed() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"x": {"descripton": "An x"}}}}]
                                                    ^^^^^^^^^^^^ did you mean `description`?
"#,
        );
    }

    #[test]
    fn marks_the_key_of_each_parameter() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {}, "y": {"description": ""}, "z": {"description": "z"}, "b": true}}},
                                              ^^^ the parameter `x` has no description
                                                       ^^^ `y` is empty
 {"name": "b", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/x"}, "y": {"$ref": "#/$defs/y"}, "z": {"allOf": [{"$ref": "#/$defs/x"}]}},
                                                                          ^^^
  "$defs": {"x": {"description": "An x"}, "y": {"properties": {"inner": {}}}}}},
 {"name": "c", "inputSchema": {"$ref": "#/$defs/c", "$defs": {"c": {"properties": {"x": {"type": "string"}}}}}}]
                                                                                   ^^^
"##,
        );
    }

    #[test]
    fn the_draft_is_written_like_its_neighbours() {
        let fixed = |before: &str, after: &str| {
            let tool = |schema: &str| {
                format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"user_id": {schema}}}}}}}]"#)
            };
            check_fix(&RULE, Suggestion, "tools.json", &tool(before), &tool(after));
        };
        fixed("{}", r#"{"description": "Identifier of the user."}"#);
        fixed(
            r#"{"type": "string", "minLength": 1}"#,
            r#"{"type": "string", "description": "Identifier of the user.", "minLength": 1}"#,
        );
        fixed(
            "{\r\n\t\"type\": \"string\"\r\n}",
            "{\r\n\t\"type\": \"string\",\r\n\t\"description\": \"Identifier of the user.\"\r\n}",
        );
        fixed(r#"{"type":"string","description":" "}"#, r#"{"type":"string","description":"Identifier of the user."}"#);
    }
}
