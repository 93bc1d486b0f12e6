//! Asking servers from an editor: nothing is started that the user has not agreed to, and what is started is told of.

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, home, uri};

const UNTRUSTED: &str = "untrusted-server";

/// Tools of which the second has a problem that is worth a warning.
const TOOLS: &str = r#"[{"name": "get_one", "description": "Gets one of the things there are.", "inputSchema": {"type": "object", "properties": {}}}, {"name": "get_two", "description": "Gets two of the things there are, as a pair.", "inputSchema": {"type": "object", "properties": {}, "required": ["x"]}}]"#;

/// A server that the tests bring along.
fn fake() -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_mcp-analyzer")).parent().expect("a folder").join("examples/fake");
    assert!(path.exists(), "{} is missing: `cargo build --examples` builds it", path.display());
    path
}

/// Why a document is about to be saved, as the protocol counts it.
#[derive(Clone, Copy)]
enum Reason {
    Manual = 1,
    AfterDelay = 2,
    FocusOut = 3,
}

/// An editor with a config file.
struct Session {
    client: Client,
    folder: Arc<TempDir>,
    uri: String,
    version: i64,
    controls: usize,
}

/// What an editor says that it can do with everything.
fn able() -> Value {
    json!({
        "window": { "workDoneProgress": true, "showMessage": {} },
        "workspace": { "codeLens": { "refreshSupport": true } },
        "textDocument": { "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } } },
    })
}

impl Session {
    /// A simple editor and a user of whom nothing is known.
    fn new(servers: Value) -> Session {
        Session::start(home(""), Arc::new(tempfile::tempdir().expect("a directory")), json!({}), Value::Null, servers)
    }

    fn start(home: Arc<TempDir>, folder: Arc<TempDir>, capabilities: Value, options: Value, servers: Value) -> Session {
        fs::write(folder.path().join("tools.json"), TOOLS).expect("written");
        let mut client = Client::start_at(home);
        let root = uri(folder.path());
        let params = json!({ "rootUri": root, "capabilities": capabilities, "initializationOptions": options });
        client.request("initialize", params).expect("a result");
        client.notify("initialized", json!({}));
        let mut session =
            Session { client, uri: uri(&folder.path().join(".mcp.json")), folder, version: 1, controls: 0 };
        let text = session.text(servers);
        session.client.open(&session.uri, &text);
        session
    }

    /// Ends the editor; the same user opens the same file in the next one.
    fn restart(mut self, servers: Value) -> Session {
        self.client.request("shutdown", Value::Null).expect("a result");
        self.client.notify("exit", Value::Null);
        self.client.exit_code();
        Session::start(self.client.home.clone(), self.folder.clone(), json!({}), Value::Null, servers)
    }

    fn text(&self, servers: Value) -> String {
        serde_json::to_string_pretty(&json!({ "mcpServers": servers })).expect("JSON")
    }

    /// A server that leaves a file behind when it is started, and then does as the fake is told.
    fn entry(canary: &Path, fake_orders: &str) -> Value {
        json!({ "command": "sh", "args": ["-c", format!("touch '{}'; exec '{}' {fake_orders}", canary.display(), fake().display())] })
    }

    fn edit(&mut self, servers: Value) {
        self.version += 1;
        let text = self.text(servers);
        self.client.change(&self.uri, self.version, json!([{ "text": text }]));
    }

    fn save(&mut self, reason: Option<Reason>) {
        let document = json!({ "uri": self.uri });
        if let Some(reason) = reason {
            let reason = reason as u8;
            self.client.notify("textDocument/willSave", json!({ "textDocument": document, "reason": reason }));
        }
        self.client.notify("textDocument/didSave", json!({ "textDocument": document }));
    }

    /// The next diagnostics, of whatever version.
    fn published(&mut self) -> Vec<Value> {
        let message = self.client.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == self.uri.as_str()
        });
        message["params"]["diagnostics"].as_array().expect("diagnostics").clone()
    }

    /// Diagnostics that have one of this rule.
    fn published_with(&mut self, rule: &str) -> Vec<Value> {
        loop {
            let published = self.published();
            if published.iter().any(|one| one["code"] == rule) {
                return published;
            }
        }
    }

    fn lenses(&mut self) -> Vec<Value> {
        let params = json!({ "textDocument": { "uri": self.uri } });
        self.client.request("textDocument/codeLens", params).expect("lenses").as_array().expect("a list").clone()
    }

    fn lens(&mut self, index: usize) -> String {
        self.lenses()[index]["command"]["title"].as_str().expect("a title").to_owned()
    }

    /// Waits until the lens of a server says something.
    fn until_lens(&mut self, index: usize, words: &str) -> String {
        loop {
            let title = self.lens(index);
            if title.contains(words) {
                return title;
            }
            self.published();
        }
    }

    fn actions(&mut self, line: u64) -> Vec<Value> {
        let place = json!({ "line": line, "character": 6 });
        let params = json!({
            "textDocument": { "uri": self.uri },
            "range": { "start": place, "end": place },
            "context": { "diagnostics": [] },
        });
        self.client.request("textDocument/codeAction", params).expect("actions").as_array().expect("a list").clone()
    }

    /// The command of the action at the first server that starts like this.
    fn action(&mut self, title: &str) -> Value {
        let actions = self.actions(2);
        let found = actions.iter().find(|action| action["title"].as_str().is_some_and(|it| it.starts_with(title)));
        let found = found.expect("it is offered");
        if found["command"].is_object() { found["command"].clone() } else { found.clone() }
    }

    fn run(&mut self, command: &Value) {
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        assert_eq!(self.client.request("workspace/executeCommand", params), Ok(Value::Null));
    }

    fn said(&mut self) -> String {
        let message = self.client.wait(|message| message["method"] == "window/showMessage");
        message["params"]["message"].as_str().expect("a message").to_owned()
    }

    fn at_name(&self) -> Value {
        json!({ "textDocument": { "uri": self.uri }, "position": { "line": 2, "character": 6 } })
    }

    /// Has a server of its own asked, which is the last thing to be started: what was started before has run by then.
    fn settle(&mut self) {
        let other = self.folder.path().join("other");
        fs::create_dir_all(&other).expect("a directory");
        let file = uri(&other.join(".mcp.json"));
        self.controls += 1;
        let number = self.controls.to_string();
        let text = json!({ "mcpServers": { "control": { "command": fake(), "args": ["ok", number] } } }).to_string();
        let ours = std::mem::replace(&mut self.uri, file);
        self.client.open(&self.uri, &text);
        self.published();
        let mut command = self.lenses()[0]["command"].clone();
        command["arguments"][0]["consent"] = json!("once");
        self.run(&command);
        self.until_lens(0, "1 tool");
        self.uri = ours;
    }
}

#[test]
fn nothing_is_started_before_the_user_has_agreed() {
    let place = tempfile::tempdir().expect("a directory");
    let canary = place.path().join("started");
    let entry = Session::entry(&canary, "ok");
    let mut session = Session::new(json!({ "a": entry }));
    session.published();
    session.edit(json!({ "a": entry, "b": Session::entry(&canary, "silent") }));
    for reason in [Reason::AfterDelay, Reason::FocusOut] {
        session.save(Some(reason));
    }
    assert_eq!((session.lens(0).as_str(), session.lens(1).as_str()), ("Probe", "Probe"));
    session.settle();
    assert!(session.lens(0) == "Probe" && !canary.exists(), "an automatic save says nothing either");

    session.save(Some(Reason::Manual));
    let published = session.published_with(UNTRUSTED);
    assert_eq!(published.iter().filter(|one| one["code"] == UNTRUSTED).count(), 2, "{published:#?}");
    let titles: Vec<Value> = session.actions(2).iter().map(|action| action["title"].clone()).collect();
    assert_eq!(titles, ["start `a` once", "always start `a`", "never start `a`"]);
    session.run(&json!({ "command": "mcp-analyzer.probeAll", "arguments": [session.uri] }));
    assert!(session.said().contains("`a` is not started: not trusted"));
    session.settle();
    assert!(!canary.exists());
}

#[test]
fn a_client_that_tells_no_reasons_saves_by_hand() {
    let place = tempfile::tempdir().expect("a directory");
    let canary = place.path().join("started");
    let mut session = Session::new(json!({ "a": Session::entry(&canary, "ok") }));
    session.published();
    session.save(None);
    session.published_with(UNTRUSTED);
    assert!(!canary.exists());
}

#[test]
fn what_may_be_started_once_is_asked_and_told_of() {
    let place = tempfile::tempdir().expect("a directory");
    let canary = place.path().join("started");
    let folder = Arc::new(tempfile::tempdir().expect("a directory"));
    let tools = format!("list '{}'", folder.path().join("tools.json").display());
    let entry = Session::entry(&canary, &tools);
    let mut session = Session::start(home(""), folder, able(), Value::Null, json!({ "a": entry }));
    session.published();
    assert_eq!(session.client.request("textDocument/definition", session.at_name()), Ok(Value::Null));
    session.save(Some(Reason::Manual));
    session.published_with(UNTRUSTED);
    let once = session.action("start `a` once");
    session.run(&once);
    let published = session.published_with("undefined-required");
    assert!(canary.exists());
    let found = published.iter().find(|one| one["code"] == "undefined-required").expect("found above");
    assert!(found["message"].as_str().is_some_and(|it| it.starts_with("in tool `get_two`: ")), "{found}");
    assert!(published.iter().all(|one| one["code"] != UNTRUSTED));
    assert!(session.until_lens(0, "2 tools").starts_with("Probe · 2 tools · just now"));
    let hover = session.client.request("textDocument/hover", session.at_name()).expect("a hover");
    assert!(hover["contents"]["value"].as_str().is_some_and(|it| it.contains("2 tools")), "{hover}");
    session.client.wait(|message| message["method"] == "workspace/codeLens/refresh");

    let definition = session.client.request("textDocument/definition", session.at_name()).expect("a place");
    let file = definition["uri"].as_str().expect("a URI").to_owned();
    let path = file.strip_prefix("file://").expect("a file");
    let list = fs::read_to_string(path).expect("what it listed");
    assert!(list.contains("get_two"), "{list}");
    session.client.open(&file, &list);
    assert!(session.client.codes(&file, 1).contains(&"undefined-required".to_owned()));
    let config = std::mem::replace(&mut session.uri, file);
    assert_eq!(session.actions(2), [Value::Null; 0], "what a server listed is not edited");
    session.uri = config;

    // Known, and therefore not asked at a save.
    fs::remove_file(&canary).expect("there");
    session.save(Some(Reason::Manual));
    session.settle();
    assert!(!canary.exists());
    // But when somebody wants to.
    let again = session.lenses()[0]["command"].clone();
    session.run(&again);
    session.published();
    session.until_lens(0, "2 tools");
    assert!(canary.exists());
}

#[test]
fn always_and_never_outlast_the_process_and_hold_for_nothing_else() {
    let place = tempfile::tempdir().expect("a directory");
    let canary = place.path().join("started");
    let entry = Session::entry(&canary, "ok");
    let servers = json!({ "a": entry });
    let mut session = Session::new(servers.clone());
    session.published();
    session.save(None);
    session.published_with(UNTRUSTED);
    let always = session.action("always start `a`");
    session.run(&always);
    session.until_lens(0, "1 tool");

    fs::remove_dir_all(session.client.home.path().join("mcp-analyzer/servers")).expect("what it listed is forgotten");
    fs::remove_file(&canary).expect("there");
    let mut session = session.restart(servers.clone());
    session.published();
    session.save(Some(Reason::AfterDelay));
    session.settle();
    assert!(session.lens(0) == "Probe" && !canary.exists(), "an automatic save starts nothing, trusted or not");
    session.save(Some(Reason::Manual));
    session.until_lens(0, "1 tool");
    assert!(canary.exists());

    let mut session = session.restart(servers.clone());
    session.until_lens(0, "1 tool");
    fs::remove_file(&canary).expect("there");
    for (member, value) in [
        ("command", json!("/bin/sh")),
        ("args", json!(["-c", format!("touch '{}'", canary.display())])),
        ("env", json!({ "A": "1" })),
        ("cwd", json!("..")),
    ] {
        let mut changed = entry.clone();
        changed[member] = value;
        session.edit(json!({ "a": changed }));
        session.save(None);
        session.published_with(UNTRUSTED);
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("set");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    session.edit(json!({ "a": { "type": "http", "url": url } }));
    session.save(None);
    session.published_with(UNTRUSTED);
    session.settle();
    assert!(!canary.exists());
    assert_eq!(listener.accept().expect_err("nobody came").kind(), ErrorKind::WouldBlock);

    session.edit(servers.clone());
    session.until_lens(0, "1 tool");
    let mut never = session.lenses()[0]["command"].clone();
    never["arguments"][0]["consent"] = json!("never");
    session.run(&never);
    session.until_lens(0, "never started");
    let mut session = session.restart(servers);
    session.until_lens(0, "never started");
    session.save(None);
    let probe = session.lenses()[0]["command"].clone();
    session.run(&probe);
    assert!(session.said().contains("you have said never"));
    session.settle();
    assert!(!canary.exists());
    let after_all = session.action("start `a` once, after all");
    session.run(&after_all);
    session.until_lens(0, "1 tool");
    assert!(canary.exists());
}

#[test]
fn what_has_changed_since_it_was_offered_is_not_started() {
    let place = tempfile::tempdir().expect("a directory");
    let canary = place.path().join("started");
    let mut session = Session::new(json!({ "a": { "command": "true" } }));
    session.published();
    let mut command = session.lenses()[0]["command"].clone();
    session.edit(json!({ "a": Session::entry(&canary, "ok") }));
    for consent in ["once", "always", "never"] {
        command["arguments"][0]["consent"] = json!(consent);
        session.run(&command);
        assert!(session.said().contains("`a` has changed since; look at it again"));
    }
    session.settle();
    assert!(!canary.exists());
    let wrong = json!({ "command": "mcp-analyzer.probe", "arguments": [7] });
    assert_eq!(session.client.request("workspace/executeCommand", wrong).expect_err("an error")["code"], -32602);
}

/// A server that never says anything, and leaves its process id.
fn silent(pids: &Path) -> Value {
    json!({ "command": fake(), "args": ["silent", "--pids", pids] })
}

fn is_alive(pids: &Path) -> bool {
    let text = fs::read_to_string(pids).expect("it was started");
    // Dead ones may wait for a parent who does not look.
    let script = "kill -0 \"$0\" 2>/dev/null && ! grep -qs '^State:.*Z' \"/proc/$0/status\"";
    let is_alive = |pid| Command::new("sh").args(["-c", script, pid]).status().expect("a shell");
    text.lines().any(|pid| is_alive(pid).success())
}

fn progress(client: &mut Client, kind: &str) -> Value {
    let message = client.wait(|it| it["method"] == "$/progress" && it["params"]["value"]["kind"] == kind);
    message["params"].clone()
}

#[test]
fn a_probe_shows_progress_and_can_be_cancelled() {
    let folder = Arc::new(tempfile::tempdir().expect("a directory"));
    let pids = folder.path().join("pids");
    let servers = json!({ "a": silent(&pids) });
    let mut session = Session::start(home(""), folder, able(), Value::Null, servers.clone());
    session.published();
    let mut once = session.lenses()[0]["command"].clone();
    once["arguments"][0]["consent"] = json!("once");
    let cancel = json!({ "command": "mcp-analyzer.cancelProbe", "arguments": once["arguments"] });
    let cancel_all = json!({ "command": "mcp-analyzer.cancelProbe", "arguments": [] });
    for by in ["progress", "command", "command for all", "edit"] {
        session.run(&once);
        let begun = progress(&mut session.client, "begin");
        assert_eq!((&begun["value"]["title"], &begun["value"]["cancellable"]), (&json!("Probing `a`"), &json!(true)));
        session.until_lens(0, "being asked");
        match by {
            "progress" => {
                session.client.notify("window/workDoneProgress/cancel", json!({ "token": begun["token"] }));
            }
            "command" => session.run(&cancel),
            "command for all" => session.run(&cancel_all),
            _ => {
                session.edit(json!({ "a": { "command": "other" } }));
                session.save(Some(Reason::Manual));
            }
        }
        assert_eq!(progress(&mut session.client, "end")["token"], begun["token"], "{by}");
        session.until_lens(0, "Probe");
    }
    session.edit(servers);
    assert_eq!(session.until_lens(0, "Probe"), "Probe", "what was cancelled is no failure");
}

#[test]
fn nothing_is_left_when_the_editor_ends() {
    for end in ["shutdown", "end of input", "signal"] {
        let folder = tempfile::tempdir().expect("a directory");
        let pids = folder.path().join("pids");
        let mut session = Session::new(json!({ "a": silent(&pids) }));
        session.published();
        let mut once = session.lenses()[0]["command"].clone();
        once["arguments"][0]["consent"] = json!("once");
        session.run(&once);
        session.until_lens(0, "being asked");
        // Another one that has answered: by then the silent one is there.
        session.settle();
        assert!(is_alive(&pids));
        match end {
            "shutdown" => {
                session.client.request("shutdown", Value::Null).expect("a result");
                session.client.notify("exit", Value::Null);
                assert_eq!(session.client.exit_code(), Some(0));
            }
            "signal" => {
                session.client.terminate();
                assert_eq!(session.client.exit_code(), Some(1));
            }
            _ => assert_eq!(session.client.end(), Some(1)),
        }
        // It is killed; when the system has done so is not ours to say.
        let begun = Instant::now();
        while is_alive(&pids) {
            assert!(begun.elapsed() < Duration::from_secs(10), "it is left behind");
        }
    }
}

#[test]
fn a_question_is_asked_once_for_the_same_servers() {
    let folder = Arc::new(tempfile::tempdir().expect("a directory"));
    let secret = "ghp_0123456789abcdefABCDEF0123456789abcd";
    let servers = json!({
        "a": { "command": fake(), "args": ["ok"], "env": { "TOKEN": secret } },
        "b": { "command": fake(), "args": ["ok", "--token", secret, "[x](command:y)\n\u{202e}"] },
    });
    let mut session = Session::start(home(""), folder, able(), Value::Null, servers.clone());
    session.published();
    let question = |session: &mut Session| {
        let message = session.client.wait(|message| message["method"] == "window/showMessageRequest");
        let titles = message["params"]["actions"].as_array().expect("actions").iter().map(|one| one["title"].clone());
        assert_eq!(titles.collect::<Vec<_>>(), ["Start once", "Always", "Never"]);
        message["params"]["message"].as_str().expect("a message").to_owned()
    };
    session.save(Some(Reason::Manual));
    let words = question(&mut session);
    assert!(words.contains("run as you, unsandboxed") && words.contains("fake ok with TOKEN"), "{words}");
    assert!(!words.contains(secret) && !words.contains("](") && !words.contains('\u{202e}'), "{words}");
    assert_eq!(words.lines().count(), 3, "{words}");

    // Dismissed: not asked again for these, but for others.
    session.save(Some(Reason::Manual));
    session.edit(json!({ "a": servers["a"] }));
    session.client.choice = "Start once";
    session.save(Some(Reason::Manual));
    assert_eq!(question(&mut session).lines().count(), 2);
    session.until_lens(0, "1 tool");

    // A command asks again, and is answered with never.
    session.client.choice = "Never";
    session.edit(servers);
    session.save(Some(Reason::Manual));
    assert!(question(&mut session).contains("• `b`: "));
    session.until_lens(1, "never started");
    assert!(session.lens(0).contains("1 tool"));
}

#[test]
fn a_client_that_answers_nothing_is_not_waited_for() {
    let folder = Arc::new(tempfile::tempdir().expect("a directory"));
    let servers = json!({ "a": { "command": fake(), "args": ["ok"] } });
    let mut session = Session::start(home(""), folder, able(), Value::Null, servers);
    session.client.answers = false;
    session.published();
    session.save(Some(Reason::Manual));
    session.client.wait(|message| message["method"] == "window/showMessageRequest");
    session.published_with(UNTRUSTED);
    let probe = session.lenses()[0]["command"].clone();
    session.run(&probe);
    assert!(session.said().contains("`a` is not started: not trusted"));
    let once = session.action("start `a` once");
    session.run(&once);
    session.until_lens(0, "1 tool");
    session.client.request("shutdown", Value::Null).expect("a result");
    session.client.notify("exit", Value::Null);
    assert_eq!(session.client.exit_code(), Some(0));
}

#[test]
fn nothing_is_asked_in_a_workspace_that_is_not_trusted() {
    let place = tempfile::tempdir().expect("a directory");
    let canary = place.path().join("started");
    let servers = json!({ "a": Session::entry(&canary, "ok") });
    let mut session = Session::new(servers.clone());
    session.published();
    let mut always = session.lenses()[0]["command"].clone();
    always["arguments"][0]["consent"] = json!("always");
    session.run(&always);
    session.until_lens(0, "1 tool");
    fs::remove_file(&canary).expect("there");

    let (user, folder) = (session.client.home.clone(), session.folder.clone());
    fs::remove_dir_all(user.path().join("mcp-analyzer/servers")).expect("what it listed is forgotten");
    for options in [json!({ "workspaceTrusted": false }), json!({ "mcpAnalyzer": { "workspaceTrusted": false } })] {
        let mut session = Session::start(user.clone(), folder.clone(), able(), options, servers.clone());
        session.published();
        session.save(Some(Reason::Manual));
        let lens = session.lenses()[0]["command"].clone();
        assert_eq!((&lens["title"], &lens["command"]), (&json!("not started: restricted mode"), &json!("")));
        assert_eq!(session.actions(2), [Value::Null; 0]);
        session.run(&always);
        assert!(session.said().contains("restricted mode"));
        session.run(&json!({ "command": "mcp-analyzer.probeAll", "arguments": [] }));
        assert!(session.said().contains("restricted mode"));
        assert!(!canary.exists());
    }
    let mut session = Session::start(user, folder, able(), json!({ "workspaceTrusted": true }), servers);
    session.published();
    session.save(Some(Reason::Manual));
    session.until_lens(0, "1 tool");
    assert!(canary.exists());
}

#[test]
fn a_silent_server_holds_nothing_up_and_is_given_up() {
    let folder = Arc::new(tempfile::tempdir().expect("a directory"));
    let pids = folder.path().join("pids");
    let user = home("[probe]\nstartSeconds = 1\n");
    let servers = json!({ "a": silent(&pids), "b": { "command": "/no/such/program" } });
    let mut session = Session::start(user, folder, json!({}), Value::Null, servers.clone());
    session.published();
    for lens in session.lenses() {
        let mut once = lens["command"].clone();
        once["arguments"][0]["consent"] = json!("once");
        session.run(&once);
    }
    session.until_lens(0, "being asked");
    let fastest = (0..20).map(|_| {
        let start = Instant::now();
        assert!(session.client.request("textDocument/hover", session.at_name()).expect("a hover").is_object());
        start.elapsed()
    });
    let fastest = fastest.min().expect("some");
    assert!(fastest < Duration::from_millis(20), "{fastest:?}");
    assert_eq!(session.until_lens(0, "failed"), "Probe · failed · just now · 1 problem");
    assert_eq!(session.until_lens(1, "failed"), "Probe · failed · just now · 1 problem");
    session.edit(servers);
    let codes = session.client.codes(&session.uri, session.version);
    assert_eq!(codes, ["server-timeout", "server-failed"]);
    assert!(!is_alive(&pids));
}

#[test]
fn settings_say_whether_a_save_asks() {
    let servers = json!({ "a": { "command": fake(), "args": ["ok"] } });
    let options = json!({ "probe": { "onSave": false } });
    let folder = Arc::new(tempfile::tempdir().expect("a directory"));
    let mut session = Session::start(home(""), folder, json!({}), options, servers);
    session.published();
    session.save(Some(Reason::Manual));
    session.settle();
    assert_eq!(session.lens(0), "Probe");
}

#[test]
fn a_project_has_no_say_in_what_is_asked() {
    let folder = Arc::new(tempfile::tempdir().expect("a directory"));
    fs::write(folder.path().join("mcp-analyzer.toml"), "[probe]\nonSave = false\n").expect("written");
    let servers = json!({ "a": { "command": fake(), "args": ["ok"] } });
    let mut session = Session::start(home(""), folder, json!({}), Value::Null, servers);
    session.published();
    session.save(Some(Reason::Manual));
    session.published_with(UNTRUSTED);
}

#[test]
fn a_client_that_knows_commands_only_gets_them() {
    let mut session = Session::new(json!({ "a": { "command": fake(), "args": ["ok"] } }));
    session.published();
    let action = &session.actions(2)[0];
    assert_eq!(action["title"], "probe `a`: start it and list its tools");
    assert_eq!(action["command"], "mcp-analyzer.probe");
}

#[test]
fn what_comes_for_a_closed_document_is_kept_and_not_published() {
    let mut session = Session::new(json!({ "a": { "command": fake(), "args": ["late", "200"] } }));
    session.published();
    let mut once = session.lenses()[0]["command"].clone();
    once["arguments"][0]["consent"] = json!("once");
    session.run(&once);
    session.until_lens(0, "being asked");
    session.client.notify("textDocument/didClose", json!({ "textDocument": { "uri": session.uri } }));
    let closed = session.uri.clone();
    session.client.wait(|message| message["params"]["uri"] == closed && message["params"].get("version").is_none());
    session.client.forget();
    // Another document that names the same server.
    let text = session.text(json!({ "b": { "command": fake(), "args": ["late", "200"] } }));
    let other = format!("{}/./.mcp.json", uri(session.folder.path()));
    session.uri = other;
    session.client.open(&session.uri, &text);
    session.until_lens(0, "1 tool");
    assert!(!session.client.has_kept(|message| message["params"]["uri"] == closed.as_str()));
}

#[test]
fn the_saved_list_of_a_server_is_viewed_as_a_provider_receives_it() {
    let mut session = Session::new(json!({ "a": { "command": fake(), "args": ["ok"] } }));
    session.published();
    let views = |session: &mut Session| -> Vec<Value> {
        let actions = session.actions(2).into_iter();
        actions.filter(|action| action["command"] == "mcp-analyzer.view").collect()
    };
    assert_eq!(views(&mut session).len(), 0, "nothing is known yet");
    let mut once = session.lenses()[0]["command"].clone();
    once["arguments"][0]["consent"] = json!("once");
    session.run(&once);
    session.until_lens(0, "1 tool");
    let offered = views(&mut session);
    assert_eq!(offered[0]["title"], "view the tools of `a` as Anthropic receives them");
    let params = json!({ "command": offered[0]["command"], "arguments": offered[0]["arguments"] });
    let answer = session.client.request("workspace/executeCommand", params).expect("a view");
    let path = Path::new(answer["path"].as_str().expect("a path"));
    assert!(path.ends_with("a.anthropic.json"), "{}", path.display());
    let view: Value = serde_json::from_str(&fs::read_to_string(path).expect("the view")).expect("JSON");
    assert!(view[0]["name"].is_string() && view[0]["input_schema"].is_object(), "{view}");
}
