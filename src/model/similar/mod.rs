//! Which descriptions of a list are alike, kept up to date as the list changes.
//!
//! Two are alike if they share three of five of their [`Terms`]. Comparing each with each would take 50 million
//! comparisons for 10,000 tools; this takes time nearly linear in the list:
//!
//! - Descriptions with the same terms are one *node*.
//! - Terms are ranked, the rare ones first, and a node is filed under its first few: two sets of *a* and *b* terms that
//!   share at least *s* of them have their first shared term, by rank, among the first *a - s + 1* of one and the first
//!   *b - s + 1* of the other (prefix and position filter of set similarity joins). The ranks are a matter of speed
//!   only. They are fixed until the list has doubled, so that nothing has to be filed anew; a new term counts as rare.
//! - Not every pair is kept, only as many as tell of every node whether another is like it: a list of 10,000 tools made
//!   from one sentence has 50 million pairs, and 10,000 are kept. *Invariant:* a node has a neighbour here if and only if
//!   another node is like it.
//!
//! What is asked of it depends on the list alone, not on the changes that led there.

mod terms;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

pub use terms::Terms;

/// The index of a node.
type Id = u32;

/// The rank of a term: the higher, the more common.
type Rank = u32;

/// The lowest rank of a term that was there when ranks were given; new ones count down from it.
const FIRST_RANK: Rank = 1 << 31;

/// How many nodes come before ranks are given anew, at least.
const FEW: usize = 64;

/// The descriptions of one list, and which of them are alike.
#[derive(Debug, Default)]
pub struct Similar {
    /// The node of each tool; none where there is too little to compare, or an earlier tool has the very same words.
    tools: Vec<Option<Id>>,
    descriptions: FxHashMap<u64, Description>,
    nodes: Vec<Node>,
    /// Nodes that stand for nothing any more.
    free: Vec<Id>,
    by_terms: FxHashMap<Arc<[u64]>, Id>,
    ranks: FxHashMap<u64, Rank>,
    files: Files,
    /// The nodes that are alike, together; made when it is asked for, and kept until one of them comes or goes.
    clusters: OnceCell<Vec<Vec<Id>>>,
    /// The number of this update.
    round: u64,
    /// How many nodes may still come before ranks are given anew.
    room: usize,
    /// How many terms came since ranks were given.
    new_terms: Rank,
}

/// A description, by a hash of it.
#[derive(Debug)]
struct Description {
    node: Id,
    /// The last update that saw it.
    round: u64,
}

/// All descriptions with the same terms.
#[derive(Debug, Default)]
struct Node {
    terms: Arc<[u64]>,
    /// The terms by rank, sorted.
    ranks: Vec<Rank>,
    /// How many descriptions they are.
    count: usize,
    /// Some nodes that are like it: one at least, where there is one.
    neighbours: Vec<Id>,
}

impl Similar {
    /// Brings it up to a list: for each tool what its description is known by, and its terms.
    pub fn update<'t>(&mut self, tools: impl Iterator<Item = Option<(u64, &'t Terms)>>) {
        self.round += 1;
        self.tools.clear();
        let mut added = Vec::new();
        let mut seen = 0;
        for (tool, description) in tools.enumerate() {
            let mut node = None;
            if let Some((hash, terms)) = description.filter(|(_, terms)| terms.are_enough()) {
                match self.descriptions.get_mut(&hash) {
                    Some(known) if known.round == self.round => {}
                    Some(known) => {
                        known.round = self.round;
                        node = Some(known.node);
                        seen += 1;
                    }
                    None => {
                        self.descriptions.insert(hash, Description { node: 0, round: self.round });
                        added.push((tool, hash, terms));
                        seen += 1;
                    }
                }
            }
            self.tools.push(node);
        }
        if seen < self.descriptions.len() {
            self.forget_unseen();
        }
        if added.len() > self.room {
            self.rank(added.iter().map(|(_, _, terms)| terms.hashes()));
        }
        for (tool, hash, terms) in added {
            let node = self.add(terms.hashes());
            self.tools[tool] = Some(node);
            if let Some(description) = self.descriptions.get_mut(&hash) {
                description.node = node;
            }
        }
    }

    /// The tools whose description is like that of another tool, without being the same: their indices in the list.
    pub fn alike(&self) -> Vec<usize> {
        let is_alike = |node: &Option<Id>| node.is_some_and(|node| self.is_alike(node));
        self.tools.iter().enumerate().filter(|(_, node)| is_alike(node)).map(|(tool, _)| tool).collect()
    }

    /// The same tools, those together that are alike directly or over others.
    pub fn clusters(&self) -> Vec<Vec<usize>> {
        let mut tools_of: FxHashMap<Id, Vec<usize>> = FxHashMap::default();
        for tool in self.alike() {
            self.tools[tool].iter().for_each(|node| tools_of.entry(*node).or_default().push(tool));
        }
        let clusters = self.clusters.get_or_init(|| self.clusters_of_nodes()).iter().map(|nodes| {
            let mut tools: Vec<usize> = nodes.iter().filter_map(|node| tools_of.remove(node)).flatten().collect();
            tools.sort_unstable();
            tools
        });
        let mut clusters: Vec<Vec<usize>> = clusters.collect();
        clusters.sort_unstable();
        clusters
    }

    fn clusters_of_nodes(&self) -> Vec<Vec<Id>> {
        let ranks = |node: Id| &self.nodes[node as usize].ranks;
        let mut rest = Files::default();
        let alike = (0..self.nodes.len() as Id).filter(|node| self.is_alike(*node));
        let mut left: FxHashSet<Id> = alike.inspect(|node| rest.insert(*node, ranks(*node), true)).collect();
        let mut clusters = Vec::new();
        for start in 0..self.nodes.len() as Id {
            if !left.remove(&start) {
                continue;
            }
            rest.remove(start, ranks(start));
            let mut cluster = vec![start];
            let mut at = 0;
            while let Some(node) = cluster.get(at) {
                // What is found is taken out, so that many that are all alike are not found by each of them.
                let near = self.near(&rest, *node, |drawer| &drawer.accompanied);
                for near in &near {
                    left.remove(near);
                    rest.remove(*near, ranks(*near));
                }
                cluster.extend(near);
                at += 1;
            }
            clusters.push(cluster);
        }
        clusters
    }

    fn is_alike(&self, node: Id) -> bool {
        let node = &self.nodes[node as usize];
        node.count > 1 || !node.neighbours.is_empty()
    }

    /// Every other node in these files that is like this one, each once.
    fn near(&self, files: &Files, node: Id, part: impl Fn(&Drawer) -> &Vec<Id>) -> Vec<Id> {
        let ranks = &self.nodes[node as usize].ranks;
        let candidates = files.candidates(ranks).flat_map(|drawer| part(drawer).iter().copied());
        let mut near: Vec<Id> = candidates.filter(|other| *other != node && self.are_alike(ranks, *other)).collect();
        near.sort_unstable();
        near.dedup();
        near
    }

    fn are_alike(&self, ranks: &[Rank], other: Id) -> bool {
        let other = &self.nodes[other as usize].ranks;
        are_sizes_alike(ranks.len(), other.len()) && share(ranks, other, needed(ranks.len(), other.len()))
    }

    fn add(&mut self, terms: &Arc<[u64]>) -> Id {
        if let Some(&node) = self.by_terms.get(terms) {
            self.nodes[node as usize].count += 1;
            self.clusters.take();
            return node;
        }
        self.room = self.room.saturating_sub(1);
        let ranks = self.ranks_of(terms);
        let node = Node { terms: terms.clone(), ranks, count: 1, neighbours: Vec::new() };
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id as usize] = node;
                id
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as Id
            }
        };
        self.by_terms.insert(terms.clone(), id);
        self.file(id);
        id
    }

    /// Files a node that is not filed, and finds it a neighbour. A node that had none until now gets this one.
    fn file(&mut self, id: Id) {
        let mut near = self.near(&self.files, id, |drawer| &drawer.alone);
        for other in &near {
            self.files.accompany(*other, &self.nodes[*other as usize].ranks);
        }
        if near.is_empty() {
            let ranks = &self.nodes[id as usize].ranks;
            // The last come is the first asked, so that no node gets all the neighbours.
            let mut candidates = self.files.candidates(ranks).flat_map(|drawer| drawer.accompanied.iter().rev());
            near.extend(candidates.find(|other| self.are_alike(ranks, **other)));
        }
        for other in &near {
            self.nodes[*other as usize].neighbours.push(id);
        }
        let node = &mut self.nodes[id as usize];
        node.neighbours = near;
        if !node.neighbours.is_empty() {
            self.clusters.take();
        }
        self.files.insert(id, &node.ranks, !node.neighbours.is_empty());
    }

    fn forget_unseen(&mut self) {
        let mut unseen = Vec::new();
        self.descriptions.retain(|_, description| {
            let is_seen = description.round == self.round;
            unseen.extend(Some(description.node).filter(|_| !is_seen));
            is_seen
        });
        let mut left_alone = Vec::new();
        for id in unseen {
            if self.is_alike(id) {
                self.clusters.take();
            }
            let node = &mut self.nodes[id as usize];
            node.count -= 1;
            if node.count > 0 {
                continue;
            }
            let node = std::mem::take(node);
            self.files.remove(id, &node.ranks);
            self.by_terms.remove(&node.terms);
            self.free.push(id);
            for other in node.neighbours {
                let neighbours = &mut self.nodes[other as usize].neighbours;
                neighbours.retain(|neighbour| *neighbour != id);
                left_alone.extend(Some(other).filter(|_| neighbours.is_empty()));
            }
        }
        for id in left_alone {
            let node = &self.nodes[id as usize];
            if node.count > 0 && node.neighbours.is_empty() {
                self.files.remove(id, &node.ranks);
                self.file(id);
            }
        }
    }

    fn ranks_of(&mut self, terms: &[u64]) -> Vec<Rank> {
        let rank = |term: &u64| {
            *self.ranks.entry(*term).or_insert_with(|| {
                self.new_terms += 1;
                FIRST_RANK - self.new_terms
            })
        };
        let mut ranks: Vec<Rank> = terms.iter().map(rank).collect();
        ranks.sort_unstable();
        ranks
    }

    /// Ranks the terms of all that is here and all that comes by how common they are, and files the nodes anew.
    fn rank<'t>(&mut self, coming: impl Iterator<Item = &'t Arc<[u64]>>) {
        let mut nodes = std::mem::take(&mut self.nodes);
        let mut count: FxHashMap<u64, usize> = FxHashMap::default();
        let mut sets = 0;
        let mut count_terms = |terms: &Arc<[u64]>| {
            terms.iter().for_each(|term| *count.entry(*term).or_default() += 1);
            sets += 1;
        };
        nodes.iter().for_each(|node| count_terms(&node.terms));
        coming.for_each(count_terms);
        let mut terms: Vec<(usize, u64)> = count.into_iter().map(|(term, count)| (count, term)).collect();
        terms.sort_unstable();
        self.ranks = terms.into_iter().map(|(_, term)| term).zip(FIRST_RANK..).collect();
        self.new_terms = 0;
        self.room = sets.max(FEW);
        self.files = Files::default();
        for (id, node) in nodes.iter_mut().enumerate().filter(|(_, node)| node.count > 0) {
            node.ranks = self.ranks_of(&node.terms);
            self.files.insert(id as Id, &node.ranks, !node.neighbours.is_empty());
        }
        self.nodes = nodes;
    }
}

/// Nodes by their first terms.
#[derive(Debug, Default)]
struct Files {
    by_term: FxHashMap<Rank, Vec<Drawer>>,
}

/// The nodes of a size that have a term at a position.
#[derive(Debug)]
struct Drawer {
    size: usize,
    position: usize,
    /// Those without a neighbour.
    alone: Vec<Id>,
    /// Those with one.
    accompanied: Vec<Id>,
}

impl Files {
    fn insert(&mut self, id: Id, ranks: &[Rank], is_accompanied: bool) {
        for (position, rank) in first(ranks) {
            let drawers = self.by_term.entry(*rank).or_default();
            let key = (ranks.len(), position);
            let at = drawers.partition_point(|drawer| (drawer.size, drawer.position) < key);
            if drawers.get(at).is_none_or(|drawer| (drawer.size, drawer.position) != key) {
                drawers.insert(at, Drawer { size: ranks.len(), position, alone: Vec::new(), accompanied: Vec::new() });
            }
            let drawer = &mut drawers[at];
            let part = if is_accompanied { &mut drawer.accompanied } else { &mut drawer.alone };
            part.push(id);
        }
    }

    /// Takes a node out; does nothing where it is not in.
    fn remove(&mut self, id: Id, ranks: &[Rank]) {
        for (position, rank) in first(ranks) {
            let Some(drawers) = self.by_term.get_mut(rank) else { continue };
            let key = (ranks.len(), position);
            let at = drawers.partition_point(|drawer| (drawer.size, drawer.position) < key);
            let Some(drawer) = drawers.get_mut(at) else { continue };
            for part in [&mut drawer.alone, &mut drawer.accompanied] {
                if let Some(at) = part.iter().rposition(|other| *other == id) {
                    part.swap_remove(at);
                }
            }
            if drawer.alone.is_empty() && drawer.accompanied.is_empty() {
                drawers.remove(at);
            }
            if drawers.is_empty() {
                self.by_term.remove(rank);
            }
        }
    }

    /// Notes that a node has a neighbour now.
    fn accompany(&mut self, id: Id, ranks: &[Rank]) {
        self.remove(id, ranks);
        self.insert(id, ranks, true);
    }

    /// The drawers that hold every node that may be like one with these terms.
    fn candidates<'a>(&'a self, ranks: &'a [Rank]) -> impl Iterator<Item = &'a Drawer> {
        let size = ranks.len();
        first(ranks).flat_map(move |(position, rank)| {
            let drawers = self.by_term.get(rank).into_iter().flatten();
            drawers.filter(move |drawer| {
                let needed = needed(size, drawer.size);
                are_sizes_alike(size, drawer.size)
                    && position + needed <= size
                    && drawer.position + needed <= drawer.size
            })
        })
    }
}

/// The terms that a node is filed under, with their positions: another has to share one of them to be like it.
fn first(ranks: &[Rank]) -> impl Iterator<Item = (usize, &Rank)> {
    let needed_by_smallest = (3 * ranks.len()).div_ceil(5);
    ranks.iter().enumerate().take(ranks.len() - needed_by_smallest + 1)
}

/// Whether sets of these sizes can be alike.
fn are_sizes_alike(one: usize, other: usize) -> bool {
    5 * one >= 3 * other && 5 * other >= 3 * one
}

/// How many terms two sets of these sizes have to share so that it is three of five of all their terms.
fn needed(one: usize, other: usize) -> usize {
    (3 * (one + other)).div_ceil(8)
}

/// Whether two sorted sets share at least so many.
fn share(mut one: &[Rank], mut other: &[Rank], mut needed: usize) -> bool {
    while let ([first, rest @ ..], [other_first, other_rest @ ..]) = (one, other) {
        if needed > one.len().min(other.len()) {
            return false;
        }
        let order = first.cmp(other_first);
        if order.is_le() {
            one = rest;
        }
        if order.is_ge() {
            other = other_rest;
        }
        needed = needed.saturating_sub(usize::from(order.is_eq()));
        if needed == 0 {
            return true;
        }
    }
    needed == 0
}
