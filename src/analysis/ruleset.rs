//! The rules that are on for a document, worked out once from the settings.

use std::path::{Path, PathBuf};

use globset::{Glob, GlobMatcher};
use rustc_hash::FxHashMap;

use crate::diagnostic::Severity;
use crate::rules::{self, Check, Rule};
use crate::settings::{Preset, Settings, SyntaxMode};

/// The rules that are on, how loud they are, and what of theirs is not shown.
#[derive(Debug, Default)]
pub struct Ruleset {
    pub(super) piece: Vec<&'static Rule>,
    pub(super) document: Vec<&'static Rule>,
    pub(super) server: Vec<&'static Rule>,
    pub(super) tool: Vec<&'static Rule>,
    pub(super) toolset: Vec<&'static Rule>,
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
        let hidden = match settings.syntax.unwrap_or_default() {
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
            Check::Document(_) => self.document.push(rule),
            Check::Server(_) => self.server.push(rule),
            Check::Config(..) => {
                self.document.push(rule);
                self.server.push(rule);
            }
            Check::Tool(_) => self.tool.push(rule),
            Check::Toolset(_) => self.toolset.push(rule),
        }
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

impl Ignore {
    fn new(ignore: &crate::settings::Ignore) -> Option<Ignore> {
        let path = match &ignore.path {
            None => None,
            Some(glob) => match Glob::new(glob) {
                Ok(glob) => Some((ignore.base.clone(), glob.compile_matcher())),
                Err(error) => {
                    log::warn!("an ignore is skipped: {error}");
                    return None;
                }
            },
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

/// The names in the settings that no rule has, each with the rule it may mean.
pub fn unknown_rules(settings: &Settings) -> Vec<(String, Option<&'static str>)> {
    let levels = settings.levels.iter().flatten().map(|(name, _)| name);
    let ignores = settings.ignore.iter().flatten().map(|ignore| &ignore.rule);
    levels
        .chain(ignores)
        .filter(|name| rules::by_name(name).is_none())
        .map(|name| (name.clone(), crate::text::nearest(name, rules::ALL.iter().map(|rule| rule.name))))
        .collect()
}
