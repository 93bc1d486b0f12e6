//! `mcp-analyzer trust`

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::config::servers_of;
use super::consent::line;
use super::target::Target;
use super::{Exit, OutputFormat, output, program};
use crate::model::launch::LaunchId;
use crate::probe::trust::{Decision, Entry, Trust};
use crate::render::terminal::escaped;
use crate::text::counted;

/// As much of a hash names a decision.
const SHORT: usize = 12;

/// The options of `trust`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List what you have said
    List {
        /// What the answer looks like
        #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
        format: OutputFormat,
    },
    /// Say that servers may always be started, until anything about how they are started changes
    Add {
        /// The servers: `config.json` for all in it, `config.json#server`, `npm:NAME`, `pypi:NAME`, a script, a URL
        #[arg(required_unless_present = "command")]
        targets: Vec<OsString>,
        /// A server, by the command line that starts it
        #[arg(last = true, value_name = "COMMAND")]
        command: Vec<String>,
        /// Say that they may never be started
        #[arg(long)]
        never: bool,
    },
    /// Take back what you have said
    Remove {
        /// The start of a hash from the list, or what was added
        #[arg(value_name = "HASH|TARGET", required_unless_present = "all")]
        what: Vec<OsString>,
        /// Everything
        #[arg(long, conflicts_with = "what")]
        all: bool,
    },
}

pub(super) fn run(options: &Options) -> io::Result<Exit> {
    let Some(trust) = Trust::of_user() else {
        output::message("there is no home directory to keep it in");
        return Ok(Exit::Unusable);
    };
    let done = match &options.action {
        Action::List { format } => list(&trust, *format),
        Action::Add { targets, command, never } => add(&trust, targets, command, *never),
        Action::Remove { what, all } => remove(&trust, what, *all),
    };
    match done {
        Ok(text) => output::write(&text).map(|()| Exit::Clean),
        Err(error) => {
            output::message(&error);
            Ok(Exit::Unusable)
        }
    }
}

/// A hash as it is listed.
fn short(launch: LaunchId) -> String {
    launch.to_string()[..SHORT].to_owned()
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Always => "always",
        Decision::Never => "never",
    }
}

fn list(trust: &Trust, format: OutputFormat) -> Result<String, String> {
    let entries = trust.list().map_err(|error| error.to_string())?;
    let mut out = String::new();
    match format {
        OutputFormat::Text => {
            for Entry { launch, decision, name, told, .. } in &entries {
                // A server of the command line is called by what starts it.
                let name = if name == told { String::new() } else { format!("{name}: ") };
                let _ = writeln!(out, "{}  {:6}  {}{}", short(*launch), word(*decision), escaped(&name), escaped(told));
            }
            if entries.is_empty() {
                out.push_str("nothing is trusted and nothing refused\n");
            }
        }
        OutputFormat::Json => {
            let entry = |entry: &Entry| {
                let Entry { launch, decision, name, told, at } = entry;
                json!({"launch": launch.to_string(), "decision": word(*decision), "name": name, "told": told, "at": at})
            };
            let all: Vec<_> = entries.iter().map(entry).collect();
            let json = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
            out = crate::render::visible_json(json) + "\n";
        }
    }
    Ok(out)
}

fn add(trust: &Trust, targets: &[OsString], command: &[String], never: bool) -> Result<String, String> {
    let mut parsed = targets.iter().map(|word| Target::parse(word)).collect::<Result<Vec<_>, _>>()?;
    parsed.extend(Target::of_command(command));
    let mut wanted = Vec::new();
    for target in parsed {
        wanted.extend(servers_of(target, |config| Ok(config.all()))?);
    }
    if wanted.is_empty() {
        return Err("there is no server that is started or contacted".to_owned());
    }
    let decision = if never { Decision::Never } else { Decision::Always };
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut out = match decision {
        Decision::Always => "may be started and contacted from now on, as you and without a sandbox:\n".to_owned(),
        Decision::Never => "will never be started or contacted:\n".to_owned(),
    };
    for wanted in wanted {
        let _ = writeln!(out, "{}", escaped(&line(&wanted.name, &wanted.launch)));
        if wanted.launch.reads_variables() && decision == Decision::Always {
            out += "    it reads a file of variables, which may change: it is asked about each time all the same\n";
        }
        let told = program::without_secrets(&wanted.launch.told_in_folder());
        let entry = Entry { launch: wanted.launch.id(), decision, name: wanted.name, told, at };
        trust.add(entry).map_err(|error| error.to_string())?;
    }
    Ok(out)
}

fn remove(trust: &Trust, what: &[OsString], all: bool) -> Result<String, String> {
    let entries = trust.list().map_err(|error| error.to_string())?;
    let mut launches: Vec<LaunchId> = Vec::new();
    if all {
        launches.extend(entries.iter().map(|entry| entry.launch));
    }
    for word in what {
        launches.extend(meant(&entries, word)?);
    }
    let mut count = 0;
    for launch in launches {
        count += usize::from(trust.remove(launch).map_err(|error| error.to_string())?);
    }
    if count == 0 && !all {
        return Err("nothing was said about that".to_owned());
    }
    Ok(format!("{} taken back\n", counted(count, "decision")))
}

/// What a word of `remove` is about: a hash, its start, or a target.
fn meant(entries: &[Entry], word: &OsStr) -> Result<Vec<LaunchId>, String> {
    let start = word.to_str().filter(|word| word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if let Some(start) = start.map(str::to_ascii_lowercase) {
        let launches = entries.iter().map(|entry| entry.launch);
        let found: Vec<LaunchId> = launches.filter(|launch| launch.to_string().starts_with(&start)).collect();
        match found.len() {
            0 => {}
            1 => return Ok(found),
            _ => return Err(format!("`{start}` is the start of more than one hash")),
        }
    }
    let wanted = servers_of(Target::parse(word)?, |config| Ok(config.all()))?;
    Ok(wanted.iter().map(|wanted| wanted.launch.id()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::launch::Launch;

    #[test]
    fn the_start_of_a_hash_is_enough() {
        let entry = |url: &str| {
            let launch = Launch::url(url).id();
            Entry { launch, decision: Decision::Always, name: String::new(), told: String::new(), at: 0 }
        };
        let entries = [entry("https://a.example"), entry("https://b.example")];
        let hash = entries[1].launch.to_string();
        for word in [&hash[..SHORT], &hash, &hash.to_uppercase()] {
            assert_eq!(meant(&entries, OsStr::new(word)), Ok(vec![entries[1].launch]));
        }
        assert!(
            meant(
                &[entry("https://a.example"), entry("https://a.example")],
                OsStr::new(&entries[0].launch.to_string()[..4])
            )
            .is_err()
        );
        assert_eq!(meant(&entries, OsStr::new("https://a.example")), Ok(vec![entries[0].launch]));
        assert!(meant(&entries, OsStr::new("abcd")).is_err_and(|error| error.contains("npm:abcd")));
    }
}
