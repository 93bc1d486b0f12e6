//! A started process and all that it starts, which end when they are to end, whatever happens.

use std::collections::VecDeque;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::environment::Place;
use super::tap::Tap;
use crate::facts::Ended;

/// How much of stderr is kept, in bytes.
const LAST_WORDS: usize = 8 << 10;
/// How long a killed process may take to be gone.
const KILLED: Duration = Duration::from_secs(2);
/// How long the rest of stderr is waited for: a process that left the group may hold it open for ever.
const REST: Duration = Duration::from_millis(100);
/// How long a server may say nothing after the process that was started has ended and left another one behind.
const LEFT_ALONE: Duration = Duration::from_secs(2);

/// A started process. Dropped, it is killed with all that it started.
pub(super) struct Child {
    child: Box<dyn ChildWrapper>,
    family: Vec<Relative>,
    stderr: Arc<Mutex<Tail>>,
    listener: JoinSet<()>,
    is_done: bool,
}

/// What stays of a stream.
#[derive(Default)]
struct Tail {
    bytes: VecDeque<u8>,
    is_cut: bool,
}

impl Child {
    /// Starts a program in a process group, or on Windows a job, of its own.
    pub(super) fn start(place: &Place) -> io::Result<(Child, ChildStdin, ChildStdout)> {
        let mut command = Command::new(&place.program);
        command.args(&place.arguments).env_clear().envs(place.environment.iter()).current_dir(&place.directory);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut command = CommandWrap::from(command);
        own_group(&mut command);
        let mut child = command.spawn()?;
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let stderr = Arc::new(Mutex::new(Tail::default()));
        let mut started =
            Child { child, family: Vec::new(), stderr: stderr.clone(), listener: JoinSet::new(), is_done: false };
        let (Some(stdin), Some(stdout), Some(words)) = pipes else {
            return Err(io::Error::other("the process has no pipes"));
        };
        started.listener.spawn(listen(words, stderr));
        Ok((started, stdin, stdout))
    }

    /// Returns when the process has ended, and nothing that it left behind talks on.
    pub(super) async fn is_gone(&mut self, tap: &Tap) {
        // An error means that it cannot be waited for: then the time limits hold.
        if self.child.inner_mut().wait().await.is_err() {
            std::future::pending::<()>().await;
        }
        loop {
            let before = tap.bytes();
            sleep(LEFT_ALONE).await;
            if tap.bytes() == before {
                return;
            }
        }
    }

    /// Takes note of all that the process has started. Later, those whose parents have ended cannot be told any more.
    pub(super) fn note_family(&mut self) {
        if let Some(id) = self.child.id() {
            self.family.extend(family(id));
        }
    }

    /// Ends it, its stdin being closed: waits, asks it to end, waits, kills it; and kills, always, what it left behind.
    /// How it ended, where it can be told.
    pub(super) async fn end(&mut self, grace: Duration) -> Option<Ended> {
        let mut ended = self.waited(grace).await.map(told);
        if ended.is_none() {
            self.note_family();
            ask_to_end(&*self.child);
            if self.waited(grace).await.is_some() {
                ended = Some(Ended::ClosedOutput);
            }
        }
        self.kill();
        if ended.is_none() {
            ended = self.waited(KILLED).await.map(|_| Ended::ClosedOutput);
        }
        self.is_done = true;
        // Without its end the last words are those until now.
        let _ = timeout(REST, self.listener.join_next()).await;
        ended
    }

    /// Waits for the process itself: the wrapper would wait for all of the group.
    async fn waited(&mut self, within: Duration) -> Option<ExitStatus> {
        timeout(within, self.child.inner_mut().wait()).await.ok()?.ok()
    }

    fn kill(&mut self) {
        // There may be nothing left to kill.
        let _ = self.child.start_kill();
        self.family.drain(..).for_each(kill_relative);
    }

    /// The end of what it wrote to stderr.
    pub(super) fn last_words(&self) -> String {
        let tail = self.stderr.lock();
        let bytes: Vec<u8> = tail.bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        // Half a line may be half a secret, which nobody would recognise.
        let whole = if tail.is_cut { text.split_once('\n').map_or("", |(_, rest)| rest) } else { &text };
        whole.to_owned()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.is_done {
            self.note_family();
            self.kill();
        }
    }
}

/// Keeps the end of a stream, and reads it to its end so that nobody has to wait for us.
async fn listen(mut stream: impl AsyncRead + Unpin, tail: Arc<Mutex<Tail>>) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        let mut tail = tail.lock();
        tail.bytes.extend(&buffer[..read]);
        let excess = tail.bytes.len().saturating_sub(LAST_WORDS);
        tail.bytes.drain(..excess);
        tail.is_cut |= excess > 0;
    }
}

fn told(status: ExitStatus) -> Ended {
    match status.code() {
        Some(code) => Ended::Code(code),
        None => Ended::Signal(signal(status)),
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.signal().unwrap_or_default()
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> i32 {
    0
}

#[cfg(unix)]
fn own_group(command: &mut CommandWrap) {
    command.wrap(process_wrap::tokio::ProcessGroup::leader());
}

#[cfg(windows)]
fn own_group(command: &mut CommandWrap) {
    command.wrap(process_wrap::tokio::JobObject);
}

#[cfg(unix)]
fn ask_to_end(child: &dyn ChildWrapper) {
    // It may have ended just now.
    let _ = child.signal(nix::sys::signal::Signal::SIGTERM as i32);
}

/// There is nothing that a process without a window would hear.
#[cfg(not(unix))]
fn ask_to_end(_: &dyn ChildWrapper) {}

/// A process that another one has started, by its id and the time when it began: ids are used again.
#[cfg(target_os = "linux")]
#[derive(Clone, Debug, PartialEq, Eq)]
struct Relative {
    id: i32,
    began: String,
}

/// Elsewhere the group, or the job, has to do.
#[cfg(not(target_os = "linux"))]
enum Relative {}

/// All that a process has started, and so on. Some leave the group, such as what opens a browser.
#[cfg(target_os = "linux")]
fn family(root: u32) -> Vec<Relative> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let all: Vec<(i32, Relative)> = ids.filter_map(process).collect();
    let mut found = Vec::new();
    let mut parents = Vec::from_iter(i32::try_from(root));
    while let Some(parent) = parents.pop() {
        for (_, relative) in all.iter().filter(|(of, _)| *of == parent) {
            parents.push(relative.id);
            found.push(relative.clone());
        }
    }
    found
}

#[cfg(not(target_os = "linux"))]
fn family(_: u32) -> Vec<Relative> {
    Vec::new()
}

/// A process and the id of its parent.
#[cfg(target_os = "linux")]
fn process(id: i32) -> Option<(i32, Relative)> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The second field is a name in brackets, which may hold anything.
    let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_whitespace().collect();
    let began = (*fields.get(19)?).to_owned();
    Some((fields.get(1)?.parse().ok()?, Relative { id, began }))
}

#[cfg(target_os = "linux")]
fn kill_relative(relative: Relative) {
    if process(relative.id).is_some_and(|(_, now)| now == relative) {
        // It may have ended just now.
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(relative.id), nix::sys::signal::Signal::SIGKILL);
    }
}

#[cfg(not(target_os = "linux"))]
fn kill_relative(relative: Relative) {
    match relative {}
}
