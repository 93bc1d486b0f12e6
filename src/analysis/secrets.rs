//! Keeps the secrets of a document out of what is said of it.

use std::borrow::Cow;

use crate::diagnostic::Diagnostic;
use crate::model::Kind;
use crate::model::mask::{Hidden, masked, masks, masks_by_shape, merged, repeated};
use crate::text::TextRange;

/// Where the secrets of a text are, which is a document or what a document becomes: whoever shows a piece of it hides
/// them, whatever the piece is shown for. Tool lists are what a server tells everybody; there only what shows itself to
/// be a secret is one. Sorted and disjoint.
pub fn secrets(kind: Kind, text: &str) -> Vec<TextRange> {
    match kind {
        Kind::Config(_) => masks(text),
        Kind::Tools | Kind::Unknown => masks_by_shape(text),
    }
}

/// A document and what becomes of it, both without the secrets of either.
pub fn without_secrets<'t>(kind: Kind, old: &'t str, new: &'t str) -> (Cow<'t, str>, Cow<'t, str>) {
    let (in_old, in_new) = (secrets(kind, old), secrets(kind, new));
    let both =
        |own: &[TextRange], text, others: &[TextRange], other| merged([own, &repeated(other, others, text)].concat());
    (masked(old, &both(&in_old, old, &in_new, new)), masked(new, &both(&in_new, new, &in_old, old)))
}

/// Takes the secrets of a piece of a document out of what is said of it.
pub(super) fn hide_in(kind: Kind, text: &str, words: &mut String) {
    if let Cow::Owned(changed) = Hidden::new(text, &secrets(kind, text)).without(words) {
        *words = changed;
    }
}

/// Takes the secrets of a piece of a document out of the words of its findings.
pub(super) fn hide<'d>(kind: Kind, text: &str, findings: impl ExactSizeIterator<Item = &'d mut Diagnostic>) {
    if findings.len() == 0 {
        return;
    }
    let hidden = match kind {
        Kind::Config(_) => Hidden::new(text, &masks(text)),
        Kind::Tools | Kind::Unknown => Hidden::default(),
    };
    for finding in findings {
        let titles = finding.fixes.iter_mut().map(|fix| &mut fix.title);
        let labels = finding.related.iter_mut().map(|related| &mut related.message);
        for words in titles.chain(labels).chain(&mut finding.notes).chain([&mut finding.message]) {
            if let Cow::Owned(changed) = hidden.without(words) {
                *words = changed;
            }
        }
    }
}
