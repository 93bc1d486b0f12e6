use rustc_hash::FxHashMap;

use super::clash::{Which, name_terms, pairs, tell, tools};
use crate::rules::{Context, Servers, Sink};

rule! {
    /// ## What it does
    /// Finds tools of different servers of one config file whose names are made of the same words, in another order, case,
    /// number or with other signs between them: `search_files` and `fileSearch`. The very same name is
    /// `cross-server-same-name`'s.
    ///
    /// ## Why
    /// A model that means one of them easily writes the other.
    ///
    /// ## Bad
    /// ```json seen
    /// {"disk": {"tools": [{"name": "search_files", "description": "Find files below a folder.", "inputSchema": {"type": "object", "properties": {}}}]},
    ///  "drive": {"tools": [{"name": "fileSearch", "description": "Look something up in the cloud.", "inputSchema": {"type": "object", "properties": {}}}]}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"disk": {"tools": [{"name": "search_files", "description": "Find files below a folder.", "inputSchema": {"type": "object", "properties": {}}}]},
    ///  "drive": {"tools": [{"name": "search_drive", "description": "Look something up in the cloud.", "inputSchema": {"type": "object", "properties": {}}}]}}
    /// ```
    ///
    /// ## Fix
    /// None: the names are given by the servers.
    ///
    /// ## Sources
    /// agentcheckup A202.
    "cross-server-near-name", Toolset, Servers(check), Warning;
    help: "switch off the server or the tool that you do not need, or rename the tool where its server is written";
    aliases: ["A202"];
    since: "0.1.0";
}

fn check(servers: &Servers, _: &Context, out: &mut Sink) {
    let mut by_terms: FxHashMap<Vec<String>, Vec<(Which, String)>> = FxHashMap::default();
    for (which, name) in tools(servers) {
        by_terms.entry(name_terms(name)).or_default().push((which, name.to_lowercase()));
    }
    let names: FxHashMap<Which, String> = by_terms.values().flatten().cloned().collect();
    let groups = by_terms.into_iter().filter(|(terms, _)| !terms.is_empty());
    let mut clashes = pairs(groups.map(|(_, tools)| tools.into_iter().map(|(which, _)| which).collect()));
    clashes.retain(|clash| names.get(&clash.one) != names.get(&clash.other));
    tell(servers, clashes, ("has nearly the name of", "have nearly the names of tools"), out, |_, _| {});
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::findings;

    #[test]
    fn the_same_words_are_told_and_the_same_name_is_not() {
        let seen = r#"{"a": {"tools": [{"name": "list_issue"}, {"name": "get"}]},
            "b": {"tools": [{"name": "issues-list"}, {"name": "GET"}, {"name": "list_issue_types"}]}}"#;
        let found = findings(Ruleset::only(&RULE), "seen", seen);
        let messages: Vec<&str> = found.iter().map(|finding| &*finding.message).collect();
        assert_eq!(messages, ["`b/issues-list` has nearly the name of `a/list_issue`"]);
    }
}
