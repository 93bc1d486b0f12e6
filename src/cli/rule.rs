//! `mcp-analyzer rule`

use std::io;

use super::{Exit, OutputFormat, output};
use crate::render;
use crate::rules;
use crate::text;

/// The options of `rule`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The rule, or what another tool calls it; all rules when left out
    name: Option<String>,
    /// What the answer looks like
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

pub(super) fn run(options: &Options) -> io::Result<Exit> {
    let answer = match &options.name {
        None => match options.format {
            OutputFormat::Text => render::rules(),
            OutputFormat::Json => render::rules_json()?,
        },
        Some(name) => {
            let Some(rule) = rules::by_name(name).or_else(|| by_alias(name)) else {
                let meant = text::nearest(name, rules::ALL.iter().map(|rule| rule.name));
                let meant = meant
                    .map(|meant| format!("; did you mean `{meant}`?"))
                    .unwrap_or_else(|| "; `mcp-analyzer rule` lists all".to_owned());
                output::message(&format!("there is no rule `{name}`{meant}"));
                return Ok(Exit::Unusable);
            };
            match options.format {
                OutputFormat::Text => render::rule(rule),
                OutputFormat::Json => render::rule_json(rule)?,
            }
        }
    };
    output::write(&answer)?;
    Ok(Exit::Clean)
}

fn by_alias(name: &str) -> Option<&'static rules::Rule> {
    let is_name = |alias: &&str| alias.eq_ignore_ascii_case(name);
    rules::ALL.iter().copied().find(|rule| rule.aliases.iter().any(is_name))
}
