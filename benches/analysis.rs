//! What a keystroke and an opened file cost inside: parse, read, check, edit. `cargo bench`.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mcp_analyzer::analysis::{Analysis, Ruleset, World};
use mcp_analyzer::document::{Document, Format};
use mcp_analyzer::model;
use mcp_analyzer::model::similar::{Similar, Terms};
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
                    analysis.check(&World::new(&document, &rules));
                    analysis
                },
                BatchSize::LargeInput,
            );
        });
        group.bench_function("edit", |bencher| {
            let mut document = Document::new("tools.json", Some("tools.json".into()), Format::Json, &content);
            let mut analysis = Analysis::default();
            analysis.check(&World::new(&document.take_snapshot(), &rules));
            let unparsed = analysis.unparsed("tools.json").expect("a tool list");
            analysis.take(unparsed.parse());
            let middle = content.len() / 2;
            let at = middle + content[middle..].find(" of the archive").expect("a description");
            bencher.iter(|| {
                document.apply(TextRange::empty(at), "x");
                analysis.check(&World::new(&document.take_snapshot(), &rules)).len()
            });
        });
        group.finish();
    }
}

/// Descriptions of 10,000 tools. All but the numbers are the same words in those of one sentence; the others are made of
/// ten verbs, a hundred nouns and some sentences of many.
fn descriptions(is_one_sentence: bool) -> Vec<String> {
    let verbs = ["list", "fetch", "create", "update", "archive", "search", "export", "merge", "count", "rename"];
    let word = |seed: usize, of: usize| format!("{}{}", ["ba", "ke", "li", "mo", "nu"][seed % 5], seed * 7919 % of);
    let varied = |index: usize| {
        let words: Vec<String> = (0..6 + index % 9).map(|at| word(index * 31 + at * at, 4000)).collect();
        let (verb, noun) = (verbs[index % 10], word(index / 10, 100));
        format!("{verb} the {noun} of a workspace by its identifier, {}.", words.join(" "))
    };
    let one = |index: usize| format!("Get record number {index} of the archive with its fields and its history.");
    (0..10_000).map(|index| if is_one_sentence { one(index) } else { varied(index) }).collect()
}

fn similarity(criterion: &mut Criterion) {
    for (name, is_one_sentence) in [("10,000 descriptions", false), ("10,000 of one sentence", true)] {
        let texts = descriptions(is_one_sentence);
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        let terms = || texts.iter().map(|text| Terms::of(text)).collect::<Vec<_>>();
        // What stands in for the hash of a description: its index.
        fn update(similar: &mut Similar, terms: &[Terms]) -> usize {
            similar.update(terms.iter().enumerate().map(|(index, terms)| Some((index as u64, terms))));
            similar.alike().len()
        }
        group.bench_function("terms", |bencher| bencher.iter(|| black_box(terms())));
        group.bench_function("from scratch", |bencher| {
            bencher.iter(|| update(&mut Similar::default(), &terms()));
        });
        group.bench_function("one edit", |bencher| {
            let (mut terms, mut similar) = (terms(), Similar::default());
            update(&mut similar, &terms);
            let mut edits = terms.len() as u64;
            bencher.iter(|| {
                edits += 1;
                terms[5000] = Terms::of(&format!("{} x{edits}", texts[5000]));
                let keys = |index: usize| if index == 5000 { edits } else { index as u64 };
                similar.update(terms.iter().enumerate().map(|(index, terms)| Some((keys(index), terms))));
                similar.alike().len()
            });
        });
        group.bench_function("clusters", |bencher| {
            let fresh = || {
                let mut similar = Similar::default();
                update(&mut similar, &terms());
                similar
            };
            bencher.iter_batched(fresh, |similar| similar.clusters().len(), BatchSize::LargeInput);
        });
        group.finish();
    }
}

criterion_group!(all, benches, similarity);
criterion_main!(all);
