use rustc_hash::FxHashMap;

use crate::diagnostic::Anchor;
use crate::rules::{Context, Sink, Toolset};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds tools of one list whose names differ in nothing but capital letters, `_` and `-`. Tools of the very same
    /// name are `duplicate-tool-name`'s.
    ///
    /// ## Why
    /// A model that means one of them may write the other. Some clients write names in a form of their own, in which two
    /// that are nearly the same may become one.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "get_user", "description": "Fetch one user by number and return the profile.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "getUser", "description": "Look a person up by mail address.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "get_user", "description": "Fetch one user by number and return the profile.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "find_user_by_mail", "description": "Look a person up by mail address.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// None: only you know what tells the tools apart.
    ///
    /// ## Sources
    /// MCP 2026-07-28, server/tools: names are unique within a server, and case-sensitive. What clients make of names is
    /// in their documentation; Copilot writes `-` for what it does not take, VS Code `_`.
    "confusable-tool-names", Toolset, Toolset(check), Error;
    help: "name each tool by what tells it from the other";
    since: "0.1.0";
}

fn check(toolset: &Toolset, _: &Context, out: &mut Sink) {
    let mut names = FxHashMap::with_capacity_and_hasher(toolset.tools.len(), Default::default());
    let mut first = FxHashMap::with_capacity_and_hasher(toolset.tools.len(), Default::default());
    for tool in toolset.tools {
        let Some((name, range)) = &tool.name else { continue };
        // A second tool of the same name is another rule's.
        if names.insert(&**name, ()).is_some() {
            continue;
        }
        let mut letters = name.to_lowercase();
        letters.retain(|char| !matches!(char, '_' | '-'));
        if letters.is_empty() {
            continue;
        }
        let (earlier, earlier_range) = *first.entry(letters).or_insert((tool, *range));
        if earlier.item != tool.item {
            let other = earlier.quoted("another tool");
            out.on(tool.item)
                .add(*range, format!("`{}` is hardly told from {other}, another tool of this list", shown(name)))
                .related_at(Anchor::Item(earlier.item), earlier_range, "the other tool");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_later_name() {
        check(
            &RULE,
            r#"
[{"name": "get_user", "inputSchema": {}}, {"name": "getUser", "inputSchema": {}}, {"name": "get_user", "inputSchema": {}},
                                                   ^^^^^^^^^ `getUser` is hardly told from `get_user`
 {"name": "GET-USER-", "inputSchema": {}}, {"name": "get_users", "inputSchema": {}}, {"name": "getUser", "inputSchema": {}},
          ^^^^^^^^^^^
 {"name": "_", "inputSchema": {}}, {"name": "-", "inputSchema": {}}, {"name": "", "inputSchema": {}}]
"#,
        );
    }
}
