use super::{HINTS, annotations};
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Place, insert_member, without_member, written_like};
use crate::text::{Edit, nearest, shown};

rule! {
    /// ## What it does
    /// Finds annotations that are nearly one that MCP defines: `readOnly`, `read_only_hint`, `destructiveHnit`. Keys
    /// that are nothing like one are somebody's own and are left alone. Finds hints that stand on the tool itself, too.
    ///
    /// ## Why
    /// Clients pass over keys that they do not know, and take for granted what is not said: a tool that only reads is
    /// treated as one that destroys.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_notes", "description": "List the notes of a folder with their dates.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnly": true}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_notes", "description": "List the notes of a folder with their dates.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: renames the key, or moves it into `annotations`. There is none where the right key is there, too.
    ///
    /// ## Sources
    /// MCP 2026-07-28, schema, `ToolAnnotations`.
    "unknown-annotation", Annotation, Tool(check), Warning;
    fix: Safe;
    help: "write `readOnlyHint`, `destructiveHint`, `idempotentHint` and `openWorldHint` as MCP spells them";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    check_outside(tool, out);
    let Some(annotations) = annotations(tool) else { return };
    let slips = annotations.members().iter().filter_map(|member| Some((member, meant(member)?)));
    let slips: Vec<(&Member, &str)> = slips.collect();
    let count = |hint: &str| slips.iter().filter(|(_, meant)| *meant == hint).count();
    let free = HINTS.map(|hint| count(hint) == 1 && annotations.get(hint).is_none());
    for (member, meant) in &slips {
        let may_rename = HINTS.iter().position(|hint| hint == meant).is_some_and(|at| free[at]);
        let message = format!("`{}` is no annotation of MCP: did you mean `{meant}`?", shown(&member.key.name));
        out.add(member.key.range, message)
            .note("clients pass over keys that they do not know")
            .fix(may_rename.then(|| Fix::rename_key(member.key.range, meant)));
    }
}

/// Finds hints that stand on the tool itself.
fn check_outside(tool: &Tool, out: &mut Sink) {
    for (index, member) in tool.declaration.members().iter().enumerate() {
        let Some(hint) = HINTS.into_iter().find(|hint| is_outside(member, hint)) else { continue };
        let edits = match annotations(tool) {
            None if tool.declaration.get("annotations").is_none() => {
                let around = written_like(tool.text, tool.declaration, &serde_json::json!({"annotations": {}}));
                let before = around.trim_start_matches('{').trim_end_matches('}');
                Some(vec![Edit::insert(member.range().start, before), Edit::insert(member.range().end, "}")])
            }
            Some(annotations) if annotations.get(hint).is_none() => {
                let value = member.value.to_json();
                let mut edits = without_member(tool.text, tool.declaration, index);
                edits.push(insert_member(tool.text, annotations, Place::Behind(&[]), hint, &value));
                Some(edits)
            }
            _ => None,
        };
        out.add(member.key.range, format!("`{hint}` stands outside `annotations`"))
            .note("clients pass over keys that they do not know")
            .fix(edits.map(|edits| Fix::safe("move it into `annotations`", edits)));
    }
}

fn is_outside(member: &Member, hint: &str) -> bool {
    &*member.key.name == hint && member.value.as_bool().is_some()
}

/// Whether a tool says, under a key that is nearly `hint` or in the wrong place, what should be there.
pub(super) fn is_misspelt(tool: &Tool, hint: &str) -> bool {
    tool.declaration.members().iter().any(|member| is_outside(member, hint))
        || annotations(tool).is_some_and(|value| value.members().iter().any(|member| meant(member) == Some(hint)))
}

/// The hint that a boolean under another key is meant for.
fn meant(member: &Member) -> Option<&'static str> {
    let key = member.key.name.trim();
    // Nothing that long is a slip.
    if HINTS.contains(&&*member.key.name) || member.value.as_bool().is_none() || key.len() > 40 {
        return None;
    }
    let bare = |key: &str| {
        let letters: String = key.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
        let letters = letters.strip_prefix("is").unwrap_or(&letters);
        letters.strip_suffix("hint").unwrap_or(letters).to_owned()
    };
    let written = bare(key);
    HINTS.into_iter().find(|hint| bare(hint) == written).or_else(|| nearest(key, HINTS))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn marks_what_is_nearly_right() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {}, "annotations": {"readonlyHint": true, "isDestructive": false, "open_world": true, "idempotentHnit": true}},
                                                  ^^^^^^^^^^^^^^ `readonlyHint` is no annotation of MCP: did you mean `readOnlyHint`?
                                                                        ^^^^^^^^^^^^^^^ did you mean `destructiveHint`?
                                                                                                ^^^^^^^^^^^^ `openWorldHint`
                                                                                                                    ^^^^^^^^^^^^^^^^
 {"name": "b", "inputSchema": {}, "annotations": {"category": "input", "readOnly": null, "description": "x", "title": "B", "hint": true, "audience": true}},
 {"name": "c", "inputSchema": {}, "annotations": ["readOnly"]}]
"#,
        );
    }

    #[test]
    fn what_stands_on_the_tool_is_moved() {
        let tool = |rest: &str| format!(r#"[{{"name": "a", "inputSchema": {{}}, {rest}}}]"#);
        let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
        fixed(r#""readOnlyHint": true"#, r#""annotations": {"readOnlyHint": true}"#);
        fixed(
            r#""annotations": {"title": "A"}, "readOnlyHint": true"#,
            r#""annotations": {"title": "A", "readOnlyHint": true}"#,
        );
        fixed(r#""readOnlyHint": true, "annotations": {}"#, r#""annotations": {"readOnlyHint": true}"#);
    }

    #[test]
    fn renames_where_there_is_room() {
        let tool =
            |annotations: &str| format!(r#"[{{"name": "a", "inputSchema": {{}}, "annotations": {annotations}}}]"#);
        check_fix(&RULE, Safe, "tools.json", &tool(r#"{"ReadOnlyHint" :true}"#), &tool(r#"{"readOnlyHint" :true}"#));
        for crowded in [r#"{"readOnly": true, "readOnlyHint": true}"#, r#"{"readOnly": true, "read-only": true}"#] {
            let found = findings(Ruleset::only(&RULE), "tools.json", &tool(crowded));
            assert!(!found.is_empty() && found.iter().all(|finding| finding.fixes.is_empty()), "{crowded}");
        }
    }
}
