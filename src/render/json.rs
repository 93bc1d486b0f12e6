//! The JSON of `check`, schema version 1: a stable contract.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::terminal::is_hidden;
use super::{Counts, File, Outcome, Server, ServerOutcome};
use crate::analysis::{self, Finding, Report};
use crate::model::Kind;
use crate::model::mask::Hidden;
use crate::provider::Provider;
use crate::syntax::{self, Value};
use crate::text::{Encoding, Text, TextRange};

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    tool: Tool,
    files: Vec<WireFile<'a>>,
    servers: Vec<WireServer<'a>>,
    findings: Vec<WireFinding<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct WireFile<'a> {
    path: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<&'static str>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

/// A server that was to be asked what it exposes.
#[derive(Serialize)]
struct WireServer<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<&'static str>,
    /// The config file that names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    config: Option<&'a str>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    tools: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<BTreeMap<&'static str, usize>>,
}

#[derive(Serialize)]
struct WireFinding<'a> {
    rule: &'static str,
    severity: &'static str,
    message: &'a str,
    help: &'static str,
    path: &'a str,
    range: WireRange,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<String>,
    notes: &'a [String],
    related: Vec<WireRelated<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<WireFix<'a>>,
}

#[derive(Serialize)]
struct WireRelated<'a> {
    message: &'a str,
    path: &'a str,
    range: WireRange,
}

#[derive(Serialize)]
struct WireFix<'a> {
    title: &'a str,
    applicability: &'static str,
}

#[derive(Serialize)]
struct WireRange {
    start: Position,
    end: Position,
}

/// Line and column from 1, the column in Unicode scalar values; the offset in bytes.
#[derive(Serialize)]
struct Position {
    line: u32,
    column: u32,
    offset: usize,
}

#[derive(Serialize)]
struct Summary {
    error: usize,
    warning: usize,
    info: usize,
    hint: usize,
    tools: usize,
    servers: usize,
}

impl WireRange {
    fn new(text: &Text, range: TextRange) -> WireRange {
        let position = |offset| {
            let place = text.line_column(offset, Encoding::Utf32);
            Position { line: place.line + 1, column: place.column + 1, offset }
        };
        WireRange { start: position(range.start), end: position(range.end) }
    }
}

/// The document that `check --format json` prints.
///
/// # Errors
/// Never in practice: those of the serializer.
pub fn check(files: &[File], servers: &[Server]) -> serde_json::Result<String> {
    let counts = Counts::of(files, servers);
    let document = Document {
        schema: 1,
        tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
        files: files.iter().map(file).collect(),
        servers: servers.iter().map(server).collect(),
        findings: files.iter().flat_map(findings).collect(),
        summary: Summary {
            error: counts.error,
            warning: counts.warning,
            info: counts.info,
            hint: counts.hint,
            tools: counts.tools,
            servers: counts.servers,
        },
    };
    let mut text = visible(serde_json::to_string_pretty(&document)?);
    text.push('\n');
    Ok(text)
}

fn file<'a>(file: &File<'a>) -> WireFile<'a> {
    let (kind, client, status, reason) = match file.outcome {
        Outcome::Skipped(reason) => ("unknown", None, "skipped", Some(reason)),
        Outcome::Unrecognised(_) => ("unknown", None, "skipped", Some("not an MCP file")),
        Outcome::Checked(report) => match report.kind() {
            Kind::Config(dialect) => ("config", Some(dialect.id), "checked", None),
            Kind::Tools if report.is_snapshot() => ("snapshot", None, "checked", None),
            Kind::Tools => ("tools", None, "checked", None),
            Kind::Unknown => ("unknown", None, "checked", None),
        },
    };
    WireFile { path: file.path, kind, client, status, reason }
}

fn server<'a>(server: &Server<'a>) -> WireServer<'a> {
    let (status, error) = match server.outcome {
        ServerOutcome::Listed(_) => ("ok", None),
        ServerOutcome::Failed(_, reason) => ("failed", Some(reason)),
        ServerOutcome::Skipped(reason) => ("skipped", Some(reason)),
    };
    let Server { name, client, config, .. } = *server;
    let tokens = server.tokens.map(|tokens| Provider::ALL.iter().map(|one| one.id()).zip(tokens).collect());
    WireServer { name, client, config, status, error, tools: server.tools(), tokens }
}

fn findings<'a>(file: &File<'a>) -> Vec<WireFinding<'a>> {
    let Some(report) = file.report() else { return Vec::new() };
    let found = report.findings();
    if found.is_empty() {
        return Vec::new();
    }
    let text = String::from(report.text());
    let root = syntax::read(&text).value;
    let hidden = Hidden::new(&text, &analysis::secrets(report.kind(), &text));
    found.iter().map(|one| finding(file.path, &report, one, &root, &hidden)).collect()
}

fn finding<'a>(
    path: &'a str,
    report: &Report<'a>,
    finding: &Finding<'a>,
    root: &Value,
    hidden: &Hidden,
) -> WireFinding<'a> {
    let diagnostic = finding.diagnostic;
    // The words of a finding hold no secret; names and keys may, where a file is confused enough.
    let name = finding.item.and_then(|item| report.item(item).name()).map(|name| hidden.without(name));
    let (server, tool) = match report.kind() {
        Kind::Config(_) => (name, None),
        Kind::Tools | Kind::Unknown => (None, name),
    };
    let related = diagnostic.related.iter().map(|related| {
        let (range, source) = report.related_place(finding, related);
        let (path, text) = source.map_or((path, report.text()), |source| (source.path.as_str(), &source.text));
        WireRelated { message: &related.message, path, range: WireRange::new(text, range) }
    });
    WireFinding {
        rule: diagnostic.rule,
        severity: diagnostic.severity.name(),
        message: &diagnostic.message,
        help: diagnostic.help,
        path,
        range: WireRange::new(report.text(), finding.range()),
        server,
        tool,
        pointer: Some(hidden.without(&syntax::pointer_at(root, finding.range())).into_owned()),
        notes: &diagnostic.notes,
        related: related.collect(),
        fix: diagnostic
            .best_fix(|_| true)
            .map(|fix| WireFix { title: &fix.title, applicability: fix.applicability.name() }),
    }
}

/// JSON may be looked at in a terminal: what that would obey is written as an escape, which reads back the same.
pub fn visible(json: String) -> String {
    let is_obeyed = |char: char| char != '\n' && is_hidden(char);
    if !json.chars().any(is_obeyed) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 64);
    for char in json.chars() {
        if is_obeyed(char) {
            for unit in char.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(char);
        }
    }
    out
}
