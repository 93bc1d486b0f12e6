use super::unknown_annotation::is_misspelt;
use crate::diagnostic::{Fix, Severity};
use crate::model::{Form, Tool};
use crate::rules::verbs::{self, Effect};
use crate::rules::{Context, Sink, ToolFacts, Toolset};
use crate::syntax::{Place, insert_member, written_like};
use crate::text::{Edit, TextRange, shown};

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
    let silent = toolset.tools.iter().filter_map(|tool| {
        let (name, range) = tool.name.as_ref()?;
        Some((tool, &**name, *range, tool.read_only.as_ref()?))
    });
    let (destructive, other): (Vec<_>, Vec<_>) = silent.partition(|(_, name, ..)| verbs::is_destructive(name));
    say(&destructive, toolset.tools.len(), Severity::Information, out);
    say(&other, toolset.tools.len(), Severity::Hint, out);
}

fn say(silent: &[(&ToolFacts, &str, TextRange, &Edit)], all: usize, severity: Severity, out: &mut Sink) {
    let (what, what_many) = match severity {
        Severity::Hint => ("whether it only reads", "whether they only read"),
        _ => ("that it destroys", "that they destroy"),
    };
    if let [(first, name, range, _), ..] = silent
        && silent.len() > FEW
    {
        let message = if silent.len() == all {
            format!("no tool of this list says {what}")
        } else {
            format!(
                "{} of the {all} tools of this list do not say {what_many}, such as `{}`",
                silent.len(),
                shown(name)
            )
        };
        out.on(first.item).add_as(severity, *range, message).note(WHY);
        return;
    }
    for (tool, name, range, edit) in silent {
        out.on(tool.item)
            .add_as(severity, *range, format!("`{}` does not say {what}", shown(name)))
            .note(WHY)
            .fix(Fix::suggestion("say it in `annotations`, to be checked", vec![(*edit).clone()]));
    }
}

const WHY: &str = "without `readOnlyHint` and `destructiveHint` clients take it that a tool may destroy";

/// The edit that makes a tool say whether it only reads, as its name lets one guess; `None` where it is said, where that
/// is not said in such a list, or where another rule speaks of what is said.
pub(in crate::rules) fn addition(tool: &Tool) -> Option<Edit> {
    let (name, _) = tool.name()?;
    let annotations = tool.declaration.get("annotations");
    let is_said = |hint: &str| {
        annotations.and_then(|value| value.get(hint)).is_some_and(|value| !value.is_null()) || is_misspelt(tool, hint)
    };
    if tool.form != Form::Mcp || is_said("readOnlyHint") || is_said("destructiveHint") {
        return None;
    }
    let mut hints = serde_json::Map::new();
    let reads = verbs::first(name).is_some_and(|(_, _, effect)| effect == Effect::Reads);
    hints.insert("readOnlyHint".to_owned(), reads.into());
    if verbs::is_destructive(name) {
        hints.insert("destructiveHint".to_owned(), true.into());
    }
    let object = serde_json::Value::Object(hints);
    match annotations {
        None => {
            let place = Place::Behind(&["name", "title", "description"]);
            Some(insert_member(tool.text, tool.declaration, place, "annotations", &object))
        }
        Some(null) if null.is_null() => {
            Some(Edit::replace(null.range, written_like(tool.text, tool.declaration, &object)))
        }
        // One of the hints may be there as `null`, which stays for a person to take out.
        Some(value) if value.is_object() && value.get("readOnlyHint").is_none() => {
            Some(insert_member(tool.text, value, Place::First, "readOnlyHint", &reads.into()))
        }
        Some(value) => value.get("readOnlyHint").map(|hint| Edit::replace(hint.range, reads.to_string())),
    }
}

#[cfg(test)]
mod tests;
