//! Whether a server may be started or contacted: by what was decided before, by `--yes`, or by asking on a terminal.
//! A config file can come from a stranger, and what it names runs with the user's rights.

use std::io::{self, BufRead, IsTerminal};

use super::{output, program};
use crate::model::launch::{Launch, LaunchId, Way, quoted};
use crate::probe::trust::{Decision, Trust};

/// The options of every command that starts servers.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct ConsentOptions {
    /// Start and contact the servers without asking
    #[arg(long)]
    yes: bool,
    /// Start no program; servers with a URL are contacted all the same
    #[arg(long)]
    no_spawn: bool,
}

/// A server that is to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Its name.
    pub(super) name: String,
    /// What names it on the command line: `.mcp.json#fs`.
    pub(super) target: String,
    /// What is started or contacted.
    pub(super) launch: Launch,
}

/// Whether a server may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It may.
    Granted,
    /// The user has said that it never may.
    Never,
    /// It would be started, and `--no-spawn` forbids that.
    NotSpawned,
    /// Nobody has said that it may.
    Missing,
}

impl Verdict {
    /// Whether this is why a server is not asked, and [`obtain`] has said so.
    pub(super) fn was_told(reason: &str) -> bool {
        [Verdict::Never, Verdict::Missing].iter().any(|verdict| verdict.reason() == Some(reason))
    }

    /// Why a server is not asked; `None` where it is.
    pub(super) fn reason(self) -> Option<&'static str> {
        match self {
            Verdict::Granted => None,
            Verdict::Never => Some("not started: you have said never"),
            Verdict::NotSpawned => Some("not started: --no-spawn"),
            Verdict::Missing => Some("not started: not trusted"),
        }
    }
}

/// Whether what would be started is all in what the user agrees to: a file of variables may change whenever it likes.
fn can_be_trusted(wanted: &Wanted) -> bool {
    !wanted.launch.reads_variables()
}

/// Decides on every server; `ask` is asked once for all that nothing is known of.
fn decide(
    wanted: &[Wanted],
    options: ConsentOptions,
    decided: impl Fn(LaunchId) -> Option<Decision>,
    ask: impl FnOnce(&[&Wanted]) -> bool,
) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = wanted
        .iter()
        .map(|wanted| match decided(wanted.launch.id()).filter(|it| *it == Decision::Never || can_be_trusted(wanted)) {
            Some(Decision::Never) => Verdict::Never,
            _ if options.no_spawn && matches!(wanted.launch.way, Way::Start(_)) => Verdict::NotSpawned,
            Some(Decision::Always) => Verdict::Granted,
            None if options.yes => Verdict::Granted,
            None => Verdict::Missing,
        })
        .collect();
    let open = || wanted.iter().zip(&verdicts).filter(|(_, verdict)| **verdict == Verdict::Missing);
    let open: Vec<&Wanted> = open().map(|(wanted, _)| wanted).collect();
    if !open.is_empty() && ask(&open) {
        let missing = verdicts.iter_mut().filter(|verdict| **verdict == Verdict::Missing);
        missing.for_each(|verdict| *verdict = Verdict::Granted);
    }
    verdicts
}

/// Decides on every server, asks where there is somebody to ask, and says on stderr what is not started.
pub(super) fn obtain(wanted: &[Wanted], options: ConsentOptions) -> Vec<Verdict> {
    let trust = Trust::of_user();
    if let Some(Err(error)) = trust.as_ref().map(Trust::list) {
        output::message(&format!("what you have said before is not known: {error}"));
    }
    let verdicts = decide(wanted, options, |launch| trust.as_ref()?.of(launch), ask);
    for (wanted, _) in wanted.iter().zip(&verdicts).filter(|(_, verdict)| **verdict == Verdict::Never) {
        output::remark(&format!("{} is not started: you have said never", wanted.target));
    }
    verdicts
}

/// Asks on the terminal; without one says how to give consent.
fn ask(open: &[&Wanted]) -> bool {
    let is_asked = io::stdin().is_terminal() && io::stderr().is_terminal();
    if is_asked {
        output::remark("These servers are to be started or contacted. They run as you, without a sandbox:");
    } else {
        output::message(
            "nobody has said that these servers may be started or contacted, as you and without a sandbox:",
        );
    }
    open.iter().for_each(|wanted| output::remark(&line(&wanted.name, &wanted.launch)));
    if !is_asked {
        let (stable, others): (Vec<&&Wanted>, Vec<&&Wanted>) = open.iter().partition(|wanted| can_be_trusted(wanted));
        let targets: Vec<String> = stable.iter().map(|wanted| as_argument(wanted)).collect();
        output::remark("`--yes` starts them this once");
        if !targets.is_empty() {
            output::remark("to trust them from now on:");
            output::remark(&format!("  mcp-analyzer trust add {}", targets.join(" ")));
        }
        if !others.is_empty() {
            output::remark("what reads a file of variables, which may change, is asked about each time");
        }
        return false;
    }
    output::prompt("Go on? [y/N] ");
    let mut answer = String::new();
    let is_read = io::stdin().lock().read_line(&mut answer).is_ok();
    is_read && is_yes(&answer)
}

/// A server as a shell takes it on our command line.
fn as_argument(wanted: &Wanted) -> String {
    let is_command = wanted.target == program::told(&wanted.launch) && matches!(wanted.launch.way, Way::Start(_));
    if is_command { format!("-- {}", wanted.target) } else { quoted(&wanted.target) }
}

fn is_yes(answer: &str) -> bool {
    ["y", "yes"].iter().any(|yes| answer.trim().eq_ignore_ascii_case(yes))
}

/// A server and what would be done, for the person who is asked.
pub(super) fn line(name: &str, launch: &Launch) -> String {
    let told = program::told(launch);
    let whole = program::without_secrets(&launch.told_in_folder());
    // A server of the command line is called by what starts it.
    if name == told { format!("  {whole}") } else { format!("  {name}: {whole}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> Vec<Wanted> {
        let command = |word: &str| Launch::command(&[word.to_owned()], "/".as_ref()).expect("a launch");
        ["a", "b", "c"]
            .map(|name| Wanted { name: name.to_owned(), target: format!("x#{name}"), launch: command(name) })
            .into_iter()
            .chain([Wanted {
                name: "d".to_owned(),
                target: "x#d".to_owned(),
                launch: Launch::url("https://d.example"),
            }])
            .collect()
    }

    /// Of `a` nothing is known, `b` is always started, `c` never, `d` is contacted.
    fn verdicts(options: ConsentOptions, answer: Option<bool>) -> String {
        let wanted = wanted();
        let decided = |launch| match wanted.iter().position(|wanted| wanted.launch.id() == launch) {
            Some(1) => Some(Decision::Always),
            Some(2) => Some(Decision::Never),
            _ => None,
        };
        let ask = |open: &[&Wanted]| {
            assert!(open.iter().all(|wanted| ["a", "d"].contains(&wanted.name.as_str())), "{open:?}");
            answer.expect("is not asked")
        };
        let letter = |verdict| match verdict {
            Verdict::Granted => 'G',
            Verdict::Never => 'N',
            Verdict::NotSpawned => 'S',
            Verdict::Missing => 'M',
        };
        decide(&wanted, options, decided, ask).into_iter().map(letter).collect()
    }

    #[test]
    fn nothing_is_started_that_nobody_agreed_to() {
        let options = |yes, no_spawn| ConsentOptions { yes, no_spawn };
        assert_eq!(verdicts(options(false, false), Some(false)), "MGNM");
        assert_eq!(verdicts(options(false, false), Some(true)), "GGNG");
        assert_eq!(verdicts(options(true, false), None), "GGNG");
        assert_eq!(verdicts(options(false, true), Some(false)), "SSNM");
        assert_eq!(verdicts(options(true, true), None), "SSNG");
    }

    #[test]
    fn the_advice_can_be_pasted() {
        let of = |target: &str| as_argument(&Wanted { target: target.to_owned(), ..wanted()[0].clone() });
        assert_eq!([of("x#a b"), of("npm:@x/y"), of("a")], ["'x#a b'", "npm:@x/y", "-- a"]);
    }

    #[test]
    fn only_yes_is_yes() {
        assert!(["y\n", "Y", " yes\r\n"].iter().all(|answer| is_yes(answer)));
        assert!(!["", "\n", "n\n", "yy", "yes please"].iter().any(|answer| is_yes(answer)));
    }

    #[test]
    fn what_is_told_hides_secrets() {
        const SECRET: &str = "R7b2XcVt9Jh3Nd5G";
        for argument in [
            &["--token", SECRET][..],
            &["--api-key=R7b2XcVt9Jh3Nd5G"],
            &["-H", "Authorization: Bearer R7b2XcVt9Jh3Nd5G"],
            &["--header", "X-Api-Key: R7b2XcVt9Jh3Nd5G"],
            &["postgresql://app:R7b2XcVt9Jh3Nd5G@db.example/x"],
            &["https://x.example/mcp?token=R7b2XcVt9Jh3Nd5G&x=1"],
            &["-e", "API_TOKEN=R7b2XcVt9Jh3Nd5G"],
            &["{\"apiKey\": \"R7b2XcVt9Jh3Nd5G\"}"],
            &["it's", "--password", SECRET],
        ] {
            let words: Vec<String> = ["server"].iter().chain(argument).map(|word| (*word).to_owned()).collect();
            let launch = Launch::command(&words, "/work".as_ref()).expect("a launch");
            let told = line("name", &launch);
            assert!(told.starts_with("  name: server ") && told.ends_with("(in /work)"), "{told}");
            assert!(!told.contains("R7b2"), "{told}");
        }
    }
}
