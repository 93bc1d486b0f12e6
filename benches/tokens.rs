//! What counting tokens costs, beside tiktoken-rs: loading, a tool of 750 bytes, 1 MB of tools; and what a tool costs by
//! family, from its declaration to the number. `cargo bench --bench tokens`.

use std::hint::black_box;
use std::io::Write as _;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mcp_analyzer::model::{Form, Tool};
use mcp_analyzer::provider::{Declaration, Family};
use mcp_analyzer::syntax::read;
use mcp_analyzer::tokens::Vocabulary;

const VOCABULARIES: [Vocabulary; 3] = [Vocabulary::O200k, Vocabulary::Claude2, Vocabulary::Gemma3];

/// A tool of 750 bytes, or nearly; with other numbers another one.
fn tool(index: usize) -> String {
    format!(
        r#"{{"name":"find_berth_{index}","description":"Finds a free berth in harbour number {index} for a boat of the given length, and tells what it costs a night, water and power included.","inputSchema":{{"type":"object","properties":{{"harbour_id":{{"type":"string","description":"Identifier of the harbour, as list_harbours returns it."}},"length":{{"type":"number","minimum":0.5,"maximum":{},"description":"Length over all, in metres."}},"services":{{"type":"array","items":{{"type":"string","enum":["shore_power","fuel","crane","water"]}},"description":"What the berth has to offer."}},"arrivesAt":{{"type":"string","format":"date-time","description":"When the boat arrives. Defaults to now if left out."}}}},"required":["harbour_id","length"],"additionalProperties":false}}}}"#,
        index * 7919 % 1000
    )
}

/// How much memory this process has, in MB; 0 where Linux does not say.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")).and_then(|number| number.parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1024.0
}

/// Does what can be done once in a process, and says what it took.
fn once<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (before, start) = (memory(), Instant::now());
    let result = work();
    let (took, grown) = (start.elapsed().as_secs_f64() * 1000.0, memory() - before);
    writeln!(std::io::stdout(), "loading {what:20} {took:6.1} ms, {grown:5.1} MB").expect("stdout");
    result
}

fn benches(criterion: &mut Criterion) {
    once("all of ours", || VOCABULARIES.map(|vocabulary| once(&format!("{vocabulary:?}"), || vocabulary.warm())));
    let tiktoken = once("tiktoken-rs, o200k", || tiktoken_rs::o200k_base().expect("part of the crate"));
    let text = tool(1);
    let value = read(&text).value;
    let declaration = Declaration::from(&Tool::new(&text, &value, Form::Mcp));
    let mut group = criterion.benchmark_group(format!("a tool of {} bytes, rendered and counted", text.len()));
    for family in Family::ALL {
        group.bench_function(family.label(), |bencher| {
            bencher.iter(|| {
                let text = family.text(black_box(&declaration)).expect("nothing is in the way");
                family.tokens(&text, &|vocabulary, text| vocabulary.count(text))
            });
        });
    }
    group.finish();
    let list: Vec<String> = (0..1350).map(tool).collect();
    for (name, text) in [("tool", tool(1)), ("1 MB", format!("[{}]", list.join(",")))] {
        let mut group = criterion.benchmark_group(format!("tokens of a text: {name}"));
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(20);
        assert_eq!(Vocabulary::O200k.count(&text), tiktoken.encode_ordinary(&text).len());
        for vocabulary in VOCABULARIES {
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
