use super::output_shape::disagreeing;
use crate::rules::{Context, Sink, Toolset};

rule! {
    /// ## What it does
    /// Finds tools whose output schema tells of errors under another name than most others of the list: `errors` beside
    /// `error`.
    ///
    /// ## Why
    /// Whoever reads the results, a model or a program, looks for what went wrong in one place, and misses it in another.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "read_note", "description": "Read one note and return its text.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object", "properties": {"text": {"type": "string"}, "error": {"type": "string"}}}},
    ///  {"name": "move_note", "description": "Move a note and return its new path.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object", "properties": {"path": {"type": "string"}, "errorMessage": {"type": "string"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "read_note", "description": "Read one note and return its text.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object", "properties": {"text": {"type": "string"}, "error": {"type": "string"}}}},
    ///  {"name": "move_note", "description": "Move a note and return its new path.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object", "properties": {"path": {"type": "string"}, "error": {"type": "string"}}}}]
    /// ```
    ///
    /// ## Fix
    /// None: the server has to send the other name.
    ///
    /// ## Sources
    /// MCP 2026-07-28, server/tools, error handling: `isError` says it for every tool alike.
    "error-envelope", Schema, Toolset(check), Information;
    recommended: false;
    help: "tell of errors under one name, or by `isError` alone";
    since: "0.1.0";
}

fn check(toolset: &Toolset, _: &Context, out: &mut Sink) {
    for (item, (name, range), most) in disagreeing(toolset, |facts| facts.error) {
        out.on(item).add(range, format!("this tool tells of errors as `{name}`, others of the list as `{most}`"));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_fewer() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {}, "outputSchema": {"properties": {"errors": {}}}}, {"name": "b", "inputSchema": {}, "outputSchema": {"properties": {"error": {}}}},
                                                                  ^^^^^^^^ as `errors`, others of the list as `error`
 {"name": "c", "inputSchema": {}, "outputSchema": {"properties": {"error": {}}}}, {"name": "d", "inputSchema": {}, "outputSchema": {"properties": {}}}]
"#,
        );
    }
}
