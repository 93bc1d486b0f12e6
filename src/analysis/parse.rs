//! The incremental parse of a document: made on another thread, since the first one of a large text takes longer than
//! a keystroke may, and kept up to date from there on.

use crate::syntax::{Engine, Tree};
use crate::text::{Splice, Text};

/// What is known of a document's parse.
#[derive(Default)]
pub(super) enum Parse {
    /// Nothing; nobody has asked for it.
    #[default]
    Unknown,
    /// An earlier text is being parsed; since then `since` has happened.
    Awaited { number: u64, since: Option<Splice> },
    /// The parse, which knows of every edit, though it may not have followed them yet.
    Known(Tree),
}

/// A parse that is still to be made, on whatever thread has the time.
pub struct Unparsed {
    pub(super) uri: String,
    pub(super) number: u64,
    pub(super) text: Text,
}

/// A parse that was made.
pub struct Parsed {
    pub(super) uri: String,
    pub(super) number: u64,
    pub(super) tree: Option<Tree>,
}

impl Unparsed {
    /// Makes it. This takes about 60 ms a megabyte.
    pub fn parse(self) -> Parsed {
        Parsed { uri: self.uri, number: self.number, tree: Engine::default().parse(&self.text) }
    }
}

impl Parse {
    /// Hears of an edit.
    pub(super) fn splice(&mut self, splice: Splice) {
        match self {
            Parse::Unknown => {}
            Parse::Awaited { since, .. } => *since = Some(since.map_or(splice, |earlier| earlier.then(splice))),
            Parse::Known(tree) => tree.splice(splice),
        }
    }

    /// Follows the edits that it heard of.
    pub(super) fn follow(&mut self, text: &Text, engine: &mut Engine) {
        if let Parse::Known(tree) = self {
            *self = engine.parse_again(text, tree).map_or(Parse::Unknown, Parse::Known);
        }
    }

    /// Asks for the parse, where nobody has.
    pub(super) fn await_as(&mut self, number: u64) -> bool {
        let is_unknown = matches!(self, Parse::Unknown);
        if is_unknown {
            *self = Parse::Awaited { number, since: None };
        }
        is_unknown
    }

    /// Takes a parse that was made, unless it is of a text that is gone.
    pub(super) fn take(&mut self, parsed: Parsed) {
        match (&*self, parsed.tree) {
            (Parse::Awaited { number, since }, Some(mut tree)) if *number == parsed.number => {
                since.iter().for_each(|splice| tree.splice(*splice));
                *self = Parse::Known(tree);
            }
            // Once is enough: a text that could not be parsed is not tried again and again.
            _ => {}
        }
    }
}
