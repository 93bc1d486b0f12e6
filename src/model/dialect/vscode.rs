//! VS Code. Sources: microsoft/vscode-docs mcp-configuration.md; microsoft/vscode mcpConfiguration.ts, whose schema
//! refuses other keys at the root and in a server, and allows comments and trailing commas.

use super::{Dialect, ServerKey, Strictness, both, remote, stdio};

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
    variable: Some("${env:NAME}"),
    duplicate_keys: "VS Code keeps the last one",
};

static SERVER_KEYS: &[ServerKey] = &[
    both("type"),
    stdio("command"),
    stdio("args"),
    stdio("cwd"),
    stdio("env"),
    stdio("envFile"),
    both("dev"),
    stdio("sandboxEnabled"),
    stdio("sandbox"),
    // Written by installs from the gallery.
    both("gallery"),
    both("version"),
    remote("url"),
    remote("headers"),
    remote("oauth"),
];
