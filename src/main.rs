//! The binary `mcp-analyzer`.

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("lsp") => mcp_analyzer::lsp::run(),
        _ => ExitCode::from(2),
    }
}
