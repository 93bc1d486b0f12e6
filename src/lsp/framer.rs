//! Cuts stdin into messages, and lets only those through that the protocol library can decode: it ends at the first
//! one that it cannot. The others are answered here, and the server lives.
//!
//! *Invariant:* nothing that a client sends ends the server or is written to the log, since it may be document text.

use std::borrow::Cow;
use std::str::FromStr;

use memchr::memmem;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Id, Request, Response};
use tower_lsp_server::ls_types as types;

use super::convert::{Spellings, repaired_uri};
use super::output::framed;

/// The longest message that is read. A text of 64 MiB can be six times as long in JSON.
const MAX_MESSAGE: usize = 400 << 20;

/// The longest header; what is longer is none.
const MAX_HEADER: usize = 16 << 10;

/// A larger buffer is given back after the message that needed it.
const KEPT_BUFFER: usize = 1 << 20;

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;

/// What comes of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Framed {
    /// A frame for the protocol library.
    Forward(Vec<u8>),
    /// A message for the client.
    Answer(Vec<u8>),
}

/// Cuts and checks.
#[derive(Debug, Default)]
pub(super) struct Framer {
    buffer: Vec<u8>,
    /// How much of a message that is too long is still to come.
    skip: usize,
    /// Nothing is known to be a header until the next `Content-Length:`.
    is_lost: bool,
    has_exited: bool,
    spellings: Spellings,
}

/// The parts of a message that say what it is, read without limit on the nesting of the rest.
#[derive(Deserialize)]
struct Envelope {
    id: Option<Value>,
    #[serde(rename = "method")]
    _method: Option<IgnoredAny>,
}

impl Framer {
    /// A framer that notes in `spellings` which URIs it repaired.
    pub(super) fn new(spellings: Spellings) -> Self {
        Self { spellings, ..Self::default() }
    }

    /// Whether `exit` went through, after which nothing is read.
    pub(super) fn has_exited(&self) -> bool {
        self.has_exited
    }

    /// Takes bytes in, and appends what comes of the messages that they complete.
    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut Vec<Framed>) {
        let skipped = self.skip.min(bytes.len());
        self.skip -= skipped;
        self.buffer.extend_from_slice(&bytes[skipped..]);
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut at = 0;
        while let Some(length) = self.take_one(&buffer[at..], out) {
            at += length;
        }
        buffer.drain(..at.min(buffer.len()));
        if buffer.is_empty() && buffer.capacity() > KEPT_BUFFER {
            buffer = Vec::new();
        }
        self.buffer = buffer;
    }

    /// Handles what `bytes` start with, and tells how long it was; `None` where more has to come first.
    fn take_one(&mut self, bytes: &[u8], out: &mut Vec<Framed>) -> Option<usize> {
        if self.is_lost {
            return self.find_header(bytes);
        }
        let Some(header) = memmem::find(bytes, b"\r\n\r\n") else {
            if bytes.len() <= MAX_HEADER {
                return None;
            }
            return Some(self.lose(bytes.len().min(1), "no header", out));
        };
        let body = header + 4;
        match content_length(&bytes[..header]) {
            None => Some(self.lose(body, "no usable Content-Length", out)),
            Some(length) if length > MAX_MESSAGE => {
                out.push(answer(&Value::Null, INVALID_REQUEST, "the message is too long"));
                log::error!("a message of {length} bytes is skipped");
                let here = length.min(bytes.len() - body);
                self.skip = length - here;
                Some(body + here)
            }
            Some(length) => {
                out.extend(self.check(bytes.get(body..body.checked_add(length)?)?));
                Some(body + length)
            }
        }
    }

    fn lose(&mut self, length: usize, why: &str, out: &mut Vec<Framed>) -> usize {
        self.is_lost = true;
        out.push(answer(&Value::Null, PARSE_ERROR, why));
        log::error!("a message is skipped: {why}");
        length
    }

    /// Looks for the next header, and drops what comes before.
    fn find_header(&mut self, bytes: &[u8]) -> Option<usize> {
        const NAME: &[u8] = b"content-length:";
        let found = bytes.windows(NAME.len()).position(|window| window.eq_ignore_ascii_case(NAME));
        self.is_lost = found.is_none();
        // Its start may be here and its end still to come.
        found.or_else(|| bytes.len().checked_sub(NAME.len())).filter(|length| *length > 0 || !self.is_lost)
    }

    fn check(&mut self, body: &[u8]) -> Option<Framed> {
        let body = repair_surrogates(body);
        match serde_json::from_slice::<Request>(&body) {
            Ok(request) if !request.method().is_empty() => self.check_request(request, &body),
            _ => Some(check_other(&body)),
        }
    }

    fn check_request(&mut self, request: Request, body: &[u8]) -> Option<Framed> {
        let (method, id, params) = request.into_parts();
        if let Some(id) = &id
            && method.starts_with("$/")
        {
            let id = serde_json::to_value(id).unwrap_or_default();
            return Some(answer(&id, METHOD_NOT_FOUND, "method not found"));
        }
        self.has_exited |= method == "exit";
        let mut params = params.unwrap_or_default();
        let frame = if self.repair_uris(&mut params) {
            let request = Request::build(method.clone()).params(params.clone());
            let request = match id.clone() {
                Some(id) => request.id(id).finish(),
                None => request.finish(),
            };
            framed(&serde_json::to_vec(&request).ok()?)
        } else {
            framed(body)
        };
        if id.is_none() && !is_understood(&method, params) {
            log::error!("a notification {method} is not understood and has no effect");
        }
        Some(Framed::Forward(frame))
    }

    /// Encodes what URIs cannot hold, where a client left it as it was; whether there was any.
    fn repair_uris(&self, value: &mut Value) -> bool {
        let mut is_changed = false;
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    let is_uri = matches!(key.as_str(), "uri" | "rootUri" | "scopeUri" | "newUri" | "oldUri");
                    if let (true, Value::String(uri)) = (is_uri, &mut *value) {
                        if types::Uri::from_str(uri).is_err()
                            && let Some(repaired) = repaired_uri(uri)
                        {
                            self.spellings.insert(repaired.clone(), std::mem::replace(uri, repaired));
                            is_changed = true;
                        }
                    } else {
                        is_changed |= self.repair_uris(value);
                    }
                }
            }
            Value::Array(elements) => elements.iter_mut().for_each(|element| is_changed |= self.repair_uris(element)),
            _ => {}
        }
        is_changed
    }
}

/// An answer of a client, brought into the shape that the protocol library can read; else the answer to a mistake.
fn check_other(body: &[u8]) -> Framed {
    if std::str::from_utf8(body).is_err() {
        return answer(&Value::Null, PARSE_ERROR, "not UTF-8");
    }
    let value = match serde_json::from_slice::<Value>(body) {
        Ok(value) => value,
        Err(_) => {
            return match serde_json::from_slice::<Envelope>(body) {
                // Only the nesting can be wrong with it.
                Ok(envelope) => {
                    answer(&usable_id(envelope.id.as_ref()), INVALID_REQUEST, "the message is nested too deeply")
                }
                Err(error) if error.is_data() => answer(&Value::Null, INVALID_REQUEST, "not a JSON-RPC 2.0 message"),
                Err(error) => {
                    let place = error.column();
                    answer(&Value::Null, PARSE_ERROR, &format!("not JSON at byte {place} of its line"))
                }
            };
        }
    };
    let id = value.get("id");
    let is_answer = value.get("method").is_none() && id.is_some_and(|id| !id.is_null()) && value["jsonrpc"] == "2.0";
    if let (true, Some(Ok(id))) = (is_answer, id.map(Id::deserialize)) {
        return Framed::Forward(framed(&serde_json::to_vec(&client_answer(id, &value)).unwrap_or_default()));
    }
    answer(&usable_id(id), INVALID_REQUEST, "not a JSON-RPC 2.0 message")
}

/// The protocol library takes an error with an unknown field for something else, and then waits forever. Some clients
/// give both parts, one of them null, or leave out a result that is null.
fn client_answer(id: Id, value: &Value) -> Response {
    match value.get("error").filter(|error| !error.is_null()) {
        None => Response::from_ok(id, value.get("result").cloned().unwrap_or_default()),
        Some(error) => {
            let mut kept = tower_lsp_server::jsonrpc::Error::internal_error();
            if let Some(code) = error.get("code").and_then(Value::as_i64) {
                kept.code = code.into();
            }
            kept.message = error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned().into();
            Response::from_error(id, kept)
        }
    }
}

/// The id of a request, where it can be one.
fn usable_id(id: Option<&Value>) -> Value {
    id.filter(|id| id.is_i64() || id.is_string()).cloned().unwrap_or_default()
}

fn answer(id: &Value, code: i64, message: &str) -> Framed {
    let answer = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } });
    Framed::Answer(answer.to_string().into_bytes())
}

/// Whether the parameters of a notification can be read; the protocol library says nothing where they cannot.
fn is_understood(method: &str, params: Value) -> bool {
    match method {
        "textDocument/didOpen" => serde_json::from_value::<types::DidOpenTextDocumentParams>(params).is_ok(),
        "textDocument/didChange" => serde_json::from_value::<types::DidChangeTextDocumentParams>(params).is_ok(),
        "textDocument/didClose" => serde_json::from_value::<types::DidCloseTextDocumentParams>(params).is_ok(),
        "workspace/didChangeWatchedFiles" => {
            serde_json::from_value::<types::DidChangeWatchedFilesParams>(params).is_ok()
        }
        "workspace/didChangeWorkspaceFolders" => {
            serde_json::from_value::<types::DidChangeWorkspaceFoldersParams>(params).is_ok()
        }
        _ => true,
    }
}

fn content_length(header: &[u8]) -> Option<usize> {
    let header = std::str::from_utf8(header).ok()?;
    let (_, value) = header
        .split("\r\n")
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("content-length"))?;
    value.trim().parse().ok()
}

/// Half a surrogate pair, which JavaScript writes without a second thought, becomes U+FFFD; else the text that holds
/// it could not be opened at all.
fn repair_surrogates(body: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Cow::Borrowed(body);
    let mut after_pair = 0;
    for at in memmem::find_iter(body, b"\\u") {
        let escapes = body[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        if escapes % 2 == 1 || at < after_pair {
            continue;
        }
        match unit(body, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(body, at + 6), Some(0xDC00..=0xDFFF)) => after_pair = at + 12,
            Some(0xD800..=0xDFFF) => out.to_mut()[at + 2..at + 6].copy_from_slice(b"fffd"),
            _ => {}
        }
    }
    out
}

/// The UTF-16 unit that an escape at this place stands for.
fn unit(body: &[u8], at: usize) -> Option<u16> {
    let digits = body.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests;
