//! Asking servers, as far as a face has to offer it: what can be done about an entry, and what is known of it in a few
//! words. Asks nobody.

use super::Report;
use super::actions::{Action, ActionKind, Effect};
use super::listed::AsSent;
use super::secrets::hide_in;
use crate::diagnostic::Applicability;
use crate::facts::{Known, ProbeReport, Standing};
use crate::model::launch::{LaunchId, Way};
use crate::rules::UNTRUSTED_SERVER;
use crate::text::{Encoding, TextRange, counted, shown};

/// A server that somebody wants to be asked what it exposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The name of its entry.
    pub server: String,
    /// What was to be started or contacted when this was offered. Where the entry says something else by now, nobody
    /// has agreed to it.
    pub launch: LaunchId,
    /// What the user said of it; `None` where that is to be found out.
    pub consent: Option<Consent>,
}

/// What a user says of starting a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// It may be started until the end of the process.
    Once,
    /// It may be started.
    Always,
    /// It may not.
    Never,
}

impl Consent {
    /// Every one with its word in commands.
    pub const ALL: [(&'static str, Consent); 3] =
        [("once", Consent::Once), ("always", Consent::Always), ("never", Consent::Never)];

    /// The word for it in commands.
    pub const fn word(self) -> &'static str {
        match self {
            Consent::Once => "once",
            Consent::Always => "always",
            Consent::Never => "never",
        }
    }
}

/// What the language server does when it is told to, whatever a title says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Asks a server what it exposes, or settles that nobody does.
    Ask(Ask),
    /// Shows a tool list as a provider's API receives it.
    View(AsSent),
}

/// The server whose name is at `range`, or in its line where that is empty.
pub(super) fn server_at(report: &Report, range: TextRange) -> Option<usize> {
    let text = report.text();
    let line = text.line_range(text.line_column(range.start, Encoding::Utf8).line);
    let is_here = |index: &usize| {
        let key = report.item(*index).key();
        report.item(*index).launch().is_some() && (key.intersects(range) || range.is_empty() && line.touches(key.start))
    };
    (0..report.len()).find(is_here)
}

/// What can be done about the server at `range`.
pub(super) fn actions(report: &Report, range: TextRange) -> Vec<Action> {
    let Some(index) = server_at(report, range) else { return Vec::new() };
    let item = report.item(index);
    let (Some(launch), Some(name)) = (item.launch(), item.name()) else { return Vec::new() };
    let (verb, quoted) = (verb(report, index), format!("`{}`", shown(name)));
    let ask = |consent| Effect::Order(Order::Ask(Ask { server: name.to_owned(), launch, consent }));
    let action = |title: String, consent, is_fix: bool| Action {
        title,
        kind: if is_fix { ActionKind::QuickFix } else { ActionKind::Rewrite },
        effect: ask(consent),
        is_preferred: false,
        applicability: Applicability::Unsafe,
        finding: is_fix.then(|| (UNTRUSTED_SERVER, item.key())),
    };
    match report.known(index).map(|known| known.standing).unwrap_or_default() {
        Standing::Untrusted => vec![
            action(format!("{verb} {quoted} once"), Some(Consent::Once), true),
            action(format!("always {verb} {quoted}"), Some(Consent::Always), true),
            action(format!("never {verb} {quoted}"), Some(Consent::Never), true),
        ],
        Standing::Refused => vec![
            action(format!("{verb} {quoted} once, after all"), Some(Consent::Once), false),
            action(format!("always {verb} {quoted}, after all"), Some(Consent::Always), false),
        ],
        Standing::Running => Vec::new(),
        Standing::Idle => vec![
            action(format!("probe {quoted}: {verb} it and list its tools"), None, false),
            action(format!("never {verb} {quoted}"), Some(Consent::Never), false),
        ],
    }
}

/// What the server entry at an index has its client start or contact, for the person who is asked whether it may be:
/// all of it, without secrets.
pub fn told(report: &Report, index: usize) -> Option<String> {
    // Between backticks all of it counts as taken from the document.
    let mut told = format!("`{}`", report.launch(index)?.told_in_folder());
    hide_in(report.kind(), &report.text().slice(report.item(index).range()), &mut told);
    Some(told.strip_prefix('`').and_then(|told| told.strip_suffix('`')).unwrap_or(&told).to_owned())
}

/// What is done to a server to ask it.
pub fn verb(report: &Report, index: usize) -> &'static str {
    match report.launch(index).map(|launch| launch.way) {
        Some(Way::Contact(_)) => "contact",
        _ => "start",
    }
}

/// What is known of a server, in a few words; empty where that is nothing.
pub fn status(known: &Known, now: u64) -> String {
    match (known.standing, &known.report) {
        (Standing::Running, _) => "being asked…".to_owned(),
        (Standing::Refused, _) => "never started, as you said".to_owned(),
        (Standing::Untrusted, None) => "not trusted".to_owned(),
        (Standing::Untrusted, Some(report)) => format!("not trusted · {}", found(report, now)),
        (Standing::Idle, Some(report)) => found(report, now),
        (Standing::Idle, None) => String::new(),
    }
}

fn found(report: &ProbeReport, now: u64) -> String {
    let age = age(now.saturating_sub(report.at));
    match (&report.failure, &report.snapshot) {
        (Some(_), None) => format!("failed · {age}"),
        (failure, _) => {
            let tools = counted(report.counts.tools, "tool");
            let part = if failure.is_some() { " before it failed" } else { "" };
            format!("{tools}{part} · {age}")
        }
    }
}

/// How long ago something was.
pub fn age(seconds: u64) -> String {
    let ago = |count: u64, unit: &str| format!("{} ago", counted(count as usize, unit));
    match seconds {
        0..60 => "just now".to_owned(),
        60..3_600 => ago(seconds / 60, "minute"),
        3_600..86_400 => ago(seconds / 3_600, "hour"),
        _ => ago(seconds / 86_400, "day"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::testing::seen;
    use crate::analysis::{Analysis, Ruleset, World, actions};
    use crate::facts::Facts;
    use crate::settings::Settings;

    fn with<T>(servers: &str, look: impl FnOnce(&Report, &World) -> T) -> T {
        let (document, facts) = seen(servers);
        look_at(&document, &facts, look)
    }

    fn look_at<T>(document: &crate::document::Document, facts: &Facts, look: impl FnOnce(&Report, &World) -> T) -> T {
        let rules = Arc::new(Ruleset::new(&Settings::default(), false));
        let world = World { facts, ..World::new(document, &rules) };
        look(&Analysis::default().check(&world), &world)
    }

    #[test]
    fn what_is_started_is_told_without_secrets() {
        let text = r#"{"mcpServers": {"a": {"command": "x", "args": ["--token", "s3cret word", "--name", "y"], "env": {"T": "s3cret"}}}}"#;
        let document = crate::analysis::testing::document("/home/me/app/.mcp.json", text);
        let told = look_at(&document, &Facts::default(), |report, _| told(report, 0).expect("a launch"));
        assert!(told.starts_with("x --token ") && told.ends_with(" --name y with T (in /home/me/app)"), "{told}");
        assert!(!told.contains("s3cret"), "{told}");
    }

    #[test]
    fn a_server_that_is_not_trusted_can_be_started_once_always_or_never() {
        with(r#"{"a": {"standing": "untrusted"}}"#, |report, world| {
            let place = report.item(0).key();
            let offered = actions(report, world, TextRange::empty(place.start));
            let asks: Vec<_> =
                offered.iter().filter(|action| matches!(action.effect, Effect::Order(Order::Ask(_)))).collect();
            let titles: Vec<&str> = asks.iter().map(|action| &*action.title).collect();
            assert_eq!(titles, ["start `a` once", "always start `a`", "never start `a`"]);
            assert!(asks.iter().all(|action| action.finding == Some((UNTRUSTED_SERVER, place))));
        });
        with(r#"{"a": {"tools": []}}"#, |report, world| {
            let offered = actions(report, world, TextRange::empty(report.item(0).key().start));
            assert!(
                offered.iter().any(|action| action.title == "probe `a`: start it and list its tools"),
                "{offered:?}"
            );
        });
    }
}
