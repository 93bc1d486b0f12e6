//! Asking servers, on the worker: what is looked up when a config file is opened, what a save and a command start, what
//! becomes of the answers. Consent is the business of [`super::consent`].
//!
//! *Invariant:* nothing is started but what the newest text of an open document says, under the id that the user has
//! agreed to. *Invariant:* the worker waits for no server, no client and no disk.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use tokio::runtime;
use tower_lsp_server::Client;
use tower_lsp_server::ls_types::{MessageType, ProgressToken, TextDocumentSaveReason};

use super::consent::Questions;
use super::keeper::Keeper;
use super::progress::Progress;
use super::views::Views;
use super::worker::Worker;
use crate::analysis::{Ask, CheckedList, ItemView, Report, Ruleset};
use crate::facts::{Known, ProbeReport, Standing};
use crate::model::launch::LaunchId;
use crate::probe::Request;
use crate::probe::cache::Cache;
use crate::probe::prober::{Prober, Running};
use crate::probe::trust::{Decision, Trust};
use crate::text::shown;

/// What the worker remembers of asking servers.
pub(super) struct Probing {
    /// What is under way. Ended before the rest.
    running: FxHashMap<LaunchId, Started>,
    prober: Prober,
    pub(super) keeper: Keeper,
    pub(super) trust: Option<Trust>,
    cache: Option<Cache>,
    /// What may be started until the end of the process.
    pub(super) once: FxHashSet<LaunchId>,
    pub(super) questions: Questions,
    /// Of what is known whether it was ever asked.
    looked_up: FxHashSet<LaunchId>,
    /// Why a document is about to be saved.
    save_reasons: FxHashMap<String, TextDocumentSaveReason>,
    /// How many probes were started.
    count: u64,
    pub(super) remote: Option<Remote>,
    is_shut_down: bool,
}

/// The client, and who waits for its answers.
#[derive(Clone)]
pub(super) struct Remote {
    pub(super) client: Client,
    pub(super) runtime: runtime::Handle,
}

/// A probe that is under way. Ended where it is dropped, and so is its progress.
struct Started {
    number: u64,
    uri: String,
    server: String,
    _running: Running,
    progress: Option<Progress>,
}

/// What was looked up of a server.
struct Kept {
    launch: LaunchId,
    answer: Option<Answer>,
    is_refused: bool,
}

/// What a server said, and what it listed, checked already: a long list takes a moment.
struct Answer {
    report: Arc<ProbeReport>,
    list: Option<CheckedList>,
}

impl Answer {
    fn new(report: ProbeReport, rules: &Arc<Ruleset>) -> Answer {
        let list = CheckedList::new(&report, rules);
        Answer { list, report: Arc::new(report) }
    }
}

/// Why servers are to be asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// Their file was saved: only those that never were asked.
    Saved,
    /// The user wants to.
    Wanted,
    /// The user was asked, and has said so.
    Answered,
}

impl Probing {
    pub(super) fn start(views: Option<Views>) -> Probing {
        let (keeper, cache) = (Keeper::start(), Cache::of_user());
        if let Some(views) = views {
            keeper.run(move || views.prune());
        }
        if let Some(cache) = cache.clone() {
            keeper.run(move || cache.prune());
        }
        Probing {
            running: FxHashMap::default(),
            prober: Prober::default(),
            keeper,
            trust: Trust::of_user(),
            cache,
            once: FxHashSet::default(),
            questions: Questions::default(),
            looked_up: FxHashSet::default(),
            save_reasons: FxHashMap::default(),
            count: 0,
            remote: None,
            is_shut_down: false,
        }
    }

    /// Remembers why a document is about to be saved.
    pub(super) fn will_save(&mut self, uri: String, reason: TextDocumentSaveReason) {
        self.save_reasons.insert(uri, reason);
    }

    /// Ends what is under way, and starts nothing any more.
    pub(super) fn shut_down(&mut self) {
        self.is_shut_down = true;
        self.running.clear();
    }
}

impl Worker {
    /// Whether nothing may be started or contacted, whatever the user has said before.
    pub(super) fn is_held_back(&self) -> bool {
        self.probing.is_shut_down || self.configuration.is_restricted()
    }

    /// Looks up what the servers of a document said when they were last asked, once for each. Starts none.
    pub(super) fn look_up(&mut self, uri: &str) {
        let Some(report) = self.analysis.last(uri) else { return };
        let launches = report.items().filter_map(|item| item.launch());
        let new: Vec<LaunchId> = launches.filter(|launch| self.probing.looked_up.insert(*launch)).collect();
        let Some(rules) = self.rules(uri).filter(|_| !new.is_empty()) else { return };
        let (cache, trust, handle) = (self.probing.cache.clone(), self.probing.trust.clone(), self.handle.clone());
        self.probing.keeper.run(move || {
            let decision = |launch| trust.as_ref().and_then(|trust| trust.of(launch));
            let found = new.into_iter().map(|launch| Kept {
                launch,
                answer: cache.as_ref().and_then(|cache| cache.load(launch)).map(|report| Answer::new(report, &rules)),
                is_refused: decision(launch) == Some(Decision::Never),
            });
            let found: Vec<Kept> = found.filter(|kept| kept.answer.is_some() || kept.is_refused).collect();
            if !found.is_empty() {
                handle.post(move |worker| worker.remember(found));
            }
        });
    }

    fn remember(&mut self, found: Vec<Kept>) {
        let launches: Vec<LaunchId> = found.iter().map(|kept| kept.launch).collect();
        for Kept { launch, answer, is_refused } in found {
            // What came by other ways meanwhile is newer.
            if let Some(answer) = answer.filter(|_| self.facts.of(launch).is_none()) {
                self.take(answer);
            }
            if is_refused && !self.probing.running.contains_key(&launch) {
                self.facts.set_standing(launch, Standing::Refused);
            }
        }
        self.tell(&launches);
    }

    fn take(&mut self, answer: Answer) {
        if let Some(list) = answer.list {
            self.analysis.take_list(list);
        }
        self.facts.take(answer.report);
    }

    /// A document was saved.
    pub(super) fn saved(&mut self, uri: &str) {
        let reason = self.probing.save_reasons.remove(uri);
        if reason.is_some_and(|reason| reason != TextDocumentSaveReason::MANUAL) || self.is_held_back() {
            return;
        }
        let asks = self.asks(uri);
        let is_outdated = |launch: &LaunchId, started: &Started| {
            started.uri == uri && !asks.iter().any(|ask| ask.launch == *launch && ask.server == started.server)
        };
        let outdated = self.probing.running.iter().filter(|(launch, started)| is_outdated(launch, started));
        let outdated = outdated.map(|(launch, _)| *launch).collect();
        self.cancel(outdated);
        if self.configuration.probe().on_save.unwrap_or(true) {
            self.consider(uri, asks, Why::Saved);
        }
    }

    /// The servers of a document that can be asked.
    pub(super) fn asks(&mut self, uri: &str) -> Vec<Ask> {
        let Some(view) = self.view(uri) else { return Vec::new() };
        let ask = |item: ItemView| Some(Ask { server: item.name()?.to_owned(), launch: item.launch()?, consent: None });
        // Of entries of one name the client starts one.
        view.report.counting().into_iter().filter_map(|index| ask(view.report.item(index))).collect()
    }

    /// Asks servers, as far as the user has agreed to it.
    pub(super) fn consider(&mut self, uri: &str, asks: Vec<Ask>, why: Why) {
        if asks.is_empty() {
            return;
        }
        let (trust, handle, uri) = (self.probing.trust.clone(), self.handle.clone(), uri.to_owned());
        self.probing.keeper.run(move || {
            let decided = asks.into_iter().map(|ask| {
                let decision = trust.as_ref().and_then(|trust| trust.of(ask.launch));
                (ask, decision)
            });
            let decided = decided.collect();
            handle.post(move |worker| worker.decide(&uri, decided, why));
        });
    }

    /// Asks the servers that may be asked, and the user about the others.
    pub(super) fn decide(&mut self, uri: &str, decided: Vec<(Ask, Option<Decision>)>, why: Why) {
        if self.is_held_back() {
            return;
        }
        let Some(view) = self.view(uri) else { return };
        // What is not there any more nobody wants.
        let there = decided.into_iter().filter_map(|(ask, it)| {
            let index = find(&view.report, &ask)?;
            let reads_variables = view.report.launch(index)?.reads_variables();
            Some((index, reads_variables, ask, it))
        });
        let there: Vec<_> = there.collect();
        let (mut changed, mut open) = (Vec::new(), Vec::new());
        for (index, reads_variables, ask, decision) in there {
            let launch = ask.launch;
            let Known { standing, report } = self.facts.of(launch).cloned().unwrap_or_default();
            let decision = match decision {
                _ if self.probing.once.contains(&launch) => Some(Decision::Always),
                // What is in a file of variables may change whenever it likes.
                Some(Decision::Always) if why != Why::Answered && reads_variables => None,
                decision => decision,
            };
            // One that listed nothing may have been mended since.
            let is_known = report.is_some_and(|report| report.snapshot.is_some());
            let is_done = why == Why::Saved && is_known && decision != Some(Decision::Never);
            if is_done || self.probing.running.contains_key(&launch) {
                continue;
            }
            match decision {
                Some(Decision::Always) => self.start(uri, index, ask),
                Some(Decision::Never) => {
                    self.facts.set_standing(launch, Standing::Refused);
                    if why == Why::Wanted {
                        let server = shown(&ask.server);
                        let message = format!(
                            "`{server}` is not started: you have said never; the actions at its name take that back"
                        );
                        self.show(MessageType::INFO, &message);
                    }
                }
                None => {
                    self.facts.set_standing(launch, Standing::Untrusted);
                    open.push(ask);
                }
            }
            if self.facts.of(launch).is_some_and(|now| now.standing != standing) {
                changed.push(launch);
            }
        }
        self.tell(&changed);
        self.question(uri, open, why);
    }

    fn start(&mut self, uri: &str, index: usize, ask: Ask) {
        let launch = self.view(uri).and_then(|view| view.report.launch(index));
        let Some(launch) = launch.filter(|launch| launch.id() == ask.launch) else { return };
        let request = Request::new(&ask.server, launch, &self.configuration.probe());
        self.probing.count += 1;
        let (number, handle) = (self.probing.count, self.handle.clone());
        let running = self.probing.prober.start(request, move |report| {
            handle.post(move |worker| worker.store(number, report));
        });
        let remote = self.probing.remote.as_ref().filter(|_| self.support.progress);
        let progress = remote.map(|remote| Progress::begin(remote, number, &ask.server));
        let Ask { server, launch, .. } = ask;
        self.facts.set_standing(launch, Standing::Running);
        let started = Started { number, uri: uri.to_owned(), server, _running: running, progress };
        self.probing.running.insert(launch, started);
    }

    /// Keeps what a server has said, and then takes it.
    fn store(&mut self, number: u64, mut report: ProbeReport) {
        let started = self.probing.running.get(&report.launch).filter(|started| started.number == number);
        // What was cancelled meanwhile is nobody's.
        let Some(uri) = started.map(|started| started.uri.clone()) else { return };
        let rules = self.rules(&uri).unwrap_or_else(|| self.configuration.for_file(None).rules);
        let (cache, handle) = (self.probing.cache.clone(), self.handle.clone());
        self.probing.keeper.run(move || {
            if let Some(Err(error)) = cache.map(|cache| cache.store(&mut report)) {
                log::warn!("what a server listed is not kept: {error}");
            }
            let answer = Answer::new(report, &rules);
            handle.post(move |worker| worker.finish(number, answer));
        });
    }

    fn finish(&mut self, number: u64, answer: Answer) {
        let launch = answer.report.launch;
        if self.probing.running.get(&launch).is_some_and(|started| started.number == number) {
            self.probing.running.remove(&launch);
            self.take(answer);
            self.tell(&[launch]);
        }
    }

    /// Ends what is under way: these, as far as they are.
    pub(super) fn cancel(&mut self, launches: Vec<LaunchId>) {
        let is_ended = |launch: &LaunchId| self.probing.running.remove(launch).is_some();
        let ended: Vec<LaunchId> = launches.into_iter().filter(is_ended).collect();
        ended.iter().for_each(|launch| self.facts.set_standing(*launch, Standing::Idle));
        self.tell(&ended);
    }

    /// Ends everything that is under way.
    pub(super) fn cancel_all(&mut self) {
        self.cancel(self.probing.running.keys().copied().collect());
    }

    /// Ends what the user no longer wants to wait for.
    pub(super) fn cancel_progress(&mut self, token: &ProgressToken) {
        let is_meant = |started: &Started| started.progress.as_ref().is_some_and(|progress| progress.token == *token);
        let meant = self.probing.running.iter().filter(|(_, started)| is_meant(started));
        let meant = meant.map(|(launch, _)| *launch).collect();
        self.cancel(meant);
    }

    /// Publishes what is new in the open documents that name one of these, now that more is known.
    fn tell(&mut self, launches: &[LaunchId]) {
        if launches.is_empty() {
            return;
        }
        let launches: FxHashSet<LaunchId> = launches.iter().copied().collect();
        let is_concerned = |report: Report| {
            report.is_snapshot() || report.items().any(|item| item.launch().is_some_and(|it| launches.contains(&it)))
        };
        for uri in self.documents.uris() {
            if self.analysis.last(&uri).is_some_and(is_concerned) {
                self.publish(&uri);
            }
        }
        self.refresh();
    }

    /// Has the client ask for the lenses again, and for the hints.
    pub(super) fn refresh(&self) {
        let Some(Remote { client, runtime }) = self.probing.remote.clone() else { return };
        if self.support.hint_refresh {
            let client = client.clone();
            runtime.spawn(async move {
                if let Err(error) = client.inlay_hint_refresh().await {
                    log::warn!("workspace/inlayHint/refresh: {}", error.code);
                }
            });
        }
        if self.support.lens_refresh {
            runtime.spawn(async move {
                if let Err(error) = client.code_lens_refresh().await {
                    log::warn!("workspace/codeLens/refresh: {}", error.code);
                }
            });
        }
    }
}

/// The entry that somebody wants to be asked; `None` where what it starts or contacts is something else by now.
pub(super) fn find(report: &Report, ask: &Ask) -> Option<usize> {
    report.items().position(|item| item.launch() == Some(ask.launch) && item.name() == Some(&ask.server))
}
