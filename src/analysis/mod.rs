//! **The boundary.** Takes a world (a document, the settings) and says what is wrong; owns the memory of what was
//! checked before. Applies settings and suppressions, orders findings, collects fixes; hovers, actions and symbols
//! leave here as plain data. Faces see nothing below this but the types that its results are made of.
//!
//! *Invariant:* what [`Analysis::check`] finds depends on its [`World`] alone, never on the edits that led there.
//! *Invariant:* no word of a finding repeats a secret of the document.
//! *Invariant:* it does no IO and never panics; a rule that does is one log line.

mod actions;
mod asking;
mod check;
mod costs;
mod fix;
mod hints;
mod hover;
mod lenses;
mod listed;
mod lists;
mod parse;
mod report;
mod ruleset;
mod secrets;
mod servers;
mod service;
mod settings_schema;
mod silence;
mod symbols;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

pub use actions::{Action, ActionKind, Effect, actions, fix_all_action};
pub use asking::{Ask, Consent, Order, age, status, told, verb};
pub use check::Counters;
pub use costs::{Count, Counted, Recount, Uncounted, WINDOW};
pub use fix::{Fixed, fix_all, resolved};
pub use hints::{Hint, hints};
pub use hover::{Hover, hover};
pub use lenses::{Lens, lenses};
pub use listed::{AsSent, Listed, Sent, Unsent, with_tools};
pub use parse::{Parsed, Unparsed};
pub use report::{Finding, ItemView, Report};
pub use ruleset::{Misfit, Ruleset, misfits, with_meant};
pub use secrets::{secrets, without_secrets};
pub use servers::CheckedList;
pub use service::{MAX_TEXT, unread};
pub use settings_schema::settings_schema;
pub use symbols::{Symbol, SymbolKind, symbols};

use crate::document::Document;
use crate::facts::Facts;
use crate::model::{Dialect, Kind};
use crate::syntax::Engine;

/// What a check reads.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The document.
    pub document: &'a Document,
    /// The rules that are on for it. The same `Arc` means the same rules.
    pub rules: &'a Arc<Ruleset>,
    /// What the document is, where that is known from outside; else its path and its shape decide.
    pub read_as: Option<ReadAs>,
    /// What is known from outside.
    pub facts: &'a Facts,
}

impl<'a> World<'a> {
    /// A document that only its path and shape tell about, and of whose servers nothing is known.
    pub fn new(document: &'a Document, rules: &'a Arc<Ruleset>) -> World<'a> {
        static NOTHING: LazyLock<Facts> = LazyLock::new(Facts::default);
        World { document, rules, read_as: None, facts: &NOTHING }
    }
}

/// What a document is by what is known from outside.
#[derive(Clone, Copy, Debug)]
pub enum ReadAs {
    /// A tool list, whatever its shape.
    Tools,
    /// The config file of this client, whatever its path.
    Config(&'static Dialect),
    /// A tool list where its text is broken and has not the shape of one: it was one before.
    ToolsIfBroken,
    /// Whatever its path or shape says; the user has named it, and wants to hear where that says nothing.
    Named,
}

/// Checks documents, and remembers what it found in them.
#[derive(Default)]
pub struct Analysis {
    engine: Engine,
    documents: FxHashMap<String, check::State>,
    lists: servers::Lists,
    counters: Counters,
    /// How many parses were asked for; their numbers.
    parses: u64,
}

impl Analysis {
    /// Brings the memory of a document up to its text, and reports on it.
    pub fn check(&mut self, world: &World) -> Report<'_> {
        // Not `entry`: a keystroke should not copy the name.
        if !self.documents.contains_key(&world.document.uri) {
            self.documents.insert(world.document.uri.clone(), check::State::default());
        }
        let state = self.documents.get_mut(&world.document.uri).expect("inserted above");
        let same_rules = state.update(world, &mut self.engine, &mut self.counters);
        if matches!(state.kind, Some(Kind::Config(_))) {
            state.follow_servers(world, same_rules, &mut self.lists);
        }
        Report::new(state)
    }

    /// What makes edits of a document faster and is still to be done, once its findings are out: a parse, to be made on
    /// any thread and handed to [`Analysis::take`]. Until then every edit reads the outline again. The command line
    /// does without.
    pub fn unparsed(&mut self, uri: &str) -> Option<Unparsed> {
        self.parses += 1;
        self.documents.get_mut(uri)?.unparsed(uri, self.parses)
    }

    /// Takes a parse, unless its text is gone since.
    pub fn take(&mut self, parsed: Parsed) {
        if let Some(state) = self.documents.get_mut(&parsed.uri) {
            state.take(parsed);
        }
    }

    /// Takes what a server listed, checked ahead by the rules of a config file that names it. Without this a check does it,
    /// which takes its time where the list is long.
    pub fn take_list(&mut self, list: CheckedList) {
        self.lists.take(list);
    }

    /// The tools of a document, or of the lists of its servers, whose costs are still to be counted, once its findings
    /// are out; `None` where there are none. To be counted on any thread and handed to [`Analysis::take_counts`].
    pub fn uncounted(&self, uri: &str) -> Option<Uncounted> {
        let state = self.documents.get(uri)?;
        let tools: Vec<_> = state.uncosted().chain(self.lists.uncosted(&state.entries)).collect();
        (!tools.is_empty()).then_some(Uncounted { uri: uri.to_owned(), rules: state.rules.clone()?, tools })
    }

    /// Takes what was counted; what that changes in the document, as it was last checked in this world.
    pub fn take_counts(&mut self, counted: Counted, world: &World) -> Recount {
        counted.remember();
        let Some(state) = self.documents.get_mut(&world.document.uri) else { return Recount::Nothing };
        if !matches!(state.kind, Some(Kind::Config(_))) {
            return state.follow_costs(world.rules, world.document.path.as_deref());
        }
        self.lists.follow_costs(&state.entries, world.rules);
        state.follow_servers(world, false, &mut self.lists);
        Recount::Findings
    }

    /// What was last found in a document.
    pub fn last(&self, uri: &str) -> Option<Report<'_>> {
        self.documents.get(uri).map(Report::new)
    }

    /// Forgets a document.
    pub fn forget(&mut self, uri: &str) {
        self.documents.remove(uri);
    }

    /// What has been done so far; for tests and measuring.
    pub fn counters(&self) -> Counters {
        self.counters
    }
}
