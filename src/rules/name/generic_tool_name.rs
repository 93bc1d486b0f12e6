use crate::rules::name::{Style, Taken};
use crate::rules::{Context, Sink, Toolset};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds tools whose whole name is a word such as `run`, `process`, `execute`, `handle` or `tool`.
    ///
    /// ## Why
    /// The name does not say what is run. Beside the tools of other servers, of which each may have a `run`, a model takes
    /// the wrong one.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "execute", "description": "Send one SQL statement to the orders database and return its rows.", "inputSchema": {"type": "object", "properties": {"sql": {"type": "string", "description": "SQL statement"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "execute_sql", "description": "Send one SQL statement to the orders database and return its rows.", "inputSchema": {"type": "object", "properties": {"sql": {"type": "string", "description": "SQL statement"}}}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion, where the tool has a parameter: puts its name behind the word, here and in the descriptions that speak
    /// of the tool. The server has to follow.
    ///
    /// ## Sources
    /// The providers' guides to tool use.
    "generic-tool-name", Name, Toolset(check), Warning;
    fix: Suggestion;
    help: "name what the tool works on, too: `run_tests`, `process_payment`";
    since: "0.1.0";
}

/// Words that could be any tool's name.
const GENERIC: &[&str] = &[
    "action", "do", "execute", "function", "handle", "helper", "invoke", "perform", "process", "run", "tool", "utility",
];

/// Whether a name could be any tool's.
pub(in crate::rules) fn is_generic(name: &str) -> bool {
    GENERIC.iter().any(|word| name.eq_ignore_ascii_case(word))
}

fn check(toolset: &Toolset, _: &Context, out: &mut Sink) {
    let mut taken = None;
    for tool in toolset.tools {
        let Some((name, range)) = tool.name.as_ref().filter(|(name, _)| is_generic(name)) else { continue };
        let object = tool.object.as_ref().and_then(|object| Style::Snake.write(object));
        out.on(tool.item).add(*range, format!("the tool name `{}` does not say what it works on", shown(name))).fix(
            object.and_then(|object| {
                let taken = taken.get_or_insert_with(|| Taken::new(toolset, Style::Snake));
                taken.suggested(name, &format!("{name}_{object}"))
            }),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_name() {
        check(
            &RULE,
            r#"
[{"name": "run", "inputSchema": {}}, {"name": "Execute", "inputSchema": {}}, {"name": "run_tests", "inputSchema": {}},
          ^^^^^ `run` does not say what it works on
                                              ^^^^^^^^^
 {"name": "search", "inputSchema": {}}, {"name": "fetch", "inputSchema": {}}, {"name": "process_", "inputSchema": {}}]
"#,
        );
    }

    #[test]
    fn adds_the_first_parameter() {
        let list = |name: &str, other: &str| {
            format!(
                r#"[{{"name": "{name}", "inputSchema": {{"properties": {{"sqlText": {{}}, "b": {{}}}}}}}}, {{"name": "{other}", "description": "Like `{name}`.", "inputSchema": {{}}}}]"#
            )
        };
        check_fix(&RULE, Suggestion, "tools.json", &list("run", "b"), &list("run_sql_text", "b"));
        let fixes = |text: &str| findings(Ruleset::only(&RULE), "tools.json", text)[0].fixes.len();
        assert_eq!(fixes(&list("run", "run_sql_text")), 0);
        assert_eq!(fixes(&list("run", "run")), 0);
    }
}
