use super::is_second_value;
use crate::diagnostic::Fix;
use crate::model;
use crate::rules::{Context, Piece, Sink};
use crate::syntax::{SyntaxError, SyntaxErrorKind, read, read_member};
use crate::text::{TextRange, apply_edits};

rule! {
    /// ## What it does
    /// Finds the places where a file is not JSON: a missing comma, quote, bracket, colon or value, single or typographic quotes, a
    /// key without quotes, a line break in a string. Comments, trailing commas and what stands after the value have rules of their own:
    /// comment-in-json, trailing-comma, trailing-content.
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
    /// Safe where one edit mends the mistake and makes no other, a suggestion for a bracket that is missed at the end
    /// only: a missing comma, quote, bracket or colon, single or
    /// typographic quotes, a bare key, `True` or `None`, a line break in a string, a backslash that has to be
    /// doubled.
    ///
    /// ## Sources
    /// RFC 8259.
    "syntax-error", Syntax, Piece(check), Error;
    editors_report_it: true;
    fix: Safe;
    help: "mend the JSON at this place";
    since: "0.1.0";
}

/// Longer texts are read in outline only to see whether an edit mends them.
const MAX_READ: usize = 64 << 10;
/// How much text is read again at most, in bytes, before no more fixes are offered.
const MAX_READ_AGAIN: usize = 2 << 20;

fn check(piece: &Piece, _: &Context, out: &mut Sink) {
    let mut before = None;
    let is_own = |error: &&SyntaxError| !is_second_value(piece.text, error);
    for (index, error) in piece.reading.errors.iter().filter(is_own).enumerate() {
        let finding = out.add(error.range, error.kind.to_string());
        if let SyntaxErrorKind::Unclosed { opened, .. } = error.kind {
            finding.related(TextRange::new(opened, opened + 1), "opened here");
        }
        let may_read = (index + 1) * piece.text.len() <= MAX_READ_AGAIN;
        let Some(edit) = error.repair.as_ref().filter(|_| may_read) else { continue };
        let before = before.get_or_insert_with(|| State::of(piece, piece.text));
        let after = State::of(piece, &apply_edits(piece.text, std::slice::from_ref(edit)));
        // Where something may be lost to it, the one edit has to mend all there is.
        let enough = if error.kind.is_structural() { 1 } else { before.errors };
        if after.errors >= enough || !after.is_certain {
            continue;
        }
        let title = match (edit.range.is_empty(), edit.new_text.is_empty()) {
            _ if error.kind == SyntaxErrorKind::InvalidEscape => "double the backslashes in this string".to_owned(),
            _ if error.kind == SyntaxErrorKind::LineBreak => {
                "write every line break in this string as `\\n`".to_owned()
            }
            (true, _) => format!("insert `{}`", edit.new_text),
            (_, true) => format!("remove `{}`", &piece.text[edit.range.as_usize()]),
            _ => format!("replace by `{}`", edit.new_text),
        };
        // A bracket that is missed at the end only may be missing anywhere before.
        let is_guess = matches!(error.kind, SyntaxErrorKind::Unclosed { .. })
            && piece.is_document
            && edit.range.start >= piece.text.trim_end().len();
        let fix = if is_guess { Fix::suggestion } else { Fix::safe };
        finding.fix(fix(title, vec![edit.clone()]));
    }
}

/// How well a piece reads with some text.
struct State {
    errors: usize,
    /// The rest of the document reads the same whatever the piece holds. Where a piece ends is part of what is guessed
    /// in a broken text; only one without such guesses is known to end there.
    is_certain: bool,
}

impl State {
    fn of(piece: &Piece, text: &str) -> State {
        let reading = match piece.key {
            Some(_) => read_member(text).map(|(_, reading)| reading),
            None if text.len() <= MAX_READ => Some(read(text)),
            None => Some(model::outline(text)),
        };
        let Some(reading) = reading else { return State { errors: usize::MAX, is_certain: false } };
        let is_certain = piece.is_document
            || reading.value.range.end == text.len() && !reading.errors.iter().any(|error| error.kind.is_structural());
        State { errors: reading.errors.len(), is_certain }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::RULE;
    use crate::analysis::testing::document;
    use crate::analysis::{Ruleset, fix_all};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn a_text_from_a_word_processor_is_mended_wholly() {
        let text = "{“mcpServers”: {“a”: {“command”: “npx”, “args”: [“-y”, \"x”]}}}";
        let rules = Arc::new(Ruleset::only(&RULE));
        let mended =
            |text: &str| fix_all(&document(".mcp.json", text), &rules, None, |_, fix| fix.applicability == Safe).text;
        assert_eq!(
            mended(&text.replace("\"x”", "“x\"")),
            r#"{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"]}}}"#
        );
        assert_eq!(mended(text), text, "half a repair is none");
        let tools = "{“tools”: [{“name”: “get_a”,\r\n “inputSchema”: {“type”: “object”}}]}";
        let plain = tools.replace(['“', '”'], "\"");
        let read_as = Some(crate::analysis::ReadAs::Tools);
        assert_eq!(
            fix_all(&document("a.json", tools), &rules, read_as, |_, fix| fix.applicability == Safe).text,
            plain
        );
    }
}
