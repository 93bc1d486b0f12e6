//! What tools cost where a user looks, and the list as the APIs of providers receive it.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, uri};

/// Two tools, of which the first has something that is not sent.
const TOOLS: &str = r#"{"tools": [
  {"name": "get_one", "description": "Gets one of the things there are.", "title": "One", "inputSchema": {"type": "object", "properties": {}}},
  {"name": "get_two", "description": "Gets two of the things there are, as a pair.", "inputSchema": {"type": "object", "properties": {}}}
]}
"#;

/// An editor with a tool list.
struct Session {
    client: Client,
    folder: TempDir,
    uri: String,
}

impl Session {
    fn new(capabilities: Value, options: Value) -> Session {
        let folder = tempfile::tempdir().expect("a directory");
        let file = folder.path().join("tools.json");
        fs::write(&file, TOOLS).expect("written");
        let mut client = Client::initialized(capabilities, options, Some(folder.path()));
        let uri = uri(&file);
        client.open(&uri, TOOLS);
        Session { client, folder, uri }
    }

    /// With everything that this is about.
    fn able(options: Value) -> Session {
        Session::new(
            json!({
                "window": { "showDocument": { "support": true } },
                "workspace": { "codeLens": { "refreshSupport": true }, "inlayHint": { "refreshSupport": true } },
                "textDocument": {
                    "inlayHint": {},
                    "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
                },
            }),
            options,
        )
    }

    /// What the command line writes about the list.
    fn written(&self, arguments: &[&str]) -> String {
        let file = self.folder.path().join("tools.json");
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-analyzer"));
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "APPDATA", "LOCALAPPDATA", "HOME"] {
            command.env(name, self.client.home.path());
        }
        let output = command.args(arguments).arg(file).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn hints(&mut self, start: u32, end: u32) -> Vec<Value> {
        let range = json!({ "start": { "line": start, "character": 0 }, "end": { "line": end, "character": 0 } });
        let params = json!({ "textDocument": { "uri": self.uri }, "range": range });
        self.client.request("textDocument/inlayHint", params).expect("hints").as_array().expect("a list").clone()
    }

    /// Asks for the hints until something holds for them, each time that the server says that there are others.
    fn until_hints(&mut self, are_meant: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        loop {
            let hints = self.hints(0, 100);
            if are_meant(&hints) {
                return hints;
            }
            self.client.wait(|message| message["method"] == "workspace/inlayHint/refresh");
        }
    }

    fn lenses(&mut self) -> Vec<Value> {
        let params = json!({ "textDocument": { "uri": self.uri } });
        self.client.request("textDocument/codeLens", params).expect("lenses").as_array().expect("a list").clone()
    }

    /// The same until something holds for the first.
    fn until_lenses(&mut self, is_meant: impl Fn(&str) -> bool) -> Vec<Value> {
        loop {
            let lenses = self.lenses();
            if is_meant(&titles(&lenses)[0]) {
                return lenses;
            }
            self.client.wait(|message| message["method"] == "workspace/codeLens/refresh");
        }
    }

    fn views_at(&mut self, line: u32, character: u32) -> Vec<Value> {
        let place = json!({ "line": line, "character": character });
        let params = json!({
            "textDocument": { "uri": self.uri },
            "range": { "start": place, "end": place },
            "context": { "diagnostics": [] },
        });
        let actions = self.client.request("textDocument/codeAction", params).expect("actions");
        let actions = actions.as_array().expect("a list").iter();
        actions.filter(|action| action["command"]["command"] == "mcp-analyzer.view").cloned().collect()
    }

    fn run(&mut self, command: &Value) -> Result<Value, Value> {
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        self.client.request("workspace/executeCommand", params)
    }

    fn order(&mut self, command: &str, provider: &str) -> Result<Value, Value> {
        let argument = json!({ "uri": self.uri, "provider": provider });
        self.run(&json!({ "command": command, "arguments": [argument] }))
    }

    fn told(&mut self, method: &str) -> String {
        let message = self.client.wait(|message| message["method"] == method);
        message["params"]["message"].as_str().expect("a message").to_owned()
    }
}

fn titles(lenses: &[Value]) -> Vec<String> {
    let title = |lens: &Value| lens["command"]["title"].as_str().expect("a title").to_owned();
    lenses.iter().map(title).collect()
}

#[test]
fn hints_tell_what_was_counted_and_follow_an_edit() {
    let mut session = Session::able(Value::Null);
    let hints = session.until_hints(|hints| hints.len() == 2);
    let lines: Vec<&str> = TOOLS.lines().collect();
    let counted: Value =
        serde_json::from_str(&session.written(&["tokens", "--format", "json"])).expect("the command line writes JSON");
    for (index, hint) in hints.iter().enumerate() {
        let name = ["\"get_one\"", "\"get_two\""][index];
        let behind = lines[index + 1].find(name).expect("the name") + name.len();
        assert_eq!(hint["position"], json!({ "line": index + 1, "character": behind }));
        assert_eq!(hint["paddingLeft"], true);
        let tokens = counted["tools"][index]["tokens"].as_object().expect("three numbers");
        let most = tokens.values().filter_map(Value::as_u64).max().expect("a number");
        let label = hint["label"].as_str().expect("a label");
        assert_eq!(label.trim_start_matches('≈'), format!("{most} tokens"));
        let tooltip = hint["tooltip"].as_str().expect("a tooltip");
        for (line, (provider, number)) in tooltip.lines().skip(1).zip(tokens) {
            assert!(line.to_lowercase().starts_with(&format!("{provider}: ")), "{tooltip}");
            assert!(line.replace('≈', "").contains(&format!(": {number}, as ")), "{tooltip}");
        }
        assert_eq!(tooltip.lines().count(), 4);
    }
    assert_eq!(session.hints(2, 3), hints[1..], "of the lines that are asked for");

    let longer = TOOLS.replacen("there are.", "there are, whatever it is that they are made of.", 1);
    session.client.change(&session.uri, 2, json!([{ "text": longer }]));
    let after = session.until_hints(|after| after.len() == 2 && after[0]["label"] != hints[0]["label"]);
    assert_eq!(after[1], hints[1]);
    assert_ne!(after[0]["tooltip"], hints[0]["tooltip"]);

    let broken = TOOLS.replacen("\"title\": \"One\"", "\"title\": ,", 1);
    session.client.change(&session.uri, 3, json!([{ "text": broken }]));
    let of_second = session.hints(0, 100);
    assert!(of_second.iter().all(|hint| hint["position"]["line"] == 2), "{of_second:?}");
}

#[test]
fn hints_are_offered_to_whom_can_show_them() {
    let provider = |capabilities: Value| {
        let mut client = Client::start();
        let result = client.request("initialize", json!({ "capabilities": capabilities })).expect("a result");
        result["capabilities"]["inlayHintProvider"].clone()
    };
    assert_eq!(provider(json!({ "textDocument": { "inlayHint": {} } })), true);
    assert_eq!(provider(json!({})), Value::Null);
}

#[test]
fn a_line_above_the_list_counts_it_and_offers_the_views() {
    let mut session = Session::able(Value::Null);
    let lenses = session.until_lenses(|title| title.contains("tokens"));
    let titles = titles(&lenses);
    assert!(titles[0].starts_with("2 tools · ≈") && titles[0].ends_with(" tokens"), "{titles:?}");
    assert_eq!(titles[1..4], ["View as Anthropic", "View as OpenAI", "View as Gemini"]);
    assert!(titles[4].starts_with("largest: get_two ") && titles[4].contains(", get_one "), "{titles:?}");
    let key = json!({ "start": { "line": 0, "character": 1 }, "end": { "line": 0, "character": 11 } });
    assert!(lenses.iter().all(|lens| lens["range"] == key), "{lenses:?}");
    assert_eq!(lenses[0]["command"]["command"], "");
    let answer = session.run(&lenses[3]["command"]).expect("a view");
    assert_eq!(answer["provider"], "gemini");
}

#[test]
fn who_is_left_out_is_not_offered() {
    let mut session = Session::able(json!({ "targets": { "providers": ["openai"] } }));
    let lenses = session.until_lenses(|title| title.contains("tokens"));
    assert_eq!(titles(&lenses)[1..lenses.len() - 1], ["View as OpenAI"]);
    let hints = session.until_hints(|hints| hints.len() == 2);
    let tooltip = hints[0]["tooltip"].as_str().expect("a tooltip");
    assert!(tooltip.contains("OpenAI: ") && !tooltip.contains("Anthropic"), "{tooltip}");
    assert_eq!(session.views_at(0, 3).len(), 1);
}

#[test]
fn a_view_is_what_the_command_line_writes_and_nothing_is_found_in_it() {
    let mut session = Session::able(Value::Null);
    session.client.diagnostics(&session.uri.clone(), 1);
    let actions = session.views_at(1, 14);
    let offered: Vec<&Value> = actions.iter().map(|action| &action["title"]).collect();
    assert_eq!(
        offered,
        ["Anthropic", "OpenAI", "Gemini"].map(|label| format!("view this list as {label} receives it")).each_ref()
    );
    assert_eq!(session.views_at(1, 40).len(), 0, "only at the name");
    for (action, provider) in actions.iter().zip(["anthropic", "openai", "gemini"]) {
        let answer = session.run(&action["command"]).expect("a view");
        assert_eq!(answer["provider"], provider);
        assert_eq!(
            (&answer["dropped"][0]["tool"], &answer["dropped"][0]["pointer"]),
            (&json!("get_one"), &json!("/title"))
        );
        let path = Path::new(answer["path"].as_str().expect("a path"));
        let views = session.client.home.path().join("mcp-analyzer/views");
        assert!(path.starts_with(&views) && path.ends_with(format!("tools.{provider}.json")), "{}", path.display());
        let view = fs::read_to_string(path).expect("the view");
        assert_eq!(view, session.written(&["view", "--quiet", "--as", provider]));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
            assert_eq!((mode(path), mode(&views)), (0o600, 0o700));
        }
        let asked = session.client.wait(|message| message["method"] == "window/showDocument");
        assert_eq!(asked["params"]["uri"], uri(path));
        let label = action["title"].as_str().and_then(|title| title.split(' ').nth(4)).expect("a provider");
        let said = session.told("window/showMessage");
        assert_eq!(said, format!("mcp-analyzer: 1 thing is not sent to {label}: `/title` of `get_one`"));
        assert!(session.told("window/logMessage").contains("`/title` of `get_one`: the API takes nothing of the kind"));

        let text = session.order("mcp-analyzer.viewText", provider).expect("a text");
        assert_eq!(text["text"], view);
        assert_eq!((&text["dropped"], &text["provider"]), (&answer["dropped"], &answer["provider"]));

        // It is a tool list by its shape.
        let opened = uri(path);
        session.client.open(&opened, &view);
        let document = json!({ "textDocument": { "uri": opened } });
        assert_eq!(session.client.request("textDocument/codeLens", document), Ok(Value::Null));
        session.client.change(&opened, 2, json!([{ "text": TOOLS }]));
        session.client.assert_alive();
        assert!(!session.client.has_kept(|message| message["params"]["uri"] == opened.as_str()
            && message["method"] == "textDocument/publishDiagnostics"));
    }
    let again = session.order("mcp-analyzer.view", "openai").expect("a view");
    let folder = Path::new(again["path"].as_str().expect("a path")).parent().expect("a folder");
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), 3, "the last is written over");
}

#[test]
fn a_client_that_opens_nothing_is_told_where_it_is() {
    let mut session = Session::new(json!({}), Value::Null);
    session.client.diagnostics(&session.uri.clone(), 1);
    let answer = session.order("mcp-analyzer.view", "openai").expect("a view");
    let said = session.told("window/showMessage");
    let path = Path::new(answer["path"].as_str().expect("a path"));
    let path = match path.strip_prefix(session.client.home.path()) {
        Ok(below) if cfg!(unix) => format!("~/{}", below.display()),
        _ => path.display().to_string(),
    };
    assert!(
        said.starts_with(&format!("mcp-analyzer: what OpenAI receives is in `{path}`; 1 thing is not sent")),
        "{said}"
    );
}

#[test]
fn wrong_arguments_of_views_are_errors() {
    let mut session = Session::able(Value::Null);
    let config = "file:///nowhere/.mcp.json";
    session.client.open(config, "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}");
    let uri = session.uri.clone();
    for command in ["mcp-analyzer.view", "mcp-analyzer.viewText"] {
        for arguments in [
            json!([]),
            json!([uri]),
            json!([{ "uri": uri }]),
            json!([{ "uri": uri, "provider": "google" }]),
            json!([{ "uri": "file:///nowhere/tools.json", "provider": "openai" }]),
            json!([{ "uri": config, "provider": "openai" }]),
            json!([{ "uri": config, "provider": "openai", "launch": "0".repeat(32) }]),
            json!([{ "uri": uri, "provider": "openai", "launch": "none" }]),
            json!([{ "uri": uri, "provider": "openai" }, {}]),
        ] {
            let refused = session.run(&json!({ "command": command, "arguments": arguments }));
            let error = refused.expect_err("an error");
            assert_eq!(error["code"], -32602, "{arguments}");
            let message = error["message"].as_str().expect("a message");
            let takes = format!("`{command}` takes ");
            let words = ["this document is no tool list", "it is not known what this server lists", &takes];
            assert!(words.iter().any(|words| message.starts_with(words)), "{message}");
        }
    }
    assert!(!session.client.home.path().join("mcp-analyzer/views").exists(), "nothing was written");
}

#[test]
#[cfg(unix)]
fn a_view_that_cannot_be_written_is_an_error() {
    let mut session = Session::able(Value::Null);
    fs::write(session.client.home.path().join("mcp-analyzer/views"), "in the way").expect("written");
    let error = session.order("mcp-analyzer.view", "openai").expect_err("an error");
    let message = error["message"].as_str().expect("a message");
    assert!(message.contains("cannot be written: a file stands where there has to be a folder"), "{message}");
}
