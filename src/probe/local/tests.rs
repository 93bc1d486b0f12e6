//! Servers of a few lines of shell, for what only processes do.

use std::path::Path;

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;

use super::*;
use crate::model::launch::Launch;
use crate::probe::probe;

/// A server in shell: what it does first, and what instead of the usual with some method.
fn server(first: &str, cases: &str) -> String {
    format!(
        r#"{first}
say() {{ printf '{{"jsonrpc":"2.0","id":%s,%s}}\n' "$id" "$1"; }}
while read -r line; do
    id=${{line#*\"id\":}}; id=${{id%%[,\}}]*}}
    case "$line" in
        {cases}
        *'"initialize"'*) say '"result":{{"protocolVersion":"2025-06-18","capabilities":{{}},"serverInfo":{{"name":"sh","version":"1"}}}}';;
        *'"tools/list"'*) say '"result":{{"tools":[{{"name":"a"}}]}}';;
        *notifications/*) ;;
        *) say '"error":{{"code":-32601,"message":"no"}}';;
    esac
done"#
    )
}

fn request(script: &str, folder: &Path) -> Request {
    let words = ["sh", "-c", script].map(str::to_owned);
    Request {
        name: "fake".to_owned(),
        launch: Launch::command(&words, folder).expect("a command"),
        limits: Limits {
            // Only who is silent is to be waited for so long, even by a machine with much to do.
            handshake: Duration::from_secs(20),
            grace: Duration::from_millis(200),
            ..Limits::default()
        },
        environment: Vec::new(),
        home: None,
    }
}

async fn run(script: &str) -> ProbeReport {
    probe(&request(script, Path::new("/"))).await
}

/// Waits until a process is gone, or a zombie that somebody else has to bury.
async fn is_gone(id: i32) -> bool {
    let is_there = || {
        let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        !state.contains(") Z ") && kill(Pid::from_raw(id), None) != Err(Errno::ESRCH)
    };
    for _ in 0..200 {
        if !is_there() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

/// The ids that a server has written into a file, once it has.
async fn ids(file: &Path, count: usize) -> Vec<i32> {
    for _ in 0..500 {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let ids: Vec<i32> = text.split_whitespace().filter_map(|id| id.parse().ok()).collect();
        if ids.len() == count && text.ends_with('\n') {
            return ids;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the server has not started");
}

#[tokio::test]
async fn a_server_is_asked_and_ends() {
    let report = run(&server("echo ready >&2; echo hello", "")).await;
    assert_eq!(report.failure, None);
    assert_eq!((report.counts.tools, report.noise.lines), (1, 1));
    assert_eq!(report.stderr.trim(), "ready");
    assert!(report.timings.ready.is_some() && report.timings.tools.is_some());
    assert!(report.snapshot.is_some());
    assert!(report.at > 0);
}

#[tokio::test]
async fn it_says_how_it_ended() {
    let begun = Instant::now();
    let report = run("echo 'no such thing' >&2; exit 3").await;
    let phase = Phase::Handshake;
    let cause = cause("no such thing\n");
    assert_eq!(report.failure, Some(Failure::Exited { phase, ended: Ended::Code(3), cause }));
    let report = run("kill -9 $$").await;
    assert_eq!(report.failure, Some(Failure::Exited { phase, ended: Ended::Signal(9), cause: None }));
    let report = run("exec >&-; exec sleep 60").await;
    assert_eq!(report.failure, Some(Failure::Exited { phase, ended: Ended::ClosedOutput, cause: None }));
    let crash = "*'\"tools/list\"'*) say '\"result\":{\"tools\":[{}],\"nextCursor\":\"a\"}'; exit 4;;";
    let report = run(&server("", crash)).await;
    let phase = Phase::List("tools/list");
    assert_eq!(report.failure, Some(Failure::Exited { phase, ended: Ended::Code(4), cause: None }));
    assert_eq!(report.counts.tools, 1);
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    let mut silent = request("exec sleep 60", Path::new("/"));
    silent.limits.handshake = Duration::from_secs(1);
    let report = probe(&silent).await;
    assert!(matches!(report.failure, Some(Failure::TimedOut { phase: Phase::Handshake, .. })));
}

#[tokio::test]
async fn what_an_old_server_does_not_know_costs_a_second_start() {
    let script = server("", "*server/discover*) exit 1;;");
    for _ in 0..2 {
        let report = run(&script).await;
        assert_eq!((report.failure, report.counts.tools), (None, 1));
        assert_eq!(report.oddities, [Oddity::DiedOnDiscover]);
    }
    // The second probe knew, and started it once.
    assert_eq!(OLD.lock().get(&request(&script, Path::new("/")).launch.id()), Some(&true));
}

#[tokio::test]
async fn nothing_is_left_whatever_a_server_does() {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("ids");
    let path = file.display();
    // It ignores that it is to end, and so does its child; with `setsid` that one leaves the group too.
    let stubborn = format!("trap '' TERM; sleep 300 & echo $$ $! >{path}.new; mv {path}.new {path}");
    let after = "; sleep 300";
    let leaves = format!("setsid sleep 300 & echo $$ $! >{path}.new; mv {path}.new {path}");
    // The first process ends as soon as there is another one to talk.
    let forks = format!(
        "sh -c 'echo $$ $$ >{path}.new; mv {path}.new {path}; exec sleep 300' & until [ -e {path} ]; do sleep 0.01; done; exit 0"
    );
    let mut scripts = vec![server(&stubborn, "") + after, server(&stubborn, "*tools/list*) exit 1;;"), forks];
    if cfg!(target_os = "linux") {
        scripts.push(server(&leaves, "") + after);
        scripts.push(server(&leaves, ""));
    }
    for script in scripts {
        let _ = std::fs::remove_file(&file);
        probe(&request(&script, folder.path())).await;
        for id in ids(&file, 2).await {
            assert!(is_gone(id).await, "{id} of {script}");
        }
    }
}

#[tokio::test]
async fn a_probe_that_is_dropped_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("ids");
    let path = file.display();
    let script = format!("trap '' TERM; sleep 300 & echo $$ $! >{path}.new; mv {path}.new {path}; wait");
    let request = request(&script, folder.path());
    let ids = tokio::select! {
        report = probe(&request) => panic!("{report:?}"),
        ids = ids(&file, 2) => ids,
    };
    for id in ids {
        assert!(is_gone(id).await, "{id}");
    }
}
