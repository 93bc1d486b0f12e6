use serde_json::json;

use crate::diagnostic::Fix;
use crate::model::Root;
use crate::model::dialect::{Dialect, Transport};
use crate::rules::{Context, Document, Sink};
use crate::syntax::{Place, Value, insert_member};

rule! {
    /// ## What it does
    /// Finds config files that are there for servers and have none.
    ///
    /// ## Why
    /// The client starts nothing and says nothing. It may be meant so; it may also be all that is left of a file that
    /// a program wrote anew.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {"mcpServers": {}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}}
    /// ```
    ///
    /// ## Fix
    /// A suggestion: an entry for you to fill in, as this client writes it.
    ///
    /// ## Sources
    /// The sources of the clients' dialects.
    "empty-config", Config, Document(check), Information;
    fix: Suggestion;
    help: "add a server, or remove the file where it is not needed";
    since: "0.1.0";
}

fn check(document: &Document, _: &Context, out: &mut Sink) {
    let dialect = document.dialect;
    let root = &document.reading.value;
    let [path @ .., last] = dialect.roots[0] else { return };
    let servers = path.iter().chain([last]).try_fold(root, |value, key| value.get(key));
    let is_only_for_servers = || root.is_object() && (root.members().is_empty() || dialect.root_keys.is_some());
    let is_empty = match servers {
        Some(servers) => servers.is_object() && servers.members().is_empty(),
        None => *document.root == Root::Missing && path.is_empty() && is_only_for_servers(),
    };
    if !is_empty || !document.reading.errors.is_empty() {
        return;
    }
    let edit = match servers {
        Some(servers) => add(document.text, servers, NAME, &skeleton(dialect)),
        None => add(document.text, root, last, &json!({ NAME: skeleton(dialect) })),
    };
    let range = servers.unwrap_or(root).opening();
    out.add(range, format!("no server is configured here for {}", dialect.name))
        .fix(Fix::suggestion("add a server", vec![edit]));
}

/// What a server is called until somebody knows better.
const NAME: &str = "my-server";

fn add(text: &str, object: &Value, key: &str, value: &serde_json::Value) -> crate::text::Edit {
    insert_member(text, object, Place::First, key, value)
}

fn skeleton(dialect: &Dialect) -> serde_json::Value {
    match dialect.word_for(Transport::Stdio) {
        Some(word) => json!({ "type": word, "command": "…", "args": ["…"] }),
        None => json!({ "command": "…", "args": ["…"] }),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check_at, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn a_file_for_servers_has_some() {
        check_at(&RULE, ".mcp.json", "\n{\"mcpServers\": {}}\n               ^ no server is configured here\n");
        check_at(&RULE, ".vscode/mcp.json", "\n{\"inputs\": []}\n^ no server is configured here for VS Code\n");
        for text in [
            r#"{"mcpServers": {"a": {}}}"#,
            r#"{"preferences": {}}"#,
            r#"{"servers": {}}"#,
            r#"{"mcpServers": []}"#,
            r#"{"mcpServers": {}"#,
            "",
            "[]",
        ] {
            check_at(&RULE, "claude_desktop_config.json", text);
        }
    }

    #[test]
    fn the_entry_speaks_the_clients_language() {
        let fixed = |path: &str, before: &str, after: &str| check_fix(&RULE, Suggestion, path, before, after);
        fixed("claude_desktop_config.json", "{}", r#"{"mcpServers": {"my-server": {"command": "…", "args": ["…"]}}}"#);
        fixed(
            ".vscode/mcp.json",
            "{\r\n  \"inputs\": [],\r\n  \"servers\": {}\r\n}\r\n",
            "{\r\n  \"inputs\": [],\r\n  \"servers\": {\"my-server\": {\"type\": \"stdio\", \"command\": \"…\", \"args\": [\"…\"]}}\r\n}\r\n",
        );
    }
}
