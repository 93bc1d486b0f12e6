//! The outline that an editor shows: tools with their parameters, servers.

use super::Report;
use crate::model::mask::{masked, masks};
use crate::model::{Kind, Tool};
use crate::syntax::{self, Member, Value};
use crate::text::TextRange;

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A tool.
    Tool,
    /// A parameter of a tool.
    Parameter,
    /// A server entry.
    Server,
}

/// A named place of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name; never empty.
    pub name: String,
    /// A few words more: a type, a command.
    pub detail: Option<String>,
    /// What it is.
    pub kind: SymbolKind,
    /// All of it.
    pub range: TextRange,
    /// Its name's place, within `range`.
    pub selection: TextRange,
    /// What is inside.
    pub children: Vec<Symbol>,
}

/// The symbols of a document, by place.
pub fn symbols(report: &Report) -> Vec<Symbol> {
    report
        .items()
        .filter_map(|item| {
            let text = report.text().slice(item.range());
            let base = item.range().start;
            match report.kind() {
                Kind::Config(_) => {
                    let (key, reading) = syntax::read_member(&text)?;
                    let detail = ["command", "url"].iter().find_map(|key| reading.value.get(key)?.as_str());
                    Some(Symbol {
                        name: named(&key.name),
                        detail: detail.map(shown_detail),
                        kind: SymbolKind::Server,
                        range: item.range(),
                        selection: key.range.shifted(base),
                        children: Vec::new(),
                    })
                }
                _ => {
                    let reading = syntax::read(&text);
                    let tool = Tool::new(&text, &reading.value, report.list(item.list()).form);
                    Some(Symbol {
                        name: named(tool.name().map_or("", |(name, _)| name)),
                        detail: None,
                        kind: SymbolKind::Tool,
                        range: item.range(),
                        selection: tool.range().shifted(base),
                        children: tool.parameters().iter().map(|member| parameter(member, base)).collect(),
                    })
                }
            }
        })
        .collect()
}

fn parameter(member: &Member, base: usize) -> Symbol {
    Symbol {
        name: named(&member.key.name),
        detail: member.value.get("type").and_then(Value::as_str).map(str::to_owned),
        kind: SymbolKind::Parameter,
        range: member.range().shifted(base),
        selection: member.key.range.shifted(base),
        children: Vec::new(),
    }
}

/// What a server is known by. A URL or a command line may hold a secret.
fn shown_detail(detail: &str) -> String {
    let shown = detail.split(['?', '#']).next().unwrap_or_default();
    masked(shown, &masks(shown)).into_owned()
}

fn named(name: &str) -> String {
    if name.trim().is_empty() { "(no name)".to_owned() } else { name.to_owned() }
}
