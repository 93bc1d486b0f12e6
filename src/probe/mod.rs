//! Asks a server what it exposes: starts or contacts it, agrees on a version of the protocol, reads its lists as it
//! sends them, and ends it again, with everything that it started.
//!
//! Knows nothing of documents or rules. *Invariant:* nothing here asks for consent; whoever calls [`probe`] has it.
//! *Invariant:* a probe may be dropped at any time, and leaves no process behind.

pub mod cache;
pub mod prober;
#[cfg_attr(not(test), expect(dead_code, reason = "whoever asks servers will call it"))]
mod snapshot;
pub mod trust;

use std::path::PathBuf;
use std::time::Duration;

use crate::facts::{Failure, ProbeReport};
use crate::model::dialect::Transport;
use crate::model::launch::{Launch, Way};

/// What is to be asked, and how far to go.
#[derive(Clone, Debug)]
pub struct Request {
    /// The server's name.
    pub name: String,
    /// What is started or contacted, as it is written.
    pub launch: Launch,
    /// How far to go.
    pub limits: Limits,
    /// Variables that a started server has beside the basics and its own: `NAME` to pass ours on, `NAME=value` to set one.
    pub environment: Vec<String>,
    /// The user's home directory, where a server without a project runs.
    pub home: Option<PathBuf>,
}

/// How far a probe goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For the handshake; where a launcher such as `npx` may have to download first, [`Limits::download`] holds.
    pub handshake: Duration,
    /// For the handshake of what may have to be downloaded.
    pub download: Duration,
    /// For each page of a list.
    pub list: Duration,
    /// How long a server is waited for at its end, before it is told to end and once more before it is killed.
    pub grace: Duration,
    /// The length of one message, in bytes.
    pub message: usize,
    /// All that a server may say, in bytes.
    pub total: usize,
    /// Pages of one list.
    pub pages: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            handshake: Duration::from_secs(30),
            download: Duration::from_secs(120),
            list: Duration::from_secs(15),
            grace: Duration::from_millis(500),
            message: 16 << 20,
            total: 64 << 20,
            pages: 100,
        }
    }
}

/// Asks a server. Never fails: what goes wrong is in the report.
pub async fn probe(request: &Request) -> ProbeReport {
    let transport = match &request.launch.way {
        Way::Start(_) => Transport::Stdio,
        Way::Contact(contact) => contact.transport.unwrap_or(Transport::Http),
    };
    let mut report = ProbeReport::new(request.launch.id(), &request.name, transport);
    report.failure = Some(Failure::NotStarted("not built yet".to_owned()));
    report
}
