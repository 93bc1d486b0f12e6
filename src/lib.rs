//! mcp-analyzer
pub mod syntax;
pub mod text;
