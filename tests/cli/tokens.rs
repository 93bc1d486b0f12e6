//! What tools cost, and lists as providers receive them, on the command line.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value as Json, json};

use crate::Ran;
use crate::servers::{Project, server};

const PROVIDERS: [&str; 3] = ["anthropic", "openai", "gemini"];

fn tools() -> Json {
    json!({"tools": [
        {"name": "ping", "inputSchema": {"type": "object"}},
        {"name": "find", "description": "Finds what is lost.", "annotations": {"readOnlyHint": true},
            "inputSchema": {"type": "object", "properties": {"what": {"type": "string", "description": "Which thing"}}}},
    ]})
}

fn project() -> Project {
    let project = Project::new(json!({}));
    project.write("work/tools.json", &tools().to_string());
    project
}

fn run_with(project: &Project, arguments: &[&str], input: &str) -> Ran {
    let mut command = project.command(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Ran::new(child.wait_with_output().unwrap())
}

#[test]
fn a_list_is_counted_for_each_provider() {
    let project = project();
    let ran = project.run(&["tokens", "tools.json", "--format", "json"]);
    ran.says(0, &[]);
    let json = ran.json();
    assert_eq!(json["schema"], 1);
    assert_eq!(
        json["model"],
        json!({"anthropic": "claude-sonnet-4-6", "openai": "gpt-5", "gemini": "gemini-3.6-flash"})
    );
    for provider in PROVIDERS {
        let numbers: Vec<u64> =
            json["tools"].as_array().unwrap().iter().map(|tool| tool["tokens"][provider].as_u64().unwrap()).collect();
        assert!(numbers[1] > numbers[0] && numbers[0] > 0, "{numbers:?}");
        assert_eq!(json["total"][provider], numbers[0] + numbers[1], "without {}", json["overhead"][provider]);
    }
    let pointers: Vec<&Json> =
        json["tools"][1]["parts"].as_array().unwrap().iter().map(|part| &part["pointer"]).collect();
    assert_eq!(pointers, ["/description", "/inputSchema/properties/what"]);
    let text = project.run(&["tokens", "tools.json", "--top", "1"]);
    text.says(0, &["tools.json: 2 tools", " with gpt-5\n", "\n  find  █", "\n  and 1 more, ≈", "not a bill"]);
    assert!(!text.stdout.contains("\n  ping") && !text.stdout.contains('\u{1b}'), "{text:#?}");
    assert_eq!(run_with(&project, &["tokens", "-", "--format", "json"], &tools().to_string()).stdout, ran.stdout);
    run_with(&project, &["tokens", "-"], "[]").says(0, &["<stdin>: 0 tools"]);
}

#[test]
fn a_budget_is_for_the_largest_that_is_asked_for() {
    let project = project();
    let json = project.run(&["tokens", "tools.json", "--format", "json"]).json();
    let total = |provider: &str| json["total"][provider].as_u64().unwrap();
    let (most, least) = (total("anthropic"), total("openai"));
    assert!(most > least);
    let run = |budget: u64, more: &[&str]| {
        project.run(&[&["tokens", "tools.json", "--format", "json", "--budget", &budget.to_string()], more].concat())
    };
    assert_eq!(run(most, &[]).says(0, &[]).stderr, "");
    let over = run(most - 1, &[]);
    over.says(1, &["\"schema\": 1"])
        .complains(&[&format!("over the budget of {} by ≈1 token: ≈{most} with claude-sonnet-4-6\n", most - 1)]);
    run(least, &["--provider", "openai"]).says(0, &[]);
    run(least - 2, &["--provider", "openai"]).says(1, &[]).complains(&["by 2 tokens: ", " with gpt-5\n"]);
}

#[test]
fn models_and_providers_are_chosen() {
    let project = project();
    let models = |more: &[&str]| {
        let ran = project.run(&[&["tokens", "tools.json", "--format", "json"], more].concat());
        ran.says(0, &[]);
        let model = ran.json()["model"].as_object().unwrap().clone();
        model.into_iter().map(|(_, name)| name.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(models(&["--model", "gpt-4o"]), "gpt-4o");
    assert_eq!(models(&["--model", "gpt-4o", "--model", "claude-opus-5"]), "claude-opus-5 gpt-4o");
    assert_eq!(models(&["--model", "gpt-4o", "--provider", "all"]), "claude-sonnet-4-6 gpt-4o gemini-3.6-flash");
    assert_eq!(models(&["--provider", "gemini,openai"]), "gpt-5 gemini-3.6-flash");
    project.write("work/mcp-analyzer.toml", "[targets]\nproviders = [\"openai\"]\n");
    assert_eq!(models(&[]), "gpt-5");
    assert_eq!(models(&["--provider", "gemini"]), "gemini-3.6-flash");
    for (arguments, words) in [
        (&["--model", "gpt5"][..], &["did you mean `gpt-5`?", "claude-opus-5"][..]),
        (&["--model", "llama-4"], &["known models: claude-opus-5, "]),
        (&["--model", "gpt-4o", "--provider", "gemini"], &["`gpt-4o` is a model of openai"]),
        (&["--model", "gpt-4o", "--model", "gpt-5"], &["`gpt-4o` and `gpt-5` are both of OpenAI"]),
        (&["--provider", "mistral"], &["anthropic, openai, gemini, all"]),
        (&["--budget", "many"], &["--budget"]),
    ] {
        let ran = project.run(&[&["tokens", "tools.json", "--format", "json"], arguments].concat());
        ran.says(2, &[]).complains(words);
        assert_eq!(ran.stdout, "");
    }
}

#[test]
fn what_cannot_be_counted_says_why() {
    let project = project();
    project.write("work/other.json", r#"{"name": "x", "version": "1"}"#);
    project.write("work/broken.json", r#"{"tools": [{"name": "ping", "inputSchema": {}},"#);
    for (target, words) in [
        ("other.json", "other.json: it is neither a tool list nor a config file; give a tool list, "),
        ("gone.json", "gone.json: there is no such file"),
        ("tools.json#ping", "is no config file"),
    ] {
        let ran = project.run(&["tokens", target, "--format", "json"]);
        ran.says(2, &[]).complains(&[words]);
        let json = ran.json();
        assert!(json["error"].as_str().unwrap().contains(words), "{json}");
        assert_eq!((&json["total"]["openai"], &json["tools"]), (&Json::Null, &json!([])));
        project.run(&["view", target, "--as", "openai"]).says(2, &[]).complains(&[words]);
    }
    for (target, words) in [(".", ". is a directory; give a tool list, a config file, "), ("tool", "`npm:tool`")] {
        let ran = project.run(&["tokens", target, "--format", "json"]);
        ran.says(2, &[]).complains(&[words]);
        assert_eq!(ran.stdout, "");
    }
    project.run(&["tokens", "broken.json"]).says(2, &["broken.json: 1 tool"]).complains(&["it is not JSON: "]);
    run_with(&project, &["tokens", "-"], "[1, 2]").says(2, &[]).complains(&["<stdin>: it is neither"]);
    project.run(&["tokens"]).says(2, &[]).complains(&["Usage:"]);
}

#[test]
fn servers_are_asked_with_consent_only() {
    let project = Project::new(json!({}));
    let canary = project.canary();
    let ok = json!({"command": server("fake"), "args": ["ok"]});
    project.write(
        "work/.mcp.json",
        &json!({"mcpServers": {"one": ok, "bad": canary, "two": {"command": server("fake"), "args": ["ok", "2"]},
            "off": {"command": "x", "disabled": true}, "vague": {"command": ["x"]}}})
        .to_string(),
    );
    let arguments = ["tokens", ".mcp.json", "--format", "json"];
    let refused = project.run(&arguments);
    refused.says(2, &[]).complains(&["nobody has said that", "  one: ", "off: it is switched off"]);
    assert_eq!(refused.json()["total"]["openai"], Json::Null);
    assert_eq!(refused.json()["servers"][0]["error"], "not started: not trusted");
    let unspawned = project.run(&[&arguments[..], &["--no-spawn", "--yes"]].concat());
    unspawned.says(2, &[]).complains(&["error: two: not started: --no-spawn"]);
    assert!(!project.is_started());
    let ran = project.run(&[&arguments[..], &["--yes"]].concat());
    ran.says(2, &[]).complains(&["error: bad: ", "error: vague: it is switched off, or does not say what"]);
    let json = ran.json();
    let of =
        |key: &str| -> Vec<Json> { json["tools"].as_array().unwrap().iter().map(|tool| tool[key].clone()).collect() };
    assert_eq!(of("server"), ["one", "two"]);
    let tokens = of("tokens");
    assert_eq!(json["total"]["gemini"], tokens[0]["gemini"].as_u64().unwrap() + tokens[1]["gemini"].as_u64().unwrap());
    assert_eq!(json["overhead"]["anthropic"], 497, "once a request, however many servers");
    let status: Vec<&Json> = json["servers"].as_array().unwrap().iter().map(|server| &server["status"]).collect();
    assert_eq!(status, ["ok", "failed", "ok", "skipped", "skipped"]);
    let text = project.run(&["tokens", ".mcp.json", "--yes"]);
    text.says(2, &["one: 1 tool · ", "\ntwo: 1 tool · ", "\ntogether: 2 tools of 2 servers · "]);
    let one = project.run(&["tokens", ".mcp.json#one", "--yes", "--format", "json"]);
    one.says(0, &[]);
    assert_eq!(one.json()["tools"][0], json["tools"][0]);
    let fake = server("fake");
    project.run(&["tokens", "--yes", "--", &fake, "ok"]).says(0, &[&format!("{fake} ok: 1 tool")]);
    let several = project.run(&["view", ".mcp.json", "--yes", "--as", "openai"]);
    several.says(2, &[]).complains(&["has 5 servers: write `.mcp.json#one`; there are `one`, `bad`, "]);
    let view = project.run(&["view", ".mcp.json#one", "--yes", "--as", "openai", "--quiet"]);
    view.says(0, &[]);
    assert_eq!((&view.json()[0]["type"], view.json()[0]["name"].is_string()), (&json!("function"), true));
}

#[test]
fn a_list_is_shown_as_an_api_receives_it() {
    let project = project();
    let view = project.run(&["view", "tools.json", "--as", "anthropic"]);
    view.says(0, &[]);
    let find = &tools()["tools"][1];
    let expected = json!({"name": "find", "description": find["description"], "input_schema": find["inputSchema"]});
    assert_eq!(view.json()[1], expected);
    let why = "the API takes nothing of the kind; clients keep it to themselves";
    assert_eq!(view.stderr, format!("find: /annotations: {why}\n"));
    let gemini = project.run(&["view", "tools.json", "--as", "gemini", "--quiet"]);
    assert_eq!(gemini.stderr, "");
    assert_eq!(gemini.json()[0]["functionDeclarations"][1]["parameters"]["type"], "OBJECT");
    project.run(&["view", "tools.json"]).says(2, &[]).complains(&["--as <PROVIDER>"]);
    project.run(&["view", "tools.json", "--as", "all"]).says(2, &[]).complains(&["anthropic, openai, gemini"]);
}

/// A number, or why there is none.
#[test]
fn bad_tools_have_a_number_or_a_reason() {
    let nested =
        (0..50).fold(json!({"type": "string"}), |inner, _| json!({"type": "object", "properties": {"a": inner}}));
    let circle =
        json!({"$ref": "#/$defs/N", "$defs": {"N": {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}}}});
    let tools = [
        json!({"name": "a", "description": "no schema"}),
        json!({"name": "circle", "inputSchema": circle}),
        json!({"name": "nested", "inputSchema": &nested}),
        json!({"name": "long", "description": "x y ".repeat(1 << 18), "inputSchema": {}}),
        json!({"name": "objects", "inputSchema": {"properties": {"e": {"enum": [{"a": 1}, [2]]}}}}),
        json!({"inputSchema": {}}),
        json!({"name": "same", "inputSchema": {}}),
        json!({"name": "same", "inputSchema": {}}),
        json!({"name": "\u{1b}[31mred\u{202e}", "inputSchema": {}}),
        json!(3),
        json!("SURROGATE"),
    ];
    let surrogate = r#"{"name": "\ud800", "description": "\udfff", "inputSchema": {"properties": {"\ud800": {}}}}"#;
    let text = json!({"tools": tools}).to_string().replace("\"SURROGATE\"", surrogate);
    let project = Project::new(json!({}));
    project.write("work/tools.json", &text);
    let ran = project.run(&["tokens", "tools.json", "--format", "json"]);
    ran.says(0, &[]);
    let json = ran.json();
    let told = json["tools"].as_array().unwrap();
    assert_eq!(told.len(), tools.len() - 2, "what has no name is not sent");
    for tool in told {
        for provider in PROVIDERS {
            let reason = tool["errors"][provider].as_str().unwrap_or_default();
            let is_reason = provider == "gemini" && reason.starts_with("cannot be rendered for Gemini: ");
            assert!(tool["tokens"][provider].is_u64() != is_reason, "{provider}: {tool:#}");
        }
    }
    let deep = (0..200).fold(nested, |inner, _| json!({"type": "array", "items": inner}));
    project.write("work/deep.json", &json!({"name": "deep", "inputSchema": {"items": deep}}).to_string());
    project.run(&["tokens", "deep.json"]).says(0, &["deep.json: 1 tool"]).complains(&["nested too deeply"]);
    let shown = project.run(&["tokens", "tools.json"]);
    shown.says(
        0,
        &[
            "\\u{1b}[31mred\\u{202e}",
            "2 more elements not counted: without a name",
            "circle cannot be rendered for Gemini: `#/$defs/N`",
        ],
    );
    for provider in PROVIDERS {
        let view = project.run(&["view", "tools.json", "--as", provider]);
        view.says(0, &[]).complains(&["tool 6, tool 10: a tool without a name cannot be declared"]);
        let list = view.json();
        let list = if provider == "gemini" { list[0]["functionDeclarations"].clone() } else { list };
        assert_eq!(list.as_array().map(Vec::len), Some(9));
        assert!(!view.stdout.contains(['\u{1b}', '\u{202e}']));
    }
}

/// A server that counts as the three providers do: a token for every three bytes of the tools, and one for the greeting.
fn counting_server() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let answer = async |uri: axum::http::Uri, body: String| {
        let body: Json = serde_json::from_str(&body).unwrap();
        let tools = body.get("tools").or_else(|| body["generateContentRequest"].get("tools"));
        let tokens = tools.map_or(1, |tools| 1 + tools.to_string().len() / 3);
        match uri.path() {
            "/v1/messages/count_tokens" | "/v1/responses/input_tokens" => json!({"input_tokens": tokens}).to_string(),
            _ => String::from("<html>"),
        }
    };
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            listener.set_nonblocking(true).unwrap();
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, axum::Router::new().fallback(answer)).await.unwrap();
        });
    });
    address
}

#[test]
fn providers_count_themselves_only_when_they_are_to() {
    let (project, address) = (project(), counting_server());
    let run = |keys: &[&str], arguments: &[&str]| {
        let mut command = project.command(&[&["tokens", "tools.json"], arguments].concat());
        let bases = [("ANTHROPIC_BASE_URL", ""), ("OPENAI_BASE_URL", "/v1"), ("GOOGLE_GEMINI_BASE_URL", "")];
        for (variable, path) in bases {
            command.env(variable, format!("{address}{path}"));
        }
        for key in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"] {
            command.env_remove(key);
        }
        keys.iter().for_each(|key| _ = command.env(key, "a-key-of-somebody"));
        Ran::new(command.output().unwrap())
    };
    let none = run(&[], &["--exact"]);
    none.says(2, &[]).complains(&[
        "`--exact` needs a key in the environment: `ANTHROPIC_API_KEY` for Anthropic, `OPENAI_API_KEY` for",
    ]);
    assert_eq!(none.stdout, "");

    let plain = run(&["ANTHROPIC_API_KEY"], &["--format", "json"]).json();
    assert_eq!(plain.get("exact"), None);
    let two = run(&["ANTHROPIC_API_KEY", "OPENAI_API_KEY"], &["--exact", "--format", "json"]);
    two.says(0, &[]);
    let left_out = "only estimated, without a key: `GEMINI_API_KEY` or `GOOGLE_API_KEY` for Gemini";
    assert!(two.stderr.contains(left_out), "{}", two.stderr);
    let sent = |provider: &str| {
        let view = project.run(&["view", "tools.json", "--as", provider, "--quiet"]).json();
        view.to_string().len() / 3
    };
    assert_eq!(two.json()["exact"], json!({"anthropic": sent("anthropic"), "openai": sent("openai")}));

    let text = run(&["OPENAI_API_KEY"], &["--exact", "--provider", "openai"]);
    text.says(
        0,
        &[&format!("{} tokens by OpenAI itself, with what comes once a request", sent("openai")), "estimate 4"],
    );
    let broken = run(&["GEMINI_API_KEY"], &["--exact", "--provider", "gemini", "--format", "json"]);
    broken.says(2, &[]);
    assert!(
        broken.stderr.contains("error: Gemini: ")
            && broken.json()["total"]["gemini"].is_u64()
            && broken.json().get("exact").is_none(),
        "{broken:#?}"
    );
    assert!(!format!("{text:?}{broken:?}").contains("a-key-of-somebody"));
}
