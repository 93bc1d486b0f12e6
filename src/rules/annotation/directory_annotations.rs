use serde_json::Value as Json;

use super::{annotations, hint};
use crate::diagnostic::Fix;
use crate::model::{Form, Tool};
use crate::rules::verbs::{self, Effect};
use crate::rules::{Context, Sink};
use crate::syntax::{Place, insert_member, written_like};
use crate::text::{Edit, words};

rule! {
    /// ## What it does
    /// Finds tools that lack what directories of servers and apps ask for: a `title`, `readOnlyHint`, `destructiveHint`
    /// and `openWorldHint`, each of them said and not left to its default, and a description of at most 200 characters.
    ///
    /// ## Why
    /// A server is turned down when it is handed in. Off unless you switch it on, since nobody else asks for all of it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_notes", "description": "List the notes of a folder with their dates.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_notes", "description": "List the notes of a folder with their dates.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"title": "List notes", "readOnlyHint": true, "destructiveHint": false, "openWorldHint": false}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion: adds what is missing, as the name lets one guess, for you to check.
    ///
    /// ## Sources
    /// whisper-money/whisper-money pull request 751 and open-metadata/OpenMetadata issue 30107, for the answers of
    /// ChatGPT's and Claude's directories.
    "directory-annotations", Annotation, Tool(check), Information;
    recommended: false;
    fix: Suggestion;
    help: "give the tool a title, the three hints and a description of at most 200 characters";
    since: "0.1.0";
}

/// Characters of a description that directories take.
const LONGEST: usize = 200;

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some((name, range)) = tool.name().filter(|_| tool.form == Form::Mcp) else { return };
    let missing = missing(tool, name);
    if !missing.is_empty() {
        let keys: Vec<String> = missing.iter().map(|(key, _)| format!("`{key}`")).collect();
        let message = format!("{} lacks {}, for which directories ask", tool.quoted(), keys.join(", "));
        let place = tool.declaration.member("annotations").map_or(range, |member| member.key.range);
        let edits = additions(tool, missing);
        out.add(place, message)
            .fix((!edits.is_empty()).then(|| Fix::suggestion("add what is missing, to be checked", edits)));
    }
    let Some(member) = tool.description() else { return };
    let length = member.value.as_str().map_or(0, |text| text.chars().count());
    if length > LONGEST {
        let message =
            format!("the description of {} has {length} characters; directories take {LONGEST}", tool.quoted());
        out.add(member.key.range, message);
    }
}

/// What a tool does not say of itself, each with a guess.
fn missing(tool: &Tool, name: &str) -> Vec<(&'static str, Json)> {
    let has_title = tool.declaration.get("title").or_else(|| annotations(tool)?.get("title")).is_some();
    let reads = hint(tool, "readOnlyHint").map(|(reads, _)| reads);
    let effect = verbs::first(name).map(|(_, _, effect)| effect);
    let reads = reads.unwrap_or(effect == Some(Effect::Reads));
    let guesses = [
        ("title", words(name).join(" ").into()),
        ("readOnlyHint", reads.into()),
        ("destructiveHint", (!reads && verbs::is_destructive(name)).into()),
        ("openWorldHint", true.into()),
    ];
    let is_missing = |(key, _): &(&str, Json)| match *key {
        "title" => !has_title,
        key => annotations(tool).is_none_or(|value| value.get(key).is_none()),
    };
    guesses.into_iter().filter(is_missing).collect()
}

/// The edits that add them; none where `annotations` is of another type.
fn additions(tool: &Tool, missing: Vec<(&'static str, Json)>) -> Vec<Edit> {
    let all = || Json::Object(missing.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect());
    match tool.declaration.get("annotations") {
        None => {
            let place = Place::Behind(&["name", "title", "description"]);
            vec![insert_member(tool.text, tool.declaration, place, "annotations", &all())]
        }
        Some(value) if value.is_null() || value.is_object() && value.members().is_empty() => {
            vec![Edit::replace(value.range, written_like(tool.text, tool.declaration, &all()))]
        }
        Some(value) if value.is_object() => {
            let add = |(key, new): &(&str, Json)| insert_member(tool.text, value, Place::Behind(&[]), key, new);
            missing.iter().map(add).collect()
        }
        Some(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn says_what_is_missing() {
        check(
            &RULE,
            r#"
[{"name": "a", "title": "A", "inputSchema": {}, "annotations": {"readOnlyHint": true}},
                                                ^^^^^^^^^^^^^ `a` lacks `destructiveHint`, `openWorldHint`,
 {"name": "b", "inputSchema": {}}, {"name": "c", "input_schema": {}}]
          ^^^ `b` lacks `title`, `readOnlyHint`, `destructiveHint`, `openWorldHint`,
"#,
        );
        let tool = |text: &str| {
            format!(
                r#"[{{"name": "a", "title": "A", "description": "{text}", "inputSchema": {{}}, "annotations": {{"readOnlyHint": true, "destructiveHint": false, "openWorldHint": false}}}}]"#
            )
        };
        let found = findings(Ruleset::only(&RULE), "tools.json", &tool(&"x".repeat(201)));
        assert!(found.len() == 1 && found[0].message.contains("has 201 characters"), "{found:?}");
        check(&RULE, &tool(&"x".repeat(200)));
    }

    #[test]
    fn adds_what_is_missing() {
        let tool = |annotations: &str| format!(r#"[{{"name": "list_notes"{annotations}, "inputSchema": {{}}}}]"#);
        let fixed = |before: &str, after: &str| check_fix(&RULE, Suggestion, "tools.json", &tool(before), &tool(after));
        let all = r#"{"title": "list notes", "readOnlyHint": true, "destructiveHint": false, "openWorldHint": true}"#;
        fixed("", &format!(r#", "annotations": {all}"#));
        fixed(r#", "annotations": {}"#, &format!(r#", "annotations": {all}"#));
        fixed(
            r#", "annotations": {"readOnlyHint": false, "title": "x"}"#,
            r#", "annotations": {"readOnlyHint": false, "title": "x", "destructiveHint": false, "openWorldHint": true}"#,
        );
    }
}
