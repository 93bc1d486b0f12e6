//! What is said elsewhere of the rules, the settings and the models is what the source says.
//! `UPDATE=1 cargo test --test generated` rewrites it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use mcp_analyzer::analysis;
use mcp_analyzer::provider::{self, Model};
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
        "{} does not say what the source says: run `UPDATE=1 cargo test --test generated`",
        path.strip_prefix(root()).unwrap_or(path).display()
    );
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the file");
    fs::write(path, expected).expect("the file is written");
}

/// The same for what stands between two comments of a page.
fn compare_part(page: &str, name: &str, expected: &str) {
    let path = root().join(page);
    let text = fs::read_to_string(&path).expect("the page").replace("\r\n", "\n");
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = text.split_once(&start).expect("a place for it");
    let (_, after) = rest.split_once(&end).expect("an end of that place");
    compare(&path, &format!("{before}{start}{expected}{end}{after}"));
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
    let count = rules::ALL.len();
    let mut table = format!(
        "<details>\n<summary>All {count} rules</summary>\n\n| rule | severity | fix | what to do |\n|---|---|---|---|\n"
    );
    for rule in rules::ALL {
        let fix = rule.fix.map_or("", |fix| fix.name());
        let _ = writeln!(
            table,
            "| [{0}](docs/rules/{0}.md) | {1} | {fix} | {2} |",
            rule.name,
            if rule.recommended { rule.severity.name() } else { "off" },
            rule.help
        );
    }
    table.push_str("\n</details>\n");
    compare_part("README.md", "rules", &table);
}

/// How far off the counts are and what comes once, by family and by model.
#[test]
fn the_page_about_tokens_says_what_the_families_say() {
    let mut families = "| models | numbers | how far off | compared with |\n|---|---|---|---|\n".to_owned();
    for family in provider::Family::ALL {
        let accuracy = family.accuracy();
        let sign = if accuracy.sign().is_empty() { "as they are" } else { "≈" };
        let date = if accuracy.source.contains(accuracy.date) { String::new() } else { format!(", {}", accuracy.date) };
        let _ = writeln!(families, "| {} | {sign} | {} | {}{date} |", family.label(), accuracy.says, accuracy.source);
    }
    compare_part("docs/tokens.md", "families", &families);
    let mut once = "| model | tokens |\n|---|---|\n".to_owned();
    for name in Model::NAMES {
        let model = Model::named(name).expect("a model");
        let _ = writeln!(once, "| {name} | {} |", model.overhead);
    }
    compare_part("docs/tokens.md", "once", &once);
}

#[test]
fn the_settings_schema_is_that_of_the_types() {
    compare(&root().join("docs/settings.schema.json"), &format!("{:#}\n", analysis::settings_schema()));
}

/// Every setting of the file, and those that are the extension's own.
#[test]
fn the_extension_contributes_every_setting() {
    let path = root().join("editors/vscode/package.json");
    let mut package: Value = serde_json::from_str(&fs::read_to_string(&path).expect("package.json")).expect("JSON");
    let configuration = &mut package["contributes"]["configuration"]["properties"];
    let contributed = configuration.as_object_mut().expect("settings");
    contributed.retain(|name, _| ["mcpAnalyzer.server.", "mcpAnalyzer.trace."].iter().any(|own| name.starts_with(own)));
    for (name, setting) in analysis::settings_schema()["properties"].as_object().expect("settings") {
        match name.as_str() {
            // In VS Code a table is a dot in the name; that of the levels has names that users choose.
            "targets" | "limits" | "probe" => {
                for (own, setting) in setting["properties"].as_object().expect("a table") {
                    let mut contribution = contribution(setting);
                    if name == "probe" {
                        // Not the workspace's: it is about what runs on the user's machine.
                        contribution["scope"] = "machine".into();
                    }
                    contributed.insert(format!("mcpAnalyzer.{name}.{own}"), contribution);
                }
            }
            _ => _ = contributed.insert(format!("mcpAnalyzer.{name}"), contribution(setting)),
        }
    }
    let is_restricted = |setting: &Value| setting["scope"] == "machine";
    let restricted: Vec<&String> =
        contributed.iter().filter_map(|(name, setting)| is_restricted(setting).then_some(name)).collect();
    let restricted = json!(restricted);
    package["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] = restricted;
    let text = serde_json::to_string_pretty(&package).expect("a value") + "\n";
    compare(&path, &text);
}

/// A setting as VS Code wants it: what is not set is null or empty.
fn contribution(setting: &Value) -> Value {
    let mut setting = in_markdown(setting);
    match setting["type"].as_str().expect("one type") {
        "array" => setting["default"] = json!([]),
        "object" => setting["default"] = json!({}),
        other => {
            setting["type"] = json!([other, "null"]);
            setting["default"] = Value::Null;
            if let Some(Value::Array(words)) = setting.get_mut("enum") {
                words.insert(0, Value::Null);
                let mut labels = words.clone();
                labels[0] = "not set".into();
                setting["enumItemLabels"] = labels.into();
                let meanings = setting["markdownEnumDescriptions"].as_array_mut().expect("what each word means");
                meanings.insert(0, "What `mcp-analyzer.toml` says, else the default.".into());
            }
        }
    }
    setting
}

/// A schema whose descriptions are Markdown to VS Code, as they are in the source.
fn in_markdown(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| match (key.as_str(), value) {
                ("description", Value::String(_)) => ("markdownDescription".to_owned(), value.clone()),
                ("enumDescriptions", Value::Array(_)) => ("markdownEnumDescriptions".to_owned(), value.clone()),
                _ => (key.clone(), in_markdown(value)),
            })
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
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
