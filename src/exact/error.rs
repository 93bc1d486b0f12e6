//! What comes instead of a count, in words for people.

use std::fmt;
use std::time::Duration;

use crate::text::counted;

/// Why there is no exact count. As a text it stands after the provider's name: `OpenAI: the key in …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExactError {
    /// None of these variables holds a key.
    NoKey(&'static [&'static str]),
    /// What this variable holds cannot be sent as a key.
    BadKey(&'static str),
    /// The address in this variable cannot be used.
    BadAddress {
        /// Its name.
        variable: &'static str,
        /// What is wrong with it, as the rest of a sentence.
        why: &'static str,
    },
    /// The provider does not take the key, or not for this: status 401 or 403.
    KeyRefused {
        /// The variable that it is from.
        variable: &'static str,
        /// The provider's words.
        said: Option<String>,
    },
    /// The provider has no model of this name: status 404.
    UnknownModel {
        /// The name that was asked for.
        model: String,
    },
    /// Nothing at the address counts tokens: status 404.
    NoEndpoint {
        /// The words of whoever is there.
        said: Option<String>,
    },
    /// The provider takes the request without the tools, and not with them: status 400, 413 or 422. A client would run
    /// into the same.
    ToolsRefused {
        /// The provider's words.
        said: Option<String>,
    },
    /// The provider does not take the request, whatever its tools.
    Refused {
        /// The status.
        status: u16,
        /// The provider's words.
        said: Option<String>,
    },
    /// The provider was asked too often, or the account is used up: status 429.
    TooOften {
        /// After how many seconds to try again.
        retry_after: Option<u64>,
        /// The provider's words.
        said: Option<String>,
    },
    /// The provider has a problem of its own.
    Failed {
        /// The status, 500 or more.
        status: u16,
    },
    /// The address leads elsewhere, where the key is not sent.
    Redirected {
        /// The status, between 300 and 399.
        status: u16,
    },
    /// There was no answer in time.
    TimedOut {
        /// After so long.
        after: Duration,
    },
    /// Nobody could be asked.
    Unreachable {
        /// The host that was to be asked.
        host: String,
        /// Why, in plain words.
        why: String,
    },
    /// The answer is no count: why not.
    NotUnderstood(String),
}

impl fmt::Display for ExactError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let said = match self {
            ExactError::NoKey(names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                return write!(out, "no key to count with: set {}", names.join(" or "));
            }
            ExactError::BadKey(name) => {
                return write!(out, "the key in `{name}` has characters in it that no key has");
            }
            ExactError::BadAddress { variable, why } => return write!(out, "the address in `{variable}` {why}"),
            ExactError::KeyRefused { variable, said } => {
                write!(out, "the key in `{variable}` is not accepted")?;
                said
            }
            ExactError::UnknownModel { model } => {
                return write!(out, "there is no model `{model}`, or not for this key; name another with `--model`");
            }
            ExactError::NoEndpoint { said } => {
                out.write_str("nothing at its address counts tokens (status 404)")?;
                said
            }
            ExactError::ToolsRefused { said } => {
                out.write_str("it refuses the tools")?;
                said
            }
            ExactError::Refused { status, said } => {
                write!(out, "it refuses to count (status {status})")?;
                said
            }
            ExactError::TooOften { retry_after, said } => {
                out.write_str("it was asked too often, or the account is used up")?;
                if let Some(seconds) = retry_after {
                    let seconds = usize::try_from(*seconds).unwrap_or(usize::MAX);
                    write!(out, "; try again in {}", counted(seconds, "second"))?;
                }
                said
            }
            ExactError::Failed { status } => {
                return write!(out, "it has a problem of its own (status {status}); try again later");
            }
            ExactError::Redirected { status } => {
                return write!(out, "the address leads elsewhere (status {status}), where the key is not sent");
            }
            ExactError::TimedOut { after } => return write!(out, "there was no answer within {after:?}"),
            ExactError::Unreachable { host, why } => return write!(out, "`{host}` cannot be reached: {why}"),
            ExactError::NotUnderstood(why) => return write!(out, "its answer is not understood: {why}"),
        };
        said.as_ref().map_or(Ok(()), |said| write!(out, ": {said}"))
    }
}

impl std::error::Error for ExactError {}
