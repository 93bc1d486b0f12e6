use super::clash::{Clash, Which, name_similarity, name_terms, tell, tools};
use crate::rules::{Context, Servers, Sink, ToolFacts};

rule! {
    /// ## What it does
    /// Finds tools of different servers of one config file that are easily mistaken for each other: their names share a
    /// word, and either their descriptions are alike (0.65 or more) or names and descriptions together are (0.55 or more
    /// of 0.45 times the one and 0.55 times the other). Alike means: of the words of both, each counted once, plurals as
    /// one, so many are in both. Tools whose names share no word are not compared: `find_document` and `lookup_file` are
    /// not found, however alike they are described. Among more than about 1,400 tools nothing is compared.
    ///
    /// ## Why
    /// The model chooses by names and descriptions. Where two tools differ in a word, it takes the wrong one now and then,
    /// and nobody sees why.
    ///
    /// ## Bad
    /// ```json seen
    /// {"public": {"tools": [{"name": "search_public", "description": "Search public repositories by keyword and return matching repository names.", "inputSchema": {"type": "object", "properties": {}}}]},
    ///  "private": {"tools": [{"name": "search_private", "description": "Search private repositories by keyword and return matching repository names.", "inputSchema": {"type": "object", "properties": {}}}]}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"public": {"tools": [{"name": "search_public", "description": "Search public repositories by keyword and return matching repository names.", "inputSchema": {"type": "object", "properties": {}}}]},
    ///  "private": {"tools": [{"name": "search_wiki", "description": "Look a topic up in the handbook of the company, when a question is about people or rules.", "inputSchema": {"type": "object", "properties": {}}}]}}
    /// ```
    ///
    /// ## Fix
    /// None: what tells the tools apart is not in the lists.
    ///
    /// ## Sources
    /// agentcheckup A203, with its thresholds.
    "cross-server-ambiguous", Toolset, Servers(check), Warning;
    help: "say in each description when to use this tool and not the other, or switch one of the two off";
    aliases: ["A203"];
    since: "0.1.0";
}

/// Descriptions as alike as this are easily mistaken.
const DESCRIPTION: f64 = 0.65;
/// Names and descriptions together, by these weights, as alike as this are, too.
const BLENDED: f64 = 0.55;
const WEIGHTS: (f64, f64) = (0.45, 0.55);

/// More pairs of tools than this are not compared: that many take some 50 ms.
const MAX_PAIRS: usize = 1_000_000;
/// Clashes whose numbers a note gives.
const NUMBERS: usize = 3;

/// How alike two tools are: names, descriptions, both together.
struct Alike {
    names: f64,
    descriptions: f64,
}

impl Alike {
    fn of(one: &(Vec<String>, &ToolFacts), other: &(Vec<String>, &ToolFacts)) -> Alike {
        let names = name_similarity(&one.0, &other.0);
        Alike { names, descriptions: if names > 0.0 { one.1.terms.similarity(&other.1.terms) } else { 0.0 } }
    }

    fn blended(&self) -> f64 {
        WEIGHTS.0 * self.names + WEIGHTS.1 * self.descriptions
    }

    /// Names of the same words are other rules'.
    fn is_ambiguous(&self) -> bool {
        self.names > 0.0 && self.names < 1.0 && (self.descriptions >= DESCRIPTION || self.blended() >= BLENDED)
    }
}

fn check(servers: &Servers, _: &Context, out: &mut Sink) {
    let facts = |(server, tool): Which| &servers.servers[server].tools[tool];
    let all: Vec<(Which, (Vec<String>, &ToolFacts))> =
        tools(servers).map(|(which, name)| (which, (name_terms(name), facts(which)))).collect();
    if all.len() * all.len() / 2 > MAX_PAIRS {
        return;
    }
    let mut found: Vec<(Clash, Alike)> = Vec::new();
    for (index, (one, first)) in all.iter().enumerate() {
        let others = all[index + 1..].iter().filter(|(other, _)| other.0 != one.0);
        found.extend(others.filter_map(|(other, second)| {
            let alike = Alike::of(first, second);
            alike.is_ambiguous().then_some((Clash { one: *one, other: *other }, alike))
        }));
    }
    let clashes = found.iter().map(|(clash, _)| *clash).collect();
    let words = ("is easily mistaken for", "are easily mistaken for tools");
    tell(servers, clashes, words, out, |group, finding| {
        for clash in group.iter().take(NUMBERS) {
            let Some((_, alike)) = found.iter().find(|(known, _)| known == clash) else { continue };
            let Alike { names, descriptions } = alike;
            let blended = alike.blended();
            let label = |which| facts(which).quoted("a tool");
            let (one, other) = (label(clash.one), label(clash.other));
            let numbers = format!("names {names:.4}, descriptions {descriptions:.4}, together {blended:.3}");
            finding.note(format!("{one} and {other} are alike, from 0 to 1: {numbers}"));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::findings;

    fn seen(one: (&str, &str), other: (&str, &str)) -> Vec<crate::diagnostic::Diagnostic> {
        let server = |(name, description): (&str, &str)| serde_json::json!({"tools": [{"name": name, "description": description}]});
        let seen = serde_json::json!({"a": server(one), "b": server(other)});
        findings(Ruleset::only(&RULE), "seen", &seen.to_string())
    }

    #[test]
    fn the_worked_example_holds() {
        let description =
            |which: &str| format!("Search {which} repositories by keyword and return matching repository names.");
        let found = seen(("search_public", &description("public")), ("search_private", &description("private")));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "`b/search_private` is easily mistaken for `a/search_public`");
        assert!(
            found[0].notes[0].ends_with("names 0.3333, descriptions 0.7143, together 0.543"),
            "{:?}",
            found[0].notes
        );
    }

    #[test]
    fn a_tool_that_is_mistaken_for_several_is_one() {
        let tool = |name: &str| serde_json::json!({"name": name, "description": "Get an item of the archive by its number and return its fields."});
        let (few, many) = ([tool("get_item_a")], [tool("get_item_b"), tool("get_item_c")]);
        let found = |one: &[serde_json::Value], other: &[serde_json::Value]| {
            let seen = serde_json::json!({"a": {"tools": one}, "b": {"tools": other}});
            findings(Ruleset::only(&RULE), "seen", &seen.to_string()).remove(0).message
        };
        assert_eq!(found(&many, &few), "`b/get_item_a` is easily mistaken for `a/get_item_b` and 1 more");
        let all = "2 tools are easily mistaken for tools of `a`: `b/get_item_b`, `b/get_item_c`";
        assert_eq!(found(&few, &many), all);
    }

    #[test]
    fn names_without_a_word_in_common_are_not_compared() {
        let text = "Find a document by its title and return its path.";
        assert_eq!(seen(("find_document", text), ("lookup_file", text)), []);
    }

    #[test]
    fn the_three_rules_exclude_each_other() {
        let text = "Find a document by its title and return its path.";
        assert_eq!(seen(("find_document", text), ("document_find", text)), []);
        assert_eq!(seen(("find_document", text), ("Find_Document", text)), []);
        assert_eq!(seen(("find_document", text), ("find_old_document", text)).len(), 1);
    }
}
