use rustc_hash::FxHashMap;

use crate::diagnostic::Anchor;
use crate::rules::{Context, Sink, Toolset};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds tools of one list that have the same name as an earlier one.
    ///
    /// ## Why
    /// A call names a tool, and nobody can say which one is meant: some clients keep the first, some the last, and
    /// Anthropic's API refuses the whole list.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "get_user", "description": "Fetch one user by number and return the profile.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "get_user", "description": "Look a person up by mail address.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "get_user", "description": "Fetch one user by number and return the profile.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "find_user_by_mail", "description": "Look a person up by mail address.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// None: only you know what the second tool should be called, or which of the two is left over.
    ///
    /// ## Sources
    /// MCP 2026-07-28, server/tools: names are unique within a server; the answer of Anthropic's API, "Tool names must be unique".
    "duplicate-tool-name", Toolset, Toolset(check), Error;
    help: "give every tool of the list a name of its own, or remove the one that is left over";
    since: "0.1.0";
}

fn check(toolset: &Toolset, _: &Context, out: &mut Sink) {
    let mut first = FxHashMap::with_capacity_and_hasher(toolset.tools.len(), Default::default());
    for tool in toolset.tools {
        let Some((name, range)) = &tool.name else { continue };
        let (item, first_range) = *first.entry(&**name).or_insert((tool.item, *range));
        if item != tool.item && !name.is_empty() {
            out.on(tool.item)
                .add(*range, format!("another tool of this list is called `{}`, too", shown(name)))
                .related_at(Anchor::Item(item), first_range, "the first of this name");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, findings};
    use crate::diagnostic::Anchor;

    #[test]
    fn marks_the_later_ones() {
        let text = r#"
[{"name": "a", "inputSchema": {}}, {"name": "A", "inputSchema": {}}, {"name": "a", "inputSchema": {}},
                                                                              ^^^ `a`
 {"name": 1, "inputSchema": {}}, {"name": 1, "inputSchema": {}}, {"name": "a", "inputSchema": {}}]
                                                                          ^^^
"#;
        check(&RULE, text);
        let list = r#"[{"name": "a", "inputSchema": {}}, {"name": "\u0061", "inputSchema": {}}]"#;
        let found = findings(Ruleset::only(&RULE), "tools.json", list);
        assert_eq!(found[0].related[0].anchor, Anchor::Item(0));
    }
}
