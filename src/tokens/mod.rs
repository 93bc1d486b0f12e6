//! How many tokens a text is to a model: byte-pair counters over embedded vocabularies.
//!
//! Knows nothing of tools, providers or JSON: it counts texts that others render.
//!
//! *Invariant:* a count is a pure function of the text, at least 0 and at most the text's length in bytes. Whoever
//! only asks whether a text stays under a limit therefore needs no count for a text shorter than that in bytes.
//!
//! *Invariant:* time is `O(n log n)` in the bytes of the text, whatever they are.
//!
//! A vocabulary is unpacked at its first count. That takes tens of milliseconds, so a server counts on a thread of its own.
//! Nothing is remembered here.

mod bpe;
mod pretokenize;
#[cfg(test)]
mod remake;
mod vocabulary;

use bpe::{BytePairs, Unit};
use pretokenize::gemma3::{Joins, Piece};
use pretokenize::{claude2, gemma3, o200k};
use std::sync::LazyLock;
use vocabulary::Tokens;

// The packed vocabularies; `README.md` beside them tells their origin and how to remake them.
static O200K_PACKED: &[u8] = include_bytes!("o200k_base.bin");
static CLAUDE2_PACKED: &[u8] = include_bytes!("claude2.bin");
static GEMMA3_PACKED: &[u8] = include_bytes!("gemma3.bin");

static O200K: LazyLock<BytePairs> = LazyLock::new(|| BytePairs::new(unpacked(O200K_PACKED), Unit::Byte));
static CLAUDE2: LazyLock<BytePairs> = LazyLock::new(|| BytePairs::new(unpacked(CLAUDE2_PACKED), Unit::Byte));
static GEMMA3: LazyLock<(Joins, BytePairs)> = LazyLock::new(|| {
    let tokens = unpacked(GEMMA3_PACKED);
    (Joins::of(&tokens), BytePairs::new(tokens, Unit::Character))
});

fn unpacked(packed: &[u8]) -> Tokens {
    #[expect(clippy::expect_used, reason = "the files are part of the program and tests read them")]
    vocabulary::unpack(packed).expect("an embedded vocabulary can be unpacked")
}

/// What a model knows of a text: pieces of it, its tokens.
///
/// What looks like a special token (`<|endoftext|>`, `<EOT>`, `<bos>`) is counted as the ordinary text that it is to
/// an API. Exact for the characters of Unicode 16; younger letters and digits, which the original counters take for
/// symbols, may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Vocabulary {
    /// `o200k_base`, of OpenAI's models since GPT-4o.
    O200k,
    /// Anthropic's of Claude 2, the last that was published. Texts are counted in the normalization form NFKC; one that
    /// this lengthens to more tokens than it has bytes counts as its bytes.
    Claude2,
    /// Google's of Gemma 3, which Gemini's models share.
    Gemma3,
}

impl Vocabulary {
    /// Number of tokens of `text`.
    pub fn count(self, text: &str) -> usize {
        match self {
            Vocabulary::O200k => o200k::pieces(text).map(|piece| O200K.count(piece)).sum(),
            Vocabulary::Claude2 => {
                let tokens: usize = claude2::pieces(&claude2::normalized(text)).map(|piece| CLAUDE2.count(piece)).sum();
                tokens.min(text.len())
            }
            Vocabulary::Gemma3 => {
                let (joins, pairs) = &*GEMMA3;
                let count = |piece| match piece {
                    Piece::Symbol(_) => 1,
                    Piece::Text(text) => pairs.count(text),
                };
                joins.pieces(&gemma3::normalized(text)).map(count).sum()
            }
        }
    }

    /// Unpacks the vocabulary, so that the next [`Vocabulary::count`] need not. Blocks for tens of milliseconds the
    /// first time.
    pub fn warm(self) {
        match self {
            Vocabulary::O200k => _ = &*O200K,
            Vocabulary::Claude2 => _ = &*CLAUDE2,
            Vocabulary::Gemma3 => _ = &*GEMMA3,
        }
    }
}

/// [`Vocabulary::count`] in the vocabulary of OpenAI's models.
pub fn count(text: &str) -> usize {
    Vocabulary::O200k.count(text)
}

#[cfg(test)]
mod tests;
