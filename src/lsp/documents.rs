//! The texts that the editor has open, shared between the protocol's handlers, which change them, and the worker,
//! which takes snapshots. Handlers change a text before their first `.await`, so that changes keep their order.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use tower_lsp_server::ls_types::{TextDocumentContentChangeEvent, TextDocumentItem};

use super::convert;
use super::views::Views;
use crate::document::{Document, Format};
use crate::text::Encoding;

/// What the editor has open.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// By URI. `None`: open, in a language that is not ours, or written by us.
    open: Mutex<FxHashMap<String, Option<Document>>>,
    /// What we write for the user to read; `None` where they have no place for it.
    pub(super) views: Option<Views>,
}

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changed {
    /// There is a new text.
    Yes,
    /// The document is not ours to read.
    NotServed,
    /// The editor never opened it.
    Unknown,
}

impl Documents {
    /// Nothing is open.
    pub(super) fn new(views: Option<Views>) -> Documents {
        Documents { views, ..Documents::default() }
    }

    /// Opens a document; whether it is one of ours.
    pub(super) fn open(&self, item: TextDocumentItem) -> bool {
        let path = convert::path(&item.uri);
        let by_name = || Format::from_path(path.as_deref().unwrap_or(item.uri.path().as_str().as_ref()));
        // A view is what somebody wanted to see, and is as it is.
        let is_view = path.as_deref().zip(self.views.as_ref()).is_some_and(|(path, views)| views.hold(path));
        let format = Format::from_language_id(&item.language_id).or_else(by_name).filter(|_| !is_view);
        let uri = item.uri.as_str().to_owned();
        let document = format.map(|format| {
            let mut document = Document::new(uri.clone(), path.clone(), format, &item.text);
            document.version = Some(item.version);
            document
        });
        let is_ours = document.is_some();
        self.open.lock().insert(uri, document);
        is_ours
    }

    /// Applies the changes of one notification, one after another.
    pub(super) fn change(
        &self,
        uri: &str,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Changed {
        let mut documents = self.open.lock();
        let document = match documents.get_mut(uri) {
            None => return Changed::Unknown,
            Some(None) => return Changed::NotServed,
            Some(Some(document)) => document,
        };
        for change in changes {
            match change.range {
                None => document.replace(&change.text),
                Some(range) => {
                    let range = convert::text_range(document.text(), range, encoding);
                    document.apply(range, &change.text);
                }
            }
        }
        document.version = Some(version);
        Changed::Yes
    }

    /// Closes a document; whether it was one of ours.
    pub(super) fn close(&self, uri: &str) -> bool {
        self.open.lock().remove(uri).is_some_and(|document| document.is_some())
    }

    /// The text as it is now; the next snapshot tells what changed after this one.
    pub(super) fn take_snapshot(&self, uri: &str) -> Option<Document> {
        self.open.lock().get_mut(uri)?.as_mut().map(Document::take_snapshot)
    }

    /// Whether this is the newest version of a document.
    pub(super) fn is_newest(&self, uri: &str, version: Option<i32>) -> bool {
        self.open.lock().get(uri).is_some_and(|document| document.as_ref().is_some_and(|open| open.version == version))
    }

    /// Whether a document is open and ours.
    pub(super) fn is_ours(&self, uri: &str) -> bool {
        self.open.lock().get(uri).is_some_and(Option::is_some)
    }

    /// The documents of ours.
    pub(super) fn uris(&self) -> Vec<String> {
        let documents = self.open.lock();
        let mut uris: Vec<String> =
            documents.iter().filter(|(_, document)| document.is_some()).map(|(uri, _)| uri.clone()).collect();
        uris.sort();
        uris
    }
}
