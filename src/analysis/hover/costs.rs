//! What a tool or a parameter costs, and why: the numbers of each model, what of it is largest, what its fixes would save,
//! and what providers do not take.

use super::super::costs::{Count, WINDOW};
use super::super::fix::together;
use super::markdown::{code, named, with_code};
use crate::diagnostic::{Applicability, Change, Diagnostic};
use crate::model::{Form, Tool};
use crate::provider::{self, Declaration, Model, Part, Provider, Reader, Targets, Unrendered, Verdict};
use crate::syntax::{self, Member, pointer_at};
use crate::text::{Edit, apply_edits};

/// Parts that are named.
const NAMED: usize = 4;
/// Parts of less than this many per cent are not.
const SMALL: usize = 5;
/// Keywords that a model does not miss: they tell it nothing, or are told of where something refers to them. Gemini's API
/// takes `additionalProperties` by now.
const UNMISSED: &[&str] = &["$schema", "$id", "$comment", "$anchor", "$defs", "definitions", "additionalProperties"];

/// What is to be counted.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    pub(super) form: Form,
    /// One of each provider that the user targets.
    pub(super) models: Vec<Model>,
    pub(super) about: About,
}

/// Of what.
#[derive(Clone, Debug)]
pub(super) enum About {
    /// A tool.
    Tool { fixes: Fixes, refusals: Vec<String> },
    /// A parameter, by its pointer.
    Parameter(String),
}

/// The fixes of a tool that nobody has to finish, without those that overlap others.
#[derive(Clone, Debug)]
pub(super) struct Fixes(Vec<Edit>);

/// What a model reads, in tokens.
struct Counted<'c> {
    model: &'c Model,
    tokens: usize,
}

impl About {
    pub(super) fn parameter(tool: &Tool, parameter: &Member) -> About {
        let pointer = tool.schema().map(|schema| pointer_at(schema, parameter.value.range)).unwrap_or_default();
        About::Parameter(format!("/{}{pointer}", tool.form.schema_key()))
    }
}

impl Fixes {
    /// Those of a tool's findings. Its text has `length` bytes.
    pub(super) fn of<'d>(findings: impl Iterator<Item = &'d Diagnostic>, length: usize) -> Fixes {
        let fixes = findings.filter_map(|finding| {
            let fix = finding.best_fix(|fix| fix.applicability != Applicability::Suggestion)?;
            match &fix.change {
                Change::Edits(edits) => edits.iter().all(|edit| edit.range.end <= length).then(|| edits.clone()),
                Change::RenameTool { .. } => None,
            }
        });
        Fixes(together(fixes).0)
    }
}

/// Which of the providers that are meant may refuse a tool with these findings, and for which of them: a line each.
pub(super) fn refusals<'d>(findings: impl Iterator<Item = &'d Diagnostic> + Clone, targets: Targets) -> Vec<String> {
    let meant = Provider::ALL.iter().filter(|provider| targets.has_provider(**provider));
    let lines = meant.filter_map(|provider| {
        let is_refusal =
            |row: &&provider::Row| row.reader == Reader::Provider(*provider) && row.verdict != Verdict::Drops;
        let rows = provider::TABLE.iter().filter(is_refusal);
        let notes: Vec<String> =
            rows.filter_map(|row| Some(provider::verdicts(row.feature, targets)?.note())).collect();
        let mut rules: Vec<String> = Vec::new();
        for finding in findings.clone() {
            let rule = code(finding.rule);
            let is_refused = |said: &String| notes.iter().any(|note| said.contains(note.as_str()));
            if !rules.contains(&rule) && finding.notes.iter().any(is_refused) {
                rules.push(rule);
            }
        }
        (!rules.is_empty()).then(|| format!("{} may refuse requests with it: {}", provider.label(), rules.join(", ")))
    });
    lines.collect()
}

impl Costs {
    /// The same as Markdown. `text` is the tool's; `None` where there is nothing to say.
    pub(super) fn told(&self, text: &str, count: Count) -> Option<String> {
        let value = syntax::read(text).value;
        let tool = Tool::new(text, &value, self.form);
        match &self.about {
            About::Tool { fixes, refusals } => Some(self.told_tool(&tool, fixes, refusals, count)),
            About::Parameter(pointer) => self.told_parameter(&tool, pointer, count),
        }
    }

    fn told_tool(&self, tool: &Tool, fixes: &Fixes, refusals: &[String], count: Count) -> String {
        let declaration = Declaration::from(tool);
        let mut counted = Vec::new();
        let mut lines = Vec::new();
        for model in &self.models {
            match tokens(model, &declaration, count) {
                Ok(tokens) => counted.push(Counted { model, tokens }),
                Err(reason) => lines.push(with_code(&reason.to_string())),
            }
        }
        let most = most(&counted);
        let saved = most.and_then(|most| Some((most, self.saved(most, tool.text, fixes, count)?)));
        if let Some((Counted { model, .. }, saved)) = saved {
            lines.insert(
                0,
                format!(
                    "fixing it would save {}{saved} tokens a turn for {}",
                    model.accuracy().sign(),
                    model.family.provider().label()
                ),
            );
        }
        if let Some(Counted { model, tokens }) = most
            && let Ok(parts) = model.family.parts(&declaration, &count)
        {
            let largest = largest(&parts, *tokens, model.accuracy().sign());
            let told = format!("largest for {}: {}", model.family.provider().label(), largest.join(" · "));
            lines.splice(0..0, (!largest.is_empty()).then_some(told));
        }
        lines.extend_from_slice(refusals);
        if self.models.iter().any(|model| model.family.provider() == Provider::Gemini) {
            lines.extend(dropped(tool));
        }
        let lines = lines.into_iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n");
        let told = on_every_turn(&counted.iter().map(|it| (it.model, it.tokens)).collect::<Vec<_>>());
        let size = a_size(counted.iter().map(|counted| counted.model));
        [told, lines, size].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// How many tokens fewer the tool has with its fixes for a model, if it has.
    fn saved(&self, before: &Counted, text: &str, fixes: &Fixes, count: Count) -> Option<usize> {
        if fixes.0.is_empty() {
            return None;
        }
        let text = apply_edits(text, &fixes.0);
        let reading = syntax::read(&text);
        let tool = Tool::new(&text, &reading.value, self.form);
        if !reading.errors.is_empty() || !reading.value.is_object() {
            return None;
        }
        let after = tokens(before.model, &Declaration::from(&tool), count).ok()?;
        before.tokens.checked_sub(after).filter(|saved| *saved > 0)
    }

    fn told_parameter(&self, tool: &Tool, pointer: &str, count: Count) -> Option<String> {
        let declaration = Declaration::from(tool);
        let counted = self
            .models
            .iter()
            .filter_map(|model| Some(Counted { model, tokens: tokens(model, &declaration, count).ok()? }));
        let counted: Vec<Counted> = counted.collect();
        let mut numbers = Vec::new();
        let mut share = String::new();
        let most = most(&counted)?.model;
        for Counted { model, tokens } in &counted {
            let parts = model.family.parts(&declaration, &count).ok()?;
            let own = parts.iter().find(|part| part.pointer == pointer);
            let own_tokens = own.map_or(0, |part| part.tokens);
            numbers.push((*model, own_tokens));
            if let Some(own) = own.filter(|_| *model == most) {
                share = format!(
                    ", {} of the tool{}",
                    per_cent(own_tokens, *tokens),
                    inside(&parts, own, model.accuracy().sign())
                );
            }
        }
        let is_seen = numbers.iter().any(|(_, tokens)| *tokens > 0);
        is_seen.then(|| format!("{} tokens{share}", of_each(&numbers)))
    }
}

/// What a tool costs with a model.
fn tokens(model: &Model, tool: &Declaration, count: Count) -> Result<usize, Unrendered> {
    model.family.text(tool).map(|text| model.family.tokens(&text, &count))
}

/// Of equal ones the first.
fn most<'c, 'm>(counted: &'c [Counted<'m>]) -> Option<&'c Counted<'m>> {
    counted.iter().rev().max_by_key(|counted| counted.tokens)
}

/// Numbers of models, their providers before them.
pub(super) fn of_each(numbers: &[(&Model, usize)]) -> String {
    let numbers = numbers
        .iter()
        .map(|(model, tokens)| format!("{} {}**{tokens}**", model.family.provider().label(), model.accuracy().sign()));
    numbers.collect::<Vec<_>>().join(" · ")
}

/// The same with the share of the window that the largest takes.
pub(super) fn on_every_turn(numbers: &[(&Model, usize)]) -> String {
    let Some(most) = numbers.iter().map(|(_, tokens)| *tokens).max() else { return String::new() };
    let share = most as f64 * 100.0 / WINDOW as f64;
    format!("{} tokens on every turn, {share:.2} % of a 200k window", of_each(numbers))
}

/// What the numbers of these models are, and how good.
pub(super) fn a_size<'m>(models: impl Iterator<Item = &'m Model>) -> String {
    let models = models.map(|model| {
        let accuracy = model.accuracy();
        let band = match (accuracy.is_calibrated, accuracy.sign().is_empty()) {
            (false, _) => format!(" (not calibrated, ±{} %)", accuracy.per_cent),
            (true, false) => format!(" (±{} %)", accuracy.per_cent),
            (true, true) => String::new(),
        };
        format!("{}{band}", code(&model.name))
    });
    let models = models.collect::<Vec<_>>().join(", ");
    if models.is_empty() { models } else { format!("a size by {models}; the bill depends on caching and the client") }
}

/// A share.
pub(super) fn per_cent(part: usize, whole: usize) -> String {
    format!("{:.0} %", part as f64 * 100.0 / whole.max(1) as f64)
}

/// The largest parts of a tool.
fn largest(parts: &[Part], whole: usize, sign: &str) -> Vec<String> {
    let is_large = |part: &&Part| !part.is_inside && part.tokens * 100 >= whole * SMALL;
    let mut large: Vec<&Part> = parts.iter().filter(is_large).collect();
    large.sort_by_key(|part| std::cmp::Reverse(part.tokens));
    let told = large.into_iter().take(NAMED).map(|part| {
        let name = match path(&part.pointer).as_slice() {
            [.., "$defs" | "definitions", name] => format!("definition {}", named(&unescaped(name))),
            [_, .., name] => named(&unescaped(name)),
            _ => "description".to_owned(),
        };
        let Part { tokens, .. } = part;
        format!("{name} {sign}{tokens} ({}{})", per_cent(*tokens, whole), inside(parts, part, sign))
    });
    told.collect()
}

/// The largest `enum` inside a part, where it is much of it.
fn inside(parts: &[Part], part: &Part, sign: &str) -> String {
    let is_inside = |one: &&Part| {
        one.is_inside && one.pointer.strip_prefix(&*part.pointer).is_some_and(|rest| rest.starts_with('/'))
    };
    let largest = parts.iter().filter(is_inside).max_by_key(|one| one.tokens);
    let Some(largest) = largest.filter(|one| one.tokens * 4 >= part.tokens) else { return String::new() };
    let rest = path(&largest.pointer[part.pointer.len()..]);
    let names = &rest[..rest.len().saturating_sub(1)];
    let whose =
        names.iter().enumerate().rev().skip(1).find(|(_, key)| **key == "properties").map(|(at, _)| names[at + 1]);
    match whose {
        Some(name) => format!(", the enum of {} {sign}{}", named(&unescaped(name)), largest.tokens),
        None => format!(", its enum {sign}{}", largest.tokens),
    }
}

/// The tokens of a pointer.
fn path(pointer: &str) -> Vec<&str> {
    pointer.split('/').skip(1).collect()
}

/// A token of a pointer as the key that it stands for.
fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// The keywords of a tool that Gemini's API has no room for.
fn dropped(tool: &Tool) -> Option<String> {
    let start = format!("/{}/", tool.form.schema_key());
    let (_, dropped) = provider::api_json(Provider::Gemini, std::slice::from_ref(tool));
    let pointers = dropped.iter().map(|dropped| &*dropped.pointer).filter(|pointer| pointer.starts_with(&start));
    let keywords = pointers.map(|pointer| unescaped(pointer.rsplit('/').next().unwrap_or_default()));
    let mut keywords: Vec<String> =
        keywords.filter(|keyword| !UNMISSED.contains(&&**keyword) && !keyword.starts_with("x-")).collect();
    keywords.sort_unstable();
    let mut keywords: Vec<&[String]> = keywords.chunk_by(|one, other| one == other).collect();
    keywords.sort_by_key(|same| std::cmp::Reverse(same.len()));
    let more = keywords.len().saturating_sub(NAMED);
    let told = keywords.iter().take(NAMED).map(|same| match same.len() {
        1 => named(&same[0]),
        count => format!("{} ×{count}", named(&same[0])),
    });
    let told = told.collect::<Vec<_>>().join(", ");
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!told.is_empty()).then(|| format!("Gemini drops {told}{more}, where it is sent as `parameters`"))
}
