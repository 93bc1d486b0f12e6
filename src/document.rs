//! A document as an editor or the command line hands it over: its text, how it is written, and what changed since it
//! was last looked at. What the file *is* is the model's business.

use std::path::{Path, PathBuf};

use crate::text::{Splice, Text, TextRange};

/// How the text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Strict JSON.
    Json,
    /// JSON with comments and trailing commas.
    Jsonc,
}

impl Format {
    /// By an editor's language id; `None` for a language that is not read.
    pub fn from_language_id(id: &str) -> Option<Format> {
        match id {
            "json" => Some(Format::Json),
            "jsonc" => Some(Format::Jsonc),
            _ => None,
        }
    }

    /// By the file name's extension; `None` for one that is not read.
    pub fn from_path(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "json" => Some(Format::Json),
            "jsonc" => Some(Format::Jsonc),
            _ => None,
        }
    }
}

/// What happened to a text since a snapshot of it was last taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// Everything may be other.
    Anything,
    /// Nothing.
    Unchanged,
    /// One splice covers all edits.
    Spliced(Splice),
}

/// One text and what is known of it from outside.
#[derive(Clone, Debug)]
pub struct Document {
    /// Names the document; a file's is its `file:` URI in the language server and its path on the command line.
    pub uri: String,
    /// The file, where it is one.
    pub path: Option<PathBuf>,
    /// The editor's version.
    pub version: Option<i32>,
    /// How it is written.
    pub format: Format,
    text: Text,
    since: Since,
}

impl Document {
    /// A document that nobody has looked at.
    pub fn new(uri: impl Into<String>, path: Option<PathBuf>, format: Format, content: &str) -> Self {
        Self { uri: uri.into(), path, version: None, format, text: Text::new(content), since: Since::Anything }
    }

    /// The text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// What changed since [`Document::take_snapshot`].
    pub fn since(&self) -> Since {
        self.since
    }

    /// Replaces a range, clamped to the text. This and [`Document::replace`] are the only ways a text changes.
    pub fn apply(&mut self, range: TextRange, new_text: &str) {
        let splice = self.text.apply(range, new_text);
        self.since = match self.since {
            Since::Anything => Since::Anything,
            Since::Unchanged => Since::Spliced(splice),
            Since::Spliced(earlier) => Since::Spliced(earlier.then(splice)),
        };
    }

    /// Replaces everything.
    pub fn replace(&mut self, content: &str) {
        self.text = Text::new(content);
        self.since = Since::Anything;
    }

    /// A copy to work on elsewhere; the next one will tell what changed after this one.
    pub fn take_snapshot(&mut self) -> Document {
        let snapshot = self.clone();
        self.since = Since::Unchanged;
        snapshot
    }
}
