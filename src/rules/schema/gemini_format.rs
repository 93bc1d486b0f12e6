use crate::model::Tool;
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds strings with another `format` than `enum` and `date-time`, at any depth.
    ///
    /// ## Why
    /// Gemini's API knows no other for strings, and has refused whole lists of tools for one `uri`. Clients that drop
    /// `format`, or send the schema as `parametersJsonSchema`, get by.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "save_link", "description": "Store a link for later and return its number.", "inputSchema": {"type": "object", "properties": {"url": {"type": "string", "format": "uri", "description": "Address to store"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "save_link", "description": "Store a link for later and return its number.", "inputSchema": {"type": "object", "properties": {"url": {"type": "string", "description": "Address to store, a full https URL"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// None: to other readers the format is of use.
    ///
    /// ## Sources
    /// The answer of Gemini's API: only 'enum' and 'date-time' are supported for STRING type;
    /// google-gemini/gemini-cli issues 2237 and 3178.
    "gemini-format", Schema, Tool(check), Information;
    help: "say the format in the description, or make sure that the client drops it for Gemini";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let verdicts = cx.verdicts(Feature::Format);
    if verdicts.is_empty() {
        return;
    }
    for schema in tool.schemas() {
        let Some(format) = schema.get("format") else { continue };
        let Some(name) = format.as_str().filter(|name| !matches!(*name, "enum" | "date-time")) else { continue };
        if schema.types.contains("string") {
            let place = tool.schemas().place(schema);
            out.add(format.range, format!("the `format` of {place} is `{}`, which Gemini does not know", shown(name)))
                .note(verdicts.note());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_format_of_strings() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"u": {"type": "string", "format": "uri"}, "t": {"type": "string", "format": "date-time"}}}},
                                                                                ^^^^^ of `u` is `uri`
 {"name": "b", "inputSchema": {"properties": {"l": {"items": {"type": ["string", "null"], "format": "int64"}}, "n": {"type": "integer", "format": "int64"}}}},
                                                                                                    ^^^^^^^ `l[]`
 {"name": "c", "inputSchema": {"properties": {"format": {"type": "string"}, "x": {"type": "string", "format": 1}, "y": {"format": "uri"}}}}]
"#,
        );
    }
}
