//! The server in real editors: Neovim without a screen, Helix in a terminal, and VS Code in a browser.
//!
//! `.ci/install-editors` installs them and prints the variables by which they are found here.
//! Without an editor its test says so and passes, except where `MCP_ANALYZER_REQUIRE_EDITORS` is 1.
//! Each has real servers probed as well, which `.ci/install-servers` installs; without them the test
//! says so, except where `MCP_ANALYZER_REQUIRE_SERVERS` is 1.
#![expect(clippy::expect_used, reason = "a test fails by panicking and says on stderr what it left out")]

use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-analyzer");

#[test]
fn neovim() {
    let Some(nvim) = find_neovim() else {
        return not_run("neovim", "0.11 or newer on PATH, or its path in MCP_ANALYZER_TEST_NVIM");
    };
    run(
        "neovim",
        Command::new(nvim).args(["--clean", "--headless", "-l"]).arg(checkout("editors/neovim/test.lua")).arg(SERVER),
    );
}

#[test]
fn helix() {
    let Some(hx) = find_helix() else {
        return not_run("helix", "25 or newer on PATH, or its path in MCP_ANALYZER_TEST_HX, tmux and Python 3");
    };
    run("helix", Command::new("python3").arg(checkout("editors/helix/test.py")).arg(hx).arg(SERVER));
}

#[test]
fn vscode() {
    let Some(directory) = env::var_os("MCP_ANALYZER_TEST_VSCODE") else {
        return not_run("vscode", "its directory in MCP_ANALYZER_TEST_VSCODE");
    };
    run(
        "vscode",
        Command::new("node")
            .arg(checkout("editors/vscode/test/run.mjs"))
            .env("MCP_ANALYZER_TEST_VSCODE", directory)
            .env("MCP_ANALYZER_SERVER", SERVER),
    );
}

/// Says that an editor is missing, or fails where the editors are required.
fn not_run(editor: &str, needed: &str) {
    let message = format!("not run: {editor} (needs {needed}; .ci/install-editors installs it)");
    report("MCP_ANALYZER_REQUIRE_EDITORS", &message);
}

/// Says that what has servers asked is left out, or fails where the servers are required.
fn not_probed(editor: &str) {
    let message = format!("not run: servers in {editor} (needs MCP_ANALYZER_TEST_SERVERS; see .ci/install-servers)");
    report("MCP_ANALYZER_REQUIRE_SERVERS", &message);
}

fn report(required: &str, message: &str) {
    assert!(env::var(required).as_deref() != Ok("1"), "{message}");
    // Not by a macro, whose output libtest keeps to itself when a test passes.
    writeln!(std::io::stderr(), "{message}").expect("stderr can be written");
}

fn checkout(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The Neovim that the environment names, else one on PATH that knows `vim.lsp.config`.
fn find_neovim() -> Option<PathBuf> {
    if let Some(path) = env::var_os("MCP_ANALYZER_TEST_NVIM") {
        return Some(path.into());
    }
    let probe = Command::new("nvim")
        .args(["--clean", "--headless"])
        .args(["-c", "if has('nvim-0.11') | quit | else | cquit | endif"])
        .output()
        .ok()?;
    probe.status.success().then(|| "nvim".into())
}

/// The Helix that the environment names, else one on PATH that is new enough, where its test can run.
fn find_helix() -> Option<PathBuf> {
    if let Some(path) = env::var_os("MCP_ANALYZER_TEST_HX") {
        return Some(path.into());
    }
    let says = |program: &str, argument: &str| Some(Command::new(program).arg(argument).output().ok()?.stdout);
    says("tmux", "-V").and(says("python3", "--version"))?;
    let version = String::from_utf8(says("hx", "--version")?).ok()?;
    let major: u32 = version.strip_prefix("helix ")?.split('.').next()?.parse().ok()?;
    (major >= 25).then(|| "hx".into())
}

/// Runs an editor's script, which prints one line a check, and fails as it does.
fn run(editor: &str, command: &mut Command) {
    if env::var_os("MCP_ANALYZER_TEST_SERVERS").is_none() {
        not_probed(editor);
    }
    let output = command.output().expect("the editor's program starts");
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
}
