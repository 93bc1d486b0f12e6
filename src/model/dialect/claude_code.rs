//! Claude Code. Sources: its change log to 2.1.239; code.claude.com/docs/en/mcp; SchemaStore's
//! claude-code-settings.json. VS Code and Copilot CLI read the same file and key.

use super::Holds::{Boolean, Number, Object, Text, TextMap, Texts};
use super::{Dialect, ServerKey, Strictness, Transport, Unset, both, remote, stdio};

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
    url_schemes: &["http", "https", "ws", "wss"],
    transports: &[
        ("stdio", Transport::Stdio),
        ("http", Transport::Http),
        ("streamable-http", Transport::Http),
        ("sse", Transport::Sse),
        ("ws", Transport::WebSocket),
    ],
    variables: Some(super::Variables {
        environment: "${NAME}",
        defaults: true,
        unset: Unset::Literal,
        places: false,
        inputs: false,
    }),
    tool_name: Some("mcp__SERVER__TOOL"),
    drops_byte_order_mark: false,
    duplicate_keys: "Claude Code keeps the last one",
};

static SERVER_KEYS: &[ServerKey] = &[
    both("type", Text),
    stdio("command", Text),
    stdio("args", Texts),
    stdio("env", TextMap),
    both("timeout", Number),
    both("alwaysLoad", Boolean),
    both("request_timeout_ms", Number),
    remote("url", Text),
    remote("headers", TextMap),
    remote("headersHelper", Text),
    remote("oauth", Object),
];
