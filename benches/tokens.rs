//! What counting tokens costs, beside tiktoken-rs. `cargo bench --bench tokens`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mcp_analyzer::tokens::Vocabulary;

const VOCABULARIES: [Vocabulary; 3] = [Vocabulary::O200k, Vocabulary::Claude2, Vocabulary::Gemma3];

/// A tool of 750 bytes, or nearly; with other numbers another one.
fn tool(index: usize) -> String {
    format!(
        r#"{{"name":"find_berth_{index}","description":"Finds a free berth in harbour number {index} for a boat of the given length, and tells what it costs a night, water and power included.","inputSchema":{{"type":"object","properties":{{"harbour_id":{{"type":"string","description":"Identifier of the harbour, as list_harbours returns it."}},"length":{{"type":"number","minimum":0.5,"maximum":{},"description":"Length over all, in metres."}},"services":{{"type":"array","items":{{"type":"string","enum":["shore_power","fuel","crane","water"]}},"description":"What the berth has to offer."}},"arrivesAt":{{"type":"string","format":"date-time","description":"When the boat arrives. Defaults to now if left out."}}}},"required":["harbour_id","length"],"additionalProperties":false}}}}"#,
        index * 7919 % 1000
    )
}

fn benches(criterion: &mut Criterion) {
    let tiktoken = tiktoken_rs::o200k_base().expect("part of the crate");
    let list: Vec<String> = (0..1350).map(tool).collect();
    for (name, text) in [("tool", tool(1)), ("1 MB", format!("[{}]", list.join(",")))] {
        let mut group = criterion.benchmark_group(format!("tokens of a text: {name}"));
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(20);
        assert_eq!(Vocabulary::O200k.count(&text), tiktoken.encode_ordinary(&text).len());
        for vocabulary in VOCABULARIES {
            vocabulary.warm();
            group.bench_function(format!("{vocabulary:?}"), |bencher| {
                bencher.iter(|| vocabulary.count(black_box(&text)));
            });
        }
        group.bench_function("tiktoken-rs, o200k", |bencher| {
            bencher.iter(|| tiktoken.encode_ordinary(black_box(&text)).len());
        });
        group.finish();
    }
}

criterion_group!(all, benches);
criterion_main!(all);
