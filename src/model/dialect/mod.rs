//! The clients that read MCP config files, as data: one file each. A rule asks what a client does, never which it is.
//!
//! Sources are in each file; where a client's behaviour is not documented, the field says so.

use std::path::{Path, PathBuf};

mod claude_code;
mod claude_desktop;
mod cursor;
mod vscode;

mod transport;
mod variables;

pub use transport::Transport;
pub use variables::{Surroundings, Unset, Variables};

/// How one client reads its config file.
#[derive(Debug)]
pub struct Dialect {
    /// Short name, stable: `claude-code`.
    pub id: &'static str,
    /// The client's name for people.
    pub name: &'static str,
    /// The ends of the paths it reads, with forward slashes. A segment may hold one `*`.
    pub places: &'static [&'static str],
    /// What its parser forgives.
    pub strictness: Strictness,
    /// Where its servers are: the keys that lead to the map. The first is the one to propose.
    pub roots: &'static [&'static [&'static str]],
    /// Who reads the servers under another client's root key in the same file, by that key.
    pub other_readers: &'static [(&'static str, &'static str)],
    /// Every key it knows beside the servers, where it refuses others; `None` where the file holds other things too.
    pub root_keys: Option<&'static [&'static str]>,
    /// The keys of a server entry.
    pub server_keys: &'static [ServerKey],
    /// Whether a server can be reached by a URL.
    pub remote: bool,
    /// Whether an entry with a `url` and without a `type` counts as one that is to be started, and is refused.
    pub url_needs_type: bool,
    /// How a URL that it connects to may start.
    pub url_schemes: &'static [&'static str],
    /// The words that `type` takes, with what they say; the first word for a transport is the one to propose. Empty
    /// where the client does not ask, and tells servers apart by their other keys.
    pub transports: &'static [(&'static str, Transport)],
    /// What it replaces in values; `None` where only literals work.
    pub variables: Option<Variables>,
    /// What it calls a tool where the model sees it, with `SERVER` and `TOOL` for the names; `None` where
    /// that is not documented.
    pub tool_name: Option<&'static str>,
    /// Whether it takes a file with a byte order mark for a broken one.
    pub drops_byte_order_mark: bool,
    /// Which of two equal keys it keeps, as an addition to a sentence.
    pub duplicate_keys: &'static str,
}

/// What a client's parser forgives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Neither comments nor trailing commas.
    Strict,
    /// Not documented; strict as far as anyone knows.
    Undocumented,
    /// Comments and trailing commas.
    Jsonc,
}

/// A key of a server entry.
#[derive(Debug)]
pub struct ServerKey {
    /// The key.
    pub name: &'static str,
    /// Which servers have it.
    pub transport: KeyTransport,
    /// What its value is.
    pub holds: Holds,
}

/// What the value of a key has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A string.
    Text,
    /// An array of strings.
    Texts,
    /// An object whose values are strings.
    TextMap,
    /// An object whose values are strings, numbers, or `null` for one that is taken away.
    Variables,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An object.
    Object,
    /// More than one kind of value.
    Anything,
}

/// Which servers have a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyTransport {
    /// Those that are started.
    Stdio,
    /// Those that are reached by a URL.
    Remote,
    /// All.
    Both,
}

const fn stdio(name: &'static str, holds: Holds) -> ServerKey {
    ServerKey { name, transport: KeyTransport::Stdio, holds }
}

const fn remote(name: &'static str, holds: Holds) -> ServerKey {
    ServerKey { name, transport: KeyTransport::Remote, holds }
}

const fn both(name: &'static str, holds: Holds) -> ServerKey {
    ServerKey { name, transport: KeyTransport::Both, holds }
}

/// Every dialect, in the order in which paths are tried.
pub static ALL: &[&Dialect] = &[&claude_desktop::DIALECT, &vscode::DIALECT, &cursor::DIALECT, &claude_code::DIALECT];

/// Keys under which some client keeps its servers. One of them in another client's file is a mistake.
pub static ROOT_KEYS: &[&[&str]] = &[
    &["mcpServers"],
    &["servers"],
    &["mcp", "servers"],
    &["mcp", "mcpServers"],
    &["mcp_servers"],
    &["mcp-servers"],
    &["mcpservers"],
    &["context_servers"],
    &["amp.mcpServers"],
    &["mcp"],
];

/// Keys that a server entry has with some client or other. A map without a root key is known by them, and they tell
/// a key of another client from a slip of the pen.
pub static FOREIGN_SERVER_KEYS: &[&str] = &[
    "alwaysAllow",
    "autoApprove",
    "cmd",
    "cwd",
    "description",
    "disabled",
    "disabledTools",
    "enabled",
    "enabledTools",
    "env_vars",
    "environment",
    "envs",
    "excludeTools",
    "headers",
    "httpUrl",
    "includeTools",
    "isActive",
    "name",
    "serverUrl",
    "timeout",
    "tools",
    "transport",
    "transportType",
    "trust",
    "type",
    "uri",
    "working_directory",
];

/// Keys of a server entry that mean the same with different clients, the words of most of them first.
pub static SERVER_KEY_SYNONYMS: &[&[&str]] = &[
    &["args", "arguments", "params", "parameters"],
    &["command", "cmd"],
    &["cwd", "working_directory", "workingDirectory"],
    &["env", "environment", "envs", "env_vars"],
    &["type", "transport", "transportType"],
    &["url", "serverUrl", "httpUrl", "uri"],
];

/// Keys in which people write notes. A client ignores them, and nobody misses anything.
pub static NOTE_KEYS: &[&str] = &["comment", "comments", "description", "name", "note", "notes", "title"];

impl Dialect {
    /// The dialect with this id.
    pub fn by_id(id: &str) -> Option<&'static Dialect> {
        ALL.iter().copied().find(|dialect| dialect.id == id)
    }

    /// The client that reads a file at this path. Backslashes count as slashes.
    pub fn by_path(path: &str) -> Option<&'static Dialect> {
        let path = path.replace('\\', "/");
        ALL.iter().copied().find(|dialect| dialect.places.iter().any(|place| ends_with(&path, place)))
    }

    /// The folder of the project that a config file belongs to; `None` where it is the user's own, which belongs to none.
    /// A place that begins with a dot is in a project.
    pub fn project(&self, path: &Path) -> Option<PathBuf> {
        let text = path.to_str()?.replace('\\', "/");
        let place = self.places.iter().find(|place| ends_with(&text, place))?;
        let depth = place.split('/').count();
        place.starts_with('.').then(|| path.ancestors().nth(depth).map(Path::to_owned)).flatten()
    }

    /// The root key to propose, as a person writes it: `mcpServers`.
    pub fn root_key(&self) -> String {
        self.roots[0].join(".")
    }

    /// Whether a server entry has this key.
    pub fn has_server_key(&self, key: &str) -> bool {
        self.server_key(key).is_some()
    }

    /// The key of a server entry with this name.
    pub fn server_key(&self, key: &str) -> Option<&'static ServerKey> {
        self.server_keys.iter().find(|known| known.name == key)
    }

    /// What a word in `type` says to this client.
    pub fn transport(&self, word: &str) -> Option<Transport> {
        self.transports.iter().find(|(known, _)| *known == word).map(|(_, transport)| *transport)
    }

    /// This client's word for a transport.
    pub fn word_for(&self, transport: Transport) -> Option<&'static str> {
        self.transports.iter().find(|(_, known)| *known == transport).map(|(word, _)| *word)
    }

    /// This client's word for what a URL most likely speaks.
    pub fn word_for_url(&self, url: &str) -> Option<&'static str> {
        self.word_for(Transport::of_url(url)).or_else(|| self.word_for(Transport::Http))
    }

    /// This client's word for what another calls `key`, where one is plain.
    pub fn own_word(&self, key: &str) -> Option<&'static str> {
        let words = SERVER_KEY_SYNONYMS.iter().find(|words| words.contains(&key))?;
        words.iter().copied().find(|word| self.has_server_key(word))
    }
}

/// Whether some client keeps its servers under this key at the top.
pub fn is_root_key(key: &str) -> bool {
    ROOT_KEYS.iter().any(|path| path[0] == key)
}

/// Whether a key is a note to the reader or for a tool, as its first letters say.
pub fn is_note(key: &str) -> bool {
    ["$", "_", "#", "//", "x-"].iter().any(|start| key.starts_with(start))
}

/// Whether the last segments of `path` are those of `place`, which may hold one `*` each.
fn ends_with(path: &str, place: &str) -> bool {
    let mut path = path.rsplit('/');
    place.rsplit('/').all(|pattern| {
        path.next().is_some_and(|segment| match pattern.split_once('*') {
            None => segment == pattern,
            Some((start, end)) => {
                segment.len() >= start.len() + end.len() && segment.starts_with(start) && segment.ends_with(end)
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_its_client() {
        let id = |path| Dialect::by_path(path).map(|dialect| dialect.id);
        assert_eq!(id("/home/x/project/.mcp.json"), Some("claude-code"));
        assert_eq!(id(".mcp.json"), Some("claude-code"));
        assert_eq!(id("a.mcp.json"), None);
        assert_eq!(id(r"C:\Users\x\AppData\Roaming\Claude\claude_desktop_config.json"), Some("claude-desktop"));
        assert_eq!(id("/p/.cursor/mcp.json"), Some("cursor"));
        assert_eq!(id("/p/.vscode/mcp.json"), Some("vscode"));
        assert_eq!(id("/home/x/.config/Code - Insiders/User/mcp.json"), Some("vscode"));
        assert_eq!(id("/p/mcp.json"), None);
    }

    #[test]
    fn a_client_has_its_own_words() {
        let own = |client, key| Dialect::by_id(client).and_then(|dialect| dialect.own_word(key));
        assert_eq!(own("claude-code", "environment"), Some("env"));
        assert_eq!(own("vscode", "working_directory"), Some("cwd"));
        assert_eq!(own("claude-code", "working_directory"), None);
        assert_eq!(own("claude-desktop", "httpUrl"), None);
        assert_eq!(own("cursor", "disabled"), None);
    }

    #[test]
    fn ids_and_keys_are_unique() {
        for (index, dialect) in ALL.iter().enumerate() {
            assert!(ALL[..index].iter().all(|other| other.id != dialect.id));
            for (index, key) in dialect.server_keys.iter().enumerate() {
                assert!(dialect.server_keys[..index].iter().all(|other| other.name != key.name), "{}", key.name);
            }
        }
    }
}
