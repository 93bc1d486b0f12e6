//! What a server listed as one document.

use serde_json::value::RawValue;

use crate::document::{Document, Format};
use crate::facts::ProbeReport;

/// The answers of a server as it sent them.
#[derive(Debug, Default)]
pub(super) struct Raw {
    /// That to the handshake.
    pub handshake: Option<Box<RawValue>>,
    /// Those to `tools/list`, page by page.
    pub tools: Vec<Box<RawValue>>,
    /// Those to `resources/list`.
    pub resources: Vec<Box<RawValue>>,
    /// Those to `resources/templates/list`.
    pub resource_templates: Vec<Box<RawValue>>,
    /// Those to `prompts/list`.
    pub prompts: Vec<Box<RawValue>>,
}

/// The document of what was listed.
pub(super) fn snapshot(raw: &Raw, report: &ProbeReport) -> Document {
    let pages: Vec<&str> = raw.tools.iter().map(|page| page.get()).collect();
    Document::new(format!("snapshot:{}", report.launch), None, Format::Json, &pages.join("\n"))
}
