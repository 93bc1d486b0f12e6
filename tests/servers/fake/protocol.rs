//! What it answers, whatever the transport.

use serde_json::{Value, json};

use crate::Orders;

/// Written as no program would: what is read has to keep it.
pub const TOOL: &str = r#"{"name":  "get_thing", "description": "Gets one thing by its name.", "inputSchema": {"type": "object"}, "vendor": 1.50e2}"#;

/// A request.
pub struct Request {
    pub id: Value,
    pub method: String,
    pub cursor: Option<String>,
    version: Value,
}

impl Request {
    /// `None` where the message is no request.
    pub fn of(message: &Value) -> Option<Request> {
        Some(Request {
            id: message.get("id")?.clone(),
            method: message.get("method")?.as_str()?.to_owned(),
            cursor: message["params"]["cursor"].as_str().map(str::to_owned),
            version: message["params"]["protocolVersion"].clone(),
        })
    }

    /// The answer with this result, in one line.
    pub fn result(&self, result: impl std::fmt::Display) -> String {
        format!(r#"{{"jsonrpc": "2.0", "id": {}, "result": {result}}}"#, self.id)
    }

    /// The answer with this error.
    pub fn error(&self, code: i64, message: &str) -> String {
        json!({"jsonrpc": "2.0", "id": self.id, "error": {"code": code, "message": message}}).to_string()
    }
}

/// One page of tools.
fn page(tools: &str, next: impl Into<Option<Value>>) -> String {
    match next.into() {
        Some(next) => format!(r#"{{"tools": [{tools}], "nextCursor": {next}}}"#),
        None => format!(r#"{{"tools": [{tools}]}}"#),
    }
}

fn tool(name: &str, description: &str) -> Value {
    json!({"name": name, "description": description, "inputSchema": {"type": "object"}})
}

/// The answer to a request.
pub fn answer(orders: &Orders, request: &Request) -> String {
    let cursor = request.cursor.as_deref();
    match (&*orders.behaviour, &*request.method) {
        ("refuses", "initialize") | ("list-error", "tools/list") => request.error(-32603, &orders.value),
        ("future", "server/discover") => request.result(json!({
            "resultType": "complete", "ttlMs": 0, "cacheScope": "public",
            "supportedVersions": [orders.value], "capabilities": {"tools": {}},
        })),
        ("no-server-info", "initialize") => {
            request.result(json!({"protocolVersion": request.version, "capabilities": {"tools": {}}}))
        }
        (_, "initialize") => {
            let version = if orders.behaviour == "version" { json!(orders.value) } else { request.version.clone() };
            let capabilities = match &*orders.behaviour {
                "ok" | "list-failed" => json!({"tools": {}, "resources": {}, "prompts": {}}),
                _ => json!({"tools": {}}),
            };
            let mut result = json!({
                "protocolVersion": version,
                "capabilities": capabilities,
                "serverInfo": {"name": "fake", "version": "1.2.3"},
            });
            if orders.behaviour == "ok" {
                result["instructions"] = json!("Ask for one thing at a time.");
            }
            request.result(result)
        }
        (_, "ping") => request.result("{}"),
        ("list-failed", "resources/list") => request.error(-32603, "the index is locked"),
        (_, "resources/list") => request.result(r#"{"resources": [{"uri": "thing://1", "name": "one"}]}"#),
        (_, "resources/templates/list") => {
            request.result(r#"{"resourceTemplates": [{"uriTemplate": "thing://{id}", "name": "any"}]}"#)
        }
        (_, "prompts/list") => request.result(r#"{"prompts": [{"name": "tell"}, {"name": "show"}]}"#),
        ("list", "tools/list") => match std::fs::read_to_string(&orders.value) {
            // A message is one line.
            Ok(text) => request.result(format!(r#"{{"tools": {text}}}"#).replace(['\n', '\r'], " ")),
            Err(error) => request.error(-32603, &error.to_string()),
        },
        ("malformed", "tools/list") => {
            let tools =
                format!(r#"{TOOL}, {{"name": 5, "inputSchema": "none"}}, {}"#, tool("put_thing", "Keeps a thing."));
            request.result(page(&tools, None))
        }
        ("not-array", "tools/list") => request.result(r#"{"tools": {"get_thing": {}}}"#),
        ("no-tools", "tools/list") => request.result("{}"),
        ("huge", "tools/list") => {
            request.result(page(&tool("get_thing", &"x".repeat(orders.number())).to_string(), None))
        }
        ("deep", "tools/list") => {
            let (open, close) = (r#"{"not": "#.repeat(orders.number()), "}".repeat(orders.number()));
            request.result(page(&format!(r#"{{"name": "get_thing", "inputSchema": {open}{{}}{close}}}"#), None))
        }
        ("lone-surrogate", "tools/list") => request.result(page(&TOOL.replace("thing by", r"\ud83d by"), None)),
        ("environment", "tools/list") => {
            let mut names: Vec<_> = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
            names.sort();
            let working = std::env::current_dir().unwrap_or_default();
            let tools = [tool("environment", &names.join(" ")), tool("directory", &working.to_string_lossy())];
            request.result(page(&format!("{}, {}", tools[0], tools[1]), None))
        }
        ("cursor-loop", "tools/list") => request.result(page(TOOL, json!(if cursor == Some("a") { "b" } else { "a" }))),
        ("cursor-endless", "tools/list") => {
            let number: usize = cursor.and_then(|cursor| cursor.parse().ok()).unwrap_or_default();
            request.result(page(TOOL, json!((number + 1).to_string())))
        }
        ("cursor-number", "tools/list") => request.result(page(TOOL, json!(2))),
        ("cursor-null", "tools/list") => request.result(page(TOOL, Value::Null)),
        ("pages" | "crash", "tools/list") => {
            let number: usize = cursor.and_then(|cursor| cursor.parse().ok()).unwrap_or_default();
            let next = (number + 1 < orders.number()).then(|| json!((number + 1).to_string()));
            request.result(page(&tool(&format!("get_{number}"), "Gets one of them.").to_string(), next))
        }
        (_, "tools/list") => request.result(page(TOOL, None)),
        _ => request.error(-32601, "Method not found"),
    }
}
