//! What a rule says: one finding with its place, its reasons and its fixes. Plain data; imports only text.
//!
//! Ranges are relative to the piece of the document that the finding belongs to (a tool, a server entry, or the whole
//! document), so that a finding stays true while the text around its piece changes.

use std::sync::Arc;

use crate::text::{Edit, Text, TextRange};

/// How loud a finding is. The order is from quiet to loud.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth a dot under the word.
    Hint,
    /// Worth knowing; shown to people as "note".
    Information,
    /// Worth a maintainer's minute.
    Warning,
    /// Something will not work.
    Error,
}

impl Severity {
    /// Every severity, loudest first.
    pub const ALL: [Severity; 4] = [Severity::Error, Severity::Warning, Severity::Information, Severity::Hint];

    /// The name in settings and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information => "info",
            Severity::Hint => "hint",
        }
    }
}

/// How an editor may draw a range, beside its severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Faded: it has no effect.
    Unnecessary,
    /// Struck out.
    Deprecated,
}

/// Another document that a finding speaks of.
#[derive(Clone, Debug)]
pub struct Source {
    /// Names the document; a file's is its path.
    pub path: String,
    /// Its text.
    pub text: Text,
}

impl PartialEq for Source {
    fn eq(&self, other: &Source) -> bool {
        self.path == other.path
    }
}

impl Eq for Source {}

/// Where a related range counts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// From the start of the finding's own piece.
    Own,
    /// From the start of another item of the document, by its index.
    Item(usize),
    /// From the start of another document.
    Document(Arc<Source>),
}

/// Another place that a finding speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// What `range` counts from.
    pub anchor: Anchor,
    /// The place.
    pub range: TextRange,
    /// What is there.
    pub message: String,
}

/// Whether a fix may be applied without a person looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Applicability {
    /// Text that a person has to finish.
    Suggestion,
    /// Changes behaviour, or needs a matching change elsewhere.
    Unsafe,
    /// Keeps the meaning; applied by `check --fix` and fix-all.
    Safe,
}

impl Applicability {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Applicability::Suggestion => "suggestion",
            Applicability::Unsafe => "unsafe",
            Applicability::Safe => "safe",
        }
    }
}

/// What a fix does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Sorted, disjoint edits, relative to the finding's piece.
    Edits(Vec<Edit>),
    /// Another name for a tool, everywhere in the document where the tool is meant.
    RenameTool {
        /// The name now.
        from: String,
        /// The name afterwards.
        to: String,
    },
}

/// A way to mend a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as a verb phrase.
    pub title: String,
    /// Who may apply it.
    pub applicability: Applicability,
    /// What changes.
    pub change: Change,
}

impl Fix {
    /// A fix that keeps the meaning.
    pub fn safe(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self::new(title, Applicability::Safe, Change::Edits(edits))
    }

    /// A fix that changes behaviour or needs a matching change elsewhere.
    pub fn unsafe_(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self::new(title, Applicability::Unsafe, Change::Edits(edits))
    }

    /// A fix that a person has to finish.
    pub fn suggestion(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self::new(title, Applicability::Suggestion, Change::Edits(edits))
    }

    /// Renames the key at `range`, quotes included, to `to`, a word that needs no escapes; safe.
    pub fn rename_key(range: TextRange, to: &str) -> Self {
        Self::safe(format!("rename to `{to}`"), vec![Edit::replace(range, format!("\"{to}\""))])
    }

    /// Renames a tool; unsafe, since whoever calls it has to follow.
    pub fn rename_tool(from: &str, to: &str) -> Self {
        let change = Change::RenameTool { from: from.to_owned(), to: to.to_owned() };
        Self::new(format!("rename to `{to}`"), Applicability::Unsafe, change)
    }

    fn new(title: impl Into<String>, applicability: Applicability, mut change: Change) -> Self {
        if let Change::Edits(edits) = &mut change {
            edits.sort_by_key(|edit| edit.range);
            debug_assert!(edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start), "edits overlap");
        }
        Self { title: title.into(), applicability, change }
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's name.
    pub rule: &'static str,
    /// How loud it is, settings applied.
    pub severity: Severity,
    /// Where it is.
    pub range: TextRange,
    /// What is wrong: lower-case start, no final stop, values in backticks. It stands alone.
    pub message: String,
    /// What to do, in one sentence.
    pub help: &'static str,
    /// Why it matters, and what else is worth knowing.
    pub notes: Vec<String>,
    /// Other places it speaks of.
    pub related: Vec<Related>,
    /// Ways to mend it, the best first.
    pub fixes: Vec<Fix>,
    /// How to draw it.
    pub tag: Option<Tag>,
}

impl Diagnostic {
    /// Adds a reason.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a place in the same piece.
    pub fn related(&mut self, range: TextRange, message: impl Into<String>) -> &mut Self {
        self.related_at(Anchor::Own, range, message)
    }

    /// Adds a place.
    pub fn related_at(&mut self, anchor: Anchor, range: TextRange, message: impl Into<String>) -> &mut Self {
        self.related.push(Related { anchor, range, message: message.into() });
        self
    }

    /// Adds a way to mend it.
    pub fn fix(&mut self, fix: impl Into<Option<Fix>>) -> &mut Self {
        self.fixes.extend(fix.into());
        self
    }

    /// Of the fixes that `may` be applied the one that takes the least thought; of equals the first.
    pub fn best_fix(&self, may: impl Fn(&Fix) -> bool) -> Option<&Fix> {
        self.fixes.iter().rev().filter(|fix| may(fix)).max_by_key(|fix| fix.applicability)
    }

    /// Says how to draw it.
    pub fn tag(&mut self, tag: Tag) -> &mut Self {
        self.tag = Some(tag);
        self
    }
}
