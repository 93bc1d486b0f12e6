//! Cursor. Source: cursor.com/docs/mcp. Whether comments and trailing commas are read is not documented.

use super::Holds::{Object, Text, TextMap, Texts};
use super::{Dialect, ServerKey, Strictness, Unset, both, remote, stdio};

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
    url_schemes: &["http", "https"],
    // It tells servers apart by `command` and `url`.
    transports: &[],
    variables: Some(super::Variables {
        environment: "${env:NAME}",
        defaults: false,
        unset: Unset::Empty,
        places: true,
        inputs: false,
    }),
    tool_name: None,
    drops_byte_order_mark: false,
    duplicate_keys: "Cursor keeps the last one",
};

static SERVER_KEYS: &[ServerKey] = &[
    both("type", Text),
    stdio("command", Text),
    stdio("args", Texts),
    stdio("env", TextMap),
    stdio("envFile", Text),
    remote("url", Text),
    remote("headers", TextMap),
    remote("auth", Object),
];
