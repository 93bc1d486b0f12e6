//! One conversation: the handshake and the lists, over whatever transport.

use std::time::{Duration, Instant};

use rmcp::model::{
    ClientCapabilities, ClientConfig, ClientRequest, CustomRequest, ElicitRequestParams, ElicitResult,
    ElicitationCreateRequestMethod, Implementation, ListRootsRequestMethod, ProtocolVersion,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, PeerRequestOptions, RequestContext, RunningService, ServiceError,
    serve_client_with_lifecycle,
};
use rmcp::transport::Transport;
use rmcp::{ClientHandler, ErrorData, RoleClient};
use rustc_hash::FxHashSet;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::time::timeout;

use super::Limits;
use super::snapshot::Raw;
use super::tap::{Members, Tap, members, start, string};
use crate::facts::{Failure, Oddity, Phase, ProbeReport, ServerInfo};

const TOOLS: &str = "tools/list";
const RESOURCES: &str = "resources/list";
const TEMPLATES: &str = "resources/templates/list";
const PROMPTS: &str = "prompts/list";

/// How often a quick `tools/list` is asked once more to see how long it takes, within how long, and up to which length.
const AGAIN: (usize, Duration, usize) = (2, Duration::from_secs(1), 1 << 20);

/// How much of a server's own words is kept, in bytes.
const MESSAGE: usize = 2000;

/// JSON-RPC: there is no such method.
const METHOD_NOT_FOUND: i64 = -32601;

/// How a conversation begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// `server/discover`, and `initialize` where that is refused.
    Auto,
    /// `initialize`, as until 2025.
    Initialize,
    /// `server/discover`, as since 2026.
    Discover,
}

/// Why a conversation stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// The other side is gone; the transport knows why.
    Closed(Phase),
    /// Anything else.
    Failed(Failure),
}

/// A conversation whose handshake is done.
pub(super) struct Session {
    running: RunningService<RoleClient, Reader>,
    tap: Tap,
    limits: Limits,
}

/// A client that only reads: it offers nothing, and refuses what it is asked for all the same.
struct Reader(ClientConfig);

impl ClientHandler for Reader {
    fn get_info(&self) -> ClientConfig {
        self.0.clone()
    }

    #[expect(deprecated, reason = "servers still ask for it, and the default answers with an empty list")]
    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListRootsRequestMethod>())
    }

    // The default answers that the user declined, whom nobody asked.
    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Err(ErrorData::method_not_found::<ElicitationCreateRequestMethod>())
    }
}

impl Session {
    /// Agrees on a version of the protocol.
    pub(super) async fn open<T: Transport<RoleClient> + 'static>(
        transport: T,
        opening: Opening,
        within: Duration,
        tap: &Tap,
        limits: &Limits,
    ) -> Result<Session, Stop> {
        let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
        // The default of a version, the newest, has no `initialize`.
        let legacy_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        let lifecycle = match opening {
            Opening::Auto => {
                ClientLifecycleMode::Auto { preferred_versions, legacy_version: Some(legacy_version.clone()) }
            }
            Opening::Initialize => ClientLifecycleMode::Initialize,
            Opening::Discover => ClientLifecycleMode::Discover { preferred_versions },
        };
        let us = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        let config = ClientConfig::new(ClientCapabilities::default(), us).with_protocol_version(legacy_version);
        let served = timeout(within, serve_client_with_lifecycle(Reader(config), transport, lifecycle)).await;
        match served {
            Ok(Ok(running)) => match running.peer().peer_info().map(|info| info.protocol_version.clone()) {
                // The library goes on with any answer to `initialize`; clients do not.
                Some(version) if !ProtocolVersion::KNOWN_VERSIONS.contains(&version) => {
                    Err(Stop::Failed(Failure::NoCommonVersion { server: vec![version.to_string()] }))
                }
                _ => Ok(Session { running, tap: tap.clone(), limits: limits.clone() }),
            },
            Ok(Err(error)) => Err(tap.failure().map_or_else(|| not_opened(error), Stop::Failed)),
            Err(_) => Err(Stop::Failed(timed_out(Phase::Handshake, within))),
        }
    }

    /// Reads all lists.
    pub(super) async fn read(&self, report: &mut ProbeReport, raw: &mut Raw) -> Result<(), Stop> {
        raw.handshake = self.tap.handshake();
        report.protocol_version = self.running.peer().peer_info().map(|info| info.protocol_version.to_string());
        let answer = raw.handshake.as_ref().and_then(|raw| members(raw.get())).unwrap_or_default();
        let offered = answer.get("capabilities").and_then(|raw| members(raw.get())).unwrap_or_default();
        let offers = |name: &str| offered.get(name).is_some_and(|raw| raw.get() != "null");
        report.server = server_info(&answer);
        report.instructions = string(answer.get("instructions")).map(|text| text.chars().count());
        let begun = Instant::now();
        let tools = self.list(TOOLS, "tools", &mut raw.tools, &mut report.oddities).await;
        let took = begun.elapsed();
        match tools {
            Ok(()) | Err(Stop::Failed(Failure::Refused { code: METHOD_NOT_FOUND, .. })) => {}
            Err(Stop::Failed(Failure::Refused { .. } | Failure::TimedOut { .. })) if !offers("tools") => {}
            Err(stop) => return Err(stop),
        }
        report.timings.tools = (!raw.tools.is_empty()).then_some(took);
        let mut others = Vec::new();
        if offers("resources") {
            others.push((RESOURCES, "resources", &mut raw.resources));
            others.push((TEMPLATES, "resourceTemplates", &mut raw.resource_templates));
        }
        if offers("prompts") {
            others.push((PROMPTS, "prompts", &mut raw.prompts));
        }
        for (method, member, pages) in others {
            let reason = match self.list(method, member, pages, &mut report.oddities).await {
                Ok(()) => continue,
                // Servers with plain resources only need no templates.
                Err(Stop::Failed(Failure::Refused { code: METHOD_NOT_FOUND, .. })) if method == TEMPLATES => continue,
                Err(Stop::Closed(_)) => "the server ended".to_owned(),
                Err(Stop::Failed(failure)) => told(&failure),
            };
            report.oddities.push(Oddity::ListFailed { method, reason });
            if self.running.is_closed() || matches!(self.tap.failure(), Some(Failure::TooMuch(_))) {
                return Ok(());
            }
        }
        if let [page] = &raw.tools[..]
            && page.get().len() < AGAIN.2
        {
            report.timings.tools = Some(self.median(took).await);
        }
        Ok(())
    }

    /// How long a list of tools takes that took so long the first time.
    async fn median(&self, first: Duration) -> Duration {
        let mut times = vec![first];
        let mut left = AGAIN.1;
        for _ in 0..AGAIN.0 {
            let begun = Instant::now();
            if first > left || !matches!(timeout(left, self.page(TOOLS, None)).await, Ok(Ok(_))) {
                break;
            }
            times.push(begun.elapsed());
            left = left.saturating_sub(begun.elapsed());
        }
        times.sort();
        times[times.len() / 2]
    }

    /// Reads a list, all pages. What was read until a failure stays.
    async fn list(
        &self,
        method: &'static str,
        member: &str,
        pages: &mut Vec<Box<RawValue>>,
        oddities: &mut Vec<Oddity>,
    ) -> Result<(), Stop> {
        let mut cursor = None;
        let mut cursors = FxHashSet::default();
        loop {
            let page = self.page(method, cursor.as_deref()).await?;
            let content = members(page.get());
            let list = content.as_ref().and_then(|content| content.get(member)).copied();
            match list.map(|list| serde_json::from_str::<Vec<&RawValue>>(list.get())) {
                Some(Ok(_)) => {}
                _ => {
                    let found =
                        content.as_ref().map_or_else(|| kind(page.get()), |_| list.map_or("nothing", told_kind));
                    oddities.push(Oddity::NoList { method, found });
                }
            }
            let next = content.and_then(|content| content.get("nextCursor").map(|next| next.get().to_owned()));
            pages.push(page);
            // Clients take an empty one for the end.
            let Some(next) = next.filter(|next| !matches!(&**next, "null" | "\"\"")) else { return Ok(()) };
            let Ok(next) = serde_json::from_str::<String>(&next) else {
                oddities.push(Oddity::CursorNotString { method });
                return Ok(());
            };
            let pages = pages.len();
            if !cursors.insert(next.clone()) {
                oddities.push(Oddity::CursorRepeats { method, pages });
                return Ok(());
            }
            if pages >= self.limits.pages {
                oddities.push(Oddity::EndlessPages { method, pages });
                return Ok(());
            }
            cursor = Some(next);
        }
    }

    /// One page of a list, as it was sent.
    async fn page(&self, method: &'static str, cursor: Option<&str>) -> Result<Box<RawValue>, Stop> {
        let phase = Phase::List(method);
        let late = || Stop::Failed(timed_out(phase, self.limits.list));
        // A typed request would be answered from a typed list.
        let request = CustomRequest::new(method, cursor.map(|cursor| json!({ "cursor": cursor })));
        let options = PeerRequestOptions::with_timeout(self.limits.list);
        let sent = self.running.peer().send_request_with_option(ClientRequest::CustomRequest(request), options);
        let handle = match timeout(self.limits.list, sent).await {
            Ok(sent) => sent.map_err(|error| self.stopped(error, phase))?,
            Err(_) => return Err(late()),
        };
        let id = handle.id.clone();
        handle.await_response().await.map_err(|error| self.stopped(error, phase))?;
        self.tap.take(&id).ok_or_else(|| Stop::Failed(Failure::Protocol(format!("no result of `{method}`"))))
    }

    fn stopped(&self, error: ServiceError, phase: Phase) -> Stop {
        if let Some(failure) = self.tap.failure() {
            return Stop::Failed(failure);
        }
        match error {
            ServiceError::McpError(error) => Stop::Failed(refused(phase, error)),
            ServiceError::Timeout { .. } => Stop::Failed(timed_out(phase, self.limits.list)),
            ServiceError::TransportSend(_) | ServiceError::TransportClosed | ServiceError::Cancelled { .. } => {
                Stop::Closed(phase)
            }
            error => Stop::Failed(Failure::Protocol(error.to_string())),
        }
    }

    /// Ends the conversation and closes the transport.
    pub(super) async fn close(mut self) {
        // What comes of it does not matter: whoever owns the other end ends it anyway.
        let _ = self.running.close_with_timeout(self.limits.grace).await;
    }
}

fn not_opened(error: ClientInitializeError) -> Stop {
    match error {
        ClientInitializeError::JsonRpcError(error) => Stop::Failed(refused(Phase::Handshake, error)),
        ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
            let server = server_supported.iter().map(ToString::to_string).collect();
            Stop::Failed(Failure::NoCommonVersion { server })
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => not_opened(*fallback),
        ClientInitializeError::ConnectionClosed(_)
        | ClientInitializeError::TransportError { .. }
        | ClientInitializeError::Cancelled => Stop::Closed(Phase::Handshake),
        ClientInitializeError::ExpectedInitResult(_) | ClientInitializeError::ExpectedInitResponse(_) => {
            Stop::Failed(Failure::Protocol("the answer to the handshake is none".to_owned()))
        }
        error => Stop::Failed(Failure::Protocol(error.to_string())),
    }
}

fn refused(phase: Phase, error: ErrorData) -> Failure {
    Failure::Refused {
        phase,
        code: error.code.0.into(),
        message: start(&error.message, MESSAGE).to_owned(),
        cause: None,
    }
}

fn timed_out(phase: Phase, after: Duration) -> Failure {
    Failure::TimedOut { phase, after, cause: None }
}

/// Why a list beside that of the tools could not be read.
fn told(failure: &Failure) -> String {
    match failure {
        Failure::Refused { code, message, .. } => format!("error {code}: {message}"),
        Failure::TimedOut { after, .. } => format!("no answer within {} s", after.as_secs()),
        Failure::TooMuch(what) | Failure::Protocol(what) => what.clone(),
        Failure::Status { status, .. } => format!("HTTP status {status}"),
        Failure::AuthorizationRequired(challenge) => format!("HTTP status {}", challenge.status),
        _ => "the connection was closed".to_owned(),
    }
}

/// What a server says it is: in `initialize` a member of the result, in `server/discover` one of its `_meta`.
fn server_info(answer: &Members) -> ServerInfo {
    let meta = answer.get("_meta").and_then(|raw| members(raw.get())).unwrap_or_default();
    let info = answer.get("serverInfo").or_else(|| meta.get("io.modelcontextprotocol/serverInfo"));
    let info = info.and_then(|raw| members(raw.get())).unwrap_or_default();
    ServerInfo { name: string(info.get("name")), version: string(info.get("version")) }
}

/// What kind of JSON value a text is.
fn kind(json: &str) -> &'static str {
    match json.trim_start().bytes().next() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') | None => "null",
        Some(_) => "a number",
    }
}

fn told_kind(raw: &RawValue) -> &'static str {
    kind(raw.get())
}

#[cfg(test)]
mod tests;
