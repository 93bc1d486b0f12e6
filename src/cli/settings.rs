//! The rules that are on for a file: flags over `--settings` over the nearest settings file over the user's.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::output;
use crate::analysis::Ruleset;
use crate::diagnostic::Severity;
use crate::settings::{self, Settings};
use crate::settings_files::{self, SettingsFile};
use crate::text::{Encoding, Text};

/// Finds and remembers the rules for files.
pub(super) struct Rules {
    /// Flags and `--settings`.
    upper: Settings,
    /// The user's own.
    lower: Settings,
    by_directory: HashMap<PathBuf, Arc<Ruleset>>,
    by_file: HashMap<Option<PathBuf>, Arc<Ruleset>>,
    has_bad_file: bool,
}

impl Rules {
    /// `flags` are the settings that the command line gives, `file` the value of `--settings`.
    pub(super) fn new(flags: Settings, file: Option<&Path>) -> Rules {
        let mut rules = Rules {
            upper: flags,
            lower: Settings::default(),
            by_directory: HashMap::new(),
            by_file: HashMap::new(),
            has_bad_file: false,
        };
        if let Some(file) = file {
            let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
            let settings = rules.read(SettingsFile::read(&path), &file.to_string_lossy());
            rules.upper = rules.upper.over(&settings);
        }
        if let Some(path) = settings_files::user_file().filter(|path| path.is_file()) {
            rules.lower = rules.read(SettingsFile::read(&path), &path.to_string_lossy());
        }
        rules
    }

    /// Whether a settings file could not be used, which was said on stderr.
    pub(super) fn has_bad_file(&self) -> bool {
        self.has_bad_file
    }

    /// How servers are asked. A project's settings file has no say in that.
    pub(super) fn probe(&self) -> settings::Probe {
        self.upper.over(&self.lower).probe.unwrap_or_default()
    }

    /// The rules for a file; for none, those of the current directory.
    pub(super) fn of(&mut self, file: Option<&Path>) -> Arc<Ruleset> {
        let directory = file.and_then(Path::parent).unwrap_or(Path::new(""));
        let directory = std::path::absolute(directory)
            .or_else(|_| std::env::current_dir())
            .unwrap_or_else(|_| directory.to_owned());
        if let Some(rules) = self.by_directory.get(&directory) {
            return rules.clone();
        }
        let nearest = settings_files::nearest(&directory);
        let rules = match self.by_file.get(&nearest) {
            Some(rules) => rules.clone(),
            None => {
                let own = nearest.as_deref().map(|path| self.read(SettingsFile::read_nearest(path), &shown(path)));
                let own = own.unwrap_or_default();
                let rules = Arc::new(Ruleset::new(&self.upper.over(&own).over(&self.lower), false));
                self.by_file.insert(nearest, rules.clone());
                rules
            }
        };
        self.by_directory.insert(directory, rules.clone());
        rules
    }

    fn read(&mut self, file: SettingsFile, shown: &str) -> Settings {
        let text = Text::new(&file.text);
        for problem in &file.problems {
            let line = text.line_column(problem.range.start, Encoding::Utf32).line + 1;
            let place = if text.is_empty() { shown.to_owned() } else { format!("{shown}:{line}") };
            let said = format!("{place}: {}", problem.message);
            if problem.severity == Severity::Error {
                output::message(&said);
            } else {
                output::remark(&format!("warning: {said}"));
            }
        }
        self.has_bad_file |= file.settings.is_none();
        file.settings.unwrap_or_default()
    }
}

/// A path as a person in the current directory would write it.
fn shown(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(current).unwrap_or(path).to_string_lossy().into_owned()
}
