//! What is set for a document, from three places: the nearest settings file, which speaks for the project and
//! therefore comes first, so that editors and the command line agree; then the editor's configuration; then the
//! user's own settings file. Reads files only where something may have changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::analysis::{self, Ruleset};
use crate::settings::{Probe, Settings, in_plain_words};
use crate::settings_files::{self, SettingsFile};

/// Whether the user trusts the workspace; an editor says so at the start, and starts the server anew when that changes.
const TRUSTED: &str = "workspaceTrusted";

/// Keys of `mcpAnalyzer` that are no settings.
const EXTENSION_KEYS: &[&str] = &["server", "trace", TRUSTED];

/// What holds for a document.
#[derive(Clone, Debug)]
pub(super) struct Effective {
    /// The same `Arc` as long as nothing changed.
    pub(super) rules: Arc<Ruleset>,
    /// How many problems are shown for one file.
    pub(super) limit: usize,
}

/// The settings of all open documents.
#[derive(Debug, Default)]
pub(super) struct Configuration {
    folders: Vec<PathBuf>,
    /// What came with `initialize`.
    initial: Settings,
    /// What the editor is set to now.
    editor: Settings,
    editor_reports_syntax: bool,
    /// The user has not said that they trust the workspace.
    is_restricted: bool,
    files: FxHashMap<PathBuf, KnownFile>,
    /// The nearest settings file of a directory.
    nearest: FxHashMap<PathBuf, Option<PathBuf>>,
    /// By settings file.
    effective: FxHashMap<Option<PathBuf>, (Settings, Effective)>,
    news: Vec<SettingsFile>,
    /// Problems of the editor's configuration that the user knows of.
    told: FxHashSet<String>,
}

#[derive(Debug)]
struct KnownFile {
    text: String,
    last_good: Settings,
    has_problems: bool,
    stamp: Option<Stamp>,
}

/// What tells, without reading it, whether a file is still the same: when it was written, and how long it is.
type Stamp = (SystemTime, u64);

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = path.metadata().ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

impl Configuration {
    /// Takes the options that came with `initialize`; what the user is to be told of them.
    pub(super) fn initialize(&mut self, options: Option<Value>, folders: Vec<PathBuf>) -> Vec<String> {
        self.folders = folders;
        self.is_restricted = options.as_ref().is_some_and(|options| {
            [Some(options), options.get("mcpAnalyzer")]
                .into_iter()
                .flatten()
                .any(|it| it[TRUSTED] == Value::Bool(false))
        });
        let said = match read_editor(unwrapped(options.unwrap_or_default())) {
            Ok(said) => said,
            Err(error) => return vec![error],
        };
        self.initial = said.settings.clone();
        self.editor = said.settings;
        self.editor_reports_syntax = said.reports_syntax.unwrap_or_default();
        self.untold(said.unused)
    }

    /// Takes the editor's section `mcpAnalyzer`, which replaces what came at the start unless it says nothing; what
    /// the user is to be told of it. Where it cannot be used the last good one stays.
    pub(super) fn set_editor(&mut self, section: Value) -> Vec<String> {
        let is_silent = section.is_null() || section.as_object().is_some_and(serde_json::Map::is_empty);
        let said = match read_editor(section) {
            Ok(said) => said,
            Err(error) => return vec![error],
        };
        self.editor = if is_silent { self.initial.clone() } else { said.settings };
        let reports_syntax = said.reports_syntax.unwrap_or(self.editor_reports_syntax);
        if std::mem::replace(&mut self.editor_reports_syntax, reports_syntax) != reports_syntax {
            // The rules depend on it, which the settings do not show.
            self.effective.clear();
        }
        self.refresh();
        self.untold(said.unused)
    }

    /// Of these problems those that the user has not been told of: an editor says the same again and again.
    fn untold(&mut self, problems: Vec<String>) -> Vec<String> {
        problems
            .into_iter()
            .filter(|problem| self.told.insert(problem.clone()))
            .map(|problem| format!("in the configuration `mcpAnalyzer`: {problem}"))
            .collect()
    }

    /// Folders come and go.
    pub(super) fn change_folders(&mut self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        self.folders.retain(|folder| !removed.contains(folder));
        self.folders.extend(added);
    }

    /// Whether a settings file has changed, come or gone since it was read; for clients that watch no files.
    pub(super) fn is_stale(&self) -> bool {
        let has_come = |file: &PathBuf| file.is_file() && !self.files.contains_key(file);
        !self.effective.is_empty()
            && (self.files.iter().any(|(path, known)| known.stamp != stamp(path))
                || self.nearest.iter().any(|(directory, nearest)| settings_files::nearest(directory) != *nearest)
                || settings_files::user_file().as_ref().is_some_and(has_come))
    }

    /// Reads the files again, since one of them may have changed, come or gone.
    pub(super) fn reload(&mut self) {
        self.nearest.clear();
        let paths: Vec<PathBuf> = self.files.keys().cloned().collect();
        for path in paths {
            if !path.is_file() && self.files.remove(&path).is_some_and(|known| known.has_problems) {
                self.news.push(SettingsFile { path, text: String::new(), settings: None, problems: Vec::new() });
            }
        }
        self.refresh();
    }

    /// What holds for a file; for a text without one, what holds in the first folder.
    pub(super) fn for_file(&mut self, path: Option<&Path>) -> Effective {
        let directory = path.and_then(Path::parent).or(self.folders.first().map(PathBuf::as_path));
        let nearest = match directory {
            None => None,
            Some(directory) => match self.nearest.get(directory) {
                Some(nearest) => nearest.clone(),
                None => {
                    let nearest = settings_files::nearest(directory);
                    self.nearest.insert(directory.to_owned(), nearest.clone());
                    nearest
                }
            },
        };
        if let Some((_, effective)) = self.effective.get(&nearest) {
            return effective.clone();
        }
        self.settle(nearest)
    }

    /// Whether nothing may be started or contacted, since the user does not trust the workspace.
    pub(super) fn is_restricted(&self) -> bool {
        self.is_restricted
    }

    /// How servers are asked: what the editor says, then what the user's own file says. A project has no say in what
    /// runs on the machine of whoever opens it.
    pub(super) fn probe(&mut self) -> Probe {
        let user = settings_files::user_file().filter(|path| path.is_file());
        let user = user.map(|path| match self.files.get(&path) {
            Some(known) => known.last_good.clone(),
            None => self.read(&path, SettingsFile::read),
        });
        self.editor.over(&user.unwrap_or_default()).probe.unwrap_or_default()
    }

    /// The settings files that have changed, to be told of.
    pub(super) fn take_news(&mut self) -> Vec<SettingsFile> {
        std::mem::take(&mut self.news)
    }

    /// Where something that is to hold for a document is written, with the text there now: the nearest settings file,
    /// else one in its folder of the workspace, else the user's.
    pub(super) fn place_for(&self, path: Option<&Path>) -> Option<(PathBuf, Option<String>)> {
        let directory = path.and_then(Path::parent).or(self.folders.first().map(PathBuf::as_path));
        let folder = || {
            let holds = |folder: &&PathBuf| path.is_none_or(|path| path.starts_with(folder));
            let folder = self.folders.iter().filter(holds).max_by_key(|folder| folder.as_os_str().len())?;
            Some(folder.join(settings_files::FILE_NAME))
        };
        let place = directory.and_then(settings_files::nearest).or_else(folder).or_else(settings_files::user_file)?;
        let text = std::fs::read_to_string(&place);
        match text {
            Ok(text) => Some((place, Some(text))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some((place, None)),
            Err(_) => None,
        }
    }

    /// Works out what holds under a settings file.
    fn settle(&mut self, nearest: Option<PathBuf>) -> Effective {
        let user = settings_files::user_file().filter(|path| nearest.as_ref() != Some(path) && path.is_file());
        let mut settings = Settings::default();
        if let Some(user) = user {
            settings = self.read(&user, SettingsFile::read);
            // Its folder holds none of the user's projects: paths are matched by their ends.
            settings.ignore.iter_mut().flatten().for_each(|ignore| ignore.base = None);
        }
        settings = self.editor.over(&settings);
        if let Some(nearest) = &nearest {
            settings = self.read(nearest, SettingsFile::read_nearest).over(&settings);
        }
        let rules = match self.effective.get(&nearest) {
            Some((before, effective)) if *before == settings => effective.rules.clone(),
            _ => Arc::new(Ruleset::new(&settings, self.editor_reports_syntax)),
        };
        let effective = Effective { rules, limit: settings.problems_per_file() };
        self.effective.insert(nearest, (settings, effective.clone()));
        effective
    }

    fn refresh(&mut self) {
        let keys: Vec<Option<PathBuf>> = self.effective.keys().cloned().collect();
        for key in keys {
            if key.as_ref().is_none_or(|path| path.is_file()) {
                self.settle(key);
            } else {
                self.effective.remove(&key);
            }
        }
    }

    /// Reads a settings file: its settings, or the last good ones.
    fn read(&mut self, path: &Path, read: fn(&Path) -> SettingsFile) -> Settings {
        let stamp = stamp(path);
        let file = read(path);
        let known = self.files.get(path);
        let is_news = match known {
            Some(known) => known.text != file.text || known.has_problems == file.problems.is_empty(),
            None => !file.problems.is_empty(),
        };
        let last_good = match &file.settings {
            Some(settings) => settings.clone(),
            None => known.map(|known| known.last_good.clone()).unwrap_or_default(),
        };
        let has_problems = !file.problems.is_empty();
        let known = KnownFile { text: file.text.clone(), last_good: last_good.clone(), has_problems, stamp };
        self.files.insert(path.to_owned(), known);
        if is_news {
            self.news.push(file);
        }
        last_good
    }
}

/// What an editor says.
#[derive(Default)]
struct Said {
    settings: Settings,
    /// Whether it reports plain JSON mistakes itself.
    reports_syntax: Option<bool>,
    /// What has no effect.
    unused: Vec<String>,
}

/// What a client sends at the start is our section, or a table that holds it as in its later messages.
fn unwrapped(options: Value) -> Value {
    match options {
        Value::Object(mut members) => members.shift_remove("mcpAnalyzer").unwrap_or(Value::Object(members)),
        other => other,
    }
}

/// Reads the section `mcpAnalyzer`; why it cannot be used, where that is so.
fn read_editor(mut value: Value) -> Result<Said, String> {
    let mut reports_syntax = None;
    if let Some(members) = value.as_object_mut() {
        reports_syntax = members.shift_remove("editorReportsJsonSyntax").and_then(|value| value.as_bool());
        EXTENSION_KEYS.iter().for_each(|key| _ = members.shift_remove(*key));
    }
    if value.is_null() {
        return Ok(Said::default());
    }
    let mut unused = Vec::new();
    let read = serde_ignored::deserialize(value, |path| {
        unused.push(settings_files::unknown_setting(&settings_files::segments(&path)));
    });
    let settings: Settings = read.map_err(|error| {
        let what = in_plain_words(&error.to_string());
        format!("the configuration `mcpAnalyzer` is not used, the last good one stays: {what}")
    })?;
    unused.extend(analysis::misfits(&settings).into_iter().map(|misfit| misfit.message));
    Ok(Said { settings, reports_syntax, unused })
}
