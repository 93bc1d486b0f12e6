//! The three endpoints: where they are, what they are sent, and where their number is.

use reqwest::Url;
use serde_json::{Value as Json, json};

use crate::provider::Provider;

/// All that the user says in a request.
const GREETING: &str = "Hi";

/// An endpoint that counts.
#[derive(Debug)]
pub(super) struct Api {
    provider: Provider,
    /// The variables that may hold a key, the first before the others.
    pub keys: &'static [&'static str],
    /// The variable that holds another address, as the provider's own libraries read it.
    pub base_variable: &'static str,
    /// The address where nobody says another.
    pub base: &'static str,
    pub key_header: &'static str,
    /// What stands before the key in its header.
    pub key_scheme: &'static str,
    /// Other headers that have to be there.
    pub headers: &'static [(&'static str, &'static str)],
    /// The key of the number in an answer.
    pub number: &'static str,
}

/// `POST /v1/messages/count_tokens`, free of charge. Source: platform.claude.com/docs/en/api/messages/count_tokens and
/// build-with-claude/token-counting (2026-11). The page calls its numbers estimates that may be off by a small amount,
/// and says that tools which Anthropic's servers run are refused there.
static ANTHROPIC: Api = Api {
    provider: Provider::Anthropic,
    keys: &["ANTHROPIC_API_KEY"],
    base_variable: "ANTHROPIC_BASE_URL",
    base: "https://api.anthropic.com",
    key_header: "x-api-key",
    key_scheme: "",
    headers: &[("anthropic-version", "2023-06-01")],
    number: "input_tokens",
};

/// `POST /v1/responses/input_tokens`. Source: developers.openai.com/api/docs/guides/token-counting and its reference of
/// `responses/input_tokens` (2026-11). The version is a part of the base address.
static OPENAI: Api = Api {
    provider: Provider::OpenAi,
    keys: &["OPENAI_API_KEY"],
    base_variable: "OPENAI_BASE_URL",
    base: "https://api.openai.com/v1",
    key_header: "authorization",
    key_scheme: "Bearer ",
    headers: &[],
    number: "input_tokens",
};

/// `POST /v1beta/models/MODEL:countTokens`. Source: ai.google.dev/api/tokens (2026-11); that `generateContentRequest`
/// wants the model once more: zed-industries/zed pull request 29630 (2025-05).
static GEMINI: Api = Api {
    provider: Provider::Gemini,
    keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    base_variable: "GOOGLE_GEMINI_BASE_URL",
    base: "https://generativelanguage.googleapis.com",
    key_header: "x-goog-api-key",
    key_scheme: "",
    headers: &[],
    number: "totalTokens",
};

impl Api {
    pub(super) fn of(provider: Provider) -> &'static Api {
        match provider {
            Provider::Anthropic => &ANTHROPIC,
            Provider::OpenAi => &OPENAI,
            Provider::Gemini => &GEMINI,
        }
    }

    /// The key that these variables hold, and the variable that does.
    pub(super) fn key(&self, variable: &dyn Fn(&str) -> Option<String>) -> Option<(&'static str, String)> {
        let keys = self.keys.iter().filter_map(|name| Some((*name, variable(name)?.trim().to_owned())));
        keys.into_iter().find(|(_, key)| !key.is_empty())
    }

    /// The endpoint below a base address.
    pub(super) fn url(&self, base: &Url, model: &str) -> Url {
        let mut url = base.clone();
        // Only an address without a host has no path to add to, and such a one has no scheme of HTTP.
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty();
            match self.provider {
                Provider::Anthropic => path.extend(["v1", "messages", "count_tokens"]),
                Provider::OpenAi => path.extend(["responses", "input_tokens"]),
                Provider::Gemini => path.extend(["v1beta", "models", &format!("{model}:countTokens")]),
            };
        }
        url
    }

    /// A request that is counted, with such a value of `tools` or without.
    pub(super) fn body(&self, model: &str, tools: Option<&Json>) -> Json {
        let mut request = match self.provider {
            Provider::Anthropic => json!({"model": model, "messages": [{"role": "user", "content": GREETING}]}),
            Provider::OpenAi => json!({"model": model, "input": GREETING}),
            Provider::Gemini => {
                let contents = json!([{"role": "user", "parts": [{"text": GREETING}]}]);
                json!({"model": format!("models/{model}"), "contents": contents})
            }
        };
        if let Some(tools) = tools {
            request["tools"] = tools.clone();
        }
        match self.provider {
            Provider::Gemini => json!({"generateContentRequest": request}),
            Provider::Anthropic | Provider::OpenAi => request,
        }
    }
}

/// A model's name as its provider's own API has it, from how others write it: `anthropic/claude-sonnet-4.5`,
/// `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, `claude-sonnet-4-5@20250929`, `models/gemini-2.5-pro`.
pub(super) fn model_name(provider: Provider, name: &str) -> String {
    let name = name.trim().to_ascii_lowercase().replace(' ', "-");
    let name = name.rsplit('/').next().unwrap_or_default();
    let name = name.split(':').next().unwrap_or_default();
    if provider != Provider::Anthropic {
        return name.to_owned();
    }
    let name = name.rsplit_once("anthropic.").map_or(name, |(_, name)| name);
    let name = ["-v1", "-v2"].iter().find_map(|version| name.strip_suffix(version)).unwrap_or(name);
    name.replace(['.', '@'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_the_apis_have_them() {
        for (provider, name, expected) in [
            (Provider::Anthropic, "claude-sonnet-4-6", "claude-sonnet-4-6"),
            (Provider::Anthropic, "anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"),
            (Provider::Anthropic, "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5-20250929"),
            (Provider::Anthropic, "claude-sonnet-4-5@20250929", "claude-sonnet-4-5-20250929"),
            (Provider::Anthropic, " Claude Opus 4.7 ", "claude-opus-4-7"),
            (Provider::OpenAi, "openai/gpt-4.1", "gpt-4.1"),
            (Provider::OpenAi, "gpt-4o-2024-08-06", "gpt-4o-2024-08-06"),
            (Provider::Gemini, "models/gemini-2.5-pro", "gemini-2.5-pro"),
            (Provider::Gemini, "google/gemini-2.5-flash:free", "gemini-2.5-flash"),
        ] {
            assert_eq!(model_name(provider, name), expected);
        }
    }

    #[test]
    fn endpoints_stand_below_their_base() {
        let url = |provider, base: &str, model: &str| {
            Api::of(provider).url(&Url::parse(base).expect("a URL"), model).to_string()
        };
        for base in ["https://a.example/x", "https://a.example/x/"] {
            assert_eq!(url(Provider::Anthropic, base, "m"), "https://a.example/x/v1/messages/count_tokens");
            assert_eq!(url(Provider::OpenAi, base, "m"), "https://a.example/x/responses/input_tokens");
        }
        assert_eq!(
            url(Provider::Gemini, "https://a.example", "gemini-3?x#y"),
            "https://a.example/v1beta/models/gemini-3%3Fx%23y:countTokens"
        );
        for provider in Provider::ALL {
            assert!(Url::parse(Api::of(*provider).base).is_ok());
        }
    }
}
