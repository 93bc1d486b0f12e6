//! A tool list as the API of a provider receives it: where an editor offers that, and what it comes to. Reading a list
//! takes its time where it is long, so that it leaves here with its text, to be read on any thread.

use serde_json::Value as Json;

use super::actions::{Action, ActionKind, Effect};
use super::asking::{Order, server_at};
use super::{ItemView, Report};
use crate::diagnostic::Applicability;
use crate::model::launch::LaunchId;
use crate::model::{Form, Kind, Otherwise, Tool, outline, recognise};
use crate::provider::{Provider, api_json};
use crate::syntax::{self, Value};
use crate::text::{Text, TextRange, shown};

/// A list's key and bracket are looked for in as many bytes before its first tool.
const MAX_BEFORE: usize = 1024;

/// A tool list that somebody wants to see as a provider's API receives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsSent {
    /// Whose API.
    pub provider: Provider,
    /// The server whose saved list is meant; `None` for the document's own.
    pub launch: Option<LaunchId>,
}

/// The tools of a document.
#[derive(Clone, Debug)]
pub struct Listed {
    text: Text,
    /// Where they are; `None` until somebody has looked.
    tools: Option<Vec<(TextRange, Form)>>,
}

/// A list as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// What the API receives.
    pub json: Json,
    /// What it does not.
    pub unsent: Vec<Unsent>,
}

/// Something of a tool that is not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsent {
    /// The tool's name; empty where it has none.
    pub tool: String,
    /// Where in its declaration: a JSON pointer.
    pub pointer: String,
    /// Why not.
    pub why: &'static str,
}

impl Listed {
    /// The items of a report.
    pub fn of(report: &Report) -> Listed {
        let tools = report.items().map(|item| (item.range(), report.list(item.list()).form));
        Listed { text: report.text().clone(), tools: Some(tools.collect()) }
    }

    /// What is in the list that a server was saved with.
    pub fn saved(text: &Text) -> Listed {
        Listed { text: text.clone(), tools: None }
    }

    /// Looks at the tools, in their order.
    pub fn look<T>(&self, look: impl FnOnce(&[Tool]) -> T) -> T {
        let found;
        let places = match &self.tools {
            Some(tools) => tools,
            None => {
                let recognised = recognise(outline(&self.text.to_string()), None, Otherwise::Tools);
                let form = |list: usize| recognised.lists.get(list).copied().unwrap_or_default().form;
                found = recognised.items.iter().map(|item| (item.range, form(item.list))).collect();
                &found
            }
        };
        let texts: Vec<_> = places.iter().map(|(range, _)| self.text.slice(*range)).collect();
        let values: Vec<Value> = texts.iter().map(|text| syntax::read(text).value).collect();
        let read = texts.iter().zip(&values).zip(places);
        let tools: Vec<Tool> = read.map(|((text, value), (_, form))| Tool::new(text, value, *form)).collect();
        look(&tools)
    }

    /// What is sent to a provider.
    pub fn sent(&self, provider: Provider) -> Sent {
        self.look(|tools| {
            let (json, dropped) = api_json(provider, tools);
            let name = |index: usize| tools[index].name().map_or("", |(name, _)| name).to_owned();
            let unsent = dropped.into_iter().map(|it| Unsent { tool: name(it.tool), pointer: it.pointer, why: it.why });
            Sent { json, unsent: unsent.collect() }
        })
    }
}

/// Looks at the tools of a list, in its order. Reads all of them anew, which takes its time where the list is long.
pub fn with_tools<T>(report: &Report, look: impl FnOnce(&[Tool]) -> T) -> T {
    Listed::of(report).look(look)
}

/// The key and the bracket of the first list of a document; of a tool that stands alone its bracket.
pub(super) fn list_place(report: &Report) -> Option<TextRange> {
    let Kind::Tools = report.kind() else { return None };
    let first = report.items().next()?.range().start;
    let before = report.text().slice(TextRange::new(first.saturating_sub(MAX_BEFORE), first));
    // It may start at a whole character a little earlier.
    let base = first - before.len();
    let Some(list) = before.trim_end().strip_suffix('[') else { return Some(TextRange::new(first, first + 1)) };
    let key = list.trim_end().strip_suffix(':').and_then(|key| key.trim_end().strip_suffix('"'));
    let start = key.and_then(|key| key.rfind('"')).unwrap_or(list.len());
    Some(TextRange::new(base + start, base + list.len() + 1))
}

/// Where the name of a tool is, quotes included.
pub(super) fn name_place(report: &Report, tool: &ItemView) -> Option<TextRange> {
    let text = report.text().slice(tool.range());
    let reading = syntax::read(&text);
    let (_, name) = Tool::new(&text, &reading.value, report.list(tool.list()).form).name()?;
    Some(name.shifted(tool.range().start))
}

/// The list at `range`, as each provider that the user targets receives it: at the key or bracket of the first list, at
/// the name of a tool, and at the name of a server whose list was saved. At no other place, since a menu is short.
pub(super) fn actions(report: &Report, range: TextRange) -> Vec<Action> {
    let (whose, launch) = match report.kind() {
        Kind::Tools => {
            let is_there = |place: Option<TextRange>| place.is_some_and(|place| place.contains(range));
            let tool = || report.items().find(|item| item.range().contains(range));
            if !is_there(list_place(report)) && !is_there(tool().and_then(|tool| name_place(report, &tool))) {
                return Vec::new();
            }
            ("this list".to_owned(), None)
        }
        Kind::Config(_) => {
            let saved = server_at(report, range).filter(|index| {
                report.known(*index).and_then(|known| known.report.as_ref()).is_some_and(|it| it.snapshot.is_some())
            });
            let Some(item) = saved.map(|index| report.item(index)) else { return Vec::new() };
            (format!("the tools of `{}`", shown(item.name().unwrap_or_default())), item.launch())
        }
        Kind::Unknown => return Vec::new(),
    };
    let receives = if launch.is_some() { "receives them" } else { "receives it" };
    let meant = Provider::ALL.iter().filter(|provider| report.targets().has_provider(**provider));
    let action = |provider: &Provider| Action {
        title: format!("view {whose} as {} {receives}", provider.label()),
        kind: ActionKind::Rewrite,
        effect: Effect::Order(Order::View(AsSent { provider: *provider, launch })),
        is_preferred: false,
        applicability: Applicability::Safe,
        finding: None,
    };
    meant.map(action).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::testing::{document, seen};
    use crate::analysis::{Analysis, Ruleset, World, actions};
    use crate::facts::Facts;
    use crate::settings::Settings;

    /// What is offered to view where `¦` stands.
    fn offered(marked: &str, settings: &str) -> Vec<String> {
        let offset = marked.find('¦').expect("a mark");
        let document = document("tools.json", &marked.replace('¦', ""));
        let settings: Settings = toml::from_str(settings).expect("settings");
        let rules = Arc::new(Ruleset::new(&settings, false));
        let world = World::new(&document, &rules);
        let mut analysis = Analysis::default();
        titles(&actions(&analysis.check(&world), &world, TextRange::empty(offset)))
    }

    fn titles(actions: &[Action]) -> Vec<String> {
        let is_view = |action: &&Action| matches!(action.effect, Effect::Order(Order::View(_)));
        actions.iter().filter(is_view).map(|action| action.title.clone()).collect()
    }

    const LIST: &str = r#"{"tools" : [ {"name": "get_a", "inputSchema": {"type": "object"}} ]}"#;

    #[test]
    fn a_list_is_viewed_at_its_key_its_bracket_and_the_names_of_its_tools() {
        let three = ["Anthropic", "OpenAI", "Gemini"].map(|name| format!("view this list as {name} receives it"));
        for place in ["\"tools\"", "[", "\"get_a\"", "_a\""] {
            let marked = LIST.replacen(place, &format!("¦{place}"), 1);
            assert_eq!(offered(&marked, ""), three, "{marked}");
        }
        for place in ["{\"tools", "\"name", "\"object"] {
            let marked = LIST.replacen(place, &format!("¦{place}"), 1);
            assert_eq!(offered(&marked, ""), [""; 0], "{marked}");
        }
        let bare = "¦[{\"name\": \"get_a\", \"inputSchema\": {}}]";
        assert_eq!(offered(bare, "targets.providers = ['gemini']"), [three[2].clone()]);
        assert_eq!(offered("¦{\"name\": \"get_a\", \"inputSchema\": {}}", ""), three);
        assert_eq!(offered("{\"a\": ¦[]}", ""), [""; 0]);
    }

    #[test]
    fn the_saved_list_of_a_server_is_viewed_at_its_name() {
        let (document, facts) =
            seen(r#"{"a": {"tools": [{"name": "get_a", "inputSchema": {}}]}, "b": {"fails": "exit"}}"#);
        let rules = Arc::new(Ruleset::new(&Settings::default(), false));
        let world = World { facts: &facts, ..World::new(&document, &rules) };
        let mut analysis = Analysis::default();
        let report = analysis.check(&world);
        let at = |index: usize| titles(&actions(&report, &world, TextRange::empty(report.item(index).key().start)));
        assert_eq!(at(0)[1], "view the tools of `a` as OpenAI receives them");
        assert_eq!(at(1), [""; 0], "nothing is known");
        let snapshot = facts.reports().find_map(|report| report.snapshot.clone()).expect("a list");
        let sent = Listed::saved(snapshot.text()).sent(Provider::Gemini);
        assert_eq!(sent.json[0]["functionDeclarations"][0]["name"], "get_a");
    }

    #[test]
    fn what_is_sent_is_what_the_provider_is_given() {
        let list = r#"[{"name": "get_a", "title": "A", "inputSchema": {"type": "object"}}, {"description": "x"}]"#;
        let document = document("tools.json", list);
        let rules = Arc::new(Ruleset::new(&Settings::default(), false));
        let mut analysis = Analysis::default();
        let report = analysis.check(&World { facts: &Facts::default(), ..World::new(&document, &rules) });
        for provider in Provider::ALL {
            let sent = Listed::of(&report).sent(*provider);
            let (json, dropped) = with_tools(&report, |tools| api_json(*provider, tools));
            assert_eq!(sent.json, json);
            let told: Vec<_> = sent.unsent.iter().map(|it| (&*it.tool, &*it.pointer, it.why)).collect();
            assert_eq!((told[0].0, told[0].1), ("get_a", "/title"));
            assert!(told.contains(&("", "", dropped.last().expect("the nameless one").why)), "{told:?}");
            assert_eq!(told.len(), dropped.len());
        }
    }
}
