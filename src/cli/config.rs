//! The servers of a config file, where a command is about servers and not about the file.

use std::path::Path;
use std::sync::Arc;

use super::consent::Wanted;
use super::input::{Found, Input};
use super::program;
use super::target::{Live, Target};
use crate::analysis::{Analysis, ReadAs, Report, Ruleset, World};
use crate::document::Document;
use crate::model::launch::Launch;
use crate::model::{Dialect, Kind};
use crate::syntax;
use crate::text::nearest;

/// Who most likely reads a config file that stands where no client looks, by its root key.
const LIKELY: &[&str] = &["claude-code", "vscode"];

/// Why an entry cannot be asked.
pub(super) const NOTHING_TO_START: &str = "it is switched off, or does not say what to start";

/// A config file.
pub(super) struct Config {
    shown: String,
    servers: Vec<(String, Option<Launch>)>,
}

impl Config {
    /// Reads a file; why there are no servers in it, where that is so.
    pub(super) fn read(path: &Path) -> Result<Config, String> {
        let shown = path.to_string_lossy().into_owned();
        let input = Input::File { shown: shown.clone(), path: path.to_owned(), found: Found::Named };
        let document = input.read().map_err(|unreadable| format!("{shown}: {}", unreadable.reason))?;
        let rules = Arc::new(Ruleset::default());
        let mut analysis = Analysis::default();
        let world = World::new(&document, &rules);
        let mut config = Config::of(&shown, &analysis.check(&world));
        if config.is_none() {
            let likely = likely(&document).map(ReadAs::Config);
            let world = World { read_as: Some(likely.ok_or_else(|| no_config(&shown))?), ..world };
            config = Config::of(&shown, &analysis.check(&world));
        }
        config.ok_or_else(|| no_config(&shown))
    }

    /// What a report tells of; `None` where that is no config file.
    pub(super) fn of(shown: &str, report: &Report) -> Option<Config> {
        let of = |index: usize| Some((report.item(index).name()?.to_owned(), report.launch(index)));
        let servers = || report.counting().into_iter().filter_map(of).collect();
        matches!(report.kind(), Kind::Config(_)).then(|| Config { shown: shown.to_owned(), servers: servers() })
    }

    /// The server of this name.
    pub(super) fn server(&self, name: &str) -> Result<Wanted, String> {
        let Some((name, launch)) = self.servers.iter().find(|(known, _)| known == name) else {
            let meant = nearest(name, self.servers.iter().map(|(name, _)| name.as_str()));
            let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_else(|| self.listed());
            return Err(format!("{} has no server `{name}`{meant}", self.shown));
        };
        let launch = launch.clone().ok_or_else(|| format!("`{name}` cannot be asked: {NOTHING_TO_START}"))?;
        Ok(Wanted { name: name.clone(), target: format!("{}#{name}", self.shown), launch })
    }

    /// Its only server.
    pub(super) fn only(&self) -> Result<Wanted, String> {
        match &self.servers[..] {
            [(name, _)] => self.server(name),
            [] => Err(format!("{} has no server", self.shown)),
            [(first, _), ..] => {
                let count = self.servers.len();
                Err(format!("{} has {count} servers: write `{}#{first}`{}", self.shown, self.shown, self.listed()))
            }
        }
    }

    /// Every server that can be asked.
    pub(super) fn all(&self) -> Vec<Wanted> {
        self.servers.iter().filter_map(|(name, _)| self.server(name).ok()).collect()
    }

    fn listed(&self) -> String {
        let names: Vec<String> = self.servers.iter().map(|(name, _)| format!("`{name}`")).collect();
        if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) }
    }
}

/// The servers that a target names; `of` picks from those of a config file.
pub(super) fn servers_of(
    target: Target,
    of: impl Fn(&Config) -> Result<Vec<Wanted>, String>,
) -> Result<Vec<Wanted>, String> {
    match target {
        Target::Stdin => Err("stdin is no server".to_owned()),
        Target::File(path) => of(&Config::read(&path)?),
        Target::Entry { config, server } => Ok(vec![Config::read(&config)?.server(&server)?]),
        Target::Directory(path) => {
            let target = path.to_string_lossy().into_owned();
            let whole = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
            let name = whole.file_name().map_or(target.clone(), |name| name.to_string_lossy().into_owned());
            Ok(vec![Wanted { name, target, launch: program::of_directory(&path)? }])
        }
        Target::Live(Live { shown, launch }) => Ok(vec![Wanted { name: shown.clone(), target: shown, launch }]),
    }
}

/// The client that most likely reads a document that stands where none looks.
pub(super) fn likely(document: &Document) -> Option<&'static Dialect> {
    let text = String::from(document.text());
    let root = syntax::outline(&text, &|_| false).value;
    let is_root = |path: &&[&str]| path.iter().try_fold(&root, |value, key| value.get(key)).is_some();
    let mut dialects = LIKELY.iter().filter_map(|id| Dialect::by_id(id));
    dialects.find(|dialect| dialect.roots.iter().any(is_root))
}

fn no_config(shown: &str) -> String {
    format!(
        "{shown} is no config file of a client, so there is no server to ask; `mcp-analyzer check` reads other files"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<Config, String> {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("a file");
        Config::read(&path)
    }

    #[test]
    fn a_server_is_found_by_its_name() {
        let text = r#"{"mcpServers": {"one": {"command": "a"}, "two": {"url": "https://b.example"}, "off": {"command": "c", "disabled": true}}}"#;
        for name in [".mcp.json", "anywhere.json"] {
            let config = read(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let one = config.server("one").unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(one.target.ends_with(&format!("{name}#one")) && one.launch.told() == "a");
            assert_eq!(config.all().len(), 2);
            assert!(config.server("oen").err().is_some_and(|error| error.ends_with("did you mean `one`?")));
            assert!(config.server("x").err().is_some_and(|error| error.ends_with("there are `one`, `two`, `off`")));
            assert!(config.server("off").err().is_some_and(|error| error.contains("switched off")));
            assert!(config.only().err().is_some_and(|error| error.contains("has 3 servers: write `")));
        }
        let one = read("x.json", r#"{"servers": {"one": {"command": "a"}}}"#).and_then(|config| config.only());
        assert_eq!(one.map(|one| one.launch.client), Ok(Some("vscode")));
    }

    #[test]
    fn of_two_with_one_name_the_last_counts() {
        let text = r#"{"mcpServers": {"one": {"command": "a"}, "two": {"command": "b"}, "one": {"command": "c"}}}"#;
        let config = read(".mcp.json", text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(config.server("one").map(|one| one.launch.told()), Ok("c".to_owned()));
        let told: Vec<String> = config.all().iter().map(|wanted| wanted.launch.told()).collect();
        assert_eq!(told, ["b", "c"]);
    }

    #[test]
    fn other_files_have_no_server() {
        for text in [r#"{"tools": [{"name": "a", "inputSchema": {}}]}"#, r#"{"name": "x"}"#, "", "[1]"] {
            assert!(read("x.json", text).err().is_some_and(|error| error.contains("is no config file")), "{text}");
        }
        assert!(read(".mcp.json", r#"{"mcpServers": {}}"#).and_then(|config| config.only()).is_err());
        assert!(Config::read(Path::new("/nowhere.json")).err().is_some_and(|error| error.contains("no such file")));
    }
}
