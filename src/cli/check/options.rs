//! The options of `check`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::analysis::ReadAs;
use crate::cli::consent::ConsentOptions;
use crate::cli::{OutputFormat, kind};
use crate::diagnostic::Severity;
use crate::settings::Preset;

/// The options of `check`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Files, directories, servers (`config.json#server`, `npm:NAME`, `pypi:NAME`, a script, a URL), or `-` for stdin;
    /// the current directory when left out
    #[arg(value_name = "TARGET")]
    pub(super) targets: Vec<OsString>,
    /// A server, by the command line that starts it
    #[arg(last = true, value_name = "COMMAND")]
    pub(super) command: Vec<String>,
    /// What the files are: `tools`, or the client that reads them, such as `vscode`
    #[arg(long, value_name = "KIND", value_parser = kind::parse)]
    pub(super) kind: Option<ReadAs>,
    /// Mend what can be mended safely, then report what is left
    #[arg(long, group = "mending")]
    pub(super) fix: bool,
    /// With --fix or --diff: also mend where that changes behaviour
    #[arg(long = "unsafe", requires = "mending")]
    pub(super) unsafe_: bool,
    /// Show what --fix would change instead of a report, and change nothing
    #[arg(long, group = "mending")]
    pub(super) diff: bool,
    /// Start or contact the servers of config files too, and check what they list
    #[arg(long, conflicts_with = "diff")]
    pub(super) probe: bool,
    #[command(flatten)]
    pub(super) consent: ConsentOptions,
    /// Which rules are on
    #[arg(long, value_name = "PRESET", value_parser = preset_parser())]
    pub(super) preset: Option<Preset>,
    /// What the report looks like
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(super) format: OutputFormat,
    /// Which findings make the exit code 1: this loud or louder
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = FailOn::Error)]
    pub(super) fail_on: FailOn,
    /// A settings file, over the nearest mcp-analyzer.toml and your own
    #[arg(long, value_name = "FILE")]
    pub(super) settings: Option<PathBuf>,
    /// Print nothing but the last line, which counts
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// What makes the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum FailOn {
    Error,
    Warning,
    Info,
    Hint,
    Never,
}

impl FailOn {
    pub(super) const fn severity(self) -> Option<Severity> {
        match self {
            FailOn::Error => Some(Severity::Error),
            FailOn::Warning => Some(Severity::Warning),
            FailOn::Info => Some(Severity::Information),
            FailOn::Hint => Some(Severity::Hint),
            FailOn::Never => None,
        }
    }
}

fn preset_parser() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(|(name, _)| name)).map(|name| {
        Preset::ALL
            .into_iter()
            .find_map(|(known, preset)| (known == name).then_some(preset))
            .unwrap_or(Preset::Recommended)
    })
}
