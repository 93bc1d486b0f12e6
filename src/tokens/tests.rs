use super::*;
use proptest::prelude::*;
use serde::Deserialize;

const ALL: [Vocabulary; 3] = [Vocabulary::O200k, Vocabulary::Claude2, Vocabulary::Gemma3];

/// A text, repeated so many times, and its counts in the vocabularies of [`ALL`].
#[derive(Deserialize)]
struct Known(usize, usize, usize, usize, String);

/// Those of the counts that differ, as lines.
fn differences(counts: &str) -> Vec<String> {
    let known: Vec<Known> = serde_json::from_str(counts).unwrap();
    let mut differences = Vec::new();
    for Known(o200k, claude2, gemma3, times, text) in known {
        let text = text.repeat(times);
        for (vocabulary, count) in ALL.into_iter().zip([o200k, claude2, gemma3]) {
            let counted = vocabulary.count(&text);
            // The text counts as its bytes where normalization makes more tokens of it.
            if counted != count.min(text.len()) {
                let opening: String = text.chars().take(60).collect();
                differences.push(format!("{vocabulary:?} counts {counted} for {count}: {opening:?}"));
            }
        }
    }
    differences
}

#[test]
fn counts_are_those_of_the_originals() {
    assert_eq!(differences(include_str!("counts.json")), [""; 0]);
}

/// The same for a file of the form of `counts.json`.
#[test]
#[ignore = "needs a file of counts"]
fn counts_are_those_of_a_file() {
    let path = std::env::var("TOKEN_COUNTS").expect("the path of a file like counts.json");
    let differences = differences(&std::fs::read_to_string(path).unwrap());
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}

/// Long pieces would not end in a test's time if merging were quadratic.
#[test]
fn long_pieces_are_no_trouble() {
    for unit in ["a", "ab", " ", "=", "船", "\u{301}", "<", "\u{fdfa}", "\u{10ffff}", "é\u{323}"] {
        let text = unit.repeat((1 << 16) / unit.len());
        for vocabulary in ALL {
            assert!((1..=text.len()).contains(&vocabulary.count(&text)), "{vocabulary:?}: {unit:?}");
        }
    }
}

proptest! {
    #[test]
    fn a_count_is_at_most_the_bytes(text in ".{0,60}") {
        for vocabulary in ALL {
            let tokens = vocabulary.count(&text);
            prop_assert!(tokens <= text.len());
            prop_assert_eq!(tokens == 0, text.is_empty());
        }
    }

    #[test]
    fn the_pieces_are_the_text(text in "(.|[ \\r\\n'A-Za-z0-9<>/\\]]|<h1>){0,60}") {
        let (joins, _) = &*GEMMA3;
        let of_gemma = joins.pieces(&text).map(|piece| match piece { Piece::Symbol(text) | Piece::Text(text) => text });
        let pieces: [Vec<&str>; 3] =
            [o200k::pieces(&text).collect(), claude2::pieces(&text).collect(), of_gemma.collect()];
        for pieces in pieces {
            prop_assert!(pieces.iter().all(|piece| !piece.is_empty()));
            prop_assert_eq!(pieces.concat(), text.as_str());
        }
    }
}
