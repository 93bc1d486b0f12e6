//! Reports as text for people and as JSON for programs, and the pages of rules.
//!
//! Takes what analysis found and writes it down; reads no file and decides nothing. The wire types with serde live
//! here and nowhere else. *Invariant:* what comes from a checked file reaches a terminal through
//! [`terminal::escaped`] only.

mod count;
mod json;
mod rule;
mod server;
pub mod terminal;
mod text;
mod tokens;

pub use count::{Counts, Fixable};
pub use json::{check as json, visible as visible_json};
pub use rule::{rule, rule_json, rules, rules_json};
pub use server::{Server, ServerOutcome};
pub use text::{Text, frames};
pub use tokens::{Counted, TokenList, Tokens};

use crate::analysis::Report;

/// What became of one file.
#[derive(Clone, Copy)]
pub struct File<'a> {
    /// Its path as the user gave it.
    pub path: &'a str,
    /// What became of it.
    pub outcome: Outcome<'a>,
}

/// What became of a file.
#[derive(Clone, Copy)]
pub enum Outcome<'a> {
    /// It was checked.
    Checked(Report<'a>),
    /// It is nothing of ours, of which the report tells.
    Unrecognised(Report<'a>),
    /// It was not, for this reason.
    Skipped(&'a str),
}

impl<'a> File<'a> {
    /// The report, where there is one.
    pub fn report(&self) -> Option<Report<'a>> {
        match self.outcome {
            Outcome::Checked(report) | Outcome::Unrecognised(report) => Some(report),
            Outcome::Skipped(_) => None,
        }
    }
}
