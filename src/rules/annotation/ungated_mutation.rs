use super::hint;
use crate::model::Tool;
use crate::rules::verbs::{self, Effect};
use crate::rules::{Context, Sink};
use crate::text::words;

rule! {
    /// ## What it does
    /// Finds tools that by their name change something and have no gate before it: no parameter such as `confirm` or
    /// `dry_run`, and no word of confirmation, consent or a dry run in their description. A tool that says
    /// `readOnlyHint: true` changes nothing.
    ///
    /// ## Why
    /// One call that the model got wrong changes real data. With a gate it has to say a second time that it means it.
    /// Off unless you switch it on, since most clients ask before such a call.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "delete_note", "description": "Delete one note for good and return its former size.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "delete_note", "description": "Delete one note for good and return its former size.", "inputSchema": {"type": "object", "properties": {"confirm": {"type": "boolean", "description": "Has to be true"}}}}]
    /// ```
    ///
    /// ## Fix
    /// None: the server has to learn it.
    ///
    /// ## Sources
    /// The check "mutation gating" of mcp-scorecard.
    "ungated-mutation", Annotation, Tool(check), Information;
    recommended: false;
    help: "let the tool ask for a confirmation or offer a dry run, and say so in its description";
    since: "0.1.0";
}

const GATES: &[&str] = &["confirm", "confirmation", "confirmed", "consent", "dry", "force", "preview"];

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some((name, range)) = tool.name() else { return };
    let Some((verb, effect)) = verbs::telling(name) else { return };
    if effect == Effect::Reads || hint(tool, "readOnlyHint").is_some_and(|(reads, _)| reads) {
        return;
    }
    let is_gate = |word: &String| GATES.contains(&word.as_str());
    let description = tool.description_text().unwrap_or_default();
    let is_gated = tool.parameters().iter().any(|parameter| words(&parameter.key.name).iter().any(is_gate))
        || words(description).iter().any(is_gate);
    if !is_gated {
        out.add(range, format!("{} can `{verb}` without a confirmation or a dry run", tool.quoted()));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_name() {
        check(
            &RULE,
            r#"
[{"name": "update_user", "description": "Update it.", "inputSchema": {}}, {"name": "get_user", "inputSchema": {}},
          ^^^^^^^^^^^^^ `update_user` can `update` without
 {"name": "update_user", "description": "Needs confirmation.", "inputSchema": {}},
 {"name": "update_user", "inputSchema": {"properties": {"dryRun": {}}}},
 {"name": "create_plan", "inputSchema": {}, "annotations": {"readOnlyHint": true}}]
"#,
        );
    }
}
