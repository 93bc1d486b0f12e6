//! Servers on the command line: consent, targets, what is said of them. They misbehave as they are told.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::{BINARY, Ran};

/// A server for the tests: an example of this crate.
pub(crate) fn server(name: &str) -> String {
    let path =
        Path::new(BINARY).parent().unwrap().join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is missing: `cargo build --examples` builds it", path.display());
    path.to_string_lossy().into_owned()
}

/// A folder of a user and of a project of theirs.
pub(crate) struct Project {
    directory: TempDir,
}

impl Project {
    /// With a `.mcp.json` of these servers.
    pub(crate) fn new(servers: Json) -> Project {
        let project = Project { directory: tempfile::tempdir().unwrap() };
        fs::create_dir(project.path("work")).unwrap();
        project.configure(servers);
        project
    }

    fn configure(&self, servers: Json) {
        self.write("work/.mcp.json", &format!("{:#}\n", json!({"mcpServers": servers})));
    }

    /// An entry that leaves a file behind where it is started.
    pub(crate) fn canary(&self) -> Json {
        json!({"command": server("fake"), "args": ["exit", "7 started", "--pids", self.path("canary")]})
    }

    pub(crate) fn is_started(&self) -> bool {
        self.path("canary").exists()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command.args(arguments).current_dir(self.path("work")).stdin(Stdio::null());
        for (variable, folder) in [
            ("HOME", "home"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_CACHE_HOME", "cache"),
            ("APPDATA", "config"),
            ("LOCALAPPDATA", "state"),
        ] {
            command.env(variable, self.path(folder));
        }
        command.env_remove("CLICOLOR_FORCE").env_remove("MCP_ANALYZER_LOG");
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::new(self.command(arguments).output().unwrap())
    }
}

#[test]
fn what_reads_a_file_of_variables_is_asked_about_each_time() {
    let project = Project::new(json!({}));
    fs::create_dir_all(project.path("work/.vscode")).unwrap();
    let mut canary = project.canary();
    canary["envFile"] = json!("${workspaceFolder}/.env");
    project.write("work/.vscode/mcp.json", &json!({"servers": {"bird": canary}}).to_string());
    project.write("work/.env", "A=1");
    let added = project.run(&["trust", "add", ".vscode/mcp.json#bird"]);
    added.says(0, &["with the variables of", "it is asked about each time"]);
    project.run(&["check", "--probe", ".vscode/mcp.json"]).says(2, &["not trusted"]);
    assert!(!project.is_started());
    project.run(&["check", "--probe", "--yes", ".vscode/mcp.json"]);
    assert!(project.is_started());
}

#[test]
fn nothing_is_started_without_consent() {
    let project = Project::new(json!({}));
    let canary = project.canary();
    project.configure(
        json!({"bird": canary, "hidden": {"command": "no-such-program", "args": ["--token", "s3cretS3cret"]}}),
    );
    for arguments in [
        &["check"][..],
        &["check", ".mcp.json", "--yes"],
        &["trust", "list"],
        &["trust", "add", ".mcp.json#hidden"],
        &["trust", "remove", "--all"],
    ] {
        assert_eq!(project.run(arguments).code, Some(0), "{arguments:?}");
    }
    let script = project.path("canary").to_string_lossy().into_owned();
    let fake = server("fake");
    for arguments in [
        &["check", "--probe"][..],
        &["check", "--probe", ".mcp.json"],
        &["check", ".mcp.json#bird"],
        &["probe", ".mcp.json#bird"],
        &["check", "--", &fake, "ok", "--pids", &script],
        &["probe", "--", &fake, "ok", "--pids", &script],
    ] {
        let ran = project.run(arguments);
        ran.says(2, &[]).complains(&["without a sandbox", "fake", "--yes", "mcp-analyzer trust add"]);
        assert!(!ran.stderr.contains("s3cret"), "{ran:#?}");
    }
    let not_spawned = project.run(&["check", "--probe", "--no-spawn", "--yes"]);
    not_spawned.says(0, &["bird: not started: --no-spawn"]);
    assert!(
        not_spawned.stdout.ends_with("nothing was found in 1 file; the tools of 2 servers were not read\n"),
        "{not_spawned:#?}"
    );
    project.run(&["probe", ".mcp.json#bird", "--no-spawn"]).says(2, &[]).complains(&["--no-spawn"]);
    assert!(!project.is_started());
    project.run(&["check", "--probe", "--yes", "--fail-on", "never"]).says(0, &["bird: "]);
    assert!(project.is_started());
}

#[test]
fn without_consent_the_rest_is_reported() {
    let project =
        Project::new(json!({"a": {"command": server("fake"), "args": ["ok"]}, "b": {"command": server("modern")}}));
    project.run(&["trust", "add", ".mcp.json#a"]).says(0, &["  a: ", "fake ok"]);
    let ran = project.run(&["check", "--probe", "--format", "json"]);
    ran.says(2, &[]).complains(&["  b: ", "trust add '.mcp.json#b'\n"]);
    assert!(!ran.stderr.contains("  a: "), "{ran:#?}");
    let json = ran.json();
    let mut told = json["servers"].clone();
    assert!(told[0].as_object_mut().unwrap().remove("tokens").is_some());
    assert_eq!(
        told,
        json!([
            {"name": "a", "client": "claude-code", "config": ".mcp.json", "status": "ok", "tools": 1},
            {"name": "b", "client": "claude-code", "config": ".mcp.json", "status": "skipped", "error": "not started: not trusted", "tools": 0},
        ])
    );
    assert_eq!(json["summary"]["tools"], 1);
    let untrusted: Vec<&Json> =
        json["findings"].as_array().unwrap().iter().filter(|finding| finding["rule"] == "untrusted-server").collect();
    assert!(matches!(&untrusted[..], [one] if one["server"] == "b"), "{untrusted:#?}");
}

#[test]
fn trust_ends_with_any_change() {
    let project = Project::new(json!({}));
    let canary = project.canary();
    let with = |key: &str, value: Json| {
        let mut canary = canary.clone();
        canary[key] = value;
        json!({"bird": canary})
    };
    project.configure(json!({"bird": canary}));
    project.run(&["trust", "add", ".mcp.json"]).says(0, &["without a sandbox", "  bird: "]);
    let mut longer = canary["args"].as_array().unwrap().clone();
    longer.push("more".into());
    for changed in [
        with("args", longer.into()),
        with("env", json!({"A": "1"})),
        with("command", server("modern").into()),
        json!({"bird": {"url": "http://127.0.0.1:1/mcp"}}),
    ] {
        project.configure(changed.clone());
        project.run(&["check", "--probe"]).says(2, &["bird: not started: not trusted"]);
        assert!(!project.is_started(), "{changed:#}");
    }
    // The same in another folder is something else.
    fs::create_dir(project.path("other")).unwrap();
    project.configure(json!({"bird": canary}));
    fs::copy(project.path("work/.mcp.json"), project.path("other/.mcp.json")).unwrap();
    project.run(&["check", "--probe", "../other"]).says(2, &[]);
    assert!(!project.is_started());
    project.run(&["check", "--probe", "--fail-on", "never"]).says(0, &["bird: "]);
    assert!(project.is_started());
}

#[test]
fn what_is_broken_or_cannot_be_kept_is_named() {
    let project = Project::new(json!({"ok": {"command": server("fake"), "args": ["ok"]}}));
    fs::create_dir_all(project.path("state/mcp-analyzer")).unwrap();
    project.write("state/mcp-analyzer/trust.json", "?");
    for arguments in [&["check", "--probe"][..], &["trust", "add", ".mcp.json"], &["trust", "list"]] {
        project.run(arguments).says(2, &[]).complains(&["trust.json` is broken, so repair or delete it"]);
    }
    project.write("cache", "");
    let ran = project.run(&["check", "--probe", "--yes", "--fail-on", "never"]);
    ran.says(0, &["ok: 1 tool"]).complains(&["what servers list is not kept: `", "a file stands where"]);
    assert!(!ran.stderr.contains("WARN"), "{ran:#?}");
}

#[test]
fn never_is_never() {
    let project = Project::new(json!({}));
    project.configure(json!({"bird": project.canary()}));
    project.run(&["trust", "add", "--never", ".mcp.json#bird"]).says(0, &["never", "  bird: "]);
    project
        .run(&["check", "--probe", "--yes"])
        .says(0, &["bird: not started", "nothing was found in 1 file; the tools of 1 server were not read\n"])
        .complains(&[".mcp.json#bird is not started"]);
    project.run(&["check", ".mcp.json#bird", "--yes"]).says(2, &[]).complains(&["said never"]);
    project.run(&["probe", ".mcp.json#bird", "--yes"]).says(2, &[]).complains(&["said never"]);
    assert!(!project.is_started());
    let listed = project.run(&["trust", "list"]);
    listed.says(0, &["  never   bird: "]);
    let all = project.run(&["trust", "list", "--format", "json"]).json();
    assert_eq!((&all[0]["decision"], &all[0]["name"]), (&json!("never"), &json!("bird")));
    let hash = listed.stdout.split_whitespace().next().unwrap();
    project.run(&["trust", "remove", hash]).says(0, &["1 decision taken back"]);
    project.run(&["trust", "remove", ".mcp.json#bird"]).says(2, &[]).complains(&["nothing was said"]);
    project.run(&["trust", "list"]).says(0, &["nothing is trusted"]);
    project.run(&["trust", "remove"]).says(2, &[]);
}

#[test]
fn a_server_is_put_out_as_it_is() {
    let project =
        Project::new(json!({"ok": {"command": server("fake"), "args": ["ok"]}, "b": {"command": "no-such-program"}}));
    let ran = project.run(&["probe", ".mcp.json#ok", "--yes"]);
    ran.says(0, &["\"vendor\": 1.50e2"]);
    assert_eq!(ran.json()["name"], "ok");
    let written = project.run(&["probe", ".mcp.json#ok", "--yes", "-o", "ok.json"]);
    written.says(0, &[]);
    assert_eq!(written.stdout, "");
    assert_eq!(project.run(&["check", "ok.json", "--format", "json"]).json()["files"][0]["kind"], "snapshot");
    project
        .run(&["probe", ".mcp.json#ok", "--yes", "-o", "no/such/folder.json"])
        .says(2, &[])
        .complains(&["folder.json: "]);
    project.run(&["probe", ".mcp.json"]).says(2, &[]).complains(&["`.mcp.json#ok`", "`ok`, `b`"]);
    project.run(&["probe", ".mcp.json#okay"]).says(2, &[]).complains(&["no server `okay`; there are `ok`, `b`"]);
    let gone = project.run(&["probe", ".mcp.json#b", "--yes"]);
    gone.says(2, &[]).complains(&["error: b: "]);
    assert_eq!(gone.stdout, "");
    project.run(&["probe", "ok.json"]).says(2, &[]).complains(&["is no config file"]);
    project.run(&["probe", "-"]).says(2, &[]).complains(&["stdin is no server"]);
    project.run(&["probe"]).says(2, &[]).complains(&["Usage:"]);
}

#[test]
fn a_live_server_is_checked_like_a_list() {
    let project = Project::new(json!({"ok": {"command": server("fake"), "args": ["ok"]}}));
    let fake = server("fake");
    let shown = format!("{fake} ok");
    let ran = project.run(&["check", "--yes", "--", &fake, "ok"]);
    ran.says(0, &[&format!("--> {shown}:"), &format!("{shown}: 1 tool, 2025-11-25, "), "in 1 tool\n"]);
    let json = project.run(&["check", "--yes", "--format", "json", ".mcp.json#ok"]).json();
    assert_eq!(json["files"], json!([{"path": ".mcp.json#ok", "kind": "snapshot", "status": "checked"}]));
    let mut told = json["servers"].clone();
    let tokens = told[0].as_object_mut().unwrap().remove("tokens").unwrap();
    assert_eq!(told, json!([{"name": "ok", "client": "claude-code", "status": "ok", "tools": 1}]));
    assert!(
        ["anthropic", "openai", "gemini"].iter().all(|provider| tokens[provider].as_u64().unwrap() > 5),
        "{tokens}"
    );
    assert_eq!(json["summary"]["tools"], 1);
    let failed = project.run(&["check", "--yes", "--format", "json", "--", &fake, "exit", "3 Error: no key"]);
    failed.says(2, &[]).complains(&["is not checked: "]);
    assert_eq!(failed.json()["servers"][0]["status"], "failed");
    assert_eq!(failed.json()["servers"][0]["tokens"], Json::Null);
    assert_eq!(failed.json()["files"][0]["status"], "skipped");
}

#[test]
fn a_config_is_checked_with_what_its_servers_list() {
    let project = Project::new(json!({
        "one": {"command": server("fake"), "args": ["ok"]},
        "two": {"command": server("fake"), "args": ["ok", "again"]},
        "gone": {"command": "no-such-program"},
    }));
    let ran = project.run(&["check", "--probe", "--yes", "--fail-on", "warning"]);
    ran.says(1, &["cross-server-same-name", "get_thing", "one: 1 tool, ", "gone: ", "in 2 tools and 3 servers; "]);
    // Places in what a server listed are named by the file that it is kept in.
    ran.says(1, &[".json:14:15"]);
    ran.says(1, &["; the tools of 1 server were not read\n"]);
    let again = project.run(&["check"]);
    assert!(!again.stdout.contains("cross-server") && again.code == Some(0), "what was kept is not used: {again:#?}");
}

#[test]
fn a_word_that_is_no_target_is_answered() {
    let project = Project::new(json!({}));
    for command in ["check", "probe"] {
        project
            .run(&[command, "server-everything"])
            .says(2, &[])
            .complains(&["`npm:server-everything` or `pypi:server-everything`"]);
        project.run(&[command, "github:a/b"]).says(2, &[]).complains(&["cannot be started yet"]);
        project.run(&[command, "--", "no-such-program"]).says(2, &[]);
    }
    project.run(&["check", "--probe", "--diff"]).says(2, &[]);
}

#[test]
fn a_project_cannot_set_what_servers_get() {
    let project = Project::new(json!({"ok": {"command": server("fake"), "args": ["ok"]}}));
    project.write("work/mcp-analyzer.toml", "[probe]\nstartSeconds = 1\n");
    let warned = ["mcp-analyzer.toml:1: `probe` is about what runs on your machine"];
    project.run(&["check", "--probe", "--yes"]).says(0, &[]).complains(&warned);
    let own = project.run(&["check", "--probe", "--yes", "--settings", "mcp-analyzer.toml", "../work/.mcp.json"]);
    own.says(0, &["ok: 1 tool"]);
}

/// A server with a URL, until it is dropped.
struct Web {
    child: Child,
    url: String,
}

impl Web {
    fn new(arguments: &[&str]) -> Web {
        let mut command = Command::new(server("fake"));
        let command = command.arg("http").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
        Web { child, url: url.trim().to_owned() }
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        self.child.kill().and_then(|()| self.child.wait()).unwrap();
    }
}

#[test]
fn a_url_is_a_target() {
    let project = Project::new(json!({}));
    let page = Web::new(&["html"]);
    project.run(&["check", &page.url]).says(2, &[]).complains(&[&format!("  {}", page.url), "--yes"]);
    project
        .run(&["check", "--yes", "--no-spawn", &page.url])
        .says(2, &[])
        .complains(&["is not checked: it answers with a web page"]);
    project.run(&["trust", "add", &page.url]).says(0, &[]);
    project.run(&["probe", &page.url]).says(2, &[]).complains(&["error: http", "a web page"]);
    // Whether to sign in is for the user to decide, and no failure.
    let closed = Web::new(&["status", "401 WWW-Authenticate: Bearer scope=\"read\""]);
    let ran = project.run(&["check", "--yes", &closed.url]);
    ran.says(0, &["wants somebody to sign in"]);
    assert_eq!(project.run(&["probe", "--yes", &closed.url]).code, Some(2));
}

/// An interrupt ends the server, too.
#[cfg(unix)]
#[test]
fn nothing_stays_behind() {
    use std::time::{Duration, Instant};

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let project = Project::new(json!({}));
    let pids = project.path("pids");
    let mut command = project.command(&["probe", "--yes", "--"]);
    command.arg(server("fake")).args(["silent", "--pids"]).arg(&pids).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    let server = loop {
        let pid = fs::read_to_string(&pids).unwrap_or_default().lines().next().and_then(|line| line.parse().ok());
        match pid {
            Some(pid) => break Pid::from_raw(pid),
            None => assert!(Instant::now() < until, "the server is not started"),
        }
        std::thread::yield_now();
    };
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    let ran = Ran::new(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{ran:#?}");
    // Where nobody collects it, it is a process in name only.
    let is_dead = || {
        let stat = fs::read_to_string(format!("/proc/{server}/stat")).unwrap_or_default();
        kill(server, None).is_err() || stat.contains(") Z ")
    };
    while !is_dead() {
        assert!(Instant::now() < until, "the server is still there");
        std::thread::yield_now();
    }
}
