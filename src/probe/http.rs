//! Asks a server that is contacted: Streamable HTTP, and the older HTTP with events where that is what it speaks.

use std::collections::HashMap;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Once, OnceLock};
use std::time::{Duration, Instant};

use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use reqwest::{Client, Response, Url};
use rmcp::model::{ClientJsonRpcMessage, RequestId};
use rmcp::transport::common::client_side_sse::NeverRetry;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
    StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::Limits;
use super::environment::secret;
use super::refusal::{followed, plain, refusal};
use super::session::{Opening, Session, Stop};
use super::snapshot::Raw;
use super::sse::Events;
use super::stdio::{no_discovery, understood};
use super::tap::{Tap, start};
use crate::facts::{Failure, Phase, ProbeReport};
use crate::model::dialect::Transport;
use crate::model::launch::Contact;
use crate::model::secret;

/// How long an answer to `server/discover` is waited for.
const DISCOVER: Duration = Duration::from_secs(3);
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How much of what comes with an error is read, and kept.
const ERROR_BODY: (usize, usize) = (64 << 10, 200);
/// Redirections that are followed.
const HOPS: usize = 3;

const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";

/// What goes wrong on the way; the tap knows it better.
pub(super) type Error = StreamableHttpError<reqwest::Error>;
/// Events of a server, each shown to the tap.
pub(super) type EventStream = BoxStream<'static, Result<Sse, SseError>>;

/// Asks a server at an address.
pub(super) async fn ask(
    contact: &Contact,
    limits: &Limits,
    secrets: &mut Vec<String>,
    report: &mut ProbeReport,
    raw: &mut Raw,
) -> Result<(), Failure> {
    secrets.extend(contact.headers.iter().filter_map(|(name, value)| secret(name, value)));
    secrets.extend(secret::secrets(&contact.url).iter().map(|found| {
        let range = found.range;
        contact.url[range.start..range.end].to_owned()
    }));
    let order = match contact.transport {
        Some(Transport::Sse) => [Transport::Sse, Transport::Http],
        _ => [Transport::Http, Transport::Sse],
    };
    let mut before = None;
    // Dropped with this, however it ends.
    let (_asking, gone) = watch::channel(());
    for transport in order {
        let tap = Tap::default();
        let caller = Caller::new(contact, tap.clone(), limits, gone.clone())?;
        let begun = Instant::now();
        let opened = caller.open(transport).await;
        let stop = match opened {
            Err(stop) => stop,
            Ok(session) => {
                report.transport = transport;
                report.timings.ready = Some(begun.elapsed());
                let read = session.read(report, raw).await;
                session.close().await;
                tap.tell(report);
                return read.map_err(|stop| told(stop, &tap));
            }
        };
        let failure = told(stop, &tap);
        let is_other = matches!(tap.status(), Some(400 | 404 | 405));
        if before.is_none() && is_other {
            before = Some(failure);
            continue;
        }
        tap.tell(report);
        // A server of events may say who it wants only where they begin; what they break tells more than the first answer.
        return match before {
            Some(before) if !matches!(failure, Failure::AuthorizationRequired(_) | Failure::Protocol(_)) => Err(before),
            _ => {
                report.transport = transport;
                Err(failure)
            }
        };
    }
    before.map_or(Ok(()), Err)
}

fn told(stop: Stop, tap: &Tap) -> Failure {
    match stop {
        Stop::Failed(failure) => failure,
        Stop::Closed(_) => {
            tap.failure().unwrap_or_else(|| Failure::Protocol("the server closed the connection".to_owned()))
        }
    }
}

/// Sends requests to one server.
#[derive(Clone)]
pub(super) struct Caller {
    client: Client,
    pub(super) url: Url,
    headers: HeaderMap,
    pub(super) tap: Tap,
    limits: Limits,
    /// Closed once nobody waits for answers any more: the library goes on to wait in a task of its own.
    gone: watch::Receiver<()>,
}

impl Caller {
    fn new(contact: &Contact, tap: Tap, limits: &Limits, gone: watch::Receiver<()>) -> Result<Caller, Failure> {
        let url = Url::parse(contact.url.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(|| Failure::Unreachable("the address is no URL of HTTP".to_owned()))?;
        let client = client(is_local(&url)).map_err(Failure::Unreachable)?;
        let mut headers = HeaderMap::new();
        for (name, value) in &contact.headers {
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name.trim()), HeaderValue::try_from(value.trim()))
                && !is_reserved(&name)
            {
                headers.append(name, value);
            }
        }
        Ok(Caller { client, url, headers, tap, limits: limits.clone(), gone })
    }

    /// Returns once nobody waits for answers any more.
    fn abandoned(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut gone = self.gone.clone();
        async move { _ = gone.changed().await }
    }

    async fn open(&self, transport: Transport) -> Result<Session, Stop> {
        let within = self.limits.handshake;
        if transport == Transport::Sse {
            let late = Failure::TimedOut { phase: Phase::Handshake, after: within, cause: None };
            let events = timeout(within, Events::open(self.clone())).await.map_err(|_| Stop::Failed(late))?;
            let events = events.map_err(|_| Stop::Closed(Phase::Handshake))?;
            return Session::open(events, Opening::Initialize, within, &self.tap, &self.limits).await;
        }
        let mut config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str());
        config = config.reinit_on_expired_session(false);
        config.retry_config = Arc::new(NeverRetry::default());
        let transport = StreamableHttpClientTransport::with_client(self.clone(), config);
        Session::open(transport, Opening::Auto, within, &self.tap, &self.limits).await
    }

    /// Sends a request. An answer that is none ends here, and the tap knows why.
    pub(super) async fn send(
        &self,
        method: Method,
        url: Url,
        headers: HeaderMap,
        message: Option<&ClientJsonRpcMessage>,
    ) -> Result<Response, Error> {
        let mut all = self.headers.clone();
        all.extend(headers);
        let mut url = url;
        for hop in 0.. {
            let mut request = self.client.request(method.clone(), url).headers(all.clone());
            if let Some(message) = message {
                request = request.json(message);
            }
            let response = tokio::select! {
                response = request.send() => response,
                () = self.abandoned() => return Err(refused()),
            };
            let response = response.map_err(|error| {
                self.tap.answered(None, Some(Failure::Unreachable(plain(&error))));
                Error::Client(error)
            })?;
            match followed(&response).filter(|_| hop < HOPS) {
                Some(next) => url = next,
                None => return self.judged(response),
            }
        }
        Err(Error::UnexpectedEndOfStream)
    }

    fn judged(&self, response: Response) -> Result<Response, Error> {
        let refusal = refusal(&response);
        let is_refused = refusal.is_some();
        self.tap.answered(Some(response.status().as_u16()), refusal);
        if is_refused { Err(refused()) } else { Ok(response) }
    }

    /// Takes note of what is wrong with an answer.
    pub(super) fn fail(&self, status: u16, failure: Failure) -> Error {
        self.tap.answered(Some(status), Some(failure));
        refused()
    }

    /// A failure that shows the start of what came with a status.
    pub(super) async fn status(&self, response: Response) -> Failure {
        let status = response.status().as_u16();
        let body = self.body(response, ERROR_BODY.0).await.unwrap_or_default();
        Failure::Status { status, body: start(String::from_utf8_lossy(&body).trim(), ERROR_BODY.1).to_owned() }
    }

    /// Reads a body, or its start of so many bytes.
    async fn body(&self, response: Response, most: usize) -> Result<Vec<u8>, Error> {
        let status = response.status().as_u16();
        let mut body = Vec::new();
        let mut chunks = pin!(response.bytes_stream().take_until(self.abandoned()));
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|error| {
                let how = format!("the answer broke off: {}", plain(&error));
                self.fail(status, Failure::Protocol(how))
            })?;
            if !self.tap.count(chunk.len(), body.len() + chunk.len(), &self.limits) {
                return Err(refused());
            }
            body.extend_from_slice(&chunk);
            if body.len() >= most {
                break;
            }
        }
        Ok(body)
    }

    /// The events of an answer, up to the limits, each shown to the tap.
    pub(super) fn events(&self, response: Response) -> EventStream {
        let (tap, limits) = (self.tap.clone(), self.limits.clone());
        let bytes = response.bytes_stream().take_until(self.abandoned()).map(move |chunk| {
            let chunk = chunk.map_err(io::Error::other)?;
            if tap.count(chunk.len(), 0, &limits) { Ok(chunk) } else { Err(io::Error::other("too much")) }
        });
        let tap = self.tap.clone();
        // Errors end it: there is nobody to connect to again.
        let events = SseStream::from_bytes_stream(bytes).take_while(|event| std::future::ready(event.is_ok()));
        events
            .map(move |event| {
                event.map(|mut event| {
                    if matches!(event.event.as_deref(), None | Some("" | "message")) {
                        event.data = event.data.and_then(|data| tap.hear(data.as_bytes()));
                    }
                    event
                })
            })
            .boxed()
    }

    /// Events that answer a question in time; where they end without the answer, that is one.
    fn answering(&self, response: Response, id: RequestId, patience: Duration) -> EventStream {
        let tap = self.tap.clone();
        let end = stream::once(std::future::ready(())).filter_map(move |()| {
            let message = tap.give_up(&id).then(|| {
                let how = "the stream of events ended before the answer";
                tap.answered(tap.status(), Some(Failure::Protocol(how.to_owned())));
                let message = no_discovery(id.clone());
                Ok(Sse::default().data(serde_json::to_string(&message).unwrap_or_default()))
            });
            std::future::ready(message)
        });
        self.events(response).take_until(sleep(patience)).chain(end).boxed()
    }

    async fn post(
        &self,
        message: &ClientJsonRpcMessage,
        headers: HeaderMap,
        patience: Duration,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let response = self.send(Method::POST, self.url.clone(), headers, Some(message)).await?;
        let status = response.status();
        let session = text(&response, HeaderName::from_static("mcp-session-id"));
        let kind = text(&response, CONTENT_TYPE).unwrap_or_default();
        let media = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let ClientJsonRpcMessage::Request(request) = message else {
            if status.is_success() {
                return Ok(StreamableHttpPostResponse::Accepted);
            }
            let failure = self.status(response).await;
            return Err(self.fail(status.as_u16(), failure));
        };
        let id = request.id.clone();
        if status.is_success() && media == EVENTS {
            return Ok(StreamableHttpPostResponse::Sse(self.answering(response, id, patience), session));
        }
        let (failure, answer) = if media == JSON {
            let body = self.body(response, usize::MAX).await?;
            let text = String::from_utf8_lossy(&body);
            let failure = if status.is_success() {
                Failure::NotMcp { content_type: kind }
            } else {
                Failure::Status { status: status.as_u16(), body: start(text.trim(), ERROR_BODY.1).to_owned() }
            };
            (failure, understood(&body, &self.tap))
        } else if !status.is_success() {
            (self.status(response).await, None)
        } else if kind.is_empty() {
            (Failure::Protocol(format!("the answer of status {status} is empty")), None)
        } else {
            return Err(self.fail(status.as_u16(), Failure::NotMcp { content_type: kind }));
        };
        match answer {
            Some(answer) => Ok(StreamableHttpPostResponse::Json(answer, session)),
            None => Err(self.fail(status.as_u16(), failure)),
        }
    }

    fn undiscovered(&self, id: RequestId) -> StreamableHttpPostResponse {
        self.tap.give_up(&id);
        StreamableHttpPostResponse::Json(no_discovery(id), None)
    }
}

/// An error whose words nobody reads: the tap has them.
fn refused() -> Error {
    Error::UnexpectedServerResponse("refused".into())
}

fn text(response: &Response, name: HeaderName) -> Option<String> {
    response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// Headers of the protocol, which a config must not break.
fn is_reserved(name: &HeaderName) -> bool {
    let name = name.as_str();
    let ours = ["accept", "connection", "content-length", "content-type", "host", "last-event-id", "transfer-encoding"];
    ours.contains(&name) || name.starts_with("mcp-")
}

/// Whether an address is one of this machine.
pub fn is_local(url: &Url) -> bool {
    match url.host_str().unwrap_or_default().trim_matches(['[', ']']) {
        "localhost" => true,
        host => host.ends_with(".localhost") || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback()),
    }
}

/// The one client of this process for the servers of this machine, or for others: building one reads all certificates.
/// Redirections lead where nobody agreed to go; proxies lead away from this machine. An error says in plain words why
/// there is none.
pub fn client(is_local: bool) -> Result<Client, String> {
    static RING: Once = Once::new();
    static CLIENTS: [OnceLock<Result<Client, String>>; 2] = [OnceLock::new(), OnceLock::new()];
    let built = CLIENTS[usize::from(is_local)].get_or_init(|| {
        // An error says that there is one already.
        RING.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
        let agent = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));
        let builder = Client::builder().redirect(reqwest::redirect::Policy::none()).user_agent(agent);
        // Connections that are kept would belong to a runtime that may have ended.
        let builder = builder.connect_timeout(CONNECT).pool_max_idle_per_host(0);
        let builder = if is_local { builder.no_proxy() } else { builder };
        builder.build().map_err(|error| plain(&error))
    });
    built.clone()
}

/// Headers of one request, and the session that it belongs to.
fn headers(headers: HashMap<HeaderName, HeaderValue>, accept: &'static str, session: Option<&str>) -> HeaderMap {
    let mut all: HeaderMap = headers.into_iter().collect();
    all.insert(ACCEPT, HeaderValue::from_static(accept));
    if let Some(session) = session.and_then(|session| HeaderValue::from_str(session).ok()) {
        all.insert(HeaderName::from_static("mcp-session-id"), session);
    }
    all
}

impl StreamableHttpClient for Caller {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        _: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        more: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let discover = self.tap.asked(&message);
        let headers = headers(more, "application/json, text/event-stream", session.as_deref());
        // Whoever asks has a limit of their own, which comes before this one.
        let ample = self.limits.handshake + self.limits.list;
        let Some(id) = discover else { return self.post(&message, headers, ample).await };
        let patience = DISCOVER.min(self.limits.handshake / 2);
        match timeout(patience, self.post(&message, headers, patience)).await {
            Ok(Err(Error::Client(error))) if error.is_connect() => Err(Error::Client(error)),
            // Older servers refuse what they do not know, each in its own way, or do not live through it.
            Ok(Err(_)) | Err(_) => Ok(self.undiscovered(id)),
            Ok(answer) => answer,
        }
    }

    async fn delete_session(
        &self,
        _: Arc<str>,
        session: Arc<str>,
        _: Option<String>,
        more: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Error> {
        let headers = headers(more, JSON, Some(&*session));
        self.send(Method::DELETE, self.url.clone(), headers, None).await.map(drop)
    }

    async fn get_stream(
        &self,
        _: Arc<str>,
        session: Option<Arc<str>>,
        _: Option<String>,
        _: Option<String>,
        more: HashMap<HeaderName, HeaderValue>,
    ) -> Result<EventStream, Error> {
        let headers = headers(more, EVENTS, session.as_deref());
        let mut all = self.headers.clone();
        all.extend(headers);
        // Most servers have none, which is no failure: the tap is not to hear of it.
        let response = self.client.get(self.url.clone()).headers(all).send().await.map_err(Error::Client)?;
        let is_stream = text(&response, CONTENT_TYPE).is_some_and(|kind| kind.starts_with(EVENTS));
        if response.status().is_success() && is_stream {
            Ok(self.events(response))
        } else {
            Err(Error::ServerDoesNotSupportSse)
        }
    }
}

#[cfg(test)]
mod tests;
