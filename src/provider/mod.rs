//! What becomes of a tool at each provider of models: the text that its model reads, and what is refused or dropped.
//!
//! One file per provider whose tokens are counted, the models by name ([`Model`]), what a list costs ([`Model::cost`]) and
//! what of a tool costs most ([`Family::parts`]), the list as each API receives it ([`api_json`]), and the one table of
//! verdicts. Counts no tokens itself: it is given what counts a text in a [`Vocabulary`], so that whoever calls decides
//! what is remembered. Knows nothing of files or protocols either: a tool is its name, its description and its schema.
//!
//! What all of this measures is the size of the tools in a request, not a bill: providers charge less for what they have
//! cached, and clients rename tools, leave some out or load them when they are needed.
//!
//! *Invariant:* every tool has a number or an [`Unrendered`] that says why not, in time linear in its schema.

mod anthropic;
mod cost;
mod costs;
mod gemini;
mod models;
pub mod openai;
mod page;
mod request;
mod verdict;

pub use cost::{ListCost, Part, Unrendered};
pub use costs::{Costs, ToolCost};
pub use models::{Accuracy, Family, Model, Models};
pub use request::{Dropped, api_json};
pub use verdict::{Feature, Reader, Row, TABLE, Targets, Verdict, Verdicts, verdicts};

use crate::model::Tool;
use crate::syntax::Value;
use crate::tokens::Vocabulary;

/// What a provider is told of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Declaration<'v> {
    /// Its name.
    pub name: &'v str,
    /// What it does.
    pub description: Option<&'v str>,
    /// The input schema, where it is an object.
    pub schema: Option<&'v Value>,
    /// The key of the schema in the list, for pointers.
    pub schema_key: &'static str,
}

impl<'v> From<&Tool<'v>> for Declaration<'v> {
    fn from(tool: &Tool<'v>) -> Self {
        Declaration {
            name: tool.name().map_or("", |(name, _)| name),
            description: tool.description_text(),
            schema: tool.schema(),
            schema_key: tool.form.schema_key(),
        }
    }
}

/// A provider of models, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// Anthropic: Claude, by the messages API.
    Anthropic,
    /// OpenAI: GPT-4o and later, by the chat completions and the responses API.
    OpenAi,
    /// Google: Gemini, by the Gemini API.
    Gemini,
}

impl Provider {
    /// Every provider.
    pub const ALL: &[Provider] = &[Provider::Anthropic, Provider::OpenAi, Provider::Gemini];

    /// The word for it in settings, on the command line and in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Provider::Anthropic => "anthropic",
            Provider::OpenAi => "openai",
            Provider::Gemini => "gemini",
        }
    }

    /// The name that people know it by.
    pub const fn label(self) -> &'static str {
        match self {
            Provider::Anthropic => "Anthropic",
            Provider::OpenAi => "OpenAI",
            Provider::Gemini => "Gemini",
        }
    }
}

#[cfg(test)]
mod tests;
