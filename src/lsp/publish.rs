//! Diagnostics as bytes. Publishing through the protocol library costs milliseconds in a large file; here every item
//! keeps its findings rendered for as long as they are the same ones, and a keystroke writes only positions anew.
//!
//! *Invariant:* what is published depends on the report alone, never on what was published before; a test compares.

use std::path::Path;

use rustc_hash::FxHashMap;

use super::convert;
use super::frame;
use super::support::Support;
use crate::analysis::Report;
use crate::diagnostic::{Anchor, Diagnostic, Severity};
use crate::text::{Encoding, LineColumn, Splice, Text, TextRange};

/// One document's findings as they are published.
pub(super) struct Published {
    /// The document's URI as the client spells it, as a JSON string.
    uri: String,
    encoding: Encoding,
    related_information: bool,
    /// The text of the report that the slots are about.
    text: Text,
    /// One for each item.
    slots: Vec<Slot>,
}

/// One item.
struct Slot {
    identity: u64,
    start: usize,
    place: LineColumn,
    /// Its findings; `None` where it has none.
    findings: Option<Box<Rendered>>,
}

#[derive(Clone, Default)]
struct Rendered {
    counts: Counts,
    findings: Vec<RenderedFinding>,
}

/// A finding whose places count from the start of its item.
#[derive(Clone)]
struct RenderedFinding {
    severity: Severity,
    start: LineColumn,
    end: LineColumn,
    /// From `"severity"` to before the related places and the closing brace.
    tail: Vec<u8>,
    related: Vec<RenderedRelated>,
}

#[derive(Clone)]
struct RenderedRelated {
    /// The other document that it is in, as a JSON string; its places do not count from the item.
    uri: Option<Vec<u8>>,
    start: LineColumn,
    end: LineColumn,
    /// As a JSON string.
    message: Vec<u8>,
}

/// How many findings there are of every severity, loudest first.
#[derive(Clone, Copy, Debug, Default)]
struct Counts([usize; 4]);

/// Which findings are shown: all that are louder than `severity`, and of those the first few.
#[derive(Clone, Copy, Debug)]
struct Cut {
    severity: Severity,
    left: usize,
    hidden: usize,
}

impl Published {
    /// Nothing yet. `uri` is the client's spelling.
    pub(super) fn new(uri: &str, support: &Support) -> Self {
        Self {
            uri: serde_json::Value::from(uri).to_string(),
            encoding: support.encoding,
            related_information: support.related_information,
            text: Text::default(),
            slots: Vec::new(),
        }
    }

    /// Follows a report. Every report has to come by here, published or not: each tells what changed since the last.
    pub(super) fn update(&mut self, report: &Report) {
        match report.since() {
            Some(Splice { start: 0, old_end: 0, new_end: 0 }) => {}
            Some(splice) => self.splice(report, splice),
            None => {
                self.slots.clear();
                self.slots = (0..report.len()).map(|index| self.slot(report, index, None)).collect();
            }
        }
        self.text = report.text().clone();
    }

    fn splice(&mut self, report: &Report, splice: Splice) {
        let shift = Shift::new(&self.text, report.text(), splice, self.encoding);
        let shortest = self.slots.len().min(report.len());
        let is_before = |index: &usize| {
            let (slot, item) = (&self.slots[*index], report.item(*index));
            slot.identity == item.identity() && slot.start == item.range().start && slot.start <= splice.start
        };
        let before = (0..shortest).take_while(is_before).count();
        let (old_len, new_len) = (self.slots.len(), report.len());
        let is_after = |index: &usize| {
            let (slot, item) = (&self.slots[old_len - 1 - index], report.item(new_len - 1 - index));
            slot.identity == item.identity()
                && slot.start >= splice.old_end
                && splice.shift(slot.start) == item.range().start
        };
        let after = (0..shortest - before).take_while(is_after).count();
        for slot in &mut self.slots[old_len - after..] {
            slot.start = splice.shift(slot.start);
            slot.place = shift.place(slot.place);
        }
        let known: FxHashMap<u64, Slot> =
            self.slots.drain(before..old_len - after).map(|slot| (slot.identity, slot)).collect();
        let between: Vec<Slot> =
            (before..new_len - after).map(|index| self.slot(report, index, Some(&known))).collect();
        self.slots.splice(before..before, between);
    }

    fn slot(&self, report: &Report, index: usize, known: Option<&FxHashMap<u64, Slot>>) -> Slot {
        let item = report.item(index);
        let (identity, start) = (item.identity(), item.range().start);
        let place = report.text().line_column(start, self.encoding);
        let findings = match known.and_then(|known| known.get(&identity)) {
            Some(slot) => slot.findings.clone(),
            None if item.findings().is_empty() => None,
            None => {
                let findings: Vec<RenderedFinding> = item
                    .findings()
                    .iter()
                    .map(|finding| {
                        let places = |related: &Anchor| matches!(related, Anchor::Own).then_some(start);
                        self.rendered(report, finding, start, place, places)
                    })
                    .collect();
                let mut counts = Counts::default();
                findings.iter().for_each(|finding| counts.0[rank(finding.severity)] += 1);
                Some(Box::new(Rendered { counts, findings }))
            }
        };
        Slot { identity, start, place, findings }
    }

    /// Renders a finding whose piece starts at `base`; `anchor` tells where related places count from.
    fn rendered(
        &self,
        report: &Report,
        finding: &Diagnostic,
        base: usize,
        place: LineColumn,
        anchor: impl Fn(&Anchor) -> Option<usize>,
    ) -> RenderedFinding {
        let relative = |offset: usize| relative(report.text().line_column(offset, self.encoding), place);
        let both = |range: TextRange| (relative(range.start), relative(range.end));
        let (start, end) = both(finding.range.shifted(base));
        let mut related = Vec::new();
        if self.related_information {
            for one in &finding.related {
                let message = frame::json(&one.message);
                if let Anchor::Document(source) = &one.anchor {
                    let place = |offset: usize| source.text.line_column(offset, self.encoding);
                    let (start, end) = (place(one.range.start), place(one.range.end));
                    let Some(uri) = convert::uri(Path::new(&source.path)) else { continue };
                    related.push(RenderedRelated { uri: Some(frame::json(uri.as_str())), start, end, message });
                } else if let Some(base) = anchor(&one.anchor) {
                    let (start, end) = both(one.range.shifted(base));
                    related.push(RenderedRelated { uri: None, start, end, message });
                }
            }
        }
        RenderedFinding { severity: finding.severity, start, end, tail: frame::tail(finding), related }
    }

    /// Writes the notification. `limit`: how many findings are shown.
    pub(super) fn frame(&self, report: &Report, version: Option<i32>, limit: usize, out: &mut Vec<u8>) {
        let mut counts = Counts::default();
        report.shell().iter().for_each(|finding| counts.0[rank(finding.severity)] += 1);
        report.across().iter().for_each(|(_, finding)| counts.0[rank(finding.severity)] += 1);
        self.slots.iter().filter_map(|slot| slot.findings.as_ref()).for_each(|findings| counts.add(findings.counts));

        let cut = counts.cut(limit);
        frame::begin(&self.uri, version, out);
        let mut writer = Writer { uri: &self.uri, cut, is_first: true, out };
        if let Some(Cut { hidden, .. }) = cut {
            writer.more(hidden, limit);
        }
        // Those outside the items and between them are few, and their places are those of other items too: they are
        // rendered when they are written.
        let zero = LineColumn::default();
        let outside = |writer: &mut Writer, finding: &Diagnostic| {
            if writer.takes(finding.severity) {
                writer.write(&self.rendered(report, finding, 0, zero, |_| Some(0)), zero);
            }
        };
        let (mut shell, mut across) = (report.shell().iter().peekable(), report.across().iter().peekable());
        for (index, slot) in self.slots.iter().enumerate() {
            while let Some(finding) = shell.next_if(|finding| finding.range.start < slot.start) {
                outside(&mut writer, finding);
            }
            if let Some(findings) = &slot.findings
                && cut.is_none_or(|cut| findings.counts.any_from(cut.severity))
            {
                for finding in &findings.findings {
                    if writer.takes(finding.severity) {
                        writer.write(finding, slot.place);
                    }
                }
            }
            while let Some((_, finding)) = across.next_if(|(item, _)| *item <= index) {
                if writer.takes(finding.severity) {
                    let start = |index: usize| (index < report.len()).then(|| report.item(index).range().start);
                    let places = |anchor: &Anchor| match anchor {
                        Anchor::Own => Some(slot.start),
                        Anchor::Item(index) => start(*index),
                        Anchor::Document(_) => None,
                    };
                    writer.write(&self.rendered(report, finding, slot.start, zero, places), zero);
                }
            }
        }
        shell.for_each(|finding| outside(&mut writer, finding));
        frame::end(out);
    }
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }

    fn any_from(&self, severity: Severity) -> bool {
        self.0[..=rank(severity)].iter().any(|count| *count > 0)
    }

    /// What is shown of so many, worst first; `None`: all.
    fn cut(&self, limit: usize) -> Option<Cut> {
        let hidden = self.0.iter().sum::<usize>().checked_sub(limit).filter(|hidden| *hidden > 0)?;
        let mut left = limit;
        for severity in Severity::ALL {
            match left.checked_sub(self.0[rank(severity)]) {
                Some(rest) => left = rest,
                None => return Some(Cut { severity, left, hidden }),
            }
        }
        None
    }
}

/// Writes one finding after another.
struct Writer<'a> {
    uri: &'a str,
    cut: Option<Cut>,
    is_first: bool,
    out: &'a mut Vec<u8>,
}

impl Writer<'_> {
    /// Whether the next finding, which has this severity, is shown.
    fn takes(&mut self, severity: Severity) -> bool {
        let Some(cut) = &mut self.cut else { return true };
        if severity == cut.severity {
            let Some(left) = cut.left.checked_sub(1) else { return false };
            cut.left = left;
        }
        severity >= cut.severity
    }

    /// Writes a finding whose places count from `base`.
    fn write(&mut self, finding: &RenderedFinding, base: LineColumn) {
        self.comma();
        self.out.push(b'{');
        frame::range(absolute(finding.start, base), absolute(finding.end, base), self.out);
        self.out.extend_from_slice(&finding.tail);
        for (index, related) in finding.related.iter().enumerate() {
            let opening: &[u8] = if index == 0 { b",\"relatedInformation\":[" } else { b"," };
            self.out.extend_from_slice(opening);
            self.out.extend_from_slice(b"{\"location\":{\"uri\":");
            let (uri, base) = match &related.uri {
                Some(uri) => (uri.as_slice(), LineColumn::default()),
                None => (self.uri.as_bytes(), base),
            };
            self.out.extend_from_slice(uri);
            self.out.push(b',');
            frame::range(absolute(related.start, base), absolute(related.end, base), self.out);
            self.out.extend_from_slice(b"},\"message\":");
            self.out.extend_from_slice(&related.message);
            self.out.push(b'}');
        }
        let closing: &[u8] = if finding.related.is_empty() { b"}" } else { b"]}" };
        self.out.extend_from_slice(closing);
    }

    /// The finding that says how many are not shown.
    fn more(&mut self, hidden: usize, limit: usize) {
        let problems = if hidden == 1 { "problem is" } else { "problems are" };
        let message = format!("{hidden} more {problems} not shown: `limits.problemsPerFile` is {limit}");
        self.comma();
        frame::top_diagnostic(&message, Severity::Information, self.out);
    }

    fn comma(&mut self) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.out.push(b',');
        }
    }
}

const fn rank(severity: Severity) -> usize {
    frame::severity_number(severity) - 1
}

/// How places after an edit move.
struct Shift {
    old_end: LineColumn,
    new_end: LineColumn,
}

impl Shift {
    fn new(old: &Text, new: &Text, splice: Splice, encoding: Encoding) -> Self {
        Self { old_end: old.line_column(splice.old_end, encoding), new_end: new.line_column(splice.new_end, encoding) }
    }

    /// Where a place at or after the end of the edit lies afterwards.
    fn place(&self, place: LineColumn) -> LineColumn {
        let column = match place.line == self.old_end.line {
            true => place.column - self.old_end.column + self.new_end.column,
            false => place.column,
        };
        LineColumn { line: place.line - self.old_end.line + self.new_end.line, column }
    }
}

/// A place as seen from `base`, which lies at or before it.
fn relative(place: LineColumn, base: LineColumn) -> LineColumn {
    let column = if place.line == base.line { place.column - base.column } else { place.column };
    LineColumn { line: place.line - base.line, column }
}

/// The inverse of [`relative`].
fn absolute(place: LineColumn, base: LineColumn) -> LineColumn {
    let column = if place.line == 0 { place.column + base.column } else { place.column };
    LineColumn { line: place.line + base.line, column }
}

#[cfg(test)]
mod tests;
