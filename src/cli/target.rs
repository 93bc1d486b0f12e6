//! What a command is pointed at: one word of the command line, or what follows `--`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use reqwest::Url;

use super::program;
use crate::model::launch::Launch;

/// What the user wants to be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// `-`
    Stdin,
    /// A file to read, whether it is there or not.
    File(PathBuf),
    /// `config.json#server`
    Entry {
        /// The config file.
        config: PathBuf,
        /// The server's name in it.
        server: String,
    },
    /// A directory.
    Directory(PathBuf),
    /// A server to start or contact.
    Live(Live),
}

/// A server that the command line itself says how to start or contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Live {
    /// The target as the user wrote it.
    pub(super) shown: String,
    /// What is started or contacted.
    pub(super) launch: Launch,
}

/// Ends of names that are files, though they are not there.
const FILE_ENDS: &[&str] = &["json", "jsonc", "toml", "yaml", "yml", "js", "mjs", "cjs", "ts", "py", "txt", "md"];

impl Target {
    /// Reads a word; what is wrong with it, where it says nothing.
    pub(super) fn parse(word: &OsStr) -> Result<Target, String> {
        let path = Path::new(word);
        let Some(word) = word.to_str() else { return Ok(Target::of_path(path)) };
        if word == "-" {
            return Ok(Target::Stdin);
        }
        if word.starts_with('-') {
            return Err(format!("`{word}` is no target; for a file of this name write `./{word}`"));
        }
        if path.is_dir() {
            return Ok(Target::Directory(path.to_owned()));
        }
        if path.exists() {
            return Ok(match program::of_script(path)? {
                Some(launch) => Target::live(word, launch),
                None => Target::File(path.to_owned()),
            });
        }
        if let Some((config, server)) = entry(word) {
            return Ok(Target::Entry { config, server });
        }
        match word.split_once(':') {
            Some(("npm", package)) => return Ok(Target::live(word, program::of_npm(package)?)),
            Some(("pypi", package)) => return Ok(Target::live(word, program::of_pypi(package)?)),
            Some(("github", _)) => return Err(not_yet(word)),
            Some(("http" | "https", _)) => return of_url(word),
            _ => {}
        }
        if is_path(path, word) { Ok(Target::of_path(path)) } else { Err(bare(word)) }
    }

    /// What follows `--`; `None` where nothing does.
    pub(super) fn of_command(words: &[String]) -> Option<Target> {
        let folder = std::env::current_dir().unwrap_or_default();
        let launch = Launch::command(words, &folder)?;
        let shown = program::told(&launch);
        Some(Target::Live(Live { shown, launch }))
    }

    fn of_path(path: &Path) -> Target {
        if path.is_dir() { Target::Directory(path.to_owned()) } else { Target::File(path.to_owned()) }
    }

    fn live(word: &str, launch: Launch) -> Target {
        Target::Live(Live { shown: program::without_secrets(word), launch })
    }
}

/// `config.json#server`, where there is such a file.
fn entry(word: &str) -> Option<(PathBuf, String)> {
    let mut places = word.match_indices('#').map(|(at, _)| at);
    let at = places.find(|at| Path::new(&word[..*at]).is_file())?;
    Some((PathBuf::from(&word[..at]), word[at + 1..].to_owned()))
}

fn of_url(word: &str) -> Result<Target, String> {
    let url = Url::parse(word).map_err(|error| format!("`{word}` is no URL: {error}"))?;
    match url.host_str() {
        Some("github.com") => Err(not_yet(word)),
        Some(_) => Ok(Target::live(word, Launch::url(word))),
        None => Err(format!("`{word}` names no host")),
    }
}

fn not_yet(word: &str) -> String {
    format!("`{word}`: repositories cannot be started yet; clone it, and point to its folder or to its program")
}

/// Whether a word that is no file is meant for one.
fn is_path(path: &Path, word: &str) -> bool {
    let is_scoped = word.starts_with('@') && word.matches('/').count() == 1;
    let end = path.extension().and_then(OsStr::to_str);
    !is_scoped && word.contains(['/', '\\']) || end.is_some_and(|end| FILE_ENDS.contains(&end))
}

fn bare(word: &str) -> String {
    let package =
        if word.starts_with('@') { format!("`npm:{word}`") } else { format!("`npm:{word}` or `pypi:{word}`") };
    format!("there is no file `{word}`; for a package write {package}, for a command line put `--` before it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::launch::Way;

    fn parse(word: &str) -> Result<Target, String> {
        Target::parse(OsStr::new(word))
    }

    fn told(target: Result<Target, String>) -> String {
        match target {
            Ok(Target::Live(live)) => live.launch.told(),
            other => panic!("no server: {other:?}"),
        }
    }

    #[test]
    fn a_word_is_what_it_looks_like() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| {
            let path = directory.path().join(name);
            std::fs::write(&path, "{}").expect("a file");
            path.to_string_lossy().into_owned()
        };
        let (config, hash) = (path("a.json"), path("b.json#c"));
        assert_eq!(parse("-"), Ok(Target::Stdin));
        assert_eq!(parse(&config), Ok(Target::File(config.clone().into())));
        assert_eq!(parse(&hash), Ok(Target::File(hash.clone().into())), "what is there comes first");
        let entry = |config: &str, server: &str| Target::Entry { config: config.into(), server: server.to_owned() };
        assert_eq!(parse(&format!("{config}#x#y")), Ok(entry(&config, "x#y")));
        assert_eq!(parse(&format!("{hash}#d")), Ok(entry(&hash, "d")));
        assert_eq!(parse(&directory.path().to_string_lossy()), Ok(Target::Directory(directory.path().to_owned())));
        for gone in ["gone.json", "x/gone", "./gone", "gone.py"] {
            assert_eq!(parse(gone), Ok(Target::File(gone.into())), "its reader says that it is not there");
        }
        assert_eq!(told(parse("https://a.example/mcp")), "https://a.example/mcp");
        assert_eq!(told(parse("https://github.com.example/a/b")), "https://github.com.example/a/b");
        if program::is_installed("node") {
            let script = path("x.mjs");
            assert_eq!(told(parse(&script)), format!("node {script}"));
        }
    }

    #[test]
    fn what_says_nothing_is_answered() {
        for (word, words) in [
            ("server-everything", "`npm:server-everything` or `pypi:server-everything`"),
            ("@scope/server", "write `npm:@scope/server`"),
            ("-x", "`./-x`"),
            ("--yes", "is no target"),
            ("github:a/b", "clone it"),
            ("https://github.com/a/b", "clone it"),
            ("http://", "is no URL"),
            ("npm:", "is no package"),
            ("npm:--call=x", "is no package"),
            ("npm:a b", "is no package"),
            ("pypi:-x", "is no package"),
        ] {
            let error = parse(word).expect_err("no target");
            assert!(error.contains(words), "{word}: {error}");
        }
    }

    #[test]
    fn a_command_line_is_kept_word_by_word() {
        assert_eq!(Target::of_command(&[]), None);
        let words = ["server", "a b", "--api-key", "s3cretS3cret"].map(str::to_owned);
        let Some(Target::Live(live)) = Target::of_command(&words) else { panic!("a server") };
        assert!(live.shown.starts_with("server 'a b' --api-key •"), "{}", live.shown);
        let Way::Start(start) = live.launch.way else { panic!("a command") };
        assert_eq!((start.command.as_str(), &start.arguments[..]), ("server", &words[1..]));
    }
}
