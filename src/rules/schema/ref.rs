use super::inline::Inlined;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::{Reference, Target};
use crate::provider::Feature;
use crate::rules::{Context, Sink};

rule! {
    /// ## What it does
    /// Finds parameters that are described by a `$ref`; once a tool. Those that go in a circle, or lead nowhere, have
    /// rules of their own.
    ///
    /// ## Why
    /// JSON Schema allows it, but Gemini drops `$ref` where a client sends the schema as `parameters`, OpenAI's models
    /// see nothing of what it names, and some clients fail at it. A `$ref` into another parameter is followed by the
    /// fewest.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "insert_node", "description": "Insert a node into the outline and return its position.", "inputSchema": {"type": "object", "properties": {"node": {"$ref": "#/$defs/Node", "description": "Node to insert"}}, "$defs": {"Node": {"type": "object", "properties": {"label": {"type": "string", "description": "Text of the node"}}}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "insert_node", "description": "Insert a node into the outline and return its position.", "inputSchema": {"type": "object", "properties": {"node": {"type": "object", "properties": {"label": {"type": "string", "description": "Text of the node"}}, "description": "Node to insert"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: writes what is named in the place of each `$ref`. What stands beside it stays; its description wins. A
    /// definition that nothing else names is removed. Not where both say something else of the same keyword.
    ///
    /// ## Sources
    /// google-genai, `types.Schema`; google-gemini/gemini-cli issue 13142; anomalyco/opencode issue 12295;
    /// DEEIX-AI/DEEIX-Chat issue 546.
    "ref", Schema, Tool(check), Warning;
    fix: Safe;
    help: "write the schema in the place of the `$ref`";
    since: "0.1.0";
}

/// Other places that are shown.
const MAX_RELATED: usize = 10;

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let is_ours = |reference: &&Reference| matches!(reference.target, Target::Schema(_)) && !reference.is_endless;
    if !tool.references().iter().any(|reference| is_ours(&reference)) {
        return;
    }
    let verdicts = cx.verdicts(Feature::Reference);
    if verdicts.is_empty() {
        return;
    }
    let inlined = Inlined::of(tool);
    let has_fix = |reference: &&Reference| inlined.as_ref().is_some_and(|inlined| inlined.has(reference));
    let (fixable, others): (Vec<&Reference>, Vec<&Reference>) =
        tool.references().iter().filter(is_ours).partition(|one| has_fix(one));
    for (references, can_fix) in [(fixable, true), (others, false)] {
        let [first, more @ ..] = references.as_slice() else { continue };
        let schemas = tool.schemas();
        let (message, title) = match more.len() {
            0 => (
                format!(
                    "{} is described by a `$ref`, which not every model gets to see",
                    schemas.place(schemas.at(first.schema))
                ),
                "write what the `$ref` names in its place".to_owned(),
            ),
            more => (
                format!(
                    "{} schemas in {} are described by a `$ref`, which not every model gets to see",
                    more + 1,
                    tool.quoted()
                ),
                format!("write what the {} `$ref`s name in their places", more + 1),
            ),
        };
        let finding = out.add(first.member.value.range, message);
        finding.note(verdicts.note());
        for other in more.iter().take(MAX_RELATED) {
            finding.related(other.member.value.range, "here, too");
        }
        match inlined.as_ref().filter(|_| can_fix) {
            Some(inlined) => finding.fix(Fix::safe(title, inlined.edits())),
            None => finding.note("what it names cannot simply be written here: something beside it says otherwise"),
        };
    }
}

#[cfg(test)]
mod tests;
