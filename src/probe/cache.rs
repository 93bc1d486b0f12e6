//! Snapshots of what servers listed, kept per user in the cache directory: one file a launch, which only they can read.

use std::io;
use std::path::{Path, PathBuf};

use crate::facts::ProbeReport;
use crate::model::launch::LaunchId;

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
        None
    }

    /// Where the snapshot of a launch is or would be.
    pub fn path(&self, launch: LaunchId) -> PathBuf {
        self.directory.join(format!("{launch}.json"))
    }

    /// What a server said when it was last asked. `None` where it never was, or where the file is not what it should be.
    pub fn load(&self, launch: LaunchId) -> Option<ProbeReport> {
        let _ = launch;
        None
    }

    /// Keeps the snapshot of a report that has one.
    pub fn store(&self, report: &ProbeReport) -> io::Result<()> {
        let _ = report;
        Ok(())
    }

    /// Removes what nobody has asked about for a long time.
    pub fn prune(&self) {}
}
