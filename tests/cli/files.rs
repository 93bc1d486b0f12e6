//! Files on the command line.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mcp_analyzer::analysis::{Ruleset, fix_all};
use mcp_analyzer::diagnostic::Applicability;
use mcp_analyzer::document::{Document, Format};
use tempfile::TempDir;

use crate::{BINARY, Ran};

/// A tool list with one problem that is safe to fix.
const TOOLS: &str = r#"{"tools": [{"name": "merge_notes", "description": "Merge two notes and return the text of both.",
  "inputSchema": {"type": "object", "properties": {"first": {"type": "string", "description": "The first note"}}, "required": ["first", "second"], "additionalProperties": false},
  "annotations": {"readOnlyHint": true}}]}
"#;
/// The same without the problem.
const CLEAN: &str = r#"{"tools": [{"name": "merge_notes", "description": "Merge two notes and return the text of both.",
  "inputSchema": {"type": "object", "properties": {"first": {"type": "string", "description": "The first note"}}, "required": ["first"], "additionalProperties": false},
  "annotations": {"readOnlyHint": true}}]}
"#;

struct Project {
    directory: TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let project = Project { directory: tempfile::tempdir().unwrap() };
        files.iter().for_each(|(path, content)| project.write(path, content));
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The binary in this project, away from the settings of whoever runs the tests.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command
            .args(arguments)
            .current_dir(self.directory.path())
            .env("XDG_CONFIG_HOME", self.path("no-config"))
            .env("XDG_STATE_HOME", self.path("no-state"))
            .env("HOME", self.path("no-home"))
            .env("APPDATA", self.path("no-config"))
            .env_remove("CLICOLOR_FORCE")
            .env_remove("MCP_ANALYZER_LOG");
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        Ran::new(self.command(arguments).stdin(Stdio::null()).output().unwrap())
    }

    fn run_with(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Ran::new(child.wait_with_output().unwrap())
    }
}

#[test]
fn a_finding_is_a_frame_and_an_exit_code() {
    let project = Project::new(&[("tools.json", TOOLS), ("clean.json", CLEAN)]);
    let frame =
        ["error[undefined-required]: `second`", "--> tools.json:2:", "^^^^^^^^", "= help: ", "= fix: remove `second`"];
    let ran = project.run(&["check", "tools.json"]);
    ran.says(1, &frame).says(1, &["1 problem in 1 tool\n`--fix` mends 1 problem\n"]);
    assert!(!ran.stdout.contains('\u{1b}'), "no colours in a pipe");
    project.run(&["check", "--fail-on", "never", "tools.json"]).says(0, &frame);
    project.run(&["check", "--quiet"]).says(1, &["1 problem in 2 tools\n"]);
    project.write("hint/tools.json", CLEAN.replace("\"readOnlyHint\": true", ""));
    project.run(&["check", "hint", "--fail-on", "info"]).says(0, &[" hint in 1 tool"]);
    project.run(&["check", "hint", "--fail-on", "hint"]).says(1, &[]);
    fs::remove_dir_all(project.path("hint")).unwrap();
    let clean = project.run(&["check", "clean.json"]);
    clean.says(0, &["nothing a model would stumble over in 1 tool\n"]);
    let coloured = Ran::new(project.command(&["check"]).env("CLICOLOR_FORCE", "1").output().unwrap());
    coloured.says(1, &["\u{1b}["]);
    let plain = Ran::new(project.command(&["check"]).env("NO_COLOR", "1").output().unwrap());
    assert!(!plain.stdout.contains('\u{1b}'));
}

#[test]
fn json_follows_its_schema() {
    let project = Project::new(&[("tools.json", TOOLS), ("package.json", r#"{"name": "x"}"#)]);
    let ran = project.run(&["check", "--format", "json", "tools.json", "package.json", "gone.json"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    let json = ran.json();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["tool"]["name"], "mcp-analyzer");
    assert_eq!(json["files"].as_array().unwrap().len(), 3);
    assert_eq!(json["files"][0]["status"], "skipped");
    assert_eq!(json["files"][1]["status"], "skipped");
    assert_eq!(json["findings"][0]["rule"], "unrecognised-file");
    assert_eq!(json["files"][2], serde_json::json!({"path": "tools.json", "kind": "tools", "status": "checked"}));
    let finding = &json["findings"][1];
    let offset = TOOLS.find("\"second\"").unwrap();
    let column = offset - TOOLS.find('\n').unwrap();
    assert_eq!(
        finding["range"]["start"],
        serde_json::json!({"line": 2, "column": column, "offset": offset}),
        "{finding:#}"
    );
    assert_eq!(finding["rule"], "undefined-required");
    assert_eq!(finding["pointer"], "/tools/0/inputSchema/required/1");
    assert_eq!(finding["tool"], "merge_notes");
    assert_eq!(finding["fix"]["applicability"], "safe");
    assert_eq!(json["summary"]["error"], 1);
    assert_eq!(json["summary"]["tools"], 1);
}

#[test]
fn columns_count_characters() {
    let project = Project::new(&[]);
    let text = "[{\"name\": \"a\", \"description\": \"größe \u{1F600}\", \"inputSchema\": {\"type\": \"object\", \"properties\": {}, \"required\": [\"x\"]}}]";
    let ran = project.run_with(&["check", "-", "--format", "json"], text.as_bytes());
    let json = ran.json();
    let findings = json["findings"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["rule"] == "undefined-required").unwrap();
    let offset = text.find("\"x\"").unwrap();
    assert_eq!(finding["path"], "<stdin>");
    assert_eq!(finding["range"]["start"]["offset"], offset);
    assert_eq!(finding["range"]["start"]["column"], text[..offset].chars().count() + 1);
}

#[test]
fn a_directory_is_looked_through() {
    let config = r#"{"mcpServers": {"a": {"command": "x"}}}"#;
    let project = Project::new(&[
        (".gitignore", ".cursor\n.vscode/\n/.mcp.json\n"),
        (".mcp.json", config),
        (".cursor/mcp.json", config),
        (".vscode/mcp.json", r#"{"servers": {"a": {"command": "x"}}}"#),
        (".hidden/tools.json", TOOLS),
        ("deep/er/tools.json", CLEAN),
        ("node_modules/x/tools.json", TOOLS),
        ("node_modules/x/.mcp.json", config),
        (".git/tools.json", TOOLS),
        ("package.json", "{}"),
        ("tsconfig.json", "{ // comment\n}"),
        ("notes.txt", TOOLS),
        ("binary.json", "\u{0}"),
    ]);
    project.write("latin.json", b"{\"a\": \"\xe9\"}");
    let json = project.run(&["check", "--format", "json"]).json();
    let files = json["files"].as_array().unwrap();
    let paths: Vec<&str> = files.iter().filter_map(|file| file["path"].as_str()).collect();
    let expected = [".cursor/mcp.json", ".hidden/tools.json", ".mcp.json", ".vscode/mcp.json", "deep/er/tools.json"];
    assert_eq!(paths.iter().map(|path| path.replace('\\', "/")).collect::<Vec<_>>(), expected);
    assert_eq!(json["summary"]["servers"], 3);
    assert_eq!(files[0]["client"], "cursor");
    let ran = project.run(&["check", "."]);
    ran.says(1, &["in 2 tools and 3 servers\n"]);
    assert_eq!(ran.last_line(), "4 other JSON files skipped: neither the config of a known client nor a tool list");
}

#[test]
fn nothing_checked_is_said() {
    let project = Project::new(&[("package.json", r#"{"name": "x"}"#), ("empty/.keep", "")]);
    project.run(&["check"]).says(0, &["nothing was checked\n1 JSON file skipped: neither"]);
    project.run(&["check", "empty"]).says(0, &["nothing was checked\n"]);
    project.run(&["check", "package.json"]).says(
        0,
        &["note[unrecognised-file]: not an MCP file", "--> package.json:1:1", "pass `--kind`", "nothing was checked"],
    );
    project.run(&["check", "package.json", "--fail-on", "info"]).says(1, &["nothing was checked"]);
    project.run(&["check", "package.json", "--kind", "tools"]).says(1, &["in 1 tool"]);
}

#[test]
fn a_kind_is_taken_at_its_word() {
    let project = Project::new(&[("x.json", r#"{"mcpServers": {"a": {"command": "x", "args": []},}}"#)]);
    let json = project.run(&["check", "x.json", "--kind", "claude-code", "--format", "json"]).json();
    assert_eq!(json["files"][0]["client"], "claude-code");
    let wrong = project.run(&["check", "--kind", "cursr"]);
    wrong.says(2, &[]).complains(&["did you mean `cursor`?", "claude-desktop"]);
    project.run(&["check", "--prset", "all"]).says(2, &[]).complains(&["--preset"]);
    project.run(&["chek"]).says(2, &[]);
    project.run(&["check", "--unsafe"]).says(2, &[]);
    project.run(&[]).says(0, &["Usage:"]);
    project.run(&["--version"]).says(0, &[env!("CARGO_PKG_VERSION")]);
}

#[test]
fn fixing_changes_nothing_else() {
    let crlf = format!("\u{feff}{}", TOOLS.replace('\n', "\r\n"));
    let project = Project::new(&[("tools.json", &crlf), ("clean.json", CLEAN)]);
    let before = fs::metadata(project.path("clean.json")).unwrap().modified().unwrap();
    let diff = project.run(&["check", "--diff"]);
    diff.says(
        1,
        &["--- tools.json\n+++ tools.json\n", "\"required\": [\"first\", \"second\"]", "\"required\": [\"first\"]"],
    );
    diff.complains(&["would fix 2 problems in 1 file"]);
    assert_eq!(project.read("tools.json"), crlf);
    project.run(&["check", "--fix"]).complains(&["fixed 2 problems in 1 file"]);
    assert_eq!(project.read("tools.json"), CLEAN.replace('\n', "\r\n"), "the byte order mark goes, nothing else");
    assert_eq!(fs::metadata(project.path("clean.json")).unwrap().modified().unwrap(), before);
    assert_eq!(fs::read_dir(project.directory.path()).unwrap().count(), 2, "no temporary file is left");
    let again = project.run(&["check", "--diff"]);
    again.says(0, &[]).complains(&["nothing to fix"]);
    assert_eq!(again.stdout, "");
    project.run(&["check", "--fix", "-"]).says(2, &[]).complains(&["--diff"]);
}

#[cfg(unix)]
/// What is announced is what is done: the style that is advised, and how many problems are mended.
#[test]
fn fixing_does_what_was_announced() {
    let names = ["createIssue", "get-issue", "listIssues"].map(|name| {
        format!(
            r#"{{"name": "{name}", "description": "Does one of several things with issues.", "inputSchema": {{"type": "object", "properties": {{}}, "required": ["x"]}}}}"#
        )
    });
    let project = Project::new(&[("tools.json", &format!("[{}]", names.join(",\n")))]);
    let announced = "`--fix` mends 3 problems, `--fix --unsafe` 1 more\n";
    project.run(&["check"]).says(1, &["= fix: rename to `getIssue`", announced]);
    assert!(!project.run(&["check", "--quiet"]).stdout.contains("mends"));
    let fixed = project.run(&["check", "--fix", "--unsafe", "--fail-on", "never"]);
    fixed.says(0, &["the tool names of this list are in camelCase"]).complains(&["fixed 4 problems in 1 file"]);
    assert!(!fixed.stdout.contains("mends"), "{fixed:#?}");
    let text = project.read("tools.json");
    assert!(["\"createIssue\"", "\"getIssue\"", "\"listIssues\""].iter().all(|name| text.contains(name)), "{text}");
    // One name that JSON escapes.
    project.write("tools.json", text.replace("getIssue", "get\\u0000Issue"));
    project.run(&["check"]).says(1, &["`--fix --unsafe` mends "]);
    project.run(&["check", "--fix", "--unsafe"]).says(1, &["duplicate-description"]);
    assert!(!project.read("tools.json").contains("u0000"));
}

#[test]
fn fixing_keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let project = Project::new(&[("real/tools.json", TOOLS)]);
    fs::set_permissions(project.path("real/tools.json"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink(project.path("real/tools.json"), project.path("link.json")).unwrap();
    project.run(&["check", "--fix", "link.json"]).says(0, &[]);
    assert!(fs::symlink_metadata(project.path("link.json")).unwrap().is_symlink());
    assert_eq!(project.read("real/tools.json"), CLEAN);
    assert_eq!(fs::metadata(project.path("real/tools.json")).unwrap().permissions().mode() & 0o777, 0o640);
    fs::write(project.path("real/tools.json"), TOOLS).unwrap();
    fs::set_permissions(project.path("real/tools.json"), fs::Permissions::from_mode(0o440)).unwrap();
    project
        .run(&["check", "--fix", "link.json"])
        .says(2, &["undefined-required"])
        .complains(&["is not fixed: no permission"]);
    assert_eq!(project.read("real/tools.json"), TOOLS);
}

#[test]
fn settings_come_from_the_nearest_file_and_flags() {
    let project = Project::new(&[
        ("a/tools.json", TOOLS),
        ("a/mcp-analyzer.toml", "[levels]\nundefined-required = \"warning\"\n"),
        ("b/tools.json", TOOLS),
        ("off.toml", "[levels]\nundefined-required = \"off\"\n"),
        ("slip.toml", "prset = \"all\"\ntargets.models = [\"gpd-5\"]\n"),
        ("bad.toml", "\npreset = 3\n"),
    ]);
    project.run(&["check", "-q"]).says(1, &["1 problem, 1 warning in 2 tools"]);
    project.run(&["check", "-q", "a"]).says(0, &["1 warning in 1 tool"]);
    project.run(&["check", "-q", "a", "--fail-on", "warning"]).says(1, &[]);
    project.run(&["check", "-q", "--settings", "off.toml"]).says(0, &["nothing a model would stumble over"]);
    project.run(&["check", "-q", "--settings", "slip.toml"]).says(1, &[]).complains(&[
        "warning: slip.toml:1: ",
        "did you mean `preset`?",
        "warning: slip.toml:2: ",
        "did you mean `gpt-5`?",
    ]);
    let bad = project.run(&["check", "--settings", "bad.toml"]);
    bad.says(2, &[]).complains(&["error: bad.toml:2: "]);
    assert_eq!(bad.stdout, "");
    project.run(&["check", "--settings", "gone.toml"]).says(2, &[]).complains(&["gone.toml"]);
    project.write("b/mcp-analyzer.toml", "levels = [");
    project.run(&["check"]).says(2, &[]).complains(&["mcp-analyzer.toml:1: "]);
    project.run(&["check", "-q", "a"]).says(0, &[]);
}

#[test]
fn bad_input_is_named_and_the_rest_is_checked() {
    let deep = format!("[{}{}]", "[".repeat(300), "]".repeat(300));
    let deep_tool = format!(
        r#"{{"tools": [{{"name": "deep", "inputSchema": {{"x": {}1{}}}}}, {}]}}"#,
        "[".repeat(300),
        "]".repeat(300),
        r#"{"name": "b", "description": "Does what is asked of it.", "inputSchema": {"type": "object", "properties": {}, "required": ["gone"]}, "annotations": {"readOnlyHint": true}}"#
    );
    let unterminated = TOOLS.replace("\"merge_notes\",", "\"merge_notes,");
    let project = Project::new(&[
        ("empty.json", ""),
        ("comma.json", "{\"a\": 1\n\"b\": 2}"),
        ("prose.json", "hello there\n"),
        ("space.json", " \r\n\t\n"),
        ("deep.json", &deep),
        ("deep_tool.json", &deep_tool),
        ("unterminated.json", &unterminated),
        ("two.json", &format!("{TOOLS}{{}}")),
        ("nul.json", &TOOLS.replace("text of", "text\0of")),
        ("lone.json", &TOOLS.replace("text of", "text \\ud800 of \\udc00")),
        ("healthy.json", TOOLS),
    ]);
    project.write("latin.json", b"{\"tools\": [{\"name\": \"\xe9\"}]}");
    project.write("binary.json", b"\x7fELF\0\0\0\xff\xfe\x80");
    project.write("utf16.json", b"\xff\xfe{\0}\0");
    let check = |name: &str| project.run(&["check", name]);
    check("empty.json").says(2, &["nothing was checked"]).complains(&["empty.json is not checked: it is empty"]);
    check("space.json").says(2, &[]).complains(&["it is empty"]);
    check("comma.json")
        .says(2, &[])
        .complains(&["comma.json is not checked: it is not JSON: expected `,` before this"]);
    check("prose.json").says(2, &[]).complains(&["prose.json is not checked: it is not JSON: ", " at 1:1"]);
    check("deep.json").says(0, &["not an MCP file", "--> deep.json:1:1"]);
    check("deep_tool.json").says(1, &["nested too deeply", "`gone` is required"]);
    check("unterminated.json").says(1, &["syntax-error", "--> unterminated.json:1:"]);
    check("two.json").says(1, &["trailing-content", "undefined-required"]);
    check("nul.json").says(1, &["U+0000", "undefined-required"]);
    check("lone.json").says(1, &["undefined-required"]);
    check("latin.json")
        .says(2, &["nothing was checked"])
        .complains(&["latin.json is not checked: it is not valid UTF-8"]);
    check("binary.json").says(2, &[]).complains(&["binary file"]);
    check("utf16.json").says(2, &[]).complains(&["UTF-16"]);
    check("gone.json").says(2, &[]).complains(&["gone.json is not checked: there is no such file"]);
    let all = project.run(&["check", "gone.json", "binary.json", "empty.json", "healthy.json"]);
    all.says(2, &["--> healthy.json:2:", "1 problem in 1 tool"]);
    project.run_with(&["check", "-"], b"").says(2, &[]).complains(&["<stdin> is not checked: it is empty"]);
    project.run_with(&["check", "-"], b"\xff").says(2, &[]).complains(&["<stdin> is not checked"]);
    project.run_with(&["check", "-"], TOOLS.as_bytes()).says(1, &["--> <stdin>:2:"]);
    let answer = format!(r#"{{"jsonrpc": "2.0", "id": 2, "result": {}}}"#, TOOLS.replace('\n', ""));
    let messages = format!("{{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {{}}}}\n{answer}\n");
    project.run_with(&["check", "-"], messages.as_bytes()).says(1, &["--> <stdin>:2:", "1 problem in 1 tool"]);
}

#[test]
fn a_large_file_is_told_without_being_read() {
    let project = Project::new(&[("healthy.json", CLEAN)]);
    let large = fs::File::create(project.path("large.json")).unwrap();
    large.set_len(70 * 1024 * 1024).unwrap();
    project
        .run(&["check", "large.json", "healthy.json"])
        .says(2, &["in 1 tool"])
        .complains(&["large.json is not checked: it is larger than 64 MiB"]);
    project.run(&["check"]).says(0, &["1 other JSON file skipped"]);
    // What is read for its syntax only is not said to have been checked.
    project.write("long.json", format!("{CLEAN}{}", " ".repeat(16 << 20)));
    project.run(&["check", "long.json"]).says(0, &["warning[file-too-large]", "1 warning in 1 file"]);
}

#[test]
fn a_line_of_a_megabyte_is_shown_around_the_finding() {
    let tool = |index: usize| {
        format!(
            r#"{{"name": "tool_{index}", "description": "Reads the entry of this number.", "inputSchema": {{"type": "object", "properties": {{}}, "required": ["gone_{index}"]}}}}"#
        )
    };
    let tools: Vec<String> = (0..7000).map(tool).collect();
    let line = format!("[{}]", tools.join(","));
    assert!(line.len() > 1_000_000);
    let project = Project::new(&[("line.json", &line)]);
    let ran = project.run(&["check"]);
    ran.says(1, &["`gone_4` is required", "\"gone_4\"", "… and 6995 more of undefined-required in line.json"]);
    assert!(ran.stdout.lines().all(|line| line.len() < 400), "no line is long");
    let json = project.run(&["check", "--format", "json"]).json();
    let findings = json["findings"].as_array().unwrap();
    let last = findings.iter().find(|finding| finding["pointer"] == "/6999/inputSchema/required/0").unwrap();
    assert_eq!(last["range"]["start"]["offset"], line.find("\"gone_6999\"").unwrap());
}

#[test]
fn nothing_from_a_file_reaches_the_terminal_raw() {
    let hostile = "\u{1b}]0;x\u{7}\u{9b}31m\u{202e}\u{2066}\u{200b}\u{e0041}\u{7f}";
    let text = TOOLS.replace("\"second\"", &format!("\"{hostile}\"")).replace("merge_notes", hostile);
    let project = Project::new(&[("tools.json", &text)]);
    for arguments in [&["check"][..], &["check", "--format", "json"], &["check", "--preset", "all"]] {
        let ran = Ran::new(project.command(arguments).env("CLICOLOR_FORCE", "1").output().unwrap());
        let obeyed = ran.stdout.replace("\u{1b}[", "").chars().find(|char| {
            (char.is_control() && *char != '\n')
                || matches!(char, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
        });
        assert_eq!(obeyed, None, "{arguments:?}");
        assert!(ran.stdout.contains("undefined-required"));
    }
    let json = project.run(&["check", "--format", "json"]).json();
    assert_eq!(json["findings"][0]["tool"], hostile, "and reads back the same");
}

#[test]
fn a_closed_pipe_is_no_error() {
    // More than fits into a pipe that nobody reads.
    let tools: Vec<String> =
        (0..20).map(|index| format!(r#"{{"name": "t {index}", "inputSchema": {{"required": ["x"]}}}}"#)).collect();
    let project = Project::new(&[]);
    (0..100).for_each(|index| project.write(&format!("{index}.json"), format!("[{}]", tools.join(",\n"))));
    for arguments in [&["check"][..], &["check", "--format", "json"]] {
        let mut child = project.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 10];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

/// Root may read everything, so that permissions are tested as `nobody` then.
#[cfg(unix)]
#[test]
fn a_directory_without_permission_is_named_and_the_rest_is_checked() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new(&[("locked/tools.json", TOOLS), ("tools.json", TOOLS), ("secret.json", TOOLS)]);
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    set(project.directory.path(), 0o755);
    set(&project.path("locked"), 0o000);
    set(&project.path("secret.json"), 0o000);
    let is_root = fs::read_dir(project.path("locked")).is_ok();
    let mut command = if is_root {
        // The build directory may be closed to others.
        fs::copy(BINARY, project.path("analyzer")).unwrap();
        set(&project.path("analyzer"), 0o755);
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(project.path("analyzer"));
        command
    } else {
        Command::new(BINARY)
    };
    let output = command.arg("check").current_dir(project.directory.path()).env("HOME", "/nonexistent").output();
    set(&project.path("locked"), 0o755);
    let output = match output {
        Ok(output) => output,
        // No way to become somebody else here.
        Err(error) if is_root && error.kind() == std::io::ErrorKind::NotFound => return,
        Err(error) => return assert_eq!(error.to_string(), ""),
    };
    Ran::new(output)
        .says(2, &["--> tools.json:2:", "1 problem in 1 tool"])
        .complains(&["locked is not checked: no permission", "secret.json is not checked: no permission"]);
}

#[test]
fn rules_explain_themselves() {
    let project = Project::new(&[]);
    project.run(&["rule"]).says(0, &["schema\n", "  undefined-required ", "rules; `mcp-analyzer rule NAME`"]);
    project.run(&["rule", "undefined-required"]).says(0, &["# undefined-required\n", "## Why\n", "fix: safe"]);
    project.run(&["rule", "undefined-requird"]).says(2, &[]).complains(&["did you mean `undefined-required`?"]);
    let one = project.run(&["rule", "undefined-required", "--format", "json"]).json();
    let keys: Vec<&String> = one.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["name", "family", "level", "severity", "fix", "help", "aliases", "since", "doc"]);
    let all = project.run(&["rule", "--format", "json"]).json();
    assert!(all.as_array().unwrap().contains(&one));
}

#[test]
fn the_settings_have_a_schema() {
    let project = Project::new(&[]);
    let schema = project.run(&["settings", "--schema"]).json();
    assert_eq!(schema["properties"]["preset"]["enum"], serde_json::json!(["recommended", "all"]));
    project.run(&["settings"]).says(2, &[]).complains(&["--schema"]);
}

#[test]
fn the_sample_shows_what_is_found() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sample");
    let output = Project::new(&[]).command(&["check"]).current_dir(sample).output().unwrap();
    Ran::new(output).says(1, &["undefined-required", "in 6 tools and 4 servers"]);
}

#[test]
fn a_fix_keeps_line_breaks_tabs_and_comments() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/messy/tools.jsonc");
    let text = fs::read_to_string(file).unwrap().lines().collect::<Vec<_>>().join("\r\n");
    let project = Project::new(&[("tools.jsonc", &text)]);
    project.run(&["check", "--fix", "tools.jsonc"]);
    let document = Document::new("tools.jsonc", None, Format::Jsonc, &text);
    let rules = Ruleset::new(&Default::default(), false);
    let fixed = fix_all(&document, &rules.into(), None, |_, fix| fix.applicability == Applicability::Safe).text;
    assert_eq!(project.read("tools.jsonc"), fixed);
    assert_eq!(fixed.matches('\n').count(), fixed.matches("\r\n").count());
    assert!(["// the first\r\n", "// stays\r\n", "/* no schema yet */ "].iter().all(|kept| fixed.contains(kept)));
    assert!(!["gone\",", "lost", "\\u200b", "descripton"].iter().any(|mended| fixed.contains(mended)), "{fixed}");
}

/// Put together here, so that no scanner takes this file for a leak.
const TOKENS: [&str; 5] = [
    concat!("ghp_", "4fKq81ZpLw7Rb2XcVt9Jh3Nd5Gs6Ym0QaTeU"),
    concat!("tvly-", "9Jh3Nd5Gs6Ym0QaTeU1iOo8B"),
    concat!("xoxb-", "81ZpLw7Rb2XcVt9Jh3Nd5G"),
    "S3cretPw9",
    concat!("R7b2XcVt9Jh3", "Nd5Gs6Ym0QaTeU"),
];

/// Config files that have a finding on, before and after every line with a secret.
fn configs_with_secrets() -> Vec<(&'static str, String)> {
    let [github, tavily, slack, password, random] = TOKENS;
    let whole = format!(
        r#"{{
  "mcpServers": {{
    "a": {{"command": "x", "environment": {{"GITHUB_TOKEN": "{github}"}}, "args": ["--key", "{tavily}",],}},
    "b": {{"comand": "x", "args": ["postgresql://app:{password}@db.example/x"], "args": ["-H", "Authorization: Bearer {random}"]}},
    "c": {{"url": "https://x.example/mcp?token={slack}", "headers": {{"X-Api-Key": "{random}", "X-Api-Key": "{random}"}}, "tpye": "http"}},
    "{github}": {{"{tavily}": 1}},
    "d": {{"command": "x", "url": "https://app:{password}@x.example", "env": {{"K": "1\n{slack}"}}}}
  }}
}}
"#
    );
    let unquoted = TOKENS.iter().fold(whole.clone(), |text, token| text.replace(&format!("\"{token}\""), token));
    let single =
        TOKENS.iter().fold(whole.clone(), |text, token| text.replace(&format!("\"{token}\""), &format!("'{token}'")));
    let unclosed = TOKENS.iter().fold(whole.clone(), |text, token| text.replace(&format!("{token}\""), token));
    let cut = TOKENS.iter().fold(whole.clone(), |text, token| text.replace(token, &format!("{token}\" x")));
    vec![
        ("one-line", whole.replace("\n", "")),
        ("unquoted-line", unquoted.replace("\n", "")),
        ("unclosed-line", unclosed.replace("\n", "")),
        ("unquoted", unquoted),
        ("single", single),
        ("unclosed", unclosed),
        ("cut", cut),
        ("no-commas", whole.replace(", ", " ")),
        ("no-colons", whole.replace("\": \"", "\" \"")),
        ("broken-off", whole[..whole.len() - 30].to_owned()),
        ("whole", whole),
    ]
}

#[test]
fn secrets_are_shown_nowhere() {
    for (name, text) in configs_with_secrets() {
        let project = Project::new(&[
            (".mcp.json", &text),
            ("x.json", &text),
            ("off.toml", "[levels]\nhardcoded-secret = \"off\"\n"),
        ]);
        let mut diffs = 0;
        for file in [&["check", ".mcp.json"][..], &["check", "x.json"], &["check", "--kind", "vscode", "x.json"]] {
            for more in [
                &[][..],
                &["--preset", "all"],
                &["--settings", "off.toml"],
                &["--format", "json"],
                &["--format", "json", "--preset", "all"],
                &["--diff"],
                &["--diff", "--unsafe"],
                // Nobody agrees to anything: what would be started is told.
                &["--probe"],
                &["--probe", "--format", "json"],
            ] {
                let ran = project.run(&[file, more].concat());
                let output = format!("{}{}", ran.stdout, ran.stderr);
                for token in TOKENS {
                    let lines: Vec<&str> = output.lines().filter(|line| line.contains(&token[..8])).collect();
                    assert!(lines.is_empty(), "{name}, {file:?} {more:?}: {lines:#?}");
                }
                diffs += usize::from(ran.stderr.contains("secrets are masked: use --fix to apply\n"));
            }
        }
        assert!(diffs > 0, "{name}");
        let text = project.run(&["check", ".mcp.json"]);
        text.says(1, &["•••"]);
    }
}

#[test]
fn a_rule_that_finds_the_same_all_over_is_counted() {
    let tools = |count: usize| {
        let tool = |index: usize| {
            format!(
                r#"{{"name": "get_{index}", "description": "Get the thing of number {index}.", "inputSchema": {{"type": "object", "properties": {{}}, "required": ["x"]}}}}"#
            )
        };
        format!("[{}]", (0..count).map(tool).collect::<Vec<_>>().join(",\n"))
    };
    let project = Project::new(&[("tools.json", &tools(30)), ("few.json", &tools(10))]);
    let ran = project.run(&["check", "tools.json"]);
    ran.says(1, &["… and 25 more of undefined-required in tools.json (--format json lists all)\n", "30 problems"]);
    assert_eq!(ran.stdout.matches("error[undefined-required]").count(), 5);
    let few = project.run(&["check", "few.json"]);
    assert_eq!(few.stdout.matches("error[undefined-required]").count(), 10);
    let json = project.run(&["check", "tools.json", "--format", "json"]).json();
    let all = json["findings"].as_array().unwrap().iter().filter(|finding| finding["rule"] == "undefined-required");
    assert_eq!(all.count(), 30);
}
