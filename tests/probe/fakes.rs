//! Servers that misbehave: each in one way, of which the report says one thing.

use std::fs;
use std::time::{Duration, Instant};

use mcp_analyzer::facts::{Cause, Ended, Failure, Oddity, Phase, ProbeReport};
use mcp_analyzer::model::launch::{Launch, Way};
use mcp_analyzer::probe::Limits;

use crate::session::{OWN_SECRET, Session, VENDOR, assert_fine, assert_only, failure, fake, hasty, request, snapshot};

const LIST: Phase = Phase::List("tools/list");

/// What the fakes write where it must not be seen.
const SECRET: &str = concat!("ghp_", "4fKq81ZpLw7Rb2XcVt9Jh3Nd5Gs6Ym0QaTeU");

fn ask(arguments: &[&str]) -> ProbeReport {
    Session::new().ask(&request(fake(arguments)))
}

/// Asks one that is not to answer in time; it takes no longer than it has to.
fn ask_in_haste(arguments: &[&str]) -> ProbeReport {
    let session = Session::new();
    let start = Instant::now();
    let report = session.ask(&hasty(fake(arguments)));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    report
}

/// What was read before it failed.
fn assert_kept(report: &ProbeReport, tools: usize) {
    assert_eq!(report.counts.tools, tools);
    let snapshot: serde_json::Value = serde_json::from_str(&snapshot(report)).expect("JSON");
    assert_eq!(snapshot["tools"].as_array().expect("tools").len(), tools);
}

/// All of a report that a server may have had a say in, but for the lists.
fn shown(report: &ProbeReport) -> String {
    format!("{:?} {:?} {:?} {}", report.failure, report.oddities, report.noise, report.stderr)
}

#[test]
fn a_good_one() {
    let report = ask(&["ok"]);
    assert_fine(&report);
    assert!(snapshot(&report).contains(VENDOR), "{}", snapshot(&report));
    assert_eq!(report.server.name.as_deref(), Some("fake"));
    assert_eq!(report.server.version.as_deref(), Some("1.2.3"));
    assert_eq!(report.instructions, Some("Ask for one thing at a time.".len()));
    let counts = report.counts;
    assert_eq!((counts.tools, counts.resources, counts.resource_templates, counts.prompts), (1, 1, 1, 2));
}

#[test]
fn one_malformed_tool_among_good_ones() {
    let report = ask(&["malformed"]);
    assert_fine(&report);
    assert_kept(&report, 3);
    assert!(snapshot(&report).contains(VENDOR));
    assert!(snapshot(&report).contains(r#"{ "name": 5, "inputSchema": "none" }"#));
}

#[test]
fn all_of_a_file() {
    let session = Session::new();
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(&file, format!("[\n  {{\"name\": \"a\", {VENDOR}}},\n  {{\"name\": \"b\"}}\n]\n")).expect("written");
    let report = session.ask(&request(fake(&["list", &file.path().to_string_lossy()])));
    assert_fine(&report);
    assert_kept(&report, 2);
}

#[test]
fn words_on_stdout_that_are_no_messages() {
    let report = ask(&["banner"]);
    assert_eq!((&report.failure, &*report.oddities), (&None, &[][..]));
    assert_eq!(report.noise.lines, 2);
    assert!(report.noise.first[0].starts_with("Listening with token"), "{:?}", report.noise);
    assert!(!shown(&report).contains(SECRET));
    assert_kept(&report, 1);

    let report = ask(&["log-line"]);
    assert_eq!((&report.failure, &*report.oddities), (&None, &[][..]));
    assert_eq!(report.noise.lines, 1);
    assert_kept(&report, 1);
}

#[test]
fn a_flood_on_stderr() {
    let report = ask(&["stderr-flood"]);
    assert_fine(&report);
    assert!(report.stderr.trim_end().contains("the last word"), "{}", report.stderr);
    assert!(report.stderr.len() < 64 << 10, "{}", report.stderr.len());
    assert!(!report.stderr.contains(SECRET));
}

#[test]
fn silence() {
    let report = ask_in_haste(&["silent"]);
    let Failure::TimedOut { phase: Phase::Handshake, cause: None, .. } = failure(&report) else {
        panic!("{:?}", report.failure)
    };
    let report = ask_in_haste(&["hangs"]);
    let Failure::TimedOut { phase: LIST, cause: None, .. } = failure(&report) else { panic!("{:?}", report.failure) };
    assert_eq!(report.server.name.as_deref(), Some("fake"));
}

#[test]
fn a_late_answer_in_time() {
    let report = ask(&["late", "300"]);
    assert_fine(&report);
    assert!(report.timings.ready.is_some_and(|ready| ready >= Duration::from_millis(300)), "{:?}", report.timings);
}

#[test]
fn its_end_before_the_first_word() {
    let report = ask(&["closes"]);
    let Failure::Exited { phase: Phase::Handshake, ended: Ended::Code(0), cause: None } = failure(&report) else {
        panic!("{:?}", report.failure)
    };
    assert!(report.snapshot.is_none());
}

#[test]
fn its_last_words() {
    let report = ask(&["exit", "3 Error: Cannot find module 'express'"]);
    let exited =
        |code, cause| Failure::Exited { phase: Phase::Handshake, ended: Ended::Code(code), cause: Some(cause) };
    assert_eq!(*failure(&report), exited(3, Cause::MissingModule("express".to_owned())));
    assert!(report.stderr.contains("Cannot find module"), "{}", report.stderr);

    let report = ask(&["exit", "1 Error: GITHUB_TOKEN environment variable is required"]);
    assert_eq!(*failure(&report), exited(1, Cause::MissingVariable("GITHUB_TOKEN".to_owned())));

    let report = ask(&["exit", "1 Error: listen EADDRINUSE: address already in use :::3000"]);
    assert_eq!(*failure(&report), exited(1, Cause::PortInUse(Some(3000))));

    let report = ask(&["exit", &format!("1 Error: the token {SECRET} has expired")]);
    failure(&report);
    assert!(!shown(&report).contains(SECRET), "{report:?}");

    let mut request = request(fake(&["exit", &format!("1 Error: {OWN_SECRET} has expired")]));
    let Way::Start(start) = &mut request.launch.way else { unreachable!("it is started") };
    start.environment.push(("KEEPER_TOKEN".to_owned(), Some(OWN_SECRET.to_owned())));
    let report = Session::new().ask(&request);
    failure(&report);
    assert!(!shown(&report).contains(OWN_SECRET), "{report:?}");
}

#[test]
fn nothing_to_start() {
    let session = Session::new();
    let missing = Launch::command(&["no-such-program-anywhere".to_owned()], &std::env::temp_dir()).expect("a command");
    let report = session.ask(&request(missing));
    assert_eq!(*failure(&report), Failure::NotFound { command: "no-such-program-anywhere".to_owned() });

    let mut launch = fake(&["ok"]);
    let Way::Start(start) = &mut launch.way else { unreachable!("it is started") };
    start.directory = Some("/no/such/folder".to_owned());
    let report = session.ask(&request(launch));
    assert_eq!(*failure(&report), Failure::NoDirectory { directory: "/no/such/folder".to_owned() });
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_run() {
    let session = Session::new();
    let file = tempfile::NamedTempFile::new().expect("a file");
    let report = session.ask(&request(crate::session::start(file.path(), &[])));
    let Failure::NotStarted(message) = failure(&report) else { panic!("{:?}", report.failure) };
    assert!(message.to_lowercase().contains("permission denied"), "{message}");
}

#[test]
fn a_crash_between_pages() {
    let report = ask(&["crash", "3"]);
    let cause = Some(Cause::Said("out of paper".to_owned()));
    assert_eq!(*failure(&report), Failure::Exited { phase: LIST, ended: Ended::Code(3), cause });
    assert_kept(&report, 1);
}

#[test]
fn half_a_line() {
    let report = ask(&["half-line"]);
    assert_eq!(*failure(&report), Failure::Exited { phase: LIST, ended: Ended::Code(0), cause: None });
}

#[test]
fn a_last_line_without_an_end() {
    let report = ask(&["no-newline"]);
    assert_kept(&report, 1);
}

#[test]
fn too_much() {
    let session = Session::new();
    let mut huge = request(fake(&["huge", "100000000"]));
    huge.limits = Limits::default();
    for request in [huge, request(fake(&["noise"]))] {
        let start = Instant::now();
        let report = session.ask(&request);
        let Failure::TooMuch(_) = failure(&report) else { panic!("{:?}", report.failure) };
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
    let report = session.ask(&request(fake(&["huge", "800000"])));
    assert_fine(&report);
    assert_kept(&report, 1);
}

#[test]
fn odd_characters() {
    let report = ask(&["not-utf8"]);
    assert_only(&report, &[Oddity::NotUtf8]);
    assert_kept(&report, 1);

    let report = ask(&["lone-surrogate"]);
    assert_fine(&report);
    assert_eq!(report.counts.tools, 1);
    assert!(snapshot(&report).contains(r"\ud83d by its name"));
}

#[test]
fn a_deep_one() {
    let report = ask(&["deep", "3000"]);
    assert_fine(&report);
    assert_eq!(report.counts.tools, 1);
}

#[test]
fn answers_to_no_question() {
    // With one question open there is no doubt what an answer belongs to.
    let report = ask(&["wrong-ids"]);
    let [Oddity::UnknownIds(1..)] = &*report.oddities else { panic!("{:?}", report.oddities) };
    assert_eq!(report.failure, None);
    assert_kept(&report, 1);

    let report = ask(&["twice"]);
    assert_fine(&report);
    assert_kept(&report, 1);
}

#[test]
fn no_list_of_tools() {
    for (behaviour, expected) in [("not-array", "object"), ("no-tools", "nothing")] {
        let report = ask(&[behaviour]);
        let [Oddity::NoList { method: "tools/list", found }] = &*report.oddities else {
            panic!("{:?}", report.oddities)
        };
        assert!(found.contains(expected), "{found}");
        assert_eq!((&report.failure, report.counts.tools), (&None, 0));
    }
}

#[test]
fn a_list_that_is_refused() {
    let report = ask(&["list-error", &format!("no tools for {SECRET}")]);
    let Failure::Refused { phase: LIST, code: -32603, message, .. } = failure(&report) else {
        panic!("{:?}", report.failure)
    };
    assert!(message.starts_with("no tools for") && !message.contains(SECRET), "{message}");

    let report = ask(&["list-failed"]);
    let [Oddity::ListFailed { method: "resources/list", reason }] = &*report.oddities else {
        panic!("{:?}", report.oddities)
    };
    assert!(reason.contains("the index is locked"), "{reason}");
    assert_eq!((report.failure, report.counts.tools, report.counts.prompts), (None, 1, 2));
}

#[test]
fn pages() {
    let report = ask(&["pages", "7"]);
    assert_fine(&report);
    assert_kept(&report, 7);
    assert_eq!(report.counts.tool_pages, 7);

    let report = ask(&["cursor-null"]);
    assert_fine(&report);
    assert_kept(&report, 1);
}

#[test]
fn cursors_that_lead_nowhere() {
    let report = ask(&["cursor-loop"]);
    assert_only(&report, &[Oddity::CursorRepeats { method: "tools/list", pages: 3 }]);
    assert_kept(&report, 3);

    let report = ask(&["cursor-endless"]);
    assert_only(&report, &[Oddity::EndlessPages { method: "tools/list", pages: 10 }]);
    assert_kept(&report, 10);

    let report = ask(&["cursor-number"]);
    assert_only(&report, &[Oddity::CursorNotString { method: "tools/list" }]);
    assert_kept(&report, 1);
}

#[test]
fn discovering_an_old_one() {
    for behaviour in ["ignores-discover", "late-discover"] {
        let mut request = request(fake(&[behaviour]));
        request.limits.handshake = Duration::from_secs(6);
        let report = Session::new().ask(&request);
        assert_eq!((&report.failure, report.counts.tools), (&None, 1), "{behaviour}");
        assert_eq!(report.protocol_version.as_deref(), Some("2025-11-25"));
    }
    let report = ask(&["dies-on-discover"]);
    assert_only(&report, &[Oddity::DiedOnDiscover]);
    assert_kept(&report, 1);
}

#[test]
fn a_handshake_that_lacks_something() {
    let report = ask(&["no-server-info"]);
    let [Oddity::LenientHandshake(what)] = &*report.oddities else { panic!("{:?}", report.oddities) };
    assert!(what.contains("serverInfo"), "{what}");
    assert_eq!(report.failure, None);
    assert_kept(&report, 1);
}

#[test]
fn versions_that_nobody_knows() {
    let report = ask(&["future", "2099-01-01"]);
    assert_eq!(*failure(&report), Failure::NoCommonVersion { server: vec!["2099-01-01".to_owned()] });

    let report = ask(&["version", "2099-01-01"]);
    assert_eq!(*failure(&report), Failure::NoCommonVersion { server: vec!["2099-01-01".to_owned()] });
}

#[test]
fn a_handshake_that_is_refused() {
    let report = ask(&["refuses", "sign in first"]);
    let Failure::Refused { phase: Phase::Handshake, code: -32603, message, .. } = failure(&report) else {
        panic!("{:?}", report.failure)
    };
    assert_eq!(message, "sign in first");
}

#[test]
fn requests_that_no_client_offered() {
    let report = ask(&["asks"]);
    let [Oddity::UnofferedRequests(methods)] = &*report.oddities else { panic!("{:?}", report.oddities) };
    assert_eq!(*methods, ["sampling/createMessage", "roots/list", "elicitation/create"]);
    assert_eq!(report.failure, None);
    assert!(snapshot(&report).contains("[-32601, -32601, -32601]"), "{}", snapshot(&report));
}

/// What the server sees of the world: the names of its variables, and its folder.
fn seen(report: &ProbeReport) -> (Vec<String>, String) {
    assert_fine(report);
    let snapshot: serde_json::Value = serde_json::from_str(&snapshot(report)).expect("JSON");
    let text = |index: usize| snapshot["tools"][index]["description"].as_str().expect("a text").to_owned();
    (text(0).split(' ').map(str::to_owned).collect(), text(1))
}

#[cfg(unix)]
#[test]
fn its_environment() {
    const BASICS: &[&str] = &["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TERM", "TMPDIR"];
    // Cargo gives its tests many variables: none is passed on unasked.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let mut request = request(fake(&["environment"]));
    let Way::Start(start) = &mut request.launch.way else { unreachable!("it is started") };
    let set = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
    start.environment = vec![set("OWN", Some("1")), set("SHELL", None), set("TERM", Some("dumb"))];
    let (names, folder) = seen(&Session::new().ask(&request));
    let others: Vec<_> = names.iter().filter(|name| !BASICS.contains(&&***name)).collect();
    assert_eq!(others, ["MCP_PROBE", "OWN"]);
    assert!(names.contains(&"PATH".to_owned()) && names.contains(&"TERM".to_owned()));
    assert!(!names.contains(&"SHELL".to_owned()));
    assert_eq!(folder, env!("CARGO_MANIFEST_DIR"));

    request.environment = ["CARGO_MANIFEST_DIR", "EXTRA=1", "NO_SUCH_VARIABLE_ANYWHERE"].map(str::to_owned).into();
    let directory = tempfile::tempdir().expect("a directory");
    let home = directory.path().canonicalize().expect("a path");
    request.home = Some(home.clone());
    request.launch.folder = None;
    let (names, folder) = seen(&Session::new().ask(&request));
    let others: Vec<_> = names.iter().filter(|name| !BASICS.contains(&&***name)).collect();
    assert_eq!(others, ["CARGO_MANIFEST_DIR", "EXTRA", "MCP_PROBE", "OWN"]);
    assert_eq!(folder, home.to_string_lossy());
}
