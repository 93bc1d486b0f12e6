//! Claude Desktop. Sources: the file's own error messages; anthropics/claude-code issues 26073 and 57998 (where it
//! lives on Windows); tadata-org/fastapi_mcp issue 6 (no remote servers in the file);
//! tradesdontlie/tradingview-mcp issue 406 (a byte order mark makes it drop the file). No schema is published.

use super::Holds::{Text, TextMap, Texts};
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
    url_schemes: &[],
    transports: &[],
    variables: None,
    tool_name: Some("TOOL"),
    drops_byte_order_mark: true,
    duplicate_keys: "Claude Desktop keeps the last one",
};

static SERVER_KEYS: &[ServerKey] =
    &[stdio("command", Text), stdio("args", Texts), stdio("env", TextMap), both("type", Text)];
