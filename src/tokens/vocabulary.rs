//! The file format of an embedded vocabulary. `README.md` beside this file says the same in prose.

use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// The tokens of a vocabulary by rank.
pub(super) struct Tokens {
    /// The bytes of all tokens.
    bytes: Box<[u8]>,
    /// By rank: where the token begins in `bytes`, shifted by [`LENGTH_BITS`], and its length.
    spans: Box<[u32]>,
}

/// Bits of a span that hold the length.
const LENGTH_BITS: u32 = 8;

/// No vocabulary is larger than this when inflated; a bound for the decoder only.
const INFLATED_LIMIT: usize = 16 << 20;

impl Tokens {
    /// Number of tokens.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// The bytes of the token with this rank, which is below [`Tokens::len`].
    pub(super) fn get(&self, rank: u32) -> &[u8] {
        self.slice(self.spans[rank as usize])
    }

    /// The tokens in the order of their ranks.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.spans.iter().map(|span| self.slice(*span))
    }

    fn slice(&self, span: u32) -> &[u8] {
        let start = (span >> LENGTH_BITS) as usize;
        &self.bytes[start..start + (span & ((1 << LENGTH_BITS) - 1)) as usize]
    }
}

/// Reads a packed vocabulary; `None` if it is damaged.
///
/// The file is raw deflate of: the number `n` of tokens (4 bytes, little-endian), then for the tokens in the order
/// of their bytes `n` numbers of bytes shared with the token before, `n` numbers of further bytes, the ranks as `n`
/// low, `n` middle and `n` high bytes, and the further bytes themselves. That order packs a fifth smaller than the
/// order of the ranks does, ranks included.
pub(super) fn unpack(packed: &[u8]) -> Option<Tokens> {
    let inflated = decompress_to_vec_with_limit(packed, INFLATED_LIMIT).ok()?;
    let (number, rest) = inflated.split_first_chunk::<4>()?;
    let number = u32::from_le_bytes(*number) as usize;
    let mut columns = rest.get(..number.checked_mul(5)?)?.chunks_exact(number.max(1));
    let (shared, further) = (columns.next()?, columns.next()?);
    let (low, middle, high) = (columns.next()?, columns.next()?, columns.next()?);
    let mut suffixes = &rest[number * 5..];

    let mut bytes = Vec::with_capacity(suffixes.len() * 4);
    let mut spans = vec![None; number];
    let mut previous = 0;
    for at in 0..number {
        let (suffix, after) = suffixes.split_at_checked(usize::from(further[at]))?;
        suffixes = after;
        let start = bytes.len();
        let shared_end = previous + usize::from(shared[at]);
        if shared_end > start {
            return None;
        }
        bytes.extend_from_within(previous..shared_end);
        bytes.extend_from_slice(suffix);
        previous = start;
        let length = u8::try_from(bytes.len() - start).ok()?;
        let rank = u32::from_le_bytes([low[at], middle[at], high[at], 0]) as usize;
        *spans.get_mut(rank)? = Some((u32::try_from(start).ok()? << LENGTH_BITS) | u32::from(length));
    }
    Some(Tokens { bytes: bytes.into(), spans: spans.into_iter().collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec;

    /// What [`unpack`] reads.
    fn pack(tokens: &[Vec<u8>]) -> Vec<u8> {
        let mut sorted: Vec<(&[u8], usize)> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
        sorted.sort_unstable();
        let mut columns: [Vec<u8>; 6] = Default::default();
        let mut previous: &[u8] = b"";
        for (token, rank) in sorted {
            let shared = token.iter().zip(previous).take_while(|(left, right)| left == right).count();
            let [low, middle, high, 0] = u32::try_from(rank).unwrap().to_le_bytes() else {
                panic!("more than 2^24 tokens")
            };
            columns[0].push(u8::try_from(shared).unwrap());
            columns[1].push(u8::try_from(token.len() - shared).unwrap());
            columns[2].push(low);
            columns[3].push(middle);
            columns[4].push(high);
            columns[5].extend_from_slice(&token[shared..]);
            previous = token;
        }
        let number = u32::try_from(tokens.len()).unwrap().to_le_bytes();
        compress_to_vec(&[number.to_vec(), columns.concat()].concat(), 10)
    }

    /// The bytes of a line of a `.tiktoken` file: `base64 rank`.
    fn base64(text: &str) -> Vec<u8> {
        const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let digits: Vec<u32> = text
            .bytes()
            .map_while(|byte| ALPHABET.iter().position(|digit| *digit == byte))
            .map(|digit| u32::try_from(digit).unwrap())
            .collect();
        digits
            .chunks(4)
            .flat_map(|group| {
                let bits = group.iter().enumerate().fold(0, |bits, (at, digit)| bits | (digit << (18 - 6 * at)));
                bits.to_be_bytes()[1..group.len()].to_vec()
            })
            .collect()
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        let tokens: Vec<Vec<u8>> = ["b", "a", "ab", "abc", "", "ba"].map(|token| token.as_bytes().to_vec()).into();
        let unpacked = unpack(&pack(&tokens)).unwrap();
        assert_eq!(unpacked.len(), tokens.len());
        assert!(unpacked.iter().eq(tokens.iter().map(Vec::as_slice)));
        assert_eq!(unpacked.get(3), b"abc");
    }

    #[test]
    fn damaged_files_are_refused() {
        let whole = [2, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, b'a', b'b'];
        assert!(unpack(&compress_to_vec(&whole, 1)).is_some());
        for length in 0..whole.len() {
            assert!(unpack(&compress_to_vec(&whole[..length], 1)).is_none(), "{length}");
        }
        for (at, byte) in [(0, 3), (3, 255), (4, 1), (5, 9), (6, 2), (8, 1), (8, 2), (10, 1), (12, 1)] {
            let mut damaged = whole;
            damaged[at] = byte;
            assert!(unpack(&compress_to_vec(&damaged, 1)).is_none(), "{at}");
        }
        assert!(unpack(b"no deflate").is_none());
    }

    /// Compares the embedded file with one made of the original, or writes it (`UPDATE=1`); see `README.md`.
    #[test]
    #[ignore = "needs the original file, which is not part of the project"]
    fn the_embedded_file_is_made_of_the_original() {
        let original = std::env::var("O200K_BASE_TIKTOKEN").expect("the path of o200k_base.tiktoken");
        let original = std::fs::read_to_string(original).unwrap();
        let tokens: Vec<Vec<u8>> = original
            .lines()
            .enumerate()
            .map(|(at, line)| {
                let (token, rank) = line.split_once(' ').unwrap();
                assert_eq!(rank, at.to_string(), "the ranks are the line numbers");
                base64(token)
            })
            .collect();
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/tokens/o200k_base.bin"), pack(&tokens)).unwrap();
        } else {
            let embedded = unpack(super::super::O200K_BASE).unwrap();
            assert!(embedded.iter().eq(tokens.iter().map(Vec::as_slice)), "the tokens differ");
            assert!(super::super::O200K_BASE == pack(&tokens), "the tokens are the same, packed differently");
        }
    }
}
