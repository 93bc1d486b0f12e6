//! What a user can set, typed once for the settings file, the editor's configuration and the command line.
//!
//! Names of rules and of clients are strings here; analysis checks them. No file is read here.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

use crate::diagnostic::Severity;

/// The settings tree. Everything may be left out, or `null` where it comes from an editor.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase", expecting = "a table of settings")]
pub struct Settings {
    /// Which rules are on.
    pub preset: Option<Preset>,
    /// How loud single rules are, by name.
    pub levels: Option<BTreeMap<String, Level>>,
    /// Findings that are not shown.
    pub ignore: Option<Vec<Ignore>>,
    /// For whom files are checked.
    pub targets: Option<Targets>,
    /// Limits.
    pub limits: Option<Limits>,
    /// Whether plain JSON mistakes are reported.
    pub syntax: Option<SyntaxMode>,
}

/// A set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[serde(default, rename_all = "camelCase", expecting = "a table with a `rule`")]
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

/// For whom files are checked. A list that is left out or empty means everybody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase", expecting = "a table with `clients` and `providers`")]
pub struct Targets {
    /// The clients that read the config files and tool lists, by id.
    pub clients: Option<Vec<String>>,
    /// The providers whose models read the tools.
    pub providers: Option<Vec<ProviderName>>,
}

/// A provider of models, as the settings name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProviderName {
    /// Anthropic's API.
    Anthropic,
    /// OpenAI's API.
    OpenAi,
    /// Google's Gemini API.
    Gemini,
}

/// Limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase", expecting = "a table of limits")]
pub struct Limits {
    /// How many problems an editor shows for one file.
    pub problems_per_file: Option<usize>,
}

/// Whether plain JSON mistakes are reported, which an editor's own JSON support may report too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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

/// Values that are written as one of a few words. Read by hand, so that a wrong one is answered with those words.
struct Words<T: 'static>(&'static [(&'static str, T)]);

impl<T: Copy> Visitor<'_> for Words<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let last = self.0.len() - 1;
        self.0.iter().enumerate().try_for_each(|(index, (word, _))| {
            let before = if index == 0 {
                ""
            } else if index == last {
                " or "
            } else {
                ", "
            };
            write!(out, "{before}`{word}`")
        })
    }

    fn visit_str<E: Error>(self, found: &str) -> Result<T, E> {
        let known = self.0.iter().find_map(|(word, value)| (*word == found).then_some(*value));
        known.ok_or_else(|| E::invalid_value(Unexpected::Str(found), &self))
    }
}

impl<'de> Deserialize<'de> for Preset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Words(&Preset::ALL))
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Words(&[
            ("error", Level::Error),
            ("warning", Level::Warning),
            ("info", Level::Info),
            ("hint", Level::Hint),
            ("off", Level::Off),
        ]))
    }
}

impl<'de> Deserialize<'de> for SyntaxMode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Words(&[
            ("auto", SyntaxMode::Auto),
            ("on", SyntaxMode::On),
            ("off", SyntaxMode::Off),
        ]))
    }
}

impl<'de> Deserialize<'de> for ProviderName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Words(&[
            ("anthropic", ProviderName::Anthropic),
            ("openai", ProviderName::OpenAi),
            ("gemini", ProviderName::Gemini),
        ]))
    }
}

/// What a deserializer says of a value of the wrong type, without the words of programmers.
pub fn in_plain_words(message: &str) -> String {
    let wrong = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    let Some((found, expected)) = wrong.and_then(|wrong| wrong.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let found = match found {
        "map" => "a table".to_owned(),
        "sequence" => "a list".to_owned(),
        "null" | "unit value" => "nothing".to_owned(),
        _ => {
            let text = found.strip_prefix("string \"").and_then(|text| text.strip_suffix('"'));
            text.or_else(|| found.split('`').nth(1)).map_or_else(|| found.to_owned(), |value| format!("`{value}`"))
        }
    };
    let expected = match expected {
        "usize" => "a whole number",
        "a map" => "a table",
        "a sequence" => "a list",
        other => other,
    };
    format!("expected {expected}, not {found}")
}

impl Settings {
    /// These settings, and where they are silent those of `lower`. Levels are merged by rule, ignores are added up, and
    /// a list of targets takes the place of the lower one.
    pub fn over(&self, lower: &Settings) -> Settings {
        let mut levels = lower.levels.clone().unwrap_or_default();
        levels.extend(self.levels.iter().flatten().map(|(rule, level)| (rule.clone(), *level)));
        let ignore = self.ignore.iter().chain(&lower.ignore).flatten().cloned().collect();
        let (targets, lower_targets) =
            (self.targets.clone().unwrap_or_default(), lower.targets.clone().unwrap_or_default());
        let (own, lower_limits) = (self.limits.unwrap_or_default(), lower.limits.unwrap_or_default());
        Settings {
            preset: self.preset.or(lower.preset),
            levels: Some(levels),
            ignore: Some(ignore),
            targets: Some(Targets {
                clients: targets.clients.or(lower_targets.clients),
                providers: targets.providers.or(lower_targets.providers),
            }),
            limits: Some(Limits { problems_per_file: own.problems_per_file.or(lower_limits.problems_per_file) }),
            syntax: self.syntax.or(lower.syntax),
        }
    }

    /// How many problems an editor shows for one file; 1,000 unless set.
    pub fn problems_per_file(&self) -> usize {
        self.limits.and_then(|limits| limits.problems_per_file).unwrap_or(1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_targets_takes_the_place_of_the_lower_one() {
        let read = |json| serde_json::from_value::<Settings>(json).expect("settings");
        let lower = read(serde_json::json!({"targets": {"clients": ["cursor"], "providers": ["gemini", "openai"]}}));
        let higher = read(serde_json::json!({"targets": {"clients": null, "providers": ["anthropic"]}}));
        let targets = higher.over(&lower).targets.expect("targets");
        assert_eq!(targets.clients, Some(vec!["cursor".to_owned()]));
        assert_eq!(targets.providers, Some(vec![ProviderName::Anthropic]));
        assert_eq!(read(serde_json::json!({"targets": null})).over(&lower).targets, lower.targets);
    }
}
