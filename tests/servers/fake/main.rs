//! An MCP server that misbehaves in the one way that its first argument names; `ok` does not.
//!
//! `fake BEHAVIOUR [VALUE] [--pids FILE]` talks over stdin and stdout. `fake http BEHAVIOUR [VALUE]` writes its URL to
//! stdout and serves until its stdin ends. With `--pids`, it and every process that it starts append their ids to a file.
#![expect(clippy::exit, reason = "one thread ends the process while others are in the midst of things")]

mod http;
mod protocol;
mod stdio;

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{self, Command, Stdio};
use std::thread;

/// What it was told to do.
#[derive(Clone, Default)]
struct Orders {
    behaviour: String,
    value: String,
    pids: Option<PathBuf>,
}

impl Orders {
    fn of(words: impl Iterator<Item = String>) -> Orders {
        let mut orders = Orders::default();
        let mut words = words.peekable();
        orders.behaviour = words.next().unwrap_or_default();
        if let Some(value) = words.next_if(|word| word != "--pids") {
            orders.value = value;
        }
        orders.pids = words.nth(1).map(PathBuf::from);
        orders
    }

    /// The value as a number.
    fn number(&self) -> usize {
        self.value.parse().unwrap_or_default()
    }

    fn note_process(&self) -> io::Result<()> {
        let Some(pids) = &self.pids else { return Ok(()) };
        // One write, so that lines of several processes do not mix.
        let mut file = OpenOptions::new().create(true).append(true).open(pids)?;
        file.write_all(format!("{}\n", process::id()).as_bytes())
    }

    /// Starts this program again, as something that does nothing for ever, by way of another program.
    fn start_sleeper(&self, by: &[&str], is_holding: bool) -> io::Result<()> {
        let mut words = by.iter().map(Into::into).chain([env::current_exe()?.into_os_string(), "sleep".into()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        if let Some(pids) = &self.pids {
            command.arg("--pids").arg(pids);
        }
        let stream = || if is_holding { Stdio::inherit() } else { Stdio::null() };
        command.stdin(stream()).stdout(Stdio::piped()).stderr(stream());
        let mut child = command.spawn()?;
        // It has noted its id by now, so that whoever looks for it knows of it.
        let mut line = String::new();
        if let Some(output) = child.stdout.take() {
            io::BufRead::read_line(&mut io::BufReader::new(output), &mut line)?;
        }
        Ok(())
    }
}

/// A shell that ignores TERM, and so does what it becomes.
const DEAF: &[&str] = &["sh", "-c", "trap '' TERM; exec \"$@\"", "sh"];

fn main() -> io::Result<()> {
    let mut words = env::args().skip(1).peekable();
    if words.next_if(|word| word == "http").is_some() {
        thread::spawn(|| {
            let _ = io::copy(&mut io::stdin(), &mut io::sink());
            process::exit(0);
        });
        return http::serve(Orders::of(words));
    }
    let orders = Orders::of(words);
    match &*orders.behaviour {
        "deaf" if orders.value.is_empty() => return become_deaf(),
        "sleep" => {
            orders.note_process()?;
            io::stdout().write_all(b"asleep\n")?;
            loop {
                thread::park();
            }
        }
        _ => {}
    }
    orders.note_process()?;
    match &*orders.behaviour {
        "child" => orders.start_sleeper(DEAF, false)?,
        "holding-child" => orders.start_sleeper(DEAF, true)?,
        "setsid-child" => orders.start_sleeper(&["setsid"], false)?,
        "orphan" => {
            orders.start_sleeper(DEAF, true)?;
            return Ok(());
        }
        _ => {}
    }
    stdio::serve(&orders)
}

/// Goes on as a program that ignores TERM, and the end of its input.
#[cfg(unix)]
fn become_deaf() -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(DEAF[0]);
    command.args(&DEAF[1..]).arg(env::current_exe()?).args(["deaf", "already"]);
    Err(command.args(env::args().skip(2)).exec())
}

#[cfg(not(unix))]
fn become_deaf() -> io::Result<()> {
    Err(io::Error::other("there is no TERM to ignore"))
}
