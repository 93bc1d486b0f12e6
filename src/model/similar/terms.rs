//! The terms of a description: its words in one form, those left out that every description has.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

/// Words that say nothing of what a tool does. `matching` is none of them: comparisons that were published count it.
/// Sorted.
const STOP_WORDS: &[&str] = &[
    "a",
    "all",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "been",
    "but",
    "by",
    "can",
    "do",
    "does",
    "each",
    "for",
    "from",
    "given",
    "has",
    "have",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "may",
    "not",
    "of",
    "on",
    "one",
    "or",
    "return",
    "returned",
    "returning",
    "so",
    "such",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "tool",
    "use",
    "used",
    "using",
    "via",
    "was",
    "when",
    "where",
    "which",
    "will",
    "with",
    "you",
    "your",
];

/// Descriptions with fewer words than this are too short to be compared.
const ENOUGH: usize = 5;

/// The distinct terms of a text. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// A hash of each, sorted.
    hashes: Arc<[u64]>,
    /// How many words they come to: a pair of characters is half a word.
    words: usize,
}

impl Terms {
    /// The terms of a text: lower-case runs of letters and digits, plurals folded, without stop words. In scripts that
    /// put no spaces between words, every two characters that stand side by side are a term: a dictionary that tells the
    /// words apart takes 2 MB, and two texts that share most words share most pairs.
    pub fn of(text: &str) -> Terms {
        let (mut words, mut pairs) = (Vec::new(), Vec::new());
        let (mut word, mut run) = (String::new(), String::new());
        for char in text.chars().chain([' ']) {
            let is_unspaced = is_unspaced(char);
            if is_unspaced {
                run.push(char);
            } else if !run.is_empty() {
                add_pairs(&run, &mut pairs);
                run.clear();
            }
            if !is_unspaced && char.is_alphanumeric() {
                word.extend(char.to_lowercase());
            } else if !word.is_empty() {
                add_word(&mut word, &mut words);
                word.clear();
            }
        }
        for terms in [&mut words, &mut pairs] {
            terms.sort_unstable();
            terms.dedup();
        }
        let count = words.len() + pairs.len() / 2;
        words.append(&mut pairs);
        words.sort_unstable();
        Terms { hashes: words.into(), words: count }
    }

    /// Whether there are enough to compare them with others.
    pub fn are_enough(&self) -> bool {
        self.words >= ENOUGH
    }

    /// A hash of each term, sorted.
    pub fn hashes(&self) -> &Arc<[u64]> {
        &self.hashes
    }

    /// Whether a word is one of them.
    pub fn contain(&self, word: &str) -> bool {
        let mut word = word.to_owned();
        fold(&mut word);
        self.hashes.binary_search(&xxh3_64(word.as_bytes())).is_ok()
    }

    /// How many of the terms of both are terms of each: Jaccard's index, from 0 to 1.
    pub fn similarity(&self, other: &Terms) -> f64 {
        let shared = self.hashes.iter().filter(|hash| other.hashes.binary_search(hash).is_ok()).count();
        let all = self.hashes.len() + other.hashes.len() - shared;
        if all == 0 { 0.0 } else { shared as f64 / all as f64 }
    }
}

fn add_word(word: &mut String, out: &mut Vec<u64>) {
    let is_stop_word = |word: &str| STOP_WORDS.binary_search(&word).is_ok();
    if is_stop_word(word) {
        return;
    }
    fold(word);
    if !is_stop_word(word) {
        out.push(xxh3_64(word.as_bytes()));
    }
}

fn add_pairs(run: &str, out: &mut Vec<u64>) {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    match starts.len() {
        2 => out.push(xxh3_64(run.as_bytes())),
        _ => out.extend(starts.windows(3).map(|at| xxh3_64(&run.as_bytes()[at[0]..at[2]]))),
    }
}

/// Brings singular and plural into one form, by the ending.
fn fold(word: &mut String) {
    let ends = |word: &str, endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let length = word.len();
    if length > 4 && word.ends_with("ies") {
        word.truncate(length - 3);
        word.push('y');
    } else if length > 3 && ends(word, &["ches", "shes", "sses", "xes", "zes"]) {
        word.truncate(length - 2);
    } else if length > 3 && word.ends_with('s') && !ends(word, &["ss", "us", "is"]) {
        word.truncate(length - 1);
    }
    // The ending does not tell `caches` from `branches`: `cache`, `size` and `movie` lose what their plurals have lost.
    if word.len() > 4 && word.ends_with("ie") {
        word.truncate(word.len() - 2);
        word.push('y');
    } else if ends(word, &["che", "she", "sse", "xe", "ze"]) {
        word.truncate(word.len() - 1);
    }
}

/// Whether a character is of a script that puts no spaces between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer.
fn is_unspaced(char: char) -> bool {
    matches!(
        u32::from(char),
        0x0E01..=0x0E4E
            | 0x0E81..=0x0ECE
            | 0x1000..=0x103F
            | 0x1780..=0x17D3
            | 0x3005..=0x3007
            | 0x3041..=0x3096
            | 0x30A1..=0x30FA
            | 0x30FC..=0x30FE
            | 0x31F0..=0x31FF
            | 0x3400..=0x4DBF
            | 0x4E00..=0x9FFF
            | 0xF900..=0xFAFF
            | 0xFF66..=0xFF9F
            | 0x20000..=0x323AF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(word: &str) -> String {
        let mut word = word.to_owned();
        fold(&mut word);
        word
    }

    #[test]
    fn the_published_example_holds() {
        let description =
            |what: &str| format!("Search {what} repositories by keyword and return matching repository names.");
        let name = Terms::of("search_public").similarity(&Terms::of("search_private"));
        let (public, private) = (Terms::of(&description("public")), Terms::of(&description("private")));
        let description = public.similarity(&private);
        assert_eq!(format!("{name:.4} {description:.4}"), "0.3333 0.7143");
        assert_eq!(format!("{:.3}", 0.45 * name + 0.55 * description), "0.543");
        assert!(public.are_enough() && public.hashes().len() == 6);
        assert!(public.contain("repositories") && !public.contain("private"));
    }

    #[test]
    fn singular_and_plural_are_one_term() {
        assert_eq!(folded("files"), "file");
        assert_eq!(folded("repositories"), "repository");
        for pair in [
            "branch branches",
            "cache caches",
            "size sizes",
            "box boxes",
            "movie movies",
            "process processes",
            "query queries",
            "dish dishes",
            "key keys",
            "pie pies",
        ] {
            let (one, many) = pair.split_once(' ').expect("two words");
            assert_eq!(folded(one), folded(many), "{pair}");
        }
        for word in ["status", "access", "analysis", "gas", "file"] {
            assert_eq!(folded(word), word);
        }
    }

    #[test]
    fn stop_words_are_no_terms() {
        assert!(STOP_WORDS.is_sorted());
        assert!(!STOP_WORDS.contains(&"matching"));
        assert_eq!(Terms::of("By AND, returns the uses of these tools").hashes().len(), 0);
        assert_eq!(Terms::of("").similarity(&Terms::of("")), 0.0);
    }

    #[test]
    fn scripts_without_spaces_compare_too() {
        let train = |what: &str| Terms::of(&format!("查询12306{what}余票信息，支持按车次类型筛选。"));
        assert!(train("火车").are_enough());
        assert!(train("火车").similarity(&train("高铁")) >= 0.6);
        assert!(train("火车").similarity(&Terms::of("获取指定城市的天气预报以及空气质量")) < 0.1);
        assert!(!Terms::of("获取用户列表").are_enough(), "three words");
        assert_eq!(Terms::of("图 and 图").hashes().len(), 1);
        assert!(Terms::of("ค้นหาข้อมูลผู้ใช้ทั้งหมด").are_enough());
    }
}
