use rustc_hash::FxHashMap;

use crate::diagnostic::Fix;
use crate::rules::{Context, Piece, Sink};
use crate::syntax::{Member, ValueKind, without_member};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds keys that one object has twice: two servers of one name, two `env`, two parameters of one name.
    ///
    /// ## Why
    /// Only one of the two counts, and nothing says so: the other is dropped without a word.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["old-docs@1.0.0"], "args": ["docs@1.2.0"]}}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs@1.2.0"]}}}
    /// ```
    ///
    /// ## Fix
    /// Safe: removes the one that does not count. A suggestion, where the value is an object: another name for it, so
    /// that both count.
    ///
    /// ## Sources
    /// RFC 8259 section 4: names within an object should be unique; ECMA-262, `JSON.parse` keeps the last one.
    "duplicate-key", Syntax, Piece(check), Error;
    editors_report_it: true;
    fix: Safe;
    help: "keep one of the two, or give one of them another name";
    since: "0.1.0";
}

/// Objects with more members are searched by a table.
const FEW: usize = 8;

fn check(piece: &Piece, context: &Context, out: &mut Sink) {
    if !piece.is_whole() {
        return;
    }
    piece.reading.value.each_object(&mut |object| {
        let members = object.members();
        let last = last_by_name(members);
        for (index, member) in members.iter().enumerate() {
            let kept = last(&member.key.name).filter(|kept| *kept > index).and_then(|kept| members.get(kept));
            let Some(kept) = kept else { continue };
            let name = &member.key.name;
            let quoted = shown(name);
            let finding =
                out.add(member.key.range, format!("`{quoted}` comes again later, and only one of them counts"));
            finding
                .note(context.dialect.map_or("JSON parsers keep the last one", |dialect| dialect.duplicate_keys))
                .related(kept.key.range, format!("the other `{quoted}`"))
                .fix(Fix::safe(
                    format!("remove this `{quoted}`, which does not count"),
                    without_member(piece.text, object, index),
                ));
            // A key that is broken off has no quote to stand before.
            let is_whole = piece.text[member.key.range.as_usize()].ends_with('"');
            if matches!(member.value.kind, ValueKind::Object(_) | ValueKind::Folded(_))
                && is_whole
                && let Some(new) = free_name(&last, name)
            {
                let end = member.key.range.end - 1;
                let edit = Edit::insert(end, &new[name.len()..]);
                finding.fix(Fix::suggestion(format!("rename to `{}`", shown(&new)), vec![edit]));
            }
        }
    });
}

/// Tells the index of the last member of a name.
fn last_by_name(members: &[Member]) -> impl Fn(&str) -> Option<usize> + '_ {
    let indices = members.iter().enumerate().map(|(index, member)| (&*member.key.name, index));
    let table: Option<FxHashMap<&str, usize>> = (members.len() > FEW).then(|| indices.collect());
    move |name| match &table {
        Some(table) => table.get(name).copied(),
        None => members.iter().rposition(|member| &*member.key.name == name),
    }
}

/// A name that no member has. `last` tells the index of the last of a name.
fn free_name(last: &impl Fn(&str) -> Option<usize>, name: &str) -> Option<String> {
    (2..100).map(|number| format!("{name}-{number}")).find(|new| last(new).is_none())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_at, check_fix};
    use crate::diagnostic::Applicability::{Safe, Suggestion};

    #[test]
    fn marks_the_shadowed_key_at_any_depth() {
        check_at(
            &RULE,
            ".mcp.json",
            r#"
{"mcpServers": {"a": {"command": "x", "env": {"K": "1", "K": "2"}}, "b": {"url": "y"}, "a": {"command": "z"}}}
                                              ^^^ `K` comes again later
                ^^^ Claude Code keeps the last one
"#,
        );
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"x": {"enum": [{"q": 1, "\u0071": 2}]}, "x": {}}}, "X": 1}]
                                              ^^^ JSON parsers
                                                              ^^^ JSON parsers
"#,
        );
    }

    #[test]
    fn every_shadowed_one_of_many_is_marked() {
        let keys = |from: usize| (from..12).map(|key| format!("\"{key}\": 1")).collect::<Vec<_>>().join(", ");
        let before = format!("[{{\"name\": \"a\", \"inputSchema\": {{}}, \"x\": {{\"11\": 0, {}}}}}]", keys(0));
        let after = format!("[{{\"name\": \"a\", \"inputSchema\": {{}}, \"x\": {{{}}}}}]", keys(0));
        check_fix(&RULE, Safe, "tools.json", &before, &after);
    }

    #[test]
    fn the_shadowed_one_goes() {
        let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, ".vscode/mcp.json", before, after);
        fixed(
            "{\r\n  \"servers\": {\r\n    // old\r\n    \"a\": {\"command\": \"x\"},\r\n    // new\r\n    \"a\": {\"command\": \"y\"}\r\n  }\r\n}\r\n",
            "{\r\n  \"servers\": {\r\n    // old\r\n    // new\r\n    \"a\": {\"command\": \"y\"}\r\n  }\r\n}\r\n",
        );
        fixed(
            r#"{"servers": {"a": {"url": "x", "type": "sse", "url": "y"}}}"#,
            r#"{"servers": {"a": {"type": "sse", "url": "y"}}}"#,
        );
    }

    #[test]
    fn a_second_server_may_get_another_name() {
        check_fix(
            &RULE,
            Suggestion,
            ".mcp.json",
            r#"{"mcpServers": {"a": {"url": "x"}, "a-2": {}, "a": {"url": "y"}}}"#,
            r#"{"mcpServers": {"a-3": {"url": "x"}, "a-2": {}, "a": {"url": "y"}}}"#,
        );
    }
}
