//! The file format of an embedded vocabulary. `README.md` beside this file says the same in prose.

use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// The tokens of a vocabulary by rank.
pub(super) struct Tokens {
    /// The bytes of all tokens.
    bytes: Box<[u8]>,
    /// By rank: where the token begins in `bytes`; behind the last one the end.
    starts: Box<[u32]>,
}

/// No vocabulary is larger than this when inflated, nor its tokens together; a bound for the decoder only.
const INFLATED_LIMIT: usize = 16 << 20;

impl Tokens {
    /// Number of tokens.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The bytes of the token with this rank, which is below [`Tokens::len`].
    pub(super) fn get(&self, rank: u32) -> &[u8] {
        let rank = rank as usize;
        &self.bytes[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }

    /// The tokens in the order of their ranks.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.starts.windows(2).map(|span| &self.bytes[span[0] as usize..span[1] as usize])
    }
}

/// Reads a packed vocabulary; `None` if it is damaged.
///
/// The file is raw deflate of: the number `n` of tokens (4 bytes, little-endian), then for the tokens in the order
/// of their bytes: `n` numbers of bytes shared with the token before, as `n` low and `n` high bytes; `n` numbers of
/// further bytes, likewise; the ranks as `n` low, `n` middle and `n` high bytes; and the further bytes themselves.
/// That order packs a fifth smaller than the order of the ranks does, ranks included.
pub(super) fn unpack(packed: &[u8]) -> Option<Tokens> {
    let inflated = decompress_to_vec_with_limit(packed, INFLATED_LIMIT).ok()?;
    let (number, rest) = inflated.split_first_chunk::<4>()?;
    let number = u32::from_le_bytes(*number) as usize;
    let (columns, mut suffixes) = rest.split_at_checked(number.checked_mul(COLUMNS)?)?;
    let byte = |column: usize, at: usize| columns[column * number + at];
    let shared = |at| usize::from(u16::from_le_bytes([byte(0, at), byte(1, at)]));
    let further = |at| usize::from(u16::from_le_bytes([byte(2, at), byte(3, at)]));
    let rank = |at| u32::from_le_bytes([byte(4, at), byte(5, at), byte(6, at), 0]) as usize;

    let mut lengths = vec![None; number];
    for at in 0..number {
        let length = lengths.get_mut(rank(at))?;
        if length.replace(shared(at) + further(at)).is_some() {
            return None;
        }
    }
    let mut starts = Vec::with_capacity(number + 1);
    let mut end = 0;
    for length in lengths {
        starts.push(u32::try_from(end).ok()?);
        end += length?;
    }
    starts.push(u32::try_from(end).ok().filter(|_| end <= INFLATED_LIMIT)?);
    let mut bytes = vec![0; end];
    let mut previous = 0..0;
    for at in 0..number {
        let (suffix, after) = suffixes.split_at_checked(further(at))?;
        suffixes = after;
        if shared(at) > previous.len() {
            return None;
        }
        let rank = rank(at);
        let token = starts[rank] as usize..starts[rank + 1] as usize;
        bytes.copy_within(previous.start..previous.start + shared(at), token.start);
        bytes[token.end - suffix.len()..token.end].copy_from_slice(suffix);
        previous = token;
    }
    Some(Tokens { bytes: bytes.into(), starts: starts.into() })
}

/// Bytes of a token outside its further bytes, each in a column of its own.
pub(super) const COLUMNS: usize = 7;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::remake::pack;
    use miniz_oxide::deflate::compress_to_vec;

    #[test]
    fn what_was_packed_is_unpacked() {
        let long = "a".repeat(1000);
        let tokens = ["b", "a", "ab", "abc", "", &long, "ba"].map(|token| token.as_bytes().to_vec());
        let unpacked = unpack(&pack(&tokens)).unwrap();
        assert_eq!(unpacked.len(), tokens.len());
        assert!(unpacked.iter().eq(tokens.iter().map(Vec::as_slice)));
        assert_eq!(unpacked.get(3), b"abc");
    }

    #[test]
    fn damaged_files_are_refused() {
        let whole = [2, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, b'a', b'b'];
        assert!(unpack(&compress_to_vec(&whole, 1)).is_some());
        for length in 0..whole.len() {
            assert!(unpack(&compress_to_vec(&whole[..length], 1)).is_none(), "{length}");
        }
        for (at, byte) in
            [(0, 3), (3, 255), (4, 1), (5, 9), (6, 1), (8, 2), (10, 1), (12, 1), (12, 2), (14, 1), (16, 1)]
        {
            let mut damaged = whole;
            damaged[at] = byte;
            assert!(unpack(&compress_to_vec(&damaged, 1)).is_none(), "{at}");
        }
        assert!(unpack(b"no deflate").is_none());
    }
}
