//! What becomes of a tool at each provider of models: the text that its model reads, and what is refused or dropped.
//!
//! One file per provider whose tokens are counted, and the one table of verdicts. Counts no tokens itself: whoever needs
//! a number renders a text here, has it counted by [`crate::tokens`] and asks here what that comes to. Knows nothing of
//! files or protocols either: a tool is its name, its description and its schema.

pub mod openai;
mod verdict;

pub use verdict::{Feature, Reader, Row, TABLE, Targets, Verdict, Verdicts, verdicts};

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

    /// The name that people know it by.
    pub const fn label(self) -> &'static str {
        match self {
            Provider::Anthropic => "Anthropic",
            Provider::OpenAi => "OpenAI",
            Provider::Gemini => "Gemini",
        }
    }
}
