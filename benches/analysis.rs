//! What a keystroke and an opened file cost inside: parse, read, check, edit. `cargo bench`.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mcp_analyzer::analysis::{Analysis, Ruleset, World};
use mcp_analyzer::document::{Document, Format};
use mcp_analyzer::model;
use mcp_analyzer::settings::Settings;
use mcp_analyzer::syntax::{self, Engine};
use mcp_analyzer::text::{Text, TextRange};

/// A tool list of about this many bytes in which nothing is wrong.
fn tools(bytes: usize) -> String {
    let mut out = String::from("{\n  \"tools\": [");
    let mut index = 0;
    while out.len() < bytes {
        let separator = if index == 0 { "" } else { "," };
        out += &format!(
            r#"{separator}
    {{
      "name": "get_record_{index}",
      "description": "Get record number {index} of the archive with its fields and its history.",
      "inputSchema": {{
        "type": "object",
        "properties": {{
          "record_id": {{ "type": "string", "description": "Identifier of the record, as list_records returns it." }},
          "limit": {{ "type": "integer", "minimum": 1, "maximum": 100, "description": "How many to return." }},
          "tags": {{ "type": "array", "items": {{ "type": "string" }}, "description": "Tags to filter by." }},
          "mode": {{ "type": "string", "enum": ["summary", "full"], "description": "How much of each to return." }}
        }},
        "required": ["record_id"]
      }}
    }}"#
        );
        index += 1;
    }
    out + "\n  ]\n}\n"
}

fn benches(criterion: &mut Criterion) {
    let rules = Arc::new(Ruleset::new(&Settings::default(), false));
    for (name, bytes) in [("10 KB", 10_000), ("100 KB", 100_000), ("1 MB", 1_000_000)] {
        let content = tools(bytes);
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(content.len() as u64)).sample_size(10);
        let text = Text::new(&content);
        group.bench_function("parse", |bencher| {
            let mut engine = Engine::default();
            bencher.iter(|| black_box(engine.parse(&text)));
        });
        group.bench_function("outline", |bencher| bencher.iter(|| black_box(model::outline(&content))));
        group.bench_function("read", |bencher| bencher.iter(|| black_box(syntax::read(&content))));
        group.bench_function("check", |bencher| {
            let document = Document::new("tools.json", Some("tools.json".into()), Format::Json, &content);
            bencher.iter_batched(
                Analysis::default,
                |mut analysis| {
                    analysis.check(&World { document: &document, rules: &rules, read_as: None });
                    analysis
                },
                BatchSize::LargeInput,
            );
        });
        group.bench_function("edit", |bencher| {
            let mut document = Document::new("tools.json", Some("tools.json".into()), Format::Json, &content);
            let mut analysis = Analysis::default();
            analysis.check(&World { document: &document.take_snapshot(), rules: &rules, read_as: None });
            let unparsed = analysis.unparsed("tools.json").expect("a tool list");
            analysis.take(unparsed.parse());
            let middle = content.len() / 2;
            let at = middle + content[middle..].find(" of the archive").expect("a description");
            bencher.iter(|| {
                document.apply(TextRange::empty(at), "x");
                analysis.check(&World { document: &document.take_snapshot(), rules: &rules, read_as: None }).len()
            });
        });
        group.finish();
    }
}

criterion_group!(all, benches);
criterion_main!(all);
