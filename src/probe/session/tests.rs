use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use super::*;
use crate::model::dialect::Transport as Way;
use crate::model::launch::Launch;
use crate::probe::stdio::Pipes;

/// What a server does when it is asked something.
enum Act {
    /// What any server does.
    Usual,
    /// It writes this.
    Write(Vec<u8>),
    /// It writes this and ends.
    End(Vec<u8>),
}

fn result(id: &Value, result: &str) -> Act {
    Act::Write(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n").into_bytes())
}

fn usual(method: &str, id: &Value) -> Vec<u8> {
    let body = match method {
        "initialize" => {
            r#""result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"},"instructions":"hi"}"#
        }
        "tools/list" => r#""result":{"tools":[{"name":"a"},{"name":"b"}]}"#,
        _ => r#""error":{"code":-32601,"message":"no"}"#,
    };
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{body}}}\n").into_bytes()
}

/// What came of asking a server.
struct Asked {
    report: ProbeReport,
    raw: Raw,
    stop: Option<Stop>,
    /// All that it was told.
    told: Vec<Value>,
}

/// Asks a server that does `act` with each message that has a method.
async fn ask(mut act: impl FnMut(&str, &Value) -> Act + Send + 'static) -> Asked {
    let (near, far) = tokio::io::duplex(1 << 16);
    let server = tokio::spawn(async move {
        let (reader, mut writer) = tokio::io::split(far);
        let mut lines = BufReader::new(reader).lines();
        let mut told = Vec::new();
        while let Ok(Some(line)) = lines.next_line().await {
            let message: Value = serde_json::from_str(&line).expect("the client writes JSON");
            told.push(message.clone());
            let Some(method) = message["method"].as_str() else { continue };
            let (bytes, ends) = match act(method, &message) {
                Act::Usual if message.get("id").is_none() => continue,
                Act::Usual => (usual(method, &message["id"]), false),
                Act::Write(bytes) => (bytes, false),
                Act::End(bytes) => (bytes, true),
            };
            if writer.write_all(&bytes).await.is_err() || ends {
                break;
            }
        }
        told
    });
    let limits = Limits {
        handshake: Duration::from_secs(5),
        list: Duration::from_secs(2),
        message: 1 << 20,
        total: 4 << 20,
        pages: 5,
        ..Limits::default()
    };
    let tap = Tap::default();
    let (reader, writer) = tokio::io::split(near);
    let pipes = Pipes::new(reader, writer, &tap, &limits);
    let lines = pipes.lines(Duration::from_millis(200));
    let mut report = ProbeReport::new(Launch::url("test:").id(), "test", Way::Stdio);
    let mut raw = Raw::default();
    let stop = match Session::open(lines, Opening::Auto, limits.handshake, &tap, &limits).await {
        Err(stop) => Some(stop),
        Ok(session) => {
            let stop = session.read(&mut report, &mut raw).await.err();
            session.close().await;
            stop
        }
    };
    report.counts = raw.counts();
    tap.tell(&mut report);
    drop(pipes);
    let told = server.await.expect("the server does not panic");
    Asked { report, raw, stop, told }
}

/// Asks a server that answers only `tools/list` in its own way.
async fn ask_tools(mut act: impl FnMut(&Value) -> Act + Send + 'static) -> Asked {
    ask(move |method, message| if method == "tools/list" { act(message) } else { Act::Usual }).await
}

fn pages(raw: &Raw) -> Vec<&str> {
    raw.tools.iter().map(|page| page.get()).collect()
}

#[tokio::test]
async fn a_malformed_tool_loses_nothing() {
    let list = r#"{"tools":[ {"name":"ok","x":1.50,"inputSchema":{"type":"object"}},{"name":"bare"},
        {"name":5,"inputSchema":"text"},{"name":"\ud800","a":1,"a":2,"n":1e400},null],  "big":1.0e2}"#;
    let list = list.replace('\n', " ");
    let sent = list.clone();
    let asked = ask_tools(move |message| result(&message["id"], &sent)).await;
    assert!(asked.stop.is_none(), "{:?}", asked.stop);
    assert_eq!(pages(&asked.raw), [list]);
    assert_eq!(asked.report.counts.tools, 5);
    assert_eq!(asked.report.protocol_version.as_deref(), Some("2025-06-18"));
    assert_eq!(asked.report.server.name.as_deref(), Some("fake"));
    assert_eq!(asked.report.instructions, Some(2));
    assert!(asked.report.oddities.is_empty());
}

#[tokio::test]
async fn both_eras_and_what_is_between() {
    let modern = |ttl: &'static str| {
        ask(move |method, message| {
            match method {
            "server/discover" => result(
                &message["id"],
                &format!(
                    r#"{{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{{"prompts":{{}}}}{ttl},
                    "_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"new","version":"2"}}}}}}"#
                )
                .replace('\n', " "),
            ),
            "prompts/list" => result(&message["id"], r#"{"prompts":[{}]}"#),
            _ => Act::Usual,
        }
        })
    };
    let asked = modern(r#","ttlMs":0,"cacheScope":"private""#).await;
    assert_eq!(asked.report.protocol_version.as_deref(), Some("2026-07-28"));
    assert_eq!(asked.report.server.name.as_deref(), Some("new"));
    assert_eq!((asked.report.counts.prompts, asked.raw.prompts.len()), (1, 1));
    assert_eq!(asked.report.oddities, []);
    assert!(asked.told.iter().all(|message| message["method"] != "initialize"));
    // Not all that has to be there is.
    let asked = modern("").await;
    assert!(asked.stop.is_none(), "{:?}", asked.stop);
    assert!(matches!(&asked.report.oddities[..], [Oddity::LenientHandshake(_)]), "{:?}", asked.report.oddities);
    // Silent when it is asked what it does not know, and no name.
    let asked = ask(|method, message| match method {
        "server/discover" => Act::Write(Vec::new()),
        "initialize" => result(&message["id"], r#"{"protocolVersion":"2024-11-05","capabilities":{"tools":{}}}"#),
        _ => Act::Usual,
    })
    .await;
    assert_eq!(asked.report.counts.tools, 2);
    assert_eq!(asked.report.protocol_version.as_deref(), Some("2024-11-05"));
    let why = "missing field `serverInfo`".to_owned();
    assert_eq!(asked.report.oddities, [Oddity::LenientHandshake(why)]);
}

#[tokio::test]
async fn noise_and_messages_that_are_not_quite_right_are_told_apart() {
    let asked = ask_tools(|message| {
        let mut out = b"  Banner 1.0\n\n[1,2,3]\n{\"level\":\"info\"}\n\xEF\xBB\xBF".to_vec();
        let list = r#"{"tools":[{"name":"caf"#;
        out.extend(format!("{{\"id\":\"{}\",\"result\":{list}", message["id"]).bytes());
        out.extend(b"\xE9\"}]}}\r\n");
        Act::Write(out)
    })
    .await;
    assert!(asked.stop.is_none(), "{:?}", asked.stop);
    assert_eq!(pages(&asked.raw), ["{\"tools\":[{\"name\":\"caf\u{FFFD}\"}]}"]);
    assert_eq!(asked.report.noise.first[..3], ["Banner 1.0", "[1,2,3]", "{\"level\":\"info\"}"]);
    assert!(asked.report.oddities.contains(&Oddity::NotUtf8));
    assert!(asked.report.oddities.iter().any(|oddity| matches!(oddity, Oddity::UnknownIds(_))));
}

#[tokio::test]
async fn wrong_ids() {
    let asked = ask_tools(|message| {
        let Act::Write(mut bytes) = result(&Value::from(4711), r#"{"tools":[{}]}"#) else { unreachable!() };
        // The second answer to an old question answers nothing.
        let Act::Write(old) = result(&(message["id"].as_u64().expect("a number") - 1).into(), "{}") else {
            unreachable!()
        };
        bytes.splice(0..0, old);
        Act::Write(bytes)
    })
    .await;
    assert_eq!(asked.report.counts.tools, 1);
    assert!(matches!(asked.report.oddities[..], [Oddity::UnknownIds(_)]));
}

#[tokio::test]
async fn answers_to_notifications_belong_to_nothing() {
    let asked = ask(|method, _| match method {
        "notifications/initialized" => Act::Write(
            concat!(
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}"#,
                "\n",
                r#"{"jsonrpc":"2.0","error":{"code":-32601,"message":"no"}}"#,
                "\n",
                r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
                "\n",
                r#"{"jsonrpc":"2.0","id":"none","result":{}}"#,
                "\n",
            )
            .into(),
        ),
        _ => Act::Usual,
    })
    .await;
    assert!(asked.stop.is_none(), "{:?}", asked.stop);
    assert_eq!(asked.report.counts.tools, 2);
    assert_eq!(asked.report.oddities, [Oddity::UnknownIds(2)]);
}

#[tokio::test]
async fn cursors() {
    let paged = |next: fn(usize) -> String| {
        let mut page = 0;
        ask_tools(move |message| {
            page += 1;
            result(&message["id"], &format!(r#"{{"tools":[{{"name":"t{page}"}}],"nextCursor":{}}}"#, next(page)))
        })
    };
    let method = "tools/list";
    for (next, count, oddity) in [
        ((|page| if page < 3 { format!("\"{page}\"") } else { "null".to_owned() }) as fn(usize) -> String, 3, None),
        (|page| format!("\"{}\"", page % 2), 3, Some(Oddity::CursorRepeats { method, pages: 3 })),
        (|_| "\"\"".to_owned(), 1, None),
        (|page| format!("\"{page}\""), 5, Some(Oddity::EndlessPages { method, pages: 5 })),
        (|page| page.to_string(), 1, Some(Oddity::CursorNotString { method })),
    ] {
        let asked = paged(next).await;
        assert!(asked.stop.is_none(), "{:?}", asked.stop);
        assert_eq!((asked.report.counts.tools, asked.raw.tools.len()), (count, count));
        assert_eq!(asked.report.oddities, Vec::from_iter(oddity));
    }
}

#[tokio::test]
async fn lists_that_are_none() {
    for (list, found) in
        [("{}", "nothing"), (r#"{"tools":{}}"#, "an object"), ("[1]", "an array"), (r#"{"tools":null}"#, "null")]
    {
        let asked = ask_tools(move |message| result(&message["id"], list)).await;
        assert_eq!(asked.report.oddities, [Oddity::NoList { method: "tools/list", found }]);
        assert_eq!(pages(&asked.raw), [list]);
    }
    // No tools at all is no failure.
    let asked = ask(|method, message| match method {
        "initialize" => result(
            &message["id"],
            r#"{"protocolVersion":"2025-11-25","capabilities":{"resources":{},"prompts":{}},"serverInfo":{"name":"a","version":"1"}}"#,
        ),
        "tools/list" => Act::Write(format!("{{\"id\":{},\"error\":{{\"code\":-32601}}}}\n", message["id"]).into_bytes()),
        "resources/list" => result(&message["id"], r#"{"resources":[{}]}"#),
        _ => Act::Usual,
    })
    .await;
    assert!(asked.stop.is_none(), "{:?}", asked.stop);
    assert_eq!((asked.report.counts.tools, asked.report.counts.resources), (0, 1));
    let reason = "error -32601: no".to_owned();
    assert_eq!(asked.report.oddities, [Oddity::ListFailed { method: "prompts/list", reason }]);
}

#[tokio::test]
async fn what_was_never_offered_is_refused() {
    let asked = ask_tools(|message| {
        let mut out = String::new();
        for (index, method) in
            ["ping", "sampling/createMessage", "roots/list", "elicitation/create", "vendor/x"].iter().enumerate()
        {
            let params = match *method {
                "sampling/createMessage" => r#"{"messages":[],"maxTokens":5}"#,
                "elicitation/create" => r#"{"message":"?","requestedSchema":{"type":"object","properties":{}}}"#,
                _ => "{}",
            };
            out +=
                &format!("{{\"jsonrpc\":\"2.0\",\"id\":\"s{index}\",\"method\":\"{method}\",\"params\":{params}}}\n");
        }
        let Act::Write(list) = result(&message["id"], r#"{"tools":[],"nextCursor":null}"#) else { unreachable!() };
        Act::Write([out.into_bytes(), list].concat())
    })
    .await;
    assert!(asked.stop.is_none(), "{:?}", asked.stop);
    let methods = ["sampling/createMessage", "roots/list", "elicitation/create", "vendor/x"].map(str::to_owned);
    assert_eq!(asked.report.oddities, [Oddity::UnofferedRequests(methods.into())]);
    for message in asked.told.iter().filter(|message| message["id"].is_string()) {
        let is_ping = message["id"] == "s0";
        assert_eq!(message.get("result").is_some(), is_ping, "{message}");
        assert_eq!(message["error"]["code"] == -32601, !is_ping, "{message}");
    }
}

#[tokio::test]
async fn a_server_that_ends_says_where() {
    let mut page = 0;
    let asked = ask_tools(move |message| {
        page += 1;
        match page {
            1 => result(&message["id"], r#"{"tools":[{}],"nextCursor":"a"}"#),
            _ => Act::End(b"{\"jsonrpc\":\"2.0\",\"id\":".to_vec()),
        }
    })
    .await;
    assert!(matches!(asked.stop, Some(Stop::Closed(Phase::List("tools/list")))), "{:?}", asked.stop);
    let counts = asked.report.counts;
    assert_eq!((asked.raw.tools.len(), counts.tool_pages, counts.tools), (1, 1, 1));
    assert_eq!(asked.report.noise.first, ["{\"jsonrpc\":\"2.0\",\"id\":"]);
    let asked = ask(|_, _| Act::End(Vec::new())).await;
    assert!(matches!(asked.stop, Some(Stop::Closed(Phase::Handshake))), "{:?}", asked.stop);
    // The last message needs no line break.
    let asked = ask_tools(|message| {
        let Act::Write(mut bytes) = result(&message["id"], r#"{"tools":[{}]}"#) else { unreachable!() };
        bytes.pop();
        Act::End(bytes)
    })
    .await;
    assert!(asked.stop.is_none(), "{:?}", asked.stop);
    assert_eq!(asked.report.counts.tools, 1);
}

#[tokio::test]
async fn too_much_ends_at_once_and_nothing_after_a_while() {
    let asked = ask_tools(|_| Act::Write(vec![b'x'; 2 << 20])).await;
    let what = "one message of more than 1 MiB".to_owned();
    assert!(matches!(asked.stop, Some(Stop::Failed(Failure::TooMuch(said))) if said == what));
    let asked = ask_tools(|_| Act::Write(b"spam spam\n".repeat(600_000))).await;
    assert!(matches!(asked.stop, Some(Stop::Failed(Failure::TooMuch(_)))), "{:?}", asked.stop);
    let asked = ask_tools(|_| Act::Write(Vec::new())).await;
    let Some(Stop::Failed(failure)) = asked.stop else { panic!("{:?}", asked.stop) };
    assert_eq!(failure, timed_out(Phase::List("tools/list"), Duration::from_secs(2)));
}
