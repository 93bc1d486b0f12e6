//! What starts a server that the command line names: a package, a script, a folder with a project.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::input::plain;
use crate::model::launch::Launch;
use crate::model::mask::{masked, masks};

/// A package of npm, in this version or the newest.
pub(super) fn of_npm(package: &str) -> Result<Launch, String> {
    of_package("npm", package, &["npx", "-y"], "it comes with Node.js")
}

/// A package of PyPI, in this version or the newest.
pub(super) fn of_pypi(package: &str) -> Result<Launch, String> {
    of_package("pypi", package, &["uvx"], "it comes with uv, see https://docs.astral.sh/uv")
}

/// Packages run in the home directory: what is in the current one must not change what is run.
fn of_package(kind: &str, package: &str, launcher: &[&str], advice: &str) -> Result<Launch, String> {
    let is_start = |char: char| char.is_ascii_alphanumeric() || char == '@';
    let is_inner = |char: char| is_start(char) || "._~/+=<>!-[],".contains(char);
    if !package.starts_with(is_start) || !package.chars().all(is_inner) {
        return Err(format!("`{package}` is no package: write `{kind}:NAME` or `{kind}:NAME@VERSION`"));
    }
    let launch = launched(launcher, package, Path::new(""), advice)?;
    Ok(Launch { folder: None, ..launch })
}

/// A script by its end, run where the user is; `None` for other files.
pub(super) fn of_script(path: &Path) -> Result<Option<Launch>, String> {
    let (launcher, advice): (&[&str], _) = match path.extension().and_then(|end| end.to_str()) {
        Some("js" | "mjs" | "cjs") => (&["node"], "it comes with Node.js"),
        Some("ts") => (&["npx", "-y", "tsx"], "it comes with Node.js"),
        Some("py") => (if cfg!(windows) { &["python"] } else { &["python3"] }, "it comes with Python"),
        _ => return Ok(None),
    };
    let folder = std::env::current_dir().unwrap_or_default();
    launched(launcher, &path.to_string_lossy(), &folder, advice).map(Some)
}

/// The server that a folder is the project of.
pub(super) fn of_directory(directory: &Path) -> Result<Launch, String> {
    let folder = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let read = |name: &str| match std::fs::read_to_string(folder.join(name)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {}", directory.join(name).display(), plain(&error))),
    };
    if let Some(text) = read("package.json")? {
        let program = node_program(&text).map_err(|error| format!("{}: {error}", shown(directory, "package.json")))?;
        if !folder.join(&program).is_file() {
            let program = shown(directory, program.trim_start_matches("./"));
            return Err(format!("{program} is not there; build it first"));
        }
        return launched(&["node"], &program, &folder, "it comes with Node.js");
    }
    if let Some(text) = read("pyproject.toml")? {
        let script =
            python_script(&text).map_err(|error| format!("{}: {error}", shown(directory, "pyproject.toml")))?;
        return launched(&["uv", "run"], &script, &folder, "see https://docs.astral.sh/uv");
    }
    Err(format!(
        "{} has neither a package.json nor a pyproject.toml; name its program, or put its command line after `--`",
        directory.display()
    ))
}

fn shown(directory: &Path, name: &str) -> String {
    directory.join(name).display().to_string()
}

/// The program of a package.json, relative to it.
fn node_program(text: &str) -> Result<String, String> {
    let package: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let program = match &package["bin"] {
        Value::String(program) => Some(program.as_str()),
        Value::Object(programs) => Some(only(&package["name"], programs.iter().map(|(name, path)| (&**name, path)))?),
        _ => package["main"].as_str(),
    };
    let program = program.ok_or("it has neither `bin` nor `main`")?;
    Ok(format!("./{}", program.trim_start_matches("./")))
}

/// The one value, or the one that is called like the project.
fn only<'v>(project: &Value, mut named: impl Iterator<Item = (&'v str, &'v Value)> + Clone) -> Result<&'v str, String> {
    let own = project.as_str().map(|name| name.rsplit('/').next().unwrap_or(name));
    let all: Vec<&str> = named.clone().map(|(name, _)| name).collect();
    let found = if all.len() == 1 { named.next() } else { named.find(|(name, _)| Some(*name) == own) };
    found.and_then(|(_, value)| value.as_str()).ok_or_else(|| {
        format!("it has several programs ({}); name one of them, with its command line after `--`", all.join(", "))
    })
}

/// The script of a pyproject.toml.
fn python_script(text: &str) -> Result<String, String> {
    let project: toml::Table = toml::from_str(text).map_err(|error| format!("it is not TOML: {}", error.message()))?;
    let project = project.get("project");
    let scripts =
        project.and_then(|project| project.get("scripts")?.as_table()).ok_or("it has no `project.scripts`")?;
    let own = project.and_then(|project| project.get("name")?.as_str());
    let name = match scripts.keys().collect::<Vec<_>>()[..] {
        [name] => Some(name),
        _ => scripts.keys().find(|name| Some(name.as_str()) == own),
    };
    let is_name = |name: &&String| name.starts_with(|char: char| char.is_ascii_alphanumeric());
    name.filter(is_name).cloned().ok_or_else(|| "it has several scripts; put one of them after `--`".to_owned())
}

fn launched(launcher: &[&str], what: &str, folder: &Path, advice: &str) -> Result<Launch, String> {
    let program = launcher[0];
    if !is_installed(program) {
        return Err(format!("`{what}` is started with `{program}`, which is not installed: {advice}"));
    }
    let words: Vec<String> = launcher.iter().map(|word| (*word).to_owned()).chain([what.to_owned()]).collect();
    Launch::command(&words, folder).ok_or_else(|| "there is nothing to start".to_owned())
}

/// Whether a program is found where a shell would find it.
pub(super) fn is_installed(program: &str) -> bool {
    let directories = std::env::var_os("PATH").unwrap_or_default();
    let ends: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
    let is_there = |directory: PathBuf| ends.iter().any(|end| directory.join(format!("{program}{end}")).is_file());
    std::env::split_paths(&directories).any(is_there)
}

/// What a launch does, for people.
pub(super) fn told(launch: &Launch) -> String {
    without_secrets(&launch.told())
}

/// A text with its secrets hidden.
pub(super) fn without_secrets(text: &str) -> String {
    masked(text, &masks(text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_says_what_starts_it() {
        for (package, program) in [
            (r#"{"bin": "dist/index.js"}"#, "./dist/index.js"),
            (r#"{"bin": {"a": "./a.js"}}"#, "./a.js"),
            (r#"{"name": "@x/b", "bin": {"a": "a.js", "b": "b.js"}}"#, "./b.js"),
            (r#"{"main": "--eval=x"}"#, "./--eval=x"),
        ] {
            assert_eq!(node_program(package).as_deref(), Ok(program));
        }
        for (package, words) in [
            ("{}", "neither `bin` nor `main`"),
            ("[", "not JSON"),
            (r#"{"bin": {"a": "a.js", "b": "b.js"}}"#, "several programs (a, b)"),
        ] {
            let error = node_program(package).expect_err("no program");
            assert!(error.contains(words), "{error}");
        }
        assert_eq!(python_script("[project.scripts]\nserve = 'a:b'").as_deref(), Ok("serve"));
        assert_eq!(python_script("[project]\nname = 'b'\nscripts = {a = '', b = ''}").as_deref(), Ok("b"));
        assert!(python_script("[project.scripts]\na = ''\nb = ''").is_err());
        assert!(python_script("[project.scripts]\n'--with' = ''").is_err());
        assert!(python_script("[project]").is_err());
        let empty = tempfile::tempdir().expect("a directory");
        assert!(of_directory(empty.path()).expect_err("no project").contains("neither a package.json nor"));
    }

    #[test]
    fn the_folder_does_not_change_what_a_package_is() {
        if is_installed("npx") {
            let launch = of_npm("@scope/name@1.2.3").expect("a launch");
            assert_eq!((launch.folder.clone(), launch.told().as_str()), (None, "npx -y @scope/name@1.2.3"));
        }
        let missing = launched(&["no-such-launcher"], "x", Path::new("/"), "it comes with Y").expect_err("missing");
        assert_eq!(missing, "`x` is started with `no-such-launcher`, which is not installed: it comes with Y");
    }
}
