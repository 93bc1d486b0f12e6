//! `mcp-analyzer settings`

use std::io;

use super::{Exit, output};
use crate::analysis;

/// The options of `settings`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Print the JSON Schema of the settings, by which editors complete and check `mcp-analyzer.toml`
    #[arg(long, required = true)]
    schema: bool,
}

pub(super) fn run(options: &Options) -> io::Result<Exit> {
    if options.schema {
        output::write(&format!("{:#}\n", analysis::settings_schema()))?;
    }
    Ok(Exit::Clean)
}
