//! What is kept of each tool for the rules over a list: an edit makes the facts of one tool anew, and those rules run
//! only where they changed.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::model::Tool;
use crate::model::similar::{Similar, Terms};
use crate::rules::SchemaFacts;
use crate::rules::annotation::missing_read_only_hint;
use crate::rules::name::generic_tool_name;
use crate::rules::verbs;
use crate::syntax::Member;
use crate::text::{Edit, TextRange, shown};

/// Why a tool of a list has no name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nameless {
    /// It has no `name`.
    Missing,
    /// It has this key instead, which is nearly `name`.
    Misspelt {
        /// The key as it is.
        key: Box<str>,
        /// What would be the name.
        name: Box<str>,
    },
    /// The name is no string, but this.
    NoString(&'static str),
    /// The element of the list is no object, but this.
    NoObject(&'static str),
}

impl Nameless {
    /// Why a tool has no name, as far as it could be read, and where that shows.
    pub fn of(tool: &Tool) -> Option<(Nameless, TextRange)> {
        let element = tool.element;
        if !element.is_object() {
            return element.is_readable().then(|| (Nameless::NoObject(element.kind_name()), element.range));
        }
        match tool.declaration.get("name") {
            Some(name) if name.as_str().is_some() || !name.is_readable() => None,
            Some(name) => Some((Nameless::NoString(name.kind_name()), name.range)),
            None => Some(match tool.misspelt("name") {
                Some(Member { key, value }) => {
                    let name = value.as_str().unwrap_or_default().into();
                    (Nameless::Misspelt { key: key.name.clone(), name }, key.range)
                }
                None => (Nameless::Missing, tool.range()),
            }),
        }
    }
}

/// A tool that does not say whether it only reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silent {
    /// Whether its name says that it takes something away.
    pub is_destructive: bool,
    /// What makes it say so, as the name lets one guess.
    pub addition: Edit,
}

/// What the rules over a list know of one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolFacts {
    /// The name and where it is in the tool.
    pub name: Option<(Arc<str>, TextRange)>,
    /// Why it has none where it should have one, and where that shows.
    pub nameless: Option<(Nameless, TextRange)>,
    /// A hash of the description without the white space around it, and where it is; `None` where it is empty.
    pub description: Option<(u64, TextRange)>,
    /// The verb that the description starts with.
    pub verb: Option<&'static str>,
    /// The first parameter, where the name could be any tool's.
    pub object: Option<Box<str>>,
    /// That it does not say whether it only reads, where it should.
    pub silent: Option<Silent>,
    /// Where the key of its input schema stands.
    pub schema_key: Option<TextRange>,
    /// What the rules over a list know of its schemas.
    pub schema: SchemaFacts,
    /// The terms of the description.
    pub terms: Terms,
    /// The index of the tool among the document's items.
    pub item: usize,
}

impl ToolFacts {
    /// The facts of a tool. Where it `is_whole`, nothing of it may be lost to a missing quote or bracket.
    pub fn of(tool: &Tool, is_whole: bool) -> ToolFacts {
        // Nobody here chooses the names of a provider's own tools.
        let is_built_in = tool.is_built_in();
        let description = tool.description().and_then(|member| {
            let text = member.value.as_str()?.trim();
            (!text.is_empty()).then_some((text, member.value.range))
        });
        ToolFacts {
            name: tool.name().map(|(name, range)| (name.into(), range)).filter(|_| !is_built_in),
            nameless: Nameless::of(tool).filter(|_| is_whole && !is_built_in),
            verb: tool.description_text().and_then(verbs::opening),
            object: tool
                .name()
                .filter(|(name, _)| generic_tool_name::is_generic(name))
                .and_then(|_| Some(tool.parameters().first()?.key.name.clone())),
            silent: missing_read_only_hint::silent(tool).filter(|_| is_whole && !is_built_in),
            schema_key: tool.input_schema().map(|member| member.key.range).filter(|_| is_whole && !is_built_in),
            schema: if is_whole && !is_built_in { SchemaFacts::of(tool) } else { SchemaFacts::default() },
            description: description.map(|(text, range)| (xxh3_64(text.as_bytes()), range)),
            terms: description.map(|(text, _)| Terms::of(text)).unwrap_or_default(),
            item: 0,
        }
    }

    /// The name as it is.
    pub fn label(&self) -> Option<&str> {
        self.name.as_ref().map(|(name, _)| &**name)
    }

    /// The tool for messages: its name between backticks, else `nameless`.
    pub fn quoted(&self, nameless: &str) -> String {
        self.label().map_or(nameless.to_owned(), |name| format!("`{}`", shown(name)))
    }

    /// What to compare its description by.
    pub fn description_terms(&self) -> Option<(u64, &Terms)> {
        self.description.map(|(hash, _)| (hash, &self.terms))
    }
}

/// The tools of one list.
#[derive(Clone, Copy, Debug)]
pub struct Toolset<'a> {
    /// Their facts, in the order of the list.
    pub tools: &'a [ToolFacts],
    /// Which of their descriptions are alike, by the index in `tools`.
    pub similar: &'a Similar,
}

impl<'a> Toolset<'a> {
    /// What the list is called by where it is meant as a whole: its first tool with a name.
    pub fn first_named(&self) -> Option<(&'a ToolFacts, TextRange)> {
        self.tools.iter().find_map(|tool| Some((tool, tool.name.as_ref()?.1)))
    }
}
