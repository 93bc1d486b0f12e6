//! JSON pointers (RFC 6901) from and to places in a value tree.

use super::value::{Value, ValueKind};
use crate::text::TextRange;

/// The pointer of the innermost value whose range, key included, holds `range`; empty for the whole document.
pub fn pointer_at(root: &Value, range: TextRange) -> String {
    let mut pointer = String::new();
    let mut value = root;
    loop {
        let step = match &value.kind {
            // Members and elements stand in the order of the text and apart, so that one of thousands is found at once.
            ValueKind::Object(members) => members
                .get(members.partition_point(|member| member.range().end < range.end))
                .filter(|member| member.range().contains(range))
                .map(|member| (pointer_token(&member.key.name), &member.value)),
            ValueKind::Array(elements) => {
                let index = elements.partition_point(|element| element.range.end < range.end);
                elements
                    .get(index)
                    .filter(|element| element.range.contains(range))
                    .map(|element| (index.to_string(), element))
            }
            _ => None,
        };
        let Some((token, inner)) = step else { return pointer };
        pointer.push('/');
        pointer.push_str(&token);
        value = inner;
    }
}

/// The value that a pointer names; the last of duplicate keys.
pub fn resolve<'v>(root: &'v Value, pointer: &str) -> Option<&'v Value> {
    if pointer.is_empty() {
        return Some(root);
    }
    pointer.strip_prefix('/')?.split('/').try_fold(root, |value, token| match &value.kind {
        ValueKind::Array(elements) => elements.get(token.parse::<usize>().ok()?),
        _ => value.get(&token.replace("~1", "/").replace("~0", "~")),
    })
}

/// A key as it stands in a pointer.
pub fn pointer_token(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}
