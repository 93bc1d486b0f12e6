//! How a client puts values into what its config file says.

use std::path::Path;

/// What a client replaces in the strings of a server entry.
#[derive(Clone, Copy, Debug)]
pub struct Variables {
    /// How a value refers to an environment variable, with `NAME` for its name: `${env:NAME}`.
    pub environment: &'static str,
    /// Whether `${NAME:-text}` means `text` where the variable is not set.
    pub defaults: bool,
    /// What becomes of a variable that is not set.
    pub unset: Unset,
    /// Whether `${userHome}`, `${workspaceFolder}`, `${workspaceFolderBasename}`, `${pathSeparator}` and `${/}` are known.
    pub places: bool,
    /// Whether `${input:ID}` asks the user.
    pub inputs: bool,
}

/// What becomes of a variable that is not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unset {
    /// It stays as it is written.
    Literal,
    /// Nothing stands in its place.
    Empty,
}

/// Where a server is started, as far as its entry can speak of it.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The value of an environment variable of the client; ours stands for it.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The user's home directory.
    pub home: Option<&'a Path>,
    /// The folder of the project, or the home directory.
    pub folder: &'a Path,
}

impl Variables {
    /// A string with everything replaced that the client replaces; `Err` with the id of an input that only the client
    /// can ask for.
    pub fn expand(&self, text: &str, around: &Surroundings) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let Some(length) = rest[start..].find('}') else { break };
            let inside = &rest[start + 2..start + length];
            out += &rest[..start];
            match self.value(inside, around)? {
                Some(value) => out += &value,
                None => out += &rest[start..=start + length],
            }
            rest = &rest[start + length + 1..];
        }
        Ok(out + rest)
    }

    /// What stands for `${inside}`; `None` where it stays as it is.
    fn value(&self, inside: &str, around: &Surroundings) -> Result<Option<String>, String> {
        if let Some(id) = inside.strip_prefix("input:").filter(|_| self.inputs) {
            return Err(id.to_owned());
        }
        if self.places {
            let folder = around.folder;
            let place = match inside {
                "userHome" => around.home.map(|home| home.to_string_lossy().into_owned()),
                "workspaceFolder" => Some(folder.to_string_lossy().into_owned()),
                "workspaceFolderBasename" => folder.file_name().map(|name| name.to_string_lossy().into_owned()),
                "pathSeparator" | "/" => Some(std::path::MAIN_SEPARATOR_STR.to_owned()),
                _ => None,
            };
            if place.is_some() {
                return Ok(place);
            }
        }
        let (start, end) = self.environment.split_once("NAME").unwrap_or((self.environment, ""));
        let (Some(start), "}") = (start.strip_prefix("${"), end) else { return Ok(None) };
        let Some(name) = inside.strip_prefix(start) else { return Ok(None) };
        let (name, default) = match name.split_once(":-").filter(|_| self.defaults) {
            Some((name, default)) => (name, Some(default)),
            None => (name, None),
        };
        let is_name = !name.is_empty() && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
        if !is_name {
            return Ok(None);
        }
        let value = (around.variable)(name).or_else(|| default.map(str::to_owned));
        Ok(value.or_else(|| (self.unset == Unset::Empty).then(String::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dialect;

    fn expand(client: &str, text: &str) -> Result<String, String> {
        let variables = Dialect::by_id(client).and_then(|dialect| dialect.variables).expect("a client with variables");
        let variable = |name: &str| (name == "SET").then(|| "value".to_owned());
        variables.expand(
            text,
            &Surroundings { variable: &variable, home: Some(Path::new("/home/me")), folder: Path::new("/work/app") },
        )
    }

    #[test]
    fn each_client_has_its_own() {
        for (client, text, value) in [
            (
                "claude-code",
                "a ${SET} ${NOT} ${NOT:-b c} ${SET:-d} $SET ${env:SET}",
                "a value ${NOT} b c value $SET ${env:SET}",
            ),
            ("cursor", "${env:SET}/${env:NOT}/${SET} ${userHome}${/}x", "value//${SET} /home/me/x"),
            ("vscode", "${workspaceFolder} ${workspaceFolderBasename} ${config:a} ${", "/work/app app ${config:a} ${"),
        ] {
            assert_eq!(expand(client, text).as_deref(), Ok(value));
        }
        assert_eq!(expand("vscode", "x ${input:key}"), Err("key".to_owned()));
        assert!(Dialect::by_id("claude-desktop").is_some_and(|dialect| dialect.variables.is_none()));
    }
}
