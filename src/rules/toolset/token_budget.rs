use crate::diagnostic::Anchor;
use crate::provider::{Costs, Model, Provider};
use crate::rules::{Context, Priced, Servers, Sink};
use crate::text::{counted, shown};

rule! {
    /// ## What it does
    /// Finds lists of tools that together cost more than 20,000 tokens on every turn with one of the models that are
    /// meant, and config files whose servers do so together where none does alone. The limit is `tokenBudget` under
    /// `[limits]`. What comes once because there are tools at all is not counted.
    ///
    /// ## Why
    /// Every request carries every tool, before the user has said a word: it takes room and money, and the more there is
    /// to read, the more often a model chooses the wrong tool.
    ///
    /// ## Bad
    /// ```json tools.jsonc
    /// [
    ///   {"name": "get_report_1", "description": "Get report 1 as a table of rows, oldest first, with the count, the total and the name of whoever entered it last.", "inputSchema": {"type": "object", "properties": {"since": {"type": "string", "description": "First day, as 2026-01-31."}}}},
    ///   // … and 299 more
    ///   {"name": "list_reports", "description": "List the reports that can be got.", "inputSchema": {"type": "object", "properties": {}}}
    /// ]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "get_report", "description": "Get a report as a table of rows, oldest first, with the count, the total and the name of whoever entered it last.", "inputSchema": {"type": "object", "properties": {"report": {"type": "integer", "description": "Number of the report, as list_reports returns it."}, "since": {"type": "string", "description": "First day, as 2026-01-31."}}, "required": ["report"]}},
    ///  {"name": "list_reports", "description": "List the reports that can be got.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// None: which tools can go is for you to say. `mcp-analyzer tokens` shows what each of them costs.
    ///
    /// ## Sources
    /// 20,000 tokens are a tenth of a window of 200,000, which is also where Claude Code, set to `auto`, begins to leave
    /// tools out and has the model search for them (2026-04). How it is counted: docs/tokens.md.
    "token-budget", Toolset, Costs(check, check_servers), Warning;
    help: "switch off what is rarely used, shorten the largest descriptions, or make one tool of several that differ in a parameter";
    since: "0.1.0";
}

/// The largest that are named.
const NAMED: usize = 5;

fn check(priced: &Priced, cx: &Context, out: &mut Sink) {
    let costs: Costs = priced.costs.iter().copied().flatten().collect();
    let Some((provider, tokens)) = over(&costs, cx) else { return };
    let Some((first, range)) = priced.tools.iter().find_map(|tool| Some((tool, tool.name.as_ref()?.1))) else { return };
    let model = priced.models.of(provider);
    let subject = match costs.tools {
        1 => "the only tool of this list costs".to_owned(),
        count => format!("the {count} tools of this list cost"),
    };
    let sign = model.accuracy().sign();
    let message = format!("{subject} {sign}{tokens} tokens on every turn, more than {}", cx.budget.list);
    let of = |index: &usize| priced.costs[*index].and_then(|cost| cost.tokens(provider).ok()).unwrap_or_default();
    let largest = largest(priced.tools.len(), of);
    let label = |index: usize| priced.tools[index].quoted("one without a name");
    let told = largest.iter().map(|index| format!("{} {sign}{}", label(*index), of(index)));
    let finding = out.on(first.item).add(range, message).note(note(model, told));
    for index in largest {
        let tool = &priced.tools[index];
        if let Some((_, range)) = tool.name.as_ref() {
            let message = format!("{} costs {sign}{} tokens", label(index), of(&index));
            finding.related_at(Anchor::Item(tool.item), *range, message);
        }
    }
}

fn check_servers(servers: &Servers, cx: &Context, out: &mut Sink) {
    let known = || servers.servers.iter().filter_map(|server| server.costs.as_ref());
    let is_told_of_one = known().any(|costs| over(costs, cx).is_some());
    let Some(all) = known().copied().reduce(Costs::with).filter(|_| !is_told_of_one) else { return };
    let Some((provider, tokens)) = over(&all, cx) else { return };
    let model = servers.models.of(provider);
    let sign = model.accuracy().sign();
    let of = |index: &usize| servers.servers[*index].costs.map_or(0, |costs| costs.of(provider));
    let largest = largest(servers.servers.len(), of);
    let Some(first) = largest.first().map(|index| &servers.servers[*index]) else { return };
    let message = format!(
        "the {} of {} cost {sign}{tokens} tokens on every turn, more than {}",
        counted(all.tools, "tool"),
        counted(known().count(), "server"),
        cx.budget.list
    );
    let told = largest.iter().map(|index| format!("`{}` {sign}{}", shown(servers.servers[*index].name), of(index)));
    let finding = out.on(first.item).add(first.range, message).note(note(model, told));
    for index in largest.iter().skip(1) {
        let server = &servers.servers[*index];
        let message = format!("`{}` costs {sign}{} tokens", shown(server.name), of(index));
        finding.related_at(Anchor::Item(server.item), server.range, message);
    }
}

fn note(model: &Model, largest: impl Iterator<Item = String>) -> String {
    format!("counted for {}; the largest: {}", model.name, largest.collect::<Vec<_>>().join(", "))
}

fn over(costs: &Costs, cx: &Context) -> Option<(Provider, usize)> {
    costs.most(cx.targets).filter(|(_, tokens)| *tokens > cx.budget.list)
}

/// The indexes of the largest few that cost anything, the largest first.
fn largest(count: usize, tokens: impl Fn(&usize) -> usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).filter(|index| tokens(index) > 0).collect();
    all.sort_by_key(|index| std::cmp::Reverse(tokens(index)));
    all.truncate(NAMED);
    all
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::findings;
    use crate::diagnostic::Diagnostic;
    use crate::settings::Settings;

    fn found(settings: &str, path: &str, text: &str) -> Vec<Diagnostic> {
        let rules = Ruleset::new(&toml::from_str::<Settings>(settings).expect("settings"), false);
        let found = findings(rules, path, text);
        found.into_iter().filter(|finding| finding.rule == RULE.name).collect()
    }

    fn tools(names: &[&str]) -> String {
        let tool = |name: &&str| {
            let description = "Get it. ".repeat(name.len());
            format!(r#"{{"name": "{name}", "description": "{description}", "inputSchema": {{"type": "object"}}}}"#)
        };
        format!("[{}]", names.iter().map(tool).collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn names_the_five_largest() {
        let text = tools(&["a", "bbbbbbb", "cc", "dddddd", "eee", "ffffffff", "gggg"]);
        assert_eq!(found("", "tools.json", &text), []);
        let all = found("limits.tokenBudget = 100", "tools.json", &text);
        let [finding] = all.as_slice() else { unreachable!("{all:?}") };
        assert_eq!(&text[finding.range.as_usize()], "\"a\"");
        assert!(finding.message.starts_with("the 7 tools of this list cost ≈"), "{}", finding.message);
        assert!(finding.message.ends_with(" tokens on every turn, more than 100"), "{}", finding.message);
        let order: Vec<_> = finding.related.iter().filter_map(|related| related.message.split('`').nth(1)).collect();
        assert_eq!(order, ["ffffffff", "bbbbbbb", "dddddd", "gggg", "eee"]);
        assert!(
            finding.notes[0].starts_with("counted for claude-sonnet-4-6; the largest: `ffffffff` ≈"),
            "{finding:?}"
        );
    }

    #[test]
    fn servers_are_over_together() {
        let (few, many) = (tools(&["aaaa", "bbbbb"]), tools(&["cccccc", "ddd"]));
        let servers = format!(r#"{{"few": {{"tools": {few}}}, "many": {{"tools": {many}}}}}"#);
        let openai = |limit: usize| format!("limits.tokenBudget = {limit}\ntargets.providers = ['openai']");
        let all = found(&openai(60), "seen", &servers);
        let [finding] = all.as_slice() else { unreachable!("{all:?}") };
        assert!(finding.message.starts_with("the 4 tools of 2 servers cost "), "{}", finding.message);
        assert!(finding.notes[0].contains("the largest: `"), "{finding:?}");
        assert_eq!(finding.related.len(), 1);
        // One of them alone: its list says so.
        let all = found(&openai(30), "seen", &servers);
        assert!(
            !all.is_empty() && all.iter().all(|finding| finding.message.contains(" of this list cost ")),
            "{all:#?}"
        );
    }
}
