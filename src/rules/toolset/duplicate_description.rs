use rustc_hash::FxHashMap;

use crate::diagnostic::Anchor;
use crate::rules::{Context, Sink, Toolset};

rule! {
    /// ## What it does
    /// Finds tools of one list that are described in the very same words as an earlier one. Tools that have the same
    /// name, too, are `duplicate-tool-name`'s.
    ///
    /// ## Why
    /// The model chooses between tools by their descriptions, and these give it nothing to choose by. Often one was
    /// copied and never rewritten.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "open_issue", "description": "Open an issue and return its number.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "close_issue", "description": "Open an issue and return its number.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "open_issue", "description": "Open an issue and return its number.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "close_issue", "description": "Close an issue that is open.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// None: what tells the tools apart is not in the list.
    ///
    /// ## Sources
    /// The providers' guides to tool use: a description says when to use the tool, and when another.
    "duplicate-description", Toolset, Toolset(check), Error;
    help: "say in each description what tells this tool from the other";
    since: "0.1.0";
}

fn check(toolset: &Toolset, _: &Context, out: &mut Sink) {
    let mut first = FxHashMap::with_capacity_and_hasher(toolset.tools.len(), Default::default());
    for tool in toolset.tools {
        let Some((hash, range)) = tool.description else { continue };
        let (earlier, earlier_range) = *first.entry(hash).or_insert((tool, range));
        let have_one_name = tool.label().is_some() && tool.label() == earlier.label();
        if earlier.item == tool.item || have_one_name {
            continue;
        }
        let (own, other) = (tool.quoted("this tool"), earlier.quoted("another tool"));
        let message = format!("{own} is described in the same words as {other}");
        out.on(tool.item).add(range, message).related_at(
            Anchor::Item(earlier.item),
            earlier_range,
            "the same description",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_later_description() {
        check(
            &RULE,
            r#"
[{"name": "a", "description": "Do it.", "inputSchema": {}}, {"name": "b", "description": " Do it.\n", "inputSchema": {}},
                                                                                         ^^^^^^^^^^^ `b` is described in the same words as `a`
 {"name": "a", "description": "Do it.", "inputSchema": {}}, {"name": "c", "description": "", "inputSchema": {}},
 {"name": "d", "description": "", "inputSchema": {}}]
"#,
        );
    }
}
