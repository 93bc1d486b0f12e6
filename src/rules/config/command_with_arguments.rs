use crate::diagnostic::Fix;
use crate::model::Server;
use crate::rules::config::launch::{launch, shell_words};
use crate::rules::{Context, Sink};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds a `command` that holds arguments, too: `"node index.js"`, and one with white space around the program. A
    /// path that has spaces in it is left alone.
    ///
    /// ## Why
    /// Clients start a program of exactly this name, spaces included, and there is none: the server fails with
    /// "not found" or `ENOENT`.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx docs-server@1.0.0", "args": ["--quiet"]}}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0", "--quiet"]}}}
    /// ```
    ///
    /// ## Fix
    /// Safe: moves the arguments into `args`, before those that are there; takes white space away. A suggestion, where the path of the program
    /// may have spaces as well. None, where a shell would do more than start one program.
    ///
    /// ## Sources
    /// MCP 2026-07-28: `command` is the executable of the stdio transport; Node's `child_process.spawn`.
    "command-with-arguments", Config, Server(check), Error;
    fix: Safe;
    help: "put the program alone into `command` and every argument into `args`";
    since: "0.1.0";
}

/// Programs that start others; the file in `command` is one of them more often than not.
const LAUNCHERS: &[&str] = &[
    "bash",
    "bun",
    "bunx",
    "cargo",
    "cmd",
    "deno",
    "docker",
    "dotnet",
    "env",
    "go",
    "java",
    "node",
    "npm",
    "npx",
    "php",
    "pipx",
    "pnpm",
    "podman",
    "powershell",
    "pwsh",
    "python",
    "python3",
    "ruby",
    "sh",
    "tsx",
    "uv",
    "uvx",
    "yarn",
    "zsh",
];

/// Folders that hold programs, whose names have no spaces.
const PROGRAM_FOLDERS: &[&str] = &["bin", ".bin", "sbin", "shims", "Scripts"];

/// How programs end that may be started under Windows, with the space behind.
const WINDOWS_ENDS: &[&str] = &[".exe ", ".cmd ", ".bat ", ".ps1 "];

fn check(server: &Server, _: &Context, out: &mut Sink) {
    let Some(command) = server.member("command") else { return };
    let Some(written) = command.value.as_str() else { return };
    let line = written.trim();
    let Some(Split { end, is_certain }) = split(line) else {
        // An empty one is missing-transport's.
        if line.len() < written.len() && !line.is_empty() {
            let place = if written.starts_with(char::is_whitespace) { "starts" } else { "ends" };
            let message = format!("the `command` of `{}` {place} with white space", shown(server.name()));
            let edits = launch(server, command, line, &[]);
            out.add(command.value.range, message)
                .note("the client looks for a program of exactly this name, spaces included")
                .fix(edits.map(|edits| Fix::safe("remove the white space", edits)));
        }
        return;
    };
    let quoted = shown(line);
    let finding =
        out.add(command.value.range, format!("`{quoted}` is a program with arguments, and they belong in `args`"));
    finding.note("the client looks for a program of exactly this name, spaces included");
    let words = match end {
        Some(end) => shell_words(&line[end..]).map(|words| (line[..end].to_owned(), words)),
        None => shell_words(line).map(|mut words| (words.remove(0), words)),
    };
    // `NAME=value program` sets a variable, which has a place of its own.
    let Some((program, words)) = words.filter(|(program, _)| !program.contains('=')) else { return };
    let edits = launch(server, command, &program, &words);
    let fix = if is_certain { Fix::safe } else { Fix::suggestion };
    finding.fix(
        edits.map(|edits| fix(format!("make `{}` the command and move the rest to `args`", shown(&program)), edits)),
    );
}

/// Where a program ends and its arguments begin.
struct Split {
    /// The end of the program; `None` where it is in quotes.
    end: Option<usize>,
    is_certain: bool,
}

/// `None` for a program alone, whose path may have spaces.
fn split(line: &str) -> Option<Split> {
    let certain = |end: usize| Some(Split { end: Some(end), is_certain: true });
    let first_end = line.find(char::is_whitespace)?;
    if line.starts_with(['"', '\'']) {
        return shell_words(line).is_none_or(|words| words.len() > 1).then_some(Split { end: None, is_certain: true });
    }
    let has_space_inside = |variable: &str| variable.split('}').next().is_some_and(|name| name.contains(' '));
    if line.split("${").skip(1).any(has_space_inside) {
        return None;
    }
    let lower = line.to_ascii_lowercase();
    if let Some(end) = WINDOWS_ENDS.iter().filter_map(|end| Some(lower.find(end)? + end.len() - 1)).min() {
        return certain(end);
    }
    let (first, rest) = line.split_at(first_end);
    let mut folders = first.rsplit(['/', '\\']);
    let (name, folder) = (folders.next().unwrap_or_default(), folders.next());
    let is_flag = |word: &str| word.trim_start_matches('-').len() < word.len() && word.len() > 1;
    let starts_with_flag = rest.split_whitespace().next().is_some_and(is_flag);
    let is_in_program_folder = folder.is_some_and(|folder| PROGRAM_FOLDERS.contains(&folder));
    // A name to be looked for on the PATH has no spaces.
    if folder.is_none() || starts_with_flag || is_in_program_folder && LAUNCHERS.contains(&name) {
        return certain(first_end);
    }
    let flag = rest.split_whitespace().find(|word| is_flag(word))?;
    let at = flag.as_ptr() as usize - line.as_ptr() as usize;
    Some(Split { end: Some(line[..at].trim_end().len()), is_certain: false })
}

#[cfg(test)]
mod tests;
