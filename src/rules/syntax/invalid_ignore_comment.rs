use crate::diagnostic::Fix;
use crate::model::dialect::Strictness;
use crate::rules::{self, Context, Piece, Sink};
use crate::text::{Edit, TextRange, nearest, shown};

rule! {
    /// ## What it does
    /// In files that may have comments, finds `mcp-analyzer: ignore` comments that name no rule, or one that does not
    /// exist.
    ///
    /// ## Why
    /// Such a comment silences nothing, and whoever wrote it takes it that it does.
    ///
    /// ## Bad
    /// ```json .vscode/mcp.json
    /// {
    ///   "servers": {
    ///     // mcp-analyzer: ignore insecure-ulr our own network
    ///     "docs": {"type": "http", "url": "https://docs.example.com/mcp"}
    ///   }
    /// }
    /// ```
    ///
    /// ## Good
    /// ```json .vscode/mcp.json
    /// {
    ///   "servers": {
    ///     // mcp-analyzer: ignore insecure-url our own network
    ///     "docs": {"type": "http", "url": "https://docs.example.com/mcp"}
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    /// A suggestion, since the comment then silences something: writes the rule whose name is nearly the one that is
    /// written.
    ///
    /// ## Sources
    /// The README of mcp-analyzer.
    "invalid-ignore-comment", Syntax, Piece(check), Warning;
    fix: Suggestion;
    help: "write `mcp-analyzer: ignore RULE` with the name that stands in front of the finding, of several with commas";
    since: "0.1.0";
}

/// The names of the rules that a comment is to silence, whether there are such rules; `None` of any other comment.
/// Commas stand between them, and what follows the last is a reason.
pub fn ignored(comment: &str) -> Option<Vec<&str>> {
    let words = comment.trim_start_matches(['/', '*']).trim_end_matches(['*', '/']).trim();
    let rest = words.strip_prefix("mcp-analyzer:")?.trim_start().strip_prefix("ignore")?;
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return None;
    }
    let mut names = Vec::new();
    for part in rest.split(',') {
        let mut words = part.split_whitespace();
        names.extend(words.next());
        if words.next().is_some() {
            break;
        }
    }
    Some(names)
}

fn check(piece: &Piece, context: &Context, out: &mut Sink) {
    // Where there may be no comment, the comment itself is what is wrong.
    if context.strictness == Strictness::Strict {
        return;
    }
    for comment in &piece.reading.comments {
        let text = &piece.text[comment.as_usize()];
        let Some(names) = ignored(text) else { continue };
        if names.is_empty() {
            out.add(*comment, "this comment names no rule, and silences nothing");
        }
        for (index, name) in names.into_iter().enumerate() {
            let meant = nearest(name, rules::ALL.iter().map(|rule| rule.name));
            // A later word may be the reason, which has commas of its own.
            let is_name = index == 0 || meant.is_some() || name.contains('-');
            if !is_name || rules::by_name(name).is_some() {
                continue;
            }
            // Each name is a part of the comment's own text.
            let start = comment.start + (name.as_ptr() as usize - text.as_ptr() as usize);
            let range = TextRange::new(start, start + name.len());
            let ask = meant.map(|meant| format!(": did you mean `{meant}`?")).unwrap_or_default();
            out.add(range, format!("there is no rule `{}`, and nothing is silenced{ask}", shown(name)))
                .fix(meant.map(|meant| Fix::suggestion(format!("write `{meant}`"), vec![Edit::replace(range, meant)])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RULE, ignored};
    use crate::analysis::testing::{check_at, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn several_rules_stand_with_commas_and_a_reason_behind_them() {
        let names = |comment| ignored(comment).unwrap_or_default();
        assert_eq!(names("// mcp-analyzer: ignore a"), ["a"]);
        assert_eq!(names("/* mcp-analyzer:ignore a,b, c , d not ours, yet */"), ["a", "b", "c", "d"]);
        assert!(names("// mcp-analyzer: ignore").is_empty());
        assert_eq!(ignored("// mcp-analyzer: ignored"), None);
        assert_eq!(ignored("// ignore a"), None);
    }

    #[test]
    fn marks_what_is_no_rule() {
        check_at(
            &RULE,
            "tools.jsonc",
            r#"
[ // mcp-analyzer: ignore missing-descriptio
                          ^^^^^^^^^^^^^^^^^^ did you mean `missing-description`?
 {"name": "a", // mcp-analyzer: ignore all, tool-nam-case, because
                                       ^^^ there is no rule `all`
                                            ^^^^^^^^^^^^^
  "inputSchema": {}}, /* mcp-analyzer: ignore */
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ names no rule
 // mcp-analyzer: ignore tool-name-case, missing-description it is ours, all of it
 {"name": "b"}]
"#,
        );
        check_at(&RULE, "tools.json", "[{\"name\": \"a\", \"inputSchema\": {}}] // mcp-analyzer: ignore all");
    }

    #[test]
    fn writes_the_rule_that_was_meant() {
        let list =
            |rule: &str| format!("// mcp-analyzer: ignore {rule} ours\n[{{\"name\": \"a\", \"inputSchema\": {{}}}}]");
        let (before, after) = (list("tool-name-cas"), list("tool-name-case"));
        check_fix(&RULE, Suggestion, "tools.jsonc", &before, &after);
    }
}
