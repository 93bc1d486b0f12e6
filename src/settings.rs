//! What a user can set, typed once for the settings file, the editor's configuration and the command line.
//!
//! Rule names are strings here; analysis checks them. No file is read here.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::diagnostic::Severity;

/// The settings tree. Everything may be left out, or `null` where it comes from an editor.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Settings {
    /// Which rules are on.
    pub preset: Option<Preset>,
    /// How loud single rules are, by name.
    pub levels: Option<BTreeMap<String, Level>>,
    /// Findings that are not shown.
    pub ignore: Option<Vec<Ignore>>,
    /// Limits.
    pub limits: Option<Limits>,
    /// Whether plain JSON mistakes are reported.
    pub syntax: Option<SyntaxMode>,
}

/// A set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// What is worth a maintainer's minute.
    #[default]
    Recommended,
    /// Every rule.
    All,
}

impl Preset {
    /// Every preset with its name.
    pub const ALL: [(&'static str, Preset); 2] = [("recommended", Preset::Recommended), ("all", Preset::All)];
}

/// How loud a rule is, or that it is not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// [`Severity::Error`]
    Error,
    /// [`Severity::Warning`]
    Warning,
    /// [`Severity::Information`]
    Info,
    /// [`Severity::Hint`]
    Hint,
    /// Not run.
    Off,
}

impl Level {
    /// The severity; `None` for off.
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Level::Error => Some(Severity::Error),
            Level::Warning => Some(Severity::Warning),
            Level::Info => Some(Severity::Information),
            Level::Hint => Some(Severity::Hint),
            Level::Off => None,
        }
    }
}

/// Findings that are not shown: those that everything given here fits.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Ignore {
    /// The rule's name.
    pub rule: String,
    /// A glob over the file's path, relative to the settings file; in an editor's settings, over the end of the path.
    pub path: Option<String>,
    /// The server's name.
    pub server: Option<String>,
    /// The tool's name.
    pub tool: Option<String>,
    /// Why, for the next reader.
    pub reason: Option<String>,
    /// The folder of the settings file.
    #[serde(skip)]
    pub base: Option<PathBuf>,
}

/// Limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Limits {
    /// How many problems an editor shows for one file.
    pub problems_per_file: Option<usize>,
}

/// Whether plain JSON mistakes are reported, which an editor's own JSON support may report too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SyntaxMode {
    /// Unless the editor says that it does.
    #[default]
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

impl Settings {
    /// These settings, and where they are silent those of `lower`. Levels are merged by rule, ignores are added up.
    pub fn over(&self, lower: &Settings) -> Settings {
        let mut levels = lower.levels.clone().unwrap_or_default();
        levels.extend(self.levels.iter().flatten().map(|(rule, level)| (rule.clone(), *level)));
        let ignore = self.ignore.iter().chain(&lower.ignore).flatten().cloned().collect();
        let (own, lower_limits) = (self.limits.unwrap_or_default(), lower.limits.unwrap_or_default());
        Settings {
            preset: self.preset.or(lower.preset),
            levels: Some(levels),
            ignore: Some(ignore),
            limits: Some(Limits { problems_per_file: own.problems_per_file.or(lower_limits.problems_per_file) }),
            syntax: self.syntax.or(lower.syntax),
        }
    }

    /// How many problems an editor shows for one file; 1,000 unless set.
    pub fn problems_per_file(&self) -> usize {
        self.limits.and_then(|limits| limits.problems_per_file).unwrap_or(1000)
    }
}
