//! `mcp-analyzer check`

mod options;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;

pub use self::options::Options;
use super::config::servers_of;
use super::consent::Wanted;
use super::input::{Found, Input, not_json, not_written};
use super::lists::{List, for_each_model};
use super::servers::{self, Servers};
use super::settings::Rules;
use super::target::Target;
use super::{Exit, OutputFormat, fix, output, walk};
use crate::analysis::{Analysis, ReadAs, Report, Ruleset, Uncounted, World, without_secrets};
use crate::document::Document;
use crate::facts::Failure;
use crate::model::Kind;
use crate::render::{self, Counts, File, Fixable, Outcome, Server, terminal};
use crate::settings::{self, Settings};
use crate::text::counted;
use crate::tokens::Vocabulary;

pub(super) fn run(options: &Options) -> io::Result<Exit> {
    let mut session = Session::new(options);
    let (inputs, wanted) = match session.gather() {
        Ok(gathered) => gathered,
        Err(error) => {
            output::message(&error);
            return Ok(Exit::Unusable);
        }
    };
    if options.fix && inputs.contains(&Input::Stdin) {
        output::message("stdin cannot be fixed in place; `--diff` shows what would change");
        return Ok(Exit::Unusable);
    }
    let flags = Settings { preset: options.preset, ..Settings::default() };
    let mut rules = Rules::new(flags, options.settings.as_deref());
    let rulesets: Vec<Arc<Ruleset>> = inputs.iter().map(|input| rules.of(input.path())).collect();
    let here = (!wanted.is_empty()).then(|| rules.of(None));
    if rules.has_bad_file() {
        return Ok(Exit::Unusable);
    }
    for (input, ruleset) in inputs.iter().zip(&rulesets) {
        session.check(input, ruleset);
    }
    if !session.probe(&wanted, &rules.probe())? {
        return Ok(Exit::Interrupted);
    }
    if let Some(here) = here {
        session.check_servers(&wanted, &here);
        session.here = here;
    }
    if options.diff { session.show_diff() } else { session.report() }
}

/// What became of something that was to be looked at.
enum Seen {
    Checked,
    /// It is nothing of ours.
    Unrecognised,
    /// It could not be read, which was said on stderr.
    Unreadable(String),
}

/// One run of `check`.
struct Session<'a> {
    options: &'a Options,
    analysis: Analysis,
    looked_at: Vec<(String, Seen)>,
    /// JSON files in directories that are nothing of ours.
    others: usize,
    /// Something that should have been read was not.
    is_incomplete: bool,
    diff: String,
    /// Secrets are left out of the diff.
    is_masked: bool,
    fixed_problems: usize,
    fixed_files: usize,
    fixable: Fixable,
    /// The config files whose servers are to be asked.
    configs: Vec<(Document, Arc<Ruleset>, Option<ReadAs>)>,
    servers: Servers,
    /// The settings that hold for servers of the command line.
    here: Arc<Ruleset>,
}

impl<'a> Session<'a> {
    fn new(options: &'a Options) -> Session<'a> {
        Session {
            options,
            analysis: Analysis::default(),
            looked_at: Vec::new(),
            others: 0,
            is_incomplete: false,
            diff: String::new(),
            is_masked: false,
            fixed_problems: 0,
            fixed_files: 0,
            fixable: Fixable::default(),
            configs: Vec::new(),
            servers: Servers::default(),
            here: Arc::default(),
        }
    }

    /// Every input and every server once, in the order of the command line; what is wrong with that, where it is.
    fn gather(&mut self) -> Result<(Vec<Input>, Vec<Wanted>), String> {
        let mut targets = self.options.targets.iter().map(|word| Target::parse(word)).collect::<Result<Vec<_>, _>>()?;
        targets.extend(Target::of_command(&self.options.command));
        if targets.is_empty() {
            targets.push(Target::Directory(PathBuf::from(".")));
        }
        let (mut inputs, mut wanted) = (Vec::new(), Vec::new());
        for target in targets {
            match target {
                Target::Stdin => inputs.push(Input::Stdin),
                Target::Directory(path) => {
                    let walked = walk::walk(&path);
                    inputs.extend(walked.inputs);
                    for (path, reason) in walked.problems {
                        self.cannot_read(&path, &reason);
                    }
                }
                Target::File(path) => {
                    let shown = path.to_string_lossy().into_owned();
                    inputs.push(Input::File { shown, path, found: Found::Named });
                }
                Target::Entry { .. } | Target::Live(_) => wanted.extend(servers_of(target, |_| Ok(Vec::new()))?),
            }
        }
        let mut seen = HashSet::new();
        inputs.retain(|input| {
            let path = input.path().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
            seen.insert(path)
        });
        let mut seen = HashSet::new();
        wanted.retain(|wanted| seen.insert(wanted.launch.id()));
        Ok((inputs, wanted))
    }

    fn check(&mut self, input: &Input, rules: &Arc<Ruleset>) {
        let mut document = match input.read() {
            Ok(document) => document,
            Err(unreadable) => {
                match input.found() {
                    Found::Walked if unreadable.is_content => self.others += 1,
                    // Gone since the directory was listed.
                    Found::Walked | Found::Place if unreadable.is_gone => {}
                    _ => self.cannot_read(input.shown(), &unreadable.reason),
                }
                return;
            }
        };
        let read_as = self.options.kind.or((input.found() == Found::Named).then_some(ReadAs::Named));
        if !self.is_known(&document, rules, read_as) {
            match read_as.map(|_| not_json(document.text())) {
                None => self.others += 1,
                Some(None) => self.looked_at.push((input.shown().to_owned(), Seen::Unrecognised)),
                Some(Some(reason)) => self.cannot_read(input.shown(), &reason),
            }
            return;
        }
        if self.options.fix || self.options.diff {
            self.fix(input, &mut document, rules);
        }
        let is_counted = self.options.format == OutputFormat::Text && !self.options.quiet && !self.options.diff;
        if is_counted && let Some(report) = self.analysis.last(&document.uri) {
            self.fixable += fix::fixable(&report, &document, rules, self.options.kind);
        }
        self.looked_at.push((input.shown().to_owned(), Seen::Checked));
        if self.options.probe
            && let Some(report) = self.analysis.last(&document.uri)
            && matches!(report.kind(), Kind::Config(_))
        {
            self.servers.add_config(input.shown(), &report);
            self.configs.push((document, rules.clone(), read_as));
        }
    }

    /// Asks the servers of the command line and, with `--probe`, those of the config files; `false` where the user
    /// interrupts that.
    fn probe(&mut self, wanted: &[Wanted], settings: &settings::Probe) -> io::Result<bool> {
        wanted.iter().for_each(|wanted| self.servers.add(wanted.clone()));
        let is_done = self.servers.ask(self.options.consent, settings, self.options.quiet)?;
        self.is_incomplete |= self.servers.lacks_consent();
        for (document, rules, read_as) in &self.configs {
            let facts = &self.servers.facts;
            let world = World { read_as: *read_as, facts, ..World::new(document, rules) };
            self.analysis.check(&world);
            count(&mut self.analysis, &world);
        }
        Ok(is_done)
    }

    /// Checks what the servers of the command line list.
    fn check_servers(&mut self, wanted: &[Wanted], rules: &Arc<Ruleset>) {
        for Wanted { target, launch, .. } in wanted {
            let report = match self.servers.answer(launch.id()) {
                Ok(report) => report.clone(),
                Err(reason) => {
                    let reason = reason.to_owned();
                    self.cannot_read(target, &reason);
                    continue;
                }
            };
            if let Some(failure) = report.failure.as_ref().filter(|_| report.snapshot.is_none())
                && !matches!(failure, Failure::AuthorizationRequired(_))
            {
                self.cannot_read(target, &format!("it {}", failure.told()));
                servers::said(&report).iter().flat_map(|said| &said.notes).for_each(|note| output::remark(note));
                continue;
            }
            let document = servers::document(&report, target);
            let facts = &self.servers.facts;
            let world = World { read_as: Some(ReadAs::Tools), facts, ..World::new(&document, rules) };
            self.analysis.check(&world);
            count(&mut self.analysis, &world);
            self.looked_at.push((target.clone(), Seen::Checked));
        }
    }

    /// Checks a document, and forgets it again where it is nothing of ours and nobody asked for it.
    fn is_known(&mut self, document: &Document, rules: &Arc<Ruleset>, read_as: Option<ReadAs>) -> bool {
        let world = World { read_as, ..World::new(document, rules) };
        let is_known = !matches!(self.analysis.check(&world).kind(), Kind::Unknown);
        count(&mut self.analysis, &world);
        if !is_known && read_as.is_none() {
            self.analysis.forget(&document.uri);
        }
        is_known
    }

    fn fix(&mut self, input: &Input, document: &mut Document, rules: &Arc<Ruleset>) {
        let fixed = fix::fixed(document, rules, self.options.kind, self.options.unsafe_);
        let old = String::from(document.text());
        if fixed.text == old {
            return;
        }
        if self.options.diff {
            let plain = fix::diff(input.shown(), &old, &fixed.text);
            let kind = self.analysis.last(&document.uri).map_or(Kind::Unknown, |report| report.kind());
            let (old, new) = without_secrets(kind, &old, &fixed.text);
            let is_same = matches!((&old, &new), (Cow::Borrowed(_), Cow::Borrowed(_)));
            let shown = if is_same { plain.clone() } else { fix::diff(input.shown(), &old, &new) };
            self.is_masked |= shown != plain;
            self.diff.push_str(&shown);
        } else if let Some(path) = input.path() {
            if let Err(error) = fix::write(path, &old, &fixed.text) {
                output::message(&format!("{} is not fixed: {}", input.shown(), not_written(&error)));
                self.is_incomplete = true;
                return;
            }
            document.replace(&fixed.text);
            self.is_known(document, rules, self.options.kind);
        }
        self.fixed_problems += fixed.count;
        self.fixed_files += 1;
    }

    fn cannot_read(&mut self, shown: &str, reason: &str) {
        output::message(&format!("{shown} is not checked: {reason}"));
        self.looked_at.push((shown.to_owned(), Seen::Unreadable(reason.to_owned())));
        self.is_incomplete = true;
    }

    fn show_diff(self) -> io::Result<Exit> {
        let is_terminal = io::stdout().is_terminal();
        output::with_stdout(|out| {
            if !is_terminal {
                return out.write_all(self.diff.as_bytes());
            }
            self.diff.lines().try_for_each(|line| writeln!(out, "{}", terminal::escaped(line)))
        })?;
        if self.is_masked {
            output::remark("secrets are masked: use --fix to apply");
        }
        let fixed = self.fixed("would fix");
        output::remark(fixed.as_deref().unwrap_or("nothing to fix"));
        Ok(match (self.is_incomplete, fixed) {
            (true, _) => Exit::Unusable,
            (false, Some(_)) => Exit::Findings,
            (false, None) => Exit::Clean,
        })
    }

    fn fixed(&self, verb: &str) -> Option<String> {
        let (problems, files) = (counted(self.fixed_problems, "problem"), counted(self.fixed_files, "file"));
        (self.fixed_files > 0).then(|| format!("{verb} {problems} in {files}"))
    }

    fn report(self) -> io::Result<Exit> {
        if let Some(fixed) = self.fixed("fixed") {
            output::remark(&fixed);
        }
        let mut files: Vec<File> = self
            .looked_at
            .iter()
            .filter_map(|(path, seen)| {
                let outcome = match seen {
                    Seen::Checked => Outcome::Checked(self.analysis.last(path)?),
                    Seen::Unrecognised => Outcome::Unrecognised(self.analysis.last(path)?),
                    Seen::Unreadable(reason) => Outcome::Skipped(reason),
                };
                Some(File { path, outcome })
            })
            .collect();
        files.sort_by_key(|file| file.path);
        let mut servers = self.servers.shown();
        if self.options.format == OutputFormat::Json {
            servers.iter_mut().for_each(|server| self.count(server));
        }
        let counts = Counts::of(&files, &servers);
        match self.options.format {
            OutputFormat::Json => output::write(&render::json(&files, &servers)?)?,
            OutputFormat::Text => self.print(&files, &servers, &counts)?,
        }
        let is_found = self.options.fail_on.severity().is_some_and(|severity| counts.at_least(severity) > 0);
        Ok(match (self.is_incomplete, is_found) {
            (true, _) => Exit::Unusable,
            (false, true) => Exit::Findings,
            (false, false) => Exit::Clean,
        })
    }

    /// Counts what the tools of a server cost, with the models that the settings name.
    fn count(&self, server: &mut Server) {
        let Some(report) = server.list() else { return };
        let config = server.config.and_then(|config| self.analysis.last(config));
        let models = config.as_ref().map_or_else(|| self.here.models(), Report::models);
        let list = List::of_server(server.name, servers::document(report, server.name));
        let totals = list.with_tools(|tools| {
            for_each_model(tools, models.iter(), |model, tools| model.cost(tools, &Vocabulary::count).total)
        });
        server.tokens = totals.try_into().ok();
    }

    fn print(&self, files: &[File], servers: &[Server], counts: &Counts) -> io::Result<()> {
        output::with_stdout(|out| {
            if self.options.quiet {
                return writeln!(out, "{}", counts.line());
            }
            render::frames(files, output::style(), output::width(), out)?;
            servers.iter().try_for_each(|server| writeln!(out, "{server}"))?;
            writeln!(out, "{}", counts.line())?;
            if let Some(line) = self.fixable.line() {
                writeln!(out, "{line}")?;
            }
            if self.others > 0 {
                let (word, advice) = match counts.files {
                    0 => ("JSON file", "; pass a file with --kind to check it all the same"),
                    _ => ("other JSON file", ""),
                };
                let others = counted(self.others, word);
                writeln!(out, "{others} skipped: neither the config of a known client nor a tool list{advice}")?;
            }
            Ok(())
        })
    }
}

/// Counts tokens where a rule needs that.
fn count(analysis: &mut Analysis, world: &World) {
    if let Some(uncounted) = analysis.uncounted(&world.document.uri).filter(Uncounted::may_matter) {
        analysis.take_counts(uncounted.count(Vocabulary::count), world);
    }
}
