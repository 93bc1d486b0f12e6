//! What a user can set, typed once for the settings file, the editor's configuration and the command line.
//!
//! Names of rules and of clients are strings here; analysis checks them and puts them into the schema. What is said of
//! a setting in its comment is what editors show of it. No file is read here.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::diagnostic::Severity;

/// The settings of mcp-analyzer, the same in `mcp-analyzer.toml` and in an editor. Everything may be left out.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
pub struct Settings {
    /// The set of rules to start from; `recommended` unless set.
    pub preset: Option<Preset>,
    /// How loud single rules are, by name.
    pub levels: Option<BTreeMap<String, Level>>,
    /// Findings that are not shown: those that everything given in one of these fits.
    pub ignore: Option<Vec<Ignore>>,
    /// For whom files are checked.
    pub targets: Option<Targets>,
    /// Limits.
    pub limits: Option<Limits>,
    /// How servers are asked what they expose. Not from a project's settings file: it is about what runs on your machine.
    pub probe: Option<Probe>,
    /// Whether plain JSON mistakes are reported, which an editor's own JSON support may report too; `auto` unless set.
    pub syntax: Option<SyntaxMode>,
}

/// Findings that are not shown: those that everything given here fits.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", expecting = "a table with a `rule`")]
#[schemars(deny_unknown_fields, extend("required" = ["rule"]))]
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

/// For whom files are checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", expecting = "a table with `clients`, `providers` and `models`")]
#[schemars(deny_unknown_fields)]
pub struct Targets {
    /// The clients that are to use the servers and tools; all of them unless set.
    #[schemars(extend("uniqueItems" = true))]
    pub clients: Option<Vec<String>>,
    /// The providers whose models are to use the tools; all of them unless set.
    #[schemars(extend("uniqueItems" = true))]
    pub providers: Option<Vec<ProviderName>>,
    /// The models that costs are told of, one a provider; unless set, a usual one of each.
    #[schemars(extend("uniqueItems" = true))]
    pub models: Option<Vec<String>>,
}

/// Limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", expecting = "a table of limits")]
#[schemars(deny_unknown_fields)]
pub struct Limits {
    /// At most this many problems are shown for a file in an editor, the worst first; 1000 unless set.
    #[schemars(range(min = 1))]
    pub problems_per_file: Option<usize>,
    /// The tokens that a list of tools may cost on every turn; 20000 unless set.
    #[schemars(range(min = 1))]
    pub token_budget: Option<usize>,
    /// The tokens that the input schema of one tool may cost on every turn; 1000 unless set.
    #[schemars(range(min = 1))]
    pub schema_tokens: Option<usize>,
}

/// How servers are asked what they expose. None is ever started or contacted without your consent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", expecting = "a table about probing")]
#[schemars(deny_unknown_fields)]
pub struct Probe {
    /// Whether the servers of a config file are asked when it is saved; true unless set.
    pub on_save: Option<bool>,
    /// How long a server may take until it is ready, in seconds; 30 unless set, 120 where it may be downloaded first.
    #[schemars(range(min = 1))]
    pub start_seconds: Option<u64>,
    /// How long each page of a list may take, in seconds; 15 unless set.
    #[schemars(range(min = 1))]
    pub list_seconds: Option<u64>,
    /// Variables that a started server has beside the basics and those of its entry: `NAME` passes ours on, `NAME=value`
    /// sets one.
    pub environment: Option<Vec<String>>,
}

/// Declares a setting that is one of a few words. It is read by hand, so that a wrong one is answered with those words.
macro_rules! words {
    (
        $(#[doc = $about:literal])+
        $name:ident { $($(#[doc = $meaning:literal])+ $variant:ident = $word:literal,)+ }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[doc = $meaning])+ $variant),+ }

        impl $name {
            /// Every value with its word.
            pub const ALL: [(&'static str, $name); [$($word),+].len()] = [$(($word, $name::$variant)),+];

            /// The word for it.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Words(&$name::ALL))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "enum": [$($word),+],
                    "enumDescriptions": [$(concat!($($meaning),+).trim_start()),+]
                })
            }
        }
    };
}

words! {
    /// A set of rules.
    Preset {
        /// The rules that are right for nearly everybody.
        Recommended = "recommended",
        /// Every rule.
        All = "all",
    }
}

words! {
    /// How loud a rule is, or that it is not run.
    Level {
        /// Something will not work.
        Error = "error",
        /// Worth mending.
        Warning = "warning",
        /// Worth knowing.
        Info = "info",
        /// Worth a dot under the word.
        Hint = "hint",
        /// Not run.
        Off = "off",
    }
}

words! {
    /// A provider of models.
    ProviderName {
        /// Anthropic's API.
        Anthropic = "anthropic",
        /// OpenAI's API.
        OpenAi = "openai",
        /// Google's Gemini API.
        Gemini = "gemini",
    }
}

words! {
    /// Whether plain JSON mistakes are reported.
    SyntaxMode {
        /// Unless the editor says that it does.
        Auto = "auto",
        /// Always.
        On = "on",
        /// Never.
        Off = "off",
    }
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

/// Reads one of these words.
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
        "usize" | "u64" => "a whole number",
        "a boolean" => "`true` or `false`",
        "a map" => "a table",
        "a sequence" => "a list",
        other => other,
    };
    format!("expected {expected}, not {found}")
}

/// The JSON Schema of a settings file. In draft 7 and without references, which is what every editor understands.
pub fn schema() -> Schema {
    let mut settings = SchemaSettings::draft07();
    settings.inline_subschemas = true;
    let settings = settings.with_transform(RecursiveTransform(without_null));
    settings.into_generator().into_root_schema_for::<Settings>()
}

/// Takes away what only an editor says, null for what is not set, and what says nothing to a person.
fn without_null(schema: &mut Schema) {
    let Some(keywords) = schema.as_object_mut() else { return };
    keywords.shift_remove("default");
    keywords.shift_remove("format");
    if let Some(Value::Array(values)) = keywords.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(types) = keywords.get_mut("type")
        && let Value::Array(names) = types
    {
        names.retain(|name| name != "null");
        if let [name] = &mut names[..] {
            *types = name.take();
        }
    }
}

impl Settings {
    /// These settings, and where they are silent those of `lower`. Levels are merged by rule, ignores are added up, and
    /// a list of targets takes the place of the lower one, unless it is empty: editors send that for what is not set.
    pub fn over(&self, lower: &Settings) -> Settings {
        let mut levels = lower.levels.clone().unwrap_or_default();
        levels.extend(self.levels.iter().flatten().map(|(rule, level)| (rule.clone(), *level)));
        let ignore = self.ignore.iter().chain(&lower.ignore).flatten().cloned().collect();
        let (targets, lower_targets) =
            (self.targets.clone().unwrap_or_default(), lower.targets.clone().unwrap_or_default());
        let (probe, lower_probe) = (self.probe.clone().unwrap_or_default(), lower.probe.clone().unwrap_or_default());
        let (limits, lower_limits) = (self.limits.unwrap_or_default(), lower.limits.unwrap_or_default());
        Settings {
            preset: self.preset.or(lower.preset),
            levels: Some(levels),
            ignore: Some(ignore),
            targets: Some(Targets {
                clients: targets.clients.filter(|clients| !clients.is_empty()).or(lower_targets.clients),
                providers: targets.providers.filter(|providers| !providers.is_empty()).or(lower_targets.providers),
                models: targets.models.filter(|models| !models.is_empty()).or(lower_targets.models),
            }),
            limits: Some(Limits {
                problems_per_file: limits.problems_per_file.or(lower_limits.problems_per_file),
                token_budget: limits.token_budget.or(lower_limits.token_budget),
                schema_tokens: limits.schema_tokens.or(lower_limits.schema_tokens),
            }),
            probe: Some(Probe {
                on_save: probe.on_save.or(lower_probe.on_save),
                start_seconds: probe.start_seconds.or(lower_probe.start_seconds),
                list_seconds: probe.list_seconds.or(lower_probe.list_seconds),
                environment: probe.environment.filter(|names| !names.is_empty()).or(lower_probe.environment),
            }),
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
        let lower = read(
            serde_json::json!({"targets": {"clients": ["cursor"], "providers": ["gemini", "openai"], "models": ["sonnet", "gpt-5"]}}),
        );
        let higher =
            read(serde_json::json!({"targets": {"clients": null, "providers": ["anthropic"], "models": ["o3"]}}));
        let targets = higher.over(&lower).targets.expect("targets");
        assert_eq!(targets.models, Some(vec!["o3".to_owned()]));
        assert_eq!(targets.clients, Some(vec!["cursor".to_owned()]));
        assert_eq!(targets.providers, Some(vec![ProviderName::Anthropic]));
        for silent in [
            serde_json::json!({"targets": null}),
            serde_json::json!({"targets": {"clients": [], "providers": [], "models": []}}),
        ] {
            assert_eq!(read(silent).over(&lower).targets, lower.targets);
        }
    }

    #[test]
    fn a_limit_that_is_set_takes_the_place_of_the_lower_one() {
        let limits = |token_budget, schema_tokens| Settings {
            limits: Some(Limits { token_budget, schema_tokens, ..Limits::default() }),
            ..Settings::default()
        };
        assert_eq!(limits(Some(1), None).over(&limits(Some(2), Some(3))).limits, limits(Some(1), Some(3)).limits);
        assert_eq!(limits(None, Some(1)).over(&limits(Some(2), Some(3))).limits, limits(Some(2), Some(1)).limits);
    }
}
