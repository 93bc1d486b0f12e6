//! Writing mended files, and showing what would be written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use similar::{Algorithm, TextDiff};

use crate::analysis::{Fixed, ReadAs, Report, Ruleset, fix_all};
use crate::diagnostic::Applicability;
use crate::document::Document;
use crate::render::Fixable;
use crate::rules;

/// How long the smallest difference is looked for; after that a larger one is shown.
const DIFF_TIME: Duration = Duration::from_secs(1);

/// In longer texts, and in broken ones, fixes are counted and not tried.
const MAX_TRIED: usize = 1 << 20;

/// What `--fix` makes of a document, with `--unsafe` or without.
pub(super) fn fixed(document: &Document, rules: &Arc<Ruleset>, read_as: Option<ReadAs>, unsafe_: bool) -> Fixed {
    fix_all(document, rules, read_as, |_, fix| match fix.applicability {
        Applicability::Safe => true,
        Applicability::Unsafe => unsafe_,
        Applicability::Suggestion => false,
    })
}

/// How much of what was found `--fix` would mend. One fix may exclude another or bring a third to light, so that only
/// trying tells.
pub(super) fn fixable(
    report: &Report,
    document: &Document,
    ruleset: &Arc<Ruleset>,
    read_as: Option<ReadAs>,
) -> Fixable {
    let offered = |applicability| {
        let findings = report.findings();
        let best = findings.iter().filter_map(|finding| finding.diagnostic.best_fix(|_| true));
        best.filter(|fix| fix.applicability == applicability).count()
    };
    let (safe, unsafe_) = (offered(Applicability::Safe), offered(Applicability::Unsafe));
    let is_broken = report.findings().iter().any(|finding| finding.diagnostic.rule == rules::SYNTAX_ERROR);
    if document.text().len() > MAX_TRIED || is_broken {
        return Fixable { safe, unsafe_, is_estimate: true };
    }
    let tried =
        |offered: usize, unsafe_| if offered > 0 { fixed(document, ruleset, read_as, unsafe_).count } else { 0 };
    let safe = tried(safe, false);
    Fixable { safe, unsafe_: tried(unsafe_, true).saturating_sub(safe), is_estimate: false }
}

/// Puts `new` where `old` was read from: all of it or nothing. Permissions stay, and a symbolic link stays one.
///
/// # Errors
/// When the file no longer holds `old`, is write-protected, or its directory takes no new file.
pub(super) fn write(path: &Path, old: &str, new: &str) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    if fs::read(&path)? != old.as_bytes() {
        return Err(io::Error::other("it was changed by someone else meanwhile"));
    }
    let permissions = fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(io::Error::from(io::ErrorKind::PermissionDenied));
    }
    let (temporary, mut file) = create_beside(&path)?;
    let written = file
        .write_all(new.as_bytes())
        .and_then(|()| file.set_permissions(permissions))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        // The first error is the one worth telling.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A new file in the same directory, so that renaming it is one step.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut attempt = 0;
    loop {
        let temporary = path.with_file_name(format!(".{name}.{}-{attempt}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

/// What would change, as a unified diff.
pub(super) fn diff(shown: &str, old: &str, new: &str) -> String {
    TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .timeout(DIFF_TIME)
        .diff_lines(old, new)
        .unified_diff()
        .header(shown, shown)
        .to_string()
}
