//! Where this program keeps what is the user's, and files that nobody else can read.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// How long what can be had again is kept after it was written.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// How much of somebody's name for something a file's name has, in characters.
const LONGEST_NAME: usize = 48;

/// What a place of the user is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// What they set.
    Settings,
    /// What they decided.
    State,
    /// What can be had again.
    Cache,
}

/// Our directory in a place of this user; `None` where they have no home.
pub fn directory(place: Place) -> Option<PathBuf> {
    directory_by(place, &|name| std::env::var_os(name).map(PathBuf::from))
}

fn directory_by(place: Place, variable: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let (base, windows, mac, other) = match place {
        Place::Settings => ("XDG_CONFIG_HOME", "APPDATA", "Library/Application Support", ".config"),
        Place::State => ("XDG_STATE_HOME", "LOCALAPPDATA", "Library/Application Support", ".local/state"),
        Place::Cache => ("XDG_CACHE_HOME", "LOCALAPPDATA", "Library/Caches", ".cache"),
    };
    // A relative path would be another place in each working directory.
    let variable = |name: &str| variable(name).filter(|path| path.is_absolute());
    let parent = variable(base).or_else(|| {
        if cfg!(windows) {
            variable(windows)
        } else {
            Some(variable("HOME")?.join(if cfg!(target_os = "macos") { mac } else { other }))
        }
    })?;
    Some(parent.join("mcp-analyzer"))
}

/// Makes a directory, and those above it, for the user alone; what there is stays as it is.
pub fn make_private_directory(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Opens a file for writing that only the user can read, if it is new.
pub fn private_file(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.write(true).open(path)
}

/// Writes a file that only the user can read, all of it or nothing: whoever reads it meanwhile reads the old one.
pub fn write_private<'c>(path: &Path, content: impl IntoIterator<Item = &'c [u8]>) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    make_private_directory(directory)?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let new = directory.join(format!(".{}.{}-{number}", name.to_string_lossy(), std::process::id()));
    let written = (|| {
        let mut file = private_file(&new, OpenOptions::new().create_new(true))?;
        content.into_iter().try_for_each(|piece| file.write_all(piece))?;
        fs::rename(&new, path)
    })();
    if written.is_err() {
        // The reason it was not written is the news.
        let _ = fs::remove_file(&new);
    }
    written
}

/// The same error in words that name the file.
pub fn not_written(path: &Path, error: &io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::PermissionDenied => "you have no permission to".to_owned(),
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file stands where there has to be a folder".to_owned()
        }
        io::ErrorKind::NotFound => "its folder cannot be made".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk can only be read".to_owned(),
        _ => error.to_string(),
    };
    io::Error::new(error.kind(), format!("`{}` cannot be written: {why}", path.display()))
}

/// What is kept in a folder: a file each, written by [`write_private`] to its end.
pub fn kept(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let is_whole = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".json") && !name.starts_with('.')
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).filter(is_whole)
}

/// Removes what was written long ago from the folders of a directory that are called by a hash, 32 digits.
pub fn prune(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let now = SystemTime::now();
    let is_old = |path: &PathBuf| {
        let written = fs::metadata(path).and_then(|metadata| metadata.modified());
        written.is_ok_and(|written| now.duration_since(written).is_ok_and(|age| age > KEPT))
    };
    let is_hash = |name: &str| name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    for folder in entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_hash)) {
        kept(&folder.path()).filter(is_old).for_each(|path| remove(&path));
        // Where something is left, it stays.
        let _ = fs::remove_dir(folder.path());
    }
}

/// Removes a file that can be had again.
pub fn remove(path: &Path) {
    if let Err(error) = fs::remove_file(path) {
        log::debug!("{}: {error}", path.display());
    }
}

/// Somebody's name for something as a part of a file's; `otherwise` where nothing plain is left of it.
pub fn plain_name(name: &str, otherwise: &str) -> String {
    let plain = |char: char| if char.is_ascii_alphanumeric() || "_-".contains(char) { char } else { '-' };
    let name: String = name.chars().map(plain).take(LONGEST_NAME).collect();
    match name.trim_matches('-') {
        "" => otherwise.to_owned(),
        name => name.to_owned(),
    }
}

/// Reads a file, if it is not longer than the limit in bytes.
pub fn read_up_to(path: &Path, limit: u64) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(limit + 1).read_to_string(&mut text)?;
    if text.len() as u64 > limit { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(all(unix, not(target_os = "macos")))]
    fn each_place_has_its_variable_and_its_default() {
        let with = |pairs: &'static [(&str, &str)]| {
            move |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| PathBuf::from(value))
        };
        let home = with(&[("HOME", "/home/u")]);
        let places = [Place::Settings, Place::State, Place::Cache].map(|place| directory_by(place, &home));
        let expected = [".config", ".local/state", ".cache"];
        assert_eq!(places, expected.map(|place| Some(Path::new("/home/u").join(place).join("mcp-analyzer"))));
        let set = with(&[("HOME", "/home/u"), ("XDG_STATE_HOME", "/s"), ("XDG_CACHE_HOME", "relative")]);
        assert_eq!(directory_by(Place::State, &set), Some("/s/mcp-analyzer".into()));
        assert_eq!(directory_by(Place::Cache, &set), Some("/home/u/.cache/mcp-analyzer".into()));
        assert_eq!(directory_by(Place::State, &|_| None), None);
    }

    #[test]
    fn a_file_is_written_whole_and_for_the_user_alone() {
        let root = tempfile::tempdir().expect("a directory");
        let path = root.path().join("a/b/file.json");
        write_private(&path, [&b"one"[..]]).expect("written");
        write_private(&path, [&b"tw"[..], b"o"]).expect("written again");
        assert_eq!(read_up_to(&path, 3).expect("read"), "two");
        assert_eq!(read_up_to(&path, 2).expect_err("too long").kind(), io::ErrorKind::FileTooLarge);
        let entries = fs::read_dir(path.parent().expect("a parent")).expect("a directory").count();
        assert_eq!(entries, 1, "nothing else is left");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
            assert_eq!((mode(&path), mode(&root.path().join("a/b"))), (0o600, 0o700));
            assert_eq!(mode(&root.path().join("a")), 0o700);
        }
        assert!(write_private(&path.join("below"), [&b"x"[..]]).is_err(), "a file is no directory");
    }
}
