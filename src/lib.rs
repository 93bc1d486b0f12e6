//! mcp-analyzer
pub mod analysis;
pub mod cli;
pub mod diagnostic;
pub mod document;
pub mod lsp;
pub mod model;
pub mod provider;
pub mod render;
pub mod rules;
pub mod settings;
pub mod settings_files;
pub mod syntax;
pub mod text;
pub mod tokens;
