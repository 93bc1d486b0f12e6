use super::annotation_contradicts_name::contradiction;
use super::hint;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::verbs::{self, Effect};
use crate::rules::{Context, Sink};
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds tools that say that they only read, and that they destroy: `readOnlyHint` and `destructiveHint` are both
    /// `true`. Where the name tells which of them is wrong, it is `annotation-contradicts-name`'s.
    ///
    /// ## Why
    /// Clients that look at the first run the tool without asking, clients that look at the second warn of it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "sync_notes", "description": "Bring the notes of this device and the server together and return what changed.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true, "destructiveHint": true}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "sync_notes", "description": "Bring the notes of this device and the server together and return what changed.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": false, "destructiveHint": true}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion for each: say that the tool changes things, or that it destroys nothing. Which is right is not in
    /// the list.
    ///
    /// ## Sources
    /// MCP 2026-07-28, schema, `ToolAnnotations`: `destructiveHint` means something only where `readOnlyHint` is `false`.
    "contradictory-annotations", Annotation, Tool(check), Warning;
    fix: Suggestion;
    help: "set `readOnlyHint` to `false` where the tool changes anything, else `destructiveHint`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let (Some((true, reads)), Some((true, destroys))) = (hint(tool, "readOnlyHint"), hint(tool, "destructiveHint"))
    else {
        return;
    };
    if contradiction(tool).is_some() {
        return;
    }
    let set = |title: &str, range| Fix::suggestion(title, vec![Edit::replace(range, "false")]);
    let mut fixes = [
        set("set `readOnlyHint` to `false`: it changes something", reads.value.range),
        set("set `destructiveHint` to `false`: it changes nothing", destroys.value.range),
    ];
    if tool.name().and_then(|(name, _)| verbs::first(name)).is_some_and(|(_, _, effect)| effect == Effect::Reads) {
        fixes.reverse();
    }
    let (first, second) = if reads.key.range < destroys.key.range { (reads, destroys) } else { (destroys, reads) };
    let message = format!("{} says that it only reads, and that it is destructive", tool.quoted());
    let finding = out.add(second.range(), message);
    finding.related(first.range(), "what it contradicts");
    finding.fixes.extend(fixes);
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_second() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {}, "annotations": {"destructiveHint": true, "title": "A", "readOnlyHint": true}},
                                                                                         ^^^^^^^^^^^^^^^^^^^^ `a` says that it only reads, and that it is destructive
 {"name": "b", "inputSchema": {}, "annotations": {"destructiveHint": false, "readOnlyHint": true}},
 {"name": "c", "inputSchema": {}, "annotations": {"destructiveHint": "true", "readOnlyHint": true}},
 {"name": "d", "inputSchema": {}, "annotations": {"idempotentHint": false, "readOnlyHint": true}},
 {"name": "delete_e", "inputSchema": {}, "annotations": {"destructiveHint": true, "readOnlyHint": true}}]
"#,
        );
    }

    #[test]
    fn the_name_tells_which_is_likely() {
        let tool = |name: &str, annotations: &str| {
            format!(r#"[{{"name": "{name}", "inputSchema": {{}}, "annotations": {annotations}}}]"#)
        };
        let both = r#"{"readOnlyHint": true, "destructiveHint": true}"#;
        let fixed =
            |name: &str, after: &str| check_fix(&RULE, Suggestion, "tools.json", &tool(name, both), &tool(name, after));
        fixed("get_note", r#"{"readOnlyHint": true, "destructiveHint": false}"#);
        fixed("sync_notes", r#"{"readOnlyHint": false, "destructiveHint": true}"#);
    }
}
