use crate::diagnostic::Fix;
use crate::model::Server;
use crate::rules::{Context, Sink};
use crate::syntax::{Value, without_member};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds server entries that have a `command` and a `url`.
    ///
    /// ## Why
    /// A server is either started on this machine or reached by its URL. With both, some clients refuse the entry and
    /// others pick one of them, and not all the same one.
    ///
    /// ## Bad
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"], "url": "https://docs.example/mcp"}}}
    /// ```
    ///
    /// ## Good
    /// ```json .mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}}
    /// ```
    ///
    /// ## Fix
    /// A suggestion for each: keep this one and remove the other.
    ///
    /// ## Sources
    /// The sources of the clients' dialects; kurrent-io/kcap-cli pull request 366.
    "conflicting-transport", Config, Server(check), Error;
    fix: Suggestion;
    help: "keep `command` for a server on this machine, or `url` for a remote one";
    since: "0.1.0";
}

fn check(server: &Server, _: &Context, out: &mut Sink) {
    // Where a client reads no URL, unknown-key says that it is ignored.
    if !server.dialect.remote {
        return;
    }
    // A string in an array is one that wrong-value-type takes out.
    let is_given = |value: &Value| value.as_str().map_or(!value.elements().is_empty(), |text| !text.trim().is_empty());
    let find = |key: &str| {
        let index = server.value.members().iter().rposition(|member| &*member.key.name == key)?;
        let member = &server.value.members()[index];
        is_given(&member.value).then_some((index, member.key.range))
    };
    let (Some(command), Some(url)) = (find("command"), find("url")) else { return };
    let is_once = |key: &str| server.value.members().iter().filter(|member| &*member.key.name == key).count() == 1;
    let keep = |kept: &str, other: &str, (index, _): (usize, _)| {
        // Without the last of two equal keys the other one counts.
        is_once(other).then(|| {
            let edits = without_member(server.text, server.value, index);
            Fix::suggestion(format!("keep `{kept}` and remove `{other}`"), edits)
        })
    };
    let mut fixes = [keep("command", "url", url), keep("url", "command", command)];
    let is_remote = server.value.get("type").and_then(|value| value.as_str()).is_some_and(|word| word != "stdio");
    if is_remote {
        fixes.reverse();
    }
    let (first, second) = if command.0 < url.0 { (command, url) } else { (url, command) };
    let message = format!("`{}` has both a `command` and a `url`, and a server has one of them", shown(server.name()));
    let finding = out.add(second.1, message);
    finding.related(first.1, if first == command { "the `command`" } else { "the `url`" });
    finding.fixes.extend(fixes.into_iter().flatten());
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check_at, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn points_at_the_second() {
        check_at(
            &RULE,
            ".mcp.json",
            r#"
{"mcpServers": {"a": {"url": "x", "command": "y"}, "b": {"command": "y", "args": [], "url": "x"},
                                  ^^^^^^^^^ `a` has both
                                                                                     ^^^^^ `b` has both
                "c": {"url": "", "command": "y"}, "d": {"url": null, "command": "y"}}}
"#,
        );
        check_at(&RULE, "claude_desktop_config.json", r#"{"mcpServers": {"a": {"url": "x", "command": "y"}}}"#);
    }

    #[test]
    fn keeps_what_the_type_speaks_of() {
        let fixed = |before: &str, after: &str| {
            let file = |server: &str| format!("{{\"servers\": {{\"a\": {server}}}}}\r\n");
            check_fix(&RULE, Suggestion, ".vscode/mcp.json", &file(before), &file(after));
        };
        fixed(r#"{"command": "x", "url": "y"}"#, r#"{"command": "x"}"#);
        fixed(r#"{"type": "http", "command": "x", "url": "y"}"#, r#"{"type": "http", "url": "y"}"#);
        fixed(r#"{"command": "w", "command": "x", "url": "y"}"#, r#"{"command": "w", "command": "x"}"#);
        fixed(
            "{\r\n  \"url\": \"y\",\r\n  // starts it\r\n  \"command\": \"x\",\r\n}",
            "{\r\n  // starts it\r\n  \"command\": \"x\",\r\n}",
        );
    }
}
