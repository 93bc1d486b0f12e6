//! Failures in plain words: a sentence that says what happened to somebody who knows their config and nothing of the
//! protocol.

use std::time::Duration;

use super::{Cause, Ended, Failure, Phase};
use crate::model::launch::Unresolved;
use crate::text::shown;

impl Failure {
    /// One sentence, whose subject is the server: `did not answer within 30 s`.
    pub fn told(&self) -> String {
        let because =
            |cause: &Option<Cause>| cause.as_ref().map(|cause| format!(": {}", cause.told())).unwrap_or_default();
        match self {
            Failure::NotFound { command } if command.contains(['/', '\\']) => {
                format!("did not start: there is no program `{}`", shown(command))
            }
            Failure::NotFound { command } => {
                format!("did not start: there is no program `{}` on the PATH", shown(command))
            }
            Failure::NoDirectory { directory } => {
                format!("did not start: there is no folder `{}` to run it in", shown(directory))
            }
            Failure::NotStarted(reason) => format!("did not start: {}", shown(reason)),
            Failure::Exited { phase, ended, cause } => {
                format!("{} {}{}", ended.told(), phase.told("before the handshake"), because(cause))
            }
            Failure::TimedOut { phase, after, cause } => match phase {
                Phase::Handshake => format!("did not answer within {}{}", time(*after), because(cause)),
                Phase::List(method) => {
                    format!("did not answer `{method}` within {}{}", time(*after), because(cause))
                }
            },
            Failure::Refused { phase, code, message, cause } => {
                let asked = match phase {
                    Phase::Handshake => "the handshake".to_owned(),
                    Phase::List(method) => format!("`{method}`"),
                };
                let message = message.trim();
                let said = match cause {
                    Some(cause) => format!(": {}", cause.told()),
                    None if message.is_empty() => format!(" (code {code})"),
                    None => format!(": `{}` (code {code})", shown(message)),
                };
                format!("answered {asked} with an error{said}")
            }
            Failure::Protocol(how) => format!("breaks the protocol: {}", shown(how)),
            Failure::TooMuch(what) => format!("says more than is read: {}", shown(what)),
            Failure::AuthorizationRequired(challenge) => {
                let status = challenge.status;
                match status {
                    0 => "wants somebody to sign in".to_owned(),
                    _ => format!("wants somebody to sign in (HTTP {status})"),
                }
            }
            Failure::Status { status, body } => {
                let meaning = meaning(*status).map(|meaning| format!(" ({meaning})")).unwrap_or_default();
                let body = body.trim();
                let said = if body.is_empty() { String::new() } else { format!(": `{}`", shown(body)) };
                format!("answered with HTTP status {status}{meaning}{said}")
            }
            Failure::Redirected { to } => format!("sends to another address, which was not followed: `{}`", shown(to)),
            Failure::NotMcp { content_type } if content_type.trim().is_empty() => {
                "answers, but not as an MCP server does".to_owned()
            }
            Failure::NotMcp { content_type } if content_type.contains("html") => {
                "answers with a web page: no MCP server is at this address".to_owned()
            }
            Failure::NotMcp { content_type } => {
                format!("answers with `{}`: no MCP server is at this address", shown(content_type))
            }
            Failure::Unreachable(reason) => format!("cannot be reached: {}", shown(reason)),
            Failure::Unresolved(unresolved) => match unresolved {
                Unresolved::Input(id) => {
                    format!("was not started: only the client can ask for its input `{}`", shown(id))
                }
                Unresolved::SignIn => "was not started: it opens a browser for somebody to sign in".to_owned(),
                Unresolved::Transport(name) => format!("was not contacted: the MCP specification has no {name}"),
            },
            Failure::NoCommonVersion { server } if server.is_empty() => {
                "speaks no version of the protocol that is known here".to_owned()
            }
            Failure::NoCommonVersion { server } => {
                let versions: Vec<String> =
                    server.iter().take(5).map(|version| format!("`{}`", shown(version))).collect();
                format!("speaks no version of the protocol that is known here, only {}", versions.join(", "))
            }
        }
    }

    /// Why, where the last words of the server tell.
    pub fn cause(&self) -> Option<&Cause> {
        match self {
            Failure::Exited { cause, .. } | Failure::TimedOut { cause, .. } | Failure::Refused { cause, .. } => {
                cause.as_ref()
            }
            _ => None,
        }
    }
}

impl Phase {
    fn told(&self, in_handshake: &str) -> String {
        match self {
            Phase::Handshake => in_handshake.to_owned(),
            Phase::List(method) => format!("before it answered `{method}`"),
        }
    }
}

impl Ended {
    fn told(self) -> String {
        match self {
            Ended::Code(code) => format!("ended with exit code {code}"),
            Ended::Signal(signal) => format!("was ended by signal {signal}{}", signal_name(signal)),
            Ended::ClosedOutput => "closed its output".to_owned(),
        }
    }
}

/// Those that a process is ended by without having asked for it.
fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        _ => "",
    }
}

/// What a status means to somebody who configures a server.
fn meaning(status: u16) -> Option<&'static str> {
    Some(match status {
        400 => "bad request",
        404 => "nothing is there",
        405 => "not allowed there",
        406 => "not acceptable",
        410 => "gone",
        429 => "too many requests",
        500 => "an error of its own",
        502 | 504 => "what is behind it does not answer",
        503 => "not available",
        _ => return None,
    })
}

fn time(time: Duration) -> String {
    if time.subsec_millis() == 0 { format!("{} s", time.as_secs()) } else { format!("{} ms", time.as_millis()) }
}

impl Cause {
    /// What it is, in plain words, to stand behind a colon: ``the module `x` is missing``.
    pub fn told(&self) -> String {
        let named = |what: &str, name: &str| {
            if name.is_empty() { format!("a {what}") } else { format!("the {what} `{}`", shown(name)) }
        };
        match self {
            Cause::MissingModule(name) => format!("{} is missing", named("module", name)),
            Cause::IncompatibleModule(name) => {
                format!("{} is of a version that does not fit", named("module", name))
            }
            Cause::NoSuchPackage(name) if name.is_empty() => "the package does not exist".to_owned(),
            Cause::NoSuchPackage(name) => format!("there is no package `{}`", shown(name)),
            Cause::Withdrawn { package, reason } => {
                let reason = reason.as_ref().map(|reason| format!(" ({})", shown(reason))).unwrap_or_default();
                format!("the package `{}` was withdrawn{reason}", shown(package))
            }
            Cause::NoSuchImage(name) if name.is_empty() => "the image does not exist".to_owned(),
            Cause::NoSuchImage(name) => format!("there is no image `{}`", shown(name)),
            Cause::DockerNotRunning => "Docker is not running".to_owned(),
            Cause::NoSuchProgram(name) if name.is_empty() => "the package has no program to run".to_owned(),
            Cause::NoSuchProgram(name) => format!("the package has no program `{}`", shown(name)),
            Cause::MissingProgram(name) => format!("{} is missing", named("program", name)),
            Cause::PortInUse(Some(port)) => format!("port {port} is in use"),
            Cause::PortInUse(None) => "a port that it needs is in use".to_owned(),
            Cause::MissingVariable(name) if name.is_empty() => "a variable is not set".to_owned(),
            Cause::MissingVariable(name) => format!("the variable `{}` is not set", shown(name)),
            Cause::Usage(words) => format!("its arguments are not right: `{}`", words_of(words)),
            Cause::MissingFile(name) => format!("{} is missing", named("file or folder", name)),
            Cause::PermissionDenied(name) if name.is_empty() => "permission is denied".to_owned(),
            Cause::PermissionDenied(name) => format!("permission is denied for `{}`", shown(name)),
            Cause::Unreachable(host) if host.is_empty() => "something that it needs cannot be reached".to_owned(),
            Cause::Unreachable(host) => format!("it cannot reach `{}`", shown(host)),
            Cause::Unauthorized => "its key or token is not accepted".to_owned(),
            Cause::WrongRuntime(words) => format!("it needs another version of its runtime: `{}`", words_of(words)),
            Cause::Said(words) => format!("`{}`", words_of(words)),
        }
    }

    /// What to do about it, as a sentence without its stop; `None` where nobody can know.
    pub fn advice(&self) -> Option<String> {
        let named = |name: &str| (!name.is_empty()).then(|| shown(name).into_owned());
        Some(match self {
            Cause::MissingModule(_) => {
                "install the server anew with its dependencies, or ask for another version of it".to_owned()
            }
            Cause::IncompatibleModule(_) => "ask for another version of the server, or of this dependency".to_owned(),
            Cause::NoSuchPackage(_) => "check the name and the version of the package in `args`".to_owned(),
            Cause::Withdrawn { .. } => {
                "use the server that its author names in its place, or an earlier version".to_owned()
            }
            Cause::NoSuchImage(_) => {
                "check the name of the image in `args`; a private one needs `docker login`".to_owned()
            }
            Cause::DockerNotRunning => "start Docker".to_owned(),
            Cause::NoSuchProgram(_) => "check in the documentation of the package how its server is started".to_owned(),
            Cause::MissingProgram(name) => match named(name) {
                Some(name) => format!("install `{name}`, or set `PATH` in `env` so that it is found"),
                None => "install it, or set `PATH` in `env` so that it is found".to_owned(),
            },
            Cause::PortInUse(Some(port)) => format!("end what uses port {port}, or give the server another one"),
            Cause::PortInUse(None) => "end what uses the port, or give the server another one".to_owned(),
            Cause::MissingVariable(name) => match named(name) {
                Some(name) => format!("set `{name}` in `env`"),
                None => "set it in `env`".to_owned(),
            },
            Cause::Usage(_) => "check `args` against the documentation of the server".to_owned(),
            Cause::MissingFile(_) => "check the paths in the entry: absolute ones mean the same everywhere".to_owned(),
            Cause::PermissionDenied(_) => "allow yourself to use it, or name another one".to_owned(),
            Cause::Unreachable(_) => {
                "check the address, and whether the network is there; a proxy has to be set in `env`".to_owned()
            }
            Cause::Unauthorized => "check the key or token in the entry".to_owned(),
            Cause::WrongRuntime(_) => {
                "install a version of the runtime that it supports, or an older version of it".to_owned()
            }
            Cause::Said(_) => return None,
        })
    }
}

/// A line of somebody else's words between backticks: none of its own, which would end it.
fn words_of(words: &str) -> String {
    let line: Vec<&str> = words.split_whitespace().collect();
    let line: String = line.join(" ").replace('`', "'");
    line.chars().filter(|char| !char.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Challenge;

    #[test]
    fn a_failure_is_a_sentence() {
        let exited = |ended, cause| Failure::Exited { phase: Phase::Handshake, ended, cause };
        let refused = |cause| {
            let phase = Phase::List("tools/list");
            Failure::Refused { phase, code: -32603, message: "no\nluck".to_owned(), cause }
        };
        for (failure, told) in [
            (Failure::NotFound { command: "foo".to_owned() }, "did not start: there is no program `foo` on the PATH"),
            (Failure::NotFound { command: "./foo".to_owned() }, "did not start: there is no program `./foo`"),
            (
                exited(Ended::Code(1), Some(Cause::MissingModule("x".to_owned()))),
                "ended with exit code 1 before the handshake: the module `x` is missing",
            ),
            (exited(Ended::Signal(9), None), "was ended by signal 9 (SIGKILL) before the handshake"),
            (
                Failure::Exited { phase: Phase::List("tools/list"), ended: Ended::ClosedOutput, cause: None },
                "closed its output before it answered `tools/list`",
            ),
            (
                Failure::TimedOut { phase: Phase::Handshake, after: Duration::from_secs(30), cause: None },
                "did not answer within 30 s",
            ),
            (
                Failure::TimedOut {
                    phase: Phase::List("prompts/list"),
                    after: Duration::from_millis(1500),
                    cause: Some(Cause::Unreachable("a.example".to_owned())),
                },
                "did not answer `prompts/list` within 1500 ms: it cannot reach `a.example`",
            ),
            (refused(None), "answered `tools/list` with an error: `no\\nluck` (code -32603)"),
            (
                refused(Some(Cause::Unauthorized)),
                "answered `tools/list` with an error: its key or token is not accepted",
            ),
            (
                Failure::AuthorizationRequired(Challenge { status: 401, ..Challenge::default() }),
                "wants somebody to sign in (HTTP 401)",
            ),
            (
                Failure::Status { status: 404, body: " no \n".to_owned() },
                "answered with HTTP status 404 (nothing is there): `no`",
            ),
            (
                Failure::NotMcp { content_type: "text/html; charset=utf-8".to_owned() },
                "answers with a web page: no MCP server is at this address",
            ),
            (
                Failure::Unresolved(Unresolved::Input("token".to_owned())),
                "was not started: only the client can ask for its input `token`",
            ),
            (
                Failure::NoCommonVersion { server: vec!["2031-01-01".to_owned()] },
                "speaks no version of the protocol that is known here, only `2031-01-01`",
            ),
        ] {
            assert_eq!(failure.told(), told);
        }
    }

    #[test]
    fn a_cause_is_told_and_says_what_to_do() {
        let cause = Cause::MissingVariable("X_API_KEY".to_owned());
        assert_eq!(cause.told(), "the variable `X_API_KEY` is not set");
        assert_eq!(cause.advice().as_deref(), Some("set `X_API_KEY` in `env`"));
        assert_eq!(Cause::PortInUse(Some(3000)).told(), "port 3000 is in use");
        assert_eq!(Cause::MissingModule(String::new()).told(), "a module is missing");
        let said = Cause::Said("a `b`\n\u{1b}c".to_owned());
        assert_eq!((said.told().as_str(), said.advice()), ("`a 'b' c`", None));
    }
}
