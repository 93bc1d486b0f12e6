use crate::rules::{Context, File, Sink};
use crate::text::TextRange;

rule! {
    /// ## What it does
    /// On the command line, tells of a file that was asked for by its name and is neither the config of a known client
    /// nor a tool list.
    ///
    /// ## Why
    /// Such a file is not checked. Without a word, that would look as if nothing were wrong with it.
    ///
    /// ## Bad
    /// ```json servers.json
    /// {"docs": ["uvx", "docs-server@1.0.0"]}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}}
    /// ```
    ///
    /// ## Fix
    /// None: `--kind` says what the file is.
    ///
    /// ## Sources
    /// The sources of the clients' dialects, for where config files are; MCP 2026-07-28, `tools/list`, for the shape of
    /// a list.
    "unrecognised-file", Syntax, File(check), Information;
    help: "pass `--kind` with what it is to check it all the same: `tools`, or the client that reads it, such as `vscode`";
    since: "0.1.0";
}

fn check(file: &File, _: &Context, out: &mut Sink) {
    if *file == File::Unrecognised {
        let message = "not an MCP file, and not checked: neither the config of a known client nor a tool list";
        out.add(TextRange::empty(0), message);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::RULE;
    use crate::analysis::testing::document;
    use crate::analysis::{Analysis, ReadAs, Ruleset, World};

    #[test]
    fn only_a_file_that_was_asked_for_is_told_of() {
        let rules = Arc::new(Ruleset::only(&RULE));
        let count = |text: &str, read_as: Option<ReadAs>| {
            let document = document("package.json", text);
            Analysis::default().check(&World { read_as, ..World::new(&document, &rules) }).findings().len()
        };
        assert_eq!(count("{}", Some(ReadAs::Named)), 1);
        assert_eq!(count("{}", None), 0);
        assert_eq!(count("{}", Some(ReadAs::Tools)), 0);
        assert_eq!(count(r#"{"jsonrpc": "2.0", "error": {}}"#, Some(ReadAs::Tools)), 1);
        assert_eq!(count(r#"[{"name": "a", "inputSchema": {}}]"#, Some(ReadAs::Named)), 0);
    }
}
