use super::pattern::operators;
use crate::model::Tool;
use crate::provider::Feature;
use crate::rules::{Context, Sink};

rule! {
    /// ## What it does
    /// Finds patterns that look ahead, as with `(?=…)` and `(?!…)`, or behind.
    ///
    /// ## Why
    /// A model whose answers are held to a grammar cannot look ahead. OpenAI refuses every request that has such a tool
    /// in it, used or not; servers built on llama.cpp, too. Zod's check of mail addresses makes such a pattern.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "open_file", "description": "Open a design file and return its pages.", "inputSchema": {"type": "object", "properties": {"key": {"type": "string", "pattern": "^(?!null$)[a-z]+$", "description": "Key of the file"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "open_file", "description": "Open a design file and return its pages.", "inputSchema": {"type": "object", "properties": {"key": {"type": "string", "pattern": "^[a-z]+$", "description": "Key of the file, never `null`"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// None: what the pattern is to keep out has to be said in another way.
    ///
    /// ## Sources
    /// The answer of OpenAI's API: regex lookaround is not supported; anomalyco/opencode issue 32073, cline/cline pull
    /// request 14019.
    "lookaround-pattern", Schema, Tool(check), Warning;
    help: "write the pattern without looking ahead or behind, and check the rest in the server";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let verdicts = cx.verdicts(Feature::LookaroundPattern);
    if verdicts.is_empty() {
        return;
    }
    for schema in tool.schemas() {
        let Some(pattern) = schema.get("pattern") else { continue };
        if let Some(looks) = pattern.as_str().and_then(lookaround) {
            let place = tool.schemas().place(schema);
            out.add(pattern.range, format!("the pattern of {place} looks {looks}")).note(verdicts.note());
        }
    }
}

/// In which direction a pattern looks first.
fn lookaround(pattern: &str) -> Option<&'static str> {
    operators(pattern).filter(|(_, char)| *char == '(').find_map(|(at, _)| {
        let group = &pattern[at + 1..];
        let is_any = |starts: [&str; 2]| starts.iter().any(|start| group.starts_with(start));
        if is_any(["?=", "?!"]) { Some("ahead") } else { is_any(["?<=", "?<!"]).then_some("behind") }
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_pattern() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"x": {"pattern": "^(?!a)b"}, "y": {"items": {"pattern": "(?<=a)b"}}, "z": {"pattern": "é(?=."}}}},
                                                               ^^^^^^^^^ of `x` looks ahead
                                                                                                      ^^^^^^^^^ of `y[]` looks behind
                                                                                                                                    ^^^^^^^
 {"name": "b", "inputSchema": {"properties": {"x": {"pattern": "\\(?=a"}, "y": {"pattern": "[(?!]"}, "z": {"pattern": "(?:a)(?<n>b)\\"}, "pattern": {"pattern": 1}}}}]
"#,
        );
    }
}
