//! The texts that models read of tools, against those of the script that reproduced the published counts.

use mcp_analyzer::model::{Form, Tool};
use mcp_analyzer::provider::{Declaration, Family};
use mcp_analyzer::syntax::read;
use std::fs;
use std::path::Path;

/// Between the texts of two tools.
const SEPARATOR: &str = "\n=====\n";

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/renderings").join(name);
    fs::read_to_string(path).expect("a fixture").replace("\r\n", "\n")
}

#[test]
fn every_family_reads_what_the_reference_says() {
    let text = fixture("tools.json");
    let list = read(&text).value;
    let tools: Vec<Tool> = list
        .get("tools")
        .expect("a list")
        .elements()
        .iter()
        .map(|element| Tool::new(&text, element, Form::Mcp))
        .collect();
    for (file, families) in [
        ("claude.txt", &[Family::Claude, Family::NewerClaude][..]),
        ("gpt.txt", &[Family::Gpt5]),
        ("gpt.txt", &[Family::Gpt4o]),
        ("gemini-2.5.txt", &[Family::Gemini25]),
        ("gemini-3.txt", &[Family::Gemini3]),
    ] {
        let mut expected = fixture(file);
        if families == [Family::Gpt4o] {
            expected = expected.replace("(_: // What to look for.\n{", "(_: {");
        }
        for family in families {
            let texts: Vec<String> =
                tools.iter().map(|tool| family.text(&Declaration::from(tool)).expect("a text")).collect();
            assert_same_lines(&texts.join(SEPARATOR), expected.strip_suffix('\n').expect("a line end"), family.label());
        }
    }
}

/// Names the first line that differs.
fn assert_same_lines(actual: &str, expected: &str, label: &str) {
    for (number, (actual, expected)) in actual.lines().zip(expected.lines()).enumerate() {
        assert_eq!(actual, expected, "{label}, line {}", number + 1);
    }
    assert_eq!(actual, expected, "{label}");
}
