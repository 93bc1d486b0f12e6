use crate::rules::name::{Style, Taken};
use crate::rules::{Context, Sink, Toolset, verbs};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds tool names that have no verb in them: `weather`, `user_profile`. Knows English verbs only, some of which are
    /// nouns, too: `search`, `report`.
    ///
    /// ## Why
    /// `weather` may look a forecast up or store a reading; `get_weather` says which. A matter of taste, so it is off unless
    /// you switch it on.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "weather", "description": "Fetch the forecast of a city for a week.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "get_weather", "description": "Fetch the forecast of a city for a week.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion, where the description starts with a verb: puts it before the name, here and in the descriptions that
    /// speak of the tool. The server has to follow.
    ///
    /// ## Sources
    /// The providers' guides to tool use, whose examples are named so.
    "name-without-verb", Name, Toolset(check), Information;
    recommended: false;
    fix: Suggestion;
    help: "start the name with what the tool does: `get_…`, `create_…`";
    since: "0.1.0";
}

fn check(toolset: &Toolset, _: &Context, out: &mut Sink) {
    let mut taken = None;
    for tool in toolset.tools {
        let Some((name, range)) = &tool.name else { continue };
        // What has other letters is another rule's.
        let Some(snake) = Style::Snake.write(name).filter(|snake| snake.bytes().any(|byte| byte.is_ascii_lowercase()))
        else {
            continue;
        };
        if verbs::first(name).is_none() {
            let new = tool.verb.map(|verb| format!("{verb}_{snake}"));
            out.on(tool.item).add(*range, format!("the tool name `{}` has no verb in it", shown(name))).fix(
                new.and_then(|new| {
                    taken.get_or_insert_with(|| Taken::new(toolset, Style::Snake)).suggested(name, &new)
                }),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_name() {
        check(
            &RULE,
            r#"
[{"name": "userProfile", "inputSchema": {}}, {"name": "note-search", "inputSchema": {}}, {"name": "天气", "inputSchema": {}},
          ^^^^^^^^^^^^^ `userProfile` has no verb in it
 {"name": "", "inputSchema": {}}, {"name": "12", "inputSchema": {}}]
"#,
        );
    }

    #[test]
    fn takes_the_verb_of_the_description() {
        let tool =
            |name: &str| format!(r#"[{{"name": "{name}", "description": "Lists the files.", "inputSchema": {{}}}}]"#);
        check_fix(&RULE, Suggestion, "tools.json", &tool("folderFiles"), &tool("list_folder_files"));
    }
}
