use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::text::words;

rule! {
    /// ## What it does
    /// Finds tools that list or search and have no parameter that says how much, or from where on: no cursor, limit,
    /// page or offset.
    ///
    /// ## Why
    /// A list grows. Without a way to ask for a part, one call may fill the whole context of the model.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_orders", "description": "List the orders of a customer with their sums.", "inputSchema": {"type": "object", "properties": {"customer": {"type": "string", "description": "Number of the customer"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_orders", "description": "List the orders of a customer with their sums.", "inputSchema": {"type": "object", "properties": {"customer": {"type": "string", "description": "Number of the customer"}, "limit": {"type": "integer", "description": "How many at most"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// None: the server has to learn it first.
    ///
    /// ## Sources
    /// MCP 2026-07-28, server/utilities/pagination, for the same in the protocol's own lists.
    "pagination", Schema, Tool(check), Information;
    recommended: false;
    help: "let the caller say how many results it wants, and go on from a cursor";
    since: "0.1.0";
}

/// Words of the names of parameters that take a part of a list.
const PARTS: &[&str] = &[
    "after",
    "before",
    "count",
    "cursor",
    "first",
    "last",
    "limit",
    "max",
    "maximum",
    "num",
    "offset",
    "page",
    "pagination",
    "per",
    "size",
    "skip",
    "start",
    "take",
    "top",
];

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some((name, range)) = tool.name() else { return };
    let is_list = words(name).first().is_some_and(|verb| matches!(&**verb, "list" | "search"));
    let is_part = |name: &str| words(name).iter().any(|word| PARTS.contains(&&**word));
    if is_list && !tool.parameters().iter().any(|parameter| is_part(&parameter.key.name)) {
        out.add(range, format!("{} cannot be asked for a part of its results", tool.quoted()));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_name_of_lists() {
        check(
            &RULE,
            r#"
[{"name": "listOrders", "inputSchema": {}}, {"name": "search-notes", "inputSchema": {"properties": {"q": {}}}}, {"name": "get_list", "inputSchema": {}},
          ^^^^^^^^^^^^
                                                     ^^^^^^^^^^^^^^ a part of its results
 {"name": "list_a", "inputSchema": {"properties": {"pageSize": {}}}}, {"name": "list_b", "inputSchema": {"properties": {"next_cursor": {}}}}]
"#,
        );
    }
}
