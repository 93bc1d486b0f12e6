use jsonschema_regex::is_valid_ecma_regex;

use crate::diagnostic::Severity;
use crate::model::Tool;
use crate::model::schema::Role;
use crate::rules::{Context, Sink};
use crate::text::{TextRange, shown};

rule! {
    /// ## What it does
    /// Finds a `pattern`, or a key of `patternProperties`, that is no regular expression: a problem where it is broken in
    /// every dialect, a warning where it is not JavaScript's, which JSON Schema has. Nothing is ever matched.
    ///
    /// ## Why
    /// Validators refuse a schema with such a pattern, and the tool with it. Inline flags and Python's named groups work where the server
    /// was written in Python, and nowhere else.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "read_log", "description": "Read the log of an app and return its last lines.", "inputSchema": {"type": "object", "properties": {"since": {"type": "string", "pattern": "^(all|[0-9]+[smhd]$", "description": "How far back, as in 5m"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "read_log", "description": "Read the log of an app and return its last lines.", "inputSchema": {"type": "object", "properties": {"since": {"type": "string", "pattern": "^(all|[0-9]+[smhd])$", "description": "How far back, as in 5m"}}}}]
    /// ```
    ///
    /// ## Fix
    /// None: what the pattern should take is not in the list.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 core 6.4: patterns are ECMA-262's, in Unicode mode.
    "invalid-pattern", Schema, Tool(check), Error;
    help: "write the pattern as JavaScript has it";
    since: "0.1.0";
}

/// Longer patterns are data rather than anybody's writing.
const MAX_LENGTH: usize = 10_000;

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let own = schema.get("pattern").and_then(|value| Some((value.as_str()?, value.range)));
        let key = match schema.role {
            Role::Named("patternProperties", member) => Some((&*member.key.name, member.key.range)),
            _ => None,
        };
        own.into_iter().chain(key).for_each(|(pattern, range)| check_pattern(pattern, range, out));
    }
}

fn check_pattern(pattern: &str, range: TextRange, out: &mut Sink) {
    if pattern.len() > MAX_LENGTH || is_valid_ecma_regex(pattern) {
        return;
    }
    match broken(pattern) {
        Some(what) => {
            out.add(range, format!("the pattern `{}` is no regular expression: {what}", shown(pattern)));
        }
        None => {
            let message = format!("the pattern `{}` is no regular expression of JavaScript", shown(pattern));
            out.add_as(Severity::Warning, range, message)
                .note("what JavaScript does not take in Unicode mode, such as `(?i)`, its validators refuse");
        }
    }
}

/// What no dialect takes.
pub(super) fn broken(pattern: &str) -> Option<&'static str> {
    let mut open = 0;
    let mut class: Option<usize> = None;
    let mut may_repeat = false;
    let mut characters = pattern.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let could_repeat = std::mem::replace(&mut may_repeat, true);
        match (character, class) {
            ('\\', _) => {
                let Some(_) = characters.next() else { return Some("it ends in a `\\`") };
            }
            // Some dialects take a bracket that comes first for itself.
            (']', Some(start)) if !pattern[start..at].trim_start_matches('^').is_empty() => class = None,
            (_, Some(_)) => {}
            ('[', None) => class = Some(at + 1),
            ('(', None) => {
                open += 1;
                may_repeat = false;
                characters.next_if(|(_, next)| *next == '?');
            }
            (')', None) if open == 0 => return Some("a `)` has no `(`"),
            (')', None) => open -= 1,
            ('|' | '^', None) => may_repeat = false,
            ('*' | '+', None) if !could_repeat && !pattern[..at].ends_with('^') => {
                return Some("there is nothing to repeat");
            }
            _ => {}
        }
    }
    match class {
        Some(start) if !pattern[start..].contains(']') => Some("a `[` has no `]`"),
        None if open > 0 => Some("a `(` has no `)`"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, findings};

    #[test]
    fn marks_the_pattern() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"pattern": "(a"}, "y": {"pattern": "a)"}, "z": {"pattern": "[a"}, "v": {"pattern": "*a"}, "w": {"pattern": "a\\"}}}},
                                                               ^^^^ a `(` has no `)`
                                                                                       ^^^^ a `)` has no `(`
                                                                                                               ^^^^ a `[` has no `]`
                                                                                                                                       ^^^^ nothing to repeat
                                                                                                                                                               ^^^^^ ends in a `\`
 {"name": "b", "inputSchema": {"properties": {"x": {"pattern": "(?i)a"}, "y": {"pattern": "(?P<n>a)"}, "pattern": {"const": "("}, "z": {"pattern": null}}, "patternProperties": {"[": {}}}}]
                                                               ^^^^^^^ no regular expression of JavaScript
                                                                                          ^^^^^^^^^^
                                                                                                                                                                                 ^^^ a `[` has no `]`
"##,
        );
    }

    #[test]
    fn what_javascript_takes_is_left_alone_and_nothing_is_matched() {
        let patterns = [
            r"^(?=.*\\d)(?!x)(?<=a)(?<!b)(?<n>a)\\k<n>\\1$",
            r"^[^\\]\\\\[]*$",
            r"\\p{L}+\\u{1F600}[\\w.-]",
            "^(a+)+$",
            "(((a{1000}){1000}){1000}){1000}",
            "",
            "a{2,}?|^$",
            "[]",
        ];
        let nested = format!("{}{}", "(".repeat(4_000), ")".repeat(4_000));
        for pattern in patterns.into_iter().chain([&*nested, &*"(".repeat(100_000)]) {
            let text =
                format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{"pattern": "{pattern}"}}}}}}}}]"#);
            assert_eq!(findings(crate::analysis::Ruleset::only(&RULE), "tools.json", &text), [], "{pattern}");
        }
    }
}
