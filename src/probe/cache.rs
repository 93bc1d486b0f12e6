//! Snapshots of what servers listed, kept per user in the cache directory: one file a launch, which only they can read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::snapshot;
use crate::facts::ProbeReport;
use crate::model::launch::LaunchId;
use crate::text::Text;
use crate::user_files::{self, Place};

/// In bytes; longer snapshots are not read.
const LONGEST: u64 = 64 << 20;
/// How long a snapshot is kept after it was written.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The snapshots of a user.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// The snapshots in this directory, whether it exists or not.
    pub fn at(directory: &Path) -> Cache {
        Cache { directory: directory.to_owned() }
    }

    /// Those of this user; `None` where they have no home.
    pub fn of_user() -> Option<Cache> {
        Some(Cache { directory: user_files::directory(Place::Cache)?.join("servers") })
    }

    /// Where the snapshot of a launch is or would be.
    pub fn path(&self, launch: LaunchId) -> PathBuf {
        self.directory.join(format!("{launch}.json"))
    }

    /// What a server said when it was last asked. `None` where it never was, where that failed before all was read, or
    /// where the file is not what it should be.
    pub fn load(&self, launch: LaunchId) -> Option<ProbeReport> {
        let path = self.path(launch);
        let text = user_files::read_up_to(&path, LONGEST).ok()?;
        snapshot::read(&text, &path).filter(|report| report.launch == launch)
    }

    /// Keeps the snapshot of a report that has one, and names its file as its place.
    pub fn store(&self, report: &mut ProbeReport) -> io::Result<()> {
        let Some(document) = &mut report.snapshot else { return Ok(()) };
        let path = match report.failure {
            None => self.path(report.launch),
            // What was read until then is to be seen, and is no reason to forget what was read wholly before.
            Some(_) => self.directory.join(format!("{}.partial.json", report.launch)),
        };
        user_files::write_private(&path, pieces(document.text()))
            .map_err(|error| user_files::not_written(&path, &error))?;
        document.uri = path.to_string_lossy().into_owned();
        document.path = Some(path);
        Ok(())
    }

    /// Removes what nobody has asked about for a long time.
    pub fn prune(&self) {
        let Ok(entries) = fs::read_dir(&self.directory) else { return };
        let now = SystemTime::now();
        for entry in entries.flatten() {
            let written = entry.metadata().and_then(|metadata| metadata.modified());
            let is_old = written.is_ok_and(|written| now.duration_since(written).is_ok_and(|age| age > KEPT));
            if is_old
                && is_ours(&entry.path())
                && let Err(error) = fs::remove_file(entry.path())
            {
                log::debug!("{}: {error}", entry.path().display());
            }
        }
    }
}

/// Whether a file is a snapshot by its name, or one that was not written to its end.
fn is_ours(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.trim_start_matches('.');
    let is_end = |rest: &str| rest.starts_with("json") || rest.starts_with("partial.json");
    name.split_once('.').is_some_and(|(launch, rest)| LaunchId::parse(launch).is_some() && is_end(rest))
}

fn pieces(text: &Text) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let piece = text.chunk_from(at);
        at += piece.len();
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use serde_json::value::RawValue;

    use super::*;
    use crate::facts::Failure;
    use crate::model::dialect::Transport;
    use crate::probe::snapshot::{Raw, snapshot};

    fn launch(digits: &str) -> LaunchId {
        LaunchId::parse(&digits.repeat(16)).expect("32 digits")
    }

    fn report(launch: LaunchId) -> ProbeReport {
        let page = format!("{{\"tools\":[{}7]}}", "{\"name\":\"a\"},".repeat(5000));
        let raw = Raw { tools: vec![RawValue::from_string(page).expect("JSON")], ..Raw::default() };
        let mut report = ProbeReport::new(launch, "server", Transport::Stdio);
        report.snapshot = Some(snapshot(&raw, &report));
        report
    }

    #[test]
    fn what_is_stored_is_loaded() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(&directory.path().join("servers"));
        let mut report = report(launch("1a"));
        assert!(cache.load(report.launch).is_none());
        cache.store(&mut report).expect("stored");
        let path = cache.path(report.launch);
        let stored = report.snapshot.expect("a snapshot");
        assert_eq!(stored.path.as_ref(), Some(&path));
        let loaded = cache.load(report.launch).expect("a report");
        assert_eq!((loaded.counts.tools, &*loaded.name), (5001, "server"));
        let snapshot = loaded.snapshot.expect("a snapshot");
        assert_eq!(snapshot.text().to_string(), stored.text().to_string());
        assert_eq!((&snapshot.path, &snapshot.uri), (&stored.path, &stored.uri));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
            assert_eq!((mode(&path), mode(&cache.directory)), (0o600, 0o700));
        }
    }

    #[test]
    fn what_was_read_in_part_leaves_what_was_read_wholly() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path());
        let (mut whole, mut part) = (report(launch("1a")), report(launch("1a")));
        cache.store(&mut whole).expect("stored");
        part.failure = Some(Failure::Protocol("it broke".to_owned()));
        cache.store(&mut part).expect("stored");
        assert!(part.snapshot.and_then(|snapshot| snapshot.path).is_some_and(|path| path.is_file()));
        assert!(cache.load(whole.launch).is_some());
    }

    #[test]
    fn what_is_foreign_or_broken_is_not_loaded() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path());
        let mut report = report(launch("1a"));
        cache.store(&mut report).expect("stored");
        let other = launch("2b");
        fs::copy(cache.path(report.launch), cache.path(other)).expect("copied");
        assert!(cache.load(other).is_none());
        fs::write(cache.path(other), "{").expect("written");
        assert!(cache.load(other).is_none());
        fs::write(cache.path(other), b"\xff").expect("written");
        assert!(cache.load(other).is_none());
        File::create(cache.path(other)).and_then(|file| file.set_len(LONGEST + 1)).expect("a long file");
        assert!(cache.load(other).is_none());
        report.snapshot = None;
        cache.store(&mut report).expect("nothing to store");
    }

    #[test]
    fn what_is_old_is_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path());
        cache.prune();
        let of = |name: &str, days: u64| {
            let path = directory.path().join(name);
            let file = File::create(&path).expect("a file");
            file.set_modified(SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60)).expect("a time");
            path
        };
        let (old, new) = (format!("{}.json", launch("1a")), format!("{}.json", launch("2b")));
        let gone = [of(&old, 91), of(&format!(".{}.json.1-2", launch("3c")), 91)];
        let kept = [of(&new, 89), of("notes.json", 1000)];
        cache.prune();
        assert!(gone.iter().all(|path| !path.exists()) && kept.iter().all(|path| path.exists()));
        Cache::at(Path::new("/nowhere")).prune();
    }
}
