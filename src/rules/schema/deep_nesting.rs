use crate::model::Tool;
use crate::model::schema::{Role, Schemas, Subschema};
use crate::rules::{Context, Sink};

rule! {
    /// ## What it does
    /// Finds tools with objects in objects, more than 5 levels of them below the root. Lists count for nothing, and
    /// references are not followed.
    ///
    /// ## Why
    /// The deeper a value lies, the more often a model gets its place wrong, and some providers stop reading: OpenAI's
    /// models see no descriptions below the second level.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "set_style", "description": "Set the style of a page and return the old one.", "inputSchema": {"type": "object", "properties": {"page": {"type": "object", "properties": {"body": {"type": "object", "properties": {"text": {"type": "object", "properties": {"font": {"type": "object", "properties": {"face": {"type": "object", "properties": {"size": {"type": "object", "properties": {"points": {"type": "number"}}}}}}}}}}}}}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "set_style", "description": "Set the style of a page and return the old one.", "inputSchema": {"type": "object", "properties": {"font_size": {"type": "number", "description": "Size of the text of the page, in points"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// None: a flat schema is another interface.
    ///
    /// ## Sources
    /// The limit of 5 is that of the quality card; OpenAI's guide to structured outputs, which had the same until 2025-07.
    "deep-nesting", Schema, Tool(check), Warning;
    help: "lift what matters to the first levels, or take the rest as one text";
    since: "0.1.0";
}

/// The most levels of objects below the root that are not worth a word.
const MAX: usize = 5;

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let schemas = tool.schemas();
    let mut deepest = None;
    for schema in schemas.iter().filter(|schema| is_object(schema)) {
        let level = level(schemas, schema);
        if level > deepest.map_or(MAX, |(level, _)| level) {
            deepest = Some((level, schema));
        }
    }
    if let Some((level, schema)) = deepest {
        let message = format!("{} is an object {level} levels below the root, more than {MAX}", schemas.place(schema));
        out.add(schema.range(), message);
    }
}

/// How many objects there are from the root to a schema, the root aside and itself included.
fn level(schemas: &Schemas, schema: &Subschema) -> usize {
    let (mut level, mut is_one) = (0, false);
    for around in schemas.outwards(schema) {
        is_one |= is_object(around);
        match around.role {
            // All branches of a value are one.
            Role::Keyword("items" | "prefixItems" | "additionalProperties")
            | Role::Property(_)
            | Role::Named("patternProperties", _) => level += usize::from(std::mem::take(&mut is_one)),
            Role::Named("$defs" | "definitions", _) => return level + usize::from(is_one),
            _ => {}
        }
    }
    level
}

fn is_object(schema: &Subschema) -> bool {
    schema.types.contains("object") || schema.has("properties")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_deepest() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"a": {"properties": {"b": {"anyOf": [{"properties": {"c": {"type": "array", "items": {"properties": {"d": {"properties": {"e": {"properties": {"f": {"properties": {"g": {"type": "string"}, "h": {"type": "array"}}}}}}}}}}}}]}}}}}},
                                                                                                                                                                                             ^^^ `a.b.c[].d.e.f` is an object 6 levels below
 {"name": "b", "inputSchema": {"properties": {"a": {"properties": {"b": {"properties": {"c": {"properties": {"d": {"type": "object", "allOf": [{"type": "object", "properties": {"e": {"type": "object"}}}]}}}}}}}}}}]
"#,
        );
    }
}
