use crate::diagnostic::{Fix, Severity};
use crate::rules::{Context, Piece, Sink};
use crate::text::{Edit, TextRange};

const MARK: char = '\u{feff}';

rule! {
    /// ## What it does
    /// Finds a byte order mark at the start of a file: a character that no editor shows, which some programs write
    /// before the first bracket.
    ///
    /// ## Why
    /// JSON is not to start with one, and many parsers refuse the file for it. Claude Desktop takes such a file for a
    /// broken one and writes it anew, without the servers: there this is an error.
    ///
    /// ## Bad
    /// ```json
    #[doc = " \u{feff}{\"tools\": [{\"name\": \"list_files\", \"description\": \"List the files of a folder.\", \"inputSchema\": {\"type\": \"object\"}}]}"]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// {"tools": [{"name": "list_files", "description": "List the files of a folder.", "inputSchema": {"type": "object"}}]}
    /// ```
    ///
    /// ## Fix
    /// Safe: removes the mark.
    ///
    /// ## Sources
    /// RFC 8259 section 8.1; tradesdontlie/tradingview-mcp issue 406.
    "byte-order-mark", Syntax, Piece(check), Warning;
    fix: Safe;
    help: "save the file as UTF-8 without a byte order mark";
    since: "0.1.0";
}

fn check(piece: &Piece, context: &Context, out: &mut Sink) {
    if !piece.is_document || !piece.text.starts_with(MARK) {
        return;
    }
    let range = TextRange::new(0, MARK.len_utf8());
    let dropped_by = context.dialect.filter(|dialect| dialect.drops_byte_order_mark);
    let severity = if dropped_by.is_some() { Severity::Error } else { RULE.severity };
    let finding = out.add_as(severity, range, "the file starts with a byte order mark, which JSON does not allow");
    finding.note(match dropped_by {
        Some(dialect) => {
            format!("{} takes the file for a broken one and may write it anew without the servers", dialect.name)
        }
        None => "many JSON parsers refuse the whole file for it".to_owned(),
    });
    finding.fix(Fix::safe("remove the byte order mark", vec![Edit::remove(range)]));
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::Safe;
    use crate::diagnostic::Severity;

    #[test]
    fn is_an_error_where_the_file_is_lost_to_it() {
        let found = |path: &str| findings(Ruleset::only(&RULE), path, "\u{feff}{\"mcpServers\": {}}");
        assert_eq!(found(".mcp.json")[0].severity, Severity::Warning);
        let found = found("claude_desktop_config.json");
        assert_eq!((found.len(), found[0].severity, found[0].range.len()), (1, Severity::Error, 3));
        check(&RULE, "[{\"name\": \"\u{feff}\", \"inputSchema\": {}}]");
    }

    #[test]
    fn removes_the_mark() {
        check_fix(&RULE, Safe, ".mcp.json", "\u{feff}{\r\n}\r\n", "{\r\n}\r\n");
    }
}
