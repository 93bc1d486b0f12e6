//! The command line: reads arguments and files, lets analysis check them and render write the result.
//!
//! The only face that may write to stdout as a person reads it. Knows nothing of rules or of what a file means.

mod asking;
mod check;
mod config;
mod consent;
mod exact;
mod fix;
mod input;
mod kind;
mod lists;
mod output;
mod probe;
mod program;
mod rule;
mod schema;
mod servers;
mod settings;
mod target;
mod tokens;
mod trust;
mod view;
mod walk;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Finds what makes MCP servers and tools fail: mistakes in the config files of MCP clients, and tool definitions
/// that a model would stumble over.
#[derive(Debug, Parser)]
#[command(
    name = "mcp-analyzer",
    version,
    after_help = "Start with `mcp-analyzer check`, which looks at the current directory."
)]
pub struct Arguments {
    /// What to do; without one, the help is shown.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check config files and tool lists
    Check(check::Options),
    /// Tell what tools cost in tokens on every turn, and which of them most
    Tokens(tokens::Options),
    /// Print a tool list as a provider's API receives it, as JSON
    View(view::Options),
    /// Print what a server exposes, as JSON
    Probe(probe::Options),
    /// Say which servers may be started
    Trust(trust::Options),
    /// Explain one rule, or list all
    Rule(rule::Options),
    /// Tell what can be set
    Settings(schema::Options),
    /// Run the language server, which talks over stdin and stdout
    Lsp(LspOptions),
}

/// What editors pass to a language server; all of it is accepted and none of it needed.
#[derive(Debug, clap::Args)]
pub struct LspOptions {
    /// Talk over stdin and stdout, as is always done
    #[arg(long)]
    stdio: bool,
    /// Passed by some editors
    #[arg(long = "clientProcessId", hide = true)]
    client_process_id: Option<u32>,
}

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Clean,
    /// Something was found that is as loud as `--fail-on`, or there is a difference to show.
    Findings,
    /// Wrong usage, or an input that cannot be read.
    Unusable,
    /// The user has ended it.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Unusable => 2,
            Exit::Interrupted => asking::INTERRUPTED,
        })
    }
}

impl Arguments {
    /// The arguments of this process. Where they are wrong, or help is asked for, the process ends here.
    pub fn read() -> Arguments {
        Arguments::parse()
    }
}

/// Runs every command but the language server. A reader that closes its pipe is no failure.
pub fn run(command: Option<Command>) -> Exit {
    let result = match command {
        Some(Command::Check(options)) => check::run(&options),
        Some(Command::Tokens(options)) => tokens::run(&options),
        Some(Command::View(options)) => view::run(&options),
        Some(Command::Probe(options)) => probe::run(&options),
        Some(Command::Trust(options)) => trust::run(&options),
        Some(Command::Rule(options)) => rule::run(&options),
        Some(Command::Settings(options)) => schema::run(&options),
        Some(Command::Lsp(_)) => Ok(Exit::Clean),
        None => output::write(&Arguments::command().render_help().ansi().to_string()).map(|()| Exit::Clean),
    };
    match result {
        Ok(exit) => exit,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Clean,
        Err(error) => {
            output::message(&format!("the output cannot be written: {error}"));
            Exit::Unusable
        }
    }
}

/// What a report looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum OutputFormat {
    /// For people
    Text,
    /// For programs
    Json,
}
