//! What is said of the rules elsewhere is what the rule files say. `UPDATE=1 cargo test --test generated` rewrites it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use mcp_analyzer::render;
use mcp_analyzer::rules::{self, Family};
use serde_json::{Map, Value, json};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a file with what it should be, or rewrites it.
fn compare(path: &Path, expected: &str) {
    let found = fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    if found == expected {
        return;
    }
    assert!(
        std::env::var_os("UPDATE").is_some(),
        "{} does not say what the rules say: run `UPDATE=1 cargo test --test generated`",
        path.strip_prefix(root()).unwrap_or(path).display()
    );
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the file");
    fs::write(path, expected).expect("the file is written");
}

#[test]
fn every_rule_has_its_page_and_no_other_has_one() {
    let directory = root().join("docs/rules");
    for rule in rules::ALL {
        compare(&directory.join(format!("{}.md", rule.name)), &render::rule(rule));
    }
    for entry in fs::read_dir(&directory).expect("docs/rules") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if rules::by_name(&name).is_none() {
            assert!(std::env::var_os("UPDATE").is_some(), "{name}: there is no such rule");
            fs::remove_file(path).expect("the page is removed");
        }
    }
}

#[test]
fn the_readme_lists_the_rules() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).expect("README.md");
    let (before, rest) = readme.split_once("<!-- rules -->\n").expect("a place for the rules");
    let (_, after) = rest.split_once("<!-- /rules -->").expect("an end of that place");
    let mut table = String::from("| rule | severity | fix | what to do |\n|---|---|---|---|\n");
    for rule in rules::ALL {
        let fix = rule.fix.map_or("", |fix| fix.name());
        let _ = writeln!(
            table,
            "| [{0}](docs/rules/{0}.md) | {1} | {fix} | {2} |",
            rule.name,
            rule.severity.name(),
            rule.help
        );
    }
    compare(&path, &format!("{before}<!-- rules -->\n{table}<!-- /rules -->{after}"));
}

#[test]
fn the_extension_offers_a_level_for_every_rule() {
    let path = root().join("editors/vscode/package.json");
    let mut package: Value = serde_json::from_str(&fs::read_to_string(&path).expect("package.json")).expect("JSON");
    let mut levels = Map::new();
    for rule in rules::ALL {
        let description = rule.section("What it does").lines().collect::<Vec<_>>().join(" ");
        let level = json!({ "enum": ["error", "warning", "info", "hint", "off"], "description": description });
        levels.insert(rule.name.to_owned(), level);
    }
    let setting = &mut package["contributes"]["configuration"]["properties"]["mcpAnalyzer.levels"];
    setting["properties"] = Value::Object(levels);
    let text = serde_json::to_string_pretty(&package).expect("a value") + "\n";
    compare(&path, &text);
}

/// The folder of a rule is its family, and `src/rules/mod.rs` lists every file.
#[test]
fn every_rule_file_is_listed() {
    let listed = fs::read_to_string(root().join("src/rules/mod.rs")).expect("src/rules/mod.rs");
    // `ref` is a word of Rust.
    let listed = listed.replace("r#", "");
    for family in Family::ALL {
        for entry in fs::read_dir(root().join("src/rules").join(family.name())).expect("the family's folder") {
            let path = entry.expect("an entry").path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a rule");
            if !text.contains("rule! {") {
                continue;
            }
            assert!(
                listed.contains(&format!("&{}::{stem}::RULE,", family.name())),
                "{} is not in rules::ALL",
                path.display()
            );
            assert_eq!(rules::by_name(&stem.replace('_', "-")).map(|rule| rule.family), Some(family), "{stem}");
        }
    }
}
