use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::text::{Edit, shown, stem, words};

rule! {
    /// ## What it does
    /// Finds parameters that are paths of files or folders, by their name, and whose description does not say where
    /// they may lie or what they are relative to. A parameter without a description is `missing-param-description`'s.
    ///
    /// ## Why
    /// The model tries paths that the server refuses, or that lead where nobody wanted it. Off unless you switch it on,
    /// since the description of the tool may say it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "read_note", "description": "Return the text of one note.", "inputSchema": {"type": "object", "properties": {"path": {"type": "string", "description": "Path of the note"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "read_note", "description": "Return the text of one note.", "inputSchema": {"type": "object", "properties": {"path": {"type": "string", "description": "Path of the note, relative to the notes folder"}}}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion: the start of such a sentence, for you to finish.
    ///
    /// ## Sources
    /// A rule of agentcheckup.
    "path-scope-undocumented", Description, Tool(check), Information;
    recommended: false;
    fix: Suggestion;
    help: "say in the description of the path below which folder it has to be, or what it is relative to";
    aliases: ["AGT033"];
    since: "0.1.0";
}

/// What the name of a path ends with.
const PATHS: &[&str] = &["cwd", "dir", "directory", "filepath", "folder", "path"];
/// Before or behind it, what is no file.
const OTHERS: &[&str] =
    &["api", "endpoint", "field", "http", "https", "json", "jsonpath", "key", "route", "uri", "url", "xpath"];
/// Words that tell where a path may lie.
const SCOPES: &[&str] = &[
    "absolute",
    "allowed",
    "below",
    "beneath",
    "inside",
    "outside",
    "project",
    "relative",
    "repo",
    "repository",
    "root",
    "sandbox",
    "under",
    "within",
    "workspace",
];

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for parameter in tool.parameters() {
        let name = words(&parameter.key.name);
        if !name.last().is_some_and(|last| PATHS.contains(&&*stem(last))) {
            continue;
        }
        let Some(member) = parameter.value.member("description") else { continue };
        let Some(text) = member.value.as_str().filter(|text| !text.trim().is_empty()) else { continue };
        let is_known = !text.chars().any(|char| char.is_alphabetic() && !char.is_ascii());
        let mut told = words(text).into_iter().chain(name);
        if is_known && !told.any(|word| [OTHERS, SCOPES].iter().any(|list| list.contains(&&*stem(&word)))) {
            let name = shown(&parameter.key.name);
            let end = member.value.range.end - 1;
            let start = member.value.range.start + 1;
            let stop = if tool.text[start..end].trim_end().ends_with('.') { " Has" } else { "; has" };
            let edit = Edit::insert(end, format!("{stop} to be inside "));
            out.add(member.value.range, format!("the description of `{name}` does not say where the path may lie"))
                .fix(Fix::suggestion("say where it may lie, to finish", vec![edit]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_text() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"filePath": {"description": "The file"}, "path": {"description": "Absolute path"},
                                                                          ^^^^^^^^^^ `filePath` does not say where the path may lie
  "pathology": {"description": "x"}, "json_path": {"description": "In the answer"}, "paths": {"description": "路径"},
  "dir": {"description": ""}, "folder": {}, "root_dir": {"description": "A folder"}}}}]
"#,
        );
    }

    #[test]
    fn starts_the_sentence() {
        let tool = |text: &str| {
            format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"dir": {{"description": "{text}"}}}}}}}}]"#)
        };
        let fixed = |before: &str, after: &str| check_fix(&RULE, Suggestion, "tools.json", &tool(before), &tool(after));
        fixed("Folder", "Folder; has to be inside ");
        fixed("The folder.", "The folder. Has to be inside ");
    }
}
