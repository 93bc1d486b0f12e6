//! The law of the house: a module imports only floors below its own.

use std::fs;
use std::path::{Path, PathBuf};

/// The floors from the ground up; modules of one floor do not import each other, but for the pairs in [`BESIDE`].
const FLOORS: &[&[&str]] = &[
    &["text"],
    &["syntax", "document", "diagnostic"],
    &["model", "settings", "facts"],
    &["provider", "tokens"],
    &["rules"],
    &["analysis"],
    &["render", "settings_files", "probe", "exact", "user_files"],
    &["lsp", "cli"],
];
const BESIDE: &[(&str, &str)] = &[
    ("document", "syntax"),
    ("facts", "model"),
    ("provider", "tokens"),
    ("settings_files", "user_files"),
    ("probe", "user_files"),
    ("exact", "probe"),
];
/// Crates that only one module names, so that they can be swapped there.
const ONLY_HERE: &[(&str, &str)] =
    &[("ropey", "text"), ("tree_sitter", "syntax"), ("tower_lsp_server", "lsp"), ("clap", "cli")];

fn floor(module: &str) -> usize {
    FLOORS
        .iter()
        .position(|floor| floor.contains(&module))
        .unwrap_or_else(|| unreachable!("`{module}` has no floor: add it here"))
}

fn files(directory: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("src is readable") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn modules_import_only_floors_below() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    files(&src, &mut paths);
    let mut breaches = Vec::new();
    for path in paths {
        let relative = path.strip_prefix(&src).expect("inside src").to_string_lossy().replace('\\', "/");
        let module = relative.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        let is_test = ["tests.rs", "testing.rs"].iter().any(|name| relative.ends_with(name));
        if is_test || matches!(module, "lib" | "main") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source file").replace("\r\n", "\n");
        // Tests stand at the end of a file and may look down from the roof.
        let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default();
            for name in line
                .split("crate::")
                .skip(1)
                .map(|rest| rest.split(|char: char| !char.is_alphanumeric() && char != '_').next())
            {
                let Some(name) = name.filter(|name| FLOORS.iter().any(|floor| floor.contains(name))) else { continue };
                let is_allowed = name == module || floor(name) < floor(module) || BESIDE.contains(&(module, name));
                if !is_allowed {
                    breaches.push(format!("src/{relative}:{}: `{module}` imports `{name}`", number + 1));
                }
            }
            if line.contains("crate::{") {
                breaches
                    .push(format!("src/{relative}:{}: write `use crate::module::…`, one module a line", number + 1));
            }
            for (library, home) in ONLY_HERE {
                if module != *home && line.contains(&format!("{library}::")) {
                    breaches.push(format!("src/{relative}:{}: only `{home}` names {library}", number + 1));
                }
            }
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}
