//! What a provider itself counts: its own endpoint for that, asked with a key of the user.
//!
//! Two requests, one without the tools and one with them, as `view --as` shows them; the difference is what the tools
//! cost. Only the tools, the model's name and a word of greeting are sent, and no model answers them.
//!
//! Reads no environment: whoever calls says what its variables are. Knows nothing of estimates.
//! *Invariant:* the key goes to the address of its provider and nowhere else, encrypted unless that is this machine; no
//! redirection is followed. It is in no error and no `Debug`, whatever the other side says.
//! *Invariant:* [`count`] may be dropped at any time, which ends its connections.

mod api;
mod error;

use std::fmt;
use std::time::Duration;

use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderName, HeaderValue};
use reqwest::{Response, Url};
use rustc_hash::FxHashSet;
use serde_json::Value as Json;
use tokio::time::timeout;

pub use self::error::ExactError;

use self::api::Api;
use crate::model::Tool;
use crate::model::mask::{masks_by_shape, merged};
use crate::probe::{client, is_local, plain};
use crate::provider::{Model, Provider, api_json};
use crate::text::{TextRange, shown, shown_up_to};

/// How long both answers together may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest answer that is read, in bytes. A count comes in less than a hundred.
const LONGEST_ANSWER: usize = 1 << 20;
/// More tokens than any request can have: the largest windows are of some millions.
const MOST: u64 = 100_000_000;
/// How much of what a provider says is shown, in characters.
const SAID: usize = 400;
/// As many bytes of a key in a row are not shown; of a shorter key, all of them.
const PIECE: usize = 8;
/// A shorter key is none, and hiding it would hide ordinary words.
const SHORTEST_KEY: usize = 4;

/// What a provider counts, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exact {
    /// A request of one word from the user, with the tools.
    pub with_tools: usize,
    /// The same request without them.
    pub without_tools: usize,
}

impl Exact {
    /// What the tools add, with what the provider adds once because there are any.
    pub fn tokens(self) -> usize {
        self.with_tools - self.without_tools
    }
}

/// The key of a provider, and where to go with it.
#[derive(Clone)]
pub struct Access {
    provider: Provider,
    key: String,
    /// The variable that the key is from.
    variable: &'static str,
    base: Url,
    patience: Duration,
}

impl Access {
    /// What these environment variables say of a provider. The first key that is not empty counts; for Gemini that is
    /// `GEMINI_API_KEY`, since `GOOGLE_API_KEY` may be one for maps.
    ///
    /// # Errors
    /// [`ExactError::NoKey`]; [`ExactError::BadKey`] and [`ExactError::BadAddress`] where one cannot be used.
    pub fn new(provider: Provider, variable: &dyn Fn(&str) -> Option<String>) -> Result<Access, ExactError> {
        let api = Api::of(provider);
        let (name, key) = api.key(variable).ok_or(ExactError::NoKey(api.keys))?;
        if HeaderValue::from_str(&key).is_err() {
            return Err(ExactError::BadKey(name));
        }
        let given = variable(api.base_variable).filter(|base| !base.trim().is_empty());
        let bad = |why| ExactError::BadAddress { variable: api.base_variable, why };
        let base = Url::parse(given.as_deref().unwrap_or(api.base).trim()).map_err(|_| bad("is no URL"))?;
        match base.scheme() {
            "https" => {}
            "http" if is_local(&base) => {}
            _ => return Err(bad("does not start with `https://`, and a key is not sent without encryption")),
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(bad("has a user name or a password in it, which is not supported"));
        }
        Ok(Access { provider, key, variable: name, base, patience: PATIENCE })
    }

    /// Whose key it is.
    pub fn provider(&self) -> Provider {
        self.provider
    }

    async fn ask(&self, model: &str, tools: Option<&Json>) -> Result<usize, ExactError> {
        let api = Api::of(self.provider);
        let unreachable = |why: &str| ExactError::Unreachable {
            host: shown(self.base.host_str().unwrap_or_default()).into_owned(),
            why: self.told(why),
        };
        let client = client(is_local(&self.base)).map_err(|why| unreachable(&why))?;
        let mut key = HeaderValue::from_str(&format!("{}{}", api.key_scheme, self.key))
            .map_err(|_| ExactError::BadKey(self.variable))?;
        key.set_sensitive(true);
        let mut request = client.post(api.url(&self.base, model)).header(HeaderName::from_static(api.key_header), key);
        for (name, value) in api.headers {
            request = request.header(*name, *value);
        }
        let sent = request.json(&api.body(model, tools)).send().await;
        let response = sent.map_err(|error| unreachable(&plain(&error)))?;
        if response.status().is_success() {
            return self.number(response, api.number).await;
        }
        Err(self.refusal(response, model, tools.is_some()).await)
    }

    async fn number(&self, response: Response, name: &'static str) -> Result<usize, ExactError> {
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = self.told(kind);
        let body = body(response).await.map_err(ExactError::NotUnderstood)?;
        let not_understood = |why: String| Err(ExactError::NotUnderstood(why));
        let Ok(answer) = serde_json::from_slice::<Json>(&body) else {
            let kind = if kind.is_empty() { String::new() } else { format!(" but `{}`", shown(&kind)) };
            return not_understood(format!("it is no JSON{kind}"));
        };
        match &answer[name] {
            Json::Null => not_understood(format!("it has no `{name}`")),
            value => match value.as_u64().filter(|number| *number <= MOST) {
                Some(number) => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
                None => not_understood(format!("its `{name}` is `{}`", shown(&self.told(&value.to_string())))),
            },
        }
    }

    /// Why an answer is no success.
    async fn refusal(&self, response: Response, model: &str, has_tools: bool) -> ExactError {
        let status = response.status().as_u16();
        let retry_after =
            response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let answer: Json = match body(response).await {
            Ok(body) => serde_json::from_slice(&body).unwrap_or_default(),
            Err(_) => Json::Null,
        };
        let error = &answer["error"];
        let raw = error["message"].as_str().or(error.as_str()).map(str::trim).filter(|message| !message.is_empty());
        let said = raw.map(|raw| self.told(raw));
        // Google refuses a key like a request. Source: its `ErrorInfo`, as in google-gemini/gemini-cli issue 25198
        // (2026-04).
        let mut details = error["details"].as_array().into_iter().flatten();
        let is_key = details.any(|detail| detail["reason"] == "API_KEY_INVALID");
        match status {
            // What OpenAI says here has the ends of the key in it.
            401 => ExactError::KeyRefused { variable: self.variable, said: None },
            403 => ExactError::KeyRefused { variable: self.variable, said },
            400 if is_key => ExactError::KeyRefused { variable: self.variable, said: None },
            // Without the model's name it speaks of the address, which may be that of somebody else.
            404 if raw.is_some_and(|raw| raw.contains(model)) => {
                ExactError::UnknownModel { model: shown(model).into_owned() }
            }
            404 => ExactError::NoEndpoint { said },
            429 => ExactError::TooOften { retry_after, said },
            400 | 413 | 422 if has_tools => ExactError::ToolsRefused { said },
            300..=399 => ExactError::Redirected { status },
            500.. => ExactError::Failed { status },
            _ => ExactError::Refused { status, said },
        }
    }

    /// What the other side says, without the key and pieces of it, and without what shows to be a secret; escaped, and
    /// cut where it is long.
    fn told(&self, text: &str) -> String {
        let mut hidden = masks_by_shape(text);
        let length = self.key.len().min(PIECE);
        if length >= SHORTEST_KEY {
            let pieces: FxHashSet<&[u8]> = self.key.as_bytes().windows(length).collect();
            let found = text.as_bytes().windows(length).enumerate().filter(|(_, piece)| pieces.contains(piece));
            hidden.extend(found.map(|(at, _)| TextRange::new(at, at + length)));
        }
        let mut out = String::new();
        let mut at = 0;
        // A key is ASCII, as a header has to be: its pieces start and end between characters.
        for range in merged(hidden) {
            out.push_str(&text[at..range.start]);
            out.push_str("•••");
            at = range.end;
        }
        out.push_str(&text[at..]);
        shown_up_to(&out, SAID).into_owned()
    }
}

impl fmt::Debug for Access {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        // An address may have a secret in it as well, but for its host.
        let host = self.base.host_str();
        out.debug_struct("Access").field("provider", &self.provider).field("host", &host).finish_non_exhaustive()
    }
}

/// Those of the providers that there is no key of, each with the variables that could hold one.
pub fn missing(
    providers: &[Provider],
    variable: &dyn Fn(&str) -> Option<String>,
) -> Vec<(Provider, &'static [&'static str])> {
    let apis = providers.iter().map(|provider| (*provider, Api::of(*provider)));
    apis.filter(|(_, api)| api.key(variable).is_none()).map(|(provider, api)| (provider, api.keys)).collect()
}

/// Asks the provider that there is access to how many tokens these tools are to a model of it. Where none of them can
/// be declared nobody is asked, and nothing is what they cost.
///
/// # Errors
/// What came instead of two numbers.
pub async fn count(model: &Model, tools: &[Tool<'_>], access: &Access) -> Result<Exact, ExactError> {
    if !tools.iter().any(|tool| tool.is_built_in() || tool.name().is_some()) {
        return Ok(Exact::default());
    }
    let (list, _) = api_json(access.provider, tools);
    let model = api::model_name(access.provider, &model.name);
    let both = async {
        // First without: what is refused only afterwards is refused because of the tools.
        let without_tools = access.ask(&model, None).await?;
        let with_tools = access.ask(&model, Some(&list)).await?;
        if with_tools <= without_tools {
            let why = format!("with the tools it counts {with_tools} tokens, without them {without_tools}");
            return Err(ExactError::NotUnderstood(why));
        }
        Ok(Exact { with_tools, without_tools })
    };
    timeout(access.patience, both).await.unwrap_or(Err(ExactError::TimedOut { after: access.patience }))
}

/// The body of an answer; an error says why there is none.
async fn body(mut response: Response) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| format!("it broke off: {}", plain(&error)))? {
        body.extend_from_slice(&chunk);
        if body.len() > LONGEST_ANSWER {
            return Err(format!("it is longer than {} MiB", LONGEST_ANSWER >> 20));
        }
    }
    Ok(body)
}

#[cfg(test)]
mod tests;
