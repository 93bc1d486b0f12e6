//! What was found, as faces see it: a view of what is remembered of a document, by items, whose findings count from
//! their item's start.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashSet;

use super::check::{ItemState, State};
use super::service::Service;
use crate::diagnostic::{Anchor, Diagnostic, Related, Source};
use crate::facts::Known;
use crate::model::dialect::Strictness;
use crate::model::launch::{Launch, LaunchId};
use crate::model::{Kind, List, Server};
use crate::provider::{Costs, Models, Targets, ToolCost};
use crate::syntax;
use crate::text::{Splice, Text, TextRange};

/// What was found in a document.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    state: &'a State,
}

/// One finding of a report.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    /// The finding, relative to its piece.
    pub diagnostic: &'a Diagnostic,
    /// The index of its item; `None` outside the items.
    pub item: Option<usize>,
    /// Where its piece starts.
    pub base: usize,
}

impl Finding<'_> {
    /// Where it is in the document.
    pub fn range(&self) -> TextRange {
        self.diagnostic.range.shifted(self.base)
    }
}

/// One item of a report.
#[derive(Clone, Copy)]
pub struct ItemView<'a> {
    state: &'a ItemState,
}

impl<'a> ItemView<'a> {
    /// Where it is; a server entry starts with its key.
    pub fn range(&self) -> TextRange {
        self.state.item.range
    }

    /// The value; the same for a tool.
    pub fn body(&self) -> TextRange {
        self.state.item.body
    }

    /// The list that a tool belongs to, or the map that a server entry belongs to.
    pub fn list(&self) -> usize {
        self.state.item.list
    }

    /// The name of the tool or server.
    pub fn name(&self) -> Option<&'a str> {
        self.state.checked.name.as_deref()
    }

    /// Where its key is, which is a server's name.
    pub fn key(&self) -> TextRange {
        self.state.checked.key.shifted(self.state.item.range.start)
    }

    /// What a server entry has its client start or contact, where that is beyond doubt.
    pub fn launch(&self) -> Option<LaunchId> {
        self.state.checked.launch
    }

    /// Its own findings, relative to it, by place. The same slice as long as the item is the same.
    pub fn findings(&self) -> &'a [Diagnostic] {
        &self.state.checked.findings
    }

    /// The same as in the report before if and only if the findings are, unless the rules have changed in between.
    pub fn identity(&self) -> u64 {
        self.state.checked.number
    }
}

impl<'a> Report<'a> {
    pub(super) fn new(state: &'a State) -> Self {
        Self { state }
    }

    /// What the document is.
    pub fn kind(&self) -> Kind {
        self.state.kind.unwrap_or(Kind::Unknown)
    }

    /// The text that the report is about.
    pub fn text(&self) -> &'a Text {
        &self.state.text
    }

    /// What whoever reads the file forgives.
    pub fn strictness(&self) -> Strictness {
        self.state.context.map_or(Strictness::Strict, |context| context.strictness)
    }

    /// Whom the user wants to hear about.
    pub fn targets(&self) -> Targets {
        self.state.context.map(|context| context.targets).unwrap_or_default()
    }

    /// The models that costs are told of.
    pub fn models(&self) -> &'a Models {
        static STANDARD: LazyLock<Models> = LazyLock::new(Models::default);
        self.state.rules.as_ref().map_or(&STANDARD, |rules| &rules.models)
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.state.items.len()
    }

    /// How many items the rules about tools or servers were run on: none in a text that is too long for them.
    pub fn checked(&self) -> usize {
        if self.state.service == Service::Full { self.len() } else { 0 }
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.state.items.is_empty()
    }

    /// The item at an index.
    pub fn item(&self, index: usize) -> ItemView<'a> {
        ItemView { state: &self.state.items[index] }
    }

    /// The items, by place.
    pub fn items(&self) -> impl ExactSizeIterator<Item = ItemView<'a>> {
        self.state.items.iter().map(|state| ItemView { state })
    }

    /// How the tools of a list are written.
    pub fn list(&self, index: usize) -> List {
        self.state.lists.get(index).copied().unwrap_or_default()
    }

    /// What the server entry at an index has its client start or contact, where that is beyond doubt.
    pub fn launch(&self, index: usize) -> Option<Launch> {
        let item = self.item(index);
        item.launch()?;
        let Kind::Config(dialect) = self.kind() else { return None };
        let text = self.text().slice(item.range());
        let (key, reading) = syntax::read_member(&text)?;
        let server = Server { text: &text, key: &key, value: &reading.value, dialect };
        Launch::of(&server, self.state.folder.as_deref())
    }

    /// The indexes of the server entries that count: of those with one name that is the last, for every client.
    pub fn counting(&self) -> Vec<usize> {
        let mut later = FxHashSet::default();
        let mut is_last = |item: ItemView<'a>| item.name().is_none_or(|name| later.insert((item.list(), name)));
        let mut counting: Vec<usize> = (0..self.len()).rev().filter(|index| is_last(self.item(*index))).collect();
        counting.reverse();
        counting
    }

    /// What is known from outside of the server entry at an index.
    pub fn known(&self, index: usize) -> Option<&'a Known> {
        self.state.entries.iter().find(|entry| entry.item == index).map(|entry| &entry.known)
    }

    /// What the list of the server entry at an index costs, where that was counted.
    pub fn costs(&self, index: usize) -> Option<Costs> {
        self.state.entries.iter().find(|entry| entry.item == index)?.costs
    }

    /// The largest tools of the list of the server entry at an index, with what they cost with the model for which the list
    /// is largest, where that was counted.
    pub fn largest(&self, index: usize) -> &'a [(Option<Arc<str>>, usize)] {
        self.state.entries.iter().find(|entry| entry.item == index).map_or(&[], |entry| &entry.largest)
    }

    /// What the tool at an index costs, where that was counted; right after an edit what it cost before.
    pub fn cost(&self, index: usize) -> Option<&'a ToolCost> {
        self.state.items[index].checked.price.get()
    }

    /// Whether there are tools in the document that are still to be counted.
    pub fn is_uncounted(&self) -> bool {
        self.state.uncosted().next().is_some()
    }

    /// What all tools of the document, or of its servers, cost; `None` until they were counted, and where a tool is
    /// broken.
    pub fn all_costs(&self) -> Option<Costs> {
        match self.kind() {
            Kind::Tools => self.state.costs(),
            Kind::Config(_) => self.state.entries.iter().filter_map(|entry| entry.costs).reduce(Costs::with),
            Kind::Unknown => None,
        }
    }

    /// Whether it is what a server listed when it was asked, saved.
    pub fn is_snapshot(&self) -> bool {
        self.state.snapshot.is_some()
    }

    /// The findings outside the items, relative to the document.
    pub fn shell(&self) -> &'a [Diagnostic] {
        &self.state.shell
    }

    /// The findings of rules over lists: the item's index, and the finding relative to it.
    pub fn across(&self) -> &'a [(usize, Diagnostic)] {
        &self.state.across
    }

    /// How the text differs from that of the report before; `None` where that is not known.
    pub fn since(&self) -> Option<Splice> {
        self.state.since
    }

    /// Every finding, by place.
    pub fn findings(&self) -> Vec<Finding<'a>> {
        let items = self.items().enumerate().flat_map(|(index, item)| {
            item.findings().iter().map(move |diagnostic| Finding {
                diagnostic,
                item: Some(index),
                base: item.range().start,
            })
        });
        let across = self.across().iter().map(|(index, diagnostic)| Finding {
            diagnostic,
            item: Some(*index),
            base: self.item(*index).range().start,
        });
        let shell = self.shell().iter().map(|diagnostic| Finding { diagnostic, item: None, base: 0 });
        let mut all: Vec<Finding> = shell.chain(items).chain(across).collect();
        all.sort_by_key(|finding| (finding.range().start, std::cmp::Reverse(finding.diagnostic.severity)));
        all
    }

    /// Where a related place of a finding is, and in which other document where it is not in this one.
    pub fn related_place<'r>(&self, finding: &Finding, related: &'r Related) -> (TextRange, Option<&'r Source>) {
        match &related.anchor {
            Anchor::Own => (related.range.shifted(finding.base), None),
            Anchor::Item(index) => (related.range.shifted(self.item(*index).range().start), None),
            Anchor::Document(source) => (related.range, Some(source)),
        }
    }
}
