//! What is said of the tools of a list together: of their facts, and of what they cost once that was counted.

use std::path::Path;

use super::Ruleset;
use super::check::{Checked, ItemState, State, run};
use super::costs::{Recount, Uncosted};
use super::ruleset::Ignored;
use super::secrets::hide;
use super::service::Service;
use crate::diagnostic::Diagnostic;
use crate::model::Kind;
use crate::model::similar::Similar;
use crate::provider::{Costs, ToolCost};
use crate::rules::{Check, Context, Priced, ToolFacts, Toolset};

impl State {
    /// What rules over lists find, those over costs by what was counted so far.
    pub(super) fn check_lists(
        &mut self,
        rules: &Ruleset,
        ignores: &[Ignored],
        context: &Context,
    ) -> Vec<(usize, Diagnostic)> {
        let (Some(Kind::Tools), Service::Full) = (self.kind, self.service) else { return Vec::new() };
        self.similar.resize_with(self.lists.len(), Similar::default);
        let mut out = Vec::new();
        let mut start = 0;
        while start < self.items.len() {
            let list = self.items[start].item.list;
            let end = start + self.items[start..].partition_point(|state| state.item.list == list);
            let tools = &self.facts[start..end];
            let Some(similar) = self.similar.get_mut(list) else { break };
            similar.update(tools.iter().map(ToolFacts::description_terms));
            let toolset = Toolset { tools, similar };
            out.extend(run(&rules.toolset, rules, |check, sink| {
                if let Check::Toolset(check) = check {
                    check(&toolset, context, sink);
                }
            }));
            start = end;
        }
        let mut out = self.not_silenced(out, ignores);
        out.extend(self.check_costs(rules, ignores, context));
        out.sort_by_key(|(index, finding)| (*index, finding.range.start));
        out
    }

    /// The findings of rules over costs, by what was counted so far.
    fn check_costs(&self, rules: &Ruleset, ignores: &[Ignored], context: &Context) -> Vec<(usize, Diagnostic)> {
        let costs: Vec<Option<&ToolCost>> = self.items.iter().map(|state| state.checked.price.get()).collect();
        if rules.cost.is_empty() || costs.iter().all(Option::is_none) {
            return Vec::new();
        }
        let mut out = Vec::new();
        let mut start = 0;
        for list in self.items.chunk_by(|one, other| one.item.list == other.item.list) {
            let end = start + list.len();
            let priced = Priced { tools: &self.facts[start..end], costs: &costs[start..end], models: &rules.models };
            out.extend(run(&rules.cost, rules, |check, sink| {
                if let Check::Cost(check) | Check::Costs(check, _) = check {
                    check(&priced, context, sink);
                }
            }));
            start = end;
        }
        self.not_silenced(out, ignores)
    }

    fn not_silenced(&self, mut found: Vec<(usize, Diagnostic)>, ignores: &[Ignored]) -> Vec<(usize, Diagnostic)> {
        found.retain(|(index, finding)| {
            let checked = &self.items[*index].checked;
            !checked.silences.iter().any(|silence| silence.fits(finding.rule, finding.range.start))
                && !ignores.iter().any(|ignore| ignore.fits(finding.rule, None, checked.name.as_deref()))
        });
        hide(Kind::Tools, "", found.iter_mut().map(|(_, finding)| finding));
        found
    }

    /// The tools whose costs are still to be counted.
    pub(super) fn uncosted(&self) -> impl Iterator<Item = Uncosted> {
        let is_ours = matches!(self.kind, Some(Kind::Tools)) && self.service == Service::Full;
        let items = self.items.iter().filter(move |state| is_ours && state.checked.is_uncosted());
        items.map(|state| Uncosted {
            text: self.text.clone(),
            range: state.item.range,
            form: self.lists.get(state.item.list).copied().unwrap_or_default().form,
            checked: state.checked.clone(),
        })
    }

    /// Has the rules over costs speak again, after something was counted.
    pub(super) fn follow_costs(&mut self, rules: &Ruleset, path: Option<&Path>) -> Recount {
        let (Some(Kind::Tools), Some(context)) = (self.kind, self.context) else { return Recount::Nothing };
        let found = self.check_costs(rules, &rules.ignores_for(path), &context);
        let is_of_cost = |(_, finding): &&(usize, Diagnostic)| rules.cost.iter().any(|rule| rule.name == finding.rule);
        let found_before = || self.across.iter().filter(is_of_cost);
        if found_before().eq(&found) {
            return Recount::Nothing;
        }
        let place = |(item, finding): &(usize, Diagnostic)| (*item, finding.rule, finding.range);
        let are_same = found_before().map(place).eq(found.iter().map(place));
        self.across.retain(|finding| !is_of_cost(&finding));
        self.across.extend(found);
        self.across.sort_by_key(|(index, finding)| (*index, finding.range.start));
        if are_same { Recount::Numbers } else { Recount::Findings }
    }

    /// What all tools cost; `None` until they were counted, and where one is broken.
    pub(super) fn costs(&self) -> Option<Costs> {
        let is_known = |state: &ItemState| state.checked.price.is_counted() || state.checked.price.get().is_some();
        self.items.iter().all(is_known).then(|| self.items.iter().filter_map(|it| it.checked.price.get()).collect())
    }
}

impl Checked {
    /// Whether its cost is to be counted. What is broken may have swallowed its neighbours.
    fn is_uncosted(&self) -> bool {
        !self.has_errors && !self.price.is_counted()
    }
}
