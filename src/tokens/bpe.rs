//! Counts the tokens of one piece: a piece that is a token is one, any other is merged from its bytes or characters,
//! always the adjacent pair first whose union has the lowest rank, the leftmost of equal ones.

use super::vocabulary::Tokens;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use xxhash_rust::xxh3::xxh3_64;

/// No token.
const NONE: u32 = u32::MAX;

/// Up to this many bytes, finding the best pair by looking at each is faster than keeping a heap.
const SHORT: usize = 64;

/// What merging begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Bytes, each of which is a token.
    Byte,
    /// Characters. One that is no token, nor part of any, counts as its bytes in the end.
    Character,
}

/// The tokens of a vocabulary by their bytes.
pub(super) struct BytePairs {
    tokens: Tokens,
    /// An open-addressing table with linear probing, of a power of two slots. A slot holds a rank in its low
    /// [`RANK_BITS`] bits and above them a fingerprint of the token's hash; `NONE` is an empty one.
    slots: Box<[u32]>,
    longest: usize,
    unit: Unit,
}

/// Bits of a slot that hold the rank.
const RANK_BITS: u32 = 18;

/// The part of a hash that is kept in a slot, in its place. Of the top bits: the low ones chose the slot.
fn fingerprint(hash: u64) -> u32 {
    (hash >> 32) as u32 & !((1 << RANK_BITS) - 1)
}

impl BytePairs {
    /// Indexes the tokens. Fewer than 2^18 - 1, so that no slot equals `NONE`.
    pub(super) fn new(tokens: Tokens, unit: Unit) -> BytePairs {
        debug_assert!(tokens.len() < (1 << RANK_BITS) - 1);
        let mask = (tokens.len() * 2).next_power_of_two() - 1;
        let mut slots = vec![NONE; mask + 1].into_boxed_slice();
        let mut longest = 0;
        for (rank, token) in (0_u32..).zip(tokens.iter()) {
            longest = longest.max(token.len());
            let hash = xxh3_64(token);
            let mut at = hash as usize & mask;
            while slots[at] != NONE {
                at = (at + 1) & mask;
            }
            slots[at] = fingerprint(hash) | rank;
        }
        BytePairs { tokens, slots, longest, unit }
    }

    /// The rank of the token with these bytes, or `NONE`.
    fn rank(&self, bytes: &[u8]) -> u32 {
        if bytes.len() > self.longest {
            return NONE;
        }
        let hash = xxh3_64(bytes);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == NONE {
                return NONE;
            }
            let rank = slot & ((1 << RANK_BITS) - 1);
            if slot ^ rank == fingerprint(hash) && self.tokens.get(rank) == bytes {
                return rank;
            }
            at = (at + 1) & mask;
        }
    }

    /// Number of tokens of a piece.
    pub(super) fn count(&self, piece: &str) -> usize {
        let piece = piece.as_bytes();
        if piece.len() < 2 || self.rank(piece) != NONE { piece.len().min(1) } else { self.merge(piece) }
    }

    /// The same by merging, even if the piece is a token.
    pub(super) fn merge(&self, piece: &[u8]) -> usize {
        if piece.len() <= SHORT { self.merge_short(piece) } else { self.merge_long(piece) }
    }

    /// Where the units of the piece begin.
    fn units(&self, piece: &[u8]) -> impl Iterator<Item = usize> {
        let is_start = move |at: &usize| self.unit == Unit::Byte || piece[*at] & 0xc0 != 0x80;
        (0..piece.len()).filter(is_start)
    }

    /// The tokens that stand for a part of which nothing more can be merged.
    fn tokens_of_part(&self, part: &[u8]) -> usize {
        let is_token = self.unit == Unit::Byte || part.len() == 1 || self.rank(part) != NONE;
        if is_token { 1 } else { part.len() }
    }

    /// Number of tokens left when no pair can be merged any more, of a piece of 1 to [`SHORT`] bytes.
    fn merge_short(&self, piece: &[u8]) -> usize {
        // `starts[i]` is where part `i` begins, with the end of the piece behind the last one; `ranks[i]` is the
        // rank of part `i` and the next one together.
        let mut starts = [piece.len(); SHORT + 1];
        let mut ranks = [NONE; SHORT];
        let mut parts = 0;
        for start in self.units(piece) {
            starts[parts] = start;
            parts += 1;
        }
        for (rank, pair) in ranks.iter_mut().zip(starts[..=parts].windows(3)) {
            *rank = self.rank(&piece[pair[0]..pair[2]]);
        }
        loop {
            let mut best = (NONE, 0);
            for (at, &rank) in ranks[..parts - 1].iter().enumerate() {
                if rank < best.0 {
                    best = (rank, at);
                }
            }
            let (rank, at) = best;
            if rank == NONE {
                return starts[..=parts].windows(2).map(|part| self.tokens_of_part(&piece[part[0]..part[1]])).sum();
            }
            starts.copy_within(at + 2..=parts, at + 1);
            ranks.copy_within(at + 1..parts, at);
            parts -= 1;
            ranks[at] = if at + 1 < parts { self.rank(&piece[starts[at]..starts[at + 2]]) } else { NONE };
            if at > 0 {
                ranks[at - 1] = self.rank(&piece[starts[at - 1]..starts[at + 1]]);
            }
        }
    }

    /// The same for a piece of any length, in `O(n log n)`. Takes some 40 bytes of memory for each of the piece, for
    /// which offsets are kept as `u32`; a piece that is too long for them counts as its bytes.
    fn merge_long(&self, piece: &[u8]) -> usize {
        let Ok(end) = u32::try_from(piece.len()) else {
            return piece.len();
        };
        let union = |start: u32, end: u32| self.rank(&piece[start as usize..end as usize]);
        let entry = |rank: u32, start: u32| Reverse((u64::from(rank) << 32) | u64::from(start));
        // By the byte that a part begins at: where the part before begins, where this one ends, and the rank of
        // this one and the next together. A heap entry is stale if that rank is no longer its own.
        let mut before = vec![0_u32; piece.len()];
        let mut ends = vec![end; piece.len()];
        let mut ranks = vec![NONE; piece.len()];
        let mut heap = BinaryHeap::new();
        let mut previous = 0;
        // Offsets are below `end`, hence `u32`.
        for start in self.units(piece).skip(1).map(|start| start as u32) {
            before[start as usize] = previous;
            ends[previous as usize] = start;
            previous = start;
        }
        let mut start = 0;
        while ends[start as usize] < end {
            let next = ends[start as usize];
            let rank = union(start, ends[next as usize]);
            ranks[start as usize] = rank;
            if rank != NONE {
                heap.push(entry(rank, start));
            }
            start = next;
        }
        while let Some(Reverse(best)) = heap.pop() {
            // The two halves that `entry` put together.
            let (rank, left) = ((best >> 32) as u32, best as u32);
            if ranks[left as usize] != rank {
                continue;
            }
            let right = ends[left as usize];
            let next = ends[right as usize];
            ranks[right as usize] = NONE;
            ends[left as usize] = next;
            if next < end {
                before[next as usize] = left;
            }
            let with_next = (next < end).then(|| (left, union(left, ends[next as usize])));
            let with_previous = (left > 0).then(|| (before[left as usize], union(before[left as usize], next)));
            ranks[left as usize] = NONE;
            for (start, rank) in [with_next, with_previous].into_iter().flatten() {
                ranks[start as usize] = rank;
                if rank != NONE {
                    heap.push(entry(rank, start));
                }
            }
        }
        let (mut tokens, mut start) = (0, 0);
        while start < end {
            let next = ends[start as usize];
            tokens += self.tokens_of_part(&piece[start as usize..next as usize]);
            start = next;
        }
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CLAUDE2, GEMMA3, O200K};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn short_and_long_pieces_are_merged_alike(piece in "[a-eé]{2,32}|[a-z]{2,64}|[!-/]{2,64}|[ \\n]{2,64}|.{1,16}") {
            for vocabulary in [&*O200K, &*CLAUDE2, &GEMMA3.1] {
                prop_assert_eq!(vocabulary.merge_short(piece.as_bytes()), vocabulary.merge_long(piece.as_bytes()));
            }
        }
    }
}
