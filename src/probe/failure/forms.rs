//! The standard forms of messages, one cause each: what a line says by itself.

use super::line::{Line, after, name, quoted, url_host, word, word_before};
use crate::facts::Cause;

/// What a line says, if it has a known form. The more particular form is asked first.
pub(super) fn known(line: &Line) -> Option<Cause> {
    let forms: &[fn(&Line) -> Option<Cause>] =
        &[docker, runtime, module, package, program, port, permission, host, file, unauthorized, variable, arguments];
    forms.iter().find_map(|form| form(line))
}

/// Whether a line has one of these, all in small letters.
fn has(line: &Line, any: &[&str]) -> bool {
    any.iter().any(|words| line.lower.contains(words))
}

fn docker(line: &Line) -> Option<Cause> {
    if has(
        line,
        &["cannot connect to the docker daemon", "failed to connect to the docker api", "docker daemon is not running"],
    ) || has(line, &["error during connect"]) && has(line, &["docker"])
    {
        return Some(Cause::DockerNotRunning);
    }
    let text = &line.text;
    let image = after(text, "pull access denied for ")
        .or_else(|| after(text, "manifest for ").filter(|rest| rest.contains("not found")))
        .or_else(|| after(text, "No such image: "))?;
    Some(Cause::NoSuchImage(word(image).to_owned()))
}

fn runtime(line: &Line) -> Option<Cause> {
    let text = &line.text;
    let is_glibc = text.contains("version `GLIBC") && text.contains("not found");
    let is_said = has(
        line,
        &[
            "unsupported engine",
            "does not support node",
            "requires node",
            "upgrade to node",
            "upgrade node",
            "please upgrade your node",
            "you are using node",
            "requires a different python",
            "requires python",
            "no interpreter found for python",
            "the engine \"node\" is incompatible",
            "node_module_version",
            "unsupportedclassversionerror",
            "more recent version of the java runtime",
            "you must install or update .net",
        ],
    );
    let is_newer_wanted = has(line, &["node.js", "node ", "python "])
        && has(line, &["or higher", "or later", "or newer", "or above", "is required"])
        && has(line, &["version", "require"])
        && line.text.contains(|char: char| char.is_ascii_digit());
    // npm warns over several lines.
    let is_warning = text.contains("EBADENGINE");
    (!is_warning && (is_glibc || is_said || is_newer_wanted)).then(|| Cause::WrongRuntime(line.words()))
}

fn module(line: &Line) -> Option<Cause> {
    let text = &line.text;
    if let Some(rest) = after(text, "cannot import name ") {
        return Some(Cause::IncompatibleModule(name(after(rest, " from ")?).to_owned()));
    }
    if let Some(at) = text.find(" does not provide an export named") {
        return Some(Cause::IncompatibleModule(in_node_modules(quoted(&text[..at])?).to_owned()));
    }
    if let Some(rest) =
        after(text, "is not defined by \"exports\" in ").or_else(|| after(text, "require() of ES Module "))
    {
        return Some(Cause::IncompatibleModule(in_node_modules(word(rest)).to_owned()));
    }
    for (form, is_file_too) in [
        ("Cannot find module ", true),
        ("Cannot find package ", false),
        ("Module not found ", true),
        ("cannot load such file -- ", false),
    ] {
        let Some(rest) = after(text, form) else { continue };
        let found = name(rest);
        let module = in_node_modules(found);
        // The script itself.
        return Some(if is_file_too && module == found && is_absolute(found) {
            Cause::MissingFile(found.trim_start_matches("file://").to_owned())
        } else {
            Cause::MissingModule(module.to_owned())
        });
    }
    let named = after(text, "No module named ")
        .or_else(|| after(text, "Could not load file or assembly "))
        .or_else(|| after(text, "NoClassDefFoundError: "))
        .or_else(|| after(text, "ClassNotFoundException: "))
        .or_else(|| after(text, "Could not find or load main class "))
        .or_else(|| after(text, "error while loading shared libraries: "))
        .or_else(|| after(text, "Library not loaded: "));
    let module = match named {
        Some(rest) => name(rest).trim_end_matches(".__main__"),
        None => word_before(text, ": cannot open shared object file")?,
    };
    Some(Cause::MissingModule(module.split([':', ',']).next().unwrap_or_default().to_owned()))
}

/// A path inside of a package, from the package on; any other text as it is.
fn in_node_modules(path: &str) -> &str {
    path.rsplit_once("node_modules/")
        .or_else(|| path.rsplit_once("node_modules\\"))
        .map_or(path, |(_, inside)| inside.strip_suffix("/package.json").unwrap_or(inside))
}

fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\'])
        || path.starts_with("file://")
        || path.get(1..3).is_some_and(|drive| drive == ":\\" || drive == ":/")
}

fn package(line: &Line) -> Option<Cause> {
    let text = &line.text;
    if let Some(at) =
        text.find(" is not in this registry").or_else(|| text.find(" could not be found or you do not have permission"))
    {
        return Some(Cause::NoSuchPackage(quoted(&text[..at])?.to_owned()));
    }
    if let Some(rest) = after(text, "No matching version found for ")
        .or_else(|| after(text, "No matching distribution found for "))
        .or_else(|| after(text, "Could not find a version that satisfies the requirement "))
    {
        return Some(Cause::NoSuchPackage(word(rest).to_owned()));
    }
    let is_registry = has(line, &["registry", "pypi.org"]) && text.contains("404");
    if let Some((_, path)) = after(text, "://").and_then(|rest| rest.split_once('/')).filter(|_| is_registry) {
        let package =
            word(path).trim_start_matches("simple/").trim_end_matches('/').replace("%2f", "/").replace("%2F", "/");
        return Some(Cause::NoSuchPackage(package));
    }
    let is_npm = line.npm().is_some_and(|rest| rest.starts_with("404") || rest.starts_with("code E404"));
    is_npm.then(|| Cause::NoSuchPackage(String::new()))
}

fn program(line: &Line) -> Option<Cause> {
    let text = &line.text;
    if text.contains("could not determine executable to run") {
        return Some(Cause::NoSuchProgram(String::new()));
    }
    let of_package = after(text, "n executable named ")
        .filter(|rest| rest.contains("not provided by"))
        .or_else(|| after(text, "he executable ").filter(|rest| rest.contains("was not found")))
        .or_else(|| after(text, "Missing script: "));
    if let Some(rest) = of_package {
        return Some(Cause::NoSuchProgram(name(rest).to_owned()));
    }
    let is_env = text.starts_with("env: ") || text.starts_with("/usr/bin/env: ");
    let missing = if let Some(rest) = after(text, "env: ").filter(|_| is_env && has(line, &["no such file"])) {
        name(rest)
    } else if let Some(rest) = after(text, "spawn ").filter(|rest| rest.contains(" ENOENT")) {
        rest.split(" ENOENT").next().unwrap_or_default()
    } else if let Some(rest) = after(text, "command not found: ") {
        word(rest)
    } else if let Some(program) = word_before(text, ": command not found") {
        program
    } else if let Some(at) = text.find(" is not recognized as an internal or external command") {
        quoted(&text[..at]).unwrap_or_else(|| word(text))
    } else if let Some(at) = text.find(": executable file not found in") {
        name(after(&text[..at], "exec: ").unwrap_or_default())
    } else if let Some(rest) = after(text, "Failed to spawn: ") {
        name(rest)
    } else if is_shell(text) && text.ends_with(": not found") {
        word_before(text, ": not found")?
    } else {
        return None;
    };
    Some(Cause::MissingProgram(missing.to_owned()))
}

fn is_shell(text: &str) -> bool {
    ["sh: ", "/bin/sh: ", "bash: ", "dash: "].iter().any(|shell| text.starts_with(shell))
}

fn port(line: &Line) -> Option<Cause> {
    let text = &line.lower;
    let is_taken = has(
        line,
        &["eaddrinuse", "address already in use", "only one usage of each socket address", "port is already allocated"],
    );
    let is_port_taken = has(line, &["port "]) && has(line, &["already in use", "is in use", "already being used"]);
    if !is_taken && !is_port_taken {
        return None;
    }
    let number = |rest: &str| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        // Smaller ones are rather the seconds of a time.
        digits.parse::<u16>().ok().filter(|port| *port >= 80)
    };
    let after_word = text.match_indices("port ").find_map(|(at, _)| number(&text[at + 5..]));
    let after_comma = || text.match_indices("', ").find_map(|(at, _)| number(&text[at + 3..]));
    let after_colon = || text.rmatch_indices(':').find_map(|(at, _)| number(&text[at + 1..]));
    Some(Cause::PortInUse(after_word.or_else(after_comma).or_else(after_colon)))
}

fn permission(line: &Line) -> Option<Cause> {
    if !has(
        line,
        &["eacces", "eperm", "permission denied", "permissionerror", "access is denied", "operation not permitted"],
    ) {
        return None;
    }
    let text = &line.text;
    if has(line, &["publickey"]) {
        return Some(Cause::Unauthorized);
    }
    let socket = || after(text, "unix://").map(word);
    let before = || word_before(text, ": permission denied").or_else(|| word_before(text, ": Permission denied"));
    let path = quoted(text).or_else(socket).or_else(|| before().filter(|path| path.contains(['/', '\\', '.'])));
    let address = || after(text, "permission denied ").map(word).filter(|address| address.contains(':'));
    Some(Cause::PermissionDenied(path.or_else(address).unwrap_or_default().to_owned()))
}

fn host(line: &Line) -> Option<Cause> {
    let text = &line.text;
    let codes = ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ECONNRESET"];
    if let Some(rest) = codes.iter().find_map(|code| after(text, code)) {
        let address =
            rest.strip_prefix(' ').map(word).filter(|address| address.contains(['.', ':']) || *address == "localhost");
        return Some(Cause::Unreachable(address.or_else(|| url_host(text)).unwrap_or_default().to_owned()));
    }
    let named = after(text, "Could not resolve host: ")
        .or_else(|| after(text, "Failed to resolve "))
        .or_else(|| after(text, "could not translate host name "))
        .or_else(|| after(text, "UnknownHostException: "))
        .or_else(|| after(text, ": lookup ").filter(|rest| rest.contains("no such host")))
        // A line of its own in an error that Node.js shows.
        .or_else(|| text.strip_prefix("hostname: "));
    if let Some(rest) = named {
        return Some(Cause::Unreachable(name(rest).to_owned()));
    }
    let is_unreachable = has(
        line,
        &[
            "all connection attempts failed",
            "connection refused",
            "connectionrefusederror",
            "could not connect to server",
            "error sending request for url",
            "failed to lookup address information",
            "fetch failed",
            "max retries exceeded with url",
            "name or service not known",
            "nameresolutionerror",
            "no such host",
            "nodename nor servname provided",
            "temporary failure in name resolution",
            "unreachable (http",
        ],
    );
    if !is_unreachable {
        return None;
    }
    let pool = || after(text, "(host=").map(name);
    let dialled = || after(text, "dial tcp ").map(word).filter(|address| address.contains(':'));
    let server = || after(text, "server at ").map(name);
    Some(Cause::Unreachable(
        url_host(text).or_else(pool).or_else(dialled).or_else(server).unwrap_or_default().to_owned(),
    ))
}

fn file(line: &Line) -> Option<Cause> {
    let text = &line.text;
    let named = after(text, "can't open file ")
        .or_else(|| after(text, "Unable to access jarfile "))
        .or_else(|| after(text, "bind source path does not exist: "))
        .or_else(|| after(text, "Distribution not found at: "));
    if let Some(rest) = named {
        return Some(Cause::MissingFile(name(rest).trim_start_matches("file://").to_owned()));
    }
    let is_missing = has(
        line,
        &[
            "enoent",
            "no such file or directory",
            "filenotfounderror",
            "the system cannot find the file",
            "the system cannot find the path",
        ],
    );
    let is_gone = has(line, &["does not exist", "doesn't exist", "is not a directory"]);
    let is_path = |path: &&str| path.contains(['/', '\\']) && !path.contains("://");
    if !is_missing && !is_gone {
        return None;
    }
    let before = || word_before(text, ": no such file").or_else(|| word_before(text, ": No such file"));
    let word_of_path = || text.split_whitespace().map(word).find(|word| is_absolute(word));
    let path = match text.rfind("directory, ").or_else(|| text.rfind("directory: ")) {
        Some(at) => quoted(&text[at..]).or_else(|| Some(word(&text[at + 11..]))),
        None => quoted(text),
    };
    let path = path
        .filter(|path| is_missing || is_path(path))
        .or_else(|| before().filter(|path| is_missing && path.contains(['/', '\\', '.'])))
        .or_else(word_of_path);
    (is_missing || path.is_some()).then(|| Cause::MissingFile(path.unwrap_or_default().to_owned()))
}

fn unauthorized(line: &Line) -> Option<Cause> {
    let is_refused = has(
        line,
        &[
            "401 unauthorized",
            "401 (unauthorized",
            "403 forbidden",
            "access denied for user",
            "api key is invalid",
            "api key is not valid",
            "api key not valid",
            "authentication failed",
            "authenticationerror",
            "bad credentials",
            "e401",
            "http 401",
            "incorrect api key",
            "invalid access token",
            "invalid api key",
            "invalid api token",
            "invalid authentication",
            "invalid credentials",
            "invalid_api_key",
            "invalid_grant",
            "status 401",
            "status code 401",
            "status code: 401",
            "token expired",
            "token has expired",
            "token is invalid",
            "unauthorized",
        ],
    );
    is_refused.then_some(Cause::Unauthorized)
}

fn variable(line: &Line) -> Option<Cause> {
    let is_missing = has(
        line,
        &[
            "cannot be empty",
            "does not exist",
            "is empty",
            "is unset",
            "keyerror",
            "missing",
            "must be",
            "must provide",
            "must set",
            "n't set",
            "need to set",
            "needs to be",
            "no value",
            "not configured",
            "not defined",
            "not found",
            "not provided",
            "not set",
            "not specified",
            "please provide",
            "please set",
            "required",
            "set the",
            "undefined",
        ],
    );
    if !is_missing {
        return None;
    }
    let is_about_variables = has(line, &["environment variable", "env var", "env variable"]);
    let is_letter = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let variable = line.text.split(|char| !is_letter(char)).find(|name| is_variable(name, is_about_variables))?;
    Some(Cause::MissingVariable(variable.to_owned()))
}

/// Whether a word looks like the name of a variable, and not like the code of an error.
fn is_variable(name: &str, is_about_variables: bool) -> bool {
    const CODES: &[&str] =
        &["NOT_FOUND", "ERROR", "FAILED", "INVALID", "MISSING", "DENIED", "UNAUTHORIZED", "REQUIRED"];
    name.len() > 3
        && name.starts_with(|char: char| char.is_ascii_uppercase())
        && !name.contains(|char: char| char.is_ascii_lowercase())
        && (name.trim_matches('_').contains('_') || is_about_variables)
        && !name.starts_with("ERR_")
        && !name.starts_with("ER_")
        && !CODES.iter().any(|code| name.contains(code))
}

fn arguments(line: &Line) -> Option<Cause> {
    let is_wrong = has(
        line,
        &[
            "arguments are required",
            "arguments were not provided",
            "bad option: ",
            "flag provided but not defined",
            "invalid choice",
            "invalid option",
            "missing argument",
            "missing option",
            "missing required argument",
            "missing required option",
            "no such command",
            "no such option",
            "required option",
            "too many arguments",
            "unexpected argument",
            "unexpected extra argument",
            "unknown argument",
            "unknown command",
            "unknown flag",
            "unknown option",
            "unrecognized argument",
            "unrecognized option",
            "unrecognized subcommand",
        ],
    );
    is_wrong.then(|| Cause::Usage(line.words()))
}
