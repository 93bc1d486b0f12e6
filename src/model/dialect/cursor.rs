//! Cursor. Source: cursor.com/docs/mcp. Whether comments and trailing commas are read is not documented.

use super::{Dialect, ServerKey, Strictness, both, remote, stdio};

pub(super) static DIALECT: Dialect = Dialect {
    id: "cursor",
    name: "Cursor",
    places: &[".cursor/mcp.json"],
    strictness: Strictness::Undocumented,
    roots: &[&["mcpServers"]],
    other_readers: &[],
    root_keys: None,
    server_keys: SERVER_KEYS,
    remote: true,
    url_needs_type: false,
    variable: Some("${env:NAME}"),
    duplicate_keys: "Cursor keeps the last one",
};

static SERVER_KEYS: &[ServerKey] = &[
    both("type"),
    stdio("command"),
    stdio("args"),
    stdio("env"),
    stdio("envFile"),
    remote("url"),
    remote("headers"),
    remote("auth"),
];
