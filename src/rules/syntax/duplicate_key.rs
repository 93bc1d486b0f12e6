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
    /// {"mcpServers": {"docs": {"command": "uvx", "env": {}, "args": ["docs@1.2.0"], "env": {"LANGUAGE": "en"}}}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs@1.2.0"], "env": {"LANGUAGE": "en"}}}}
    /// ```
    ///
    /// ## Fix
    /// Safe, where the one that does not count says nothing more: removes it. Unsafe otherwise, and where both are objects
    /// with other keys, or both are lists at the top of the file: moves what is in it to the one that counts. A
    /// suggestion, where the value is an object with a name that is free to choose: another name, so that both count.
    ///
    /// ## Sources
    /// RFC 8259 section 4: names within an object should be unique; ECMA-262, `JSON.parse` keeps the last one.
    "duplicate-key", Syntax, Piece(check), Error;
    editors_report_it: true;
    fix: Safe;
    help: "keep one of the two, put them together, or give one of them another name";
    since: "0.1.0";
}

mod both;

/// Objects with more members are searched by a table.
const FEW: usize = 8;
/// How much text is compared at most, in bytes.
const MAX_COMPARED: usize = 2 << 20;

fn check(piece: &Piece, context: &Context, out: &mut Sink) {
    if !piece.is_whole() {
        return;
    }
    let mut compared = 0;
    piece.reading.value.each_object(&mut |object| {
        let is_outermost = object.range == piece.reading.value.range;
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
                .related(kept.key.range, format!("the other `{quoted}`"));
            let without = without_member(piece.text, object, index);
            compared += member.value.range.len() + kept.value.range.len();
            let is_said_again = compared <= MAX_COMPARED && both::is_within(piece.text, &member.value, &kept.value);
            if !is_said_again {
                let may_be_lists = is_outermost && piece.is_document;
                let added = both::added(piece.text, &member.value, &kept.value, may_be_lists);
                let edits = added.map(|added| without.iter().cloned().chain([added]).collect());
                finding.fix(edits.map(|edits| Fix::unsafe_(format!("put both `{quoted}` together"), edits)));
            }
            let remove = if is_said_again { Fix::safe } else { Fix::unsafe_ };
            finding.fix(remove(format!("remove this `{quoted}`, which does not count"), without));
            // A key that is broken off has no quote to stand before.
            let is_whole = piece.text[member.key.range.as_usize()].ends_with('"');
            // The outermost keys are not for anybody to choose.
            if !is_outermost
                && matches!(member.value.kind, ValueKind::Object(_) | ValueKind::Folded(_))
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
mod tests;
