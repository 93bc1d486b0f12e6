//! Tools of different servers that get in each other's way: how they are found, and how they are told, one finding for
//! two servers and a rule, since that is one thing to decide.

use crate::diagnostic::{Anchor, Diagnostic};
use crate::rules::{Listed, Servers, Sink};
use crate::text::{counted, shown, stem, words};

/// Clashes that one finding names, and places that it refers to.
const NAMED: usize = 3;
const PLACES: usize = 10;

/// A tool of one of the servers: the index of the server and that of the tool.
pub(super) type Which = (usize, usize);

/// Two tools of different servers, the one of the server that comes first in the file first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Clash {
    pub(super) one: Which,
    pub(super) other: Which,
}

/// Every tool that has a name.
pub(super) fn tools<'a>(servers: &'a Servers) -> impl Iterator<Item = (Which, &'a str)> {
    servers.servers.iter().enumerate().flat_map(|(server, listed)| {
        (0..listed.tools.len()).filter_map(move |tool| Some(((server, tool), listed.tools[tool].label()?)))
    })
}

/// The words of a name in one form, each once, sorted.
pub(super) fn name_terms(name: &str) -> Vec<String> {
    let mut terms: Vec<String> = words(name).iter().map(|word| stem(word).into_owned()).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// How many of the words of both names are words of each: Jaccard's index, from 0 to 1.
pub(super) fn name_similarity(one: &[String], other: &[String]) -> f64 {
    let shared = one.iter().filter(|term| other.binary_search(term).is_ok()).count();
    let all = one.len() + other.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// The pairs of different servers in groups of tools that have something in common.
pub(super) fn pairs(groups: impl Iterator<Item = Vec<Which>>) -> Vec<Clash> {
    let mut out = Vec::new();
    for group in groups {
        // Of one server the first stands for all: that they have something in common is another rule's.
        let mut group = group;
        group.sort_unstable();
        group.dedup_by_key(|(server, _)| *server);
        for (index, one) in group.iter().enumerate() {
            out.extend(group[index + 1..].iter().map(|other| Clash { one: *one, other: *other }));
        }
    }
    out
}

/// Tells of clashes, those of two servers together on the later one. `verb` joins their names in a sentence, as in
/// `b/x` VERB `a/x`, and `many` tells of several: N tools MANY of `a`. `more` adds what there is to say to each finding.
pub(super) fn tell(
    servers: &Servers,
    mut clashes: Vec<Clash>,
    (verb, many): (&str, &str),
    out: &mut Sink,
    mut more: impl FnMut(&[Clash], &mut Diagnostic),
) {
    clashes.sort_unstable_by_key(|clash| (clash.other.0, clash.one.0, clash.other.1, clash.one.1));
    for group in clashes.chunk_by(|one, other| (one.one.0, one.other.0) == (other.one.0, other.other.0)) {
        let (one, other) = (&servers.servers[group[0].one.0], &servers.servers[group[0].other.0]);
        // A tool may clash with several.
        let mut tools: Vec<usize> = group.iter().map(|clash| clash.other.1).collect();
        tools.dedup();
        let and_more = |left: usize| if left > 0 { format!(" and {left} more") } else { String::new() };
        let message = match tools.as_slice() {
            [tool] => {
                let (first, second) = (quoted(one, group[0].one.1), quoted(other, *tool));
                format!("{second} {verb} {first}{}", and_more(group.len() - 1))
            }
            _ => {
                let named: Vec<String> = tools.iter().take(NAMED).map(|tool| quoted(other, *tool)).collect();
                let rest = and_more(tools.len() - named.len());
                format!("{} {many} of `{}`: {}{rest}", counted(tools.len(), "tool"), shown(one.name), named.join(", "))
            }
        };
        let finding = out.on(other.item).add(other.range, message);
        finding.related_at(Anchor::Item(one.item), one.range, "the other server");
        for clash in group.iter().take(PLACES) {
            for (server, tool) in [(one, clash.one.1), (other, clash.other.1)] {
                if let Some((_, range)) = server.tool(tool) {
                    finding.related_at(Anchor::Document(server.source.clone()), range, quoted(server, tool));
                }
            }
        }
        more(group, finding);
    }
}

/// A tool with its server, as everybody writes the two.
fn quoted(server: &Listed, tool: usize) -> String {
    format!("`{}/{}`", shown(server.name), shown(server.tools[tool].label().unwrap_or_default()))
}
