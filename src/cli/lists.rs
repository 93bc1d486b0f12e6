//! The tool lists that a target stands for: of a file or stdin itself, of servers what they say when they are asked.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::config::{Config, likely, servers_of};
use super::consent::{ConsentOptions, Verdict};
use super::input::{Found, Input, not_json};
use super::servers::{self, SWITCHED_OFF, Servers};
use super::settings::Rules;
use super::target::Target;
use super::{Exit, output};
use crate::analysis::{self, Analysis, ReadAs, Ruleset, World};
use crate::document::Document;
use crate::model::{Kind, Tool};
use crate::provider::{Declaration, Model};
use crate::render::ServerOutcome;
use crate::settings::Settings;
use crate::syntax::{self, SyntaxErrorKind, Value};

/// What a target can be, for messages.
const GIVEN: &str = "a tool list, a config file, `config.json#server`, a script, `npm:NAME`, `pypi:NAME`, a URL, `-` for \
    stdin, or a command line after `--`";

/// The options of every command that looks at the tools of one target.
#[derive(Debug, clap::Args)]
pub struct ListOptions {
    /// A tool list, a config file, a server (`config.json#server`, `npm:NAME`, `pypi:NAME`, a script, a URL), or `-` for
    /// stdin
    #[arg(required_unless_present = "command", conflicts_with = "command")]
    target: Option<OsString>,
    /// A server, by the command line that starts it
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
    #[command(flatten)]
    consent: ConsentOptions,
    /// A settings file, over the nearest mcp-analyzer.toml and your own
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Say nothing on stderr but what fails
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// How many servers of a config file are meant by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// All of them.
    All,
    /// The only one; where there are more, one has to be named.
    Only,
}

/// One tool list.
pub(super) struct List {
    /// What it is called: a path, or the name of its server.
    pub(super) name: String,
    /// Whether a server listed it when it was asked.
    pub(super) is_of_server: bool,
    document: Document,
    read_as: Option<ReadAs>,
}

impl List {
    /// What a server lists.
    pub(super) fn of_server(name: &str, document: Document) -> List {
        List { name: name.to_owned(), is_of_server: true, document, read_as: Some(ReadAs::Tools) }
    }

    /// Looks at the tools, in their order.
    pub(super) fn with_tools<T>(&self, look: impl FnOnce(&[Tool]) -> T) -> T {
        let rules = Arc::new(Ruleset::default());
        let world = World { read_as: self.read_as, ..World::new(&self.document, &rules) };
        analysis::with_tools(&Analysis::default().check(&world), look)
    }
}

/// Has every model do something with the tools that it is told of, each on a thread of its own: a long list takes a moment, and so does the
/// first count with a vocabulary.
pub(super) fn for_each_model<'m, T: Send>(
    tools: &[Tool],
    models: impl IntoIterator<Item = &'m Model>,
    work: impl Fn(&Model, &[Declaration]) -> T + Sync,
) -> Vec<T> {
    let declared = tools.iter().filter(|tool| tool.is_declared());
    let declarations: Vec<Declaration> = declared.map(Declaration::from).collect();
    let (declarations, work) = (&declarations, &work);
    std::thread::scope(|scope| {
        let threads: Vec<_> = models.into_iter().map(|model| scope.spawn(move || work(model, declarations))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// The lists of a target.
pub(super) struct Lists {
    /// Those that are known, in the order of the file.
    pub(super) lists: Vec<List>,
    /// The servers that were to be asked.
    pub(super) servers: Servers,
    /// The settings that hold for the target.
    pub(super) rules: Arc<Ruleset>,
    /// Why there is no list, which was said on stderr.
    pub(super) error: Option<String>,
    /// Something is not known that should be, which was said on stderr.
    pub(super) is_incomplete: bool,
}

/// Reads the target, and asks its servers; how the command ends where there is nothing to go on with.
pub(super) fn gather(options: &ListOptions, meant: Meant) -> io::Result<Result<Lists, Exit>> {
    let target = match options.target() {
        Ok(target) => target,
        Err(error) => {
            output::message(&error);
            return Ok(Err(Exit::Unusable));
        }
    };
    let mut rules = Rules::new(Settings::default(), options.settings.as_deref());
    let of_target = rules.of(match &target {
        Target::File(path) | Target::Entry { config: path, .. } => Some(path),
        _ => None,
    });
    if rules.has_bad_file() {
        return Ok(Err(Exit::Unusable));
    }
    let servers = Servers::default();
    let mut lists = Lists { lists: Vec::new(), servers, rules: of_target, error: None, is_incomplete: false };
    if let Err(error) = lists.find(target, meant, options.quiet) {
        lists.fail(&error);
        lists.error = Some(error);
    }
    if !lists.servers.ask(options.consent, &rules.probe(), options.quiet)? {
        return Ok(Err(Exit::Interrupted));
    }
    lists.take_answers(options.quiet);
    Ok(Ok(lists))
}

impl ListOptions {
    fn target(&self) -> Result<Target, String> {
        let target = match &self.target {
            Some(word) => Target::parse(word)?,
            None => Target::of_command(&self.command).ok_or("there is no command line after `--`")?,
        };
        match target {
            Target::Directory(path) => Err(format!("{} is a directory; give {GIVEN}", path.display())),
            target => Ok(target),
        }
    }
}

impl Lists {
    fn find(&mut self, target: Target, meant: Meant, is_quiet: bool) -> Result<(), String> {
        let input = match target {
            Target::Stdin => Input::Stdin,
            Target::File(path) => Input::File { shown: path.to_string_lossy().into_owned(), path, found: Found::Named },
            target => {
                let servers = servers_of(target, |config| Ok(vec![config.only()?]))?;
                servers.into_iter().for_each(|wanted| self.servers.add(wanted));
                return Ok(());
            }
        };
        let shown = input.shown();
        let document = input.read().map_err(|unreadable| format!("{shown}: {}", unreadable.reason))?;
        let broken = not_json(document.text());
        let reading = syntax::read(&String::from(document.text()));
        if !is_quiet && reading.errors.iter().any(|error| error.kind == SyntaxErrorKind::TooDeep) {
            output::remark(&format!("{shown}: what is nested too deeply to be read is left out"));
        }
        let rules = Arc::new(Ruleset::default());
        let mut analysis = Analysis::default();
        let world = World::new(&document, &rules);
        let read_as = match analysis.check(&world).kind() {
            Kind::Unknown => likely(&document).map(ReadAs::Config).or_else(|| meant_as_list(&reading.value)),
            Kind::Tools | Kind::Config(_) => None,
        };
        let report = analysis.check(&World { read_as, ..world });
        match (report.kind(), meant) {
            (Kind::Unknown, _) => {
                let reason =
                    broken.unwrap_or_else(|| format!("it is neither a tool list nor a config file; give {GIVEN}"));
                return Err(format!("{shown}: {reason}"));
            }
            (Kind::Tools, _) => {
                self.lists.push(List { name: shown.to_owned(), is_of_server: false, document, read_as });
            }
            (Kind::Config(_), Meant::All) => self.servers.add_config(shown, &report),
            (Kind::Config(_), Meant::Only) => {
                let config = Config::of(shown, &report).ok_or("it is no config file")?;
                self.servers.add(config.only()?);
            }
        }
        if let Some(reason) = broken {
            self.fail(&format!("{shown}: {reason}; only what can be read is told"));
        }
        Ok(())
    }

    /// Takes what the servers list, and tells of those that list nothing.
    fn take_answers(&mut self, is_quiet: bool) {
        let mut failures = Vec::new();
        for server in self.servers.shown() {
            let name = server.name;
            let list = server.list().map(|report| List::of_server(name, servers::document(report, name)));
            self.lists.extend(list);
            match server.outcome {
                ServerOutcome::Listed(_) => {}
                ServerOutcome::Failed(report, reason) => {
                    failures.push((format!("{name}: {reason}"), servers::notes(report, reason)));
                }
                // Its client does not send its tools either.
                ServerOutcome::Skipped(SWITCHED_OFF) if is_quiet => {}
                ServerOutcome::Skipped(SWITCHED_OFF) => output::remark(&format!("{name}: {SWITCHED_OFF}")),
                ServerOutcome::Skipped(reason) if Verdict::was_told(reason) => self.is_incomplete = true,
                ServerOutcome::Skipped(reason) => failures.push((format!("{name}: {reason}"), Vec::new())),
            }
        }
        for (failure, notes) in failures {
            self.fail(&failure);
            notes.iter().for_each(|note| output::remark(&format!("  {note}")));
        }
    }

    fn fail(&mut self, reason: &str) {
        output::message(reason);
        self.is_incomplete = true;
    }
}

/// Whether a text that has not the shape of a tool list is one all the same, since the user says so: an empty one, or
/// something else under `tools`.
fn meant_as_list(root: &Value) -> Option<ReadAs> {
    let tools = [Some(root), root.get("result")].into_iter().flatten().find_map(|value| value.get("tools"));
    let is_list = tools.is_some_and(Value::is_array) || root.is_array() && root.elements().is_empty();
    is_list.then_some(ReadAs::Tools)
}
