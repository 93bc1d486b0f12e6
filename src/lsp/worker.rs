//! The one thread that owns the analysis. It takes what changed, checks it and publishes; whatever else needs the
//! findings is a closure that runs here, so that no handler computes and nothing is locked while it does.
//!
//! *Invariant:* a newer text always wins: findings of an older one are not published once it is there.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tower_lsp_server::ls_types::MessageType;

use super::convert::{self, Spellings};
use super::counting::Counting;
use super::documents::Documents;
use super::frame;
use super::output::Output;
use super::probing::Probing;
use super::publish::Published;
use super::queue::{Task, WorkerHandle};
use super::settings::{Configuration, Effective};
use super::support::Support;
use super::view::View;
use crate::analysis::{self, Analysis, ReadAs, Ruleset, World};
use crate::diagnostic::Severity;
use crate::document::Document;
use crate::facts::Facts;
use crate::model::Kind;
use crate::provider::Costs;
use crate::text::Text;

/// What is known of an open document beside its findings.
pub(super) struct Seen {
    /// The text that the findings are about.
    pub(super) document: Document,
    pub(super) rules: Arc<Ruleset>,
    pub(super) read_as: Option<ReadAs>,
    /// How many findings are shown.
    limit: usize,
    published: Published,
    /// What the client was last told of costs, since it was last asked to ask again.
    pub(super) told_costs: Option<Option<Costs>>,
}

/// What became of a document's newest text.
enum Updated {
    NotOpen,
    TooLong(Option<i32>),
    Checked(Option<i32>),
}

/// The thread's own.
pub(super) struct Worker {
    /// Where what is to be done here later is left.
    pub(super) handle: Arc<WorkerHandle>,
    pub(super) analysis: Analysis,
    /// What is known of servers.
    pub(super) facts: Facts,
    /// The asking of servers.
    pub(super) probing: Probing,
    pub(super) documents: Arc<Documents>,
    output: Arc<Output>,
    spellings: Spellings,
    /// What the client can do.
    pub(super) support: Support,
    /// The settings, and the rules that they come to.
    pub(super) configuration: Configuration,
    pub(super) seen: FxHashMap<String, Seen>,
    frame: Vec<u8>,
    /// A document is being parsed on another thread.
    is_parsing: bool,
    /// The counting of tokens.
    pub(super) counting: Counting,
}

impl Worker {
    pub(super) fn new(
        handle: Arc<WorkerHandle>,
        documents: Arc<Documents>,
        output: Arc<Output>,
        spellings: Spellings,
    ) -> Self {
        let probing = Probing::start(documents.views.clone());
        Self {
            handle,
            analysis: Analysis::default(),
            facts: Facts::default(),
            probing,
            documents,
            output,
            spellings,
            support: Support::default(),
            configuration: Configuration::default(),
            seen: FxHashMap::default(),
            frame: Vec::new(),
            is_parsing: false,
            counting: Counting::default(),
        }
    }

    /// Works until the handle is ended.
    pub(super) fn run(mut self) {
        while let Some(task) = self.handle.next() {
            match task {
                Task::Job(job) => _ = self.guarded(job),
                Task::Changed(uri) => {
                    if !self.guarded(|worker| worker.publish(&uri)) {
                        self.publish_message(&uri, None, "the file could not be checked; please report this");
                    }
                    self.parse_elsewhere(&uri);
                }
            }
        }
    }

    /// Has a document parsed for the edits to come, where that has not been done: on a thread of its own, so that
    /// nothing waits for it.
    fn parse_elsewhere(&mut self, uri: &str) {
        // One at a time: a client that sends whole texts makes every parse useless before it is done.
        if self.is_parsing {
            return;
        }
        let Some(unparsed) = self.analysis.unparsed(uri) else { return };
        let handle = self.handle.clone();
        let thread = std::thread::Builder::new().name("parse".into()).spawn(move || {
            let parsed = unparsed.parse();
            handle.post(|worker| {
                worker.analysis.take(parsed);
                worker.is_parsing = false;
            });
        });
        self.is_parsing = thread.is_ok();
        if let Err(error) = thread {
            log::warn!("edits of a large file will take longer: {error}");
        }
    }

    /// Whether the work was done. A panic is one log line; what is remembered of the documents may be half done then,
    /// and is forgotten.
    fn guarded(&mut self, work: impl FnOnce(&mut Worker)) -> bool {
        let is_done = catch_unwind(AssertUnwindSafe(|| work(self))).is_ok();
        if !is_done {
            log::error!("the analysis failed and starts anew; please report this");
            self.analysis = Analysis::default();
            self.seen.clear();
        }
        is_done
    }

    /// Checks the newest text of a document and publishes what was found.
    pub(super) fn publish(&mut self, uri: &str) {
        let version = match self.update(uri) {
            Updated::NotOpen => return,
            Updated::TooLong(version) => {
                let message = format!("the file is not checked: {}", analysis::unread());
                return self.publish_message(uri, version, &message);
            }
            Updated::Checked(version) => version,
        };
        self.write(uri, version);
        self.count_elsewhere(uri);
    }

    /// Publishes what was found in a text, unless there is a newer one.
    pub(super) fn write(&mut self, uri: &str, version: Option<i32>) {
        // A newer text is in the queue, and publishes itself.
        if !self.documents.is_newest(uri, version) {
            return;
        }
        let (Some(seen), Some(report)) = (self.seen.get_mut(uri), self.analysis.last(uri)) else { return };
        seen.published.frame(&report, version, seen.limit, &mut self.frame);
        self.output.write(&self.frame);
    }

    /// Brings the findings up to the newest text. The one place that takes snapshots, since each is told only what
    /// changed since the one before.
    fn update(&mut self, uri: &str) -> Updated {
        let Some(document) = self.documents.take_snapshot(uri) else { return Updated::NotOpen };
        let version = document.version;
        if document.text().len() > analysis::MAX_TEXT {
            self.forget(uri);
            return Updated::TooLong(version);
        }
        let Effective { rules, limit } = self.configuration.for_file(document.path.as_deref());
        self.tell_of_settings();
        // What was a tool list is one for as long as its text is broken, whatever it looks like meanwhile.
        let was_tools = self.analysis.last(uri).is_some_and(|report| matches!(report.kind(), Kind::Tools));
        let read_as = was_tools.then_some(ReadAs::ToolsIfBroken);
        let report = self.analysis.check(&World { read_as, facts: &self.facts, ..World::new(&document, &rules) });
        match self.seen.get_mut(uri) {
            Some(seen) => {
                seen.published.update(&report);
                (seen.document, seen.rules, seen.limit, seen.read_as) = (document, rules, limit, read_as);
            }
            None => {
                let mut published = Published::new(&self.spellings.original(uri), &self.support);
                published.update(&report);
                self.seen.insert(uri.to_owned(), Seen { document, rules, read_as, limit, published, told_costs: None });
            }
        }
        self.look_up(uri);
        Updated::Checked(version)
    }

    /// The findings in the newest text of a document, and what else is known of it.
    pub(super) fn view(&mut self, uri: &str) -> Option<View<'_>> {
        match self.update(uri) {
            Updated::Checked(_) => {
                let Seen { document, rules, read_as, .. } = self.seen.get(uri)?;
                let report = self.analysis.last(uri)?;
                let (support, configuration, facts) = (self.support, &self.configuration, &self.facts);
                Some(View { report, document, support, configuration, rules, read_as: *read_as, facts })
            }
            Updated::NotOpen | Updated::TooLong(_) => None,
        }
    }

    /// The rules that a document was last checked by.
    pub(super) fn rules(&self, uri: &str) -> Option<Arc<Ruleset>> {
        Some(self.seen.get(uri)?.rules.clone())
    }

    /// Checks every open document again, after the settings have changed.
    pub(super) fn publish_all(&mut self) {
        self.tell_of_settings();
        for uri in self.documents.uris() {
            self.publish(&uri);
        }
    }

    /// Forgets a document that was closed, unless it is open again, and takes its findings back.
    pub(super) fn close(&mut self, uri: &str) {
        if !self.documents.is_ours(uri) {
            self.forget(uri);
            self.publish_nothing(uri);
        }
    }

    /// Tells of what is wrong in settings files that have changed.
    fn tell_of_settings(&mut self) {
        for file in self.configuration.take_news() {
            let Some(uri) = convert::uri(&file.path) else { continue };
            let text = Text::new(&file.text);
            frame::settings_frame(uri.as_str(), &file.problems, &text, self.support.encoding, &mut self.frame);
            self.output.write(&self.frame);
            if let Some(problem) = file.problems.iter().find(|problem| problem.severity == Severity::Error) {
                let path = file.path.display();
                self.show_warning(&format!("{path} is not used, the last good settings stay: {}", problem.message));
            }
        }
    }

    /// Shows a warning to the user, and logs it.
    pub(super) fn show_warning(&self, message: &str) {
        log::warn!("{message}");
        self.show(MessageType::WARNING, message);
    }

    /// Shows a message to the user.
    pub(super) fn show(&self, kind: MessageType, message: &str) {
        let message = serde_json::json!({
            "jsonrpc": "2.0",
            "method": "window/showMessage",
            "params": { "type": kind, "message": format!("mcp-analyzer: {}", convert::unlinked(message)) },
        });
        self.output.send_message(message.to_string().as_bytes());
    }

    fn forget(&mut self, uri: &str) {
        self.analysis.forget(uri);
        self.seen.remove(uri);
    }

    /// Publishes one finding at the top of a file that is not checked.
    pub(super) fn publish_message(&mut self, uri: &str, version: Option<i32>, message: &str) {
        let uri = self.spellings.original(uri);
        frame::message_frame(&uri, version, message, &mut self.frame);
        self.output.write(&self.frame);
    }

    /// Takes the findings of a file back.
    pub(super) fn publish_nothing(&mut self, uri: &str) {
        let uri = self.spellings.original(uri);
        frame::empty_frame(&uri, &mut self.frame);
        self.output.write(&self.frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_a_closure_is_survived() {
        let (output, writer) = Output::start().expect("an output");
        let handle = Arc::new(WorkerHandle::default());
        let documents = Arc::new(Documents::default());
        let worker = Worker::new(handle.clone(), documents, output.clone(), Spellings::default());
        let thread = std::thread::spawn(move || worker.run());
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        assert_eq!(runtime.block_on(handle.ask(|_| -> i32 { panic!("on purpose") })), None);
        assert_eq!(runtime.block_on(handle.ask(|_| 7)), Some(7));
        handle.end();
        output.finish();
        thread.join().expect("the worker ends");
        writer.join().expect("the writer ends");
    }
}
