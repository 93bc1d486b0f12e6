//! A language client in a few lines: frames over the pipes of a child process, and waits by message.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// How long a message may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// What came while something else was waited for.
    kept: VecDeque<Value>,
    last_id: i64,
    /// What is answered to `workspace/configuration`.
    pub configuration: Value,
    /// Whether the server's requests are answered at all.
    pub answers: bool,
    /// What is chosen where the server asks with buttons; nothing where that is none of them.
    pub choice: &'static str,
    /// The user's files: settings, decisions, what servers listed.
    pub home: Arc<TempDir>,
}

/// The home directory of a user with this settings file.
pub fn home(settings: &str) -> Arc<TempDir> {
    let home = tempfile::tempdir().expect("a directory");
    let directory = home.path().join("mcp-analyzer");
    std::fs::create_dir(&directory).expect("a directory");
    std::fs::write(directory.join("mcp-analyzer.toml"), settings).expect("written");
    Arc::new(home)
}

impl Client {
    /// A server that has not been initialized.
    pub fn start() -> Client {
        Client::start_for_user("")
    }

    /// The same for a user with this settings file.
    pub fn start_for_user(settings: &str) -> Client {
        Client::start_at(home(settings))
    }

    /// The same for this user.
    pub fn start_at(home: Arc<TempDir>) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-analyzer"));
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "APPDATA", "LOCALAPPDATA", "HOME"] {
            command.env(name, home.path());
        }
        let mut child = command
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut stdout) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let kept = VecDeque::new();
        let configuration = Value::Null;
        Client { child, stdin, messages, kept, last_id: 0, configuration, answers: true, choice: "", home }
    }

    /// A server with these capabilities of the client, options and folder.
    pub fn initialized(capabilities: Value, options: Value, root: Option<&Path>) -> Client {
        let mut client = Client::start();
        let root = root.map(uri);
        let params = json!({ "processId": null, "rootUri": root, "capabilities": capabilities, "initializationOptions": options });
        client.request("initialize", params).expect("a result");
        client.notify("initialized", json!({}));
        client
    }

    /// A server for a client that can do nothing special.
    pub fn simple() -> Client {
        Client::initialized(json!({}), Value::Null, None)
    }

    /// Writes bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server reads");
    }

    /// Writes a body with its header.
    pub fn body(&mut self, body: &[u8]) {
        self.raw(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        self.raw(body);
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.body(json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string().as_bytes());
    }

    /// Sends a request and waits for what comes of it.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let id = self.last_id;
        let mut request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        if params.is_null() {
            request.as_object_mut().expect("an object").shift_remove("params");
        }
        self.body(request.to_string().as_bytes());
        let answer = self.wait(|message| message["id"] == id && message.get("method").is_none());
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].clone()),
        }
    }

    /// The code of the error that the next answer without an id is.
    pub fn refusal(&mut self) -> i64 {
        let answer = self.wait(|message| message["id"].is_null() && message.get("error").is_some());
        answer["error"]["code"].as_i64().expect("a code")
    }

    /// Waits for a message; what else comes is kept for later.
    pub fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&is_it) {
            return self.kept.remove(at).expect("found above");
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).expect("a message in time");
            if self.answers
                && let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str())
            {
                let mut offered = message["params"]["actions"].as_array().into_iter().flatten();
                let result = match method {
                    "workspace/configuration" => json!([self.configuration]),
                    "window/showDocument" => json!({ "success": true }),
                    _ => offered.find(|action| action["title"] == self.choice).cloned().unwrap_or_default(),
                };
                let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
                self.body(answer.to_string().as_bytes());
            }
            if is_it(&message) {
                return message;
            }
            self.kept.push_back(message);
        }
    }

    /// Forgets what came while something else was waited for.
    pub fn forget(&mut self) {
        self.kept.clear();
    }

    /// Whether a message came while something else was waited for.
    pub fn has_kept(&self, is_it: impl Fn(&Value) -> bool) -> bool {
        self.kept.iter().any(is_it)
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "json", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The diagnostics of this version of a document.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        let message = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        });
        message["params"]["diagnostics"].as_array().expect("diagnostics").clone()
    }

    /// The rules of the diagnostics of this version.
    pub fn codes(&mut self, uri: &str, version: i64) -> Vec<String> {
        let diagnostics = self.diagnostics(uri, version);
        diagnostics.iter().map(|one| one["code"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Asserts that the server still answers.
    pub fn assert_alive(&mut self) {
        let params =
            json!({ "textDocument": { "uri": "file:///nowhere.json" }, "position": { "line": 0, "character": 0 } });
        assert_eq!(self.request("textDocument/hover", params), Ok(Value::Null));
    }

    /// Closes stdin and waits for the end of the process: its exit code.
    pub fn end(mut self) -> Option<i32> {
        self.stdin = None;
        self.exit_code()
    }

    /// Has the system tell the server to end.
    pub fn terminate(&self) {
        let told = Command::new("kill").arg(self.child.id().to_string()).status();
        assert!(told.is_ok_and(|status| status.success()));
    }

    /// Waits for the end of the process.
    pub fn exit_code(&mut self) -> Option<i32> {
        // The pipe ends with the process.
        let deadline = Instant::now() + PATIENCE;
        while self.messages.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok() {}
        self.child.wait().expect("a status").code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn uri(path: &Path) -> String {
    format!("file://{}{}", if cfg!(windows) { "/" } else { "" }, path.display().to_string().replace('\\', "/"))
}

fn read_message(stdout: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.parse().ok();
        }
    }
    let mut body = vec![0; length?];
    stdout.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("the server writes JSON"))
}
