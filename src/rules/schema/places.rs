//! One finding for all places of a tool that have the same thing: what a generator writes, it writes everywhere.

use crate::diagnostic::{Applicability, Diagnostic, Fix};
use crate::rules::Sink;
use crate::text::{Edit, TextRange};

/// More of them are not pointed at; the message has the number.
const MAX_RELATED: usize = 50;

/// The places, in the order of the text.
#[derive(Default)]
pub(super) struct Places {
    names: Vec<String>,
    ranges: Vec<TextRange>,
    remedies: Vec<Option<Remedy>>,
}

/// What mends one place.
pub(super) struct Remedy {
    pub applicability: Applicability,
    /// Other places may be inside the first of them.
    pub edits: Vec<Edit>,
}

impl Remedy {
    pub(super) fn new(is_safe: bool, edits: Vec<Edit>) -> Remedy {
        Remedy { applicability: if is_safe { Applicability::Safe } else { Applicability::Unsafe }, edits }
    }
}

impl Places {
    pub(super) fn add(&mut self, name: String, range: TextRange, remedy: Option<Remedy>) {
        self.names.push(name);
        self.ranges.push(range);
        self.remedies.push(remedy);
    }

    /// The finding, if there is anything to find. `message` is given the places and whether they are several; `title`
    /// is the fix of all that can be mended, which is safe where every place is mended safely.
    pub(super) fn report(
        self,
        out: &mut Sink,
        message: impl Fn(&str, bool) -> String,
        title: impl Fn(Applicability) -> String,
    ) -> Option<&mut Diagnostic> {
        let (first, others) = self.ranges.split_first()?;
        let finding = out.add(*first, message(&named(&self.names), !others.is_empty()));
        for (range, name) in others.iter().zip(&self.names[1..]).take(MAX_RELATED) {
            finding.related(*range, format!("{name}, too"));
        }
        let is_safe = self
            .remedies
            .iter()
            .all(|remedy| remedy.as_ref().is_some_and(|remedy| remedy.applicability == Applicability::Safe));
        let mut edits: Vec<Edit> = Vec::new();
        let mut end = 0;
        for remedy in self.remedies.into_iter().flatten() {
            let Some(outermost) = remedy.edits.first().map(|edit| edit.range) else { continue };
            if outermost.start >= end {
                end = outermost.end;
                edits.extend(remedy.edits);
            }
        }
        if !edits.is_empty() {
            finding.fix(match is_safe {
                true => Fix::safe(title(Applicability::Safe), edits),
                false => Fix::unsafe_(title(Applicability::Unsafe), edits),
            });
        }
        Some(finding)
    }
}

/// The first two by name, and how many more there are.
fn named(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, other, others @ ..] => format!("{one}, {other} and {} more", others.len()),
    }
}
