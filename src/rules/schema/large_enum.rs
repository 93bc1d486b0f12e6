use crate::model::Tool;
use crate::rules::{Context, Sink};

rule! {
    /// ## What it does
    /// Finds an `enum` of more than 40 values.
    ///
    /// ## Why
    /// All of them are sent with every request, whether the tool is used or not, and a model chooses worse from many.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_events", "description": "List the events of a week and return their names.", "inputSchema": {"type": "object", "properties": {"week": {"type": "integer", "description": "Week of the year", "enum": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41]}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_events", "description": "List the events of a week and return their names.", "inputSchema": {"type": "object", "properties": {"week": {"type": "integer", "description": "Week of the year", "minimum": 1, "maximum": 41}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// None: a rule in words, or a tool that finds the value, has to be written.
    ///
    /// ## Sources
    /// The limit of 40 is that of the quality card; OpenAI's guide to structured outputs limits the values of all enums.
    "large-enum", Schema, Tool(check), Information;
    help: "say the rule in the description, or offer a tool that finds the value";
    since: "0.1.0";
}

/// The most values that are not worth a word.
const MAX: usize = 40;

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let Some(member) = schema.member("enum") else { continue };
        let count = member.value.elements().len();
        if count > MAX {
            let place = tool.schemas().place(schema);
            out.add(member.key.range, format!("the `enum` of {place} has {count} values, more than {MAX}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_key() {
        let values = |count: usize| format!("{:?}", Vec::from_iter(0..count));
        let text = r#"
[{"name": "a", "inputSchema": {"properties": {"enum": {"items": {"enum": [41]}}, "y": {"enum": [40]}}}}]
                                                                 ^^^^^^ the `enum` of `enum[]` has 41 values
"#;
        check(&RULE, &text.replace("[41]", &values(41)).replace("[40]", &values(40)));
    }
}
