//! `mcp-analyzer probe`

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use super::config::servers_of;
use super::consent::{ConsentOptions, Wanted};
use super::input::not_written;
use super::servers::{self, Servers};
use super::settings::Rules;
use super::target::Target;
use super::{Exit, output};
use crate::facts::{Failure, ProbeReport};
use crate::render;
use crate::settings::Settings;

/// The options of `probe`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The server: `config.json#server`, `npm:NAME`, `pypi:NAME`, a script, a folder with a project, a URL
    #[arg(required_unless_present = "command", conflicts_with = "command")]
    target: Option<OsString>,
    /// The server, by the command line that starts it
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
    /// Write to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    consent: ConsentOptions,
    /// A settings file, over your own
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Say nothing of what is odd, only of what fails
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(options: &Options) -> io::Result<Exit> {
    let wanted = match wanted(options) {
        Ok(wanted) => wanted,
        Err(error) => {
            output::message(&error);
            return Ok(Exit::Unusable);
        }
    };
    let rules = Rules::new(Settings::default(), options.settings.as_deref());
    if rules.has_bad_file() {
        return Ok(Exit::Unusable);
    }
    let (launch, name) = (wanted.launch.id(), wanted.name.clone());
    let mut servers = Servers::default();
    servers.add(wanted);
    if !servers.ask(options.consent, &rules.probe(), options.quiet)? {
        return Ok(Exit::Interrupted);
    }
    let report = match servers.answer(launch) {
        Ok(report) => report,
        Err(reason) => {
            // Who has to agree was asked, or told how.
            if !servers.lacks_consent() {
                output::message(&format!("{name}: {reason}"));
            }
            return Ok(Exit::Unusable);
        }
    };
    let failure = report.failure.as_ref().map(Failure::told);
    if let Some(failure) = &failure {
        output::message(&format!("{name}: {failure}"));
    }
    for said in servers::said(report) {
        let is_failure = failure.as_ref().is_some_and(|failure| said.message.ends_with(failure));
        if !is_failure && !options.quiet {
            output::remark(&format!("{name}: {}", said.message));
        }
        if is_failure || !options.quiet {
            said.notes.iter().for_each(|note| output::remark(&format!("  {note}")));
        }
    }
    let is_written = write(report, options)?;
    Ok(if is_written && failure.is_none() { Exit::Clean } else { Exit::Unusable })
}

/// The one server.
fn wanted(options: &Options) -> Result<Wanted, String> {
    let target = match &options.target {
        Some(word) => Target::parse(word)?,
        None => Target::of_command(&options.command).ok_or("there is no command line after `--`")?,
    };
    let servers = servers_of(target, |config| Ok(vec![config.only()?]))?;
    servers.into_iter().next().ok_or_else(|| "there is no server".to_owned())
}

/// Puts out what the server lists; `false` where there is nothing, or no place for it.
fn write(report: &ProbeReport, options: &Options) -> io::Result<bool> {
    let Some(snapshot) = &report.snapshot else { return Ok(false) };
    let text = String::from(snapshot.text());
    let Some(path) = &options.output else {
        let text = if io::stdout().is_terminal() { render::visible_json(text) } else { text };
        return output::write(&text).map(|()| true);
    };
    let written = std::fs::write(path, text);
    if let Err(error) = &written {
        output::message(&format!("{}: {}", path.display(), not_written(error)));
    }
    Ok(written.is_ok())
}
