//! The rules that are on for a document, worked out once from the settings.

use std::path::{Path, PathBuf};

use globset::{Glob, GlobMatcher};
use rustc_hash::FxHashMap;

use crate::diagnostic::Severity;
use crate::model::{Dialect, dialect};
use crate::provider::{Model, Models, Provider, Targets};
use crate::rules::{self, Budget, Check, Rule};
use crate::settings::{Preset, ProviderName, Settings, SyntaxMode};
use crate::text::shown;

/// The rules that are on, how loud they are, and what of theirs is not shown.
#[derive(Debug, Default)]
pub struct Ruleset {
    pub(super) piece: Vec<&'static Rule>,
    pub(super) file: Vec<&'static Rule>,
    pub(super) document: Vec<&'static Rule>,
    pub(super) server: Vec<&'static Rule>,
    pub(super) tool: Vec<&'static Rule>,
    pub(super) toolset: Vec<&'static Rule>,
    /// The rules over what tools cost.
    pub(super) cost: Vec<&'static Rule>,
    pub(super) probe: Vec<&'static Rule>,
    pub(super) servers: Vec<&'static Rule>,
    /// Whom their findings are about.
    pub(super) targets: Targets,
    /// The models that costs are told of.
    pub(super) models: Models,
    /// What tools may cost.
    pub(super) budget: Budget,
    levels: FxHashMap<&'static str, Severity>,
    ignores: Vec<Ignore>,
}

#[derive(Debug)]
struct Ignore {
    rule: String,
    path: Option<(Option<PathBuf>, GlobMatcher)>,
    server: Option<String>,
    tool: Option<String>,
}

/// An ignore that holds for the document at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ignored<'a>(&'a Ignore);

impl Ignored<'_> {
    /// Whether a finding of this rule in this item is not shown.
    pub(super) fn fits(self, rule: &str, server: Option<&str>, tool: Option<&str>) -> bool {
        let named = |wanted: &Option<String>, name: Option<&str>| wanted.is_none() || wanted.as_deref() == name;
        self.0.rule == rule && named(&self.0.server, server) && named(&self.0.tool, tool)
    }
}

impl Ruleset {
    /// The rules of these settings. `editor_reports_syntax`: whether the editor reports plain JSON mistakes itself.
    pub fn new(settings: &Settings, editor_reports_syntax: bool) -> Ruleset {
        let mut out = Ruleset::default();
        let hidden = match settings.syntax.unwrap_or(SyntaxMode::Auto) {
            SyntaxMode::Auto => editor_reports_syntax,
            SyntaxMode::On => false,
            SyntaxMode::Off => true,
        };
        for rule in rules::ALL.iter().copied() {
            let level = settings.levels.as_ref().and_then(|levels| levels.get(rule.name));
            let is_on = match level {
                Some(level) => level.severity().is_some(),
                None => rule.recommended || settings.preset == Some(Preset::All),
            };
            if !is_on || rule.editors_report_it && hidden {
                continue;
            }
            if let Some(severity) = level.and_then(|level| level.severity()) {
                out.levels.insert(rule.name, severity);
            }
            out.add(rule);
        }
        out.targets = targets(settings);
        out.models = Models::new(models(settings).filter_map(|name| Model::named(name)));
        out.budget = budget(settings);
        out.ignores = settings.ignore.iter().flatten().filter_map(Ignore::new).collect();
        out
    }

    /// One rule alone, at its own severity.
    pub fn only(rule: &'static Rule) -> Ruleset {
        let mut out = Ruleset::default();
        out.add(rule);
        out
    }

    fn add(&mut self, rule: &'static Rule) {
        match rule.check {
            Check::Piece(_) => self.piece.push(rule),
            Check::File(_) => self.file.push(rule),
            Check::Document(_) => self.document.push(rule),
            Check::Server(_) => self.server.push(rule),
            Check::Config(..) => {
                self.document.push(rule);
                self.server.push(rule);
            }
            Check::Tool(_) => self.tool.push(rule),
            Check::Toolset(_) => self.toolset.push(rule),
            Check::Cost(_) => self.cost.push(rule),
            Check::Costs(..) => {
                self.cost.push(rule);
                self.servers.push(rule);
            }
            Check::Probe(_) => self.probe.push(rule),
            Check::Servers(_) => self.servers.push(rule),
        }
    }

    /// Whom findings are about.
    pub fn targets(&self) -> Targets {
        self.targets
    }

    /// The models that costs are told of.
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// The severity that the user wants for a rule.
    pub(super) fn severity(&self, rule: &str) -> Option<Severity> {
        self.levels.get(rule).copied()
    }

    /// The ignores that hold for a file.
    pub(super) fn ignores_for(&self, path: Option<&Path>) -> Vec<Ignored<'_>> {
        self.ignores.iter().filter(|ignore| ignore.holds_for(path)).map(Ignored).collect()
    }
}

/// Clients that are not known are told of as misfits of the settings.
fn targets(settings: &Settings) -> Targets {
    let set = settings.targets.as_ref();
    let providers: Option<Vec<Provider>> = set.and_then(|targets| {
        let names = targets.providers.as_ref()?.iter();
        Some(
            names
                .map(|name| match name {
                    ProviderName::Anthropic => Provider::Anthropic,
                    ProviderName::OpenAi => Provider::OpenAi,
                    ProviderName::Gemini => Provider::Gemini,
                })
                .collect(),
        )
    });
    let clients: Option<Vec<&Dialect>> =
        set.and_then(|targets| Some(targets.clients.as_ref()?.iter().filter_map(|id| Dialect::by_id(id)).collect()));
    Targets::new(providers.as_deref(), clients.as_deref())
}

/// The names of models, known or not.
fn models(settings: &Settings) -> impl Iterator<Item = &String> {
    settings.targets.iter().filter_map(|targets| targets.models.as_ref()).flatten()
}

fn budget(settings: &Settings) -> Budget {
    let (limits, standard) = (settings.limits.unwrap_or_default(), Budget::default());
    Budget {
        list: limits.token_budget.unwrap_or(standard.list),
        schema: limits.schema_tokens.unwrap_or(standard.schema),
    }
}

impl Ignore {
    fn new(ignore: &crate::settings::Ignore) -> Option<Ignore> {
        let path = match &ignore.path {
            None => None,
            // A broken one is told of as a misfit of the settings.
            Some(glob) => Some((ignore.base.clone(), Glob::new(glob).ok()?.compile_matcher())),
        };
        Some(Ignore { rule: ignore.rule.clone(), path, server: ignore.server.clone(), tool: ignore.tool.clone() })
    }

    fn holds_for(&self, path: Option<&Path>) -> bool {
        let Some((base, glob)) = &self.path else { return true };
        let Some(path) = path else { return false };
        match base {
            Some(base) => path.strip_prefix(base).is_ok_and(|relative| glob.is_match(relative)),
            // No folder to count from: any tail of the path may fit.
            None => {
                let mut tail = path;
                let tails = std::iter::from_fn(|| {
                    let mut parts = tail.components();
                    parts.next()?;
                    tail = parts.as_path();
                    Some(tail)
                });
                glob.is_match(path) || tails.into_iter().any(|tail| glob.is_match(tail))
            }
        }
    }
}

/// Something in the settings that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The keys that lead to it, and the indices of lists.
    pub path: Vec<String>,
    /// What is wrong with it.
    pub message: String,
}

/// What in the settings has no effect: names that no rule, client or model has, ignores without a rule, broken globs,
/// all models of a provider but the last.
pub fn misfits(settings: &Settings) -> Vec<Misfit> {
    let mut out = Vec::new();
    let mut add = |path: &[&str], message: String| {
        out.push(Misfit { path: path.iter().map(|key| (*key).to_owned()).collect(), message });
    };
    for name in settings.levels.iter().flatten().map(|(name, _)| name) {
        if rules::by_name(name).is_none() {
            add(&["levels", name], no_such_rule(name));
        }
    }
    for (index, ignore) in settings.ignore.iter().flatten().enumerate() {
        let index = index.to_string();
        if ignore.rule.is_empty() {
            add(&["ignore", &index], "an ignore needs a `rule`".to_owned());
        } else if rules::by_name(&ignore.rule).is_none() {
            add(&["ignore", &index, "rule"], no_such_rule(&ignore.rule));
        }
        if let Some(glob) = &ignore.path
            && let Err(error) = Glob::new(glob)
        {
            add(
                &["ignore", &index, "path"],
                format!("`{glob}` is not a glob, and nothing is ignored: {}", error.kind()),
            );
        }
    }
    let clients = settings.targets.iter().filter_map(|targets| targets.clients.as_ref()).flatten();
    for (index, id) in clients.enumerate().filter(|(_, id)| Dialect::by_id(id).is_none()) {
        let meant = crate::text::nearest(id, dialect::ALL.iter().map(|dialect| dialect.id));
        add(&["targets", "clients", &index.to_string()], with_meant(format!("there is no client `{id}`"), meant));
    }
    let provider_of = |name: &str| Model::named(name).map(|model| model.family.provider());
    for (index, name) in models(settings).enumerate() {
        let message = match provider_of(name) {
            None => {
                let providers = Provider::ALL.iter().map(|provider| provider.label()).collect::<Vec<_>>().join(", ");
                let message = format!("`{}` is the name of a model of none of these: {providers}", shown(name));
                with_meant(message, crate::text::nearest(name, Model::NAMES.iter().copied()))
            }
            Some(provider) => {
                let of_same = |other: &&String| provider_of(other) == Some(provider);
                let Some(last) = models(settings).skip(index + 1).filter(of_same).last() else { continue };
                let (name, last, provider) = (shown(name), shown(last), provider.label());
                format!(
                    "`{name}` does not count: costs are told of one model a provider, for {provider} of `{last}`, the last"
                )
            }
        };
        add(&["targets", "models", &index.to_string()], message);
    }
    out
}

fn no_such_rule(name: &str) -> String {
    let meant = crate::text::nearest(name, rules::ALL.iter().map(|rule| rule.name));
    with_meant(format!("there is no rule `{name}`"), meant)
}

/// A message with what was probably meant.
pub fn with_meant(message: String, meant: Option<&str>) -> String {
    match meant {
        Some(meant) => format!("{message}; did you mean `{meant}`?"),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_and_limits_are_as_they_are_set() {
        let settings = serde_json::json!({
            "targets": {"models": ["opus", "gpt-5", "llama-4", "gpt-4o"]},
            "limits": {"schemaTokens": 7}
        });
        let rules = Ruleset::new(&serde_json::from_value(settings).expect("settings"), false);
        let names: Vec<&str> = rules.models.iter().map(|model| &*model.name).collect();
        assert_eq!(names, ["opus", "gpt-4o", &Model::standard(Provider::Gemini).name]);
        assert_eq!(rules.budget, Budget { list: 20_000, schema: 7 });
    }
}
