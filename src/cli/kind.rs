//! The value of `--kind`.

use crate::analysis::ReadAs;
use crate::model::{Dialect, dialect};
use crate::text::nearest;

const TOOLS: &str = "tools";

/// What the user says that the files are.
pub(super) fn parse(value: &str) -> Result<ReadAs, String> {
    if value == TOOLS {
        return Ok(ReadAs::Tools);
    }
    if let Some(dialect) = Dialect::by_id(value) {
        return Ok(ReadAs::Config(dialect));
    }
    let names = || std::iter::once(TOOLS).chain(dialect::ALL.iter().map(|dialect| dialect.id));
    let meant = nearest(value, names()).map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
    let names: Vec<&str> = names().collect();
    Err(format!("{meant}known kinds: {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_answered_with_what_was_meant() {
        assert!(matches!(parse("tools"), Ok(ReadAs::Tools)));
        assert!(matches!(parse("vscode"), Ok(ReadAs::Config(dialect)) if dialect.id == "vscode"));
        let error = parse("vscod").expect_err("no such kind");
        assert!(error.contains("did you mean `vscode`?") && error.contains("claude-code"), "{error}");
    }
}
