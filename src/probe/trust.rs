//! What the user has said may be started: kept per user, by what is started.

use std::io;
use std::path::{Path, PathBuf};

use crate::model::launch::LaunchId;

/// What the user has said about a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It may be started.
    Always,
    /// It may not.
    Never,
}

/// One decision, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        None
    }

    /// What was said about a launch. A file that cannot be read says nothing, so that nothing is started.
    pub fn of(&self, launch: LaunchId) -> Option<Decision> {
        let _ = (&self.path, launch);
        None
    }

    /// Every decision, the newest first. An error where there is a file that cannot be read.
    pub fn list(&self) -> io::Result<Vec<Entry>> {
        Ok(Vec::new())
    }

    /// Adds a decision, in the place of what was said about the same launch before.
    pub fn add(&self, entry: Entry) -> io::Result<()> {
        let _ = entry;
        Ok(())
    }

    /// Takes decisions back; whether there was one.
    pub fn remove(&self, launch: LaunchId) -> io::Result<bool> {
        let _ = launch;
        Ok(false)
    }
}
