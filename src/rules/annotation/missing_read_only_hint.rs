use serde_json::json;

use super::unknown_annotation::is_misspelt;
use crate::diagnostic::{Fix, Severity};
use crate::model::{Form, Tool};
use crate::rules::verbs::{self, Effect};
use crate::rules::{Context, Silent, Sink, ToolFacts, Toolset};
use crate::syntax::{Place, insert_member, written_like};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds tools of an MCP server that do not say whether they only read: they have neither `readOnlyHint` nor
    /// `destructiveHint`. Where the name says that something is deleted or removed it is a note, else a hint; more than
    /// three of a kind are one finding for the list. A tool that says `false` has said it.
    ///
    /// ## Why
    /// Clients take a tool that says nothing for one that may destroy: they ask before each call, or leave it out where
    /// only reading is allowed. Directories of servers and apps do not take it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "delete_note", "description": "Delete one note for good and return its former size.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "delete_note", "description": "Delete one note for good and return its former size.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": false, "destructiveHint": true}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion, where the tool has a finding of its own: says what its name lets one guess, for you to check.
    ///
    /// ## Sources
    /// MCP 2026-07-28, schema, `ToolAnnotations`, for what is taken for granted.
    "missing-read-only-hint", Annotation, Toolset(check), Hint;
    fix: Suggestion;
    help: "give the tool `annotations` with `readOnlyHint`: `true` where it changes nothing";
    since: "0.1.0";
}

/// More tools of one kind than this are one finding.
const FEW: usize = 3;

fn check(toolset: &Toolset, _: &Context, out: &mut Sink) {
    let silent = |is_destructive: bool| {
        let silent = toolset
            .tools
            .iter()
            .filter(move |tool| tool.silent.as_ref().is_some_and(|silent| silent.is_destructive == is_destructive));
        Vec::from_iter(silent)
    };
    let all = toolset.tools.len();
    say(&silent(true), all, Severity::Information, ["that it destroys", "that they destroy"], out);
    say(&silent(false), all, Severity::Hint, ["whether it only reads", "whether they only read"], out);
}

fn say(silent: &[&ToolFacts], all: usize, severity: Severity, [what, what_many]: [&str; 2], out: &mut Sink) {
    for tool in silent {
        let (Some((name, range)), Some(Silent { addition, .. })) = (&tool.name, &tool.silent) else { continue };
        if silent.len() > FEW {
            let message = match silent.len() {
                count if count == all => format!("no tool of this list says {what}"),
                count => {
                    format!("{count} of the {all} tools of this list do not say {what_many}, such as `{}`", shown(name))
                }
            };
            out.on(tool.item).add_as(severity, *range, message).note(WHY);
            return;
        }
        out.on(tool.item)
            .add_as(severity, *range, format!("`{}` does not say {what}", shown(name)))
            .note(WHY)
            .fix(Fix::suggestion("say it in `annotations`, to be checked", vec![addition.clone()]));
    }
}

const WHY: &str = "without `readOnlyHint` and `destructiveHint` clients take it that a tool may destroy";

/// That a tool does not say whether it only reads; `None` where it does, where that is not said in such a list, or where
/// another rule speaks of what is said.
pub(in crate::rules) fn silent(tool: &Tool) -> Option<Silent> {
    let (name, _) = tool.name()?;
    let annotations = tool.declaration.get("annotations");
    let is_said = |hint: &str| {
        annotations.and_then(|value| value.get(hint)).is_some_and(|value| !value.is_null()) || is_misspelt(tool, hint)
    };
    if tool.form != Form::Mcp || is_said("readOnlyHint") || is_said("destructiveHint") {
        return None;
    }
    let is_destructive = verbs::is_destructive(name);
    let reads = verbs::first(name).is_some_and(|(_, _, effect)| effect == Effect::Reads);
    let object = match is_destructive {
        true => json!({"readOnlyHint": false, "destructiveHint": true}),
        false => json!({"readOnlyHint": reads}),
    };
    let addition = match annotations {
        None => {
            let place = Place::Behind(&["name", "title", "description"]);
            insert_member(tool.text, tool.declaration, place, "annotations", &object)
        }
        Some(null) if null.is_null() => Edit::replace(null.range, written_like(tool.text, tool.declaration, &object)),
        Some(value) if !value.is_object() => return None,
        // A hint that is there is `null`.
        Some(value) => match value.get("readOnlyHint") {
            Some(hint) => Edit::replace(hint.range, reads.to_string()),
            None => insert_member(tool.text, value, Place::First, "readOnlyHint", &reads.into()),
        },
    };
    Some(Silent { is_destructive, addition })
}

#[cfg(test)]
mod tests;
