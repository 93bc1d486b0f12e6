//! mcp-analyzer
pub mod analysis;
pub mod diagnostic;
pub mod document;
pub mod model;
pub mod rules;
pub mod settings;
pub mod syntax;
pub mod text;
