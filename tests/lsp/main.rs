//! Sessions with the language server, over the pipes of a child process.

mod client;
mod costs;
mod fixes;
#[cfg(unix)]
mod probing;

use std::fs;

use client::{Client, uri};
use serde_json::{Value, json};

const URI: &str = "untitled:tools.json";

/// One tool whose `required` names a parameter that is not there.
const TOOL: &str = "[{\"name\": \"get_one\", \"description\": \"Gets one of the things there are.\",\n  \"inputSchema\": {\"type\": \"object\", \"properties\": {},\n    \"required\": [\"x\"]}, \"annotations\": {\"readOnlyHint\": true}}]\n";

const RULE: &str = "undefined-required";

const FIX_ALL: &str = "mcp-analyzer.fixAll";

fn at(line: u32, character: u32) -> Value {
    json!({ "line": line, "character": character })
}

fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    json!({ "start": at(start.0, start.1), "end": at(end.0, end.1) })
}

fn of_rule(diagnostics: &[Value], rule: &str) -> Vec<Value> {
    diagnostics.iter().filter(|one| one["code"] == rule).cloned().collect()
}

#[test]
fn a_session_from_start_to_end() {
    let mut client = Client::start();
    let early = client.request("textDocument/hover", json!({})).expect_err("not initialized");
    assert_eq!(early["code"], -32002);
    let params = json!({ "capabilities": { "general": { "positionEncodings": ["utf-16", "utf-8"] } } });
    let result = client.request("initialize", params).expect("a result");
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(result["capabilities"]["textDocumentSync"]["change"], 2);
    assert_eq!(result["capabilities"]["hoverProvider"], true);
    assert_eq!(result["serverInfo"]["name"], "mcp-analyzer");
    client.notify("initialized", json!({}));

    client.open(URI, TOOL);
    let found = of_rule(&client.diagnostics(URI, 1), RULE);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["range"], range((2, 17), (2, 20)));
    assert_eq!(found[0]["source"], "mcp-analyzer");
    assert_eq!(found[0]["severity"], 1);
    assert!(found[0].get("data").is_none() && found[0].get("codeDescription").is_none());

    let place = json!({ "textDocument": { "uri": URI }, "position": at(0, 12) });
    let hover = client.request("textDocument/hover", place).expect("a hover");
    let text = hover["contents"]["value"].as_str().expect("Markdown");
    assert!(text.contains("tool `get_one`") && text.contains("** tokens on every turn"), "{text}");
    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(symbols.expect("symbols")[0]["name"], "get_one");

    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    let cleared = client.wait(|message| message["params"]["uri"] == URI);
    assert_eq!(cleared["params"]["diagnostics"], json!([]));

    assert_eq!(client.request("shutdown", Value::Null), Ok(Value::Null));
    let late = client.request("textDocument/hover", json!({})).expect_err("shut down");
    assert_eq!(late["code"], -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_code(), Some(0));
}

#[test]
fn an_end_without_shutdown_is_a_failure() {
    let mut client = Client::simple();
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_code(), Some(1));
    assert_eq!(Client::simple().end(), Some(1), "a client that died");
    assert_eq!(Client::start().end(), Some(1));
    let mut client = Client::simple();
    client.request("shutdown", Value::Null).expect("a result");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn changes_are_applied_in_order_and_in_utf_16() {
    let mut client = Client::simple();
    client.open(URI, "[]");
    client.diagnostics(URI, 1);
    let text = TOOL.replace('\n', "\r\n").replace("Gets", "\u{1F600} Gets");
    client.change(URI, 2, json!([{ "text": text }]));
    assert_eq!(of_rule(&client.diagnostics(URI, 2), RULE)[0]["range"], range((2, 17), (2, 20)));
    // The first change makes the line on which the second is.
    client.change(
        URI,
        3,
        json!([
            { "range": range((0, 0), (0, 0)), "text": "\u{1F600}\r\n" },
            { "range": range((0, 0), (0, 2)), "text": "" },
            { "range": range((3, 18), (3, 19)), "text": "\u{1F600}y" },
        ]),
    );
    let found = of_rule(&client.diagnostics(URI, 3), RULE);
    assert_eq!(found[0]["range"], range((3, 17), (3, 22)));
    assert!(found[0]["message"].as_str().is_some_and(|message| message.contains("`\u{1F600}y`")), "{found:?}");
    // Behind two characters of two units each.
    let before = text.lines().next().expect("a line").encode_utf16().count() as u32;
    client.change(URI, 4, json!([{ "range": range((1, before), (3, 0)), "text": "" }]));
    let joined = of_rule(&client.diagnostics(URI, 4), RULE);
    assert_eq!(joined.len(), 0, "the schema is gone");
}

#[test]
fn a_tool_list_that_breaks_near_its_root_stays_one() {
    let list = format!("{{\"tools\":\n{TOOL}}}");
    let breaks = [
        ("no bracket", list.replacen('[', "", 1)),
        ("no brace", list.replacen('{', "", 1)),
        ("no quote", list.replacen("\"tools\"", "\"tools", 1)),
        ("no brace of the tool", list.replacen("[{", "[", 1)),
    ];
    let mut client = Client::simple();
    for (name, broken) in breaks {
        client.open(URI, &list);
        assert!(client.codes(URI, 1).contains(&RULE.to_owned()), "{name}");
        client.change(URI, 2, json!([{ "text": broken }]));
        assert!(client.codes(URI, 2).contains(&"syntax-error".to_owned()), "{name}");
        // Still broken, and edited elsewhere.
        client.change(URI, 3, json!([{ "range": range((1, 0), (1, 0)), "text": "\n" }]));
        assert!(client.codes(URI, 3).contains(&"syntax-error".to_owned()), "{name}");
        client.change(URI, 4, json!([{ "text": list }]));
        assert!(client.codes(URI, 4).contains(&RULE.to_owned()), "{name}");
        // Other JSON is nothing of ours, and is not when it breaks either.
        client.change(URI, 5, json!([{ "text": "{\"a\": 1}" }]));
        assert_eq!(client.codes(URI, 5), [""; 0], "{name}");
        client.change(URI, 6, json!([{ "text": "{\"a\": 1" }]));
        assert_eq!(client.codes(URI, 6), [""; 0], "{name}");
    }
}

#[test]
fn the_newest_text_wins_after_a_burst() {
    let mut client = Client::simple();
    client.open(URI, TOOL);
    for version in 2..500 {
        client.change(URI, version, json!([{ "range": range((2, 18), (2, 18)), "text": "z" }]));
    }
    client.change(URI, 500, json!([]));
    let found = of_rule(&client.diagnostics(URI, 500), RULE);
    assert_eq!(found[0]["range"], range((2, 17), (2, 20 + 498)));
    // Whatever was published on the way came in order, and nothing comes after.
    client.change(URI, 501, json!([]));
    assert_eq!(of_rule(&client.diagnostics(URI, 501), RULE), found);
}

#[test]
fn what_is_no_message_is_answered_and_survived() {
    let mut client = Client::simple();
    let deep = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"a/b\",\"params\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let refused: &[(&[u8], i64)] = &[
        (b"{\"a\":", -32700),
        (b"", -32700),
        (b"\xff\xfe\xfd", -32700),
        (b"[]", -32600),
        (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"shutdown\"}]", -32600),
        (b"{}", -32600),
        (b"7", -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"shutdown\"}", -32600),
        (b"{\"jsonrpc\":\"2.0\",\"method\":7}", -32600),
        (deep.as_bytes(), -32600),
    ];
    for (body, code) in refused {
        client.body(body);
        assert_eq!(client.refusal(), *code, "{}", String::from_utf8_lossy(body));
        client.assert_alive();
    }
    for header in
        ["garbage\r\n\r\n", "X: 1\r\n\r\n", "Content-Length: x\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n"]
    {
        client.raw(header.as_bytes());
        assert_eq!(client.refusal(), -32700, "{header}");
        client.assert_alive();
    }
    client.body(b"{\"jsonrpc\":\"1.0\",\"id\":77,\"method\":\"shutdown\"}");
    assert_eq!(client.wait(|message| message["id"] == 77)["error"]["code"], -32600);
    let body = b"{\"jsonrpc\":\"2.0\",\"id\":78,\"method\":\"a/b\"}";
    client.raw(format!("X-One: 1\r\ncontent-length: {}\r\nX-Two: 2\r\n\r\n", body.len()).as_bytes());
    client.raw(body);
    assert_eq!(client.wait(|message| message["id"] == 78)["error"]["code"], -32601);
    // Answers to questions that nobody asked.
    client.body(b"{\"jsonrpc\":\"2.0\",\"id\":79,\"error\":{\"code\":1,\"message\":\"\",\"stack\":\"x\"}}");
    client.body(b"{\"jsonrpc\":\"2.0\",\"id\":80}");
    client.assert_alive();
}

#[test]
fn unknown_and_wrong_requests_are_answered() {
    let mut client = Client::simple();
    let code = |answer: Result<Value, Value>| answer.expect_err("an error")["code"].as_i64();
    assert_eq!(code(client.request("no/such", json!({}))), Some(-32601));
    assert_eq!(code(client.request("$/noSuch", json!({}))), Some(-32601));
    assert_eq!(code(client.request("textDocument/hover", json!({ "x": 1 }))), Some(-32602));
    client.notify("no/such", json!({}));
    client.notify("$/noSuch", json!({}));
    client.notify("textDocument/didChange", json!({ "nonsense": 1 }));
    client.change("file:///never/opened.json", 2, json!([{ "text": "[]" }]));
    client.assert_alive();
}

#[test]
fn halves_of_surrogate_pairs_and_illegal_uris_are_opened() {
    let mut client = Client::simple();
    let text = TOOL.replace('"', "\\\"").replace('\n', "\\n").replace("Gets", "\\ud83d Gets \\\\ud83d \\ud83d\\ude00");
    let message = |uri: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{{\"textDocument\":{{\"uri\":\"{uri}\",\"languageId\":\"json\",\"version\":1,\"text\":\"{text}\"}}}}}}"
        )
    };
    for uri in [URI, "file:///a b/[x].json"] {
        client.body(message(uri).as_bytes());
        assert!(client.codes(uri, 1).iter().any(|code| code == RULE), "{uri}");
    }
}

#[test]
fn an_action_edits_this_version() {
    let workspace_edit = json!({ "documentChanges": true, "resourceOperations": ["create"] });
    let literal = json!({ "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix"] } } });
    let capabilities =
        json!({ "workspace": { "workspaceEdit": workspace_edit }, "textDocument": { "codeAction": literal } });
    let folder = tempfile::tempdir().expect("a directory");
    let file = uri(&folder.path().join("tools.json"));
    let mut client = Client::initialized(capabilities, Value::Null, Some(folder.path()));
    client.open(&file, TOOL);
    client.change(&file, 7, json!([{ "range": range((0, 0), (0, 0)), "text": "\n" }]));
    let diagnostics = of_rule(&client.diagnostics(&file, 7), RULE);
    let mut actions = |only: Value| {
        let context = json!({ "diagnostics": diagnostics, "only": only });
        let place = range((3, 18), (3, 18));
        let params = json!({ "textDocument": { "uri": file }, "range": place, "context": context });
        client.request("textDocument/codeAction", params).expect("actions")
    };
    let all = actions(Value::Null);
    let all = all.as_array().expect("a list");
    let fix = &all[0];
    assert_eq!(fix["title"], "remove `x` from `required`");
    assert_eq!((&fix["kind"], &fix["isPreferred"]), (&json!("quickfix"), &json!(true)));
    assert_eq!(fix["diagnostics"], json!(diagnostics));
    let edit = &fix["edit"]["documentChanges"][0];
    assert_eq!(edit["textDocument"], json!({ "uri": file, "version": 7 }));
    assert_eq!(edit["edits"], json!([{ "range": range((3, 17), (3, 20)), "newText": "" }]));
    assert!(all.iter().all(|action| action["kind"] != "source.fixAll.mcp-analyzer"));

    let ignore = all.iter().find(|action| action["title"] == "ignore `undefined-required` here").expect("the action");
    let changes = &ignore["edit"]["documentChanges"];
    assert_eq!(
        (&changes[0]["kind"], &changes[0]["uri"]),
        (&json!("create"), &json!(uri(&folder.path().join("mcp-analyzer.toml"))))
    );
    let entry = changes[1]["edits"][0]["newText"].as_str().expect("a text");
    assert_eq!(entry, "[[ignore]]\nrule = \"undefined-required\"\npath = \"tools.json\"\ntool = \"get_one\"\n");

    let fix_all = actions(json!(["source.fixAll"]));
    assert_eq!(fix_all.as_array().map(Vec::len), Some(1));
    assert_eq!(fix_all[0]["kind"], "source.fixAll.mcp-analyzer");
    assert_eq!(fix_all[0]["edit"]["documentChanges"][0]["textDocument"]["version"], 7);
    assert_eq!(actions(json!(["refactor.extract"])), json!([]));
}

#[test]
fn a_client_without_versioned_edits_gets_plain_ones() {
    let literal = json!({ "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } });
    let mut client = Client::initialized(json!({ "textDocument": { "codeAction": literal } }), Value::Null, None);
    client.open(URI, TOOL);
    let params =
        json!({ "textDocument": { "uri": URI }, "range": range((2, 18), (2, 18)), "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params).expect("actions");
    assert_eq!(
        actions[0]["edit"],
        json!({ "changes": { (URI): [{ "range": range((2, 17), (2, 20)), "newText": "" }] } })
    );
}

#[test]
fn the_command_applies_the_safe_fixes() {
    let workspace = json!({ "applyEdit": true, "workspaceEdit": { "documentChanges": true } });
    let mut client = Client::start();
    let result = client.request("initialize", json!({ "capabilities": { "workspace": workspace } }));
    let commands = result.expect("a result")["capabilities"]["executeCommandProvider"]["commands"].clone();
    assert_eq!(commands[0], FIX_ALL);
    client.notify("initialized", json!({}));
    let other = "untitled:other.json";
    client.open(URI, TOOL);
    client.change(URI, 2, json!([]));
    client.open(other, TOOL);
    client.open("untitled:clean.json", "[]");

    let edit =
        |client: &mut Client| client.wait(|message| message["method"] == "workspace/applyEdit")["params"].clone();
    let expected = |uri: &str, version: i32| {
        let edits = json!([{ "range": range((2, 17), (2, 20)), "newText": "" }]);
        let document = json!({ "uri": uri, "version": version });
        json!({ "edit": { "documentChanges": [{ "textDocument": document, "edits": edits }] } })
    };
    let command = |arguments: Value| json!({ "command": FIX_ALL, "arguments": arguments });
    assert_eq!(client.request("workspace/executeCommand", command(json!([URI]))), Ok(Value::Null));
    assert_eq!(edit(&mut client), expected(URI, 2));
    assert_eq!(client.request("workspace/executeCommand", json!({ "command": FIX_ALL })), Ok(Value::Null));
    assert_eq!([edit(&mut client), edit(&mut client)], [expected(other, 1), expected(URI, 2)], "all, sorted");

    for wrong in [command(json!(["untitled:closed.json"])), command(json!([7])), json!({ "command": "no.such" })] {
        let error = client.request("workspace/executeCommand", wrong.clone()).expect_err("an error");
        assert_eq!(error["code"], -32602, "{wrong}");
    }
    let mut simple = Client::start();
    let result = simple.request("initialize", json!({ "capabilities": {} })).expect("a result");
    let commands = result["capabilities"]["executeCommandProvider"]["commands"].as_array().expect("commands");
    assert!(!commands.contains(&json!(FIX_ALL)), "it could not apply the edits");
}

#[test]
fn a_client_that_answers_nothing_is_served() {
    let dynamic = json!({ "dynamicRegistration": true });
    let workspace = json!({
        "applyEdit": true,
        "configuration": true,
        "didChangeConfiguration": dynamic,
        "didChangeWatchedFiles": dynamic,
    });
    let literal = json!({ "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } });
    let mut client = Client::start();
    client.answers = false;
    let capabilities = json!({ "workspace": workspace, "textDocument": { "codeAction": literal } });
    client.request("initialize", json!({ "capabilities": capabilities })).expect("a result");
    client.notify("initialized", json!({}));
    client.wait(|message| message["method"] == "client/registerCapability");
    client.open(URI, TOOL);
    assert!(client.codes(URI, 1).contains(&RULE.to_owned()));
    for _ in 0..2 {
        assert_eq!(client.request("workspace/executeCommand", json!({ "command": FIX_ALL })), Ok(Value::Null));
        client.wait(|message| message["method"] == "workspace/applyEdit");
    }
    let place = json!({ "textDocument": { "uri": URI }, "position": at(0, 12) });
    assert!(client.request("textDocument/hover", place).expect("a hover").is_object());
    let place = range((2, 18), (2, 18));
    let params = json!({ "textDocument": { "uri": URI }, "range": place, "context": { "diagnostics": [] } });
    assert!(client.request("textDocument/codeAction", params).expect("actions")[0]["edit"].is_object());
    client.request("shutdown", Value::Null).expect("a result");
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_code(), Some(0));
}

#[test]
fn options_of_the_start_are_settings() {
    let options =
        json!({ "preset": null, "levels": { (RULE): "hint" }, "limits": null, "editorReportsJsonSyntax": true });
    let mut client = Client::initialized(json!({}), options, None);
    client.open(URI, TOOL);
    assert_eq!(of_rule(&client.diagnostics(URI, 1), RULE)[0]["severity"], 4);
    client.change(URI, 2, json!([{ "text": "[{\"name\": \"a\", \"inputSchema\": {}}, }" }]));
    assert!(!client.codes(URI, 2).contains(&"syntax-error".to_owned()), "the editor reports it itself");
    // The editor's configuration changes.
    let settings = json!({ "mcpAnalyzer": { "levels": { (RULE): "off" } } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    client.change(URI, 3, json!([{ "text": TOOL }]));
    assert!(!client.codes(URI, 3).contains(&RULE.to_owned()));
    // One that cannot be read keeps the last good one.
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "mcpAnalyzer": { "preset": 7 } } }));
    client.wait(|message| message["method"] == "window/showMessage");
    client.change(URI, 4, json!([]));
    assert!(!client.codes(URI, 4).contains(&RULE.to_owned()));
}

#[test]
fn what_tools_cost_is_found_when_it_was_counted() {
    let options = json!({ "limits": { "schemaTokens": 12 }, "targets": { "providers": ["openai"] } });
    let mut client = Client::initialized(json!({}), options, None);
    let is_found = |message: &Value, version: i64, is_there: bool| {
        let diagnostics = message["params"]["diagnostics"].as_array().cloned().unwrap_or_default();
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["version"] == version
            && of_rule(&diagnostics, "large-schema").is_empty() != is_there
    };
    client.open(
        URI,
        r#"[{"name": "a", "description": "Get a.", "inputSchema": {"type": "object", "properties": {"b": {"type": "string", "description": "One of those that there are."}}}}]"#,
    );
    client.wait(|message| is_found(message, 1, true));
    // Typing does not take it back until it is counted anew.
    let change = json!([{ "range": range((0, 31), (0, 31)), "text": "x" }]);
    client.change(URI, 2, change);
    assert!(client.codes(URI, 2).contains(&"large-schema".to_owned()));
    client.change(
        URI,
        3,
        json!([{ "text": r#"[{"name": "a", "inputSchema": {"type": "object", "properties": {}}}]"# }]),
    );
    client.wait(|message| is_found(message, 3, false));
    client.assert_alive();
}

#[test]
fn a_number_is_published_when_typing_pauses() {
    let options = json!({ "limits": { "tokenBudget": 5 }, "targets": { "providers": ["openai"] } });
    let mut client = Client::initialized(json!({}), options, None);
    let said = |message: &Value, version: i64| {
        let is_it = message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == version;
        let diagnostics = message["params"]["diagnostics"].as_array().cloned().unwrap_or_default();
        let found = of_rule(&diagnostics, "token-budget");
        found.first().filter(|_| is_it).map(|one| one["message"].as_str().expect("words").to_owned())
    };
    client.open(URI, r#"[{"name": "a", "description": "Get a.", "inputSchema": {}}]"#);
    let first = client.wait(|message| said(message, 1).is_some());
    client.change(URI, 2, json!([{ "range": range((0, 31), (0, 31)), "text": "the first of all things " }]));
    let soon = client.wait(|message| said(message, 2).is_some());
    assert_eq!(said(&soon, 2), said(&first, 1), "what it cost before");
    client.wait(|message| said(message, 2).is_some_and(|later| Some(later) != said(&first, 1)));
}

#[test]
fn what_an_editor_sets_in_vain_is_said_once() {
    let settings = json!({
        "prest": "all",
        "levels": { "undefined-requird": "hint" },
        "ignore": [{ "path": "x" }],
        "targets": { "models": ["gpd-5"] },
        "limits": { "tokenBugdet": 1 },
        "server": { "path": "x" },
    });
    let mut client = Client::initialized(json!({}), Value::Null, None);
    for _ in 0..2 {
        client.notify("workspace/didChangeConfiguration", json!({ "settings": { "mcpAnalyzer": settings } }));
    }
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "mcpAnalyzer": { "limits": 7 } } }));
    let mut said = || {
        let message = client.wait(|message| message["method"] == "window/showMessage");
        assert_eq!(message["params"]["type"], 2);
        message["params"]["message"].as_str().unwrap_or_default().to_owned()
    };
    for words in [
        "there is no setting `prest`; did you mean `preset`?",
        "there is no setting `limits.tokenBugdet`; did you mean `tokenBudget`?",
        "there is no rule `undefined-requird`; did you mean `undefined-required`?",
        "an ignore needs a `rule`",
        "none of these: Anthropic, OpenAI, Gemini; did you mean `gpt-5`?",
        "expected a table of limits, not `7`",
    ] {
        let said = said();
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn the_configuration_is_asked_for() {
    let workspace = json!({ "configuration": true, "didChangeConfiguration": { "dynamicRegistration": true } });
    let mut client = Client::start();
    client.configuration = json!({ "levels": { (RULE): "info" } });
    client.request("initialize", json!({ "capabilities": { "workspace": workspace } })).expect("a result");
    client.notify("initialized", json!({}));
    client.open(URI, TOOL);
    let is_quiet = |message: &Value| {
        let found = message["params"]["diagnostics"].as_array().into_iter().flatten();
        message["params"]["uri"] == URI && found.clone().any(|one| one["code"] == RULE && one["severity"] == 3)
    };
    client.wait(is_quiet);
}

#[test]
fn the_nearest_settings_file_holds_and_a_bad_one_keeps_the_last_good() {
    let folder = tempfile::tempdir().expect("a directory");
    let settings = folder.path().join("mcp-analyzer.toml");
    let file = uri(&folder.path().join("tools.json"));
    fs::write(&settings, format!("[levels]\n{RULE} = \"hint\"\n")).expect("written");
    let watched = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let mut client = Client::initialized(watched, Value::Null, Some(folder.path()));
    client.wait(|message| message["method"] == "client/registerCapability");
    client.open(&file, TOOL);
    assert_eq!(of_rule(&client.diagnostics(&file, 1), RULE)[0]["severity"], 4);

    let changed = |client: &mut Client, text: Option<&str>| {
        match text {
            Some(text) => fs::write(&settings, text).expect("written"),
            None => fs::remove_file(&settings).expect("removed"),
        }
        let changes = json!([{ "uri": uri(&settings), "type": 2 }]);
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    };
    let settings_uri = uri(&folder.path().join("mcp-analyzer.toml"));
    let told = |message: &Value| message["params"]["uri"] == settings_uri.as_str();
    changed(&mut client, Some("[levels\n"));
    assert_eq!(client.wait(told)["params"]["diagnostics"][0]["severity"], 1);
    client.wait(|message| message["method"] == "window/showMessage");
    assert_eq!(of_rule(&client.diagnostics(&file, 1), RULE)[0]["severity"], 4, "the last good settings");

    changed(&mut client, Some(&format!("[levels]\n{RULE} = \"info\"\n")));
    assert_eq!(client.wait(told)["params"]["diagnostics"], json!([]));
    assert_eq!(of_rule(&client.diagnostics(&file, 1), RULE)[0]["severity"], 3);
    changed(&mut client, None);
    assert_eq!(of_rule(&client.diagnostics(&file, 1), RULE)[0]["severity"], 1);
}

#[test]
fn a_client_that_watches_no_files_gets_new_settings_when_it_opens_and_saves() {
    let folder = tempfile::tempdir().expect("a directory");
    let settings = folder.path().join("mcp-analyzer.toml");
    let (file, other) = (uri(&folder.path().join("tools.json")), uri(&folder.path().join("other.json")));
    let unwatched = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": false } } });
    let mut client = Client::initialized(unwatched, Value::Null, Some(folder.path()));
    client.open(&file, TOOL);
    let severity = |client: &mut Client| of_rule(&client.diagnostics(&file, 1), RULE)[0]["severity"].clone();
    assert_eq!(severity(&mut client), 1);
    let saved = |client: &mut Client, uri: &str| {
        client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    };
    fs::write(&settings, format!("[levels]\n{RULE} = \"hint\"\n")).expect("written");
    saved(&mut client, &file);
    assert_eq!(severity(&mut client), 4, "a file has come");
    fs::write(&settings, format!("[levels]\n{RULE} = \"warning\"\n")).expect("written");
    client.open(&other, "{}");
    assert_eq!(severity(&mut client), 2, "it has changed");
    fs::remove_file(&settings).expect("removed");
    saved(&mut client, "file:///somewhere/else.py");
    assert_eq!(severity(&mut client), 1, "it is gone");
    saved(&mut client, &file);
    client.change(&file, 2, json!([]));
    client.diagnostics(&file, 2);
}

#[test]
fn a_client_that_creates_files_but_does_not_speak_of_document_changes_can_ignore() {
    // As Neovim 0.11 says it.
    let workspace_edit = json!({ "resourceOperations": ["rename", "create", "delete"] });
    let literal = json!({ "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix"] } } });
    let capabilities =
        json!({ "workspace": { "workspaceEdit": workspace_edit }, "textDocument": { "codeAction": literal } });
    let folder = tempfile::tempdir().expect("a directory");
    let file = uri(&folder.path().join("tools.json"));
    let mut client = Client::initialized(capabilities, Value::Null, Some(folder.path()));
    client.open(&file, TOOL);
    let params =
        json!({ "textDocument": { "uri": file }, "range": range((2, 4), (2, 4)), "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params).expect("actions");
    let titles: Vec<&str> = actions.as_array().into_iter().flatten().filter_map(|one| one["title"].as_str()).collect();
    let title = format!("ignore `{RULE}` here");
    let at = titles.iter().position(|one| *one == title).unwrap_or_else(|| panic!("{titles:?}"));
    assert_eq!(actions[at]["edit"]["documentChanges"][0]["kind"], "create");
}

#[test]
fn every_folder_has_its_settings_over_those_of_the_user() {
    let (one, other) = (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
    fs::write(one.path().join("mcp-analyzer.toml"), format!("[levels]\n{RULE} = \"info\"\n")).expect("written");
    let mut client = Client::start_for_user(&format!("[levels]\n{RULE} = \"hint\"\n"));
    let folder = |path| json!({ "uri": uri(path), "name": "x" });
    let folders = json!([folder(other.path()), folder(one.path())]);
    client.request("initialize", json!({ "capabilities": {}, "workspaceFolders": folders })).expect("a result");
    client.notify("initialized", json!({}));
    for (file, severity) in
        [(uri(&one.path().join("tools.json")), 3), (uri(&other.path().join("tools.json")), 4), (URI.to_owned(), 4)]
    {
        client.open(&file, TOOL);
        assert_eq!(of_rule(&client.diagnostics(&file, 1), RULE)[0]["severity"], severity, "{file}");
    }
}

#[test]
fn a_file_that_is_deleted_on_disk_stays_open() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("tools.json");
    fs::write(&path, TOOL).expect("written");
    let mut client = Client::initialized(json!({}), Value::Null, Some(folder.path()));
    client.open(&uri(&path), TOOL);
    client.diagnostics(&uri(&path), 1);
    drop(folder);
    client.change(&uri(&path), 2, json!([{ "range": range((0, 0), (0, 0)), "text": " " }]));
    assert!(client.codes(&uri(&path), 2).contains(&RULE.to_owned()));
}

#[test]
fn other_languages_are_ignored() {
    let mut client = Client::simple();
    let document = json!({ "uri": "file:///a.py", "languageId": "python", "version": 1, "text": TOOL });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    client.change("file:///a.py", 2, json!([{ "text": TOOL }]));
    let document = json!({ "uri": "file:///b.json", "languageId": "mcp", "version": 1, "text": TOOL });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    assert!(client.codes("file:///b.json", 1).contains(&RULE.to_owned()), "by its extension");
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": "file:///a.py" } }));
    client.assert_alive();
}
