use crate::rules::{Context, File, Sink};
use crate::text::TextRange;

rule! {
    /// ## What it does
    /// Tells of files so long that only their syntax is checked: 16 MiB and more. One of more than 64 MiB is not read
    /// at all.
    ///
    /// ## Why
    /// No client reads a config file of that size, and no model a tool list. Checking it in full would make the editor
    /// slow and find nothing that matters as much.
    ///
    /// ## Bad
    /// ```json
    /// {"tools": ["16 MiB of tools"]}
    /// ```
    ///
    /// ## Good
    /// ```json
    /// {"tools": [{"name": "list_files", "description": "List the files of a folder.", "inputSchema": {"type": "object"}}]}
    /// ```
    ///
    /// ## Fix
    /// None: split the list, or keep what does not belong into it elsewhere.
    ///
    /// ## Sources
    /// The limits are mcp-analyzer's own.
    "file-too-large", Syntax, File(check), Warning;
    help: "split the file, or keep in it only what a client or a model is to read";
    since: "0.1.0";
}

fn check(file: &File, _: &Context, out: &mut Sink) {
    if let File::Large { full } = file {
        let message = format!("the file is longer than {} MiB: only its syntax is checked", full >> 20);
        out.add(TextRange::empty(0), message)
            .note("rules about tools and servers, and about the list as a whole, are not run");
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::findings;
    use crate::settings::{Preset, Settings};

    #[test]
    fn a_long_file_is_checked_for_its_syntax() {
        let text = |mebibytes: usize| {
            let tool = r#"{"name": "Get Thing", "inputSchema": {"required": ["x"],}}"#;
            format!("{{\"tools\": [{tool}, {tool}]}}{}", " ".repeat(mebibytes << 20))
        };
        let rules = || Ruleset::new(&Settings { preset: Some(Preset::All), ..Settings::default() }, false);
        let said = |text: &str| {
            let found = findings(rules(), "tools.json", text);
            let mut rules: Vec<&str> = found.iter().map(|finding| finding.rule).collect();
            rules.dedup();
            rules
        };
        assert_eq!(said(&text(16)), [RULE.name, "trailing-comma"]);
        assert!(said(&text(15)).contains(&"missing-description"));
        assert!(!said(&text(15)).contains(&RULE.name));
        assert_eq!(findings(rules(), "package.json", &format!("{{}}{}", " ".repeat(16 << 20))), []);
    }
}
