use std::cmp::Reverse;

use rustc_hash::FxHashSet;

use crate::diagnostic::{Anchor, Severity};
use crate::rules::{Context, Sink, ToolFacts, Toolset};

mod told;

use told::are_told_apart;

rule! {
    /// ## What it does
    /// Finds tools of one list that are described in nearly the same words: of the words of two descriptions, each
    /// counted once, three of five or more are in both. Words such as "the" and "returns" do not count, and
    /// descriptions of fewer than five other words are not compared. Tools that are alike directly or over others are
    /// one finding, on the first of them; where more than a tenth of a long list is alike, there is one for the list. The
    /// very same words are `duplicate-description`'s.
    ///
    /// ## Why
    /// The model chooses between tools by their descriptions. Where two differ in a word or two, these are easily
    /// overlooked; and where the words are the same and the tools are not, what tells them apart is not said at all.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "search_issues", "description": "Search the issues of a repository by keyword and return their titles.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "find_issues", "description": "Find issues of a repository by keyword and return the titles.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "search_issues", "description": "Search the issues of a repository by keyword and return their titles.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "find_issues", "description": "Look up what is assigned to one person, over all repositories. For a keyword use search_issues.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// None: what tells the tools apart is not in the list.
    ///
    /// ## Sources
    /// The providers' guides to tool use: a description says when to use the tool, and when another.
    "similar-descriptions", Toolset, Toolset(check), Warning;
    help: "say in each description when to use this tool and not the other, or make one tool of them";
    since: "0.1.0";
}

/// A list with no more tools than this that are alike is told of each cluster.
const MANY: usize = 20;
/// How many of a cluster are named.
const NAMED: usize = 3;
/// How many tools of a list that is alike are looked at for an example, and how many they are compared with.
const SAMPLE: (usize, usize) = (20, 200);

fn check(toolset: &Toolset, _: &Context, out: &mut Sink) {
    let tools = toolset.tools;
    let alike = toolset.similar.alike();
    if alike.len() > MANY.max(tools.len() / 10) {
        say_of_list(tools, &alike, out);
        return;
    }
    for mut cluster in toolset.similar.clusters() {
        let mut names = FxHashSet::default();
        // Tools of one name are another rule's.
        cluster.retain(|tool| tools[*tool].label().is_none_or(|name| names.insert(name)));
        if cluster.len() > 1 {
            say(tools, &cluster, out);
        }
    }
}

/// One finding for the list, with a pair as an example: the first that names do not tell apart, where there is one.
fn say_of_list(tools: &[ToolFacts], alike: &[usize], out: &mut Sink) {
    let some = &alike[..alike.len().min(SAMPLE.1)];
    let like = |tool: &usize| {
        let one = &tools[*tool];
        let others = some.iter().filter(|other| *other != tool).map(|other| &tools[*other]);
        Some((one, others.max_by_key(|other| percent(one, other))?)).filter(|(one, other)| percent(one, other) >= 60)
    };
    let pairs: Vec<_> = some.iter().take(SAMPLE.0).filter_map(like).collect();
    let unclear = pairs.iter().find(|(one, other)| !are_told_apart(one, other));
    let example = unclear.or(pairs.first());
    let (on, severity) = match (unclear, example) {
        (None, Some((one, _))) => (*one, Severity::Information),
        (_, example) => (example.map_or(&tools[alike[0]], |(one, _)| one), Severity::Warning),
    };
    let Some((_, range)) = on.description else { return };
    let such_as =
        example.map(|(one, other)| format!(", such as {} and {}", one.quoted("one"), other.quoted("another")));
    let message = format!(
        "{} of the {} tools of this list are described nearly like another{}",
        alike.len(),
        tools.len(),
        such_as.unwrap_or_default()
    );
    let finding = out.on(on.item).add_as(severity, range, message);
    if let Some((one, other)) = example {
        finding.note(note(one, other));
    }
}

fn say(tools: &[ToolFacts], cluster: &[usize], out: &mut Sink) {
    let (first, near) = nearest(tools, cluster);
    let Some((_, range)) = first.description else { return };
    let names: Vec<String> = near.iter().take(NAMED).map(|tool| tool.quoted("another tool")).collect();
    let others = match (&names[..], near.len()) {
        ([all @ .., last], count) if count <= NAMED && !all.is_empty() => format!("{} and {last}", all.join(", ")),
        (_, count) if count > NAMED => format!("{} and {} more", names.join(", "), count - NAMED),
        _ => names.concat(),
    };
    let message = format!("{} is described nearly like {others}", first.quoted("this tool"));
    let severity = match near.iter().all(|tool| are_told_apart(first, tool)) {
        true => Severity::Information,
        false => Severity::Warning,
    };
    let finding = out.on(first.item).add_as(severity, range, message);
    if let Some(like) = near.first() {
        finding.note(note(first, like));
    }
    for tool in near {
        if let Some((_, range)) = tool.description {
            finding.related_at(Anchor::Item(tool.item), range, format!("{} is described so", tool.quoted("it")));
        }
    }
}

/// The first of some tools, and the others, the most alike first.
fn nearest<'t>(tools: &'t [ToolFacts], some: &[usize]) -> (&'t ToolFacts, Vec<&'t ToolFacts>) {
    let first = &tools[some[0]];
    let mut others: Vec<&ToolFacts> = some[1..].iter().map(|tool| &tools[*tool]).collect();
    others.sort_by_cached_key(|tool| Reverse(percent(first, tool)));
    (first, others)
}

fn percent(one: &ToolFacts, other: &ToolFacts) -> u32 {
    (100.0 * one.terms.similarity(&other.terms)).round() as u32
}

fn note(one: &ToolFacts, other: &ToolFacts) -> String {
    let (own, like) = (one.quoted("this one"), other.quoted("the other"));
    match percent(one, other) {
        100 => format!("{own} and {like} are described by the same words in another order"),
        percent => format!("of the words that describe {own} and {like}, {percent} % are the same"),
    }
}

#[cfg(test)]
mod tests;
