//! What the worker shows of a document to whoever asks.

use std::sync::Arc;

use super::settings::Configuration;
use super::support::Support;
use crate::analysis::{ReadAs, Report, Ruleset, World};
use crate::document::Document;
use crate::facts::Facts;

/// A document as it was just checked.
pub(super) struct View<'a> {
    /// What was found.
    pub(super) report: Report<'a>,
    /// The document.
    pub(super) document: &'a Document,
    /// What the client can do.
    pub(super) support: Support,
    /// The settings.
    pub(super) configuration: &'a Configuration,
    pub(super) rules: &'a Arc<Ruleset>,
    pub(super) read_as: Option<ReadAs>,
    /// What is known of servers.
    pub(super) facts: &'a Facts,
}

impl<'a> View<'a> {
    /// What the check read.
    pub(super) fn world(&self) -> World<'a> {
        World { read_as: self.read_as, facts: self.facts, ..World::new(self.document, self.rules) }
    }

    /// The same for work on another thread, which makes its own report.
    pub(super) fn owned(&self) -> OwnedView {
        OwnedView {
            document: self.document.clone(),
            rules: self.rules.clone(),
            read_as: self.read_as,
            support: self.support,
            configuration: Configuration::default(),
            facts: Facts::default(),
        }
    }
}

/// What a check reads, for work on another thread. Knows no settings files, and nothing of servers.
pub(super) struct OwnedView {
    document: Document,
    rules: Arc<Ruleset>,
    read_as: Option<ReadAs>,
    support: Support,
    configuration: Configuration,
    facts: Facts,
}

impl OwnedView {
    /// What a check reads.
    pub(super) fn world(&self) -> World<'_> {
        World { read_as: self.read_as, ..World::new(&self.document, &self.rules) }
    }

    /// The document with a report on it.
    pub(super) fn view<'a>(&'a self, report: Report<'a>) -> View<'a> {
        let OwnedView { document, rules, read_as, support, configuration, facts } = self;
        View { report, document, support: *support, configuration, rules, read_as: *read_as, facts }
    }
}
