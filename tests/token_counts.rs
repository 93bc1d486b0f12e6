//! The sums of the providers against counts of whole texts. Neither module knows the other, hence here.

use mcp_analyzer::{provider::openai, tokens};

#[test]
fn the_tokens_that_tools_add_make_up_the_list() {
    let texts: Vec<String> = [
        ("ping", None),
        ("find_boats", Some("Finds boats.")),
        ("paint", Some("\nPaints.\n\n")),
        ("order", Some("/slashes/")),
        ("_1", Some("// commented")),
        ("日本", Some("船を探す")),
        ("last", None),
    ]
    .map(|(name, description)| openai::tool_text(name, description, None))
    .into();
    for length in 1..=texts.len() {
        for tools in texts.windows(length) {
            let added: Vec<usize> = tools.iter().map(|text| openai::tool_tokens(text, tokens::count(text))).collect();
            assert_eq!(openai::list_tokens(&added), tokens::count(&openai::list_text(tools)), "{tools:?}");
        }
    }
    assert_eq!(openai::list_tokens(&[]), 0);
}
