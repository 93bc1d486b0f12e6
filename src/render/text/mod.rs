//! Findings as frames, as rustc draws them.
//!
//! Only a window of the source is handed to the drawer, so that a frame costs the same in a file of one line and one
//! megabyte as in a small one.

use std::io::{self, Write};
use std::iter;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use rustc_hash::FxHashMap;

use super::File;
use super::terminal::{escaped, is_hidden};
use crate::analysis::{self, Finding, Report};
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::model::mask::MASK;
use crate::text::{self, Encoding, LineColumn, TextRange};

/// A related place this many lines away or fewer is drawn in one piece with the finding's own.
const NEAR_LINES: u32 = 8;
/// A line longer than this is cut, in bytes.
const LONG_LINE: usize = 200;
/// What is shown of a cut line before and after the place, in bytes.
const CUT_BEFORE: usize = 50;
const CUT_AFTER: usize = 60;
/// The longest marked range on a cut line, in bytes.
const CUT_RANGE: usize = 80;
/// More related places than these are counted, not drawn.
const MAX_RELATED: usize = 8;
/// The same of those in other files, a line each.
const MAX_ELSEWHERE: usize = 3;

/// A rule with more findings than this in one file is shown by its first ones, and counted.
const MANY: usize = 10;
/// How many those are.
const SHOWN_OF_MANY: usize = 5;

/// Stands in a drawn frame for a path. Nothing else in it can be this: escaping leaves no private-use character.
const ORIGIN: char = '\u{f8ff}';

/// How text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// Without colours.
    Plain,
    /// With ANSI colours.
    Styled,
}

/// Writes the findings as frames: the worst first, then by path and place. Of a rule that has found the same all over a
/// file, the first ones stand for the rest. `width` is the terminal's in columns, where there is one.
///
/// # Errors
/// Those of the writer.
pub fn frames(files: &[File], style: Text, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let renderer = match style {
        Text::Plain => Renderer::plain(),
        Text::Styled => Renderer::styled(),
    };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let renderer = width.map_or_else(|| renderer.clone(), |width| renderer.clone().term_width(width));
    let mut seen: Vec<Seen> = files.iter().filter_map(Seen::new).collect();
    for severity in Severity::ALL {
        for seen in &mut seen {
            for finding in seen.findings.iter().filter(|finding| finding.diagnostic.severity == severity) {
                let rule = finding.diagnostic.rule;
                let Some((total, shown)) = seen.rules.get_mut(rule) else { continue };
                *shown += 1;
                if *total <= MANY || *shown <= SHOWN_OF_MANY {
                    writeln!(out, "{}\n", frame(&seen.source, finding, &renderer))?;
                }
                if *total > MANY && *shown == SHOWN_OF_MANY {
                    let more = *total - *shown;
                    let path = escaped(seen.source.path);
                    writeln!(out, "… and {more} more of {rule} in {path} (--format json lists all)\n")?;
                }
            }
        }
    }
    Ok(())
}

/// What is shown of a file.
struct Seen<'a> {
    source: Shown<'a>,
    findings: Vec<Finding<'a>>,
    /// How many findings a rule has here, and how many of them have had their turn.
    rules: FxHashMap<&'static str, (usize, usize)>,
}

impl<'a> Seen<'a> {
    fn new(file: &File<'a>) -> Option<Seen<'a>> {
        let report = file.report()?;
        let findings = report.findings();
        let mut rules: FxHashMap<&'static str, (usize, usize)> = FxHashMap::default();
        findings.iter().for_each(|finding| rules.entry(finding.diagnostic.rule).or_default().0 += 1);
        let masks = match findings[..] {
            [] => Vec::new(),
            _ => analysis::secrets(report.kind(), &String::from(report.text())),
        };
        Some(Seen { source: Shown { path: file.path, report, masks }, findings, rules })
    }
}

/// A text of which pieces are shown.
struct Shown<'a> {
    path: &'a str,
    report: Report<'a>,
    /// What is not.
    masks: Vec<TextRange>,
}

fn frame(shown: &Shown, finding: &Finding, renderer: &Renderer) -> String {
    let diagnostic = finding.diagnostic;
    let text = shown.report.text();
    let own = Place::new(text, finding.range(), None);
    // What stands in another file is named, not drawn.
    let (mut related, mut elsewhere) = (Vec::new(), Vec::new());
    for one in &diagnostic.related {
        match shown.report.related_place(finding, one) {
            (range, None) if related.len() < MAX_RELATED => related.push(Place::new(text, range, Some(&one.message))),
            (range, Some(source)) if elsewhere.len() < MAX_ELSEWHERE => {
                let place = origin(&source.path, &source.text, range.start);
                elsewhere.push(format!("{}, at {place}", escaped(&one.message)));
            }
            _ => {}
        }
    }
    let (near, far): (Vec<&Place>, Vec<&Place>) = related.iter().partition(|place| place.is_near(&own));

    let title = level(diagnostic.severity).primary_title(escaped(&diagnostic.message)).id(diagnostic.rule);
    let mut group = Group::with_title(title);
    let drawn: Vec<&Place> = iter::once(&own).chain(far).collect();
    for (index, place) in drawn.iter().enumerate() {
        let near = if index == 0 { &near[..] } else { &[] };
        group = group.element(snippet(shown, place, near).path(format!("{ORIGIN}{index}")));
    }
    let left = diagnostic.related.len() - related.len() - elsewhere.len();
    for place in elsewhere {
        group = group.element(Level::NOTE.message(place));
    }
    if left > 0 {
        let more = if left == 1 { "1 more place".to_owned() } else { format!("{left} more places") };
        group = group.element(Level::NOTE.message(format!("{more} like this")));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(escaped(note)));
    }
    group = group.element(Level::HELP.message(diagnostic.help));
    if let Some(fix) = diagnostic.best_fix(|_| true) {
        group = group.element(Level::HELP.with_name("fix").message(fix_line(fix, &shown.report)));
    }
    with_origins(&renderer.render(&[group]), |index| {
        let place = drawn.get(index).unwrap_or(&drawn[0]);
        origin(shown.path, text, place.range.start)
    })
}

/// A place as compilers write it.
fn origin(path: &str, text: &crate::text::Text, offset: usize) -> String {
    let LineColumn { line, column } = text.line_column(offset, Encoding::Utf32);
    format!("{}:{}:{}", escaped(path), line + 1, column + 1)
}

/// Puts paths, lines and columns where a frame names its places by number: the drawer would count the columns in
/// what it is given to draw, which may be cut and escaped.
fn with_origins(frame: &str, origin: impl Fn(usize) -> String) -> String {
    let mut parts = frame.split(ORIGIN);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|char: char| char.is_ascii_digit() || char == ':');
        let numbers = &part[..part.len() - rest.len()];
        let index = numbers.split(':').next().and_then(|index| index.parse().ok()).unwrap_or_default();
        out.push_str(&origin(index));
        out.push_str(rest);
    }
    out
}

fn fix_line(fix: &Fix, report: &Report) -> String {
    if report.is_snapshot() {
        // It is mended where the server is written.
        return escaped(&fix.title).into_owned();
    }
    let how = match fix.applicability {
        Applicability::Safe => "safe, applied by --fix",
        Applicability::Unsafe => "applied by --fix --unsafe",
        Applicability::Suggestion => "to be finished by hand, offered in the editor",
    };
    format!("{} ({how})", escaped(&fix.title))
}

const fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::NOTE,
        Severity::Hint => Level::HELP,
    }
}

/// A place to mark, on one line.
struct Place<'a> {
    range: TextRange,
    line: u32,
    line_range: TextRange,
    label: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// A range that spans lines is marked on its first one.
    fn new(text: &text::Text, range: TextRange, label: Option<&'a str>) -> Self {
        let line = text.line_column(range.start, Encoding::Utf8).line;
        let line_range = text.line_range(line);
        let start = range.start.min(line_range.end);
        Place { range: TextRange::new(start, range.end.clamp(start, line_range.end)), line, line_range, label }
    }

    fn is_long(&self) -> bool {
        self.line_range.len() > LONG_LINE
    }

    fn is_near(&self, own: &Place) -> bool {
        self.line.abs_diff(own.line) <= NEAR_LINES && !self.is_long() && !own.is_long()
    }

    fn annotation(&self, span: std::ops::Range<usize>) -> Annotation<'a> {
        let kind = match self.label {
            None => AnnotationKind::Primary,
            Some(_) => AnnotationKind::Context,
        };
        kind.span(span).label(self.label.map(escaped))
    }
}

/// The lines around some places, the first of which is `own`.
fn snippet<'a>(shown: &Shown, own: &Place<'a>, near: &[&Place<'a>]) -> Snippet<'a, Annotation<'a>> {
    let first = near.iter().map(|place| place.line).chain([own.line]).min().unwrap_or(own.line);
    let last = near.iter().map(|place| place.line).chain([own.line]).max().unwrap_or(own.line);
    let text = shown.report.text();
    let mut source = Source::default();
    let mut annotations = Vec::new();
    for line in first..=last {
        let places = || near.iter().copied().chain([own]).filter(|place| place.line == line);
        let Some(place) = places().next() else {
            // Folded away, or one line between two that are shown.
            let range = text.line_range(line);
            source.push(shown, TextRange::new(range.start, range.end.min(range.start + LONG_LINE)), range);
            continue;
        };
        let window = place.window();
        let line_start = source.text.len();
        source.push(shown, window, place.line_range);
        annotations.extend(places().map(|place| place.annotation(source.span(place.range, window, line_start))));
    }
    Snippet::source(source.text).line_start(first as usize + 1).annotations(annotations)
}

impl Place<'_> {
    /// What is shown of the line.
    fn window(&self) -> TextRange {
        if !self.is_long() {
            return self.line_range;
        }
        let shown_end = self.range.end.min(self.range.start + CUT_RANGE);
        TextRange::new(
            self.line_range.start.max(self.range.start.saturating_sub(CUT_BEFORE)),
            self.line_range.end.min(shown_end + CUT_AFTER),
        )
    }
}

/// Source for the drawer: cut and escaped, with the way from offsets of the document to its own.
#[derive(Default)]
struct Source {
    text: String,
    /// For the characters of the last line: where each was and where its picture starts.
    last: Vec<(usize, usize)>,
}

impl Source {
    fn push(&mut self, shown: &Shown, window: TextRange, line: TextRange) {
        let text = shown.report.text();
        // An offset inside a character is moved back to its start.
        let content = text.slice(window);
        let start = text.offset(text.line_column(window.start, Encoding::Utf8), Encoding::Utf8);
        self.last.clear();
        if start > line.start {
            self.text.push('…');
        }
        for (at, char) in content.char_indices() {
            self.last.push((start + at, self.text.len()));
            let mask = shown.masks.partition_point(|mask| mask.end <= start + at);
            if shown.masks.get(mask).is_some_and(|mask| mask.start <= start + at) {
                self.text.push(MASK);
            } else if is_hidden(char) {
                self.text.push_str(&escaped(char.encode_utf8(&mut [0; 4])));
            } else {
                self.text.push(char);
            }
        }
        let end = start + content.len();
        self.last.push((end, self.text.len()));
        if end < line.end {
            self.text.push('…');
        }
        self.text.push('\n');
    }

    /// The range of the last line as its picture.
    fn span(&self, range: TextRange, window: TextRange, line_start: usize) -> std::ops::Range<usize> {
        let at = |offset: usize| {
            let index = self.last.partition_point(|(from, _)| *from < offset.clamp(window.start, window.end));
            self.last.get(index).or(self.last.last()).map_or(line_start, |(_, to)| *to)
        };
        at(range.start)..at(range.end)
    }
}

#[cfg(test)]
mod tests;
