//! What an editor writes is what the command line writes.

use std::path::Path;
use std::sync::Arc;

use mcp_analyzer::analysis::{Analysis, Ruleset, World, fix_all, resolved};
use mcp_analyzer::diagnostic::Applicability;
use mcp_analyzer::document::{Document, Format};
use mcp_analyzer::settings::Settings;
use mcp_analyzer::text::{Edit, Encoding, LineColumn, Text, TextRange, apply_edits};
use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "untitled:tools.jsonc";

/// Comments, tabs, CRLF, and characters of two UTF-16 units.
fn messy() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/messy/tools.jsonc");
    std::fs::read_to_string(file).expect("the fixture").lines().collect::<Vec<_>>().join("\r\n")
}

/// A text after the edits of an action.
fn applied(text: &str, action: &Value) -> String {
    let content = Text::new(text);
    let offset = |position: &Value| {
        let number = |key: &str| position[key].as_u64().expect("a number") as u32;
        content.offset(LineColumn { line: number("line"), column: number("character") }, Encoding::Utf16)
    };
    let edits = action["edit"]["changes"][URI].as_array().expect("edits").iter().map(|edit| {
        let range = TextRange::new(offset(&edit["range"]["start"]), offset(&edit["range"]["end"]));
        Edit::replace(range, edit["newText"].as_str().expect("a text"))
    });
    apply_edits(text, &edits.collect::<Vec<_>>())
}

#[test]
fn an_editor_writes_what_the_command_line_writes() {
    let text = messy();
    let literal = json!({ "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } });
    let mut client = Client::initialized(json!({ "textDocument": { "codeAction": literal } }), Value::Null, None);
    let item = json!({ "uri": URI, "languageId": "jsonc", "version": 1, "text": text });
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let mut actions = |range: &Value, only: &str| {
        let context = json!({ "diagnostics": [], "only": [only] });
        let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": context });
        client.request("textDocument/codeAction", params).expect("actions").as_array().expect("a list").clone()
    };

    let document = Document::new(URI, None, Format::Jsonc, &text);
    let rules = Arc::new(Ruleset::new(&Settings::default(), false));
    let fixed = fix_all(&document, &rules, None, |_, fix| fix.applicability == Applicability::Safe);
    let nowhere = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    let all = actions(&nowhere, "source.fixAll");
    assert_eq!(applied(&text, &all[0]), fixed.text);
    assert!(fixed.count >= 5, "{}", fixed.text);

    let mut analysis = Analysis::default();
    let report = analysis.check(&World::new(&document, &rules));
    let position = |offset: usize| {
        let LineColumn { line, column } = report.text().line_column(offset, Encoding::Utf16);
        json!({ "line": line, "character": column })
    };
    for finding in report.findings() {
        let range = finding.range();
        let offered = actions(&json!({ "start": position(range.start), "end": position(range.end) }), "quickfix");
        for fix in &finding.diagnostic.fixes {
            let expected = apply_edits(&text, &resolved(&report, finding.base, &fix.change));
            let same = |action: &&Value| action["title"] == fix.title.as_str() && applied(&text, action) == expected;
            assert!(offered.iter().any(|action| same(&action)), "`{}` makes of it\n{expected}", fix.title);
        }
    }
}
