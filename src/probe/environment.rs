//! What a started server finds around it: the program, its folder, and as few variables as it can do with.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::Request;
use crate::facts::Failure;
use crate::model::dialect::Surroundings;
use crate::model::launch::{Launch, Start};
use crate::model::secret::{is_secret_name, secrets};

/// The variables that every server has.
#[cfg(not(windows))]
const BASICS: &[&str] = &["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TERM", "TMPDIR"];
/// The variables that every server has: without most of these, programs do not even start.
#[cfg(windows)]
const BASICS: &[&str] = &[
    "PATH",
    "PATHEXT",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PROCESSOR_ARCHITECTURE",
    "NUMBER_OF_PROCESSORS",
    "LANG",
];

/// Commands that may have to download what they run.
const LAUNCHERS: &[&str] = &[
    "npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx", "uvx", "uv", "pipx", "docker", "podman", "nerdctl", "deno",
    "nix", "dnx", "go", "cargo", "jbang",
];
/// Commands whose server is no child of theirs: it ends only with them, and only if they are asked to end.
const CONTAINERS: &[&str] = &["docker", "podman", "nerdctl"];

/// A shorter value is no secret that anybody could find again.
const SHORTEST_SECRET: usize = 6;

/// All that a process is started with.
#[derive(Debug)]
pub(super) struct Place {
    /// The program, as a path.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// All of its variables.
    pub environment: Environment,
    /// Where it runs.
    pub directory: PathBuf,
}

/// Variables, in the order in which they were set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Environment(Vec<(OsString, OsString)>);

impl Environment {
    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    fn get(&self, name: &str) -> Option<&OsStr> {
        self.iter().find(|(known, _)| is_same(known, name.as_ref())).map(|(_, value)| value)
    }

    fn set(&mut self, name: impl AsRef<OsStr>, value: Option<OsString>) {
        let name = name.as_ref();
        self.0.retain(|(known, _)| !is_same(known, name));
        // The system takes neither; a server that is never started would say less.
        let is_possible = |text: &OsStr| !text.as_encoded_bytes().contains(&0);
        let is_name = !name.is_empty() && !name.as_encoded_bytes()[1..].contains(&b'=') && is_possible(name);
        if let Some(value) = value.filter(|value| is_name && is_possible(value)) {
            self.0.push((name.to_owned(), value));
        }
    }
}

fn is_same(left: &OsStr, right: &OsStr) -> bool {
    if cfg!(windows) { left.eq_ignore_ascii_case(right) } else { left == right }
}

/// What is asked for with the client's variables put in.
pub(super) fn resolved(request: &Request) -> Result<Launch, Failure> {
    let variable = |name: &str| env::var(name).ok();
    let folder = folder(request);
    let around = Surroundings { variable: &variable, home: request.home.as_deref(), folder: &folder };
    request.launch.resolved(&around).map_err(Failure::Unresolved)
}

/// The folder of the project, or the home directory.
fn folder(request: &Request) -> PathBuf {
    request.launch.folder.as_ref().or(request.home.as_ref()).cloned().unwrap_or_else(|| PathBuf::from("."))
}

/// Where a program is started and what it finds there; the secrets that it is given are added to those known.
pub(super) fn place(request: &Request, start: &Start, secrets: &mut Vec<String>) -> Result<Place, Failure> {
    let folder = folder(request);
    let from_home = |text: &str| match (text.strip_prefix('~'), &request.home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with(['/', '\\']) => {
            home.join(rest.trim_start_matches(['/', '\\']))
        }
        _ => folder.join(text),
    };
    let directory = start.directory.as_deref().map_or_else(|| folder.clone(), from_home);
    if !directory.is_dir() {
        return Err(Failure::NoDirectory { directory: directory.to_string_lossy().into_owned() });
    }
    let mut environment = Environment::default();
    for name in BASICS {
        environment.set(name, env::var_os(name));
    }
    for entry in &request.environment {
        match entry.split_once('=') {
            Some((name, value)) => environment.set(name, Some(value.into())),
            None => environment.set(entry, env::var_os(entry)),
        }
    }
    environment.set("MCP_PROBE", Some("1".into()));
    let file = match &start.environment_file {
        None => Vec::new(),
        Some(file) => {
            let path = from_home(file);
            let text = fs::read_to_string(&path).map_err(|error| {
                Failure::NotStarted(format!("the file of variables {} cannot be read: {error}", path.display()))
            })?;
            variables(&text)
        }
    };
    for (name, value) in file.into_iter().chain(start.environment.iter().cloned()) {
        secrets.extend(value.as_deref().and_then(|value| secret(&name, value)));
        environment.set(name, value.map(OsString::from));
    }
    let program =
        program(&start.command, &directory, &environment).ok_or_else(|| not_found(&start.command, &directory))?;
    Ok(Place { program, arguments: start.arguments.clone(), environment, directory })
}

/// What of a value must not be shown, by the name of its variable or header.
pub(super) fn secret(name: &str, value: &str) -> Option<String> {
    let is_secret = is_secret_name(name) || !secrets(value).is_empty();
    let bare =
        ["Bearer ", "Basic ", "Token ", "token ", "bearer "].iter().find_map(|scheme| value.strip_prefix(scheme));
    let value = bare.unwrap_or(value).trim();
    (is_secret && value.len() >= SHORTEST_SECRET).then(|| value.to_owned())
}

/// The variables of a file with a line each: `NAME=value`, quoted or not.
fn variables(text: &str) -> Vec<(String, Option<String>)> {
    let lines = text.trim_start_matches('\u{FEFF}').lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let (name, value) = line.strip_prefix("export ").unwrap_or(line).split_once('=')?;
            let value = value.trim();
            let quoted = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.split_once(*quote));
            let value =
                quoted.map_or_else(|| value.split(" #").next().unwrap_or_default().trim_end(), |(value, _)| value);
            Some((name.trim().to_owned(), Some(value.to_owned())))
        })
        .collect()
}

/// Where a command is: a path from the folder, or the first of its name on the child's own `PATH`.
fn program(command: &str, directory: &Path, environment: &Environment) -> Option<PathBuf> {
    if command.contains('/') || cfg!(windows) && command.contains(['\\', ':']) {
        return executable(&directory.join(command), environment);
    }
    let paths = environment.get("PATH").map_or_else(|| OsString::from("/usr/local/bin:/usr/bin:/bin"), OsStr::to_owned);
    env::split_paths(&paths).find_map(|path| executable(&directory.join(path).join(command), environment))
}

/// Why a command cannot be run.
fn not_found(command: &str, directory: &Path) -> Failure {
    if cfg!(unix) && command.contains('/') && directory.join(command).is_file() {
        return Failure::NotStarted("permission denied: the file is not executable".to_owned());
    }
    Failure::NotFound { command: command.to_owned() }
}

/// A file that can be run, under one of the names that the system would try.
fn executable(path: &Path, environment: &Environment) -> Option<PathBuf> {
    if !cfg!(windows) {
        return is_executable(path).then(|| path.to_owned());
    }
    let extensions = environment.get("PATHEXT").map_or(".COM;.EXE;.BAT;.CMD".into(), OsStr::to_string_lossy);
    let has_one = path.extension().is_some();
    let named = extensions.split(';').filter(|extension| !extension.is_empty()).map(|extension| {
        let mut name = path.as_os_str().to_owned();
        name.push(extension.to_ascii_lowercase());
        PathBuf::from(name)
    });
    // A file without an extension, as npm puts it beside `npx.cmd`, is a shell script.
    has_one.then(|| path.to_owned()).into_iter().chain(named).find(|path| path.is_file())
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// The command's name without folder and extension; that behind `cmd /c` where there is one.
fn name(start: &Start) -> String {
    let stem = |command: &str| {
        let file = command.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
        let ends = [".exe", ".cmd", ".bat", ".ps1"];
        ends.iter().find_map(|end| file.strip_suffix(end)).unwrap_or(&file).to_owned()
    };
    match &start.arguments[..] {
        [option, command, ..] if stem(&start.command) == "cmd" && option.eq_ignore_ascii_case("/c") => stem(command),
        _ => stem(&start.command),
    }
}

/// Whether a command may have to download what it runs.
pub(super) fn may_download(start: &Start) -> bool {
    LAUNCHERS.contains(&&*name(start))
}

/// Whether a command runs its server where signals do not reach.
pub(super) fn is_container(start: &Start) -> bool {
    CONTAINERS.contains(&&*name(start))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::probe::Limits;

    fn request(environment: &[&str], home: &Path) -> Request {
        Request {
            name: "a".to_owned(),
            launch: Launch::url("test:"),
            limits: Limits::default(),
            environment: environment.iter().map(|entry| (*entry).to_owned()).collect(),
            home: Some(home.to_owned()),
        }
    }

    #[test]
    fn a_server_has_the_basics_and_what_was_said() {
        let home = tempfile::tempdir().expect("a directory");
        let file = "# comment\nexport FROM_FILE = 'a # b' \nBOTH=file\nPLAIN=x # y\nGONE=1\nbroken\n";
        fs::write(home.path().join("vars"), file).expect("a file");
        let own = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
        let start = Start {
            command: "sh".to_owned(),
            environment: vec![own("BOTH", "entry"), own("API_KEY", "Bearer hunter22"), ("GONE".to_owned(), None)],
            environment_file: Some("vars".to_owned()),
            directory: Some("~".to_owned()),
            ..Start::default()
        };
        let mut secrets = Vec::new();
        let request = request(&["SET=1", "CARGO_PKG_NAME", "NOT_THERE"], home.path());
        let place = place(&request, &start, &mut secrets).expect("a place");
        let get = |name| place.environment.get(name).and_then(OsStr::to_str);
        assert_eq!([get("SET"), get("CARGO_PKG_NAME"), get("NOT_THERE")], [Some("1"), Some("mcp-analyzer"), None]);
        assert_eq!(
            [get("FROM_FILE"), get("PLAIN"), get("BOTH"), get("GONE")],
            [Some("a # b"), Some("x"), Some("entry"), None]
        );
        assert_eq!(get("MCP_PROBE"), Some("1"));
        assert!(get("PATH").is_some() && get("CARGO_MANIFEST_DIR").is_none());
        assert_eq!(secrets, ["hunter22"]);
        assert_eq!(place.directory, home.path().join(""));
        assert!(place.program.is_absolute());
    }

    #[test]
    fn what_is_not_there_is_told() {
        let home = tempfile::tempdir().expect("a directory");
        fs::write(home.path().join("plain"), "").expect("a file");
        let request = request(&[], home.path());
        for command in ["no-such-program-anywhere", "plain", "~/plain", "/"] {
            let start = Start { command: command.to_owned(), ..Start::default() };
            let failure = place(&request, &start, &mut Vec::new()).err();
            assert_eq!(failure, Some(Failure::NotFound { command: command.to_owned() }));
        }
        let start = Start { command: "./plain".to_owned(), ..Start::default() };
        assert!(matches!(place(&request, &start, &mut Vec::new()), Err(Failure::NotStarted(_))));
        let start = Start { command: "sh".to_owned(), directory: Some("gone".to_owned()), ..Start::default() };
        assert!(matches!(place(&request, &start, &mut Vec::new()), Err(Failure::NoDirectory { .. })));
        let start = Start { command: "sh".to_owned(), environment_file: Some("gone".to_owned()), ..Start::default() };
        assert!(matches!(place(&request, &start, &mut Vec::new()), Err(Failure::NotStarted(_))));
    }

    #[test]
    fn launchers_are_known_by_name() {
        let start = |command: &str, argument: &str| Start {
            command: command.to_owned(),
            arguments: vec![argument.to_owned(), "npx".to_owned()],
            ..Start::default()
        };
        assert!(may_download(&start("/usr/bin/npx", "-y")) && may_download(&start("UVX.exe", "a")));
        assert!(may_download(&start("cmd", "/C")) && !may_download(&start("node", "/c")));
        assert!(is_container(&start("docker", "run")) && !is_container(&start("npx", "run")));
    }
}
