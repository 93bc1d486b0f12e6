use std::time::Instant;

use proptest::prelude::*;

use super::layout::testing::tokens;
use super::*;
use crate::facts::Failure;
use crate::model;

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).expect("JSON")
}

fn report() -> ProbeReport {
    let launch = LaunchId::parse(&"ab".repeat(16)).expect("32 digits");
    let mut report = ProbeReport::new(launch, "a \"b\"", Transport::Http);
    report.at = 1_796_062_542;
    report.protocol_version = Some("2025-11-25".to_owned());
    report.timings = Timings {
        ready: Some(Duration::from_micros(2311)),
        tools: Some(Duration::from_millis(4)),
        total: Duration::from_secs(2),
    };
    report
}

fn text_of(raw: &Raw, report: &ProbeReport) -> String {
    snapshot(raw, report).text().to_string()
}

fn tools(pages: &[&str]) -> Raw {
    Raw { tools: pages.iter().map(|page| raw(page)).collect(), ..Raw::default() }
}

#[test]
fn a_snapshot_says_what_is_known() {
    let handshake = r#"{"protocolVersion":"2025-11-25","serverInfo":{"name":"n","version":"1.0"},
        "capabilities":{"tools":{"listChanged":true},"prompts":{}},"instructions":"Use \u0041 with care.\n"}"#;
    let raw = Raw {
        handshake: Some(raw(handshake)),
        tools: vec![
            raw(
                r#"{"tools":[{"name":"a","description":"Reads a thing that has a long description, really.","inputSchema":{"type":"object","properties":{"p":{"type":"string","enum":["x","y"]}}}}],"nextCursor":"2"}"#,
            ),
            raw(r#"{"tools":[{"name":"b"},7,"x"]}"#),
        ],
        prompts: vec![raw(r#"{"prompts":[]}"#)],
        ..Raw::default()
    };
    let text = text_of(&raw, &report());
    let expected = r#"{
  "snapshot": 1,
  "launch": "abababababababababababababababab",
  "name": "a \"b\"",
  "probedAt": "2026-11-30T18:15:42Z",
  "protocolVersion": "2025-11-25",
  "serverInfo": { "name": "n", "version": "1.0" },
  "capabilities": {
    "tools": { "listChanged": true },
    "prompts": {}
  },
  "instructions": "Use \u0041 with care.\n",
  "timings": { "ready": 2.311, "tools": 4, "total": 2000 },
  "transport": "Streamable HTTP",
  "tools": [
    {
      "name": "a",
      "description": "Reads a thing that has a long description, really.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "p": {
            "type": "string",
            "enum": ["x", "y"]
          }
        }
      }
    },
    { "name": "b" },
    7,
    "x"
  ],
  "prompts": []
}
"#;
    assert_eq!(text, expected);

    let path = Path::new("/c/x.json");
    let read = read(&text, path).expect("a snapshot");
    let written = report();
    assert_eq!((read.launch, &*read.name, read.at), (written.launch, &*written.name, written.at));
    assert_eq!((read.transport, &read.protocol_version), (written.transport, &written.protocol_version));
    assert_eq!(read.timings, written.timings);
    assert_eq!(read.server, ServerInfo { name: Some("n".to_owned()), version: Some("1.0".to_owned()) });
    assert_eq!(read.instructions, Some("Use A with care.\n".len()));
    assert_eq!(read.counts, Counts { tool_pages: 1, ..raw.counts() });
    assert_eq!(raw.counts(), Counts { tools: 4, tool_pages: 2, ..Counts::default() });
    let document = read.snapshot.expect("a document");
    assert_eq!((document.path.as_deref(), document.text().to_string()), (Some(path), text));
}

#[test]
fn a_snapshot_is_a_tool_list() {
    let text = text_of(&tools(&[r#"{"tools":[{"name":"a","inputSchema":{}},7,{"x":[{"name":"b"}]}]}"#]), &report());
    let found = model::recognise(model::outline(&text), None, model::Otherwise::Unknown);
    assert!(matches!(found.kind, model::Kind::Tools), "{:?}", found.kind);
    assert_eq!((found.items.len(), found.lists.len()), (3, 1));
}

#[test]
fn discovery_has_the_server_elsewhere() {
    let handshake = r#"{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"d"}}}"#;
    let raw = Raw { handshake: Some(raw(handshake)), ..Raw::default() };
    let text = text_of(&raw, &report());
    assert!(text.contains(r#""serverInfo": { "name": "d" }"#), "{text}");
    assert!(!text.contains("tools\": ["), "a list that was not read is not there: {text}");
    assert_eq!(read(&text, Path::new("x")).expect("a snapshot").server.name.as_deref(), Some("d"));
}

#[test]
fn what_is_no_list_is_kept() {
    for (pages, expected) in [
        (
            &[r#"{"tools":{"a":{"x":1}}}"#][..],
            r#""tools": {
    "a": { "x": 1 }
  }"#,
        ),
        (&[r#"{"tools":null}"#], r#""tools": null"#),
        (&[r#"{"tools":"x"}"#, r#"{"tools":[1]}"#], "\"tools\": [\n    \"x\",\n    1\n  ]"),
        (&[r#"{"tools":[1],"tools":[2]}"#], "\"tools\": [\n    2\n  ]"),
        (&["{\"to\\u006fls\":[],\"\\ud800\":[3]}"], "\"tools\": []"),
    ] {
        let text = text_of(&tools(pages), &report());
        assert!(text.contains(expected), "{text}");
    }
    for page in ["[]", "7", "{}", r#"{"result":[]}"#] {
        let raw = tools(&[page]);
        assert!(!text_of(&raw, &report()).contains("tools\": ["), "{page}");
        assert_eq!(raw.counts(), Counts { tool_pages: 1, ..Counts::default() });
    }
}

#[test]
fn what_a_parser_would_change_is_kept() {
    let list = r#"[{"b":1.50e+2,"a":1e400,"b":-0,"\ud800":"\ud83d x\/\u0000"},[[]],{"a":{}}]"#;
    let text = text_of(&tools(&[&format!("{{\"tools\":{list}}}")]), &report());
    for token in tokens(list) {
        assert!(text.contains(token), "{token}");
    }
}

#[test]
fn what_failed_is_not_taken_for_all_there_is() {
    let mut report = report();
    report.failure = Some(Failure::TooMuch("x".to_owned()));
    let text = text_of(&tools(&[r#"{"tools":[]}"#]), &report);
    assert!(text.contains("\"incomplete\": true") && read(&text, Path::new("x")).is_none());
}

#[test]
fn what_is_no_snapshot_is_none() {
    let good = text_of(&tools(&[r#"{"tools":[]}"#]), &report());
    assert!(read(&good, Path::new("x")).is_some());
    let deep = "[".repeat(100_000);
    let others = [
        "",
        "[]",
        "{\"tools\": []}",
        deep.as_str(),
        &good.replace("\"snapshot\": 1", "\"snapshot\": 2"),
        &good.replace("abab", "zz"),
        &good.replace("2026-", "then-"),
        &good[..40],
    ];
    for text in others {
        assert!(read(text, Path::new("x")).is_none(), "{text:.60}");
    }
}

#[test]
fn size_and_depth_are_no_matter() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let objects = |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    let dense = format!("[{}0]", "0,".repeat(1 << 19));
    let nested_dense = format!("{}{dense}{}", "[".repeat(20), "]".repeat(20));
    let long = format!("\"{}\"", "é\\\\".repeat(1 << 19));
    let values = [deep(5000), deep(1 << 19), objects(5000), objects(1 << 18), dense, nested_dense, long];
    for value in values {
        let mut out = String::new();
        let start = Instant::now();
        layout::lay_out(&mut out, &value, 2);
        assert!(out.len() < 8 * value.len() + 10_000, "{} became {}", value.len(), out.len());
        assert_eq!(tokens(&out), tokens(&value));
        assert!(start.elapsed() < Duration::from_secs(20), "{value:.20}");
    }
    let page = format!("{{\"tools\":[{},{}]}}", deep(5000), objects(5000));
    let text = text_of(&tools(&[&page]), &report());
    assert_eq!(read(&text, Path::new("x")).expect("a snapshot").counts.tools, 2);
}

/// JSON as somebody may write it, whatever it means.
fn json() -> impl Strategy<Value = String> {
    let string = r#""([a-z {}\[\],:é]|\\["\\/bn]|\\u[dD][89]00){0,12}""#;
    let leaf = prop_oneof![
        string.prop_map(|text| text),
        "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?",
        "true|false|null"
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        let space = || "[ \t\r\n]{0,2}";
        let list = |item: BoxedStrategy<String>| {
            (proptest::collection::vec((space(), item, space()), 0..6), space()).prop_map(|(items, space)| {
                let items: Vec<String> =
                    items.into_iter().map(|(before, item, after)| format!("{before}{item}{after}")).collect();
                if items.is_empty() { space } else { items.join(",") }
            })
        };
        let member = (string, space(), space(), inner.clone())
            .prop_map(|(key, before, after, value)| format!("{key}{before}:{after}{value}"));
        prop_oneof![
            list(inner.boxed()).prop_map(|inside| format!("[{inside}]")),
            list(member.boxed()).prop_map(|inside| format!("{{{inside}}}")),
        ]
    })
}

proptest! {
    #[test]
    fn lists_keep_their_tokens(first in json(), second in json(), third in json()) {
        let pages = [format!("{{ \"tools\" : [{first} ,{second}]}}"), format!("{{\"nextCursor\":\"x\",\"tools\":[{third}]}}")];
        let text = text_of(&tools(&[&pages[0], &pages[1]]), &report());
        let expected = format!("[{first},{second},{third}]");
        let list = layout::member(&text, "tools").expect("a list");
        prop_assert_eq!(tokens(list), tokens(&expected));
        prop_assert_eq!(layout::elements(list).map(|list| list.len()), Some(3));
        prop_assert!(RawValue::from_string(text.trim_end().to_owned()).is_ok());
    }

    #[test]
    fn a_value_that_is_no_list_keeps_its_tokens(value in json()) {
        let text = text_of(&tools(&[&format!("{{\"tools\":{value}}}")]), &report());
        prop_assert_eq!(tokens(layout::member(&text, "tools").expect("a value")), tokens(&value));
    }

    #[test]
    fn any_text_can_be_laid_out(text in "(?s)([\\[\\]{}:,\"\\\\ é\n]|1|a){0,60}") {
        let mut out = String::new();
        layout::lay_out(&mut out, &text, 1);
        let _ = (layout::member(&text, "a"), layout::elements(&text), read(&text, Path::new("x")));
    }
}
