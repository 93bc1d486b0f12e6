use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::Fix;
use crate::rules::{Context, Piece, Sink};
use crate::syntax::{Member, Value, ValueKind, without_member};
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
    /// Unsafe, where both are maps or lists of objects, such as two `mcpServers`: puts what is in the first into the
    /// other. Else removes the one that does not count: safe where it is empty or says the same, unsafe where it does
    /// not. A suggestion, where a server has a name twice: another name for it, so that both count.
    ///
    /// ## Sources
    /// RFC 8259 section 4: names within an object should be unique; ECMA-262, `JSON.parse` keeps the last one.
    "duplicate-key", Syntax, Piece(check), Error;
    editors_report_it: true;
    fix: Unsafe;
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
            let title = format!("remove this `{quoted}`, which does not count");
            let edits = without_member(piece.text, object, index);
            let is_lossless = is_empty(&member.value)
                || piece.text[member.value.range.as_usize()] == piece.text[kept.value.range.as_usize()];
            let merge = merged(piece.text, &member.value, &kept.value).filter(|_| !is_lossless).map(|insertion| {
                let edits = edits.iter().cloned().chain([insertion]).collect();
                Fix::unsafe_(format!("put what is in this `{quoted}` into the other"), edits)
            });
            let is_mergeable = merge.is_some();
            finding
                .note(context.dialect.map_or("JSON parsers keep the last one", |dialect| dialect.duplicate_keys))
                .related(kept.key.range, format!("the other `{quoted}`"))
                .fix(merge)
                .fix(if is_lossless { Fix::safe(title, edits) } else { Fix::unsafe_(title, edits) });
            // A key that is broken off has no quote to stand before.
            let is_whole = piece.text[member.key.range.as_usize()].ends_with('"');
            // What stands at the root has its name from the client, or from MCP.
            let is_named =
                object.range != piece.reading.value.range && members.iter().all(|member| is_container(&member.value));
            if is_named
                && is_whole
                && !is_mergeable
                && let Some(new) = free_name(&last, name)
            {
                let end = member.key.range.end - 1;
                let edit = Edit::insert(end, &new[name.len()..]);
                finding.fix(Fix::suggestion(format!("rename to `{}`", shown(&new)), vec![edit]));
            }
        }
    });
}

fn is_container(value: &Value) -> bool {
    matches!(value.kind, ValueKind::Object(_) | ValueKind::Folded(_))
}

fn is_empty(value: &Value) -> bool {
    value.is_null()
        || (value.is_object() || value.is_array()) && value.members().is_empty() && value.elements().is_empty()
}

/// The edit that puts what is in `from`, a map or list of objects, before what is in `to`, a later one of its kind;
/// `None` where a name would be there twice.
fn merged(text: &str, from: &Value, to: &Value) -> Option<Edit> {
    let (first, last) = match (&from.kind, &to.kind) {
        (ValueKind::Object(members), ValueKind::Object(others)) => {
            let names: FxHashSet<&str> = others.iter().map(|member| &*member.key.name).collect();
            let is_disjoint = members.iter().all(|member| !names.contains(&*member.key.name));
            let are_objects = members.iter().chain(others).all(|member| is_container(&member.value));
            let (first, last) = (members.first()?.range(), members.last()?.range());
            (is_disjoint && are_objects).then_some((first, last))?
        }
        (ValueKind::Array(elements), ValueKind::Array(others)) => {
            let are_objects = elements.iter().chain(others).all(is_container);
            are_objects.then_some((elements.first()?.range, elements.last()?.range))?
        }
        _ => return None,
    };
    let content = &text[from.range.start + 1..last.end];
    let comma = if is_empty(to) { "" } else { "," };
    // On one line the next is as far from the comma as others are.
    let is_tight = content.len() == last.end - first.start && text[..from.range.start].ends_with(' ');
    Some(Edit::insert(
        to.range.start + 1,
        format!("{content}{comma}{}", if is_tight && !comma.is_empty() { " " } else { "" }),
    ))
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
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_at, check_fix, findings};
    use crate::diagnostic::Applicability::{Safe, Suggestion, Unsafe};

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
        check_fix(&RULE, Unsafe, "tools.json", &before, &after);
    }

    #[test]
    fn what_would_be_lost_is_merged() {
        let merged = |before: &str, after: &str| check_fix(&RULE, Unsafe, ".mcp.json", before, after);
        merged(
            r#"{"mcpServers": {"a": {"url": "x"}}, "mcpServers": {"b": {"url": "y"}}}"#,
            r#"{"mcpServers": {"a": {"url": "x"}, "b": {"url": "y"}}}"#,
        );
        merged(
            "{\r\n  \"mcpServers\": {\r\n    \"a\": {\"url\": \"x\"}\r\n  },\r\n  \"mcpServers\": {\r\n    \"b\": {}\r\n  }\r\n}",
            "{\r\n  \"mcpServers\": {\r\n    \"a\": {\"url\": \"x\"},\r\n    \"b\": {}\r\n  }\r\n}",
        );
        check_fix(
            &RULE,
            Unsafe,
            "tools.json",
            r#"{"tools": [{"name": "a", "inputSchema": {}}], "tools": [{"name": "b", "inputSchema": {}}]}"#,
            r#"{"tools": [{"name": "a", "inputSchema": {}}, {"name": "b", "inputSchema": {}}]}"#,
        );
        // Which of the two servers is meant, nobody can tell.
        let text = r#"{"mcpServers": {"a": {"url": "x"}}, "mcpServers": {"a": {"url": "y"}}}"#;
        let found = findings(Ruleset::only(&RULE), ".mcp.json", text);
        assert!(found.iter().all(|finding| finding.fixes.iter().all(|fix| fix.applicability == Unsafe)), "{found:#?}");
    }

    #[test]
    fn nothing_is_lost_with_what_is_empty_or_equal() {
        let fixed = |first: &str| {
            let before = format!(r#"{{"servers": {{"a": {{"args": {first}, "args": ["x"]}}}}}}"#);
            check_fix(&RULE, Safe, ".vscode/mcp.json", &before, r#"{"servers": {"a": {"args": ["x"]}}}"#);
        };
        fixed("[]");
        fixed("null");
        fixed(r#"["x"]"#);
    }

    #[test]
    fn the_shadowed_one_goes() {
        let fixed = |before: &str, after: &str| check_fix(&RULE, Unsafe, ".vscode/mcp.json", before, after);
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
