//! Snapshots of what servers listed, kept per user in the cache directory: a folder a launch, which only they can read,
//! and in it a file that is called by the server.

use std::io;
use std::path::{Path, PathBuf};

use super::snapshot;
use crate::facts::ProbeReport;
use crate::model::launch::LaunchId;
use crate::text::Text;
use crate::user_files::{self, Place};

/// In bytes; longer snapshots are not read.
const LONGEST: u64 = 64 << 20;
/// The ends of the names of snapshots: of whole ones, and of what was read until something failed.
const WHOLE: &str = ".json";
const PARTIAL: &str = ".partial.json";

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

    /// The snapshot of a launch, called by its server so that a person knows it; `None` where there is none.
    fn path(&self, launch: LaunchId) -> Option<PathBuf> {
        self.files(launch).find(|path| !is_partial(path))
    }

    /// The snapshots of a launch.
    fn files(&self, launch: LaunchId) -> impl Iterator<Item = PathBuf> {
        user_files::kept(&self.directory.join(launch.to_string()))
    }

    /// What a server said when it was last asked. `None` where it never was, where that failed before all was read, or
    /// where the file is not what it should be.
    pub fn load(&self, launch: LaunchId) -> Option<ProbeReport> {
        let path = self.path(launch)?;
        let text = user_files::read_up_to(&path, LONGEST).ok()?;
        snapshot::read(&text, &path).filter(|report| report.launch == launch)
    }

    /// Keeps the snapshot of a report that has one, and names its file as its place.
    pub fn store(&self, report: &mut ProbeReport) -> io::Result<()> {
        let Some(document) = &mut report.snapshot else { return Ok(()) };
        // What was read until it failed is to be seen, and is no reason to forget what was read wholly before.
        let end = if report.failure.is_some() { PARTIAL } else { WHOLE };
        let directory = self.directory.join(report.launch.to_string());
        let path = directory.join(format!("{}{end}", user_files::plain_name(&report.name, "server")));
        user_files::write_private(&path, pieces(document.text()))
            .map_err(|error| user_files::not_written(&path, &error))?;
        // Under another name it was called by before.
        let old = self.files(report.launch).filter(|old| *old != path && is_partial(old) == report.failure.is_some());
        old.for_each(|old| user_files::remove(&old));
        document.uri = path.to_string_lossy().into_owned();
        document.path = Some(path);
        Ok(())
    }

    /// Removes what nobody has asked about for a long time.
    pub fn prune(&self) {
        user_files::prune(&self.directory);
    }
}

fn is_partial(path: &Path) -> bool {
    path.to_string_lossy().ends_with(PARTIAL)
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
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

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
        let path = cache.path(report.launch).expect("a file");
        assert!(path.ends_with("server.json"));
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
    fn a_server_that_is_called_otherwise_has_one_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path());
        for (name, file) in [("a/b", "a-b.json"), ("../..", "server.json"), ("npm:@x/y@1", "npm--x-y-1.json")] {
            let mut report = ProbeReport { name: name.to_owned(), ..report(launch("1a")) };
            cache.store(&mut report).expect("stored");
            let files: Vec<PathBuf> = cache.files(report.launch).collect();
            assert!(files.len() == 1 && files[0].ends_with(file), "{files:?}");
        }
    }

    #[test]
    fn what_is_foreign_or_broken_is_not_loaded() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path());
        let mut report = report(launch("1a"));
        cache.store(&mut report).expect("stored");
        let other = launch("2b");
        let place = directory.path().join(other.to_string()).join("server.json");
        fs::create_dir(place.parent().expect("a folder")).expect("created");
        fs::copy(cache.path(report.launch).expect("a file"), &place).expect("copied");
        assert!(cache.load(other).is_none());
        fs::write(&place, "{").expect("written");
        assert!(cache.load(other).is_none());
        fs::write(&place, b"\xff").expect("written");
        assert!(cache.load(other).is_none());
        File::create(&place).and_then(|file| file.set_len(LONGEST + 1)).expect("a long file");
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
            fs::create_dir_all(path.parent().expect("a folder")).expect("created");
            let file = File::create(&path).expect("a file");
            file.set_modified(SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60)).expect("a time");
            path
        };
        let (old, new) = (launch("1a"), launch("2b"));
        let gone = [of(&format!("{old}/a.json"), 91), of(&format!("{old}/a.partial.json"), 91)];
        let kept = [of(&format!("{new}/a.json"), 89), of("notes/a.json", 1000)];
        cache.prune();
        assert!(
            gone.iter().all(|path| !path.exists() && !path.parent().is_some_and(Path::exists))
                && kept.iter().all(|path| path.exists())
        );
        Cache::at(Path::new("/nowhere")).prune();
    }
}
