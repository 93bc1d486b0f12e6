//! What becomes of a tool at each provider of models: the text that its model reads.
//!
//! One file per provider. Counts no tokens itself: whoever needs a number renders a text here, has it counted by
//! [`crate::tokens`] and asks here what that comes to. Knows nothing of files or protocols either: a tool is its name,
//! its description and its schema.

mod openai;

use crate::syntax::Value;

/// A provider of models, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// OpenAI: GPT-4o and later, by the chat completions and the responses API.
    OpenAi,
}

impl Provider {
    /// Every provider.
    pub const ALL: &[Provider] = &[Provider::OpenAi];

    /// The name that people know it by.
    pub const fn label(self) -> &'static str {
        match self {
            Provider::OpenAi => "OpenAI",
        }
    }

    /// The text that the provider's model reads of one tool, for any input; `parameters` is the input schema.
    pub fn tool_text(self, name: &str, description: Option<&str>, parameters: Option<&Value>) -> String {
        match self {
            Provider::OpenAi => openai::tool_text(name, description, parameters),
        }
    }

    /// The text that the provider's model reads of a list of tools, given the [texts](Provider::tool_text) of these.
    pub fn list_text<T: AsRef<str>>(self, tool_texts: &[T]) -> String {
        match self {
            Provider::OpenAi => openai::list_text(tool_texts),
        }
    }

    /// The tokens that a tool adds to a list, given its [text](Provider::tool_text) and the tokens of that.
    pub fn tool_tokens(self, tool_text: &str, text_tokens: usize) -> usize {
        match self {
            Provider::OpenAi => openai::tool_tokens(tool_text, text_tokens),
        }
    }

    /// The tokens of a list, given those that each of its tools [adds](Provider::tool_tokens). What an API adds to any
    /// list, whatever the tools, is not in it.
    pub fn list_tokens(self, tool_tokens: &[usize]) -> usize {
        match self {
            Provider::OpenAi => openai::list_tokens(tool_tokens),
        }
    }
}
