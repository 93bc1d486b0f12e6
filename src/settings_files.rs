//! Settings files: where they are, what they say, and what is wrong with them.

use std::path::{Path, PathBuf};

use serde::Serialize;
use toml::de::{DeTable, DeValue};

use crate::analysis;
use crate::diagnostic::Severity;
use crate::settings::{Ignore, Limits, Probe, Settings, Targets, in_plain_words};
use crate::text::{TextRange, nearest as nearest_word};
use crate::user_files;

/// The name of a settings file.
pub const FILE_NAME: &str = "mcp-analyzer.toml";

/// What a settings file says.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its text, for showing problems.
    pub text: String,
    /// Its settings; `None` where it cannot be read, so that the last good ones stay.
    pub settings: Option<Settings>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// Something wrong in a settings file.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// An error where the file as a whole is not used, a warning where one key is not.
    pub severity: Severity,
    /// Where it is.
    pub range: TextRange,
    /// What it is.
    pub message: String,
}

impl SettingsFile {
    /// Reads a file. One that cannot be read is one with a problem.
    pub fn read(path: &Path) -> SettingsFile {
        match std::fs::read_to_string(path) {
            Ok(text) => SettingsFile::parse(path, text),
            Err(error) => SettingsFile {
                path: path.to_owned(),
                text: String::new(),
                settings: None,
                problems: vec![problem(Severity::Error, None, format!("cannot be read: {error}"))],
            },
        }
    }

    /// Reads a file that stands above the files of a project: whoever wrote them wrote it. It has no say in what is run on
    /// this machine, unless it is the user's own.
    pub fn read_nearest(path: &Path) -> SettingsFile {
        let file = SettingsFile::read(path);
        if user_file().as_deref() == Some(path) { file } else { file.of_project() }
    }

    fn of_project(mut self) -> SettingsFile {
        if let Some(settings) = &mut self.settings
            && settings.probe.take().is_some()
        {
            let table = DeTable::parse(&self.text).ok();
            let range = table.and_then(|table| find_key(table.get_ref(), &["probe".to_owned()]));
            let message = "`probe` is about what runs on your machine: it works only in your own settings file";
            self.problems.push(problem(Severity::Warning, range, message.to_owned()));
        }
        self
    }

    /// Reads the text of a file.
    pub fn parse(path: &Path, text: String) -> SettingsFile {
        let mut unknown: Vec<Vec<String>> = Vec::new();
        let parsed = toml::Deserializer::parse(&text).and_then(|deserializer| {
            serde_ignored::deserialize::<_, _, Settings>(deserializer, |path| unknown.push(segments(&path)))
        });
        let (mut settings, mut problems) = match parsed {
            Ok(settings) => (Some(settings), Vec::new()),
            Err(error) => (None, vec![problem(Severity::Error, error.span(), in_plain_words(error.message()))]),
        };
        if let (Some(settings), Ok(table)) = (&mut settings, DeTable::parse(&text)) {
            let base = path.parent().map(Path::to_owned);
            settings.ignore.iter_mut().flatten().for_each(|ignore| ignore.base.clone_from(&base));
            problems.extend(unknown.iter().map(|path| {
                let range = find_key(table.get_ref(), path);
                problem(Severity::Warning, range, unknown_setting(path))
            }));
            problems.extend(analysis::misfits(settings).into_iter().map(|misfit| {
                let range = find_misfit(table.get_ref(), &misfit.path);
                problem(Severity::Warning, range, misfit.message)
            }));
        }
        SettingsFile { path: path.to_owned(), text, settings, problems }
    }
}

/// The nearest settings file at or above a directory.
pub fn nearest(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().map(|directory| directory.join(FILE_NAME)).find(|path| path.is_file())
}

/// Where the user's own settings file is or would be: under `$XDG_CONFIG_HOME` or the platform's equivalent.
pub fn user_file() -> Option<PathBuf> {
    Some(user_files::directory(user_files::Place::Settings)?.join(FILE_NAME))
}

/// The text of a settings file with one more `[[ignore]]` at its end.
pub fn with_ignore(text: &str, ignore: &Ignore) -> String {
    #[derive(Serialize)]
    struct Table<'a> {
        ignore: [&'a Ignore; 1],
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = text.to_owned();
    if !out.is_empty() {
        if !out.ends_with('\n') {
            out.push_str(newline);
        }
        out.push_str(newline);
    }
    let table = toml::to_string(&Table { ignore: [ignore] }).unwrap_or_default();
    out.push_str(&table.replace('\n', newline));
    out
}

fn problem(severity: Severity, span: Option<std::ops::Range<usize>>, message: String) -> Problem {
    let span = span.unwrap_or_default();
    Problem { severity, range: TextRange::new(span.start, span.end), message }
}

/// The keys that lead to a setting.
pub fn segments(path: &serde_ignored::Path) -> Vec<String> {
    use serde_ignored::Path;
    let (parent, own) = match path {
        Path::Root => return Vec::new(),
        Path::Seq { parent, index } => (parent, Some(index.to_string())),
        Path::Map { parent, key } => (parent, Some(key.clone())),
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => (parent, None),
    };
    let mut segments = segments(parent);
    segments.extend(own);
    segments
}

/// What is said of a key that no setting has.
pub fn unknown_setting(path: &[String]) -> String {
    let key = path.last().map(String::as_str).unwrap_or_default();
    let known = match path {
        [_] => keys_of(&Settings::default()),
        [table, ..] if table == "ignore" => keys_of(&Ignore::default()),
        [table, ..] if table == "targets" => keys_of(&Targets::default()),
        [table, ..] if table == "limits" => keys_of(&Limits::default()),
        [table, ..] if table == "probe" => keys_of(&Probe::default()),
        _ => Vec::new(),
    };
    let meant = nearest_word(key, known.iter().map(String::as_str));
    analysis::with_meant(format!("there is no setting `{}`", path.join(".")), meant)
}

/// The keys that a type is written with.
fn keys_of<T: Serialize>(value: &T) -> Vec<String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::Object(members)) => members.into_iter().map(|(key, _)| key).collect(),
        _ => Vec::new(),
    }
}

/// Where a key stands.
fn find_key(table: &DeTable, path: &[String]) -> Option<std::ops::Range<usize>> {
    let (first, rest) = path.split_first()?;
    let (key, mut value) = table.iter().find(|(key, _)| key.get_ref() == first)?;
    if rest.is_empty() {
        return Some(key.span());
    }
    let mut rest = rest;
    if let (DeValue::Array(array), Some((index, after))) = (value.get_ref(), rest.split_first()) {
        value = array.get(index.parse::<usize>().ok()?)?;
        rest = after;
    }
    find_key(value.get_ref().as_table()?, rest)
}

/// Where a misfit stands: the key of a level, else the value.
fn find_misfit(table: &DeTable, path: &[String]) -> Option<std::ops::Range<usize>> {
    match path {
        [first, ..] if first == "levels" => find_key(table, path),
        [first, rest @ ..] => {
            let value = table.get(first.as_str())?;
            let found = rest.iter().try_fold(value, |value, key| match value.get_ref() {
                DeValue::Table(table) => table.get(key.as_str()),
                DeValue::Array(array) => array.get(key.parse::<usize>().ok()?),
                _ => None,
            });
            found.map(|value| value.span())
        }
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Preset;

    fn problems(text: &str) -> Vec<(Severity, String, String)> {
        let file = SettingsFile::parse(Path::new("/p/mcp-analyzer.toml"), text.to_owned());
        let shown = |problem: &Problem| text[problem.range.as_usize()].to_owned();
        file.problems.iter().map(|problem| (problem.severity, shown(problem), problem.message.clone())).collect()
    }

    #[test]
    fn unknown_keys_rules_and_clients_are_warnings_at_their_place() {
        let text = "prest = \"all\"\n[levels]\nsyntax-eror = \"off\"\n[limits]\nproblemsPerFle = 3\n[[ignore]]\nrule = \"nothing\"\ntol = \"x\"\n[targets]\nprovider = []\nclients = [\"cursor\", \"vs-code\"]\n";
        let problems = problems(text);
        let expected = [
            ("prest", "there is no setting `prest`; did you mean `preset`?"),
            ("problemsPerFle", "there is no setting `limits.problemsPerFle`; did you mean `problemsPerFile`?"),
            ("tol", "there is no setting `ignore.0.tol`; did you mean `tool`?"),
            ("syntax-eror", "there is no rule `syntax-eror`; did you mean `syntax-error`?"),
            ("\"nothing\"", "there is no rule `nothing`"),
            ("provider", "there is no setting `targets.provider`; did you mean `providers`?"),
            ("\"vs-code\"", "there is no client `vs-code`; did you mean `vscode`?"),
        ];
        for (place, message) in expected {
            assert!(
                problems.contains(&(Severity::Warning, place.to_owned(), message.to_owned())),
                "{place}: {problems:#?}"
            );
        }
        assert_eq!(problems.len(), expected.len());
    }

    #[test]
    fn a_model_that_does_not_count_is_a_warning_at_its_place() {
        let text = "targets.models = [\"gtp-5\", \"llama-4\", \"gpt-4o\", \"sonnet\", \"o3\", \"gpt-5\"]";
        let of_none = "is the name of a model of none of these: Anthropic, OpenAI, Gemini";
        let one = "does not count: costs are told of one model a provider, for OpenAI of `gpt-5`, the last";
        let expected = [
            ("\"gtp-5\"", format!("`gtp-5` {of_none}; did you mean `gpt-5`?")),
            ("\"llama-4\"", format!("`llama-4` {of_none}")),
            ("\"gpt-4o\"", format!("`gpt-4o` {one}")),
            ("\"o3\"", format!("`o3` {one}")),
        ];
        let expected = expected.map(|(place, message)| (Severity::Warning, place.to_owned(), message));
        assert_eq!(problems(text), expected);
    }

    #[test]
    fn an_ignore_that_does_nothing_is_a_warning_at_its_place() {
        let text = "[[ignore]]\npath = \"a\"\n\n[[ignore]]\nrule = \"short-description\"\npath = \"a[{\"\n";
        let problems = problems(text);
        let places: Vec<&str> = problems.iter().map(|(_, place, _)| place.as_str()).collect();
        assert_eq!(places, ["[[ignore]]", "\"a[{\""]);
        assert_eq!(problems[0].2, "an ignore needs a `rule`");
        assert!(problems[1].2.starts_with("`a[{` is not a glob"), "{problems:?}");
        assert!(problems.iter().all(|(severity, ..)| *severity == Severity::Warning));
    }

    #[test]
    fn a_wrong_value_is_answered_in_plain_words() {
        for (text, message) in [
            ("preset = 7", "expected `recommended` or `all`, not `7`"),
            ("preset = \"some\"", "expected `recommended` or `all`, not `some`"),
            ("levels = 7", "expected a table, not `7`"),
            ("levels.syntax-error = \"loud\"", "expected `error`, `warning`, `info`, `hint` or `off`, not `loud`"),
            ("levels.syntax-error = { a = 1 }", "expected `error`, `warning`, `info`, `hint` or `off`, not a table"),
            ("limits = \"x\"", "expected a table of limits, not `x`"),
            ("limits.problemsPerFile = -1", "expected a whole number, not `-1`"),
            ("limits.problemsPerFile = 1.5", "expected a whole number, not `1.5`"),
            ("targets = 7", "expected a table with `clients`, `providers` and `models`, not `7`"),
            ("targets.clients = \"vscode\"", "expected a list, not `vscode`"),
            ("targets.providers = [\"google\"]", "expected `anthropic`, `openai` or `gemini`, not `google`"),
            ("ignore = [\"a\"]", "expected a table with a `rule`, not `a`"),
            ("ignore = {}", "expected a list, not a table"),
            ("ignore = [{rule = []}]", "expected a string, not a list"),
            ("syntax = true", "expected `auto`, `on` or `off`, not `true`"),
            ("probe = 7", "expected a table about probing, not `7`"),
            ("probe.onSave = 1", "expected `true` or `false`, not `1`"),
            ("probe.startSeconds = -1", "expected a whole number, not `-1`"),
            ("probe.environment = \"A\"", "expected a list, not `A`"),
            ("probe.onsave = true", "there is no setting `probe.onsave`; did you mean `onSave`?"),
        ] {
            assert_eq!(problems(text)[0].2, message, "{text}");
        }
    }

    #[test]
    fn a_bad_file_is_one_problem_and_no_settings() {
        let file = SettingsFile::parse(Path::new("a.toml"), "preset = \"sometimes\"".to_owned());
        assert_eq!((file.settings, file.problems.len()), (None, 1));
        assert_eq!(problems("preset = \"sometimes\"")[0].1, "\"sometimes\"");
        assert_eq!(problems("levels = [").len(), 1);
        assert!(
            SettingsFile::read(Path::new("/nowhere/mcp-analyzer.toml")).problems[0]
                .message
                .starts_with("cannot be read")
        );
    }

    #[test]
    fn a_project_has_no_say_in_what_is_run() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join(FILE_NAME);
        let text = "preset = \"all\"\n[probe]\nenvironment = [\"LD_PRELOAD=x\"]\n";
        std::fs::write(&path, text).expect("a file");
        let own = SettingsFile::read(&path);
        assert!(own.problems.is_empty() && own.settings.is_some_and(|settings| settings.probe.is_some()));
        let file = SettingsFile::read_nearest(&path);
        let settings = file.settings.expect("settings");
        assert_eq!((settings.preset, settings.probe), (Some(Preset::All), None));
        let [problem] = &file.problems[..] else { panic!("one problem: {:#?}", file.problems) };
        assert_eq!((problem.severity, &text[problem.range.as_usize()]), (Severity::Warning, "probe"));
    }

    #[test]
    fn an_ignore_is_added_at_the_end() {
        let ignore =
            Ignore { rule: "tool-name-case".to_owned(), tool: Some("getUser".to_owned()), ..Ignore::default() };
        let text = with_ignore("preset = \"all\"", &ignore);
        assert_eq!(text, "preset = \"all\"\n\n[[ignore]]\nrule = \"tool-name-case\"\ntool = \"getUser\"\n");
        let file = SettingsFile::parse(Path::new("/p/mcp-analyzer.toml"), text);
        let read = file.settings.and_then(|settings| settings.ignore).unwrap_or_default();
        assert_eq!(read, [Ignore { base: Some("/p".into()), ..ignore }]);
    }
}
