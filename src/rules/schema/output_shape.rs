use super::facts::{Named, SchemaFacts};
use crate::rules::{Context, Sink, Toolset};

rule! {
    /// ## What it does
    /// Finds tools whose output schema holds what was asked for under another name than most others of the list: `data`
    /// beside `result`.
    ///
    /// ## Why
    /// Whoever passes the result of one tool to another, a model or a program, has to know for each where it is.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "read_note", "description": "Read one note and return its text.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object", "properties": {"result": {"type": "string"}}}},
    ///  {"name": "move_note", "description": "Move a note and return its new path.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object", "properties": {"data": {"type": "string"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "read_note", "description": "Read one note and return its text.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object", "properties": {"result": {"type": "string"}}}},
    ///  {"name": "move_note", "description": "Move a note and return its new path.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object", "properties": {"result": {"type": "string"}}}}]
    /// ```
    ///
    /// ## Fix
    /// None: the server has to send the other name.
    ///
    /// ## Sources
    /// MCP 2026-07-28, server/tools, structured content: its form is the server's to choose.
    "output-shape", Schema, Toolset(check), Information;
    recommended: false;
    help: "hold results under one name in all tools of the list";
    since: "0.1.0";
}

fn check(toolset: &Toolset, _: &Context, out: &mut Sink) {
    for (item, (name, range), most) in disagreeing(toolset, |facts| facts.result) {
        out.on(item).add(range, format!("this tool's result is under `{name}`, that of others under `{most}`"));
    }
}

/// The tools whose name for something is not that of most, with their item, that name and the one of most. Of equally
/// many the first of the list counts.
pub(super) fn disagreeing(
    toolset: &Toolset,
    name: impl Fn(&SchemaFacts) -> Option<Named>,
) -> Vec<(usize, Named, &'static str)> {
    let named = Vec::from_iter(toolset.tools.iter().filter_map(|tool| Some((tool.item, name(&tool.schema)?))));
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (_, (name, _)) in &named {
        match counts.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let Some((most, _)) = counts.into_iter().rev().max_by_key(|(_, count)| *count) else { return Vec::new() };
    named.into_iter().filter(|(_, (name, _))| *name != most).map(|(item, named)| (item, named, most)).collect()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_fewer_or_the_later() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {}, "outputSchema": {"properties": {"data": {}}}}, {"name": "b", "inputSchema": {}, "outputSchema": {"properties": {"items": {}}}},
                                                                                                                                                  ^^^^^^^ under `items`, that of others under `data`
 {"name": "c", "inputSchema": {}, "outputSchema": {"properties": {"x": {}}}}, {"name": "d", "inputSchema": {}, "outputSchema": []}]
"#,
        );
    }
}
