//! VS Code. Sources: microsoft/vscode-docs mcp-configuration.md; microsoft/vscode mcpConfiguration.ts, whose schema
//! refuses other keys at the root and in a server, and allows comments and trailing commas.

use super::Holds::{Anything, Boolean, Object, Text, TextMap, Texts, Variables};
use super::{Dialect, ServerKey, Strictness, Transport, Unset, both, remote, stdio};

pub(super) static DIALECT: Dialect = Dialect {
    id: "vscode",
    name: "VS Code",
    places: &[
        ".vscode/mcp.json",
        "Code/User/mcp.json",
        "Code - Insiders/User/mcp.json",
        "VSCodium/User/mcp.json",
        "User/profiles/*/mcp.json",
    ],
    strictness: Strictness::Jsonc,
    roots: &[&["servers"]],
    other_readers: &[],
    root_keys: Some(&["servers", "inputs", "sandbox", "$schema"]),
    server_keys: SERVER_KEYS,
    remote: true,
    url_needs_type: false,
    url_schemes: &["http", "https", "unix", "pipe"],
    transports: &[("stdio", Transport::Stdio), ("http", Transport::Http), ("sse", Transport::Sse)],
    variables: Some(super::Variables {
        environment: "${env:NAME}",
        defaults: false,
        unset: Unset::Empty,
        places: true,
        inputs: true,
    }),
    tool_name: Some("mcp_SERVER_TOOL"),
    drops_byte_order_mark: false,
    duplicate_keys: "VS Code keeps the last one",
};

static SERVER_KEYS: &[ServerKey] = &[
    both("type", Text),
    stdio("command", Text),
    stdio("args", Texts),
    stdio("cwd", Text),
    stdio("env", Variables),
    stdio("envFile", Text),
    both("dev", Object),
    stdio("sandboxEnabled", Boolean),
    stdio("sandbox", Object),
    // Written by installs from the gallery.
    both("gallery", Anything),
    both("version", Text),
    remote("url", Text),
    remote("headers", TextMap),
    remote("oauth", Object),
];
