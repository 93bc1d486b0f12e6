use super::filler_description::starts_with_filler;
use crate::model::Tool;
use crate::rules::{Context, Sink, verbs};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds descriptions of tools that do not start with a verb: "The notes of a folder" and not "List the notes of a
    /// folder" or "Lists the notes of a folder". Knows English verbs only; a text that starts with letters other than A to
    /// Z is left alone. "This tool …" is `filler-description`'s.
    ///
    /// ## Why
    /// What a tool does is read fastest where it stands first. A matter of taste, so it is off unless you switch it on.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_notes", "description": "The notes of a folder with their dates.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_notes", "description": "List the notes of a folder with their dates.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// None: which verb it is, is not in the text.
    ///
    /// ## Sources
    /// The providers' guides to tool use, whose examples do so.
    "description-not-imperative", Description, Tool(check), Information;
    recommended: false;
    help: "start the description with a verb: `List …`, `Create …`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(member) = tool.description() else { return };
    let Some(text) = member.value.as_str().map(str::trim_start) else { return };
    let word = text.split(|char: char| !char.is_alphanumeric()).next().unwrap_or_default();
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    if is_word && verbs::opening(text).is_none() && !starts_with_filler(text) {
        let message = format!("the description of {} starts with `{}`, not with a verb", tool.quoted(), shown(word));
        out.add(member.value.range, message);
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
[{"name": "a", "description": " Notes of a folder", "inputSchema": {}}, {"name": "b", "description": "Lists notes", "inputSchema": {}},
                              ^^^^^^^^^^^^^^^^^^^^ `a` starts with `Notes`, not with a verb
 {"name": "c", "description": "列出文件", "inputSchema": {}}, {"name": "d", "description": "", "inputSchema": {}},
 {"name": "e", "description": "élaguer", "inputSchema": {}}, {"name": "f", "description": "FETCH: a page", "inputSchema": {}},
 {"name": "g", "description": "This tool lists notes", "inputSchema": {}}]
"#,
        );
    }
}
