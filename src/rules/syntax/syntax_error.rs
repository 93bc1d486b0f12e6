use crate::diagnostic::Fix;
use crate::rules::{Context, Piece, Sink};
use crate::syntax::SyntaxErrorKind;
use crate::text::TextRange;

rule! {
    /// ## What it does
    /// Finds the places where a file is not JSON: a missing comma, quote, bracket, colon or value, single quotes, a
    /// key without quotes, a second value after the first. Comments and trailing commas have rules of their own.
    ///
    /// ## Why
    /// Most clients drop the whole file at the first mistake and say nothing, or say it in a log that nobody reads.
    /// The rest of the file is still checked here.
    ///
    /// ## Bad
    /// ```json
    /// {"tools": [{"name": "list_files" "description": "List the files of a folder.", "inputSchema": {"type": "object"}}]}
    /// ```
    ///
    /// ## Good
    /// ```json
    /// {"tools": [{"name": "list_files", "description": "List the files of a folder.", "inputSchema": {"type": "object"}}]}
    /// ```
    ///
    /// ## Fix
    /// Safe where one edit mends the mistake and makes no other: a missing comma, quote, bracket or colon, single
    /// quotes, a bare key, `True` or `None`, a backslash that has to be doubled.
    ///
    /// ## Sources
    /// RFC 8259.
    "syntax-error", Syntax, Piece(check), Error;
    editors_report_it: true;
    fix: Safe;
    help: "mend the JSON at this place";
    since: "0.1.0";
}

fn check(piece: &Piece, _: &Context, out: &mut Sink) {
    for error in &piece.reading.errors {
        let finding = out.add(error.range, error.kind.to_string());
        if let SyntaxErrorKind::Unclosed { opened, .. } = error.kind {
            finding.related(TextRange::new(opened, opened + 1), "opened here");
        }
        if let Some(edit) = &error.repair {
            let title = match (edit.range.is_empty(), edit.new_text.is_empty()) {
                (true, _) => format!("insert `{}`", edit.new_text),
                (_, true) => format!("remove `{}`", &piece.text[edit.range.as_usize()]),
                _ => format!("replace by `{}`", edit.new_text),
            };
            finding.fix(Fix::safe(title, vec![edit.clone()]));
        }
    }
}
