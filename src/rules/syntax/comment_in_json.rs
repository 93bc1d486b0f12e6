use super::strict_reader;
use crate::diagnostic::Fix;
use crate::rules::{Context, Piece, Sink};
use crate::text::{Edit, TextRange};

rule! {
    /// ## What it does
    /// Finds comments in files that are read as strict JSON.
    ///
    /// ## Why
    /// JSON has no comments: a strict parser refuses the whole file, and the client then shows no server at all. Where
    /// a client does not say whether it forgives them, this is a warning. VS Code's `mcp.json` and files that end in
    /// `.jsonc` may have them.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {
    ///   // our documentation
    ///   "mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}
    /// }
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {
    ///   "mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}
    /// }
    /// ```
    ///
    /// ## Fix
    /// Safe: removes the comment, and its line where nothing else is on it. Unsafe, where the comment tells
    /// mcp-analyzer to ignore something: the settings file can say that as well.
    ///
    /// ## Sources
    /// RFC 8259; for the clients, the sources of their dialects.
    "comment-in-json", Syntax, Piece(check), Error;
    fix: Safe;
    help: "remove the comment";
    since: "0.1.0";
}

fn check(piece: &Piece, context: &Context, out: &mut Sink) {
    if !piece.is_whole() {
        return;
    }
    let Some((severity, why)) = strict_reader(context) else { return };
    let message = format!("this is a comment, and {why}");
    for comment in &piece.reading.comments {
        let words = &piece.text[comment.as_usize()];
        let fix = if words.contains("mcp-analyzer:") { Fix::unsafe_ } else { Fix::safe };
        // Where something else is wrong, what is meant is told by the lines.
        let is_free = piece.reading.errors.is_empty() || !words.contains('\n');
        out.add_as(severity, *comment, message.as_str())
            .note("a strict parser refuses the whole file")
            .fix(is_free.then(|| fix("remove the comment", vec![without(piece.text, *comment)])));
    }
}

/// The edit that takes a comment out, with the white space that was there for it.
fn without(text: &str, comment: TextRange) -> Edit {
    const SPACE: [char; 2] = [' ', '\t'];
    let (before, after) = (&text[..comment.start], &text[comment.end..]);
    let start = before.trim_end_matches(SPACE).len();
    let end = comment.end + (after.len() - after.trim_start_matches(SPACE).len());
    let (before, rest) = (&text[..start], &text[end..]);
    let starts_line = before.is_empty() || before.ends_with('\n');
    let line_break = ["\r\n", "\n"].into_iter().find(|line_break| rest.starts_with(line_break));
    match line_break {
        Some(line_break) if starts_line => Edit::remove(TextRange::new(start, end + line_break.len())),
        _ if starts_line => Edit::remove(TextRange::new(if rest.is_empty() { start } else { comment.start }, end)),
        _ if line_break.is_some() || rest.is_empty() => Edit::remove(TextRange::new(start, end)),
        _ if start < comment.start && (end > comment.end || rest.starts_with([',', ':', '}', ']'])) => {
            Edit::remove(TextRange::new(start, comment.end))
        }
        // What the comment keeps apart stays apart.
        _ if start == comment.start && end == comment.end => Edit::replace(comment, " "),
        _ => Edit::remove(comment),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_at, check_fix, findings};
    use crate::diagnostic::Applicability::{Safe, Unsafe};
    use crate::diagnostic::Severity;

    #[test]
    fn marks_the_comment_inside_and_around_the_items() {
        check_at(
            &RULE,
            ".mcp.json",
            r#"
{"mcpServers": { /* ours */ "a": {"command": "x" /* // */}}} // end
                 ^^^^^^^^^^                      ^^^^^^^^    ^^^^^^ this is a comment, and Claude Code reads strict JSON
"#,
        );
        check(
            &RULE,
            r#"
[ // mcp-analyzer: ignore all
  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ this is a comment, and JSON allows none there
 {"name": "a // b", "inputSchema": {/**/}}]
                                    ^^^^
"#,
        );
        check(&RULE, r#"[{"name": "a", "inputSchema": {}}, /* ]"#);
        check_at(&RULE, "tools.jsonc", r#"[{"name": "a", "inputSchema": {} /* x */}]"#);
        check_at(&RULE, ".vscode/mcp.json", r#"{"servers": {} /* x */}"#);
        let found = findings(Ruleset::only(&RULE), ".cursor/mcp.json", r#"{"mcpServers": {} /* x */}"#);
        assert_eq!(found[0].severity, Severity::Warning);
    }

    #[test]
    fn removes_the_comment_and_what_was_there_for_it() {
        let fixed = |applicability, before: &str, after: &str| {
            let file = |inside: &str| format!("[{{\"name\": \"a\",{inside}\"inputSchema\": {{}}}}]");
            check_fix(&RULE, applicability, "tools.json", &file(before), &file(after));
        };
        fixed(Safe, "\r\n  // x\r\n  ", "\r\n  ");
        fixed(Safe, "\n  /* x\n   * y */  \n  ", "\n  ");
        fixed(Safe, " // x\r\n  ", "\r\n  ");
        fixed(Safe, "\n  /* x */ ", "\n  ");
        fixed(Safe, " /* x */ ", " ");
        fixed(Safe, "/* x */ ", " ");
        fixed(Safe, " \"b\": 1 /* x */, ", " \"b\": 1, ");
        fixed(Safe, " \"b\": /* x */1, ", " \"b\": 1, ");
        fixed(Unsafe, "\n// mcp-analyzer: ignore tool-name-case\n  ", "\n  ");
        let tool = r#"[{"name": "a", "inputSchema": {}}]"#;
        check_fix(&RULE, Safe, "tools.json", &format!("// x\n{tool}\n"), &format!("{tool}\n"));
        check_fix(&RULE, Safe, "tools.json", &format!("{tool}\n// x"), &format!("{tool}\n"));
        check_fix(&RULE, Safe, "tools.json", &format!("{tool} // x"), tool);
    }
}
