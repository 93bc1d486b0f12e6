use super::invalid_pattern::broken;
use super::pattern::operators;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::Role;
use crate::rules::{Context, Sink};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds patterns that do not start with `^` or do not end with `$`. Not those that are broken anyway.
    ///
    /// ## Why
    /// JSON Schema lets a pattern match anywhere in the text, so that `[0-9]+s` takes `about 10seconds`, which is seldom
    /// meant. Servers built on llama.cpp make a grammar of the pattern and refuse every request with one that lacks an
    /// end.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "set_delay", "description": "Set the delay of a job and return the old one.", "inputSchema": {"type": "object", "properties": {"delay": {"type": "string", "pattern": "[0-9]+s", "description": "The delay, such as 5s"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "set_delay", "description": "Set the delay of a job and return the old one.", "inputSchema": {"type": "object", "properties": {"delay": {"type": "string", "pattern": "^[0-9]+s$", "description": "The delay, such as 5s"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe: holds the whole text to a pattern without ends. Where one end is there, `.*` takes the other side.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.3.3; ggml-org/llama.cpp issue 26930, containers/kubernetes-mcp-server issue 758.
    "unanchored-pattern", Schema, Tool(check), Information;
    fix: Unsafe;
    help: "start the pattern with `^` and end it with `$`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let Some(pattern) = schema.get("pattern") else { continue };
        // What is no pattern is another rule's.
        let is_pattern = |text: &&str| !text.is_empty() && broken(text).is_none();
        let Some(text) = pattern.as_str().filter(is_pattern) else { continue };
        // What must not match is rightly looked for anywhere.
        if tool.schemas().outwards(schema).any(|around| matches!(around.role, Role::Keyword("not" | "if"))) {
            continue;
        }
        let missing = match (text.starts_with('^'), has_end(text)) {
            (true, true) => continue,
            (false, false) => "neither starts with `^` nor ends with `$`",
            (false, true) => "does not start with `^`",
            (true, false) => "does not end with `$`",
        };
        let message = format!("the pattern of {} {missing}", tool.schemas().place(schema));
        let whole = whole(text);
        let edit = Edit::replace(pattern.range, serde_json::Value::from(whole.as_str()).to_string());
        out.add(pattern.range, message)
            .note("without both ends it matches anywhere in the text")
            .fix(Fix::unsafe_(format!("write `{}`", shown(&whole)), vec![edit]));
    }
}

/// Whether a pattern ends with a `$` that is no dollar sign.
fn has_end(pattern: &str) -> bool {
    operators(pattern).last() == Some((pattern.len() - 1, '$'))
}

/// The pattern with both ends.
fn whole(pattern: &str) -> String {
    let mut depth = 0;
    let has_branches = operators(pattern).any(|(_, char)| {
        depth += i32::from(char == '(') - i32::from(char == ')');
        char == '|' && depth == 0
    });
    let grouped = if has_branches { format!("(?:{pattern})") } else { pattern.to_owned() };
    match (pattern.starts_with('^'), has_end(pattern)) {
        (false, false) => format!("^{grouped}$"),
        // An end may be that of one branch only.
        _ if has_branches => format!("^.*{grouped}.*$"),
        (true, _) => format!("{pattern}.*$"),
        (false, _) => format!("^.*{pattern}"),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Unsafe;

    #[test]
    fn marks_the_pattern() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"x": {"pattern": "a"}, "y": {"items": {"pattern": "^a"}}, "z": {"pattern": "a$"}, "v": {"pattern": "^a\\$"}}}},
                                                               ^^^ of `x` neither starts with
                                                                                                ^^^^ of `y[]` does not end with `$`
                                                                                                                         ^^^^ of `z` does not start with
                                                                                                                                                 ^^^^^^^ of `v` does not end
 {"name": "b", "inputSchema": {"properties": {"x": {"pattern": "^a$"}, "y": {"pattern": ""}, "z": {"pattern": 1}, "v": {"pattern": "(a"}, "pattern": {"not": {"pattern": "a"}}}}}]
"#,
        );
    }

    #[test]
    fn gives_it_both_ends() {
        let tool = |pattern: &str| {
            format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{"pattern":{pattern}}}}}}}}}]"#)
        };
        let fixed = |before: &str, after: &str| check_fix(&RULE, Unsafe, "tools.json", &tool(before), &tool(after));
        fixed(r#""[0-9]+s""#, r#""^[0-9]+s$""#);
        fixed(r#""a|\\d""#, r#""^(?:a|\\d)$""#);
        fixed(r#""^a""#, r#""^a.*$""#);
        fixed(r#""^(a|b)-""#, r#""^(a|b)-.*$""#);
        fixed(r#""a$""#, r#""^.*a$""#);
        fixed(r#""^a|b""#, r#""^.*(?:^a|b).*$""#);
    }
}
