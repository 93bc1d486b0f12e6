use super::facts::{DROPPED, MEANINGFUL};
use crate::diagnostic::Severity;
use crate::provider::Feature;
use crate::rules::{Context, Sink, Toolset};

rule! {
    /// ## What it does
    /// Finds lists whose input schemas use keywords that Gemini drops: `$ref`, `oneOf`, `allOf`, `not`, `const`, `if`,
    /// `patternProperties`, `prefixItems`, `exclusiveMinimum`, `multipleOf`, `uniqueItems`, `examples` and the like. It
    /// speaks once for the whole list. `additionalProperties` is taken, and never counts.
    ///
    /// ## Why
    /// The field `parameters` of Gemini's API takes a part of OpenAPI's schemas. Clients cut off the rest, and the model
    /// does not see it: after `oneOf` or `$ref` nothing may be left of a parameter. The field `parametersJsonSchema` keeps
    /// more, where the client uses it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "set_color", "description": "Set the colour of a shape and return the old one.", "inputSchema": {"type": "object", "properties": {"color": {"description": "A name or a number", "oneOf": [{"type": "string"}, {"type": "integer"}]}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "set_color", "description": "Set the colour of a shape and return the old one.", "inputSchema": {"type": "object", "properties": {"color": {"type": "string", "description": "A name, or a number such as #00ff00"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// None: what says the same in fewer keywords differs from schema to schema.
    ///
    /// ## Sources
    /// google-genai 3.6.1, `types.Schema` and `FunctionDeclaration.parameters_json_schema`.
    "gemini-dropped-keyword", Schema, Toolset(check), Hint;
    help: "say what these keywords say in the description, too, or with keywords that Gemini keeps";
    since: "0.1.0";
}

fn check(toolset: &Toolset, cx: &Context, out: &mut Sink) {
    let verdicts = cx.verdicts(Feature::DroppedKeyword);
    if verdicts.is_empty() {
        return;
    }
    let count = |index: usize| toolset.tools.iter().filter(|tool| tool.schema.drops(index)).count();
    let counts: Vec<(usize, usize)> =
        (0..DROPPED.len()).map(|index| (index, count(index))).filter(|(_, count)| *count > 0).collect();
    let Some((loudest, _)) = counts.first().copied() else { return };
    // Those that carry meaning stand first in the table.
    let is_meaningful = loudest < MEANINGFUL;
    let is_first = |index: usize| is_meaningful == (index < MEANINGFUL);
    let has_first =
        |tool: &&crate::rules::ToolFacts| counts.iter().any(|(index, _)| is_first(*index) && tool.schema.drops(*index));
    let Some(tool) = toolset.tools.iter().find(has_first) else { return };
    let said = counts.iter().map(|(index, count)| {
        let tools = if *count == 1 { "tool" } else { "tools" };
        format!("`{}` in {count} {tools}", DROPPED[*index])
    });
    let message = format!("this list uses keywords that Gemini drops: {}", Vec::from_iter(said).join(", "));
    let severity = if is_meaningful { Severity::Information } else { Severity::Hint };
    out.on(tool.item).add_as(severity, tool.schema.dropped_at, message).note(verdicts.note());
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, findings};
    use crate::diagnostic::Severity;

    #[test]
    fn speaks_once_for_a_list() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"exclusiveMinimum": 1}, "oneOf": {"additionalProperties": false}}}},
 {"name": "b", "inputSchema": {"properties": {"x": {"multipleOf": 1}, "y": {"$ref": "#/$defs/y"}, "z": {"oneOf": []}}}},
                                                                            ^^^^^^ `$ref` in 1 tool, `oneOf` in 2 tools, `exclusiveMinimum` in 1 tool, `multipleOf` in 1 tool
 {"name": "c", "inputSchema": {"properties": {"x": {"oneOf": []}}}, "outputSchema": {"not": {}}}]
"##,
        );
        check(
            &RULE,
            r#"[{"name": "a", "inputSchema": {"properties": {"x": {"anyOf": [{"additionalProperties": false}]}}}}]"#,
        );
    }

    #[test]
    fn is_louder_where_meaning_is_lost() {
        let severity = |keyword: &str| {
            let text = format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{"{keyword}": 1}}}}}}}}]"#);
            findings(Ruleset::only(&RULE), "tools.json", &text)[0].severity
        };
        assert_eq!(severity("uniqueItems"), Severity::Hint);
        assert_eq!(severity("const"), Severity::Information);
    }
}
