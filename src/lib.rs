//! mcp-analyzer: a language server and command line for people who configure MCP servers and people who write them.
//!
//! Several faces over one pure core. This page is the architecture; the modules say the rest.
//!
//! ```text
//!   main            picks a face
//! 7 lsp   cli       the language server, the command line
//! 6 render          reports as text and JSON        settings_files  where settings are
//!   probe           asks servers what they expose: the MCP client, consent, saved lists
//!   exact           asks providers how many tokens tools are, with a key of the user
//!   user_files      where the files of a user are
//! 5 analysis        THE BOUNDARY: World in, Report out; remembers, orders, fixes
//! 4 rules           one file each, pure
//! 3 provider        what a model reads; verdicts    tokens          how many that are
//! 2 model           tools, schemas, dialects        settings        what a user can set
//!   facts           what is known from outside: what came of asking servers
//! 1 syntax          text to spanned values          document        diagnostic
//! 0 text            rope, byte ranges, edits, positions
//! ```
//!
//! A module imports floors below its own; `tests/layers.rs` holds the table and names every breach.
//!
//! # The life of a keystroke
//! The editor sends a change. `lsp` applies it to the text under a lock, before anything is awaited, and wakes the one
//! worker that owns the [`analysis::Analysis`]. The worker takes a snapshot and checks it. Where the edit lies inside
//! one tool or server entry of a text without errors, tree-sitter's incremental parse confirms that nothing else moved;
//! that item alone is read into a [`syntax::Value`] and its rules are run. Otherwise the outline of the document is
//! read again and items of known content are kept. Rules over whole lists see compact facts of each tool, and which
//! descriptions are alike, kept up to date by what came and went ([`model::similar`]). What comes back is a
//! [`analysis::Report`]: for every item its place and its findings, whose ranges count from the item's start. `lsp`
//! writes the frame from what it rendered before, with new positions.
//!
//! # Two readers
//! [`syntax`] has an incremental parse (tree-sitter) and a reader of its own. They are asked different questions. The
//! parse says quickly whether a document is still whole after an edit. The reader turns text into values and says what
//! is wrong, where and how to mend it; its answer depends on the text alone. tree-sitter's recovery does not: it depends
//! on how the text was typed, and it finds values that nobody wrote.
//!
//! # What a rule has to go by
//! A rule is a page, a function and a [`rules::Check`], which says what the function is given: a piece of text, a server
//! entry, a tool, a whole config file, the facts of a list, or only what a file is ([`rules::Check::File`]).
//!
//! - [`model::schema::Schemas`]: a tool's input schema and every schema inside it, flat, listed once for all rules. It
//!   tells keywords from names; no rule walks a schema by hand. [`model::schema::References`]: where each `$ref` leads.
//! - [`rules::ToolFacts`]: what rules over lists know of a tool. Small and comparable: those rules are run again only
//!   where the facts of some tool changed. Which descriptions are alike comes with them.
//! - [`provider::TABLE`]: who refuses or drops what, a row each with its source and date. A rule asks
//!   [`rules::Context::verdicts`] for what it found and is silent where nobody minds whom the user targets.
//!
//! # Servers
//! What a server exposes is known by asking it only. A config entry comes to a [`model::launch::Launch`]: what its client
//! starts or contacts, literally, with a name that is a hash of it ([`model::launch::LaunchId`]). Consent, saved lists and
//! facts are kept by that name, so that any change of what would be run is something that nobody has agreed to.
//! [`probe`] starts or contacts it and makes a [`facts::ProbeReport`]: a tap before the protocol library's parser keeps
//! every list as it was sent, and the library sees an empty one, so that no malformed tool can lose a list. The lists
//! become a document, the *snapshot*, which is checked like any tool list. Reports are facts, not findings: rules of the
//! level [`rules::Check::Probe`] and [`rules::Check::Servers`] read them together with the text that is there now, and what
//! is wrong with a list becomes one finding a rule on the entry (`analysis/servers.rs`).
//!
//! # What tools cost
//! [`provider`] writes each tool as a model reads it, and [`tokens`] counts that with the vocabulary of its provider. That
//! takes longer than a keystroke may, so costs come in a second pass: once its findings are out, a document's tools that
//! were not counted leave with their text ([`analysis::Analysis::uncounted`]), are counted on any thread, and come back
//! ([`analysis::Analysis::take_counts`]). Then the rules of the levels [`rules::Check::Cost`] and [`rules::Check::Costs`]
//! speak, and what they change is published again. A cost is kept with the findings of its tool, by content; between an
//! edit and its count it is what it was before. Faces read the same numbers: hovers, lenses, hints, `tokens`.
//!
//! How much is done for a text depends on its length, for every face alike (`analysis/service.rs`): a huge one gets the
//! rules about syntax only, and a finding that says so.
//!
//! # What is written from here
//! The pages of the rules, the table in the README, the figures of every family in `docs/tokens.md`, the settings' JSON
//! Schema ([`analysis::settings_schema`]: the types of [`settings`] with the names of rules and clients) and the editor's
//! copy of it; `tests/generated.rs` compares them.
//!
//! # Invariants
//! - *Invariant:* the core is total. Broken input gives what could be read and a list of errors, never `Err` and never a
//!   panic. Below floor 6 there is no IO, no clock but the deadline of one diff, no environment.
//! - *Invariant:* one coordinate inside: byte ranges. Lines and columns exist in `text`, `lsp` and `render` only.
//! - *Invariant:* the user's bytes are never normalised. An edit keeps line ends, indentation, comments, key order.
//! - *Invariant:* findings depend on the text, the settings and what the document is known to be, not on the edits that
//!   led there (`analysis::tests::incremental_is_from_scratch`).
//! - *Invariant:* a rule states one fact about one item and knows no settings; the driver iterates, sets levels,
//!   silences.
//! - *Invariant:* a client is data ([`model::dialect`]); no rule asks which client it is looking at.
//! - *Invariant:* a fix travels with its finding as sorted, disjoint edits; its constructor says whom to trust with it, and
//!   `analysis::tests::fixes` holds every one to it.
//! - *Invariant:* a panic in one rule is one log line; the other findings survive.
//! - *Invariant:* stdout belongs to the protocol; print macros are denied outside `cli`.
//! - *Invariant:* nothing is started or contacted without consent, which the faces get before they call [`probe`]. A
//!   probe leaves no process behind, however it ends.
//! - *Invariant:* a provider is asked only where the user says so, and no key is in any message ([`exact`]).
//! - *Invariant:* no `$ref` is fetched. `jsonschema` is built without the features that could.

pub mod analysis;
pub mod cli;
pub mod diagnostic;
pub mod document;
pub mod exact;
pub mod facts;
pub mod lsp;
pub mod model;
pub mod probe;
pub mod provider;
pub mod render;
pub mod rules;
pub mod settings;
pub mod settings_files;
pub mod syntax;
pub mod text;
pub mod tokens;
pub mod user_files;
