//! The command line as a user meets it: the real binary on real files and servers.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod files;
mod servers;
mod tokens;

use std::process::Output;

use serde_json::Value as Json;

const BINARY: &str = env!("CARGO_BIN_EXE_mcp-analyzer");

/// What became of a run of the binary.
#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Ran {
    fn new(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Asserts the exit code and words of stdout.
    #[track_caller]
    fn says(&self, code: i32, words: &[&str]) -> &Ran {
        assert_eq!(self.code, Some(code), "{self:#?}");
        words.iter().for_each(|word| assert!(self.stdout.contains(word), "no `{word}` in {self:#?}"));
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        self
    }

    /// Asserts words of stderr.
    #[track_caller]
    fn complains(&self, words: &[&str]) -> &Ran {
        words.iter().for_each(|word| assert!(self.stderr.contains(word), "no `{word}` in {self:#?}"));
        self
    }

    fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }

    fn json(&self) -> Json {
        serde_json::from_str(&self.stdout).unwrap()
    }
}
