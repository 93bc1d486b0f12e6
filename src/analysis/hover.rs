//! What is said of the place under the pointer: the tool with what it costs and why, the parameter, the list, the server,
//! and the rules that found something there.
//!
//! *Invariant:* what takes time with a long text is done in [`Hover::markdown`], which may run on any thread.

mod costs;
mod list;
mod markdown;
mod subject;

use super::asking::status;
use super::costs::{Count, told};
use super::secrets::hide_in;
use super::{Finding, Report};
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::model::{Kind, Server, Tool};
use crate::rules::{self, Rule};
use crate::syntax;
use crate::text::TextRange;
use costs::{Costs, Fixes};

/// What is said of a place.
#[derive(Clone, Debug)]
pub struct Hover {
    /// The place.
    pub range: TextRange,
    subject: Option<Subject>,
    rules: Vec<Found>,
}

/// What is said of a tool, a parameter, a list or a server.
#[derive(Clone, Debug)]
struct Subject {
    words: String,
    /// What of a tool is to be counted.
    costs: Option<Costs>,
    /// The piece of the document that it is about, whose secrets are hidden.
    text: String,
    kind: Kind,
}

/// What one rule found at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    rule: &'static str,
    /// Of its findings there the loudest, settings applied.
    severity: Severity,
    /// The most trusted kind of fix that is offered there.
    fix: Option<Applicability>,
}

/// What is said of the place at `offset`; `None` where there is nothing to say. `now`, in seconds since 1970, is what ages
/// count from.
pub fn hover(report: &Report, offset: usize, now: u64) -> Option<Hover> {
    let findings = report.findings();
    let item = report.items().position(|item| item.range().touches(offset));
    let subject = item.and_then(|index| match report.kind() {
        Kind::Config(_) => server(report, index, offset, now),
        Kind::Tools | Kind::Unknown => tool(report, index, offset, &findings),
    });
    let subject = subject.or_else(|| {
        let (range, words) = list::list(report, offset)?;
        Some((range, Subject { words, costs: None, text: String::new(), kind: report.kind() }))
    });
    let mut hover = subject.map(|(range, subject)| Hover { range, subject: Some(subject), rules: Vec::new() });
    for finding in findings.iter().filter(|finding| finding.range().touches(offset)) {
        let hover = hover.get_or_insert_with(|| Hover { range: finding.range(), subject: None, rules: Vec::new() });
        let Diagnostic { rule, severity, fixes, .. } = finding.diagnostic;
        let fix = fixes.iter().map(|fix| fix.applicability).max();
        match hover.rules.iter_mut().find(|found| found.rule == *rule) {
            Some(found) => *found = Found { rule, severity: found.severity.max(*severity), fix: found.fix.max(fix) },
            None => hover.rules.push(Found { rule, severity: *severity, fix }),
        }
    }
    hover
}

fn server(report: &Report, index: usize, offset: usize, now: u64) -> Option<(TextRange, Subject)> {
    let Kind::Config(dialect) = report.kind() else { return None };
    let base = report.item(index).range().start;
    let text = report.text().slice(report.item(index).range()).into_owned();
    let (key, reading) = syntax::read_member(&text)?;
    if !key.range.touches(offset - base) {
        return None;
    }
    let mut words = subject::server(&Server { text: &text, key: &key, value: &reading.value, dialect });
    if let Some(known) = report.known(index) {
        words += &match status(known, now) {
            status if status.is_empty() => String::new(),
            status => format!("\n\n{status}"),
        };
        words += &known.report.as_ref().map(|report| subject::answered(report)).unwrap_or_default();
        if let Some(costs) = report.costs(index)
            && let Some((provider, total)) = costs.most(report.targets())
        {
            let model = report.models().of(provider);
            let largest = report.largest(index).iter().map(|(name, tokens)| (name.as_deref(), *tokens));
            let lines = [told(&costs, report.models(), report.targets()), list::largest_of(model, total, largest)];
            lines.into_iter().flatten().for_each(|line| words += &format!("\n\n{line}"));
        }
    }
    Some((key.range.shifted(base), Subject { words, costs: None, text, kind: report.kind() }))
}

fn tool(report: &Report, index: usize, offset: usize, findings: &[Finding]) -> Option<(TextRange, Subject)> {
    let item = report.item(index);
    let base = item.range().start;
    let offset = offset - base;
    let text = report.text().slice(item.range()).into_owned();
    let reading = syntax::read(&text);
    let form = report.list(item.list()).form;
    let tool = Tool::new(&text, &reading.value, form);
    // What is broken may have swallowed its neighbours, or lost a part.
    let is_counted = reading.errors.is_empty() && !tool.is_built_in();
    let meant = report.models().iter().filter(|model| report.targets().has_provider(model.family.provider()));
    let costs = |about| is_counted.then(|| Costs { form, models: meant.cloned().collect(), about });
    let (range, words, costs) = match subject::parameter_at(&tool, offset) {
        Some(parameter) => (
            parameter.key.range,
            subject::parameter(&tool, parameter),
            costs(costs::About::parameter(&tool, parameter)),
        ),
        None => {
            let range = subject::place_of_tool(&tool, offset)?;
            let own = || findings.iter().filter(|finding| finding.item == Some(index)).map(|it| it.diagnostic);
            let fixes = Fixes::of(own(), text.len());
            let refusals = costs::refusals(own(), report.targets());
            (range, subject::tool(&tool), costs(costs::About::Tool { fixes, refusals }))
        }
    };
    Some((range.shifted(base), Subject { words, costs, text, kind: report.kind() }))
}

impl Hover {
    /// The hover as Markdown, with what the tool costs where that can be counted.
    pub fn markdown(&self, count: Option<Count>) -> String {
        let mut parts = Vec::new();
        if let Some(subject) = &self.subject {
            let costs = subject.costs.as_ref().zip(count).and_then(|(costs, count)| costs.told(&subject.text, count));
            parts = [Some(subject.words.clone()), costs].into_iter().flatten().collect();
            parts.iter_mut().for_each(|part| hide_in(subject.kind, &subject.text, part));
        }
        parts.extend(self.rules.iter().filter_map(Found::markdown));
        parts.join("\n\n---\n\n")
    }
}

impl Found {
    /// What the rule is about, what to do, and how to be rid of it.
    fn markdown(&self) -> Option<String> {
        let rule = rules::by_name(self.rule)?;
        let fix = match self.fix {
            Some(Applicability::Safe) => " A safe fix is offered.",
            Some(Applicability::Unsafe) => " A fix is offered that changes behaviour.",
            Some(Applicability::Suggestion) => " A fix is offered that you finish by hand.",
            None => "",
        };
        Some(format!(
            "**{name}** ({severity})\n\n{what}\n\n{why}\n\n**To do:** {help}.{fix}\n\n\
             To silence it: the action \"ignore\" here, or `{name} = \"off\"` under `[levels]`. More: `mcp-analyzer rule {name}`",
            name = rule.name,
            severity = self.severity.name(),
            what = rule.section("What it does"),
            why = rule.section("Why"),
            help = rule.help,
        ))
    }
}

impl Rule {
    /// The text under a heading of the rule's page.
    pub fn section(&self, heading: &str) -> String {
        let start = self.doc.split(" ## ").find_map(|section| section.strip_prefix(heading)?.strip_prefix('\n'));
        let lines = start.unwrap_or_default().lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n").trim().to_owned()
    }
}

#[cfg(test)]
mod tests;
