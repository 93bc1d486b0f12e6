use super::hint;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::verbs::{self, Effect};
use crate::rules::{Context, Sink};
use crate::syntax::Member;
use crate::text::{Edit, words};

rule! {
    /// ## What it does
    /// Finds tools whose annotations deny what their name says: `readOnlyHint: true` on `delete_file` or `update_user`,
    /// `destructiveHint: false` on `delete_file`. Only verbs that leave no doubt count: a tool called `create_plan` may
    /// well change nothing, and what `remove_label` takes away can be put back. The name alone is never a fault.
    ///
    /// ## Why
    /// Clients run tools that only read without asking. One that is marked so by mistake changes or deletes things
    /// behind the back of whoever sits there.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "delete_note", "description": "Delete one note for good and return its former size.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "delete_note", "description": "Delete one note for good and return its former size.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": false, "destructiveHint": true}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe, since clients ask before they run the tool from then on: says what the name says.
    ///
    /// ## Sources
    /// MCP 2026-07-28, schema, `ToolAnnotations`.
    "annotation-contradicts-name", Annotation, Tool(check), Warning;
    fix: Unsafe;
    help: "say in the annotations what the tool does, or give it a name that fits them";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(Contradiction { verb, hint, denied, right }) = contradiction(tool) else { return };
    let message = format!("{} has `{verb}` in its name, and its `{}` says that {denied}", tool.quoted(), hint.key.name);
    let edit = Edit::replace(hint.value.range, right.to_string());
    out.add(hint.value.range, message)
        .note("clients run what is said to do no harm without asking")
        .fix(Fix::unsafe_(format!("set `{}` to `{right}`", hint.key.name), vec![edit]));
}

/// How an annotation denies a name.
pub(super) struct Contradiction<'v> {
    verb: &'static str,
    hint: &'v Member,
    denied: &'static str,
    right: bool,
}

/// Whether an annotation denies what the name says, by the first verb in there.
pub(super) fn contradiction<'v>(tool: &Tool<'v>) -> Option<Contradiction<'v>> {
    let said = |name: &str, value: bool| hint(tool, name).filter(|(said, _)| *said == value).map(|(_, member)| member);
    let reads = said("readOnlyHint", true);
    let hint = reads.or_else(|| said("destructiveHint", false))?;
    let (name, _) = tool.name()?;
    let (at, verb, effect) = verbs::first(name)?;
    let is_contradicted = match effect {
        Effect::Destroys => true,
        // Behind another word it may be a noun: `app_update_status`.
        Effect::Writes => reads.is_some() && at == 0,
        Effect::Removes => reads.is_some(),
        Effect::Reads | Effect::MayWrite | Effect::Acts => false,
    };
    // `delete_preview` shows what would be deleted.
    let is_harmless = words(name).iter().any(|word| HARMLESS.contains(&word.as_str()));
    let denied = if reads.is_some() { "nothing is changed" } else { "nothing is lost" };
    (is_contradicted && !is_harmless).then_some(Contradiction { verb, hint, denied, right: reads.is_none() })
}

/// With one of these a name may speak of something that is only told of, or is not done.
const HARMLESS: &[&str] = &[
    "check", "dry", "events", "guide", "help", "history", "info", "log", "logs", "plan", "preview", "prompt", "query",
    "reader", "schema", "status", "validate",
];

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Unsafe;

    #[test]
    fn marks_what_denies_the_name() {
        check(
            &RULE,
            r#"
[{"name": "docker_delete_image", "annotations": {"readOnlyHint": true}, "inputSchema": {}},
                                                                 ^^^^ `docker_delete_image` has `delete` in its name, and its `readOnlyHint` says that nothing is changed
 {"name": "deleteFile", "annotations": {"destructiveHint": false}, "inputSchema": {}},
                                                           ^^^^^ nothing is lost
 {"name": "update-user", "annotations": {"readOnlyHint": true, "destructiveHint": false}, "inputSchema": {}}]
                                                         ^^^^
"#,
        );
    }

    #[test]
    fn leaves_alone_what_may_be_right() {
        let tools = [
            ("delete_file", "{}"),
            ("delete_file", r#"{"readOnlyHint": false}"#),
            ("delete_file", r#"{"readOnlyHint": "true"}"#),
            ("remove_label", r#"{"destructiveHint": false}"#),
            ("update_user", r#"{"destructiveHint": false}"#),
            ("execute_command", r#"{"readOnlyHint": true}"#),
            ("create_plan", r#"{"readOnlyHint": true}"#),
            ("list_delete_requests", r#"{"readOnlyHint": true}"#),
            ("delete_preview", r#"{"readOnlyHint": true}"#),
            ("app_update_status", r#"{"readOnlyHint": true}"#),
        ];
        let tools = tools.map(|(name, annotations)| {
            format!(r#"{{"name": "{name}", "inputSchema": {{}}, "annotations": {annotations}}}"#)
        });
        check(&RULE, &format!("[{}]", tools.join(", ")));
    }

    #[test]
    fn says_what_the_name_says() {
        let tool = |annotations: &str| {
            format!(r#"[{{"name": "wipe_disk", "annotations": {annotations}, "inputSchema": {{}}}}]"#)
        };
        let fixed = |before: &str, after: &str| check_fix(&RULE, Unsafe, "tools.json", &tool(before), &tool(after));
        fixed(r#"{"readOnlyHint":true}"#, r#"{"readOnlyHint":false}"#);
        fixed(r#"{"destructiveHint": false}"#, r#"{"destructiveHint": true}"#);
    }
}
