//! The servers of one run: who may be asked, what they said, and what that comes to in words.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use super::config::NOTHING_TO_START;
use super::consent::{self, ConsentOptions, Verdict, Wanted};
use super::{asking, output, program};
use crate::analysis::{Analysis, ReadAs, Report, Ruleset, World};
use crate::diagnostic::Severity;
use crate::document::{Document, Format};
use crate::facts::{Facts, Failure, ProbeReport, Standing};
use crate::model::Kind;
use crate::model::launch::LaunchId;
use crate::model::server::switches_off;
use crate::probe::Request;
use crate::probe::cache::Cache;
use crate::render::{Server, ServerOutcome};
use crate::rules::{self, Family};
use crate::settings::{self, Settings};
use crate::syntax;
use crate::text::counted;

/// Why an entry is not asked that its client does not start either.
pub(super) const SWITCHED_OFF: &str = "it is switched off";

/// The servers of a run.
#[derive(Default)]
pub(super) struct Servers {
    servers: Vec<Asked>,
    /// What is known of them, for the rules.
    pub(super) facts: Facts,
}

/// A server of a config file or of the command line.
struct Asked {
    name: String,
    client: Option<&'static str>,
    config: Option<String>,
    /// What would be started; `None` where nothing is.
    wanted: Option<Wanted>,
    outcome: Outcome,
}

enum Outcome {
    Reported(Arc<ProbeReport>, Option<String>),
    Skipped(&'static str),
}

impl Servers {
    /// Adds what a config file names.
    pub(super) fn add_config(&mut self, shown: &str, report: &Report) {
        let Kind::Config(dialect) = report.kind() else { return };
        for index in report.counting() {
            let item = report.item(index);
            // A file that is confused enough has secrets in its keys.
            let Some(name) = item.name().map(program::without_secrets) else { continue };
            let target = format!("{shown}#{name}");
            let is_off = syntax::read_member(&report.text().slice(item.range()))
                .is_some_and(|(_, reading)| reading.value.members().iter().any(switches_off));
            self.servers.push(Asked {
                wanted: report.launch(index).map(|launch| Wanted { name: name.clone(), target, launch }),
                name,
                client: Some(dialect.id),
                config: Some(shown.to_owned()),
                outcome: Outcome::Skipped(if is_off { SWITCHED_OFF } else { NOTHING_TO_START }),
            });
        }
    }

    /// Adds one that the command line names.
    pub(super) fn add(&mut self, wanted: Wanted) {
        self.servers.push(Asked {
            name: wanted.name.clone(),
            client: wanted.launch.client,
            config: None,
            wanted: Some(wanted),
            outcome: Outcome::Skipped(NOTHING_TO_START),
        });
    }

    /// Asks those that may be asked, each once; `false` where the user interrupts it.
    pub(super) fn ask(
        &mut self,
        consent: ConsentOptions,
        settings: &settings::Probe,
        is_quiet: bool,
    ) -> io::Result<bool> {
        let mut seen = HashSet::new();
        let wanted = self.servers.iter().filter_map(|server| server.wanted.clone());
        let wanted: Vec<Wanted> = wanted.filter(|wanted| seen.insert(wanted.launch.id())).collect();
        let verdicts = consent::obtain(&wanted, consent);
        let granted = wanted.iter().zip(&verdicts).filter(|(_, verdict)| **verdict == Verdict::Granted);
        let requests: Vec<_> =
            granted.map(|(wanted, _)| Request::new(&wanted.name, wanted.launch.clone(), settings)).collect();
        if !requests.is_empty() {
            let mut waiting: Vec<String> = requests.iter().map(|request| request.name.clone()).collect();
            let show = |waiting: &[String]| {
                let text = format!("asking {}: {}", counted(waiting.len(), "server"), waiting.join(", "));
                if !is_quiet {
                    output::progress(if waiting.is_empty() { "" } else { &text });
                }
            };
            show(&waiting);
            let asked = asking::ask(requests, |report| {
                if let Some(index) = waiting.iter().position(|name| *name == report.name) {
                    waiting.remove(index);
                }
                show(&waiting);
            });
            show(&[]);
            let Some(reports) = asked? else { return Ok(false) };
            self.take(reports);
        }
        for (wanted, verdict) in wanted.iter().zip(verdicts) {
            self.skip(wanted.launch.id(), verdict);
        }
        Ok(true)
    }

    fn take(&mut self, reports: Vec<ProbeReport>) {
        let cache = Cache::of_user();
        let mut unkept = None;
        for mut report in reports {
            let stored = cache.as_ref().map_or(Ok(()), |cache| cache.store(&mut report));
            unkept = unkept.or(stored.err());
            let report = Arc::new(report);
            self.facts.take(report.clone());
            let failure = report.failure.as_ref().map(Failure::told);
            for server in self.of(report.launch) {
                server.outcome = Outcome::Reported(report.clone(), failure.clone());
            }
        }
        if let Some(error) = unkept {
            output::remark(&format!("what servers list is not kept: {error}"));
        }
        if let Some(cache) = cache {
            cache.prune();
        }
    }

    fn skip(&mut self, launch: LaunchId, verdict: Verdict) {
        let Some(reason) = verdict.reason() else { return };
        match verdict {
            Verdict::Missing => self.facts.set_standing(launch, Standing::Untrusted),
            Verdict::Never => self.facts.set_standing(launch, Standing::Refused),
            Verdict::NotSpawned | Verdict::Granted => {}
        }
        self.of(launch).for_each(|server| server.outcome = Outcome::Skipped(reason));
    }

    fn of(&mut self, launch: LaunchId) -> impl Iterator<Item = &mut Asked> {
        let is_it = move |server: &&mut Asked| server.wanted.as_ref().is_some_and(|it| it.launch.id() == launch);
        self.servers.iter_mut().filter(is_it)
    }

    /// Whether somebody has to agree before all is known.
    pub(super) fn lacks_consent(&self) -> bool {
        let is_missing = |reason| Some(reason) == Verdict::Missing.reason();
        self.servers.iter().any(|server| matches!(server.outcome, Outcome::Skipped(reason) if is_missing(reason)))
    }

    /// What a launch said, or why it said nothing.
    pub(super) fn answer(&self, launch: LaunchId) -> Result<&Arc<ProbeReport>, &str> {
        let is_it = |server: &&Asked| server.wanted.as_ref().is_some_and(|it| it.launch.id() == launch);
        match self.servers.iter().find(is_it).map(|server| &server.outcome) {
            Some(Outcome::Reported(report, _)) => Ok(report),
            Some(Outcome::Skipped(reason)) => Err(reason),
            None => Err(NOTHING_TO_START),
        }
    }

    /// They, as they are reported.
    pub(super) fn shown(&self) -> Vec<Server<'_>> {
        let shown = |server| {
            let Asked { name, client, config, outcome, .. }: &Asked = server;
            let outcome = match outcome {
                Outcome::Reported(report, None) => ServerOutcome::Listed(report),
                Outcome::Reported(report, Some(failure)) => ServerOutcome::Failed(report, failure),
                Outcome::Skipped(reason) => ServerOutcome::Skipped(reason),
            };
            Server { name, client: *client, config: config.as_deref(), outcome, tokens: None }
        };
        self.servers.iter().map(shown).collect()
    }
}

/// What a server lists, as a document of this name; where it listed nothing, one that says only whose it would be, so
/// that what is said of the server has a place.
pub(super) fn document(report: &ProbeReport, shown: &str) -> Document {
    let text = match &report.snapshot {
        Some(snapshot) => String::from(snapshot.text()),
        None => {
            let launch = report.launch.to_string();
            let empty = serde_json::json!({"snapshot": 1, "launch": launch, "name": report.name, "tools": []});
            format!("{empty:#}\n")
        }
    };
    Document::new(shown, None, Format::Json, &text)
}

/// What is said of a failure beside it.
pub(super) fn notes(report: &ProbeReport, failure: &str) -> Vec<String> {
    said(report).into_iter().filter(|said| said.message.ends_with(failure)).flat_map(|said| said.notes).collect()
}

/// One thing that is said of a server by how asking it went.
pub(super) struct Said {
    severity: Severity,
    /// What.
    pub(super) message: String,
    /// Why.
    pub(super) notes: Vec<String>,
}

/// What is said of a server by how asking it went, the loudest first.
pub(super) fn said(report: &ProbeReport) -> Vec<Said> {
    let mut facts = Facts::default();
    facts.take(Arc::new(report.clone()));
    let document = document(report, &report.name);
    let rules = Arc::new(Ruleset::new(&Settings::default(), false));
    let world = World { facts: &facts, read_as: Some(ReadAs::Tools), ..World::new(&document, &rules) };
    let mut analysis = Analysis::default();
    let checked = analysis.check(&world);
    let is_probe = |rule| rules::by_name(rule).is_some_and(|rule| rule.family == Family::Probe);
    let findings = checked.findings().into_iter().map(|finding| finding.diagnostic);
    let mut said: Vec<Said> = findings
        .filter(|finding| is_probe(finding.rule))
        .map(|it| Said { severity: it.severity, message: it.message.clone(), notes: it.notes.clone() })
        .collect();
    said.sort_by_key(|said| std::cmp::Reverse(said.severity));
    said
}
