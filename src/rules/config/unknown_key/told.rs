//! What is said of a key that a client does not know.

use super::RULE;
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::model::dialect::{FOREIGN_SERVER_KEYS, NOTE_KEYS};
use crate::model::server::{asks_for_nothing, switches_off};
use crate::rules::Sink;
use crate::syntax::{Member, Value, without_member};
use crate::text::shown;

/// The key that is meant.
#[derive(Clone, Copy)]
pub(super) struct Meant<'k> {
    pub(super) key: &'k str,
    /// Neither the object has it, nor is another key to become it.
    pub(super) is_free: bool,
}

impl<'k> Meant<'k> {
    pub(super) fn new(key: Option<&'k str>, object: &Value, proposed: &mut Vec<&'k str>) -> Option<Meant<'k>> {
        let key = key?;
        let is_free = !proposed.contains(&key) && object.member(key).is_none();
        if !proposed.contains(&key) {
            proposed.push(key);
        }
        Some(Meant { key, is_free })
    }
}

/// Tells of a key that the client does not know, and how it is mended.
pub(super) fn report<'o>(
    client: &str,
    text: &str,
    object: &Value,
    (index, member): (usize, &Member),
    meant: Option<Meant>,
    out: &'o mut Sink,
) -> &'o mut Diagnostic {
    let key = &*member.key.name;
    let name = shown(key);
    let range = member.key.range;
    let remove = || Fix::suggestion(format!("remove `{name}`"), without_member(text, object, index));
    match meant {
        Some(Meant { key: meant, is_free }) => {
            let is_slip = strsim::damerau_levenshtein(key, meant) <= 2 || key.trim().eq_ignore_ascii_case(meant);
            let message = match (is_slip, key.trim() == meant) {
                (_, true) => format!("white space in the key `{name}`: {client} knows `{meant}` only"),
                (true, _) => format!("`{name}` is no key of {client}: did you mean `{meant}`?"),
                (false, _) => format!("`{name}` is no key of {client} and is ignored; its own is `{meant}`"),
            };
            out.add(range, message).fix(if is_free { Fix::rename_key(range, meant) } else { remove() })
        }
        None => {
            let is_note = NOTE_KEYS.contains(&key);
            let severity = if is_note || asks_for_nothing(member) { Severity::Information } else { RULE.severity };
            let finding = out.add_as(severity, range, format!("`{name}` is no key of {client} and is ignored"));
            if switches_off(member) {
                finding.note("the server is on all the same");
            } else if FOREIGN_SERVER_KEYS.contains(&key) && !is_note {
                finding.note("this key is another client's");
            }
            finding.fix(remove())
        }
    }
}
