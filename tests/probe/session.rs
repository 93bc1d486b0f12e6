//! What the tests start, and how they ask it.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use mcp_analyzer::facts::{Failure, Oddity, ProbeReport};
use mcp_analyzer::model::launch::{Launch, Way};
use mcp_analyzer::probe::{Limits, Request, probe};
use tokio::runtime::Runtime;

/// A part of the tool that the fakes have, which nobody may spell otherwise.
pub const VENDOR: &str = r#""vendor": 1.50e2"#;

/// A secret that only who gives it to a server knows to be one.
pub const OWN_SECRET: &str = "tom-jane-2719";

/// No test that counts processes, descriptors or milliseconds runs beside another.
static TURN: RwLock<()> = RwLock::new(());

enum Turn {
    Beside {
        _guard: RwLockReadGuard<'static, ()>,
    },
    #[cfg(target_os = "linux")]
    Alone {
        _guard: std::sync::RwLockWriteGuard<'static, ()>,
    },
}

/// One test's turn to ask servers.
pub struct Session {
    pub runtime: Runtime,
    _turn: Turn,
}

impl Session {
    /// A turn beside other tests.
    pub fn new() -> Session {
        Session::of(Turn::Beside { _guard: TURN.read().unwrap_or_else(PoisonError::into_inner) })
    }

    /// A turn without any other test.
    #[cfg(target_os = "linux")]
    pub fn alone() -> Session {
        Session::of(Turn::Alone { _guard: TURN.write().unwrap_or_else(PoisonError::into_inner) })
    }

    fn of(turn: Turn) -> Session {
        Session { runtime: Runtime::new().expect("a runtime"), _turn: turn }
    }

    /// Asks, and tells a failing test what came.
    #[expect(clippy::print_stdout, reason = "the test's own output, which is shown where it fails")]
    pub fn ask(&self, request: &Request) -> ProbeReport {
        let limits = &request.limits;
        let longest = 2 * limits.handshake.max(limits.download) + 12 * limits.list + 4 * limits.grace;
        let report = self.runtime.block_on(async { tokio::time::timeout(longest, probe(request)).await });
        let report = report.unwrap_or_else(|_| panic!("`{}` took more than {longest:?}", request.name));
        let shown = ProbeReport { snapshot: None, ..report.clone() };
        println!("{shown:?}");
        report
    }
}

/// A request for a server that is to answer.
pub fn request(launch: Launch) -> Request {
    let name = match &launch.way {
        Way::Start(start) => start.arguments.join(" "),
        Way::Contact(contact) => contact.url.clone(),
    };
    let limits =
        Limits { grace: Duration::from_millis(200), message: 1 << 20, total: 4 << 20, pages: 10, ..Limits::default() };
    Request { name, launch, limits, environment: Vec::new(), home: env::home_dir() }
}

/// A request for a server that is not to answer in time.
pub fn hasty(launch: Launch) -> Request {
    let mut request = request(launch);
    request.limits.handshake = Duration::from_secs(1);
    request.limits.download = Duration::from_secs(1);
    request.limits.list = Duration::from_secs(1);
    request
}

/// Starts one of the programs of `tests/servers`.
pub fn example(name: &str, arguments: &[&str]) -> Launch {
    let path = example_path(name);
    start(&path, arguments)
}

/// Starts a program.
pub fn start(program: &Path, arguments: &[&str]) -> Launch {
    let mut words = vec![program.to_string_lossy().into_owned()];
    words.extend(arguments.iter().map(|&argument| argument.to_owned()));
    Launch::command(&words, Path::new(env!("CARGO_MANIFEST_DIR"))).expect("a command")
}

/// Starts the fake.
pub fn fake(arguments: &[&str]) -> Launch {
    example("fake", arguments)
}

/// Where Cargo puts a program of `tests/servers`.
pub fn example_path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_mcp-analyzer")).parent().expect("a folder").join("examples");
    let path = path.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is missing: `cargo build --examples` builds it", path.display());
    path
}

/// A real server; `None`, with a word on stderr, where there is none and none is required.
pub fn real(name: &str) -> Option<PathBuf> {
    if let Some(directory) = env::var_os("MCP_ANALYZER_TEST_SERVERS") {
        return Some(Path::new(&directory).join(name));
    }
    let message = format!("not run: {name} (needs MCP_ANALYZER_TEST_SERVERS; .ci/install-servers installs it)");
    assert!(!env::var("MCP_ANALYZER_REQUIRE_SERVERS").is_ok_and(|value| value == "1"), "{message}");
    // Not by a macro, whose output libtest keeps to itself when a test passes.
    writeln!(std::io::stderr(), "{message}").expect("stderr can be written");
    None
}

/// A server that is not started by who asks it, in a session, since it holds descriptors; ends with this.
pub struct Running {
    child: Child,
    pub url: String,
}

impl Running {
    /// One of `tests/servers`, which writes its URL.
    pub fn example(_: &Session, name: &str, arguments: &[&str]) -> Running {
        let mut command = Command::new(example_path(name));
        command.arg("http").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut url).expect("its URL");
        Running { child, url: url.trim().to_owned() }
    }

    /// A real one at a free port, which it is told by a variable, and says that it listens.
    pub fn real(_: &Session, program: &Path, argument: &str, path: &str) -> Running {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let mut command = Command::new(program);
        command.arg(argument).env("PORT", port.to_string()).stdin(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        while !line.contains(&port.to_string()) {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).expect("a line"), 0, "it ended");
        }
        std::thread::spawn(move || drop(stderr.read_to_end(&mut Vec::new())));
        Running { child, url: format!("http://127.0.0.1:{port}/{path}") }
    }

    /// Contacts it.
    pub fn launch(&self) -> Launch {
        Launch::url(&self.url)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The text of the snapshot.
pub fn snapshot(report: &ProbeReport) -> String {
    report.snapshot.as_ref().expect("a snapshot").text().to_string()
}

/// Nothing to say about a server.
pub fn assert_fine(report: &ProbeReport) {
    assert_only(report, &[]);
}

/// Nothing to say about a server but this.
pub fn assert_only(report: &ProbeReport, oddities: &[Oddity]) {
    assert_eq!(report.failure, None);
    assert_eq!(report.oddities, oddities);
    assert_eq!(report.noise.lines, 0, "{:?}", report.noise);
}

/// The one thing to say about a server.
pub fn failure(report: &ProbeReport) -> &Failure {
    assert_eq!(report.oddities, []);
    report.failure.as_ref().expect("a failure")
}
