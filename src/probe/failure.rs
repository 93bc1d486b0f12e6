//! What the last words of a failed start say: the messages of the runtimes, launchers and libraries that servers are
//! made of, told apart by their standard forms.
//!
//! *Precision first:* where no form fits, the words themselves are the answer, and a line that is only a warning counts
//! for less than an error. Where several fit, the last one is what it came to.

mod forms;
mod line;
mod resolution;

use crate::facts::Cause;

use line::Line;

/// How much of the end is looked at, in bytes.
const LOOKED_AT: usize = 64 << 10;
/// How long the words of a cause are, in characters.
const LONGEST: usize = 200;

/// Why a server failed, by what it wrote to stderr, or by the message of its error. Give it words without secrets: they
/// are quoted.
pub(super) fn cause(stderr: &str) -> Option<Cause> {
    let start = stderr.len().saturating_sub(LOOKED_AT);
    let start = (start..=stderr.len()).find(|at| stderr.is_char_boundary(*at)).unwrap_or(stderr.len());
    let text = line::plain(&stderr[start..]);
    let lines: Vec<Line> = text.split(['\n', '\r']).map(Line::new).collect();
    let said = |least: u8| lines.iter().rfind(|line| line.alarm() >= least).map(|line| Cause::Said(line.words()));
    resolution::unresolved(&lines)
        .or_else(|| last(&lines, |line| !line.is_aside))
        .or_else(|| usage(&lines))
        .or_else(|| panicked(&lines))
        .or_else(|| said(2))
        .or_else(|| engine(&lines))
        .or_else(|| last(&lines, |_| true).filter(may_be_aside))
        .or_else(|| said(1))
}

/// The last line among these that has a known form. One that gives no name is told by an earlier one that does.
fn last(lines: &[Line], among: impl Fn(&Line) -> bool) -> Option<Cause> {
    let mut nameless: Option<Cause> = None;
    for line in lines.iter().rev().filter(|line| among(line)) {
        let Some(cause) = forms::known(line) else { continue };
        let is_told_by = |nameless: &Cause| match (nameless, &cause) {
            // What is not there may be a program.
            (Cause::MissingFile(_), Cause::MissingProgram(_)) => true,
            (nameless, cause) => std::mem::discriminant(nameless) == std::mem::discriminant(cause),
        };
        if nameless.as_ref().is_some_and(|nameless| !is_told_by(nameless)) {
            continue;
        }
        if !is_nameless(&cause) {
            return Some(cause);
        }
        nameless = Some(cause);
    }
    nameless
}

/// Whether a cause is likely even where the program only warned of it.
fn may_be_aside(cause: &Cause) -> bool {
    matches!(cause, Cause::Unreachable(_) | Cause::Unauthorized | Cause::WrongRuntime(_))
}

fn is_nameless(cause: &Cause) -> bool {
    match cause {
        Cause::MissingModule(name)
        | Cause::NoSuchPackage(name)
        | Cause::NoSuchImage(name)
        | Cause::NoSuchProgram(name)
        | Cause::MissingProgram(name)
        | Cause::MissingFile(name)
        | Cause::PermissionDenied(name)
        | Cause::Unreachable(name) => name.is_empty(),
        Cause::PortInUse(port) => port.is_none(),
        _ => false,
    }
}

/// A program that shows how it is called: what it has to say about it, else that.
fn usage(lines: &[Line]) -> Option<Cause> {
    let is_usage = |line: &&Line| line.lower.starts_with("usage:") || line.lower.starts_with("usage ");
    let usage = lines.iter().rfind(is_usage)?;
    let complaint = lines.iter().rfind(|line| !is_usage(line) && line.alarm() > 0);
    Some(Cause::Usage(complaint.unwrap_or(usage).words()))
}

/// A Rust program's panic, whose words are on the next line or, in older ones, between quotes.
fn panicked(lines: &[Line]) -> Option<Cause> {
    let at = lines.iter().rposition(|line| line.text.contains("panicked at "))?;
    let quoted = line::after(&lines[at].text, "panicked at '").and_then(|rest| rest.rsplit_once("', "));
    let words = match quoted {
        Some((words, _)) => line::words(words),
        None => lines.get(at + 1)?.words(),
    };
    (!words.is_empty()).then_some(Cause::Said(words))
}

/// What npm says of a version of Node.js that a package does not support: a warning, and often the reason.
fn engine(lines: &[Line]) -> Option<Cause> {
    let of = |what: &str| {
        let line = lines.iter().rfind(|line| line.text.contains("EBADENGINE") && line.text.contains(what))?;
        let inside = line::after(&line.text, "{")?;
        Some(inside.split('}').next().unwrap_or_default().trim().replace('\'', ""))
    };
    let required = of("required:")?;
    let current = of("current:").map(|current| format!(" instead of {current}")).unwrap_or_default();
    Some(Cause::WrongRuntime(line::words(&format!("{required}{current}"))))
}

#[cfg(test)]
mod tests;
