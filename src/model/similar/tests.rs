use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// The clusters of a list by comparing each with each.
fn all_pairs(list: &[Terms]) -> Vec<Vec<usize>> {
    let is_later = |tool: usize| list[..tool].contains(&list[tool]);
    let tools: Vec<usize> = (0..list.len()).filter(|tool| list[*tool].are_enough() && !is_later(*tool)).collect();
    let mut left: BTreeSet<usize> = tools.into_iter().collect();
    let mut clusters = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut cluster = vec![first];
        let mut at = 0;
        while at < cluster.len() {
            let near: Vec<usize> = left
                .iter()
                .copied()
                .filter(|other| list[cluster[at]].similarity(&list[*other]) >= 0.6 - 1e-9)
                .collect();
            near.iter().for_each(|near| _ = left.remove(near));
            cluster.extend(near);
            at += 1;
        }
        cluster.sort_unstable();
        clusters.extend(Some(cluster).filter(|cluster| cluster.len() > 1));
    }
    clusters
}

/// Texts are compared here by their terms, so that the same terms are the same text.
fn update(similar: &mut Similar, list: &[Terms]) {
    let hash = |terms: &Terms| terms.hashes().iter().fold(7, |hash: u64, term| hash.rotate_left(5) ^ term);
    similar.update(list.iter().map(|terms| Some((hash(terms), terms))));
}

fn text() -> impl Strategy<Value = Terms> {
    let words = |vocabulary: u32| prop::collection::btree_set(0..vocabulary, 3..14);
    // Few words, so that many are alike; some sentences are the beginning of one of a hundred.
    let sentence = prop_oneof![
        words(18),
        words(40),
        (5u32..90, 90u32..100).prop_map(|(to, one)| { (0..to).chain([one]).collect() })
    ];
    sentence.prop_map(|words| Terms::of(&words.iter().map(|word| format!("w{word} ")).collect::<String>()))
}

proptest! {
    #![proptest_config(crate::analysis::testing::cases(200))]

    #[test]
    fn changes_come_to_what_all_pairs_come_to(
        start in prop::collection::vec(text(), 0..60),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, prop::collection::vec(text(), 0..4)), 0..25),
    ) {
        let mut list = start;
        let mut similar = Similar::default();
        update(&mut similar, &list);
        prop_assert_eq!(similar.clusters(), all_pairs(&list));
        for (at, removed, added) in changes {
            let at = at.index(list.len() + 1);
            let end = (at + removed).min(list.len());
            list.splice(at..end, added);
            update(&mut similar, &list);
            let clusters = all_pairs(&list);
            prop_assert_eq!(&similar.clusters(), &clusters);
            let mut alike = clusters.concat();
            alike.sort_unstable();
            prop_assert_eq!(similar.alike(), alike);
        }
    }
}

/// Many descriptions from one sentence are 50 million pairs, of which few are kept.
#[test]
fn one_sentence_ten_thousand_times() {
    let mut list: Vec<Terms> = (0..10_000)
        .map(|index| Terms::of(&format!("Get record number {index} of the archive with its fields and its history.")))
        .collect();
    let mut similar = Similar::default();
    update(&mut similar, &list);
    assert_eq!(similar.alike().len(), 10_000);
    assert!(similar.nodes.iter().all(|node| node.neighbours.len() < 10), "no node has all the neighbours");
    list[5000] = Terms::of("Nothing of the sort is told here, whatever else may follow");
    update(&mut similar, &list);
    assert_eq!(similar.alike().len(), 9_999);
}

#[test]
fn the_same_terms_in_other_words_are_alike() {
    let terms = ["Read one page of the log file there", "Of the log file, read that page: there"].map(Terms::of);
    let mut similar = Similar::default();
    similar.update([Some((1, &terms[0])), None, Some((2, &terms[1]))].into_iter());
    assert_eq!(similar.alike(), [] as [usize; 0], "four words are too few");
    let terms =
        ["Read one page of the big log file there", "Of the big log file, read that page: there"].map(Terms::of);
    similar.update([Some((1, &terms[0])), None, Some((2, &terms[1])), Some((1, &terms[0]))].into_iter());
    assert_eq!(similar.clusters(), [[0, 2]], "the last is the very same as the first");
}
