//! Makes the embedded files of the originals, or compares them; `README.md` beside this file tells how.

use super::bpe::{BytePairs, Unit};
use super::pretokenize::gemma3;
use super::vocabulary::{COLUMNS, unpack};
use miniz_oxide::deflate::compress_to_vec;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A packed vocabulary, as [`unpack`] reads it.
pub(super) fn pack(tokens: &[Vec<u8>]) -> Vec<u8> {
    let mut sorted: Vec<(&[u8], u32)> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    sorted.sort_unstable();
    let mut columns: [Vec<u8>; COLUMNS + 1] = Default::default();
    let mut previous: &[u8] = b"";
    for (token, rank) in sorted {
        let shared = token.iter().zip(previous).take_while(|(left, right)| left == right).count();
        let lengths = [shared, token.len() - shared].map(|length| u16::try_from(length).unwrap().to_le_bytes());
        let fixed = [lengths.concat().as_slice(), &rank.to_le_bytes()[..3]].concat();
        for (column, byte) in columns.iter_mut().zip(fixed) {
            column.push(byte);
        }
        columns[COLUMNS].extend_from_slice(&token[shared..]);
        previous = token;
    }
    let number = u32::try_from(tokens.len()).unwrap().to_le_bytes();
    compress_to_vec(&[number.to_vec(), columns.concat()].concat(), 10)
}

/// Compares an embedded file with the tokens that it is to hold, or writes it (`UPDATE=1`).
fn compare(name: &str, embedded: &[u8], tokens: &[Vec<u8>]) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(format!("{}/src/tokens/{name}", env!("CARGO_MANIFEST_DIR")), pack(tokens)).unwrap();
    } else {
        let unpacked = unpack(embedded).unwrap();
        assert!(unpacked.iter().eq(tokens.iter().map(Vec::as_slice)), "the tokens differ");
        assert!(embedded == pack(tokens), "the tokens are the same, packed differently");
    }
}

/// The file that a variable of the environment names.
fn original(variable: &str) -> String {
    std::fs::read_to_string(std::env::var(variable).expect("the variable holds the path of the original")).unwrap()
}

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

/// Lines of `token rank`, the token in Base64.
#[test]
#[ignore = "needs the original file, which is not part of the project"]
fn o200k_base_is_made_of_the_original() {
    let tokens: Vec<Vec<u8>> = original("O200K_BASE_TIKTOKEN")
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let (token, rank) = line.split_once(' ').unwrap();
            assert_eq!(rank, at.to_string(), "the ranks are the line numbers");
            base64(token)
        })
        .collect();
    compare("o200k_base.bin", super::O200K_PACKED, &tokens);
}

/// One line: `!`, the first rank, and the tokens in the order of their ranks, in Base64.
#[test]
#[ignore = "needs the original file, which is not part of the project"]
fn claude2_is_made_of_the_original() {
    #[derive(Deserialize)]
    struct Original {
        pat_str: String,
        bpe_ranks: String,
    }
    let Original { pat_str, bpe_ranks } = serde_json::from_str(&original("CLAUDE_JSON")).unwrap();
    assert_eq!(pat_str, r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+");
    let tokens: Vec<Vec<u8>> = bpe_ranks.strip_prefix("! 5 ").unwrap().split(' ').map(base64).collect();
    compare("claude2.bin", super::CLAUDE2_PACKED, &tokens);
}

/// Of the tokens those that merging makes: neither the defined symbols, nor those that stand for a byte of a character
/// that is no token, nor those that lower ranks prevent. In the order of their ids, which is that of their merges.
#[test]
#[ignore = "needs the original file, which is not part of the project"]
fn gemma3_is_made_of_the_original() {
    #[derive(Deserialize)]
    struct Original {
        added_tokens: Vec<Added>,
        model: Model,
    }
    #[derive(Deserialize)]
    struct Added {
        content: String,
        special: bool,
    }
    #[derive(Deserialize)]
    struct Model {
        vocab: HashMap<String, u32>,
        merges: Vec<(String, String)>,
    }
    let Original { added_tokens, model: Model { vocab, merges } } =
        serde_json::from_str(&original("GEMMA3_TOKENIZER_JSON")).unwrap();
    // A text cannot hold a special one: there it is ordinary text.
    let defined: HashSet<&str> =
        added_tokens.iter().filter(|added| !added.special).map(|added| added.content.as_str()).collect();
    for symbol in &defined {
        let text = symbol.replace('▁', " ");
        assert_eq!(gemma3::symbol(text.as_bytes()), Some(text.len()), "{symbol}");
    }
    let runs = 31 + 31 + 30;
    assert_eq!(
        defined.len(),
        gemma3::TAGS.len() * 2 + usize::from(gemma3::UNUSED) + runs + "<mask> [multimodal]".split(' ').count()
    );

    let added: HashSet<&str> = added_tokens.iter().map(|added| added.content.as_str()).collect();
    let is_byte = |token: &str| token.len() == 6 && token.starts_with("<0x") && token.ends_with('>');
    let by_id: BTreeMap<u32, &str> = vocab
        .iter()
        .filter(|(token, _)| !added.contains(token.as_str()) && !is_byte(token))
        .map(|(token, id)| (*id, token.as_str()))
        .collect();
    let ids: Vec<u32> = merges
        .iter()
        .map(|(left, right)| vocab[&format!("{left}{right}")])
        .filter(|id| by_id.contains_key(id))
        .collect();
    assert!(ids.is_sorted(), "merges are in the order of the ids");
    let splits = |token: &str| {
        token
            .char_indices()
            .skip(1)
            .filter(|(at, _)| vocab.contains_key(&token[..*at]) && vocab.contains_key(&token[*at..]))
            .count()
    };
    assert_eq!(ids.len(), by_id.values().map(|token| splits(token)).sum::<usize>(), "whatever can be merged is");
    assert!(
        by_id
            .values()
            .flat_map(|token| token.chars())
            .all(|character| vocab.contains_key(character.encode_utf8(&mut [0; 4]))),
        "a character that is no token is part of none"
    );
    let tokens: Vec<Vec<u8>> = by_id.values().map(|token| token.replace('▁', " ").into_bytes()).collect();
    let pairs = BytePairs::new(unpack(&pack(&tokens)).unwrap(), Unit::Character);
    let reached: Vec<Vec<u8>> = tokens.into_iter().filter(|token| pairs.merge(token) == 1).collect();
    compare("gemma3.bin", super::GEMMA3_PACKED, &reached);
}
