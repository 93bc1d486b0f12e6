use super::*;
use crate::analysis::testing::cases;
use proptest::prelude::*;

#[test]
fn models_are_known_by_many_names() {
    for (name, family, overhead, is_known) in [
        ("claude-sonnet-4-5-20250929", Family::Claude, 496, true),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", Family::Claude, 496, true),
        ("anthropic/claude-opus-4.6", Family::Claude, 497, true),
        ("claude-sonnet-4@20250514", Family::Claude, 313, true),
        ("claude-sonnet-4-0", Family::Claude, 313, true),
        ("claude-3-5-haiku-latest", Family::Claude, 264, true),
        ("claude-3-opus-20240229", Family::Claude, 346, true),
        ("haiku", Family::Claude, 496, true),
        ("Claude Opus 4.7", Family::NewerClaude, 675, true),
        ("opus", Family::NewerClaude, 286, true),
        ("sonnet", Family::NewerClaude, 354, true),
        ("claude-fable", Family::NewerClaude, 354, false),
        ("claude-haiku-6-20270101", Family::NewerClaude, 354, false),
        ("gpt-4o-2024-08-06", Family::Gpt4o, 10, true),
        ("openai/gpt-4.1-mini", Family::Gpt4o, 10, true),
        ("gpt-35-turbo", Family::Gpt4o, 10, false),
        ("gpt-4-0613", Family::Gpt4o, 10, false),
        ("o4-mini", Family::Gpt4o, 10, false),
        ("gpt-5-2025-08-07", Family::Gpt5, 14, true),
        ("gpt-5.4-mini", Family::Gpt5, 14, true),
        ("gpt-6", Family::Gpt5, 14, false),
        ("gpt-oss-120b", Family::Gpt5, 14, false),
        ("models/gemini-2.0-flash-001", Family::Gemini2, 0, true),
        ("gemini-2.5-pro-preview-05-06", Family::Gemini25, 1, true),
        ("gemini-3-pro-preview", Family::Gemini3, 1, true),
        ("gemini-flash-latest", Family::Gemini3, 1, true),
    ] {
        let model = Model::named(name).expect(name);
        assert_eq!((model.family, model.overhead, model.is_known), (family, overhead, is_known), "{name}");
        assert_eq!(model.name, name);
    }
    for name in ["", "-", "llama-4", "us.", "codestral", "4", "😀"] {
        assert_eq!(Model::named(name), None, "{name}");
    }
}

#[test]
fn every_provider_has_its_standard() {
    for (name, provider) in
        [("anthropic", Provider::Anthropic), ("GPT", Provider::OpenAi), ("google", Provider::Gemini)]
    {
        let standard = Model::standard(provider);
        assert_eq!(Model::named(name).as_ref(), Some(&standard));
        assert_eq!(Model::named(&standard.name), Some(standard.clone()));
        assert!(standard.family.provider() == provider && standard.accuracy().is_calibrated);
        assert!(Model::NAMES.contains(&&*standard.name));
    }
    assert!(Model::NAMES.iter().all(|name| Model::named(name).is_some_and(|model| model.is_known)));
}

#[test]
fn what_is_not_calibrated_says_so() {
    for name in ["claude-opus-5", "gpt-6", "gemini-4-flash"] {
        let accuracy = Model::named(name).expect(name).accuracy();
        assert!(!accuracy.is_calibrated && accuracy.says.starts_with("not calibrated"), "{name}");
        assert_eq!(accuracy.sign(), "≈");
    }
    assert_eq!(Model::standard(Provider::OpenAi).accuracy().sign(), "");
    for family in Family::ALL {
        let accuracy = family.accuracy();
        assert!(accuracy.date.len() == 7 && !accuracy.source.is_empty(), "{family:?}");
    }
}

#[test]
fn newer_claude_counts_letters_higher() {
    // Everything between spaces is a token here, and so is every line break.
    let count = |_: Vocabulary, text: &str| text.matches(' ').count() + text.matches('\n').count();
    assert_eq!(anthropic::words("{\"a b\": 1, c-d}"), ("a\n b\n c\nd".to_owned(), 3));
    let text = " one two 3 4";
    assert_eq!(Family::Claude.part_tokens(text, &count), 4);
    assert_eq!(Family::NewerClaude.part_tokens(text, &count), 5);
    assert_eq!(Family::Claude.tokens("", &count), 0);
    assert_eq!(Family::Claude.tokens(&" a".repeat(100), &count), 107);
    assert_eq!(Family::Gemini3.part_tokens("a <escape>b<escape>,<escape>c d<escape>", &count), 6);
}

proptest! {
    #![proptest_config(cases(300))]
    #[test]
    fn no_text_has_more_tokens_than_it_can(text in "(<escape>|\\PC| |[ -~]|\u{0}|\u{fdfa}|\n|//){0,60}") {
        for family in Family::ALL {
            let tokens = family.tokens(&text, &|vocabulary, text| vocabulary.count(text));
            prop_assert!(tokens <= family.at_most(&text), "{family:?}: {tokens}");
            // Nor where every byte is a token.
            let tokens = family.tokens(&text, &|_, text| text.len());
            prop_assert!(tokens <= family.at_most(&text), "{family:?}: {tokens}");
        }
    }
}
