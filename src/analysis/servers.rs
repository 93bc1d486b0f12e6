//! What is said of the servers of a config file by what is known of them from outside: how asking them went, what is
//! wrong with what they list, and where what they list clashes.
//!
//! What a server lists is a document like any other, and is checked like one, once for all config files that name the
//! server. Its entry gets what was found there as one finding a rule, since that is one thing to do.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::asking::told;
use super::check::{Snapshot, State, run};
use super::costs::{LARGEST, Uncosted, by_size};
use super::ruleset::Ignored;
use super::secrets::hide;
use super::service::Service;
use super::silence::Silence;
use super::{Counters, ReadAs, Report, Ruleset, World};
use crate::diagnostic::{Anchor, Diagnostic, Related, Severity, Source};
use crate::facts::{Known, ProbeReport, Standing};
use crate::model::Kind;
use crate::model::launch::LaunchId;
use crate::provider::{Costs, Provider};
use crate::rules::{self, Check, Listed, Probed, Servers};
use crate::syntax::Engine;
use crate::text::{TextRange, shown};

/// Places in a saved list that one finding names.
const MAX_PLACES: usize = 20;
/// Tools that one finding names.
const NAMED: usize = 3;

/// A server entry, and everything that what is said here of it depends on.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The index of its item.
    pub(super) item: usize,
    name: Arc<str>,
    /// The place of the name, from the start of the entry.
    range: TextRange,
    launch: LaunchId,
    pub(super) known: Known,
    /// What its list costs, where that was counted.
    pub(super) costs: Option<Costs>,
    /// Its largest tools with what they cost.
    pub(super) largest: Vec<(Option<Arc<str>>, usize)>,
    silences: Vec<Silence>,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        let number = |entry: &Entry| entry.known.report.as_ref().map(|report| report.number);
        (self.item, &self.name, self.range, self.launch) == (other.item, &other.name, other.range, other.launch)
            && (self.known.standing, number(self)) == (other.known.standing, number(other))
            && self.silences == other.silences
    }
}

/// What servers listed, checked: by the number of the report.
#[derive(Default)]
pub(super) struct Lists {
    lists: FxHashMap<u64, List>,
}

struct List {
    state: State,
    source: Arc<Source>,
}

impl List {
    /// Its largest tools with the model for which the list is largest.
    fn largest(&self, most: Option<(Provider, usize)>) -> Vec<(Option<Arc<str>>, usize)> {
        let Some((provider, _)) = most else { return Vec::new() };
        let report = Report::new(&self.state);
        let name = |index: usize| self.state.items[index].checked.name.clone();
        let largest = by_size(&report, 0..report.len(), provider).into_iter().take(LARGEST);
        largest.map(|(index, tokens)| (name(index), tokens)).collect()
    }
}

/// What a server listed, checked ahead, on any thread: a long list takes a moment. See [`super::Analysis::take_list`].
pub struct CheckedList {
    number: u64,
    list: List,
}

impl CheckedList {
    /// Checks what a report lists; `None` where that is nothing.
    pub fn new(report: &ProbeReport, rules: &Arc<Ruleset>) -> Option<CheckedList> {
        let document = report.snapshot.as_ref()?;
        let path = document.path.as_ref().map_or_else(|| document.uri.clone(), |path| path.display().to_string());
        let mut state = State::default();
        let world = World { read_as: Some(ReadAs::Tools), ..World::new(document, rules) };
        state.update(&world, &mut Engine::default(), &mut Counters::default());
        let source = Arc::new(Source { path, text: document.text().clone() });
        Some(CheckedList { number: report.number, list: List { state, source } })
    }
}

impl Lists {
    /// Takes a list that was checked ahead.
    pub(super) fn take(&mut self, checked: CheckedList) {
        self.lists.insert(checked.number, checked.list);
    }

    /// Has the list of a server checked by these rules, unless it is.
    fn follow(&mut self, entry: &Entry, rules: &Arc<Ruleset>) {
        let Some(report) = &entry.known.report else { return };
        let is_checked = |list: &List| list.state.rules.as_ref().is_some_and(|known| Arc::ptr_eq(known, rules));
        if !self.lists.get(&report.number).is_some_and(is_checked) {
            CheckedList::new(report, rules).into_iter().for_each(|checked| self.take(checked));
        }
    }

    /// The tools of the lists of these servers whose costs are still to be counted.
    pub(super) fn uncosted<'a>(&'a self, entries: &'a [Entry]) -> impl Iterator<Item = Uncosted> {
        entries.iter().filter_map(|entry| self.of(entry)).flat_map(|list| list.state.uncosted())
    }

    /// See [`State::follow_costs`], for the lists of these servers.
    pub(super) fn follow_costs(&mut self, entries: &[Entry], rules: &Ruleset) {
        for entry in entries {
            let Some(report) = &entry.known.report else { continue };
            let Some(list) = self.lists.get_mut(&report.number) else { continue };
            list.state.follow_costs(rules, report.snapshot.as_ref().and_then(|snapshot| snapshot.path.as_deref()));
        }
    }

    fn of(&self, entry: &Entry) -> Option<&List> {
        self.lists.get(&entry.known.report.as_ref()?.number)
    }
}

impl State {
    /// The entries of which something is known.
    fn entries(&self, world: &World) -> Vec<Entry> {
        let known = |(item, state): (usize, &super::check::ItemState)| {
            let checked = &state.checked;
            let launch = checked.launch?;
            Some(Entry {
                item,
                name: checked.name.clone()?,
                range: checked.key,
                launch,
                known: world.facts.of(launch)?.clone(),
                costs: None,
                largest: Vec::new(),
                silences: checked.silences.clone(),
            })
        };
        self.items.iter().enumerate().filter_map(known).collect()
    }

    /// Brings what is said of the servers up to the document and the facts.
    pub(super) fn follow_servers(&mut self, world: &World, same_rules: bool, lists: &mut Lists) {
        let mut entries = self.entries(world);
        if entries == self.entries && same_rules {
            return;
        }
        let used: FxHashSet<u64> = world.facts.reports().map(|report| report.number).collect();
        lists.lists.retain(|number, _| used.contains(number));
        for entry in &mut entries {
            lists.follow(entry, world.rules);
            if let Some(list) = lists.of(entry) {
                entry.costs = list.state.costs();
                entry.largest = list.largest(entry.costs.and_then(|costs| costs.most(world.rules.targets)));
            }
        }
        let Some(context) = self.context else { return };
        let ignores = world.rules.ignores_for(world.document.path.as_deref());

        let mut out = Vec::new();
        for entry in &entries {
            let list = lists.of(entry);
            let is_open = entry.known.standing == Standing::Untrusted;
            let told = is_open.then(|| told(&Report::new(self), entry.item)).flatten();
            let probed = Probed {
                name: &entry.name,
                range: entry.range,
                in_config: true,
                known: &entry.known,
                told: told.as_deref(),
                source: list.map(|list| &list.source),
            };
            let found = run(&world.rules.probe, world.rules, |check, sink| {
                if let Check::Probe(check) = check {
                    check(&probed, &context, sink);
                }
            });
            out.extend(found.into_iter().map(|(_, finding)| (entry.item, finding)));
            if let Some(list) = list {
                out.extend(of_tools(entry, list, &ignores).into_iter().map(|finding| (entry.item, finding)));
            }
        }
        let listed: Vec<Listed> = entries.iter().filter_map(|entry| Some(listed(entry, lists.of(entry)?))).collect();
        if listed.len() > 1 {
            let servers = Servers { servers: &listed, models: &world.rules.models };
            out.extend(run(&world.rules.servers, world.rules, |check, sink| {
                if let Check::Servers(check) | Check::Costs(_, check) = check {
                    check(&servers, &context, sink);
                }
            }));
        }
        out.retain(|(item, finding)| {
            let entry = entries.iter().find(|entry| entry.item == *item);
            entry.is_some_and(|entry| {
                !entry.silences.iter().any(|silence| silence.fits(finding.rule, finding.range.start))
                    && !ignores.iter().any(|ignore| ignore.fits(finding.rule, Some(&entry.name), None))
            })
        });
        out.sort_by_key(|(item, finding)| (*item, finding.range.start, std::cmp::Reverse(finding.severity)));
        let kind = self.kind.unwrap_or(Kind::Unknown);
        for of_entry in out.chunk_by_mut(|(one, _), (other, _)| one == other) {
            // A command that was not found may be a token in the wrong place.
            let text = self.text.slice(self.items[of_entry[0].0].item.range);
            hide(kind, &text, of_entry.iter_mut().map(|(_, finding)| finding));
        }
        self.across = out;
        self.entries = entries;
    }
}

fn listed<'a>(entry: &'a Entry, list: &'a List) -> Listed<'a> {
    Listed {
        name: &entry.name,
        range: entry.range,
        item: entry.item,
        tools: &list.state.facts,
        source: list.source.clone(),
        starts: list.state.items.iter().map(|state| state.item.range.start).collect(),
        costs: entry.costs,
    }
}

/// A finding in what a server lists.
struct InList<'a> {
    range: TextRange,
    tool: Option<&'a str>,
    diagnostic: &'a Diagnostic,
}

/// What is wrong with what a server lists, one finding a rule. Notes and hints are for whoever writes the server, and
/// stand in the list only.
fn of_tools(entry: &Entry, list: &List, ignores: &[Ignored]) -> Vec<Diagnostic> {
    let report = Report::new(&list.state);
    let mut by_rule: BTreeMap<&'static str, Vec<InList>> = BTreeMap::new();
    for finding in report.findings() {
        let diagnostic = finding.diagnostic;
        let tool = finding.item.and_then(|item| report.item(item).name());
        let is_ignored = || ignores.iter().any(|ignore| ignore.fits(diagnostic.rule, Some(&entry.name), tool));
        // What is said of the server as a whole is said on its entry by the same rule.
        let is_of_server = || rules::by_name(diagnostic.rule).is_some_and(|rule| matches!(rule.check, Check::Probe(_)));
        if diagnostic.severity < Severity::Warning || is_ignored() || finding.item.is_none() && is_of_server() {
            continue;
        }
        by_rule.entry(diagnostic.rule).or_default().push(InList { range: finding.range(), tool, diagnostic });
    }
    let told = by_rule.into_values().filter_map(|found| {
        // Of equally loud ones the first.
        let first = found.iter().rev().map(|it| it.diagnostic).max_by_key(|finding| finding.severity)?;
        let mut tools: Vec<&str> = found.iter().filter_map(|it| it.tool).collect();
        tools.dedup();
        let is_of_one_tool = rules::by_name(first.rule)
            .is_some_and(|rule| matches!(rule.check, Check::Tool(_) | Check::Cost(_) | Check::Piece(_)));
        let place = |it: &InList| Related {
            anchor: Anchor::Document(list.source.clone()),
            range: it.range,
            message: match it.tool {
                Some(tool) if is_of_one_tool => format!("`{}`: {}", shown(tool), it.diagnostic.message),
                _ => it.diagnostic.message.clone(),
            },
        };
        Some(Diagnostic {
            range: entry.range,
            message: format!("{}{}", if is_of_one_tool { in_tools(&tools) } else { String::new() }, first.message),
            related: found.iter().take(MAX_PLACES).map(place).collect(),
            fixes: Vec::new(),
            tag: None,
            ..first.clone()
        })
    });
    told.collect()
}

/// Where a finding of a tool's is, as the start of a sentence about its server.
fn in_tools(tools: &[&str]) -> String {
    let named: Vec<String> = tools.iter().take(NAMED).map(|tool| format!("`{}`", shown(tool))).collect();
    match tools.len() {
        0 => String::new(),
        1 => format!("in tool {}: ", named[0]),
        count if count <= NAMED => format!("in {count} tools, {}: ", named.join(", ")),
        count => format!("in {count} tools, {} and {} more: ", named.join(", "), count - NAMED),
    }
}

/// What is said of a list that is a saved one, by itself and by what is known of its server.
pub(super) fn of_snapshot(
    world: &World,
    context: &rules::Context,
    snapshot: &Snapshot,
    service: Service,
) -> Vec<(usize, Diagnostic)> {
    let nothing = Known::default();
    let known = world.facts.of(snapshot.launch).unwrap_or(&nothing);
    let source = (service == Service::Full)
        .then(|| Arc::new(Source { path: world.document.uri.clone(), text: world.document.text().clone() }));
    let Snapshot { name, range, .. } = snapshot;
    let probed = Probed { name, range: *range, in_config: false, known, told: None, source: source.as_ref() };
    run(&world.rules.probe, world.rules, |check, sink| {
        if let Check::Probe(check) = check {
            check(&probed, context, sink);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::costs::told as told_costs;
    use crate::analysis::testing::seen;
    use crate::analysis::{Analysis, Recount};
    use crate::settings::Settings;

    const SEEN: &str = r#"{"a": {"tools": [
        {"name": "get_one", "description": "Get one of them by its number.", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}},
        {"name": "get_two", "description": "Fetch a pair, as a list of two.", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}, "m": {"type": "integer"}}}}
    ]}}"#;

    fn found(settings: &str) -> Vec<Diagnostic> {
        let (document, facts) = seen(SEEN);
        let rules = Arc::new(Ruleset::new(&toml::from_str::<Settings>(settings).expect("settings"), false));
        let mut analysis = Analysis::default();
        let report = analysis.check(&World { facts: &facts, ..World::new(&document, &rules) });
        report.findings().iter().map(|finding| finding.diagnostic.clone()).collect()
    }

    #[test]
    fn what_is_wrong_with_a_list_is_one_finding_a_rule_on_its_server() {
        let all = found("");
        let of_parameters: Vec<_> = all.iter().filter(|finding| finding.rule == "missing-param-description").collect();
        assert_eq!(of_parameters.len(), 1, "{all:#?}");
        assert!(
            of_parameters[0].message.starts_with("in 2 tools, `get_one`, `get_two`: "),
            "{}",
            of_parameters[0].message
        );
        assert_eq!(of_parameters[0].related.len(), 3);
        assert!(all.iter().all(|finding| finding.severity >= Severity::Warning), "{all:#?}");
    }

    #[test]
    fn a_list_that_was_counted_tells_what_it_costs() {
        let (document, facts) = seen(SEEN);
        let rules = Arc::new(Ruleset::new(&Settings::default(), false));
        let world = World { facts: &facts, ..World::new(&document, &rules) };
        let mut analysis = Analysis::default();
        assert_eq!(analysis.check(&world).costs(0), None);
        let uncounted = analysis.uncounted(&document.uri).expect("two tools");
        assert_eq!(analysis.take_counts(uncounted.count(|_, text| text.len()), &world), Recount::Findings);
        assert!(analysis.uncounted(&document.uri).is_none());
        let report = analysis.last(&document.uri).expect("a report");
        let costs = report.costs(0).expect("costs");
        assert_eq!(costs.tools, 2);
        let largest: Vec<_> = report.largest(0).iter().filter_map(|(name, _)| name.as_deref()).collect();
        assert_eq!(largest, ["get_two", "get_one"]);
        let hover = crate::analysis::hover(&report, report.item(0).key().start, 0).expect("a hover").markdown(None);
        assert!(hover.contains("largest for Anthropic: `get_two` ≈"), "{hover}");
        let told = told_costs(&costs, report.models(), report.targets()).expect("three providers");
        assert!(told.starts_with("Anthropic ≈") && told.ends_with(" % of a 200k window"), "{told}");
        let lens = crate::analysis::lenses(&report, 0).swap_remove(0).title;
        let (_, most) = costs.most(report.targets()).expect("a number");
        assert!(lens.contains(&format!(" · ≈{most} tokens · ")), "{lens}");
    }

    #[test]
    fn a_token_in_the_place_of_a_command_is_told_nowhere() {
        let token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
        let (document, facts) = seen(&format!(r#"{{"{token}": {{"fails": "not found"}}}}"#));
        let rules = Arc::new(Ruleset::only(rules::by_name("server-failed").expect("the rule")));
        let mut analysis = Analysis::default();
        let report = analysis.check(&World { facts: &facts, ..World::new(&document, &rules) });
        let found = report.findings();
        assert_eq!(found.len(), 1);
        assert!(!format!("{:?}", found[0].diagnostic).contains(token), "{:?}", found[0].diagnostic);
    }

    #[test]
    fn what_is_ignored_for_the_server_is_not_said() {
        let count = |settings| found(settings).iter().filter(|it| it.rule == "missing-param-description").count();
        assert_eq!(count("[[ignore]]\nrule = 'missing-param-description'\nserver = 'a'"), 0);
        assert_eq!(count("[[ignore]]\nrule = 'missing-param-description'\nserver = 'b'"), 1);
        let some = found("[[ignore]]\nrule = 'missing-param-description'\nserver = 'a'\ntool = 'get_two'");
        let some = some.iter().find(|it| it.rule == "missing-param-description").expect("the other tool");
        assert!(some.message.starts_with("in tool `get_one`: "), "{}", some.message);
    }
}
