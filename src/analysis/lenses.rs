//! Lines above servers and tool lists that say what is known of them in a few words.

use super::Report;
use super::asking::{Ask, Order, status};
use super::costs::{LARGEST, by_size};
use super::listed::{AsSent, list_place};
use crate::diagnostic::Severity;
use crate::facts::Standing;
use crate::model::Kind;
use crate::provider::{Costs, Provider};
use crate::rules::UNTRUSTED_SERVER;
use crate::text::{TextRange, counted, shown_up_to};

/// Characters of their names.
const MAX_NAME: usize = 32;

/// A line above a place that says what is known of it, and may be clicked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The place: a server's name, the key or bracket of a list.
    pub range: TextRange,
    /// What it says.
    pub title: String,
    /// What a click does; `None` for nothing.
    pub order: Option<Order>,
}

/// The lenses of a document: above each server of a config file, and above the first list of a tool list, for all of its
/// tools. `now`, in seconds since 1970, is what ages count from.
pub fn lenses(report: &Report, now: u64) -> Vec<Lens> {
    match report.kind() {
        Kind::Config(_) => (0..report.len()).filter_map(|index| of_server(report, index, now)).collect(),
        Kind::Tools if report.checked() > 0 => of_list(report),
        Kind::Tools | Kind::Unknown => Vec::new(),
    }
}

fn of_server(report: &Report, index: usize, now: u64) -> Option<Lens> {
    let item = report.item(index);
    let launch = item.launch()?;
    let known = report.known(index);
    let standing = known.map(|known| known.standing).unwrap_or_default();
    let status = known.map(|known| status(known, now)).unwrap_or_default();
    let problems = report.across().iter().filter(|(item, finding)| {
        *item == index && finding.severity >= Severity::Warning && finding.rule != UNTRUSTED_SERVER
    });
    let problems = match (problems.count(), known.and_then(|known| known.report.as_ref())) {
        (0, _) | (_, None) => String::new(),
        (count, Some(_)) => format!(" · {}", counted(count, "problem")),
    };
    let title = match standing {
        Standing::Running | Standing::Refused => status,
        // Not "Start": VS Code has such a lens in the same place, which keeps the server running.
        _ if status.is_empty() => "Probe".to_owned(),
        Standing::Untrusted => format!("Probe · {status}"),
        Standing::Idle => format!("Probe · {status}{}{problems}", tokens(report, report.costs(index))),
    };
    let ask = Ask { server: item.name()?.to_owned(), launch, consent: None };
    let is_offered = standing != Standing::Running;
    Some(Lens { range: item.key(), title, order: is_offered.then_some(Order::Ask(ask)) })
}

/// What the tools come to, how each provider that the user targets receives them, and last, since an editor cuts a line
/// that is too long, which are the largest.
fn of_list(report: &Report) -> Vec<Lens> {
    let Some(range) = list_place(report) else { return Vec::new() };
    let costs = report.all_costs();
    let said = |title: String| Lens { range, title, order: None };
    let all = format!("{}{}", counted(report.len(), "tool"), tokens(report, costs));
    let meant = Provider::ALL.iter().filter(|provider| report.targets().has_provider(**provider));
    let views = meant.map(|provider| Lens {
        range,
        title: format!("View as {}", provider.label()),
        order: Some(Order::View(AsSent { provider: *provider, launch: None })),
    });
    std::iter::once(said(all)).chain(views).chain(largest(report, costs).map(said)).collect()
}

/// What they come to for the model for which that is most.
fn tokens(report: &Report, costs: Option<Costs>) -> String {
    let Some((provider, tokens)) = costs.and_then(|costs| costs.most(report.targets())) else { return String::new() };
    format!(" · {}{tokens} tokens", report.models().of(provider).accuracy().sign())
}

/// The tools that cost most, for the same model.
fn largest(report: &Report, costs: Option<Costs>) -> Option<String> {
    let (provider, _) = costs.filter(|costs| costs.tools > 1)?.most(report.targets())?;
    let tools = by_size(report, 0..report.len(), provider);
    let name = |index: usize| match report.item(index).name() {
        Some(name) => shown_up_to(name, MAX_NAME).into_owned(),
        None => format!("tool {}", index + 1),
    };
    let sign = report.models().of(provider).accuracy().sign();
    let told = tools.iter().take(LARGEST).map(|(index, tokens)| format!("{} {sign}{tokens}", name(*index)));
    Some(format!("largest: {}", told.collect::<Vec<_>>().join(", ")))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::testing::{document, seen};
    use crate::analysis::{Analysis, Ruleset, World};
    use crate::facts::Facts;
    use crate::settings::Settings;

    #[test]
    fn a_lens_says_what_is_known_of_a_server() {
        let rules = Arc::new(Ruleset::new(&Settings::default(), false));
        let titles_of = |document: &crate::document::Document, facts: &Facts, now| {
            let world = World { facts, ..World::new(document, &rules) };
            let mut analysis = Analysis::default();
            lenses(&analysis.check(&world), now).into_iter().map(|lens| lens.title).collect::<Vec<_>>()
        };
        let titles = |servers: &str, now| {
            let (document, facts) = seen(servers);
            titles_of(&document, &facts, now)
        };
        let tools = r#"{"tools": [{"name": "get_a", "description": "Get the first of them all.", "inputSchema": {"type": "object", "properties": {}}}]}"#;
        assert_eq!(titles(&format!(r#"{{"a": {tools}}}"#), 10), ["Probe · 1 tool · just now"]);
        assert_eq!(titles(&format!(r#"{{"a": {tools}}}"#), 7200), ["Probe · 1 tool · 2 hours ago"]);
        assert_eq!(titles(r#"{"a": {"standing": "untrusted"}, "b": {"fails": "exit"}}"#, 0)[0], "Probe · not trusted");
        let (document, _) = seen(r#"{"a": {}}"#);
        assert_eq!(titles_of(&document, &Facts::default(), 0), ["Probe"]);
    }

    /// The lenses of a tool list in which a token is a byte, with the texts that they stand above.
    fn of_tools(text: &str, settings: &str, is_counted: bool) -> Vec<(String, String)> {
        let document = document("tools.json", text);
        let settings: Settings = toml::from_str(settings).expect("settings");
        let rules = Arc::new(Ruleset::new(&settings, false));
        let world = World::new(&document, &rules);
        let mut analysis = Analysis::default();
        analysis.check(&world);
        if let Some(uncounted) = analysis.uncounted(&document.uri).filter(|_| is_counted) {
            analysis.take_counts(uncounted.count(|_, text| text.len()), &world);
        }
        let report = analysis.last(&document.uri).expect("a report");
        lenses(&report, 0).into_iter().map(|lens| (text[lens.range.as_usize()].to_owned(), lens.title)).collect()
    }

    fn tool(name: &str, length: usize) -> String {
        format!(r#"{{"name": "{name}", "description": "{}", "inputSchema": {{}}}}"#, "x".repeat(length))
    }

    #[test]
    fn a_list_is_counted_and_its_largest_tools_are_named() {
        let tools: Vec<String> = (1..=7).map(|number| tool(&format!("get_{number}"), number * 10)).collect();
        let text = format!("{{\"a\": [],\n \"tools\" :\n [ {}]}}", tools.join(",\n"));
        let uncounted = of_tools(&text, "", false);
        let key = "\"tools\" :\n [".to_owned();
        let views = ["Anthropic", "OpenAI", "Gemini"].map(|name| (key.clone(), format!("View as {name}")));
        assert_eq!(uncounted[0], (key, "7 tools".to_owned()));
        assert_eq!(uncounted[1..], views);
        let counted = &of_tools(&text, "targets.providers = ['openai']", true);
        let [(_, all), (_, view), (_, title)] = &counted[..] else { panic!("{counted:?}") };
        assert_eq!(view, "View as OpenAI");
        let names = title.strip_prefix("largest: ").expect("the largest");
        let sum: usize = all
            .strip_prefix("7 tools · ")
            .and_then(|it| it.strip_suffix(" tokens"))
            .map_or(0, |number| number.trim_start_matches('≈').parse().expect("a number"));
        let named: Vec<(&str, usize)> = names
            .split(", ")
            .map(|one| {
                one.split_once(' ')
                    .map(|(name, tokens)| (name, tokens.trim_start_matches('≈').parse().expect("a number")))
            })
            .map(|pair| pair.expect("a name and a number"))
            .collect();
        let order: Vec<&str> = named.iter().map(|(name, _)| *name).collect();
        assert_eq!(order, ["get_7", "get_6", "get_5", "get_4", "get_3"], "{title}");
        let five: usize = named.iter().map(|(_, tokens)| tokens).sum();
        assert!(named.windows(2).all(|pair| pair[0].1 == pair[1].1 + 10) && sum > five, "{title}");
    }

    #[test]
    fn one_tool_is_not_compared_and_names_are_not_trusted() {
        let alone = of_tools(&format!("[{}]", tool("get_a", 10)), "", true);
        assert_eq!((&*alone[0].0, alone.len()), ("[", 4));
        assert!(alone[0].1.starts_with("1 tool · ≈") && alone[0].1.ends_with(" tokens"), "{alone:?}");
        let hostile = format!("[{}, {}]", tool(&format!("a\\nb\\u202e{}", "c".repeat(100)), 10), tool("d", 1));
        let title = &of_tools(&hostile, "", true)[4].1;
        assert!(title.starts_with("largest: a\\nb\\u{202e}ccc") && title.contains("c… "), "{title}");
        assert_eq!(of_tools("{\"a\": []}", "", true), []);
    }
}
