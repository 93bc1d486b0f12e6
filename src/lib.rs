//! mcp-analyzer
pub mod diagnostic;
pub mod document;
pub mod model;
pub mod provider;
pub mod syntax;
pub mod text;
pub mod tokens;
