//! What the user has said may be started: kept per user, by what is started.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::launch::LaunchId;
use crate::user_files::{self, Place};

/// Thousands of decisions are shorter.
const LONGEST: u64 = 16 << 20;

/// What the user has said about a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// It may be started.
    Always,
    /// It may not.
    Never,
}

/// One decision, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// What it is about.
    pub launch: LaunchId,
    /// What was said.
    pub decision: Decision,
    /// The server's name when it was said.
    pub name: String,
    /// What is started, for people, without secrets.
    pub told: String,
    /// When, in seconds since 1970.
    pub at: u64,
}

/// The file.
#[derive(Serialize, Deserialize)]
struct Decisions {
    /// The version of the format.
    trust: u8,
    decisions: Vec<Entry>,
}

/// The decisions of a user, in a file that only they can read.
#[derive(Clone, Debug)]
pub struct Trust {
    path: PathBuf,
}

impl Trust {
    /// The decisions in this file, whether it exists or not.
    pub fn at(path: &Path) -> Trust {
        Trust { path: path.to_owned() }
    }

    /// The file of this user; `None` where they have no home.
    pub fn of_user() -> Option<Trust> {
        Some(Trust { path: user_files::directory(Place::State)?.join("trust.json") })
    }

    /// What was said about a launch. A file that cannot be read says nothing, so that nothing is started.
    pub fn of(&self, launch: LaunchId) -> Option<Decision> {
        let decisions = self.read().ok()?;
        decisions.iter().rfind(|entry| entry.launch == launch).map(|entry| entry.decision)
    }

    /// Every decision, the newest first. An error where there is a file that cannot be read.
    pub fn list(&self) -> io::Result<Vec<Entry>> {
        let mut decisions = self.read()?;
        decisions.reverse();
        decisions.sort_by_key(|entry| std::cmp::Reverse(entry.at));
        Ok(decisions)
    }

    /// Adds a decision, in the place of what was said about the same launch before. A file that cannot be read stays as
    /// it is: it is an error.
    pub fn add(&self, entry: Entry) -> io::Result<()> {
        self.change(|decisions| {
            decisions.retain(|other| other.launch != entry.launch);
            decisions.push(entry);
            true
        })
        .map(drop)
    }

    /// Takes decisions back; whether there was one.
    pub fn remove(&self, launch: LaunchId) -> io::Result<bool> {
        if !self.path.exists() {
            return Ok(false);
        }
        self.change(|decisions| {
            let before = decisions.len();
            decisions.retain(|entry| entry.launch != launch);
            decisions.len() < before
        })
    }

    fn read(&self) -> io::Result<Vec<Entry>> {
        let text = match user_files::read_up_to(&self.path, LONGEST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            text => text,
        };
        let shown = self.path.display();
        let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        let text = text.map_err(|error| io::Error::new(error.kind(), format!("`{shown}` cannot be read: {error}")))?;
        let file: Decisions = serde_json::from_str(&text)
            .map_err(|error| invalid(format!("`{shown}` is broken, so repair or delete it: {error}")))?;
        if file.trust != 1 {
            return Err(invalid(format!("`{shown}` is of version {}, which is not known here", file.trust)));
        }
        Ok(file.decisions)
    }

    /// Reads, changes and, where `change` says that it changed something, writes the decisions, while no other process
    /// does so.
    fn change(&self, change: impl FnOnce(&mut Vec<Entry>) -> bool) -> io::Result<bool> {
        let not_written = |error| user_files::not_written(&self.path, &error);
        if let Some(directory) = self.path.parent() {
            user_files::make_private_directory(directory).map_err(not_written)?;
        }
        let mut options = OpenOptions::new();
        let lock = user_files::private_file(&self.path.with_extension("lock"), options.create(true).truncate(false))
            .map_err(not_written)?;
        // Where the file system knows no locks, two changes at the same moment remain a risk.
        if let Err(error) = lock.lock() {
            log::debug!("{}: {error}", self.path.display());
        }
        let mut decisions = self.read()?;
        let is_changed = change(&mut decisions);
        if is_changed {
            let text = serde_json::to_string_pretty(&Decisions { trust: 1, decisions })?;
            user_files::write_private(&self.path, [text.as_bytes(), b"\n"]).map_err(not_written)?;
        }
        Ok(is_changed)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn launch(number: u8) -> LaunchId {
        LaunchId::parse(&format!("{number:032x}")).expect("32 digits")
    }

    fn entry(number: u8, decision: Decision, at: u64) -> Entry {
        let (name, told) = (format!("server {number}"), "npx \"a\"\u{1b}".to_owned());
        Entry { launch: launch(number), decision, name, told, at }
    }

    fn trust() -> (tempfile::TempDir, Trust) {
        let directory = tempfile::tempdir().expect("a directory");
        let trust = Trust::at(&directory.path().join("mcp-analyzer/trust.json"));
        (directory, trust)
    }

    #[test]
    fn what_was_said_last_holds() {
        let (_directory, trust) = trust();
        assert_eq!((trust.of(launch(1)), trust.list().expect("no file is no error")), (None, Vec::new()));
        assert!(!trust.remove(launch(1)).expect("nothing to remove"));
        assert!(!trust.path.exists(), "asking writes nothing");
        let entries = [entry(1, Decision::Never, 10), entry(2, Decision::Always, 30), entry(1, Decision::Always, 20)];
        entries.iter().for_each(|entry| trust.add(entry.clone()).expect("added"));
        assert_eq!(trust.of(launch(1)), Some(Decision::Always), "an earlier `never` has no more weight");
        trust.add(entry(2, Decision::Never, 40)).expect("added");
        assert_eq!(trust.of(launch(2)), Some(Decision::Never));
        assert_eq!(trust.of(launch(3)), None);
        let expected = [entry(2, Decision::Never, 40), entry(1, Decision::Always, 20)];
        assert_eq!(Trust::at(&trust.path).list().expect("listed"), expected);
        assert!(trust.remove(launch(2)).expect("removed"));
        assert!(!trust.remove(launch(2)).expect("not there"));
        assert_eq!(trust.of(launch(2)), None);
    }

    #[test]
    fn a_broken_file_says_nothing_and_stays() {
        let (_directory, trust) = trust();
        trust.add(entry(1, Decision::Always, 1)).expect("added");
        let good = fs::read_to_string(&trust.path).expect("written");
        let broken = [
            "".to_owned(),
            good[..good.len() / 2].to_owned(),
            good.replace("\"trust\": 1", "\"trust\": 2"),
            good.replace("always", "sometimes"),
            good.replace(&launch(1).to_string(), "1"),
            "[".repeat(100_000),
        ];
        for text in broken {
            fs::write(&trust.path, &text).expect("written");
            assert_eq!(trust.of(launch(1)), None, "{text:.40}");
            let error = trust.list().expect_err("broken").to_string();
            assert!(error.contains("trust.json"), "{error}");
            assert!(error.contains("repair or delete it") || error.contains("version 2"), "{error}");
            let added = trust.add(entry(2, Decision::Always, 2)).expect_err("broken").to_string();
            assert_eq!(added, error);
            assert_eq!(fs::read_to_string(&trust.path).expect("there"), text);
        }
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let (directory, trust) = trust();
        fs::write(directory.path().join("mcp-analyzer"), "").expect("written");
        let error = trust.add(entry(1, Decision::Always, 1)).expect_err("a file is no folder").to_string();
        let shown = trust.path.display();
        assert_eq!(error, format!("`{shown}` cannot be written: a file stands where there has to be a folder"));
    }

    #[test]
    fn changes_at_the_same_time_are_all_kept() {
        let (_directory, trust) = trust();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let trust = trust.clone();
                scope.spawn(move || {
                    for number in 0..8 {
                        trust.add(entry(8 * thread + number, Decision::Always, 1)).expect("added");
                    }
                });
            }
        });
        assert_eq!(trust.list().expect("listed").len(), 64);
    }

    #[test]
    #[cfg(unix)]
    fn only_the_user_reads_it() {
        use std::os::unix::fs::PermissionsExt;
        let (_directory, trust) = trust();
        trust.add(entry(1, Decision::Always, 1)).expect("added");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(&trust.path), 0o600);
        assert_eq!(mode(&trust.path.with_extension("lock")), 0o600);
        assert_eq!(mode(trust.path.parent().expect("a parent")), 0o700);
    }
}
