//! What the user says of starting servers: the question, what is answered, and what a command brings along.
//!
//! *Invariant:* nothing waits for an answer; some clients never give one.

use rustc_hash::FxHashMap;
use tower_lsp_server::ls_types::{MessageActionItem, MessageType};

use super::convert;
use super::probing::{Remote, Why, find};
use super::worker::Worker;
use crate::analysis::{self, Ask, Consent};
use crate::model::launch::LaunchId;
use crate::probe::trust::{Decision, Entry};
use crate::text::{shown, shown_up_to};

/// Servers that one question is about. It has to be read.
const MOST: usize = 8;
/// How much of a command line a question shows, in characters.
const LONGEST: usize = 1000;

/// The questions that were asked: by the document and what would be started, whether the answer is still to come.
#[derive(Default)]
pub(super) struct Questions(FxHashMap<(String, Vec<LaunchId>), bool>);

impl Worker {
    /// The user wants a server to be asked, and may have said what they think of starting it.
    pub(super) fn probe(&mut self, uri: &str, ask: Ask) {
        if self.is_restricted() {
            return;
        }
        match ask.consent {
            Some(consent) => self.agree(uri, vec![ask], consent),
            None if self.is_there(uri, &ask) => self.consider(uri, vec![ask], Why::Wanted),
            None => self.show_changed(&ask),
        }
    }

    /// The user wants every server of these documents to be asked.
    pub(super) fn probe_all(&mut self, uris: &[String]) {
        if self.is_restricted() {
            return;
        }
        for uri in uris {
            let asks = self.asks(uri);
            self.consider(uri, asks, Why::Wanted);
        }
    }

    /// Whether nothing can be asked here, which the user is told then.
    fn is_restricted(&self) -> bool {
        let is_restricted = self.configuration.is_restricted();
        if is_restricted {
            let message = "restricted mode: no server is started or contacted until you trust the workspace";
            self.show(MessageType::INFO, message);
        }
        is_restricted
    }

    /// Whether an entry still says what it said when it was offered.
    fn is_there(&mut self, uri: &str, ask: &Ask) -> bool {
        self.view(uri).is_some_and(|view| find(&view.report, ask).is_some())
    }

    fn show_changed(&self, ask: &Ask) {
        let message = format!("`{}` has changed since; look at it again", shown(&ask.server));
        self.show(MessageType::WARNING, &message);
    }

    /// Does as the user says, and keeps it.
    fn agree(&mut self, uri: &str, asks: Vec<Ask>, consent: Consent) {
        let decision = if consent == Consent::Never { Decision::Never } else { Decision::Always };
        let (mut decided, mut entries) = (Vec::new(), Vec::new());
        for ask in asks {
            let told = self.view(uri).and_then(|view| analysis::told(&view.report, find(&view.report, &ask)?));
            let Some(told) = told else {
                self.show_changed(&ask);
                continue;
            };
            match consent {
                Consent::Once => _ = self.probing.once.insert(ask.launch),
                Consent::Always | Consent::Never => {
                    let (launch, name) = (ask.launch, ask.server.clone());
                    entries.push(Entry { launch, decision, name, told, at: convert::now() });
                }
            }
            if consent == Consent::Never {
                self.probing.once.remove(&ask.launch);
                self.cancel(vec![ask.launch]);
            }
            decided.push((ask, Some(decision)));
        }
        let (trust, handle, uri) = (self.probing.trust.clone(), self.handle.clone(), uri.to_owned());
        self.probing.keeper.run(move || {
            let add = |entry| match &trust {
                Some(trust) => trust.add(entry).err().map(|error| error.to_string()),
                None => Some("you have no home directory".to_owned()),
            };
            let errors: Vec<String> = entries.into_iter().filter_map(add).collect();
            handle.post(move |worker| {
                if let Some(error) = errors.first() {
                    worker.show_warning(&format!("what you have said holds for now, and could not be kept: {error}"));
                }
                worker.decide(&uri, decided, Why::Answered);
            });
        });
    }

    /// Asks the user whether servers may be started. After a save once for the same ones of a document.
    pub(super) fn question(&mut self, uri: &str, mut open: Vec<Ask>, why: Why) {
        open.truncate(MOST);
        let Some(first) = open.first() else { return };
        let mut launches: Vec<LaunchId> = open.iter().map(|ask| ask.launch).collect();
        launches.sort();
        let key = (uri.to_owned(), launches);
        let is_waiting = self.probing.questions.0.get(&key).copied();
        let remote = self.probing.remote.clone().filter(|_| self.support.questions);
        let Some(Remote { client, runtime }) = remote.filter(|_| is_waiting != Some(true)) else {
            if why == Why::Wanted {
                let server = shown(&first.server);
                let message = format!("`{server}` is not started: not trusted; the actions at its name start it");
                self.show(MessageType::INFO, &message);
            }
            return;
        };
        if why == Why::Saved && is_waiting.is_some() {
            return;
        }
        let Some((message, items)) = self.worded(uri, &open) else { return };
        self.probing.questions.0.insert(key.clone(), true);
        let handle = self.handle.clone();
        runtime.spawn(async move {
            let titles = items
                .iter()
                .map(|(title, _)| MessageActionItem { title: title.clone(), properties: Default::default() });
            let answer = client.show_message_request(MessageType::WARNING, message, Some(titles.collect())).await;
            let answer = answer.unwrap_or_else(|error| {
                log::warn!("window/showMessageRequest: {}", error.code);
                None
            });
            let consent = answer.and_then(|answer| Some(items.iter().find(|(title, _)| *title == answer.title)?.1));
            handle.post(move |worker| {
                let uri = key.0.clone();
                worker.probing.questions.0.insert(key, false);
                if let Some(consent) = consent {
                    worker.agree(&uri, open, consent);
                }
            });
        });
    }

    /// The words of a question, and its buttons.
    fn worded(&mut self, uri: &str, asks: &[Ask]) -> Option<(String, Vec<(String, Consent)>)> {
        let view = self.view(uri)?;
        let mut lines = Vec::new();
        let mut verb = "contact";
        let mut is_cut = false;
        for ask in asks {
            let index = find(&view.report, ask)?;
            if analysis::verb(&view.report, index) == "start" {
                verb = "start";
            }
            let told = analysis::told(&view.report, index)?;
            // VS Code makes one paragraph of all lines.
            let shown_told = shown_up_to(&told, LONGEST);
            is_cut |= shown_told.ends_with('…') && !told.ends_with('…');
            lines.push(format!("• `{}`: {shown_told}", shown(&ask.server)));
        }
        let one = asks.len() == 1;
        let (whom, whose) = if one { ("this server", "its") } else { ("these servers", "their") };
        let runs = match (verb, one) {
            ("start", true) => " It runs as you, unsandboxed.",
            ("start", false) => " They run as you, unsandboxed.",
            _ => "",
        };
        let message = format!("mcp-analyzer: {verb} {whom} to list {whose} tools?{runs}\n{}", lines.join("\n"));
        let once = if verb == "start" { "Start once" } else { "Contact once" };
        // Nobody can agree for ever to what they cannot see the end of.
        let items = [(once, Consent::Once), ("Always", Consent::Always), ("Never", Consent::Never)];
        let items = items.into_iter().filter(|(_, consent)| !is_cut || *consent != Consent::Always);
        let items = items.map(|(title, consent)| (title.to_owned(), consent));
        Some((convert::unlinked(&message), items.collect()))
    }
}
