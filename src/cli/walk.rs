//! Which files of a directory are looked at: every JSON file that git does not ignore, hidden ones too, and the files
//! that a client reads even where git ignores them. What others wrote, in `node_modules`, is left alone.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::input::{Found, Input, plain};
use crate::document::Format;
use crate::model::{Dialect, dialect};

/// What a directory holds.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// The files, by path.
    pub(super) inputs: Vec<Input>,
    /// What could not be looked into, and why.
    pub(super) problems: Vec<(String, String)>,
}

/// Looks through a directory. Symbolic links to directories are not followed.
pub(super) fn walk(root: &Path) -> Walked {
    let mut files: BTreeMap<PathBuf, Found> = BTreeMap::new();
    let mut out = Walked::default();
    let is_own = |name: &OsStr| name != ".git" && name != "node_modules";
    let walker = WalkBuilder::new(root)
        .hidden(false)
        .filter_entry(move |entry| entry.depth() == 0 || is_own(entry.file_name()))
        .build();
    for entry in walker {
        match entry {
            Ok(entry) => {
                let path = entry.path();
                let kind = entry.file_type();
                if kind.is_some_and(|kind| kind.is_dir()) {
                    files.extend(places_in(path).map(|place| (place, Found::Place)));
                } else if Format::from_path(path).is_some()
                    && (kind.is_some_and(|kind| kind.is_file()) || path.is_file())
                {
                    files.entry(path.to_owned()).or_insert_with(|| found(path));
                }
            }
            Err(error) => out.problems.extend(problem(root, &error)),
        }
    }
    out.inputs = files
        .into_iter()
        .map(|(path, found)| {
            let path = path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
            Input::File { shown: path.to_string_lossy().into_owned(), path, found }
        })
        .collect();
    out
}

fn found(path: &Path) -> Found {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let is_place = absolute.to_str().is_some_and(|path| Dialect::by_path(path).is_some());
    if is_place { Found::Place } else { Found::Walked }
}

/// The files below a directory that a client reads, ignored or not. Asking for each costs less than looking through
/// what git ignores.
fn places_in(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let places = dialect::ALL.iter().flat_map(|dialect| dialect.places).filter(|place| !place.contains('*'));
    places.map(|place| directory.join(place)).filter(|path| path.is_file())
}

fn problem(root: &Path, error: &ignore::Error) -> Option<(String, String)> {
    match error {
        ignore::Error::WithPath { path, err } => {
            let reason = err.io_error().map_or_else(|| err.to_string(), plain);
            Some((path.to_string_lossy().into_owned(), reason))
        }
        ignore::Error::WithDepth { err, .. } => problem(root, err),
        ignore::Error::Io(error) => Some((root.to_string_lossy().into_owned(), plain(error))),
        // Mistakes in a .gitignore are git's to tell.
        _ => None,
    }
}
