//! What is known from outside a document: what came of starting or contacting the servers that a config file names.
//!
//! Plain data; whoever asks servers puts it here. Probe results are facts and no findings: rules read them together with
//! the document, so that ranges always belong to the text that is there now. No IO here.

mod failure;

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::document::Document;
use crate::model::dialect::Transport;
use crate::model::launch::{LaunchId, Unresolved};

/// What is known of servers, by what starts or contacts them.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    servers: FxHashMap<LaunchId, Known>,
    revision: u64,
}

/// What is known of one server.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// How it stands with it.
    pub standing: Standing,
    /// What it said when it was last asked.
    pub report: Option<Arc<ProbeReport>>,
}

/// How it stands with asking a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// Nobody wants to.
    #[default]
    Idle,
    /// It was to be asked, and the user has not said that it may be started.
    Untrusted,
    /// The user has said that it may never be started.
    Refused,
    /// It is being asked.
    Running,
}

impl Facts {
    /// What is known of a server.
    pub fn of(&self, launch: LaunchId) -> Option<&Known> {
        self.servers.get(&launch)
    }

    /// Sets how it stands with a server.
    pub fn set_standing(&mut self, launch: LaunchId, standing: Standing) {
        self.servers.entry(launch).or_default().standing = standing;
        self.revision += 1;
    }

    /// Takes what a server said; nobody is asking it any more.
    pub fn take(&mut self, report: Arc<ProbeReport>) {
        let known = Known { standing: Standing::Idle, report: Some(report.clone()) };
        self.servers.insert(report.launch, known);
        self.revision += 1;
    }

    /// Every report.
    pub fn reports(&self) -> impl Iterator<Item = &Arc<ProbeReport>> {
        self.servers.values().filter_map(|known| known.report.as_ref())
    }

    /// Grows whenever something changes.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}

/// What came of asking a server. What it lists stands in the snapshot; the rest is what the lists do not show.
#[derive(Clone, Debug)]
pub struct ProbeReport {
    /// No other report of this process has it.
    pub number: u64,
    /// What was started or contacted.
    pub launch: LaunchId,
    /// The server's name when it was asked.
    pub name: String,
    /// When, in seconds since 1970.
    pub at: u64,
    /// How it was reached.
    pub transport: Transport,
    /// Why it ended before all was read; what was read until then is here all the same.
    pub failure: Option<Failure>,
    /// What it listed, as a document that is a tool list; `None` where it did not come to that.
    pub snapshot: Option<Document>,
    /// The version of the protocol that was agreed on.
    pub protocol_version: Option<String>,
    /// Its own `serverInfo`.
    pub server: ServerInfo,
    /// How much it listed.
    pub counts: Counts,
    /// The length of its instructions, in characters.
    pub instructions: Option<usize>,
    /// What it should not have done, though it went on.
    pub oddities: Vec<Oddity>,
    /// What it wrote to stdout that is no message.
    pub noise: Noise,
    /// The last of what it wrote to stderr, without secrets.
    pub stderr: String,
    /// How long it took.
    pub timings: Timings,
}

impl ProbeReport {
    /// A report that says nothing yet.
    pub fn new(launch: LaunchId, name: impl Into<String>, transport: Transport) -> ProbeReport {
        ProbeReport {
            number: next_number(),
            launch,
            name: name.into(),
            at: 0,
            transport,
            failure: None,
            snapshot: None,
            protocol_version: None,
            server: ServerInfo::default(),
            counts: Counts::default(),
            instructions: None,
            oddities: Vec::new(),
            noise: Noise::default(),
            stderr: String::new(),
            timings: Timings::default(),
        }
    }
}

fn next_number() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// What a server says it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerInfo {
    /// `name`
    pub name: Option<String>,
    /// `version`
    pub version: Option<String>,
}

/// How much a server lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tools.
    pub tools: usize,
    /// Pages that the tools came in.
    pub tool_pages: usize,
    /// Resources.
    pub resources: usize,
    /// Resource templates.
    pub resource_templates: usize,
    /// Prompts.
    pub prompts: usize,
}

/// What a server wrote to stdout that is no message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noise {
    /// How many lines.
    pub lines: usize,
    /// The start of the first few, without secrets.
    pub first: Vec<String>,
}

/// How long a probe took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Until the server was ready: from its start to the end of the handshake.
    pub ready: Option<Duration>,
    /// One `tools/list`, all pages; the median of several.
    pub tools: Option<Duration>,
    /// All of it.
    pub total: Duration,
}

/// The part of a probe that something happened in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Until both sides have agreed on a version of the protocol.
    Handshake,
    /// Reading a list: the method, `tools/list`.
    List(&'static str),
}

/// Why a probe ended before all was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There is no such program.
    NotFound {
        /// The command.
        command: String,
    },
    /// There is no such folder to run it in.
    NoDirectory {
        /// The folder.
        directory: String,
    },
    /// The system did not start it: its message.
    NotStarted(String),
    /// It ended.
    Exited {
        /// When.
        phase: Phase,
        /// The exit code, or else the signal that ended it.
        ended: Ended,
        /// Why, where its last words tell.
        cause: Option<Cause>,
    },
    /// It did not answer in time.
    TimedOut {
        /// What was waited for.
        phase: Phase,
        /// How long.
        after: Duration,
        /// Why, where its last words tell.
        cause: Option<Cause>,
    },
    /// It answered with an error: its code and message.
    Refused {
        /// What was asked.
        phase: Phase,
        /// The code of JSON-RPC.
        code: i64,
        /// The server's message, without secrets.
        message: String,
        /// Why, where that or its last words tell.
        cause: Option<Cause>,
    },
    /// What it said breaks the protocol: how.
    Protocol(String),
    /// It said more than is read: what, and the limit.
    TooMuch(String),
    /// It wants somebody to sign in.
    AuthorizationRequired(Challenge),
    /// The answer over HTTP was no success.
    Status {
        /// The status.
        status: u16,
        /// The start of what came with it, without secrets.
        body: String,
    },
    /// It sends elsewhere, where nobody agreed to go.
    Redirected {
        /// Where, without user information and query.
        to: String,
    },
    /// The answer is no MCP: its content type.
    NotMcp {
        /// The content type.
        content_type: String,
    },
    /// Nobody answers at the address: the reason.
    Unreachable(String),
    /// It cannot be asked from here.
    Unresolved(Unresolved),
    /// No version of the protocol suits both: those of the server.
    NoCommonVersion {
        /// What the server speaks.
        server: Vec<String>,
    },
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With an exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It closed its stdout, and had to be ended.
    ClosedOutput,
}

/// What the last words of a process say of why it failed. A name is empty where they do not tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A module or library is missing.
    MissingModule(String),
    /// A module is there in a version that does not fit the rest.
    IncompatibleModule(String),
    /// The package, or this version of it, does not exist where it was looked for.
    NoSuchPackage(String),
    /// The package was withdrawn.
    Withdrawn {
        /// The package.
        package: String,
        /// The author's reason.
        reason: Option<String>,
    },
    /// The container image does not exist where it was looked for.
    NoSuchImage(String),
    /// Docker, which is to run it, is not running.
    DockerNotRunning,
    /// The package has no program of this name.
    NoSuchProgram(String),
    /// A program that it starts is missing.
    MissingProgram(String),
    /// The port is in use.
    PortInUse(Option<u16>),
    /// An environment variable is missing.
    MissingVariable(String),
    /// An argument is missing or wrong: the program's own words.
    Usage(String),
    /// A file or folder is missing.
    MissingFile(String),
    /// Permission is denied.
    PermissionDenied(String),
    /// The host cannot be reached.
    Unreachable(String),
    /// The key or token is not accepted.
    Unauthorized,
    /// The runtime is too old or too new: its words.
    WrongRuntime(String),
    /// The last line that looks like an error.
    Said(String),
}

/// What is known of a server that wants somebody to sign in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Challenge {
    /// 401 or 403.
    pub status: u16,
    /// The scheme: `Bearer`.
    pub scheme: Option<String>,
    /// Where the protected resource describes itself (RFC 9728).
    pub resource_metadata: Option<String>,
    /// What may be asked for.
    pub scope: Option<String>,
    /// The error, such as `invalid_token`.
    pub error: Option<String>,
}

/// Something that a server should not have done, though it went on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// A cursor came a second time.
    CursorRepeats {
        /// The method.
        method: &'static str,
        /// How many pages were read until then.
        pages: usize,
    },
    /// The pages did not end.
    EndlessPages {
        /// The method.
        method: &'static str,
        /// How many were read.
        pages: usize,
    },
    /// A cursor is no string.
    CursorNotString {
        /// The method.
        method: &'static str,
    },
    /// The list is not where it has to be, or no array: what there is instead.
    NoList {
        /// The method.
        method: &'static str,
        /// What there is.
        found: &'static str,
    },
    /// A list that was declared could not be read, other than that of the tools: why.
    ListFailed {
        /// The method.
        method: &'static str,
        /// Why.
        reason: String,
    },
    /// The answer to the handshake lacks something: what.
    LenientHandshake(String),
    /// Messages that are not UTF-8.
    NotUtf8,
    /// Answers to questions that nobody asked, or that were given up.
    UnknownIds(usize),
    /// It asked for something that no client offered: the methods.
    UnofferedRequests(Vec<String>),
    /// It ended or fell silent when it was asked `server/discover`, which an older server should refuse.
    DiedOnDiscover,
}
