//! How far our counts are from those that providers reported, and that they are no farther than `docs/tokens.md` says. Some
//! small ones are compared in every run, tools of a few words; all of them from a file that is not part of the project and
//! whose path comes from the environment:
//!
//! ```text
//! CALIBRATION=counts.jsonl cargo test --test calibration -- --ignored --nocapture
//! ```
//!
//! A line is `{"provider", "model", "published_tokens", "tools", …}`: `split` `fit` is the count of a single tool for
//! Claude Sonnet 4.5 with everything that comes once; others are those of whole requests with `messages`, `system` and
//! for OpenAI the `api`.

use std::collections::BTreeMap;
use std::io::Write as _;

use mcp_analyzer::provider::{Declaration, Family, ListCost, Model, Provider, openai};
use mcp_analyzer::syntax::{Value, read};
use mcp_analyzer::tokens::{self, Vocabulary};

/// What a request for a single tool of Claude Sonnet 4.5 came to besides the tool.
const SINGLE_TOOL_REQUEST: f64 = 500.4;

/// What a message comes to besides its words, for Claude.
const MESSAGE: f64 = 7.0;

/// Differences between what was published and what we count.
#[derive(Default)]
struct Row {
    /// In tokens, published less counted.
    residuals: Vec<f64>,
    /// In per cent of what was published, the part that is the same for all tools aside.
    errors: Vec<f64>,
    /// Why others could not be counted.
    unrendered: Vec<String>,
}

fn declarations(record: &Value) -> Vec<Declaration<'_>> {
    let mut out = Vec::new();
    for tool in record.get("tools").map(Value::elements).unwrap_or_default() {
        let listed = tool.get("functionDeclarations").map(Value::elements);
        for tool in listed.unwrap_or(std::slice::from_ref(tool)) {
            let tool = tool.get("function").unwrap_or(tool);
            let keys = ["input_schema", "parameters", "parameters_json_schema", "parametersJsonSchema"];
            out.push(Declaration {
                name: tool.get("name").and_then(Value::as_str).unwrap_or_default(),
                description: tool.get("description").and_then(Value::as_str),
                schema: keys.iter().find_map(|key| tool.get(key)).filter(|schema| schema.is_object()),
                schema_key: "parameters",
            });
        }
    }
    out
}

/// The texts of the messages and how many there are.
fn messages(record: &Value) -> Vec<&str> {
    let messages = record.get("messages").map(Value::elements).unwrap_or_default().iter();
    let texts = messages.filter_map(|message| {
        message.as_str().or_else(|| message.get("content")?.as_str()).or_else(|| message.elements().get(1)?.as_str())
    });
    texts.chain(record.get("system").and_then(Value::as_str).filter(|text| !text.is_empty())).collect()
}

/// What comes in a request to OpenAI besides the list: its messages, four for each and three for the answer, and what the
/// API adds where there are tools. Those of chat completions before GPT-5 are the ones of the npm package
/// openai-chat-tokens, which was compared with the API by its author.
fn openai_fixed(record: &Value, family: Family, count: &impl Fn(&str) -> usize) -> usize {
    let messages = record.get("messages").map(Value::elements).unwrap_or_default();
    let role = |message: &Value| {
        let role = message.get("role").or_else(|| message.elements().first());
        role.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let is_chat = record.get("api").and_then(Value::as_str) != Some("resp");
    let system =
        messages.iter().position(|message| role(message) == "system").filter(|_| family == Family::Gpt4o && is_chat);
    let words = messages.iter().enumerate().map(|(at, message)| {
        let content = message.get("content").or_else(|| message.elements().get(1)).and_then(Value::as_str);
        let line_end = if system == Some(at) { "\n" } else { "" };
        let name = message.get("name").and_then(Value::as_str).map_or(0, |name| count(name) + 1);
        let is_answer = role(message) == "function";
        count(&format!("{}{line_end}", content.unwrap_or_default())) + 4 + name - if is_answer { 2 } else { 0 }
    });
    let list = match (family, is_chat, system) {
        (Family::Gpt5, true, _) => 89,
        (Family::Gpt5, false, _) => 7,
        (_, true, Some(_)) => 5,
        (_, true, None) => 9,
        (_, false, _) => 3,
    };
    let choice = record.get("function_call").map_or(0, |call| match call.get("name").and_then(Value::as_str) {
        Some(name) => count(name) + 4,
        None => usize::from(call.as_str() == Some("none")),
    });
    words.sum::<usize>() + 3 + list + choice
}

/// One published count and ours.
struct Measured {
    model: Model,
    /// What kind of request it was.
    label: String,
    cost: ListCost,
    published: f64,
    /// Published less counted.
    residual: f64,
    /// What the tools and their messages come to as published, without what is the same for all tools.
    size: f64,
}

/// What a line of such a file comes to; `None` where nothing can be compared. `older` is the vocabulary before GPT-4o, which
/// is not part of the project.
fn measure(record: &Value, older: &tiktoken_rs::CoreBPE) -> Option<Measured> {
    let string = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
    let published = record.get("published_tokens").and_then(Value::as_number)?;
    let tools = declarations(record);
    let model = Model::named(string("model").split(' ').next()?)?;
    if tools.is_empty() || string("host").starts_with("aiplatform") {
        return None;
    }
    let cost = model.cost(&tools, &|vocabulary: Vocabulary, text: &str| vocabulary.count(text));
    let words: usize = messages(record).iter().map(|text| model.family.vocabulary().count(text)).sum();
    let mut size = published - cost.overhead as f64;
    let (label, residual) = match model.family.provider() {
        Provider::Anthropic if string("split") == "fit" => {
            size = published - SINGLE_TOOL_REQUEST;
            ("single tools".to_owned(), size - cost.total as f64)
        }
        Provider::Anthropic => {
            let is_forced = matches!(string("tool_choice"), "any" | "tool");
            let prompt = if is_forced && cost.overhead > 400 { 92.0 } else { 0.0 };
            let residual = published - prompt - (cost.total + cost.overhead) as f64 - words as f64 * 1.065 - MESSAGE;
            let is_older = residual < -100.0;
            (if is_older { "requests with an older prompt" } else { "requests" }.to_owned(), residual)
        }
        Provider::OpenAi => {
            let is_older = ["gpt-3.5", "gpt-4 "].iter().any(|name| format!("{} ", string("model")).starts_with(name));
            let count = |text: &str| if is_older { older.encode_ordinary(text).len() } else { tokens::count(text) };
            let texts: Vec<String> = tools.iter().flat_map(|tool| model.family.text(tool)).collect();
            let counted = count(&openai::list_text(&texts)) + openai_fixed(record, model.family, &count);
            let suite = match string("notes") {
                notes if notes.starts_with("validated") => "openai-chat-tokens",
                notes if notes.contains("counted by") => "cookbook",
                _ => "",
            };
            (format!("{} {suite}", string("api")).trim_end().to_owned(), published - counted as f64)
        }
        Provider::Gemini => ("requests".to_owned(), published - (cost.total + cost.overhead + words) as f64),
    };
    Some(Measured { model, label, cost, published, residual, size })
}

/// The comparisons of a file, by family and kind of request.
fn rows(text: &str) -> BTreeMap<String, Row> {
    let older = tiktoken_rs::cl100k_base().expect("the older vocabulary");
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for line in text.lines() {
        let Some(Measured { model, label, cost, published, residual, size }) = measure(&read(line).value, &older)
        else {
            continue;
        };
        if std::env::var("EACH").is_ok() {
            let line = format!("{} {label} {published} {residual:.1} of {}", model.name, cost.total + cost.overhead);
            writeln!(std::io::stdout(), "{line}").expect("stdout");
        }
        let row = rows.entry(format!("{}, {label}", model.family.label())).or_default();
        if let Some(unrendered) = cost.tools.iter().find_map(|tool| tool.as_ref().err()) {
            row.unrendered.push(unrendered.to_string());
            continue;
        }
        row.residuals.push(residual);
        row.errors.push(residual.abs() * 100.0 / size.abs());
    }
    for row in rows.values_mut() {
        row.residuals.sort_by(f64::total_cmp);
        row.errors.sort_by(f64::total_cmp);
    }
    rows
}

impl Row {
    /// How many come out within so many tokens.
    fn within(&self, tokens: f64) -> usize {
        self.residuals.iter().filter(|residual| residual.abs() < tokens + 0.5).count()
    }

    /// In per cent.
    fn mean(&self) -> f64 {
        self.errors.iter().sum::<f64>() / self.errors.len() as f64
    }

    fn worst(&self) -> f64 {
        self.errors.last().copied().unwrap_or_default()
    }
}

/// What is promised of each family. `exceptions` may be off: so many of Gemini 2.5, and of GPT-4o, of which not all is known.
fn assert_promises(rows: &BTreeMap<String, Row>, exceptions: (usize, usize)) {
    let row = |label: &str| &rows[label];
    let claude = row("Claude up to 4.6, single tools");
    assert!(claude.mean() <= 1.5 && claude.worst() <= 3.0, "{} {}", claude.mean(), claude.worst());
    assert!(claude.worst() <= Family::Claude.accuracy().per_cent);
    let (of_gemini, of_gpt) = exceptions;
    for (label, tokens, exceptions) in [
        ("GPT-4o and GPT-4.1, chat", 2.0, of_gpt),
        ("GPT-4o and GPT-4.1, resp", 2.0, 1),
        ("GPT-4o and GPT-4.1, chat openai-chat-tokens", 0.0, 0),
        ("GPT-5, chat", 2.0, 0),
        ("GPT-5, resp", 2.0, 0),
        ("Gemini 2.5, requests", 1.0, of_gemini),
        ("Gemini 3, requests", 1.0, 0),
    ] {
        let row = row(label);
        let missed = row.residuals.len() + row.unrendered.len() - row.within(tokens);
        assert!(
            missed <= exceptions,
            "{label}: {missed} more than {tokens} off: {:?} {:?}",
            row.residuals,
            row.unrendered
        );
    }
}

#[test]
fn small_tools_come_out_as_they_were_counted() {
    let rows = rows(include_str!("renderings/published.jsonl"));
    assert_promises(&rows, (0, 0));
    let requests = &rows["Claude up to 4.6, requests"];
    assert_eq!(requests.within(2.0), requests.residuals.len(), "{:?}", requests.residuals);
}

#[test]
#[ignore = "reads a file that is not part of the project"]
fn published_counts() {
    let path = std::env::var("CALIBRATION").expect("the path of the published counts in CALIBRATION");
    let rows = rows(&std::fs::read_to_string(path).expect("the published counts"));
    for (label, row) in &rows {
        let count = row.errors.len();
        let at = |sorted: &[f64], share: usize| sorted[(count - 1) * share / 100];
        let line = format!(
            "{label:44} {count:3}: within 1 {:3}, within 2 {:3}, {:6.1} to {:6.1}, median {:5.1}; \
             per cent: mean {:5.2}, p95 {:5.2}, worst {:5.2} {:?}",
            row.within(1.0),
            row.within(2.0),
            at(&row.residuals, 0),
            at(&row.residuals, 100),
            at(&row.residuals, 50),
            row.mean(),
            at(&row.errors, 95),
            row.worst(),
            row.unrendered,
        );
        writeln!(std::io::stdout(), "{line}").expect("stdout");
    }
    // As many of the whole as the documentation says.
    let compared = |label: &str| rows[label].residuals.len() + rows[label].unrendered.len();
    assert_eq!(compared("Claude up to 4.6, single tools"), 68);
    assert_eq!(compared("GPT-4o and GPT-4.1, chat openai-chat-tokens"), 20);
    assert_eq!(compared("Gemini 2.5, requests"), 17);
    let cookbook = &rows["GPT-4o and GPT-4.1, chat cookbook"];
    assert_eq!(cookbook.residuals, [0.0; 4]);
    assert_promises(&rows, (3, 4));
}
