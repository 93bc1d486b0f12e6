//! Claude Code. Sources: its change log to 2.1.239; code.claude.com/docs/en/mcp; SchemaStore's
//! claude-code-settings.json. VS Code and Copilot CLI read the same file and key.

use super::{Dialect, ServerKey, Strictness, both, remote, stdio};

pub(super) static DIALECT: Dialect = Dialect {
    id: "claude-code",
    name: "Claude Code",
    places: &[".mcp.json"],
    strictness: Strictness::Strict,
    roots: &[&["mcpServers"]],
    other_readers: &[("servers", "Visual Studio")],
    root_keys: None,
    server_keys: SERVER_KEYS,
    remote: true,
    url_needs_type: true,
    variable: Some("${NAME}"),
    duplicate_keys: "Claude Code keeps the last one",
};

static SERVER_KEYS: &[ServerKey] = &[
    both("type"),
    stdio("command"),
    stdio("args"),
    stdio("env"),
    both("timeout"),
    both("alwaysLoad"),
    both("request_timeout_ms"),
    remote("url"),
    remote("headers"),
    remote("headersHelper"),
    remote("oauth"),
];
