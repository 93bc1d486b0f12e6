use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, stream};
use proptest::prelude::*;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::*;
use crate::model::Form;
use crate::syntax::read;

const KEY: &str = "sk-test-Zx81Qw+52/KeY=";

/// One has no name, which no provider is told of.
const TOOLS: &str = r#"[
    {"name": "ping", "description": "Pings."},
    {"description": "No name.", "inputSchema": {"type": "object", "properties": {"a": {}}}},
    {"name": "find", "title": "T", "description": "Finds boats.",
        "inputSchema": {"type": "object", "properties": {"port": {"type": "string"}, "size": {"type": "integer"}}}}
]"#;
/// What [`counted`] counts of them: the letters of names and descriptions, and a hundred for each parameter.
const TOKENS: usize = 4 + 6 + 4 + 12 + 200;

struct Asked {
    /// `POST /v1/messages/count_tokens`
    line: String,
    headers: HeaderMap,
    body: Json,
}

impl Asked {
    fn has_tools(&self) -> bool {
        self.body.get("tools").or(self.body["generateContentRequest"].get("tools")).is_some()
    }
}

/// A server; its address.
async fn serve(answer: impl Fn(Asked) -> Response + Clone + Send + Sync + 'static) -> String {
    serve_late(move |asked| std::future::ready(answer(asked))).await
}

/// The same, of a server that may never answer.
async fn serve_late<F: Future<Output = Response> + Send>(
    answer: impl Fn(Asked) -> F + Clone + Send + Sync + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let handler = move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
        let body = serde_json::from_slice(&body).unwrap_or_default();
        answer(Asked { line: format!("{method} {uri}"), headers, body })
    };
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(handler)).await });
    format!("http://{address}")
}

fn answer(status: u16, headers: &[(&str, &str)], body: impl Into<Body>) -> Response {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(body.into()).expect("a response")
}

fn refused(status: StatusCode, message: &str) -> Response {
    (status, json!({"error": {"message": message}}).to_string()).into_response()
}

/// Answers as the three APIs do, and counts in its own way.
fn counted(asked: &Asked) -> Response {
    let header = |name| asked.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let gemini = asked.line.strip_prefix("POST /v1beta/models/").and_then(|rest| rest.strip_suffix(":countTokens"));
    let (is_allowed, number, greeting, tools, schema) = match (&*asked.line, gemini) {
        ("POST /v1/messages/count_tokens", _) => {
            let greeting = &asked.body["messages"][0];
            let is_user = greeting["role"] == "user";
            let is_allowed = header("x-api-key") == KEY && header("anthropic-version") == "2023-06-01" && is_user;
            (is_allowed, "input_tokens", &greeting["content"], &asked.body["tools"], "input_schema")
        }
        ("POST /v1/responses/input_tokens", _) => {
            let is_allowed = header("authorization") == format!("Bearer {KEY}");
            (is_allowed, "input_tokens", &asked.body["input"], &asked.body["tools"], "parameters")
        }
        (_, Some(model)) => {
            let request = &asked.body["generateContentRequest"];
            let is_allowed = header("x-goog-api-key") == KEY && request["model"] == format!("models/{model}");
            let tools = &request["tools"][0]["functionDeclarations"];
            (is_allowed, "totalTokens", &request["contents"][0]["parts"][0]["text"], tools, "parameters")
        }
        _ => return refused(StatusCode::NOT_FOUND, "no such path"),
    };
    if !is_allowed || header("content-type") != "application/json" {
        return refused(StatusCode::UNAUTHORIZED, "no");
    }
    let length = |value: &Json| value.as_str().map_or(0, str::len);
    let mut tokens = 1000 + length(&asked.body["model"]) + length(greeting);
    for tool in tools.as_array().into_iter().flatten() {
        let parameters = tool[schema]["properties"].as_object().map_or(0, serde_json::Map::len);
        tokens += length(&tool["name"]) + length(&tool["description"]) + 100 * parameters;
    }
    json!({number: tokens}).to_string().into_response()
}

fn access(provider: Provider, base: &str) -> Result<Access, ExactError> {
    let api = Api::of(provider);
    let base = if provider == Provider::OpenAi { format!("{base}/v1") } else { base.to_owned() };
    Access::new(provider, &|name| match name {
        name if name == api.keys[0] => Some(format!("{KEY}\n")),
        name if name == api.base_variable => Some(base.clone()),
        _ => None,
    })
}

/// Counts the tools there; no error may have the key in it.
async fn counts(provider: Provider, base: &str, name: &str, patience: Option<Duration>) -> Result<Exact, ExactError> {
    let list = read(TOOLS).value;
    let tools: Vec<Tool> = list.elements().iter().map(|element| Tool::new(TOOLS, element, Form::Mcp)).collect();
    let mut access = access(provider, base).expect("access");
    access.patience = patience.unwrap_or(access.patience);
    let result = count(&Model::named(name).expect("a model"), &tools, &access).await;
    if let Err(error) = &result {
        let told = format!("{error} {error:?}");
        assert!(
            KEY.as_bytes().windows(PIECE).all(|piece| !told.as_bytes().windows(PIECE).any(|w| w == piece)),
            "{told}"
        );
    }
    result
}

/// What is told where a server answers the request with tools so.
async fn told(provider: Provider, act: impl Fn() -> Response + Clone + Send + Sync + 'static) -> String {
    let base = serve(move |asked| if asked.has_tools() { act() } else { counted(&asked) }).await;
    counts(provider, &base, Model::standard(provider).name.as_str(), None).await.expect_err("no count").to_string()
}

/// What is told where a server answers everything so.
async fn refusal(status: u16, headers: &'static [(&str, &str)], body: &'static str) -> String {
    let base = serve(move |_| answer(status, headers, body)).await;
    counts(Provider::OpenAi, &base, "gpt-5", None).await.expect_err("no count").to_string()
}

#[tokio::test]
async fn each_provider_is_asked_as_it_wants_to_be() {
    let base = serve(|asked| counted(&asked)).await;
    for (provider, name, sent) in [
        (Provider::Anthropic, "anthropic/claude-sonnet-4.6", "claude-sonnet-4-6"),
        (Provider::OpenAi, "openai/gpt-4.1", "gpt-4.1"),
        // The name is in the path, and the model of the body is elsewhere.
        (Provider::Gemini, "models/gemini-2.5-pro", ""),
    ] {
        let exact = counts(provider, &base, name, None).await.expect("a count");
        assert_eq!(exact.without_tools, 1000 + sent.len() + 2, "{name}");
        assert_eq!(exact.tokens(), TOKENS, "{name}");
    }
}

#[tokio::test]
async fn tools_are_sent_as_view_shows_them() {
    for provider in Provider::ALL {
        let (send, mut sent) = mpsc::unbounded_channel();
        let base = serve(move |asked| {
            let answer = counted(&asked);
            send.send(asked.body).expect("somebody listens");
            answer
        });
        counts(*provider, &base.await, &Model::standard(*provider).name, None).await.expect("a count");
        let list = read(TOOLS).value;
        let tools: Vec<Tool> = list.elements().iter().map(|element| Tool::new(TOOLS, element, Form::Mcp)).collect();
        let (mut without, mut with) = (sent.recv().await.expect("a request"), sent.recv().await.expect("another"));
        if *provider == Provider::Gemini {
            (without, with) = (without["generateContentRequest"].take(), with["generateContentRequest"].take());
        }
        assert_eq!(with.as_object_mut().and_then(|with| with.remove("tools")), Some(api_json(*provider, &tools).0));
        assert_eq!(with, without, "nothing else differs");
    }
}

#[tokio::test]
async fn nothing_is_asked_of_no_tools() {
    let access = access(Provider::OpenAi, "http://127.0.0.1:1").expect("access");
    let nameless = r#"{"description": "No name."}"#;
    let value = read(nameless).value;
    for tools in [vec![], vec![Tool::new(nameless, &value, Form::Mcp)]] {
        let exact = count(&Model::standard(Provider::OpenAi), &tools, &access).await;
        assert_eq!(exact, Ok(Exact::default()));
    }
}

#[tokio::test]
async fn refusals_in_plain_words() {
    let echo = r#"{"error": {"message": "wrong: sk-test-Zx81Qw+52/KeY= and Zx81Qw+52"}}"#;
    assert_eq!(refusal(401, &[], echo).await, "the key in `OPENAI_API_KEY` is not accepted");
    assert_eq!(refusal(403, &[], echo).await, "the key in `OPENAI_API_KEY` is not accepted: wrong: ••• and •••");
    let invalid = r#"{"error": {"message": "API key not valid.", "details": [{"reason": "API_KEY_INVALID"}]}}"#;
    assert_eq!(refusal(400, &[], invalid).await, "the key in `OPENAI_API_KEY` is not accepted");
    let model = r#"{"error": {"message": "The model `gpt-5` does not exist"}}"#;
    assert_eq!(
        refusal(404, &[], model).await,
        "there is no model `gpt-5`, or not for this key; name another with `--model`"
    );
    let path = r#"{"error": {"message": "Invalid URL"}}"#;
    assert_eq!(refusal(404, &[], path).await, "nothing at its address counts tokens (status 404): Invalid URL");
    assert_eq!(refusal(404, &[], "<html>").await, "nothing at its address counts tokens (status 404)");
    let often = "it was asked too often, or the account is used up";
    assert_eq!(refusal(429, &[("retry-after", "1")], "").await, format!("{often}; try again in 1 second"));
    let quota = r#"{"error": "no quota\n\u001b[31m"}"#;
    assert_eq!(refusal(429, &[("retry-after", "soon")], quota).await, format!("{often}: no quota\\n\\u{{1b}}[31m"));
    assert_eq!(refusal(529, &[], echo).await, "it has a problem of its own (status 529); try again later");
    assert_eq!(refusal(400, &[], echo).await, "it refuses to count (status 400): wrong: ••• and •••");
    assert_eq!(refusal(402, &[], "[]").await, "it refuses to count (status 402)");
}

#[tokio::test]
async fn what_is_wrong_with_tools_is_said() {
    for provider in Provider::ALL {
        let message = format!("tools.0.name: String should match pattern, {KEY}");
        let said = told(*provider, move || refused(StatusCode::BAD_REQUEST, &message)).await;
        assert_eq!(said, "it refuses the tools: tools.0.name: String should match pattern, •••");
    }
    let long = "ä".repeat(2000);
    let said = told(Provider::OpenAi, move || refused(StatusCode::BAD_REQUEST, &long)).await;
    assert_eq!(said, format!("it refuses the tools: {}…", "ä".repeat(SAID)));
}

#[tokio::test]
async fn redirections_are_not_followed() {
    let visits = Arc::new(AtomicUsize::new(0));
    let visited = visits.clone();
    let elsewhere = serve(move |asked| {
        visited.fetch_add(1, Ordering::Relaxed);
        counted(&asked)
    });
    let elsewhere = elsewhere.await;
    for status in [301, 307] {
        let to = format!("{elsewhere}/v1/responses/input_tokens");
        let base = serve(move |_| answer(status, &[("location", &*to)], "")).await;
        let error = counts(Provider::OpenAi, &base, "gpt-5", None).await;
        assert_eq!(error, Err(ExactError::Redirected { status }));
    }
    assert_eq!(visits.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn answers_that_are_no_count() {
    let not_understood = async |body: &'static str| {
        let said = told(Provider::Anthropic, move || answer(200, &[("content-type", "text/html")], body)).await;
        said.strip_prefix("its answer is not understood: ").expect("this error").to_owned()
    };
    assert_eq!(not_understood("<html>Log in</html>").await, "it is no JSON but `text/html`");
    assert_eq!(not_understood("").await, "it is no JSON but `text/html`");
    assert_eq!(not_understood("[5]").await, "it has no `input_tokens`");
    assert_eq!(not_understood(r#"{"totalTokens": 5}"#).await, "it has no `input_tokens`");
    for number in ["-5", "12.5", "true", "100000001", "18446744073709551616"] {
        let body: &'static str = format!(r#"{{"input_tokens": {number}}}"#).leak();
        let said = not_understood(body).await;
        assert!(said.starts_with("its `input_tokens` is `"), "{said}");
    }
    let echo = r#"{"input_tokens": "sk-test-Zx81Qw+52/KeY="}"#;
    assert_eq!(not_understood(echo).await, "its `input_tokens` is `\"•••\"`");
    let fewer = r#"{"input_tokens": 5}"#;
    assert_eq!(not_understood(fewer).await, "with the tools it counts 5 tokens, without them 1019");
    let huge = || {
        let spaces = stream::repeat_with(|| Ok::<_, io::Error>(Bytes::from_static(&[b' '; 4096])));
        answer(200, &[], Body::from_stream(spaces))
    };
    assert_eq!(told(Provider::Gemini, huge).await, "its answer is not understood: it is longer than 1 MiB");
    let broken = || {
        let start = stream::once(async { Ok(Bytes::from_static(b"{")) });
        // What was said before is on its way then.
        let end = stream::once(async {
            tokio::task::yield_now().await;
            Err(io::Error::other("gone"))
        });
        answer(200, &[], Body::from_stream(start.chain(end)))
    };
    let said = told(Provider::Gemini, broken).await;
    assert!(said.starts_with("its answer is not understood: it broke off: "), "{said}");
}

#[tokio::test]
async fn nobody_waits_for_ever() {
    let patience = Some(Duration::from_millis(50));
    let late = ExactError::TimedOut { after: Duration::from_millis(50) };
    assert_eq!(late.to_string(), "there was no answer within 50ms");
    let late = Err(late);
    let silent = serve_late(|_| std::future::pending()).await;
    assert_eq!(counts(Provider::Gemini, &silent, "gemini", patience).await, late);
    let stalled = serve(|_| {
        let start = stream::once(async { Ok::<_, io::Error>(Bytes::from_static(b"{")) });
        answer(200, &[], Body::from_stream(start.chain(stream::pending())))
    });
    assert_eq!(counts(Provider::Gemini, &stalled.await, "gemini", patience).await, late);
}

#[tokio::test]
async fn nobody_there_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let error = counts(Provider::OpenAi, &base, "gpt", None).await.expect_err("nobody");
    assert_eq!(error.to_string(), "`127.0.0.1` cannot be reached: the connection was refused: nothing listens there");
}

#[tokio::test]
async fn whoever_stops_waiting_ends_the_request() {
    /// Tells when the server gives up on a request.
    struct Gone(mpsc::UnboundedSender<&'static str>);
    impl Drop for Gone {
        fn drop(&mut self) {
            let _ = self.0.send("gone");
        }
    }
    let (send, mut events) = mpsc::unbounded_channel();
    let base = serve_late(move |_| {
        send.send("asked").expect("somebody listens");
        let gone = Gone(send.clone());
        async move {
            let _gone = gone;
            std::future::pending().await
        }
    });
    let base = base.await;
    tokio::select! {
        _ = counts(Provider::Anthropic, &base, "claude", None) => unreachable!("the server never answers"),
        event = events.recv() => assert_eq!(event, Some("asked")),
    }
    assert_eq!(events.recv().await, Some("gone"));
}

#[test]
fn access_comes_from_variables() {
    let of = |provider, variables: &[(&str, &str)]| {
        let variables: Vec<(String, String)> =
            variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Access::new(provider, &move |name| Some(variables.iter().find(|(known, _)| known == name)?.1.clone()))
    };
    let google = of(Provider::Gemini, &[("GEMINI_API_KEY", " "), ("GOOGLE_API_KEY", KEY)]).expect("access");
    assert_eq!((google.variable, &*google.key), ("GOOGLE_API_KEY", KEY));
    let both = of(Provider::Gemini, &[("GOOGLE_API_KEY", "other"), ("GEMINI_API_KEY", KEY)]).expect("access");
    assert_eq!((both.variable, &*both.key), ("GEMINI_API_KEY", KEY));
    assert_eq!(both.base.as_str(), "https://generativelanguage.googleapis.com/");
    let none = of(Provider::Gemini, &[]).expect_err("no key");
    assert_eq!(none.to_string(), "no key to count with: set `GEMINI_API_KEY` or `GOOGLE_API_KEY`");
    let broken = of(Provider::Anthropic, &[("ANTHROPIC_API_KEY", "a\nb")]).expect_err("no header");
    assert_eq!(broken.to_string(), "the key in `ANTHROPIC_API_KEY` has characters in it that no key has");
    let at = |base| of(Provider::OpenAi, &[("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", base)]);
    for base in ["", " https://a.example/v1 ", "http://localhost:1", "http://[::1]/v1", "http://127.0.0.2:80"] {
        assert!(at(base).is_ok(), "{base}");
    }
    for (base, why) in [
        ("api.openai.com", "is no URL"),
        ("http://a.example/v1", "does not start with `https://`"),
        ("http://127.0.0.1.a.example", "does not start with `https://`"),
        ("ftp://localhost", "does not start with `https://`"),
        ("https://sk-test@a.example", "has a user name or a password in it"),
        ("https://:sk-test@a.example", "has a user name or a password in it"),
    ] {
        let error = at(base).expect_err(base).to_string();
        assert!(error.starts_with(&format!("the address in `OPENAI_BASE_URL` {why}")), "{error}");
        assert!(!error.contains("sk-test"));
    }
    let secret = format!("https://a.example/{KEY}?key={KEY}");
    let debug = format!("{:?} {:#?}", at(&secret), at(&secret));
    assert!(debug.contains("a.example") && !debug.contains(KEY) && !debug.contains("sk-test"), "{debug}");
}

#[test]
fn what_is_missing_is_named() {
    let missing = |has: &[&str]| {
        let missing = missing(Provider::ALL, &|name| has.contains(&name).then(|| KEY.to_owned()));
        missing.into_iter().map(|(provider, names)| format!("{} {}", provider.id(), names[0])).collect::<Vec<_>>()
    };
    assert_eq!(missing(&[]), ["anthropic ANTHROPIC_API_KEY", "openai OPENAI_API_KEY", "gemini GEMINI_API_KEY"]);
    assert_eq!(missing(&["GOOGLE_API_KEY", "OPENAI_API_KEY"]), ["anthropic ANTHROPIC_API_KEY"]);
}

proptest! {
    #[test]
    fn the_key_is_never_told(before in "\\PC{0,20}", key in "[!-~]{4,40}", at in 0usize..30, after in "\\PC{0,20}") {
        let access = Access { key: key.clone(), ..access(Provider::OpenAi, "http://localhost").expect("access") };
        let piece = &key[at.min(key.len() - PIECE.min(key.len()))..];
        let told = access.told(&format!("{before}{key}{after} {piece}"));
        let length = key.len().min(PIECE);
        prop_assert!(key.as_bytes().windows(length).all(|piece| !told.as_bytes().windows(length).any(|one| one == piece)));
    }
}
