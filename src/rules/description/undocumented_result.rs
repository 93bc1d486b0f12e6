use crate::model::Tool;
use crate::rules::verbs::{self, Effect};
use crate::rules::{Context, Sink};
use crate::text::{stem, words};

rule! {
    /// ## What it does
    /// Finds tools whose description says nothing of what comes back, and that have no `outputSchema`. A name
    /// or description that starts with a verb such as "list" or "fetch" names what comes back. English only.
    ///
    /// ## Why
    /// A model that does not know what it will get plans the next step by guessing. Off unless you switch it on, since
    /// many tools have nothing to tell.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "create_note", "description": "Create a note in a folder.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "create_note", "description": "Create a note in a folder and return its number.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// None: what comes back is not in the list.
    ///
    /// ## Sources
    /// MCP 2026-07-28, server/tools, `outputSchema`; a rule of agentcheckup.
    "undocumented-result", Description, Tool(check), Information;
    recommended: false;
    help: "say what the tool returns, or give it an `outputSchema`";
    since: "0.1.0";
}

/// Words that speak of what comes back, as [`stem`] leaves them.
const RESULT: &[&str] = &[
    "answer",
    "give",
    "output",
    "produce",
    "report",
    "respond",
    "response",
    "result",
    "return",
    "returned",
    "returning",
    "yield",
];

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(member) = tool.description() else { return };
    let Some(text) = member.value.as_str().filter(|text| !text.trim().is_empty()) else { return };
    let is_known = !text.chars().any(|char| char.is_alphabetic() && !char.is_ascii());
    let reads = || {
        let by_name = tool.name().and_then(|(name, _)| verbs::first(name)).map(|(_, _, effect)| effect);
        by_name == Some(Effect::Reads) || verbs::opening(text).and_then(verbs::effect) == Some(Effect::Reads)
    };
    if !is_known || tool.declaration.get("outputSchema").is_some() || reads() {
        return;
    }
    if !words(text).iter().any(|word| RESULT.contains(&&*stem(word))) {
        out.add(member.value.range, format!("the description of {} does not say what comes back", tool.quoted()));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_text() {
        check(
            &RULE,
            r#"
[{"name": "a", "description": "Create a note", "inputSchema": {}}, {"name": "b", "description": "Lists notes", "inputSchema": {}},
                              ^^^^^^^^^^^^^^^ `a` does not say what comes back
 {"name": "c", "description": "Create a note", "inputSchema": {}, "outputSchema": {}}, {"name": "d", "inputSchema": {}},
 {"name": "e", "description": "Create a note. Returns its number", "inputSchema": {}}, {"name": "f", "description": "创建文件", "inputSchema": {}}]
"#,
        );
    }
}
