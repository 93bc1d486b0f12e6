//! `mcp-analyzer check`

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::input::{Found, Input, plain};
use super::settings::Rules;
use super::{Exit, OutputFormat, fix, kind, output, walk};
use crate::analysis::{Analysis, ReadAs, Ruleset, World, without_secrets};
use crate::diagnostic::Severity;
use crate::document::Document;
use crate::model::Kind;
use crate::model::mask::{Hidden, masks};
use crate::render::{self, Counts, File, Fixable, Outcome, terminal};
use crate::settings::{Preset, Settings};
use crate::syntax::{self, SyntaxErrorKind};
use crate::text::{Encoding, Text, counted};

/// The options of `check`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Files and directories, or `-` for stdin; the current directory when left out
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// What the files are: `tools`, or the client that reads them, such as `vscode`
    #[arg(long, value_name = "KIND", value_parser = kind::parse)]
    kind: Option<ReadAs>,
    /// Mend what can be mended safely, then report what is left
    #[arg(long, group = "mending")]
    fix: bool,
    /// With --fix or --diff: also mend where that changes behaviour
    #[arg(long = "unsafe", requires = "mending")]
    unsafe_: bool,
    /// Show what --fix would change instead of a report, and change nothing
    #[arg(long, group = "mending")]
    diff: bool,
    /// Which rules are on
    #[arg(long, value_name = "PRESET", value_parser = preset_parser())]
    preset: Option<Preset>,
    /// What the report looks like
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Which findings make the exit code 1: this loud or louder
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = FailOn::Error)]
    fail_on: FailOn,
    /// A settings file, over the nearest mcp-analyzer.toml and your own
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Print nothing but the last line, which counts
    #[arg(long, short)]
    quiet: bool,
}

/// What makes the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Info,
    Hint,
    Never,
}

impl FailOn {
    const fn severity(self) -> Option<Severity> {
        match self {
            FailOn::Error => Some(Severity::Error),
            FailOn::Warning => Some(Severity::Warning),
            FailOn::Info => Some(Severity::Information),
            FailOn::Hint => Some(Severity::Hint),
            FailOn::Never => None,
        }
    }
}

fn preset_parser() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(|(name, _)| name)).map(|name| {
        Preset::ALL
            .into_iter()
            .find_map(|(known, preset)| (known == name).then_some(preset))
            .unwrap_or(Preset::Recommended)
    })
}

pub(super) fn run(options: &Options) -> io::Result<Exit> {
    if options.fix && !options.diff && options.paths.iter().any(|path| path == Path::new("-")) {
        output::message("stdin cannot be fixed in place; `--diff` shows what would change");
        return Ok(Exit::Unusable);
    }
    let mut session = Session::new(options);
    let inputs = session.gather();
    let flags = Settings { preset: options.preset, ..Settings::default() };
    let mut rules = Rules::new(flags, options.settings.as_deref());
    let rulesets: Vec<Arc<Ruleset>> = inputs.iter().map(|input| rules.of(input.path())).collect();
    if rules.has_bad_file() {
        return Ok(Exit::Unusable);
    }
    for (input, ruleset) in inputs.iter().zip(&rulesets) {
        session.check(input, ruleset);
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
        }
    }

    /// Every input once, in the order of the command line.
    fn gather(&mut self) -> Vec<Input> {
        let here = [PathBuf::from(".")];
        let paths = if self.options.paths.is_empty() { &here[..] } else { &self.options.paths };
        let mut inputs = Vec::new();
        for path in paths {
            if path == Path::new("-") {
                inputs.push(Input::Stdin);
            } else if path.is_dir() {
                let walked = walk::walk(path);
                inputs.extend(walked.inputs);
                for (path, reason) in walked.problems {
                    self.cannot_read(&path, &reason);
                }
            } else {
                let shown = path.to_string_lossy().into_owned();
                inputs.push(Input::File { shown, path: path.clone(), found: Found::Named });
            }
        }
        let mut seen = HashSet::new();
        inputs.retain(|input| {
            let path = input.path().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
            seen.insert(path)
        });
        inputs
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
    }

    /// Checks a document, and forgets it again where it is nothing of ours and nobody asked for it.
    fn is_known(&mut self, document: &Document, rules: &Arc<Ruleset>, read_as: Option<ReadAs>) -> bool {
        let report = self.analysis.check(&World { read_as, ..World::new(document, rules) });
        let is_known = !matches!(report.kind(), Kind::Unknown);
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
        let counts = Counts::of(&files);
        match self.options.format {
            OutputFormat::Json => output::write(&render::json(&files)?)?,
            OutputFormat::Text => self.print(&files, &counts)?,
        }
        let is_found = self.options.fail_on.severity().is_some_and(|severity| counts.at_least(severity) > 0);
        Ok(match (self.is_incomplete, is_found) {
            (true, _) => Exit::Unusable,
            (false, true) => Exit::Findings,
            (false, false) => Exit::Clean,
        })
    }

    fn print(&self, files: &[File], counts: &Counts) -> io::Result<()> {
        output::with_stdout(|out| {
            if self.options.quiet {
                return writeln!(out, "{}", counts.line());
            }
            render::frames(files, output::style(), output::width(), out)?;
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

/// What keeps a named file from being JSON, since it may well have been meant for a tool list.
fn not_json(text: &Text) -> Option<String> {
    let content = String::from(text);
    if content.trim_start_matches('\u{feff}').trim().is_empty() {
        return Some("it is empty".to_owned());
    }
    let errors = syntax::read(&content).errors;
    let error = errors.iter().find(|error| error.kind != SyntaxErrorKind::TooDeep)?;
    let place = text.line_column(error.range.start, Encoding::Utf32);
    let hidden = Hidden::new(&content, &masks(&content));
    let what = error.kind.to_string();
    Some(format!("it is not JSON: {} at {}:{}", hidden.without(&what), place.line + 1, place.column + 1))
}

fn not_written(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "no permission to write it".to_owned(),
        _ => plain(error),
    }
}
