//! What tools cost, counted when the findings are out: to render a tool for every model and to count that takes longer
//! than a keystroke may. What is still to be counted leaves here with its text ([`super::Analysis::uncounted`]), is counted
//! on any thread, and comes back ([`super::Analysis::take_counts`]); then the rules over costs speak.
//!
//! *Invariant:* what they say depends on the text and on what was counted, and a tool that was not counts as nothing, or
//! as what it cost before an edit: they never say too much for long.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use super::check::Checked;
use super::{Report, Ruleset};
use crate::model::{Form, Tool};
use crate::provider::{Costs, Declaration, Models, Provider, Targets, ToolCost};
use crate::syntax;
use crate::text::{Text, TextRange};
use crate::tokens::Vocabulary;

/// The context window that shares are given of, in tokens.
pub const WINDOW: usize = 200_000;

/// How a text is counted; [`Vocabulary::count`], on a thread that may take its time.
pub type Count = fn(Vocabulary, &str) -> usize;

/// The tools that a list's largest are.
pub(super) const LARGEST: usize = 5;

/// Tools of a list that cost anything with a provider's model, the largest first and of equal ones the first: their
/// indexes, and what they cost.
pub(super) fn by_size(
    report: &Report,
    tools: impl IntoIterator<Item = usize>,
    provider: Provider,
) -> Vec<(usize, usize)> {
    let of = |index: usize| report.cost(index)?.tokens(provider).ok().filter(|tokens| *tokens > 0);
    let mut sorted: Vec<(usize, usize)> = tools.into_iter().filter_map(|index| Some((index, of(index)?))).collect();
    sorted.sort_by_key(|(_, tokens)| std::cmp::Reverse(*tokens));
    sorted
}

/// In a few words what tools cost, with each of the providers that the user targets; `None` for no provider.
pub fn told(costs: &Costs, models: &Models, targets: Targets) -> Option<String> {
    let (_, most) = costs.most(targets)?;
    let meant = models.iter().filter(|model| targets.has_provider(model.family.provider()));
    let numbers = meant.map(|model| {
        let provider = model.family.provider();
        format!("{} {}{}", provider.label(), model.accuracy().sign(), costs.of(provider))
    });
    let numbers = numbers.collect::<Vec<_>>().join(" · ");
    Some(format!("{numbers} tokens on every turn, {:.1} % of a 200k window", most as f64 * 100.0 / WINDOW as f64))
}

/// What one tool costs, as far as that is known.
#[derive(Default)]
pub(super) struct Price {
    /// `None` inside: it is a provider's own, or has no name and is not sent.
    counted: OnceLock<Option<Arc<ToolCost>>>,
    /// What it cost before an edit.
    before: Option<Arc<ToolCost>>,
}

impl Price {
    /// Not counted; until it is, it is what another was.
    pub(super) fn after(other: &Price) -> Price {
        let before = other.counted.get().cloned().flatten().or_else(|| other.before.clone());
        Price { counted: OnceLock::new(), before }
    }

    pub(super) fn get(&self) -> Option<&ToolCost> {
        self.counted.get().map_or(self.before.as_deref(), Option::as_deref)
    }

    pub(super) fn is_counted(&self) -> bool {
        self.counted.get().is_some()
    }
}

/// A tool whose cost is to be counted.
pub(super) struct Uncosted {
    pub(super) text: Text,
    pub(super) range: TextRange,
    pub(super) form: Form,
    pub(super) checked: Arc<Checked>,
}

/// The tools of a document, or of the lists of its servers, whose costs are still to be counted.
pub struct Uncounted {
    pub(super) uri: String,
    pub(super) rules: Arc<Ruleset>,
    pub(super) tools: Vec<Uncosted>,
}

/// The same, counted. See [`super::Analysis::take_counts`].
pub struct Counted {
    pub(super) uri: String,
    costs: Vec<(Arc<Checked>, Option<Arc<ToolCost>>)>,
}

impl Uncounted {
    /// Whether a rule over costs may have something to say. Texts are rendered for that and not counted: they have more
    /// bytes than tokens.
    pub fn may_matter(&self) -> bool {
        let Ruleset { budget, models, targets, cost, .. } = &*self.rules;
        let mut total = Costs::default();
        let mut is_over = |tool: &Uncosted| {
            let Some(most) = tool.look(|tool| ToolCost::at_most(&Declaration::from(tool), models)) else {
                return false;
            };
            total.add(&most);
            most.most_of_schema(*targets).is_some_and(|(_, tokens)| tokens > budget.schema)
                || total.most(*targets).is_some_and(|(_, tokens)| tokens > budget.list)
        };
        !cost.is_empty() && self.tools.iter().any(&mut is_over)
    }

    /// Counts.
    pub fn count(self, count: Count) -> Counted {
        let costs = self.tools.into_iter().map(|tool| {
            let models = &self.rules.models;
            let cost = || tool.look(|tool| ToolCost::of(&Declaration::from(tool), models, &count));
            let cost = catch_unwind(AssertUnwindSafe(cost)).unwrap_or_else(|_| {
                log::error!("the tokens of a tool could not be counted; please report this");
                None
            });
            (tool.checked, cost.map(Arc::new))
        });
        Counted { uri: self.uri, costs: costs.collect() }
    }
}

impl Uncosted {
    fn look<T>(&self, look: impl FnOnce(&Tool) -> T) -> Option<T> {
        let text = self.text.slice(self.range);
        let value = syntax::read(&text).value;
        let tool = Tool::new(&text, &value, self.form);
        tool.is_declared().then(|| look(&tool))
    }
}

/// What counting changed in a document's findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recount {
    /// Nothing.
    Nothing,
    /// Some say another number.
    Numbers,
    /// There are others.
    Findings,
}

impl Counted {
    /// The document.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    pub(super) fn remember(self) {
        for (checked, cost) in self.costs {
            // Another document with the same tool may have been quicker.
            let _ = checked.price.counted.set(cost);
        }
    }
}
