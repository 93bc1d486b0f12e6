use super::strict_reader;
use crate::diagnostic::Fix;
use crate::rules::{Context, Piece, Sink};
use crate::text::{Edit, TextRange};

rule! {
    /// ## What it does
    /// Finds commas after the last value of an object or array, in files that are read as strict JSON.
    ///
    /// ## Why
    /// JSON has no trailing commas: a strict parser refuses the whole file, and the client then shows no server at
    /// all. Where a client does not say whether it forgives them, this is a warning. VS Code's `mcp.json` and files
    /// that end in `.jsonc` may have them.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"],}}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}}
    /// ```
    ///
    /// ## Fix
    /// Safe: removes the comma.
    ///
    /// ## Sources
    /// RFC 8259; for the clients, the sources of their dialects.
    "trailing-comma", Syntax, Piece(check), Error;
    fix: Safe;
    help: "remove the comma after the last value";
    since: "0.1.0";
}

fn check(piece: &Piece, context: &Context, out: &mut Sink) {
    if !piece.is_whole() {
        return;
    }
    let Some((severity, why)) = strict_reader(context) else { return };
    let message = format!("this comma has nothing after it, and {why}");
    for comma in &piece.reading.trailing_commas {
        out.add_as(severity, *comma, message.as_str())
            .note("JSON allows a comma only between two values; a strict parser refuses the whole file")
            .fix(Fix::safe("remove the comma", vec![Edit::remove(with_its_line(piece.text, *comma))]));
    }
}

/// A comma with the line break before it, where it has a line of its own.
fn with_its_line(text: &str, comma: TextRange) -> TextRange {
    const SPACE: [char; 3] = [' ', '\t', '\r'];
    let before = text[..comma.start].trim_end_matches(SPACE);
    let has_line = before.ends_with('\n') && text[comma.end..].trim_start_matches(SPACE).starts_with('\n');
    let start = if has_line { before.trim_end_matches(['\r', '\n', ' ', '\t']).len() } else { comma.start };
    TextRange::new(start, comma.end)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_at, check_fix, findings};
    use crate::diagnostic::Applicability::Safe;
    use crate::diagnostic::Severity;

    #[test]
    fn marks_the_comma_inside_and_around_the_items() {
        check_at(
            &RULE,
            ".mcp.json",
            r#"
{"mcpServers": {"a": {"command": "x", "args": ["y",],}, }, }
                                                  ^ ^ ^  ^ Claude Code reads strict JSON
"#,
        );
        check(
            &RULE,
            r#"
{"tools": [{"name": "a", "inputSchema": {"type": "object",}},]}
                                                         ^  ^ JSON allows none there
"#,
        );
    }

    #[test]
    fn is_as_loud_as_the_reader_is_strict() {
        let severities = |path: &str| {
            let text = r#"{"servers": {}, "mcpServers": {"a": {"url": "x",}}}"#;
            Vec::from_iter(findings(Ruleset::only(&RULE), path, text).iter().map(|finding| finding.severity))
        };
        assert_eq!(severities(".mcp.json"), [Severity::Error]);
        assert_eq!(severities(".cursor/mcp.json"), [Severity::Warning]);
        assert_eq!(severities(".vscode/mcp.json"), []);
        check_at(&RULE, "tools.jsonc", r#"[{"name": "a", "inputSchema": {},},]"#);
    }

    #[test]
    fn removes_the_comma_only() {
        let file = |end: &str| format!("{{\r\n  \"mcpServers\": {{\"a\": {{\"url\": \"x\"{end}\r\n  }}}}\r\n}}\r\n");
        check_fix(&RULE, Safe, ".mcp.json", &file(" , // why"), &file("  // why"));
        check_fix(&RULE, Safe, ".mcp.json", &file(" // why\r\n  ,"), &file(" // why"));
    }
}
