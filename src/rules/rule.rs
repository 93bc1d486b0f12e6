//! What a rule is made of, and what it is given.

use std::sync::Arc;

use crate::diagnostic::{Applicability, Diagnostic, Severity, Source};
use crate::facts::{Known, ProbeReport};
use crate::model::dialect::Strictness;
use crate::model::{Dialect, Root, Server, Tool};
use crate::provider::{Costs, Feature, Models, Targets, ToolCost, Verdicts, verdicts};
use crate::rules::{ToolFacts, Toolset};
use crate::syntax::{Key, Member, Reading, SyntaxErrorKind};
use crate::text::TextRange;

/// A rule, as data.
#[derive(Debug)]
pub struct Rule {
    /// Names the problem, in kebab case; reads after "allow".
    pub name: &'static str,
    /// What it is about.
    pub family: Family,
    /// How loud it is unless it or the settings say otherwise.
    pub severity: Severity,
    /// Whether the preset `recommended` has it.
    pub recommended: bool,
    /// Whether an editor's own JSON support usually reports the same.
    pub editors_report_it: bool,
    /// The most trusted kind of fix that it offers for what its page shows; a slip of the pen may have a better one.
    pub fix: Option<Applicability>,
    /// What to do, in one sentence.
    pub help: &'static str,
    /// What other tools call the same thing.
    pub aliases: &'static [&'static str],
    /// The version that brought it.
    pub since: &'static str,
    /// Its page, in Markdown.
    pub doc: &'static str,
    /// What it looks at, and how.
    pub check: Check,
}

/// What a rule is about; the folder it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// The text itself.
    Syntax,
    /// Server entries of config files.
    Config,
    /// Secrets and risks in config files.
    Security,
    /// Tool names.
    Name,
    /// Descriptions of tools and parameters.
    Description,
    /// Schemas of tools.
    Schema,
    /// What a tool says of its behaviour.
    Annotation,
    /// The tools of one list together.
    Toolset,
    /// Text that is meant for the model and hidden from people.
    Poisoning,
    /// What came of starting or contacting a server.
    Probe,
}

impl Family {
    /// Every family, in the order of the documentation.
    pub const ALL: [Family; 10] = [
        Family::Syntax,
        Family::Config,
        Family::Security,
        Family::Name,
        Family::Description,
        Family::Schema,
        Family::Annotation,
        Family::Toolset,
        Family::Poisoning,
        Family::Probe,
    ];

    /// The name of its folder.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Syntax => "syntax",
            Family::Config => "config",
            Family::Security => "security",
            Family::Name => "name",
            Family::Description => "description",
            Family::Schema => "schema",
            Family::Annotation => "annotation",
            Family::Toolset => "toolset",
            Family::Poisoning => "poisoning",
            Family::Probe => "probe",
        }
    }
}

/// The level a rule works at, with its function.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// On the text of every item, and on what is around the items.
    Piece(fn(&Piece, &Context, &mut Sink)),
    /// On what a file is, whatever is in it.
    File(fn(&File, &Context, &mut Sink)),
    /// On a config file as a whole.
    Document(fn(&Document, &Context, &mut Sink)),
    /// On every server entry.
    Server(fn(&Server, &Context, &mut Sink)),
    /// On a config file as a whole, and on every server entry: one fact that is told of both.
    Config(fn(&Document, &Context, &mut Sink), fn(&Server, &Context, &mut Sink)),
    /// On every tool.
    Tool(fn(&Tool, &Context, &mut Sink)),
    /// On the facts of all tools of one list. Ranges are relative to the tool that [`Sink::on`] names.
    Toolset(fn(&Toolset, &Context, &mut Sink)),
    /// On what the tools of one list cost, once that was counted. Ranges are relative to the tool that [`Sink::on`] names.
    Cost(fn(&Priced, &Context, &mut Sink)),
    /// The same, and on what the servers of one config file list, together: one fact that is told of both.
    Costs(fn(&Priced, &Context, &mut Sink), fn(&Servers, &Context, &mut Sink)),
    /// On what is known of a server from outside its entry.
    Probe(fn(&Probed, &Context, &mut Sink)),
    /// On what the servers of one config file list, together. Ranges are relative to the server that [`Sink::on`] names.
    Servers(fn(&Servers, &Context, &mut Sink)),
}

impl Check {
    /// The level in words.
    pub const fn level(self) -> &'static str {
        match self {
            Check::Piece(_) | Check::File(_) | Check::Document(_) => "document",
            Check::Server(_) | Check::Config(..) | Check::Probe(_) => "server",
            Check::Tool(_) | Check::Cost(_) => "tool",
            Check::Toolset(_) | Check::Costs(..) | Check::Servers(_) => "toolset",
        }
    }
}

/// A piece of a document: an item, or what is around the items.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Its text; ranges count from its start.
    pub text: &'a str,
    /// What was read of it.
    pub reading: &'a Reading,
    /// The key, where the piece is a server entry.
    pub key: Option<&'a Key>,
    /// Whether its text is the whole document, of which it is what is around the items.
    pub is_document: bool,
}

impl Piece<'_> {
    /// Whether nothing of it may be lost to a quote or bracket that is missing. A word that is no value or a comma too
    /// few does no harm. Typographic quotes are mended first: what is said of a string counts on its being one.
    pub fn is_whole(&self) -> bool {
        let is_curly = |kind: &SyntaxErrorKind| matches!(kind, SyntaxErrorKind::CurlyQuotes { .. });
        !self.reading.errors.iter().any(|error| error.kind.is_structural() || is_curly(&error.kind))
    }
}

/// What is to be said of a file as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// It is nothing of ours, and somebody asked for it.
    Unrecognised,
    /// It is longer than what gets full service: `full` bytes.
    Large {
        /// The limit.
        full: usize,
    },
}

/// A config file, its server entries folded.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// The text of the file.
    pub text: &'a str,
    /// What was read of it.
    pub reading: &'a Reading,
    /// Where its servers are.
    pub root: &'a Root,
    /// Whose file it is.
    pub dialect: &'static Dialect,
}

impl<'a> Document<'a> {
    /// The members of the root; none where it is no object.
    pub fn members(&self) -> &'a [Member] {
        self.reading.value.members()
    }
}

/// A server, and what is known of it from outside its entry.
#[derive(Clone, Copy, Debug)]
pub struct Probed<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where to point: its name.
    pub range: TextRange,
    /// Whether it stands in a config file; else the place is in what it listed.
    pub in_config: bool,
    /// What is known of it.
    pub known: &'a Known,
    /// What would be started or contacted, without secrets, where the user has to say whether it may be.
    pub told: Option<&'a str>,
    /// What it listed, where there is something to point to.
    pub source: Option<&'a Arc<Source>>,
}

impl<'a> Probed<'a> {
    /// What it said, unless it is being asked anew.
    pub fn report(&self) -> Option<&'a ProbeReport> {
        self.known.report.as_deref()
    }
}

/// The tools of one list with what they cost.
#[derive(Clone, Copy, Debug)]
pub struct Priced<'a> {
    /// Their facts, in the order of the list.
    pub tools: &'a [ToolFacts],
    /// What each costs; `None` where that was not counted.
    pub costs: &'a [Option<&'a ToolCost>],
    /// With these models.
    pub models: &'a Models,
}

/// What the servers of one config file list.
#[derive(Clone, Copy, Debug)]
pub struct Servers<'a> {
    /// Those that listed something, in the order of the file.
    pub servers: &'a [Listed<'a>],
    /// The models that costs are told of.
    pub models: &'a Models,
}

/// A server and what it listed.
#[derive(Clone, Debug)]
pub struct Listed<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where that stands, from the start of its entry.
    pub range: TextRange,
    /// The index of the entry among the document's items.
    pub item: usize,
    /// The facts of its tools.
    pub tools: &'a [ToolFacts],
    /// What it listed, as a document.
    pub source: Arc<Source>,
    /// Where each tool starts in it.
    pub starts: Vec<usize>,
    /// What its tools cost; `None` until all of them were counted.
    pub costs: Option<Costs>,
}

impl Listed<'_> {
    /// A tool's name and where it stands in the list.
    pub fn tool(&self, index: usize) -> Option<(&str, TextRange)> {
        let (name, range) = self.tools[index].name.as_ref()?;
        Some((name, range.shifted(self.starts[index])))
    }
}

/// What tools may cost on every turn, in tokens, before a rule speaks. Where the settings are silent the numbers are
/// mcp-analyzer's own: a tenth of a window of 200,000 tokens, and a twentieth of that for one schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// A list of tools, with what a request costs once for having any.
    pub list: usize,
    /// The input schema of one tool.
    pub schema: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { list: 20_000, schema: 1_000 }
    }
}

/// What every rule may know of the document that its item is in.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The client, where the document is a config file.
    pub dialect: Option<&'static Dialect>,
    /// What whoever reads the file forgives.
    pub strictness: Strictness,
    /// Whose verdicts the user wants to know.
    pub targets: Targets,
    /// What tools may cost.
    pub budget: Budget,
}

impl Context {
    /// What those that the user has in mind do with a feature; `None` where nobody of them minds.
    pub fn verdicts(&self, feature: Feature) -> Option<Verdicts> {
        verdicts(feature, self.targets)
    }
}

/// Where a rule's findings go.
#[derive(Debug)]
pub struct Sink {
    rule: &'static Rule,
    severity: Severity,
    item: usize,
    found: Vec<(usize, Diagnostic)>,
}

impl Sink {
    /// For the findings of one rule at a time. `severity`, where given, is the user's.
    pub fn new(rule: &'static Rule) -> Self {
        Self { rule, severity: rule.severity, item: 0, found: Vec::new() }
    }

    /// Goes on with another rule.
    pub fn start(&mut self, rule: &'static Rule) {
        self.rule = rule;
        self.severity = rule.severity;
        self.item = 0;
    }

    /// Goes on with findings about another item of the document; for rules over lists.
    pub fn on(&mut self, item: usize) -> &mut Self {
        self.item = item;
        self
    }

    /// Adds a finding at the rule's severity.
    pub fn add(&mut self, range: TextRange, message: impl Into<String>) -> &mut Diagnostic {
        self.add_as(self.severity, range, message)
    }

    /// Adds a finding at another severity than the rule's.
    pub fn add_as(&mut self, severity: Severity, range: TextRange, message: impl Into<String>) -> &mut Diagnostic {
        let diagnostic = Diagnostic {
            rule: self.rule.name,
            severity,
            range,
            message: message.into(),
            help: self.rule.help,
            notes: Vec::new(),
            related: Vec::new(),
            fixes: Vec::new(),
            tag: None,
        };
        self.found.push((self.item, diagnostic));
        &mut self.found.last_mut().expect("pushed above").1
    }

    /// How many findings there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Drops what came after the first `len` findings.
    pub fn truncate(&mut self, len: usize) {
        self.found.truncate(len);
    }

    /// The findings with the item each belongs to, as they came.
    pub fn finish(self) -> Vec<(usize, Diagnostic)> {
        self.found
    }
}

/// Declares a file's rule: its page as the doc comment, then its data.
macro_rules! rule {
    (
        $(#[doc = $doc:literal])+
        $name:literal, $family:ident, $level:ident($($check:path),+), $severity:ident;
        $(recommended: $recommended:literal;)?
        $(editors_report_it: $editors_report_it:literal;)?
        $(fix: $fix:ident;)?
        help: $help:literal;
        $(aliases: [$($alias:literal),* $(,)?];)?
        since: $since:literal;
    ) => {
        $(#[doc = $doc])+
        pub(crate) static RULE: $crate::rules::Rule = $crate::rules::Rule {
            name: $name,
            family: $crate::rules::Family::$family,
            severity: $crate::diagnostic::Severity::$severity,
            recommended: true $(&& $recommended)?,
            editors_report_it: false $(|| $editors_report_it)?,
            fix: rule!(@fix $($fix)?),
            help: $help,
            aliases: &[$($($alias),*)?],
            since: $since,
            doc: concat!($($doc, "\n"),+),
            check: $crate::rules::Check::$level($($check),+),
        };
    };
    (@fix) => { None };
    (@fix $fix:ident) => { Some($crate::diagnostic::Applicability::$fix) };
}
