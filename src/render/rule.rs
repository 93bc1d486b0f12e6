//! What is to be said of a rule, from the data and the page in its file.

use std::fmt::Write;

use serde::Serialize;

use crate::diagnostic::Applicability;
use crate::rules::{self, Family, Rule};

#[derive(Serialize)]
struct Wire {
    name: &'static str,
    family: &'static str,
    level: &'static str,
    severity: &'static str,
    fix: Option<&'static str>,
    help: &'static str,
    aliases: &'static [&'static str],
    since: &'static str,
    doc: String,
}

impl Wire {
    fn new(rule: &Rule) -> Wire {
        Wire {
            name: rule.name,
            family: rule.family.name(),
            level: rule.check.level(),
            severity: rule.severity.name(),
            fix: rule.fix.map(Applicability::name),
            help: rule.help,
            aliases: rule.aliases,
            since: rule.since,
            doc: page(rule),
        }
    }
}

/// The page of a rule in Markdown, without the space that a doc comment starts its lines with.
fn page(rule: &Rule) -> String {
    let lines: Vec<&str> = rule.doc.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n").trim().to_owned()
}

/// One rule for people: the page that is also in the documentation.
pub fn rule(rule: &Rule) -> String {
    let fix = rule.fix.map_or("none", Applicability::name);
    let preset = if rule.recommended { "on by default" } else { "off by default" };
    let mut out = format!(
        "# {}\n\n*{}* · {} · looks at: {} · fix: {fix} · {preset} · since {}\n\n**What to do:** {}.\n",
        rule.name,
        rule.family.name(),
        rule.severity.name(),
        rule.check.level(),
        rule.since,
        rule.help
    );
    if !rule.aliases.is_empty() {
        let _ = writeln!(out, "\nElsewhere: {}", rule.aliases.join(", "));
    }
    let _ = writeln!(out, "\n{}", page(rule));
    out
}

/// All rules for people, by family.
pub fn rules() -> String {
    let mut out = String::new();
    let width = rules::ALL.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    for family in Family::ALL {
        let mut members = rules::ALL.iter().filter(|rule| rule.family == family).peekable();
        if members.peek().is_none() {
            continue;
        }
        let _ = writeln!(out, "{}", family.name());
        for rule in members {
            let fix = rule.fix.map_or("", Applicability::name);
            let severity = if rule.recommended { rule.severity.name() } else { "off" };
            let _ = writeln!(out, "  {:width$}  {severity:7}  {fix:10}  {}", rule.name, rule.help);
        }
        out.push('\n');
    }
    let _ =
        writeln!(out, "{}; `mcp-analyzer rule NAME` tells more of one", crate::text::counted(rules::ALL.len(), "rule"));
    out
}

/// One rule for programs.
///
/// # Errors
/// Never in practice: those of the serializer.
pub fn rule_json(rule: &Rule) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&Wire::new(rule)).map(with_newline)
}

/// All rules for programs.
///
/// # Errors
/// Never in practice: those of the serializer.
pub fn rules_json() -> serde_json::Result<String> {
    let all: Vec<Wire> = rules::ALL.iter().map(|rule| Wire::new(rule)).collect();
    serde_json::to_string_pretty(&all).map(with_newline)
}

fn with_newline(mut text: String) -> String {
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_page_without_margin() {
        for one in rules::ALL {
            let text = rule(one);
            assert!(text.starts_with(&format!("# {}\n", one.name)));
            assert!(text.contains("\n## What it does\n"), "{text}");
            assert!(rule_json(one).is_ok_and(|json| json.contains(one.name)));
        }
        let all = rules();
        assert!(rules::ALL.iter().all(|rule| all.contains(&format!("  {} ", rule.name))));
    }
}
