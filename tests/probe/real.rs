//! Servers that people use.

use std::process::Command;

use mcp_analyzer::facts::Counts;
use mcp_analyzer::model::dialect::Transport;
use mcp_analyzer::model::launch::Launch;

use crate::session::{Running, Session, assert_fine, example, real, request, snapshot, start};

const OLD: &str = "2025-11-25";
const NEW: &str = "2026-07-28";

/// Asks a server that works: it speaks this version and has so many tools, and there is nothing to say about it.
fn works(session: &Session, launch: Launch, transport: Transport, version: &str, tools: usize) -> Counts {
    let report = session.ask(&request(launch));
    assert_fine(&report);
    assert_eq!(report.transport, transport);
    assert_eq!(report.protocol_version.as_deref(), Some(version));
    assert!(report.server.name.is_some() && report.server.version.is_some(), "{:?}", report.server);
    let snapshot: serde_json::Value = serde_json::from_str(&snapshot(&report)).expect("JSON");
    let listed = snapshot["tools"].as_array().expect("tools");
    assert!(listed.iter().all(|tool| tool["inputSchema"].is_object()), "{listed:?}");
    assert_eq!((listed.len(), report.counts.tools, report.counts.tool_pages), (tools, tools, 1));
    assert!(report.timings.ready.is_some() && report.timings.tools.is_some(), "{:?}", report.timings);
    report.counts
}

const EVERYTHING: usize = 13;

#[test]
fn everything() {
    let Some(program) = real("everything") else { return };
    let counts = works(&Session::new(), start(&program, &[]), Transport::Stdio, OLD, EVERYTHING);
    assert!(counts.resources > 0 && counts.resource_templates > 0 && counts.prompts > 0, "{counts:?}");
}

#[test]
fn everything_over_http() {
    let Some(program) = real("everything") else { return };
    let session = Session::new();
    let server = Running::real(&session, &program, "streamableHttp", "mcp");
    works(&session, server.launch(), Transport::Http, OLD, EVERYTHING);
}

#[test]
fn everything_over_the_old_http() {
    let Some(program) = real("everything") else { return };
    let session = Session::new();
    let server = Running::real(&session, &program, "sse", "sse");
    works(&session, server.launch(), Transport::Sse, OLD, EVERYTHING);
}

#[test]
fn filesystem() {
    let Some(program) = real("filesystem") else { return };
    let directory = tempfile::tempdir().expect("a directory");
    works(&Session::new(), start(&program, &[&directory.path().to_string_lossy()]), Transport::Stdio, OLD, 14);
}

#[test]
fn memory() {
    let Some(program) = real("memory") else { return };
    works(&Session::new(), start(&program, &[]), Transport::Stdio, OLD, 9);
}

#[test]
fn time() {
    let Some(program) = real("time") else { return };
    works(&Session::new(), start(&program, &[]), Transport::Stdio, NEW, 2);
}

#[test]
fn git() {
    let Some(program) = real("git") else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().to_string_lossy();
    let made = Command::new("git").args(["init", "--quiet", &path]).status().expect("git starts");
    assert!(made.success());
    works(&Session::new(), start(&program, &["--repository", &path]), Transport::Stdio, NEW, 12);
}

#[test]
fn fetch() {
    let Some(program) = real("fetch") else { return };
    works(&Session::new(), start(&program, &[]), Transport::Stdio, NEW, 1);
}

#[test]
fn the_newest_protocol() {
    let counts = works(&Session::new(), example("modern", &[]), Transport::Stdio, NEW, 2);
    assert_eq!(counts, Counts { tools: 2, tool_pages: 1, resources: 1, resource_templates: 0, prompts: 1 });
}

#[test]
fn the_newest_protocol_over_http() {
    let session = Session::new();
    let server = Running::example(&session, "modern", &[]);
    let counts = works(&session, server.launch(), Transport::Http, NEW, 2);
    assert_eq!(counts, Counts { tools: 2, tool_pages: 1, resources: 1, resource_templates: 0, prompts: 1 });
}
