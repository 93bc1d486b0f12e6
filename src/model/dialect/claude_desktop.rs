//! Claude Desktop. Sources: the file's own error messages; anthropics/claude-code issues 26073 and 57998 (where it
//! lives on Windows); tadata-org/fastapi_mcp issue 6 (no remote servers in the file). No schema is published.

use super::{Dialect, ServerKey, Strictness, both, stdio};

pub(super) static DIALECT: Dialect = Dialect {
    id: "claude-desktop",
    name: "Claude Desktop",
    places: &["claude_desktop_config.json"],
    strictness: Strictness::Strict,
    roots: &[&["mcpServers"]],
    other_readers: &[],
    root_keys: None,
    server_keys: SERVER_KEYS,
    remote: false,
    url_needs_type: false,
    variable: None,
    duplicate_keys: "Claude Desktop keeps the last one",
};

static SERVER_KEYS: &[ServerKey] = &[stdio("command"), stdio("args"), stdio("env"), both("type")];
