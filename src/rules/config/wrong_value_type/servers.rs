//! An array of servers that say their names, as an object.

use crate::model::looks_like_server;
use crate::syntax::{Value, read, without_member};
use crate::text::{Edit, TextRange};

/// The edits that make every entry's `name` its key; `None` where one has none, or another one's.
pub(super) fn named(text: &str, servers: &Value) -> Option<Vec<Edit>> {
    let range = servers.range;
    if !servers.is_array() || !text[range.as_usize()].ends_with(']') {
        return None;
    }
    let mut edits = vec![
        Edit::replace(TextRange::new(range.start, range.start + 1), "{"),
        Edit::replace(TextRange::new(range.end - 1, range.end), "}"),
    ];
    let mut names = Vec::new();
    for element in servers.elements() {
        // It may be folded here.
        let entry = &text[element.range.as_usize()];
        let reading = read(entry);
        let index = reading.value.members().iter().rposition(|member| &*member.key.name == "name")?;
        let name = &reading.value.members()[index].value;
        let is_free = name.as_str().is_some_and(|name| !name.is_empty() && !names.contains(&name.to_owned()));
        if !is_free || !reading.errors.is_empty() || !looks_like_server(&reading.value) {
            return None;
        }
        names.extend(name.as_str().map(str::to_owned));
        edits.push(Edit::insert(element.range.start, format!("{}: ", &entry[name.range.as_usize()])));
        let removed = without_member(entry, &reading.value, index);
        let shift = element.range.start;
        edits.extend(removed.into_iter().map(|edit| Edit { range: edit.range.shifted(shift), ..edit }));
    }
    Some(edits)
}
