//! How many tokens a text is to a model: byte-pair counters over embedded vocabularies.
//!
//! Knows nothing of tools, providers or JSON: it counts texts that others render.
//!
//! *Invariant:* a count is a pure function of the text, at least 0 and at most the text's length in bytes. Whoever
//! only asks whether a text stays under a limit therefore needs no count for a text shorter than that in bytes.
//!
//! *Invariant:* time is `O(n log n)` in the bytes of the text, whatever they are.
//!
//! The vocabulary is unpacked at the first count. That takes tens of milliseconds, so a server calls [`warm`] on a
//! background thread. Nothing is remembered here.

mod bpe;
mod pretokenize;
mod vocabulary;

use bpe::BytePairs;
use std::sync::OnceLock;

/// The ranks of `o200k_base`, packed; `README.md` beside it tells their origin and how to remake them.
static O200K_BASE: &[u8] = include_bytes!("o200k_base.bin");

static O200K: OnceLock<BytePairs> = OnceLock::new();

/// Number of tokens of `text` in `o200k_base`, the vocabulary of OpenAI's models since GPT-4o.
///
/// What looks like a special token (`<|endoftext|>`) is counted as the ordinary text that it is to an API. Exact for
/// the characters of Unicode 16; younger letters and digits, which OpenAI's own counter takes for symbols, may differ.
pub fn count(text: &str) -> usize {
    let vocabulary = o200k();
    pretokenize::pieces(text).map(|piece| vocabulary.count(piece.as_bytes())).sum()
}

/// Unpacks the vocabulary, so that the next [`count`] need not. Blocks for tens of milliseconds the first time.
pub fn warm() {
    o200k();
}

fn o200k() -> &'static BytePairs {
    #[expect(clippy::expect_used, reason = "the file is part of the program and a test reads it")]
    O200K.get_or_init(|| {
        BytePairs::new(vocabulary::unpack(O200K_BASE).expect("the embedded vocabulary can be unpacked"))
    })
}

#[cfg(test)]
mod tests;
