//! Counting what tools cost, on a thread of its own: no keystroke and no finding waits for it. When the counts are there,
//! what they change is published again.

use std::collections::VecDeque;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use super::worker::{Seen, Worker};
use crate::analysis::{Counted, Recount, Uncounted, World};
use crate::provider::Costs;
use crate::tokens::Vocabulary;

/// Where only a number in a message is another, it is published when nothing was counted for so long: while somebody types
/// it would be another with every letter.
const PAUSE: Duration = Duration::from_millis(300);

/// What the worker remembers of it.
#[derive(Default)]
pub(super) struct Counting {
    /// The thread, once there was something to count.
    thread: Option<Sender<Uncounted>>,
    is_busy: bool,
    /// The documents to look at next.
    waiting: VecDeque<String>,
    /// Versions of documents in which findings say another number than was published.
    stale: Vec<(String, Option<i32>)>,
}

impl Worker {
    /// Has the tools of a document counted that were not.
    pub(super) fn count_elsewhere(&mut self, uri: &str) {
        if !self.counting.waiting.iter().any(|waiting| waiting == uri) {
            self.counting.waiting.push_back(uri.to_owned());
        }
        self.count_next();
    }

    /// One document at a time: what is typed meanwhile is counted once, when its turn comes.
    fn count_next(&mut self) {
        while !self.counting.is_busy
            && let Some(uri) = self.counting.waiting.pop_front()
        {
            let Some(uncounted) = self.analysis.uncounted(&uri) else { continue };
            if self.counting.thread.is_none() {
                self.counting.thread = self.start_counting();
            }
            let Some(thread) = &self.counting.thread else { return self.counting.waiting.clear() };
            self.counting.is_busy = thread.send(uncounted).is_ok();
        }
    }

    /// The thread ends with the worker.
    fn start_counting(&self) -> Option<Sender<Uncounted>> {
        let (sender, receiver) = mpsc::channel::<Uncounted>();
        let handle = self.handle.clone();
        let thread = std::thread::Builder::new().name("tokens".into()).spawn(move || {
            let mut is_quiet = true;
            loop {
                let next = match is_quiet {
                    true => receiver.recv().map_err(RecvTimeoutError::from),
                    false => receiver.recv_timeout(PAUSE),
                };
                match next {
                    Ok(uncounted) => {
                        let counted = uncounted.count(Vocabulary::count);
                        handle.post(move |worker| worker.take_counts(counted));
                        is_quiet = false;
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        handle.post(Worker::write_numbers);
                        is_quiet = true;
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        thread.map(|_| sender).inspect_err(|error| log::warn!("no tokens are counted: {error}")).ok()
    }

    fn take_counts(&mut self, counted: Counted) {
        self.counting.is_busy = false;
        let uri = counted.uri().to_owned();
        if let Some(Seen { document, rules, read_as, .. }) = self.seen.get(&uri) {
            let world = World { read_as: *read_as, facts: &self.facts, ..World::new(document, rules) };
            let version = document.version;
            match self.analysis.take_counts(counted, &world) {
                Recount::Nothing => {}
                Recount::Numbers => self.counting.stale.push((uri.clone(), version)),
                Recount::Findings => self.write(&uri, version),
            }
            self.refresh_costs(&uri);
        }
        self.count_next();
    }

    /// Publishes the numbers that have changed since, and nothing else with them.
    fn write_numbers(&mut self) {
        for (uri, version) in std::mem::take(&mut self.counting.stale) {
            if self.seen.get(&uri).is_some_and(|seen| seen.document.version == version) {
                self.write(&uri, version);
            }
        }
    }

    /// Has the client ask again for what it shows of costs, where that is something else by now.
    fn refresh_costs(&mut self, uri: &str) {
        let costs = self.analysis.last(uri).and_then(|report| report.all_costs());
        let Some(seen) = self.seen.get_mut(uri) else { return };
        if costs.is_some() && seen.told_costs.is_some_and(|told| told != costs) {
            seen.told_costs = None;
            self.refresh();
        }
    }

    /// Remembers what the client was told of a document's costs.
    pub(super) fn costs_are_told(&mut self, uri: &str) {
        let costs: Option<Costs> = self.analysis.last(uri).and_then(|report| report.all_costs());
        if let Some(seen) = self.seen.get_mut(uri) {
            seen.told_costs = Some(costs);
        }
    }
}
