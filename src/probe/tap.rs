//! What a server says, kept as it says it before anything parses it that would refuse or lose a part.
//!
//! Every transport shows its frames to the [`Tap`] first. Of an answer to a list the parser behind sees an empty object;
//! what it would refuse of a handshake it sees mended.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, DiscoverResult, InitializeResult, RequestId};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::Limits;
use crate::facts::{Failure, Noise, Oddity, ProbeReport};

/// Lines of noise that are kept, and how much of each.
const NOISE: (usize, usize) = (5, 200);
/// Names of methods that are kept, and how much of each.
const METHOD: (usize, usize) = (20, 100);

/// The members of a JSON object, each as it is written; the last of a name counts.
pub(super) type Members<'a> = HashMap<String, &'a RawValue>;

/// Reads an object; `None` where it is something else.
pub(super) fn members(text: &str) -> Option<Members<'_>> {
    text.trim_start().starts_with('{').then(|| serde_json::from_str(text).ok()).flatten()
}

/// A member's value where it is a string.
pub(super) fn string(raw: Option<&&RawValue>) -> Option<String> {
    serde_json::from_str(raw?.get()).ok()
}

/// Listens to one conversation.
#[derive(Clone, Default)]
pub(super) struct Tap(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    /// Questions that wait for an answer: by id as JSON, the method.
    pending: FxHashMap<String, String>,
    /// Ids of all questions.
    asked: FxHashSet<String>,
    results: FxHashMap<String, Box<RawValue>>,
    handshake: Option<Box<RawValue>>,
    discovered_late: bool,
    unoffered: Vec<String>,
    unknown_ids: usize,
    not_utf8: bool,
    lenient: Option<String>,
    noise: Noise,
    bytes: usize,
    /// Said more than is read.
    too_much: Option<Failure>,
    /// What was wrong with the last answer over HTTP.
    refusal: Option<Failure>,
    status: Option<u16>,
}

impl Tap {
    /// Takes note of a message to the server; the id of one that asks `server/discover`.
    pub(super) fn asked(&self, message: &ClientJsonRpcMessage) -> Option<RequestId> {
        let ClientJsonRpcMessage::Request(request) = message else { return None };
        let key = key(&request.id);
        let mut heard = self.0.lock();
        heard.asked.insert(key.clone());
        heard.pending.insert(key, request.request.method().to_owned());
        matches!(request.request, ClientRequest::DiscoverRequest(_)).then(|| request.id.clone())
    }

    /// Waits for an answer no longer; whether anybody did.
    pub(super) fn give_up(&self, id: &RequestId) -> bool {
        self.0.lock().pending.remove(&key(id)).is_some()
    }

    /// The answer to a question, once.
    pub(super) fn take(&self, id: &RequestId) -> Option<Box<RawValue>> {
        self.0.lock().results.remove(&key(id))
    }

    /// The last answer to a handshake.
    pub(super) fn handshake(&self) -> Option<Box<RawValue>> {
        self.0.lock().handshake.clone()
    }

    /// Whether `server/discover` was answered after it was given up: the server is slow, and not old.
    pub(super) fn discovered_late(&self) -> bool {
        self.0.lock().discovered_late
    }

    /// Counts what was read, of a message of this length until now; `false` where that is more than is read.
    pub(super) fn count(&self, read: usize, message: usize, limits: &Limits) -> bool {
        let mut heard = self.0.lock();
        heard.bytes += read;
        let what = if message > limits.message {
            format!("one message of more than {}", size(limits.message))
        } else if heard.bytes > limits.total {
            format!("more than {} in all", size(limits.total))
        } else {
            return true;
        };
        heard.too_much.get_or_insert(Failure::TooMuch(what));
        false
    }

    /// How much was read.
    pub(super) fn bytes(&self) -> usize {
        self.0.lock().bytes
    }

    /// Takes note of an answer over HTTP: its status, and what is wrong with it.
    pub(super) fn answered(&self, status: Option<u16>, refusal: Option<Failure>) {
        let mut heard = self.0.lock();
        heard.status = status;
        heard.refusal = refusal;
    }

    /// The status of the last answer over HTTP.
    pub(super) fn status(&self) -> Option<u16> {
        self.0.lock().status
    }

    /// What the transport knows of why there is no answer.
    pub(super) fn failure(&self) -> Option<Failure> {
        let heard = self.0.lock();
        heard.too_much.clone().or_else(|| heard.refusal.clone())
    }

    /// Takes note of what is no message.
    pub(super) fn noise(&self, text: &str) {
        self.0.lock().noise(text);
    }

    /// Hears one frame. What comes back is what a parser may see of it.
    pub(super) fn hear(&self, frame: &[u8]) -> Option<String> {
        let frame = frame.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(frame).trim_ascii();
        if frame.is_empty() {
            return None;
        }
        let text = String::from_utf8_lossy(frame);
        let mut heard = self.0.lock();
        let Some(message) = members(&text) else {
            heard.noise(&text);
            return None;
        };
        let present = |name: &str| message.get(name).copied().filter(|raw| raw.get() != "null");
        let id = present("id");
        heard.not_utf8 |= matches!(text, Cow::Owned(_));
        if let Some(method) = string(message.get("method")) {
            let method = start(&method, METHOD.1).to_owned();
            let is_new = heard.unoffered.len() < METHOD.0 && !heard.unoffered.contains(&method);
            if id.is_some() && method != "ping" && is_new {
                heard.unoffered.push(method);
            }
            return Some(text.into_owned());
        }
        // A line of a log may have a member of this name too.
        let is_error = |raw: &&RawValue| id.is_some() || members(raw.get()).is_some_and(|it| it.contains_key("code"));
        let error = present("error").filter(is_error);
        let Some(body) = error.or(message.get("result").copied()) else {
            heard.noise(&text);
            return None;
        };
        let content = members(body.get()).unwrap_or_default();
        let Some((key, method)) = heard.question(id, error.is_some(), &content) else {
            heard.discovered_late |= content.contains_key("supportedVersions");
            return None;
        };
        if error.is_some() {
            return Some(format!(r#"{{"jsonrpc":"2.0","id":{key},"error":{}}}"#, mended_error(body)));
        }
        let seen = if is_handshake(&method) {
            heard.handshake = Some(body.to_owned());
            match mended_handshake(&method, body.get()) {
                None => body.get().to_owned(),
                Some((why, mended)) => {
                    heard.lenient.get_or_insert(why);
                    mended.to_string()
                }
            }
        } else {
            heard.results.insert(key.clone(), body.to_owned());
            "{}".to_owned()
        };
        Some(format!(r#"{{"jsonrpc":"2.0","id":{key},"result":{seen}}}"#))
    }

    /// Puts into a report what was heard beside the lists.
    pub(super) fn tell(&self, report: &mut ProbeReport) {
        let heard = self.0.lock();
        report.noise = heard.noise.clone();
        let odd = [
            heard.lenient.clone().map(Oddity::LenientHandshake),
            heard.not_utf8.then_some(Oddity::NotUtf8),
            (heard.unknown_ids > 0).then_some(Oddity::UnknownIds(heard.unknown_ids)),
            (!heard.unoffered.is_empty()).then(|| Oddity::UnofferedRequests(heard.unoffered.clone())),
        ];
        report.oddities.extend(odd.into_iter().flatten());
    }
}

impl Heard {
    /// Which question an answer belongs to. Where its id is none that was asked, that is the only one that waits, if the
    /// answer looks like it; where it has none, that is the handshake, if it is an error. Some servers answer
    /// notifications, and those answers, like one to what was answered or given up, belong to nothing.
    fn question(&mut self, id: Option<&RawValue>, is_error: bool, content: &Members) -> Option<(String, String)> {
        let mut waiting = self.pending.iter();
        let only = waiting.next().filter(|_| waiting.next().is_none());
        let key = match id.map(RawValue::get) {
            Some(id) if self.asked.contains(id) => id.to_owned(),
            // A number that comes back as a string.
            Some(id) if self.asked.contains(id.trim_matches('"')) => {
                self.unknown_ids += 1;
                id.trim_matches('"').to_owned()
            }
            Some(_) => {
                self.unknown_ids += 1;
                only.filter(|(_, method)| !is_error && content.contains_key(content_of(method)))?.0.clone()
            }
            None if is_error => only.filter(|(_, method)| is_handshake(method))?.0.clone(),
            None => {
                self.unknown_ids += 1;
                return None;
            }
        };
        self.pending.remove_entry(&key)
    }

    fn noise(&mut self, text: &str) {
        self.noise.lines += 1;
        if self.noise.first.len() < NOISE.0 {
            self.noise.first.push(start(text, NOISE.1).to_owned());
        }
    }
}

fn is_handshake(method: &str) -> bool {
    matches!(method, "initialize" | "server/discover")
}

/// A member that the answer to a question has.
fn content_of(method: &str) -> &'static str {
    match method {
        "initialize" => "protocolVersion",
        "server/discover" => "supportedVersions",
        "tools/list" => "tools",
        "resources/list" => "resources",
        "resources/templates/list" => "resourceTemplates",
        _ => "prompts",
    }
}

/// A number of bytes in words.
fn size(bytes: usize) -> String {
    const MIB: usize = 1 << 20;
    if bytes > 0 && bytes.is_multiple_of(MIB) { format!("{} MiB", bytes / MIB) } else { format!("{bytes} bytes") }
}

/// The start of a text, of at most so many bytes.
pub(super) fn start(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn key(id: &RequestId) -> String {
    serde_json::to_string(id).unwrap_or_default()
}

/// An error as the specification wants it.
fn mended_error(raw: &RawValue) -> String {
    let members = members(raw.get()).unwrap_or_default();
    let code: Option<i32> = members.get("code").and_then(|code| serde_json::from_str(code.get()).ok());
    let message = string(members.get("message")).unwrap_or_else(|| start(raw.get(), 500).to_owned());
    let mut error = json!({ "code": code.unwrap_or(-32603), "message": message });
    if let Some(data) = members.get("data").and_then(|data| serde_json::from_str::<Value>(data.get()).ok()) {
        error["data"] = data;
    }
    error.to_string()
}

/// The least that a parser accepts in the place of a handshake that it would refuse, and why it would. `None` where it
/// accepts the handshake, or where not even the version can be told.
fn mended_handshake(method: &str, raw: &str) -> Option<(String, Box<RawValue>)> {
    let members = members(raw)?;
    let (why, mended) = if method == "initialize" {
        let why = serde_json::from_str::<InitializeResult>(raw).err()?;
        let version = string(members.get("protocolVersion"))?;
        let server = json!({ "name": "", "version": "" });
        (why, json!({ "protocolVersion": version, "capabilities": {}, "serverInfo": server }))
    } else {
        let why = serde_json::from_str::<DiscoverResult>(raw).err()?;
        let versions: Vec<String> = serde_json::from_str(members.get("supportedVersions")?.get()).ok()?;
        let result = json!({
            "resultType": "complete",
            "supportedVersions": versions,
            "capabilities": {},
            "ttlMs": 0,
            "cacheScope": "private",
        });
        (why, result)
    };
    let why = why.to_string();
    let why = why.split(" at line ").next().unwrap_or_default();
    Some((why.to_owned(), to_raw_value(&mended).ok()?))
}
