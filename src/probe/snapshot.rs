//! What a server listed, as a document: a tool list like any other, with what else is known of the server around it.
//!
//! *Invariant:* the lists hold the server's own words. Keys, strings, numbers and their order are as they were sent, also
//! where they are no good; only white space between them is laid out anew. So nothing here reads them into values.

mod layout;
mod moment;

use std::path::Path;
use std::time::Duration;

use serde_json::value::RawValue;

use crate::document::{Document, Format};
use crate::facts::{Counts, ProbeReport, ServerInfo, Timings};
use crate::model::dialect::Transport;
use crate::model::launch::LaunchId;
use crate::syntax;

/// Where the answer to `server/discover` has what `initialize` calls `serverInfo`.
const META_SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The `result` of each answer, as the server sent it.
#[derive(Debug, Default)]
pub(super) struct Raw {
    /// Of `initialize` or `server/discover`.
    pub(super) handshake: Option<Box<RawValue>>,
    /// Of `tools/list`, page by page.
    pub(super) tools: Vec<Box<RawValue>>,
    /// Of `resources/list`, page by page.
    pub(super) resources: Vec<Box<RawValue>>,
    /// Of `resources/templates/list`, page by page.
    pub(super) resource_templates: Vec<Box<RawValue>>,
    /// Of `prompts/list`, page by page.
    pub(super) prompts: Vec<Box<RawValue>>,
}

impl Raw {
    /// The lists by the key that each page has its own under.
    fn lists(&self) -> [(&'static str, &[Box<RawValue>]); 4] {
        [
            ("tools", &self.tools),
            ("resources", &self.resources),
            ("resourceTemplates", &self.resource_templates),
            ("prompts", &self.prompts),
        ]
    }

    /// How much was listed.
    pub(super) fn counts(&self) -> Counts {
        let [tools, resources, resource_templates, prompts] =
            self.lists().map(|(key, pages)| list(key, pages).map_or(0, |list| list.len()));
        Counts { tools, tool_pages: self.tools.len(), resources, resource_templates, prompts }
    }
}

/// What the pages of a list come to.
#[derive(Debug, PartialEq)]
enum List<'a> {
    /// All elements.
    Elements(Vec<&'a str>),
    /// What there is instead of a list, where there is one page.
    Other(&'a str),
}

impl<'a> List<'a> {
    fn len(&self) -> usize {
        match self {
            List::Elements(elements) => elements.len(),
            List::Other(_) => 0,
        }
    }

    fn other(self) -> Option<&'a str> {
        match self {
            List::Elements(_) => None,
            List::Other(value) => Some(value),
        }
    }
}

/// The elements under a key of all pages; `None` where no page has the key. Something that is no array counts as one
/// element among others.
fn list<'a>(key: &str, pages: &'a [Box<RawValue>]) -> Option<List<'a>> {
    let values: Vec<&str> = pages.iter().filter_map(|page| layout::member(page.get(), key)).collect();
    match values[..] {
        [] => None,
        [value] if !value.starts_with('[') => Some(List::Other(value)),
        _ => Some(List::Elements(
            values.into_iter().flat_map(|value| layout::elements(value).unwrap_or_else(|| vec![value])).collect(),
        )),
    }
}

/// The document. It has no place yet: whoever keeps it gives it one.
pub(super) fn snapshot(raw: &Raw, report: &ProbeReport) -> Document {
    let handshake = raw.handshake.as_ref().map(|result| result.get());
    let said = |key: &str| layout::member(handshake?, key);
    let mut text = String::from("{");
    let put = |text: &mut String, key: &str, value: Option<&str>| {
        if let Some(value) = value {
            put_key(text, key);
            layout::lay_out(text, value, 1);
        }
    };
    put(&mut text, "snapshot", Some("1"));
    put(&mut text, "launch", Some(&quoted(&report.launch.to_string())));
    put(&mut text, "name", Some(&quoted(&report.name)));
    put(&mut text, "probedAt", Some(&quoted(&moment::written(report.at))));
    put(&mut text, "incomplete", report.failure.as_ref().map(|_| "true"));
    put(&mut text, "protocolVersion", report.protocol_version.as_deref().map(quoted).as_deref());
    let in_meta = || layout::member(said("_meta")?, META_SERVER_INFO);
    put(&mut text, "serverInfo", said("serverInfo").or_else(in_meta));
    put(&mut text, "capabilities", said("capabilities"));
    put(&mut text, "instructions", said("instructions"));
    put(&mut text, "timings", Some(&timings(&report.timings)));
    put(&mut text, "transport", Some(&quoted(report.transport.name())));
    for (key, pages) in raw.lists() {
        match list(key, pages) {
            Some(List::Elements(elements)) => put_elements(&mut text, key, &elements),
            other => put(&mut text, key, other.and_then(List::other)),
        }
    }
    text.push_str("\n}\n");
    Document::new(format!("snapshot:{}", report.launch), None, Format::Json, &text)
}

fn put_key(text: &mut String, key: &str) {
    text.push_str(if text.len() > 1 { ",\n  \"" } else { "\n  \"" });
    text.push_str(key);
    text.push_str("\": ");
}

fn put_elements(text: &mut String, key: &str, elements: &[&str]) {
    put_key(text, key);
    text.push('[');
    for (index, element) in elements.iter().enumerate() {
        text.push_str(if index > 0 { ",\n    " } else { "\n    " });
        layout::lay_out(text, element, 2);
    }
    text.push_str(if elements.is_empty() { "]" } else { "\n  ]" });
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The times that are known, in milliseconds.
fn timings(timings: &Timings) -> String {
    let times = [("ready", timings.ready), ("tools", timings.tools), ("total", Some(timings.total))];
    let milliseconds = |time: Duration| time.as_micros() as f64 / 1000.0;
    let known = times.iter().filter_map(|(key, time)| Some(format!("\"{key}\":{}", milliseconds((*time)?))));
    format!("{{{}}}", known.collect::<Vec<_>>().join(","))
}

/// What a snapshot tells of a probe, with the snapshot itself as the document at this path. `None` where the text is
/// none, or one of a probe that failed: that would look like a server that lists nothing more.
pub fn read(text: &str, path: &Path) -> Option<ProbeReport> {
    let root = syntax::outline(text, &|_| true).value;
    let string = |key: &str| root.get(key)?.as_str();
    if root.get("snapshot")?.as_number()? != 1.0 || root.get("incomplete").is_some() {
        return None;
    }
    let launch = LaunchId::parse(string("launch")?)?;
    let mut report = ProbeReport::new(launch, string("name")?, Transport::meant(string("transport")?)?);
    report.at = moment::read(string("probedAt")?)?;
    report.protocol_version = string("protocolVersion").map(str::to_owned);
    let server = |key: &str| Some(root.get("serverInfo")?.get(key)?.as_str()?.to_owned());
    report.server = ServerInfo { name: server("name"), version: server("version") };
    let count = |key: &str| root.get(key).map_or(0, |list| list.elements().len());
    report.counts = Counts {
        tools: count("tools"),
        // How many there were is not kept.
        tool_pages: usize::from(root.get("tools").is_some()),
        resources: count("resources"),
        resource_templates: count("resourceTemplates"),
        prompts: count("prompts"),
    };
    report.instructions = string("instructions").map(|text| text.chars().count());
    let time = |key: &str| {
        let milliseconds = root.get("timings")?.get(key)?.as_number()?;
        Duration::try_from_secs_f64(milliseconds / 1000.0).ok()
    };
    report.timings = Timings { ready: time("ready"), tools: time("tools"), total: time("total").unwrap_or_default() };
    report.snapshot = Some(Document::new(path.to_string_lossy(), Some(path.to_owned()), Format::Json, text));
    Some(report)
}

#[cfg(test)]
mod tests;
