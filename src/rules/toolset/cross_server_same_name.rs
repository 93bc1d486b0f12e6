use rustc_hash::FxHashMap;

use super::clash::{Which, pairs, tell, tools};
use crate::rules::{Context, Servers, Sink};

rule! {
    /// ## What it does
    /// Finds servers of one config file that list a tool of the same name, whatever its case. It looks at what the
    /// servers listed when they were last asked.
    ///
    /// ## Why
    /// Some clients show the model the bare name: then one tool hides the other, or the whole request is refused. Others
    /// put the server's name before it; even so the model has to choose between two tools by the name of a server, which
    /// tells it little.
    ///
    /// ## Bad
    /// ```json seen
    /// {"github": {"tools": [{"name": "search", "description": "Search the code of all repositories.", "inputSchema": {"type": "object", "properties": {}}}]},
    ///  "docs": {"tools": [{"name": "search", "description": "Look a word up in the manual.", "inputSchema": {"type": "object", "properties": {}}}]}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"github": {"tools": [{"name": "search_code", "description": "Search the code of all repositories.", "inputSchema": {"type": "object", "properties": {}}}]},
    ///  "docs": {"tools": [{"name": "find_in_manual", "description": "Look a word up in the manual.", "inputSchema": {"type": "object", "properties": {}}}]}}
    /// ```
    ///
    /// ## Fix
    /// None: the names are given by the servers. Switch one of them off where both are not needed, or the tool in the
    /// client's settings.
    ///
    /// ## Sources
    /// agentcheckup A201. What clients make of names: their documentation and source, see the clients' pages.
    "cross-server-same-name", Toolset, Servers(check), Warning;
    help: "switch off the server or the tool that you do not need, or rename the tool where its server is written";
    aliases: ["A201"];
    since: "0.1.0";
}

fn check(servers: &Servers, cx: &Context, out: &mut Sink) {
    let mut by_name: FxHashMap<String, Vec<Which>> = FxHashMap::default();
    for (which, name) in tools(servers).filter(|(_, name)| !name.is_empty()) {
        by_name.entry(name.to_lowercase()).or_default().push(which);
    }
    let words = ("has the same name as", "have the names of tools");
    tell(servers, pairs(by_name.into_values()), words, out, |_, finding| {
        let Some((client, name)) = cx.dialect.and_then(|client| Some((client, client.tool_name?))) else { return };
        finding.note(match name {
            "TOOL" => format!("{} shows the model the bare name, so that one tool hides the other", client.name),
            name => {
                format!("{} shows the model `{name}`, so that only the server's name tells them apart", client.name)
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::findings;

    #[test]
    fn two_servers_are_one_finding_on_the_later() {
        let tools = r#"{"tools": [{"name": "search"}, {"name": "Fetch"}, {"name": "own_%"}]}"#;
        let seen = format!(
            r#"{{"a": {}, "b": {}, "c": {{"tools": [{{"name": "fetch"}}]}}}}"#,
            tools.replace('%', "a"),
            tools.replace('%', "b").replace("Fetch", "fetch")
        );
        let found = findings(Ruleset::only(&RULE), "seen", &seen);
        let messages: Vec<&str> = found.iter().map(|finding| &*finding.message).collect();
        assert_eq!(
            messages,
            [
                "2 tools have the names of tools of `a`: `b/search`, `b/fetch`",
                "`c/fetch` has the same name as `a/Fetch`",
                "`c/fetch` has the same name as `b/fetch`",
            ]
        );
        assert_eq!(found[0].related.len(), 5);
        assert!(found[0].notes[0].contains("mcp__SERVER__TOOL"), "{:?}", found[0].notes);
    }
}
