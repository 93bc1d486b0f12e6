//! One document's memory, and how it is brought up to a new text.
//!
//! An edit inside one item of a text without errors takes the fast path: the incremental parse confirms that nothing
//! else moved, and that item alone is read and checked. Any other edit reads the outline again, and checks the items
//! whose content was not known. Items keep their ranges relative to themselves, so that a shift of the rest is two
//! additions each.

use std::hash::Hasher;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};
use xxhash_rust::xxh3::xxh3_64;

use super::costs::Price;
use super::parse::{Parse, Parsed, Unparsed};
use super::ruleset::{Ignored, Ruleset};
use super::secrets::hide;
use super::servers::{Entry, of_snapshot};
use super::service::{FULL, Service};
use super::silence::{Silence, around, silences};
use super::{ReadAs, World};
use crate::diagnostic::{Anchor, Change, Diagnostic};
use crate::document::{Document, Format, Since};
use crate::model::dialect::Strictness;
use crate::model::launch::{Launch, LaunchId};
use crate::model::similar::Similar;
use crate::model::{self, Dialect, Item, Kind, List, Otherwise, Recognised, Server, Shape, Tool};
use crate::rules::{self, Check, Context, File, Piece, Rule, Sink, ToolFacts};
use crate::syntax::{self, Engine, Key, Reading, Value};
use crate::text::{Edit, Splice, Text, TextRange};

/// Items that are gone and still remembered, beside as many as there are.
const MAX_GONE: usize = 1000;

/// What has been done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Items whose rules were run.
    pub items_checked: u64,
    /// Edits that touched one item only, and took the fast path.
    pub fast_edits: u64,
}

impl Counters {
    /// Counts an item that was checked, and gives it a number that no other has.
    fn numbered(&mut self, checked: Checked) -> Arc<Checked> {
        self.items_checked += 1;
        Arc::new(Checked { number: self.items_checked, ..checked })
    }
}

/// What is remembered of a document.
#[derive(Default)]
pub(super) struct State {
    pub(super) text: Text,
    parse: Parse,
    /// Nothing is wrong with the text, and nothing that is said of it outside its items depends on what is in them, so
    /// that the fast path may be taken.
    is_clean: bool,
    /// The text was read as a tool list because that is what it was before it was broken.
    if_broken: bool,
    pub(super) rules: Option<Arc<Ruleset>>,
    pub(super) service: Service,
    pub(super) context: Option<Context>,
    pub(super) kind: Option<Kind>,
    pub(super) lists: Vec<List>,
    pub(super) items: Vec<ItemState>,
    /// What was said of items that are gone, in case they come back.
    gone: FxHashMap<u64, Arc<Checked>>,
    pub(super) facts: Vec<ToolFacts>,
    /// Which descriptions are alike, by list.
    pub(super) similar: Vec<Similar>,
    /// Findings outside the items, relative to the document.
    pub(super) shell: Vec<Diagnostic>,
    /// Findings of rules over lists or servers: the item's index, and the finding relative to it.
    pub(super) across: Vec<(usize, Diagnostic)>,
    /// The servers of which something is known from outside.
    pub(super) entries: Vec<Entry>,
    /// What was started or contacted to get this list, where it is a saved one, and where its server's name stands.
    pub(super) snapshot: Option<Snapshot>,
    /// The folder of the project that a config file belongs to.
    pub(super) folder: Option<PathBuf>,
    /// The facts that the findings are about.
    revision: u64,
    pub(super) since: Option<Splice>,
}

/// What a saved list says of its server.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) launch: LaunchId,
    pub(super) name: Box<str>,
    pub(super) range: TextRange,
}

impl Snapshot {
    fn of(root: &Value) -> Option<Snapshot> {
        root.get("snapshot")?.as_number()?;
        let launch = LaunchId::parse(root.get("launch")?.as_str()?)?;
        let name = root.get("name")?;
        Some(Snapshot { launch, name: name.as_str()?.into(), range: name.range })
    }
}

pub(super) struct ItemState {
    pub(super) item: Item,
    /// Of everything that its verdict depends on.
    hash: u64,
    pub(super) checked: Arc<Checked>,
}

/// What was found in one item, relative to its start.
pub(super) struct Checked {
    /// No other has it; set by [`Counters::numbered`].
    pub(super) number: u64,
    pub(super) findings: Vec<Diagnostic>,
    /// A tool's or a server's name.
    pub(super) name: Option<Arc<str>>,
    pub(super) facts: ToolFacts,
    shape: Shape,
    /// It has what only server entries have; on that depends where the servers of a file without a root key are.
    looks_like_server: bool,
    pub(super) has_errors: bool,
    pub(super) silences: Vec<Silence>,
    /// What a server entry starts or contacts, where that is beyond doubt.
    pub(super) launch: Option<LaunchId>,
    /// A server's key.
    pub(super) key: TextRange,
    /// What a tool costs.
    pub(super) price: Price,
}

impl State {
    /// Whether the rules are those of the last time is what it returns.
    pub(super) fn update(&mut self, world: &World, engine: &mut Engine, counters: &mut Counters) -> bool {
        let document = world.document;
        let service = Service::of(document.text().len());
        let same_rules =
            self.service == service && self.rules.as_ref().is_some_and(|rules| Arc::ptr_eq(rules, world.rules));
        self.service = service;
        let if_broken = matches!(world.read_as, Some(ReadAs::ToolsIfBroken));
        self.since = None;
        let same_facts = self.snapshot.is_none() || self.revision == world.facts.revision();
        match document.since() {
            Since::Unchanged if same_rules && same_facts && (self.is_clean || self.if_broken == if_broken) => {
                self.since = Some(Splice { start: 0, old_end: 0, new_end: 0 })
            }
            Since::Spliced(splice) if same_rules && self.context.is_some() => {
                self.parse.splice(splice);
                // In a broken text the parse would tell nothing; it follows when the text is whole again.
                if self.is_clean {
                    self.parse.follow(document.text(), engine);
                }
                if self.update_item(world, splice, engine, counters) {
                    counters.fast_edits += 1;
                    self.since = Some(splice);
                } else {
                    self.update_all(world, counters);
                    self.since = Some(splice);
                }
            }
            _ => {
                self.parse = Parse::Unknown;
                if !same_rules {
                    self.items.clear();
                    self.gone.clear();
                }
                self.update_all(world, counters);
            }
        }
        self.text = document.text().clone();
        self.if_broken = if_broken;
        self.rules = Some(world.rules.clone());
        self.revision = world.facts.revision();
        same_rules
    }

    /// The fast path: `false` where the edit is not wholly inside one item, or changes what the document is.
    fn update_item(&mut self, world: &World, splice: Splice, engine: &Engine, counters: &mut Counters) -> bool {
        let (true, Parse::Known(tree), Some(context), Some(kind)) =
            (self.is_clean, &self.parse, self.context, self.kind)
        else {
            return false;
        };
        let index = self.items.partition_point(|state| state.item.body.end <= splice.start);
        let Some(state) = self.items.get(index) else { return false };
        let Item { range, body, list } = state.item;
        if splice.start <= body.start || splice.old_end >= body.end {
            return false;
        }
        let body = TextRange::new(body.start, splice.shift(body.end));
        let range = TextRange::new(range.start, body.end);
        if tree.has_error() || !engine.is_object(tree, body) {
            return false;
        }
        let text = world.document.text().slice(range);
        let ignores = world.rules.ignores_for(world.document.path.as_deref());
        let outer = state.checked.silences.iter().find(|silence| silence.is_outer).cloned();
        let folder = self.folder.as_deref();
        let checker = Checker { rules: world.rules, service: self.service, ignores: &ignores, context, kind, folder };
        let list_form = self.lists.get(list).copied().unwrap_or_default();
        let hash = hash_of(&text, list_form, outer.as_ref());
        let checked = checker.item(&text, list_form, outer);
        let checked = counters.numbered(Checked { price: Price::after(&state.checked.price), ..checked });
        let is_same =
            checked.shape == state.checked.shape && checked.looks_like_server == state.checked.looks_like_server;
        if checked.has_errors || !is_same {
            return false;
        }
        // A comment may silence what the rules over the list say of this item.
        let is_list = matches!(kind, Kind::Tools);
        let across_changed =
            is_list && (checked.facts != state.checked.facts || checked.silences != state.checked.silences);
        self.items[index] = ItemState { item: Item { range, body, list }, hash, checked };
        for later in &mut self.items[index + 1..] {
            later.item.range = TextRange::new(splice.shift(later.item.range.start), splice.shift(later.item.range.end));
            later.item.body = TextRange::new(splice.shift(later.item.body.start), splice.shift(later.item.body.end));
        }
        self.shell.iter_mut().for_each(|finding| shift(finding, splice));
        if across_changed {
            self.facts[index] = ToolFacts { item: index, ..self.items[index].checked.facts.clone() };
            self.across = self.check_lists(world.rules, &ignores, &context);
        }
        true
    }

    /// The slow path: the outline is read again, and what is known by its content is kept.
    fn update_all(&mut self, world: &World, counters: &mut Counters) {
        let document = world.document;
        let text = String::from(document.text());
        let by_path = || Dialect::by_path(document.path.as_ref()?.to_str()?);
        let (dialect, otherwise) = match world.read_as {
            Some(ReadAs::Tools) => (None, Otherwise::Tools),
            Some(ReadAs::Config(dialect)) => (Some(dialect), Otherwise::Unknown),
            Some(ReadAs::ToolsIfBroken) => (by_path(), Otherwise::ToolsIfBroken),
            Some(ReadAs::Named) | None => (by_path(), Otherwise::Unknown),
        };
        let Recognised { kind, items, lists, root, shell } =
            model::recognise(model::outline(&text), dialect, otherwise);
        let strictness = match (kind, document.format) {
            (Kind::Config(dialect), _) => dialect.strictness,
            (_, Format::Jsonc) => Strictness::Jsonc,
            (_, Format::Json) => Strictness::Strict,
        };
        let context = Context { dialect, strictness, targets: world.rules.targets, budget: world.rules.budget };
        let ignores = world.rules.ignores_for(document.path.as_deref());
        let folder = folder_of(kind, document);
        let checker = Checker {
            rules: world.rules,
            service: self.service,
            ignores: &ignores,
            context,
            kind,
            folder: folder.as_deref(),
        };
        self.context = Some(context);
        self.folder.clone_from(&folder);
        self.kind = Some(kind);
        self.lists = lists;
        if matches!(kind, Kind::Unknown) {
            *self = State { context: self.context, kind: self.kind, service: self.service, ..State::default() };
            if matches!(world.read_as, Some(ReadAs::Named | ReadAs::Tools)) {
                self.shell = checker.around(checker.file(File::Unrecognised), "", &[]);
            }
            return;
        }

        let silences = silences(&text, &shell);
        // A quote that is missing swallows the items behind it, and they come back with the next keystroke.
        let mut known = std::mem::take(&mut self.gone);
        known.extend(self.items.drain(..).map(|state| (state.hash, state.checked)));
        let lists = &self.lists;
        self.items = items
            .into_iter()
            .map(|item| {
                let list = lists.get(item.list).copied().unwrap_or_default();
                let content = &text[item.range.as_usize()];
                let outer = around(&silences, item.range);
                let hash = hash_of(content, list, outer.as_ref());
                let checked =
                    known.get(&hash).cloned().unwrap_or_else(|| counters.numbered(checker.item(content, list, outer)));
                ItemState { item, hash, checked }
            })
            .collect();
        self.items.iter().for_each(|state| _ = known.remove(&state.hash));
        if known.len() <= self.items.len() + MAX_GONE {
            self.gone = known;
        }
        self.facts = self
            .items
            .iter()
            .enumerate()
            .map(|(index, state)| ToolFacts { item: index, ..state.checked.facts.clone() })
            .collect();
        if matches!(kind, Kind::Tools) {
            self.across = self.check_lists(world.rules, &ignores, &context);
            self.entries.clear();
        }
        self.snapshot = matches!(kind, Kind::Tools).then(|| Snapshot::of(&shell.value)).flatten();
        let about_server = self.snapshot.iter().flat_map(|it| of_snapshot(world, &context, it, self.service));
        self.shell = checker.shell(&text, &shell, &root, &silences, about_server.collect());
        // Where servers are to move, with all that is in them, what is said of that is never kept.
        let moves_an_item = |edit: &Edit| {
            let first = self.items.partition_point(|state| state.item.range.start < edit.range.start);
            let is_moved = |state: &ItemState| edit.range.contains(state.item.range);
            !edit.new_text.is_empty() && self.items.get(first).is_some_and(is_moved)
        };
        let moves_items = self.shell.iter().flat_map(|finding| &finding.fixes).any(|fix| match &fix.change {
            Change::Edits(edits) => edits.iter().any(moves_an_item),
            Change::RenameTool { .. } => false,
        });
        // What is said of two keys depends on what is in the items under them.
        let compares_items = self.shell.iter().any(|finding| finding.rule == rules::DUPLICATE_KEY);
        self.is_clean = shell.errors.is_empty()
            && root != model::Root::Bare
            && !moves_items
            && !compares_items
            // What is said of its server tells of all tools.
            && self.snapshot.is_none()
            && self.items.iter().all(|state| !state.checked.has_errors);
    }

    /// The parse that edits would be faster with, where it is still to be made.
    pub(super) fn unparsed(&mut self, uri: &str, number: u64) -> Option<Unparsed> {
        let is_ours = !matches!(self.kind, None | Some(Kind::Unknown));
        (is_ours && self.parse.await_as(number)).then(|| Unparsed {
            uri: uri.to_owned(),
            number,
            text: self.text.clone(),
        })
    }

    /// Takes a parse that was made.
    pub(super) fn take(&mut self, parsed: Parsed) {
        self.parse.take(parsed);
    }
}

fn hash_of(content: &str, list: List, outer: Option<&Silence>) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(xxh3_64(content.as_bytes()));
    std::hash::Hash::hash(&list, &mut hasher);
    outer.into_iter().flat_map(|silence| &silence.rules).for_each(|rule| hasher.write(rule.as_bytes()));
    hasher.finish()
}

/// Moves what lies behind an edit inside an item; a finding outside the items never starts or ends inside one.
fn shift(finding: &mut Diagnostic, splice: Splice) {
    let offset = |offset: usize| if offset >= splice.old_end { splice.shift(offset) } else { offset };
    let range = |range: TextRange| TextRange::new(offset(range.start), offset(range.end));
    finding.range = range(finding.range);
    for related in &mut finding.related {
        if related.anchor == Anchor::Own {
            related.range = range(related.range);
        }
    }
    for fix in &mut finding.fixes {
        if let Change::Edits(edits) = &mut fix.change {
            edits.iter_mut().for_each(|edit| edit.range = range(edit.range));
        }
    }
}

/// Runs rules one after another. One that panics loses its findings here and is named in the log.
pub(super) fn run(
    rules: &[&'static Rule],
    ruleset: &Ruleset,
    mut each: impl FnMut(Check, &mut Sink),
) -> Vec<(usize, Diagnostic)> {
    let Some(first) = rules.first() else { return Vec::new() };
    let mut sink = Sink::new(first);
    for rule in rules {
        let before = sink.len();
        sink.start(rule);
        if catch_unwind(AssertUnwindSafe(|| each(rule.check, &mut sink))).is_err() {
            log::error!("the rule {} failed on an item and is skipped there; please report this", rule.name);
            sink.truncate(before);
        }
    }
    let mut found = sink.finish();
    for (_, finding) in &mut found {
        if let Some(severity) = ruleset.severity(finding.rule) {
            finding.severity = severity;
        }
    }
    found
}

struct Checker<'a> {
    rules: &'a Ruleset,
    service: Service,
    ignores: &'a [Ignored<'a>],
    context: Context,
    kind: Kind,
    /// The folder of the project that a config file belongs to.
    folder: Option<&'a Path>,
}

fn folder_of(kind: Kind, document: &Document) -> Option<PathBuf> {
    match kind {
        Kind::Config(dialect) => dialect.project(document.path.as_ref()?),
        Kind::Tools | Kind::Unknown => None,
    }
}

impl Checker<'_> {
    fn item(&self, text: &str, list: List, outer: Option<Silence>) -> Checked {
        match self.kind {
            Kind::Config(dialect) => match syntax::read_member(text) {
                Some((key, reading)) => self.server(text, &key, &reading, dialect, outer),
                // An entry always starts with its key; the outline found it by it.
                None => self.tool(text, &syntax::read(text), list, outer),
            },
            Kind::Tools | Kind::Unknown => self.tool(text, &syntax::read(text), list, outer),
        }
    }

    fn tool(&self, text: &str, reading: &Reading, list: List, outer: Option<Silence>) -> Checked {
        let tool = Tool::new(text, &reading.value, list.form);
        let piece = Piece { text, reading, key: None, is_document: false };
        let mut findings = self.piece(&piece);
        let is_full = self.service == Service::Full;
        if is_full && reading.value.is_object() && piece.is_whole() && !tool.is_built_in() {
            findings.extend(run(&self.rules.tool, self.rules, |check, sink| {
                if let Check::Tool(check) = check {
                    check(&tool, &self.context, sink);
                }
            }));
        }
        let name: Option<Arc<str>> = tool.name().map(|(name, _)| name.into());
        let facts = if is_full { ToolFacts::of(&tool, piece.is_whole()) } else { ToolFacts::default() };
        let keep =
            |finding: &Diagnostic| !self.ignores.iter().any(|ignore| ignore.fits(finding.rule, None, name.as_deref()));
        let (mut findings, silences) = settle(findings, keep, text, reading, outer);
        hide(self.kind, text, findings.iter_mut());
        let shape = Shape::of(&reading.value);
        let has_errors = !reading.errors.is_empty();
        Checked {
            number: 0,
            findings,
            name,
            facts,
            shape,
            looks_like_server: false,
            has_errors,
            silences,
            launch: None,
            key: TextRange::default(),
            price: Price::default(),
        }
    }

    fn server(
        &self,
        text: &str,
        key: &Key,
        reading: &Reading,
        dialect: &'static Dialect,
        outer: Option<Silence>,
    ) -> Checked {
        let server = Server { text, key, value: &reading.value, dialect };
        let piece = Piece { text, reading, key: Some(key), is_document: false };
        let mut findings = self.piece(&piece);
        if self.service == Service::Full && reading.value.is_readable() && piece.is_whole() {
            findings.extend(run(&self.rules.server, self.rules, |check, sink| {
                if let Check::Server(check) | Check::Config(_, check) = check {
                    check(&server, &self.context, sink);
                }
            }));
        }
        let is_plain = self.service == Service::Full && reading.errors.is_empty();
        let launch = is_plain.then(|| Launch::of(&server, self.folder)).flatten();
        let keep =
            |finding: &Diagnostic| !self.ignores.iter().any(|ignore| ignore.fits(finding.rule, Some(&key.name), None));
        let (mut findings, silences) = settle(findings, keep, text, reading, outer);
        hide(self.kind, text, findings.iter_mut());
        Checked {
            number: 0,
            findings,
            name: Some((&*key.name).into()),
            facts: ToolFacts::default(),
            shape: Shape::default(),
            looks_like_server: model::looks_like_server(&reading.value),
            has_errors: !reading.errors.is_empty(),
            silences,
            launch: launch.map(|launch| launch.id()),
            key: key.range,
            price: Price::default(),
        }
    }

    fn piece(&self, piece: &Piece) -> Vec<(usize, Diagnostic)> {
        run(&self.rules.piece, self.rules, |check, sink| {
            if let Check::Piece(check) = check {
                check(piece, &self.context, sink);
            }
        })
    }

    fn file(&self, file: File) -> Vec<(usize, Diagnostic)> {
        run(&self.rules.file, self.rules, |check, sink| {
            if let Check::File(check) = check {
                check(&file, &self.context, sink);
            }
        })
    }

    fn shell(
        &self,
        text: &str,
        shell: &Reading,
        root: &model::Root,
        silences: &[Silence],
        mut findings: Vec<(usize, Diagnostic)>,
    ) -> Vec<Diagnostic> {
        findings.extend(self.piece(&Piece { text, reading: shell, key: None, is_document: true }));
        match (self.kind, self.service) {
            (_, Service::Syntax) => findings.extend(self.file(File::Large { full: FULL })),
            (Kind::Config(dialect), Service::Full) => {
                let document = rules::Document { text, reading: shell, root, dialect };
                findings.extend(run(&self.rules.document, self.rules, |check, sink| {
                    if let Check::Document(check) | Check::Config(check, _) = check {
                        check(&document, &self.context, sink);
                    }
                }));
            }
            (Kind::Tools | Kind::Unknown, Service::Full) => {}
        }
        self.around(findings, text, silences)
    }

    /// What is to be shown of findings outside the items, in order.
    fn around(&self, findings: Vec<(usize, Diagnostic)>, text: &str, silences: &[Silence]) -> Vec<Diagnostic> {
        let mut findings: Vec<Diagnostic> = findings.into_iter().map(|(_, finding)| finding).collect();
        findings.retain(|finding| {
            !silences.iter().any(|silence| silence.fits(finding.rule, finding.range.start))
                && !self.ignores.iter().any(|ignore| ignore.fits(finding.rule, None, None))
        });
        findings.sort_by_key(|finding| (finding.range.start, std::cmp::Reverse(finding.severity)));
        hide(self.kind, text, findings.iter_mut());
        findings
    }
}

/// Takes out what is silenced and puts the rest in order.
fn settle(
    findings: Vec<(usize, Diagnostic)>,
    keep: impl Fn(&Diagnostic) -> bool,
    text: &str,
    reading: &Reading,
    outer: Option<Silence>,
) -> (Vec<Diagnostic>, Vec<Silence>) {
    let mut all = silences(text, reading);
    all.extend(outer);
    let mut findings: Vec<Diagnostic> = findings.into_iter().map(|(_, finding)| finding).collect();
    findings
        .retain(|finding| keep(finding) && !all.iter().any(|silence| silence.fits(finding.rule, finding.range.start)));
    findings.sort_by_key(|finding| (finding.range.start, std::cmp::Reverse(finding.severity)));
    (findings, all)
}
