//! What a server entry has its client start or contact, literally; and what that comes to once the client has put its
//! variables in.
//!
//! *Invariant:* whatever could change what is run changes the [`LaunchId`], by which consent is given.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::model::dialect::{Surroundings, Transport};
use crate::model::secret::{is_secret_name, secrets};
use crate::model::{Dialect, Server, server};
use crate::syntax::{Value, ValueKind};

/// Names a launch: what is trusted under it is never something else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaunchId([u8; 16]);

impl LaunchId {
    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<LaunchId> {
        let mut bytes = [0; 16];
        if text.len() != 32 || !text.is_ascii() {
            return None;
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
        }
        Some(LaunchId(bytes))
    }
}

impl fmt::Display for LaunchId {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for LaunchId {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Serialize for LaunchId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for LaunchId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        LaunchId::parse(&text).ok_or_else(|| serde::de::Error::custom("expected 32 hexadecimal digits"))
    }
}

/// What an entry has its client do, as it is written: variables are not put in yet.
#[derive(Clone, PartialEq, Eq)]
pub struct Launch {
    /// What is started or contacted.
    pub way: Way,
    /// Where it runs: the folder of the project, or `None` for the user's home directory.
    pub folder: Option<PathBuf>,
    /// Who reads the entry; it decides what the variables mean.
    pub client: Option<&'static str>,
}

/// How a server is reached.
#[derive(Clone, PartialEq, Eq)]
pub enum Way {
    /// By starting it.
    Start(Start),
    /// By a URL.
    Contact(Contact),
}

/// What is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables that are set, or with `None` taken away.
    pub environment: Vec<(String, Option<String>)>,
    /// A file with more variables.
    pub environment_file: Option<String>,
    /// Where it runs, from the folder.
    pub directory: Option<String>,
}

/// What is contacted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contact {
    /// The address.
    pub url: String,
    /// Headers that are sent with every request.
    pub headers: Vec<(String, String)>,
    /// What it speaks, where the entry says so.
    pub transport: Option<Transport>,
}

/// Why nothing can be started or contacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// A value that only the client can ask the user for: its id.
    Input(String),
    /// It would open a browser to sign in.
    SignIn,
    /// The transport is not in the specification: its name.
    Transport(&'static str),
}

/// Values may be secrets.
impl fmt::Debug for Launch {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "Launch({})", self.id())
    }
}

impl Launch {
    /// What an entry of a file of this project has its client do. `None` where it is switched off, has neither or both
    /// of command and URL, or values of the wrong type: rules say so, and nothing is started in doubt. Nor where the folder
    /// is not known from the root on: consent to what runs in one would hold for any.
    pub fn of(entry: &Server, folder: Option<&Path>) -> Option<Launch> {
        if folder.is_some_and(|folder| !folder.has_root()) {
            return None;
        }
        let members = entry.value.members();
        if !entry.value.is_object() || members.iter().any(server::switches_off) {
            return None;
        }
        let text = |key: &str| match entry.value.get(key) {
            None => Some(None),
            Some(value) => value.as_str().map(|text| Some(text.to_owned())),
        };
        let word = text("type")?.and_then(|word| entry.dialect.transport(&word).or_else(|| Transport::meant(&word)));
        let way = match (text("command")?, text("url")?) {
            (Some(command), None) if !command.trim().is_empty() => {
                let arguments = match entry.value.get("args") {
                    None => Vec::new(),
                    Some(value) if value.is_array() => {
                        value.elements().iter().map(|value| Some(value.as_str()?.to_owned())).collect::<Option<_>>()?
                    }
                    Some(_) => return None,
                };
                let start = Start {
                    command,
                    arguments,
                    environment: pairs(entry.value.get("env"))?,
                    environment_file: text("envFile")?,
                    directory: text("cwd")?,
                };
                bridged(&start).map_or(Way::Start(start), Way::Contact)
            }
            (None, Some(url)) if !url.trim().is_empty() => {
                let headers = pairs(entry.value.get("headers"))?;
                let headers = headers.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
                Way::Contact(Contact { url, headers, transport: word.filter(|word| *word != Transport::Stdio) })
            }
            _ => return None,
        };
        Some(Launch { way, folder: folder.map(Path::to_owned), client: Some(entry.dialect.id) })
    }

    /// A command line, run in a folder as it is written.
    pub fn command(words: &[String], folder: &Path) -> Option<Launch> {
        let (command, arguments) = words.split_first()?;
        let start = Start { command: command.clone(), arguments: arguments.to_vec(), ..Start::default() };
        Some(Launch { way: Way::Start(start), folder: Some(folder.to_owned()), client: None })
    }

    /// A URL.
    pub fn url(url: &str) -> Launch {
        let contact = Contact { url: url.to_owned(), ..Contact::default() };
        Launch { way: Way::Contact(contact), folder: None, client: None }
    }

    /// Its name: a hash of all it says, of the folder it runs in and of who reads it.
    pub fn id(&self) -> LaunchId {
        let mut hash = Sha256::new();
        let mut add = |tag: &str, text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update((tag.len() as u64).to_le_bytes());
            hash.update(tag);
            hash.update(text);
        };
        add("client", self.client.unwrap_or_default());
        if let Some(folder) = &self.folder {
            add("folder", &folder.to_string_lossy());
        }
        match &self.way {
            Way::Start(start) => {
                add("command", &start.command);
                start.arguments.iter().for_each(|argument| add("argument", argument));
                for (name, value) in &start.environment {
                    add("variable", name);
                    value.iter().for_each(|value| add("value", value));
                }
                start.environment_file.iter().for_each(|file| add("environment file", file));
                start.directory.iter().for_each(|directory| add("directory", directory));
            }
            Way::Contact(contact) => {
                add("url", &contact.url);
                for (name, value) in &contact.headers {
                    add("header", name);
                    add("value", value);
                }
                let word = contact.transport.map_or("", Transport::name);
                add("transport", word);
            }
        }
        let digest = hash.finalize();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        LaunchId(bytes)
    }

    /// The same with the client's variables put in.
    pub fn resolved(&self, around: &Surroundings) -> Result<Launch, Unresolved> {
        let variables = self.client.and_then(Dialect::by_id).and_then(|dialect| dialect.variables);
        let expand = |text: &String| match variables {
            Some(variables) => variables.expand(text, around).map_err(Unresolved::Input),
            None => Ok(text.clone()),
        };
        let way = match &self.way {
            Way::Start(start) => Way::Start(Start {
                command: expand(&start.command)?,
                arguments: start.arguments.iter().map(expand).collect::<Result<_, _>>()?,
                environment: (start.environment.iter())
                    .map(|(name, value)| Ok((name.clone(), value.as_ref().map(expand).transpose()?)))
                    .collect::<Result<_, _>>()?,
                environment_file: start.environment_file.as_ref().map(expand).transpose()?,
                directory: start.directory.as_ref().map(expand).transpose()?,
            }),
            Way::Contact(contact) => Way::Contact(Contact {
                url: expand(&contact.url)?,
                headers: (contact.headers.iter())
                    .map(|(name, value)| Ok((name.clone(), expand(value)?)))
                    .collect::<Result<_, _>>()?,
                transport: contact.transport,
            }),
        };
        if let Way::Contact(Contact { transport: Some(Transport::WebSocket), .. }) = way {
            return Err(Unresolved::Transport("WebSocket"));
        }
        Ok(Launch { way, ..self.clone() })
    }

    /// What would be done, on one line, for the person who is asked: the command line with its variables and where it
    /// runs, or the address with the names of its headers. Values are left out but for variables that decide
    /// what is run; the caller hides secrets that show by themselves.
    pub fn told(&self) -> String {
        match &self.way {
            Way::Start(start) => {
                let words: Vec<String> =
                    std::iter::once(&start.command).chain(&start.arguments).map(|word| quoted(word)).collect();
                let mut with: Vec<String> =
                    start.environment.iter().map(|(name, value)| variable(name, value)).collect();
                with.extend(start.environment_file.iter().map(|file| format!("the variables of {}", quoted(file))));
                let directory = start.directory.iter().map(|directory| format!(" in {}", quoted(directory)));
                words.join(" ") + &directory.collect::<String>() + &listed(&with)
            }
            Way::Contact(contact) => {
                let headers = contact.headers.iter().map(|(name, value)| variable(name, &Some(value.clone())));
                contact.url.clone() + &listed(&headers.collect::<Vec<_>>())
            }
        }
    }
}

impl Launch {
    /// The same with the folder that it runs in.
    pub fn told_in_folder(&self) -> String {
        match (&self.way, &self.folder) {
            (Way::Start(_), Some(folder)) => format!("{} (in {})", self.told(), folder.display()),
            _ => self.told(),
        }
    }

    /// Whether what is run depends on a file that anybody may change without its changing: one of variables.
    pub fn reads_variables(&self) -> bool {
        matches!(&self.way, Way::Start(start) if start.environment_file.is_some())
    }
}

fn listed(with: &[String]) -> String {
    if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) }
}

/// Variables that decide what is run as much as the command does, by their starts.
const RUNNING: &[&str] = &[
    "BASH_ENV",
    "DYLD_",
    "ENV",
    "GIT_SSH",
    "JAVA_TOOL_OPTIONS",
    "LD_",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PATH",
    "PERL5",
    "PYTHON",
    "RUBYLIB",
    "RUBYOPT",
    "npm_config_",
    "NPM_CONFIG_",
    "UV_",
    "PIP_",
];

/// Whether a value does nothing but put a variable in: what of yours it hands over is to be seen.
fn is_reference(value: &str) -> bool {
    let value = value.rsplit_once(' ').map_or(value, |(_, value)| value);
    value
        .strip_prefix("${")
        .and_then(|inside| inside.strip_suffix('}'))
        .is_some_and(|name| !name.contains([':', '$']) || name.starts_with("env:") || name.starts_with("input:"))
}

/// A variable or header, with its value where that is another's name, or may do as much harm as a command. Others may be
/// secrets under any name.
fn variable(name: &str, value: &Option<String>) -> String {
    let is_running = RUNNING
        .iter()
        .any(|start| if *start == "ENV" || *start == "PATH" { name == *start } else { name.starts_with(start) });
    match value {
        None => format!("no {name}"),
        Some(value) if is_reference(value) => format!("{name}={}", quoted(value)),
        Some(value) if is_running && !is_secret_name(name) && secrets(value).is_empty() => {
            format!("{name}={}", quoted(value))
        }
        Some(_) => name.to_owned(),
    }
}

/// A word as a shell would want it.
pub fn quoted(word: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "_-./:@=+,~%".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The members of an object of strings, numbers and nulls; `None` where it is something else.
fn pairs(value: Option<&Value>) -> Option<Vec<(String, Option<String>)>> {
    let Some(value) = value else { return Some(Vec::new()) };
    if !value.is_object() {
        return None;
    }
    let text = |value: &Value| match &value.kind {
        ValueKind::String(text) => Some(Some(text.to_string())),
        ValueKind::Number(number) => Some(Some(number.to_string())),
        ValueKind::Bool(value) => Some(Some(value.to_string())),
        ValueKind::Null => Some(None),
        _ => None,
    };
    value.members().iter().map(|member| Some((member.key.name.to_string(), text(&member.value)?))).collect()
}

/// What `mcp-remote` is to contact. It opens a browser where somebody has to sign in, so nobody starts it.
fn bridged(start: &Start) -> Option<Contact> {
    let package = |word: &str| word == "mcp-remote" || word.starts_with("mcp-remote@");
    let mut words = std::iter::once(&start.command).chain(&start.arguments).map(|word| &**word);
    words.find(|word| package(word))?;
    let mut contact = Contact::default();
    while let Some(word) = words.next() {
        match word {
            "--header" => {
                let (name, value) = words.next()?.split_once(':')?;
                let mut value = value.trim().to_owned();
                // `mcp-remote` puts its own environment in.
                for (name, set) in &start.environment {
                    value = value.replace(&format!("${{{name}}}"), set.as_deref().unwrap_or_default());
                }
                contact.headers.push((name.trim().to_owned(), value));
            }
            "--transport" => {
                let word = words.next()?;
                contact.transport = word.starts_with("sse").then_some(Transport::Sse);
            }
            _ if word.contains("://") && contact.url.is_empty() => contact.url = word.to_owned(),
            _ => {}
        }
    }
    (!contact.url.is_empty()).then_some(contact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::read_member;

    fn launch(client: &str, entry: &str) -> Option<Launch> {
        launch_in("/work/app", client, entry)
    }

    fn launch_in(folder: &str, client: &str, entry: &str) -> Option<Launch> {
        let (key, reading) = read_member(entry).expect("an entry");
        let dialect = Dialect::by_id(client).expect("a client");
        Launch::of(&Server { text: entry, key: &key, value: &reading.value, dialect }, Some(Path::new(folder)))
    }

    #[test]
    fn any_change_of_what_is_run_changes_the_id() {
        let entry = r#""a": {"command": "node", "args": ["a", "b"], "env": {"A": "1"}}"#;
        let id = launch("vscode", entry).expect("a launch").id();
        assert_eq!(launch("vscode", &entry.replace("\"a\":", "\"other\":")).expect("a launch").id(), id);
        assert_eq!(LaunchId::parse(&id.to_string()), Some(id));
        let mut ids = vec![id];
        for (from, to) in [
            ("node", "bun"),
            ("\"b\"", "\"c\""),
            ("[\"a\", \"b\"]", "[\"a b\"]"),
            ("[\"a\", \"b\"]", "[\"ab\"]"),
            ("\"1\"", "\"2\""),
            ("\"1\"", "null"),
            ("\"A\"", "\"B\""),
            ("\"env\": {\"A\": \"1\"}", "\"cwd\": \"x\""),
            ("\"env\": {\"A\": \"1\"}", "\"envFile\": \"x\""),
        ] {
            ids.push(launch("vscode", &entry.replace(from, to)).expect("a launch").id());
        }
        ids.push(launch("cursor", entry).expect("a launch").id());
        for contact in [
            r#"{"url": "https://a.example/mcp"}"#,
            r#"{"url": "https://a.example/sse"}"#,
            r#"{"url": "https://a.example/mcp", "headers": {"A": "1"}}"#,
            r#"{"type": "sse", "url": "https://a.example/mcp"}"#,
        ] {
            ids.push(launch("vscode", &format!("\"a\": {contact}")).expect("a launch").id());
        }
        let count = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }

    #[test]
    fn consent_holds_for_one_folder() {
        let entry = r#""a": {"command": "node", "args": ["server.js"]}"#;
        let id = |folder| launch_in(folder, "vscode", entry).map(|launch| launch.id());
        assert_ne!(id("/work/app"), id("/work/other"));
        assert_eq!(id("app"), None);
    }

    #[test]
    fn nothing_is_started_in_doubt() {
        for entry in [
            r#"{"command": "a", "disabled": true}"#,
            r#"{"command": "a", "url": "https://a.example"}"#,
            r#"{"command": "a", "args": "b"}"#,
            r#"{"command": "a", "args": [1]}"#,
            r#"{"command": ["a"]}"#,
            r#"{"command": ""}"#,
            r#"{"command": "a", "env": ["A=1"]}"#,
            "{}",
            "[]",
        ] {
            assert_eq!(launch("vscode", &format!("\"a\": {entry}")), None, "{entry}");
        }
    }

    #[test]
    fn a_bridge_is_not_started() {
        let entry = r#""a": {"command": "npx", "args": ["-y", "mcp-remote@latest", "https://a.example/mcp", "--header", "Authorization: Bearer ${T}"], "env": {"T": "x"}}"#;
        let Some(Launch { way: Way::Contact(contact), .. }) = launch("claude-desktop", entry) else {
            panic!("a contact")
        };
        assert_eq!(contact.url, "https://a.example/mcp");
        assert_eq!(contact.headers, [("Authorization".to_owned(), "Bearer x".to_owned())]);
    }

    #[test]
    fn variables_are_put_in_when_it_is_started() {
        let variable = |name: &str| (name == "KEY").then(|| "secret".to_owned());
        let around = Surroundings { variable: &variable, home: None, folder: Path::new("/work/app") };
        let entry = r#""a": {"command": "node", "args": ["${workspaceFolder}/x.js"], "env": {"KEY": "${env:KEY}", "B": "${input:b}", "NODE_OPTIONS": "-r ./x"}}"#;
        let written = launch("vscode", entry).expect("a launch");
        assert_eq!(written.resolved(&around), Err(Unresolved::Input("b".to_owned())));
        let written = launch("vscode", &entry.replace("${input:b}", "c")).expect("a launch");
        let Ok(Launch { way: Way::Start(start), .. }) = written.resolved(&around) else { panic!("a start") };
        assert_eq!(start.arguments, ["/work/app/x.js"]);
        assert_eq!(start.environment[0].1.as_deref(), Some("secret"));
        assert_eq!(written.told(), "node '${workspaceFolder}/x.js' with KEY='${env:KEY}', B, NODE_OPTIONS='-r ./x'");
    }
}
