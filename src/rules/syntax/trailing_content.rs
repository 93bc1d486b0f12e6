use super::is_second_value;
use crate::diagnostic::Fix;
use crate::model::Dialect;
use crate::rules::{Context, Piece, Sink};
use crate::syntax::{Reading, Value, read};
use crate::text::{Edit, TextRange};

rule! {
    /// ## What it does
    /// Finds what stands after the one value of a JSON file: most often a second object that was pasted below the
    /// first.
    ///
    /// ## Why
    /// A JSON file holds one value. Parsers refuse the whole file ("unexpected non-whitespace character after JSON"), and
    /// the client shows no server at all.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}}
    /// {"mcpServers": {"files": {"command": "uvx", "args": ["file-server@2.1.0"]}}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]},
    ///                 "files": {"command": "uvx", "args": ["file-server@2.1.0"]}}}
    /// ```
    ///
    /// ## Fix
    /// A suggestion: moves the servers of a second object into the first, or removes what stands after the value.
    ///
    /// ## Sources
    /// RFC 8259 section 2; tanviet12/chat-quality-agent issue 49.
    "trailing-content", Syntax, Piece(check), Error;
    editors_report_it: true;
    fix: Suggestion;
    help: "keep one value in the file, and move into it what you need of the rest";
    since: "0.1.0";
}

/// More is not read again to find out how it is mended.
const MAX_READ: usize = 2 << 20;

fn check(piece: &Piece, context: &Context, out: &mut Sink) {
    let Some((error, before)) = piece.reading.errors.split_last() else { return };
    if !is_second_value(piece.text, error) {
        return;
    }
    let finding = out.add(error.range, error.kind.to_string());
    let rest = &piece.text[error.range.start..];
    if !before.is_empty() || rest.len() > MAX_READ {
        return;
    }
    let second = read(rest);
    let kept = piece.text[..error.range.start].trim_end_matches([' ', '\t', '\r', '\n']).len();
    let remove = Edit::remove(TextRange::new(kept, error.range.start + rest.trim_end().len()));
    let moved = context.dialect.and_then(|dialect| moved(piece, dialect, rest, &second));
    finding
        .fix(moved.map(|edit| Fix::suggestion("move its servers into the first object", vec![edit, remove.clone()])));
    // What is no value by itself may belong to the first one.
    if second.errors.is_empty() || !rest.contains(['{', '}', '[', ']', '"', ',', ':']) {
        finding.fix(Fix::suggestion("remove what stands after the first value", vec![remove]));
    }
}

/// The edit that puts the servers of the second object behind those of the first; `None` where two would have one name,
/// or anything else would be lost with the second.
fn moved(piece: &Piece, dialect: &Dialect, rest: &str, second: &Reading) -> Option<Edit> {
    let (own, others) = (servers(dialect, &piece.reading.value)?, servers(dialect, &second.value)?);
    let (last, moved) = (own.members().last()?, others.members());
    let (from, to) = (moved.first()?.key.range.start, moved.last()?.value.range.end);
    let is_taken = moved.iter().any(|member| own.member(&member.key.name).is_some());
    if is_taken || !second.errors.is_empty() || !second.comments.is_empty() || second.value.members().len() != 1 {
        return None;
    }
    let gap = &rest[others.range.start + 1..from];
    let gap = if gap.is_empty() { " " } else { gap };
    Some(Edit::insert(last.range().end, format!(",{gap}{}", &rest[from..to])))
}

fn servers<'v>(dialect: &Dialect, root: &'v Value) -> Option<&'v Value> {
    dialect.roots.iter().find_map(|path| path.iter().try_fold(root, |value, key| value.get(key)))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_at, check_fix, findings};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn a_file_holds_one_value() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {}}] [1]
                                   ^ a JSON file holds one value, and this stands after it
"#,
        );
        check(&RULE, "[{\"name\": \"a\", \"inputSchema\": {}}] // end\n");
        check(&RULE, "[{\"name\": \"a\", \"inputSchema\": {}}], {\"name\": \"b\"}]");
        check(&RULE, "[{\"name\": \"a\", \"inputSchema\": {}}]]");
        check_at(&RULE, ".mcp.json", "\n{\"mcpServers\": {}}\n```\n^^^\n");
    }

    #[test]
    fn moves_the_servers_or_removes_the_rest() {
        let fixed = |before: &str, after: &str| check_fix(&RULE, Suggestion, ".mcp.json", before, after);
        fixed(
            "{\r\n  \"mcpServers\": {\r\n    \"a\": {\"command\": \"x\"}\r\n  }\r\n}\r\n{\r\n  \"mcpServers\": {\r\n    \"b\": {}\r\n  }\r\n}\r\n",
            "{\r\n  \"mcpServers\": {\r\n    \"a\": {\"command\": \"x\"},\r\n    \"b\": {}\r\n  }\r\n}\r\n",
        );
        fixed("{\"mcpServers\": {\"a\": {}}} x\n", "{\"mcpServers\": {\"a\": {}}}\n");
        fixed("{\"mcpServers\": {\"a\": {}}}{\"mcpServers\": {\"a\": {}}}", "{\"mcpServers\": {\"a\": {}}}");
        let fixes = |text: &str| findings(Ruleset::only(&RULE), ".mcp.json", text)[0].fixes.len();
        assert_eq!(fixes("{\"mcpServers\": {}} \"b\": {}}"), 0);
        assert_eq!(fixes("{\"mcpServers\": {\"a\": {}}} {\"mcpServers\": {\"b\": {}}}"), 2);
    }
}
