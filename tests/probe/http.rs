//! Servers that are contacted, and misbehave.

use std::time::{Duration, Instant};

use mcp_analyzer::facts::{Challenge, Failure, Phase, ProbeReport};
use mcp_analyzer::model::dialect::Transport;
use mcp_analyzer::model::launch::{Launch, Way};

use crate::session::{OWN_SECRET, Running, Session, VENDOR, assert_fine, failure, hasty, request, snapshot};

fn ask(arguments: &[&str]) -> ProbeReport {
    let session = Session::new();
    let server = Running::example(&session, "fake", arguments);
    session.ask(&request(server.launch()))
}

fn ask_in_haste(arguments: &[&str]) -> ProbeReport {
    let session = Session::new();
    let server = Running::example(&session, "fake", arguments);
    let start = Instant::now();
    let report = session.ask(&hasty(server.launch()));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    report
}

#[test]
fn good_ones() {
    for arguments in [&["ok"][..], &["ok", "plain"], &["events"], &["moved"]] {
        let report = ask(arguments);
        assert_fine(&report);
        assert_eq!(report.transport, Transport::Http);
        assert!(snapshot(&report).contains(VENDOR), "{}", snapshot(&report));
    }
}

#[test]
fn the_old_transport() {
    let session = Session::new();
    let server = Running::example(&session, "fake", &["old"]);
    let mut request = request(server.launch());
    // Told, and found out.
    for transport in [Some(Transport::Sse), None] {
        let Way::Contact(contact) = &mut request.launch.way else { unreachable!("it is contacted") };
        contact.transport = transport;
        let report = session.ask(&request);
        assert_fine(&report);
        assert_eq!(report.transport, Transport::Sse);
        assert!(snapshot(&report).contains(VENDOR), "{}", snapshot(&report));
    }
}

#[test]
fn an_endpoint_elsewhere() {
    let session = Session::new();
    let elsewhere = Running::example(&session, "fake", &["ok"]);
    let origin = elsewhere.url.trim_end_matches("/mcp");
    let server = Running::example(&session, "fake", &["old-elsewhere", origin]);
    let report = session.ask(&request(server.launch()));
    assert!(matches!(failure(&report), Failure::Protocol(_) | Failure::Redirected { .. }), "{:?}", report.failure);
}

#[test]
fn one_malformed_tool_among_good_ones() {
    let report = ask(&["malformed"]);
    assert_fine(&report);
    assert_eq!(report.counts.tools, 3);
    assert!(snapshot(&report).contains(VENDOR));
}

#[test]
fn signing_in() {
    let challenge = "401 WWW-Authenticate: Bearer resource_metadata=\"https://a.example/.well-known/oauth-protected-resource\", \
                     scope=\"tools:read\", error=\"invalid_token\"";
    let report = ask(&["status", challenge]);
    let expected = Challenge {
        status: 401,
        scheme: Some("Bearer".to_owned()),
        resource_metadata: Some("https://a.example/.well-known/oauth-protected-resource".to_owned()),
        scope: Some("tools:read".to_owned()),
        error: Some("invalid_token".to_owned()),
    };
    assert_eq!(*failure(&report), Failure::AuthorizationRequired(expected));

    for arguments in [&["status", "401"][..], &["late-401"]] {
        let report = ask(arguments);
        let bare = Challenge { status: 401, ..Challenge::default() };
        assert_eq!(*failure(&report), Failure::AuthorizationRequired(bare), "{arguments:?}");
    }
    let report = ask(&["status", "403"]);
    let Failure::AuthorizationRequired(Challenge { status: 403, .. }) = failure(&report) else {
        panic!("{:?}", report.failure)
    };
}

#[test]
fn other_statuses() {
    let session = Session::new();
    for status in [400, 404, 429, 500, 503] {
        let server = Running::example(&session, "fake", &["status", &status.to_string()]);
        let mut request = request(server.launch());
        let Way::Contact(contact) = &mut request.launch.way else { unreachable!("it is contacted") };
        contact.headers.push(("Authorization".to_owned(), format!("Bearer {OWN_SECRET}")));
        let report = session.ask(&request);
        let Failure::Status { status: given, body } = failure(&report) else { panic!("{:?}", report.failure) };
        assert_eq!(*given, status);
        assert!(body.starts_with("no entry") && !body.contains("sk-secret") && !body.contains(OWN_SECRET), "{body}");
    }
}

#[test]
fn elsewhere() {
    let report = ask(&["redirect", "https://user:password@b.example/mcp?token=secret"]);
    assert_eq!(*failure(&report), Failure::Redirected { to: "https://b.example/mcp".to_owned() });
}

#[test]
fn a_web_page() {
    let report = ask(&["html"]);
    let Failure::NotMcp { content_type } = failure(&report) else { panic!("{:?}", report.failure) };
    assert!(content_type.starts_with("text/html"), "{content_type}");
}

#[test]
fn too_much() {
    let report = ask(&["huge", "8000000"]);
    let Failure::TooMuch(_) = failure(&report) else { panic!("{:?}", report.failure) };
    let report = ask_in_haste(&["endless"]);
    assert!(
        matches!(report.failure, Some(Failure::TooMuch(_) | Failure::TimedOut { phase: Phase::Handshake, .. })),
        "{:?}",
        report.failure
    );
}

#[test]
fn silence() {
    let report = ask_in_haste(&["hang"]);
    let Failure::TimedOut { phase: Phase::Handshake, .. } = failure(&report) else { panic!("{:?}", report.failure) };
    let report = ask_in_haste(&["hangs"]);
    let Failure::TimedOut { phase: Phase::List("tools/list"), .. } = failure(&report) else {
        panic!("{:?}", report.failure)
    };
}

#[test]
fn nobody() {
    let report = ask(&["closes"]);
    assert!(matches!(failure(&report), Failure::Unreachable(_)), "{:?}", report.failure);

    let session = Session::new();
    let server = Running::example(&session, "fake", &["ok"]);
    let url = server.url.clone();
    drop(server);
    let report = session.ask(&request(Launch::url(&url)));
    assert!(matches!(failure(&report), Failure::Unreachable(_)), "{:?}", report.failure);
}
