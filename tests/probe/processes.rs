//! What is left behind, and how long it takes. Alone, since everything else would count as well.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::future::join_all;
use mcp_analyzer::facts::{Ended, Failure, Phase, ProbeReport};
use mcp_analyzer::model::launch::{Launch, Way};
use mcp_analyzer::probe::{Limits, Request, probe};

use crate::session::{Running, Session, assert_fine, failure, fake, real, request};

/// The processes that the fakes have noted and that are still there.
fn left(pids: &Path) -> Vec<String> {
    let noted = fs::read_to_string(pids).unwrap_or_default();
    noted
        .lines()
        .filter_map(|pid| fs::read_to_string(format!("/proc/{pid}/stat")).ok())
        .filter(|stat| is_alive(stat))
        .collect()
}

/// Whether a process is there, by its `stat`. Dead ones that are not ours wait for a parent who may never look.
fn is_alive(stat: &str) -> bool {
    let Some((_, fields)) = stat.rsplit_once(") ") else { return true };
    let mut fields = fields.split(' ');
    let is_dead = fields.next() == Some("Z");
    !is_dead || fields.next() == Some(&std::process::id().to_string())
}

fn descriptors() -> Vec<String> {
    let entries = fs::read_dir("/proc/self/fd").expect("Linux").filter_map(Result::ok);
    entries.filter_map(|entry| Some(fs::read_link(entry.path()).ok()?.to_string_lossy().into_owned())).collect()
}

/// Waits until something holds; says what there is instead where it does not come to that.
async fn until<T: std::fmt::Debug>(mut state: impl FnMut() -> T, holds: impl Fn(&T) -> bool) {
    let start = Instant::now();
    let mut ticks = tokio::time::interval(Duration::from_millis(5));
    loop {
        ticks.tick().await;
        let now = state();
        if holds(&now) {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(10), "{now:?}");
    }
}

/// A fake that notes its processes in a file of its own.
struct Noting {
    pids: tempfile::NamedTempFile,
    request: Request,
}

impl Noting {
    fn new(arguments: &[&str]) -> Noting {
        let pids = tempfile::NamedTempFile::new().expect("a file");
        let path = pids.path().to_string_lossy().into_owned();
        let mut request = request(fake(&[arguments, &["--pids", &path]].concat()));
        request.limits.handshake = Duration::from_secs(if arguments == ["silent"] { 1 } else { 20 });
        request.limits.list = Duration::from_secs(if arguments == ["hangs"] { 1 } else { 20 });
        request.limits.grace = Duration::from_millis(100);
        Noting { pids, request }
    }

    /// Waits until nothing of it is left.
    async fn gone(&self) {
        until(|| (&self.request.name, left(self.pids.path())), |(_, left)| left.is_empty()).await;
    }

    async fn asked(&self) -> ProbeReport {
        let report = tokio::time::timeout(Duration::from_secs(60), probe(&self.request)).await.expect("a report");
        self.gone().await;
        assert!(!fs::read_to_string(&self.pids).expect("a list").is_empty(), "nobody was there: {report:?}");
        report
    }

    /// Drops the probe as soon as this many ids are noted.
    async fn dropped(&self, noted: usize) {
        tokio::select! {
            report = probe(&self.request) => panic!("it came to an end: {report:?}"),
            () = until(|| fs::read_to_string(&self.pids).unwrap_or_default().lines().count(), |count| *count >= noted) => {}
        }
        self.gone().await;
    }
}

#[test]
fn a_child_that_does_not_heed() {
    let session = Session::new();
    for behaviour in ["deaf", "child", "holding-child", "setsid-child"] {
        let report = session.runtime.block_on(Noting::new(&[behaviour]).asked());
        assert_fine(&report);
        assert_eq!(report.counts.tools, 1);
        assert!(report.timings.total < Duration::from_secs(5), "{:?}", report.timings);
    }
    let report = session.runtime.block_on(Noting::new(&["orphan"]).asked());
    let expected = Failure::Exited { phase: Phase::Handshake, ended: Ended::Code(0), cause: None };
    assert_eq!(*failure(&report), expected);
}

#[test]
fn a_probe_that_is_dropped() {
    let session = Session::new();
    // How many ids are noted when it is dropped: `deaf` notes its own again once its stdin is closed.
    for (behaviour, noted) in [
        ("silent", 1),
        ("hangs", 1),
        ("deaf", 2),
        ("child silent", 2),
        ("holding-child silent", 2),
        ("setsid-child silent", 2),
    ] {
        let words: Vec<_> = behaviour.split(' ').collect();
        let mut noting = Noting::new(&words);
        let limits = &mut noting.request.limits;
        [limits.handshake, limits.list, limits.grace] = [Duration::from_secs(20); 3];
        session.runtime.block_on(noting.dropped(noted));
    }
}

#[test]
fn nothing_is_left() {
    let session = Session::alone();
    let behaviours = ["ok", "silent", "closes", "hangs", "crash 3", "noise", "deaf", "child", "setsid-child", "orphan"];
    let ask = |rounds: std::ops::Range<usize>| {
        let probes = rounds.flat_map(|round| behaviours.map(|behaviour| (round, behaviour)));
        futures::stream::iter(probes).for_each_concurrent(8, |(round, behaviour)| async move {
            let words: Vec<_> = behaviour.split(' ').collect();
            let noting = Noting::new(&words);
            match behaviour {
                "silent" | "hangs" if round % 2 == 1 => noting.dropped(1).await,
                _ => drop(noting.asked().await),
            }
        })
    };
    session.runtime.block_on(async {
        ask(0..1).await;
        let before = descriptors();
        ask(1..11).await;
        until(descriptors, |now| now.len() <= before.len()).await;
    });
}

#[test]
fn no_connection_is_left() {
    let session = Session::alone();
    let servers = ["ok", "events", "old", "html", "malformed", "hang", "hangs"];
    let servers = servers.map(|behaviour| Running::example(&session, "fake", &[behaviour]));
    let requests = servers.each_ref().map(|server| {
        let mut request = request(server.launch());
        [request.limits.handshake, request.limits.list] = [Duration::from_millis(500); 2];
        request
    });
    session.runtime.block_on(async {
        join_all(requests.iter().map(probe)).await;
        let before = descriptors().len();
        for _ in 0..5 {
            join_all(requests.iter().map(probe)).await;
            for request in &requests[5..] {
                until(descriptors, |now| now.len() <= before).await;
                tokio::select! {
                    report = probe(request) => panic!("it came to an end: {report:?}"),
                    () = until(descriptors, |now| now.len() > before) => {}
                }
            }
        }
        until(descriptors, |now| now.len() <= before).await;
    });
}

/// The same start without us: the three lines that a list takes. How many tools there are, and when that was known.
fn bare(launch: &Launch) -> (usize, Instant) {
    let Way::Start(start) = &launch.way else { unreachable!("it is started") };
    let mut command = Command::new(&start.command);
    command.args(&start.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut answer = |id: u64| loop {
        let message: serde_json::Value =
            serde_json::from_str(&lines.next().expect("a line").expect("text")).expect("JSON");
        if message["id"] == id && message["method"].is_null() {
            return message;
        }
    };
    writeln!(stdin, r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{}},"clientInfo":{{"name":"bare","version":"1"}}}}}}"#).expect("written");
    answer(1);
    writeln!(stdin, r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#).expect("written");
    writeln!(stdin, r#"{{"jsonrpc":"2.0","id":2,"method":"tools/list"}}"#).expect("written");
    let tools = answer(2)["result"]["tools"].as_array().expect("tools").len();
    let known = Instant::now();
    drop(stdin);
    child.wait().expect("its end");
    (tools, known)
}

#[test]
fn five_at_once() {
    let names = ["everything", "filesystem", "memory", "time"];
    let Some(programs) = names.into_iter().map(real).collect::<Option<Vec<_>>>() else { return };
    let session = Session::alone();
    let directory = tempfile::tempdir().expect("a directory");
    let allowed = directory.path().to_string_lossy();
    let arguments = [&*allowed];
    let launches: Vec<_> = std::iter::zip(names, &programs)
        .map(|(name, program)| crate::session::start(program, if name == "filesystem" { &arguments[..] } else { &[] }))
        .collect();
    let missing = Launch::command(&["no-such-program-anywhere".to_owned()], directory.path()).expect("a command");
    let mut requests: Vec<_> = launches.iter().chain([&missing]).cloned().map(request).collect();
    requests.iter_mut().for_each(|request| request.limits = Limits::default());

    let millis = |time: Duration| i64::try_from(time.as_millis()).expect("not for ever");
    let [mut ours, mut theirs, mut listed] = [const { Vec::new() }; 3];
    // Side by side, since other work on the machine comes and goes: how much longer ours took, in the middle.
    let longer = |ours: &[i64], theirs: &[i64]| {
        let mut differences: Vec<_> = std::iter::zip(ours, theirs).map(|(ours, theirs)| ours - theirs).collect();
        differences.sort_unstable();
        differences[differences.len() / 2]
    };
    while ours.len() < 3 || ours.len() < 7 && longer(&ours, &theirs) > 150 {
        let start = Instant::now();
        let known: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = launches.iter().map(|launch| scope.spawn(|| bare(launch))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a list")).collect()
        });
        theirs.push(millis(start.elapsed()));
        listed.extend(known.iter().map(|(_, known)| millis(known.duration_since(start))).max());

        let start = Instant::now();
        let reports = session.runtime.block_on(join_all(requests.iter().map(probe)));
        ours.push(millis(start.elapsed()));
        for (report, (tools, _)) in std::iter::zip(&reports, known) {
            assert_fine(report);
            assert_eq!(report.counts.tools, tools);
        }
        let expected = Failure::NotFound { command: "no-such-program-anywhere".to_owned() };
        assert_eq!(*failure(&reports[4]), expected);
    }
    let numbers = format!(
        "four servers and one that is not there, until they ended: {ours:?} ms; \
         the four without us: {theirs:?} ms, until their lists: {listed:?} ms"
    );
    writeln!(std::io::stderr(), "{numbers}").expect("stderr can be written");
    assert!(longer(&ours, &theirs) <= 150, "{numbers}");
}
