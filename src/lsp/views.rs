//! Where what providers receive is written, for the user alone to read: a folder for each source that is called by a hash
//! of it, and in it a file for each provider that is called by the source. The next view of it is written over the last.

use std::io;
use std::path::{Path, PathBuf};

use crate::provider::Provider;
use crate::user_files::{self, Place};

/// The views of a user.
#[derive(Clone, Debug)]
pub(super) struct Views {
    directory: PathBuf,
}

/// What a view is of.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// 32 hexadecimal digits that no other has.
    pub(super) hash: String,
    /// What a person calls it.
    pub(super) name: String,
}

impl Views {
    /// Those of this user; `None` where they have no home.
    pub(super) fn of_user() -> Option<Views> {
        Some(Views { directory: user_files::directory(Place::Cache)?.join("views") })
    }

    /// Whether a file is one of them, by its path, whichever links lead there.
    pub(super) fn hold(&self, path: &Path) -> bool {
        // Of other files the disk is not asked.
        let Some(above) = path.ancestors().nth(2).filter(|above| above.ends_with("mcp-analyzer/views")) else {
            return false;
        };
        let real = |path: &Path| path.canonicalize().ok();
        above == self.directory || real(above).is_some_and(|above| real(&self.directory) == Some(above))
    }

    /// Writes one; its path.
    ///
    /// # Errors
    /// Where the file cannot be written, in words that name it.
    pub(super) fn write(&self, source: &Source, provider: Provider, text: &str) -> io::Result<PathBuf> {
        let name = user_files::plain_name(&source.name, "tools");
        let path = self.directory.join(&source.hash).join(format!("{name}.{}.json", provider.id()));
        user_files::write_private(&path, [text.as_bytes()]).map_err(|error| user_files::not_written(&path, &error))?;
        Ok(path)
    }

    /// Removes what nobody has wanted to see for a long time.
    pub(super) fn prune(&self) {
        user_files::prune(&self.directory);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_known_by_its_path() {
        let home = tempfile::tempdir().expect("a directory");
        let views = Views { directory: home.path().join("mcp-analyzer/views") };
        let source = Source { hash: "0a".repeat(16), name: "my tools/../x".to_owned() };
        let path = views.write(&source, Provider::Gemini, "[]").expect("written");
        assert!(path.ends_with(format!("views/{}/my-tools----x.gemini.json", source.hash)), "{}", path.display());
        assert!(views.hold(&path));
        let other = home.path().join("other/mcp-analyzer/views/a/b.json");
        assert!(!views.hold(&other) && !views.hold(home.path()) && !views.hold(Path::new("tools.json")));
        #[cfg(unix)]
        {
            let link = home.path().join("link");
            std::os::unix::fs::symlink(home.path(), &link).expect("a link");
            assert!(views.hold(&link.join(path.strip_prefix(home.path()).expect("below it"))));
            std::os::unix::fs::symlink("/", home.path().join("root")).expect("a link");
            assert!(!views.hold(&home.path().join("root/mcp-analyzer/views/a/b.json")));
        }
    }
}
