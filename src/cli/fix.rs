//! Writing mended files, and showing what would be written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use similar::{Algorithm, TextDiff};

/// How long the smallest difference is looked for; after that a larger one is shown.
const DIFF_TIME: Duration = Duration::from_secs(1);

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
