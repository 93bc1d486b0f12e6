//! The binary `mcp-analyzer`: picks a face. The log goes to stderr; how much of it, the variable
//! `MCP_ANALYZER_LOG` says.

use std::process::ExitCode;

use mcp_analyzer::cli::{Arguments, Command, run};
use mcp_analyzer::lsp;

fn main() -> ExitCode {
    let level = env_logger::Env::new().filter_or("MCP_ANALYZER_LOG", "warn");
    env_logger::Builder::from_env(level).format_timestamp(None).init();
    match Arguments::read().command {
        Some(Command::Lsp(_)) => lsp::run(),
        command => run(command).into(),
    }
}
