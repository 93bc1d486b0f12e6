use std::sync::mpsc;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;
use crate::facts::{Challenge, Oddity};
use crate::model::launch::{Launch, Way};
use crate::probe::{Request, probe};

/// One request as it came.
struct Asked {
    /// `POST /mcp`
    line: String,
    head: String,
    body: Value,
}

impl Asked {
    fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }
}

/// What a server does: it answers with these bytes, and closes or stays.
enum Act {
    Answer(String),
    Stay(String),
    /// Events as they come.
    Events(Arc<Mutex<UnboundedReceiver<String>>>),
    Usual,
}

fn answer(status: &str, head: &str, body: &str) -> Act {
    Act::Answer(format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n{head}\r\n\r\n{body}",
        body.len()
    ))
}

fn json(asked: &Asked, body: &str) -> Act {
    let body = format!(r#"{{"jsonrpc":"2.0","id":{},{body}}}"#, asked.body["id"]);
    answer("200 OK", "content-type: application/json; charset=utf-8", &body)
}

fn usual(asked: &Asked) -> Act {
    if asked.line.starts_with("GET") {
        return answer("405 Method Not Allowed", "", "");
    }
    match asked.method() {
        "initialize" => json(
            asked,
            r#""result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"web","version":"1"}}"#,
        ),
        "tools/list" => json(asked, r#""result":{"tools":[{"name":"a"}, {"name":5}],"x":1.50}"#),
        "server/discover" => answer(
            "400 Bad Request",
            "content-type: application/json",
            r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"no session"},"id":null}"#,
        ),
        _ => answer("202 Accepted", "", ""),
    }
}

/// A server; its address.
async fn serve(act: impl Fn(&Asked) -> Act + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let act = Arc::new(act);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let act = act.clone();
            tokio::spawn(async move {
                let mut bytes = Vec::new();
                let (head, length) = loop {
                    if socket.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                        return;
                    }
                    let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
                    let Some((head, _)) = text.split_once("\r\n\r\n") else { continue };
                    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                    break (head.to_owned(), length.map_or(0, |length| length.parse().expect("a length")));
                };
                while bytes.len() < head.len() + 4 + length {
                    socket.read_buf(&mut bytes).await.expect("the rest");
                }
                let body = serde_json::from_slice(&bytes[head.len() + 4..]).unwrap_or_default();
                let line = head.lines().next().unwrap_or_default().to_uppercase();
                let asked = Asked { line, head, body };
                let act = match act(&asked) {
                    Act::Usual => usual(&asked),
                    act => act,
                };
                match act {
                    Act::Answer(text) => drop(socket.write_all(text.as_bytes()).await),
                    Act::Stay(text) => {
                        let _ = socket.write_all(text.as_bytes()).await;
                        // Until the other side closes.
                        let _ = socket.read(&mut [0]).await;
                    }
                    Act::Events(events) => {
                        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
                        let _ = socket.write_all(head.as_bytes()).await;
                        while let Some(event) = events.lock().await.recv().await
                            && socket.write_all(event.as_bytes()).await.is_ok()
                        {}
                    }
                    Act::Usual => {}
                }
            });
        }
    });
    format!("http://{address}")
}

async fn contact(contact: Contact) -> ProbeReport {
    let request = Request {
        name: "web".to_owned(),
        launch: Launch { way: Way::Contact(contact), ..Launch::url("") },
        limits: Limits {
            handshake: Duration::from_secs(2),
            list: Duration::from_secs(1),
            message: 1 << 20,
            ..Limits::default()
        },
        environment: Vec::new(),
        home: None,
    };
    probe(&request).await
}

async fn run(act: impl Fn(&Asked) -> Act + Send + Sync + 'static) -> ProbeReport {
    contact(Contact { url: serve(act).await + "/mcp?token=abc", ..Contact::default() }).await
}

/// A server that answers everything alike.
async fn fails(status: &'static str, head: &'static str, body: &'static str) -> Option<Failure> {
    run(move |_| answer(status, head, body)).await.failure
}

#[tokio::test]
async fn a_list_over_http_is_raw_too() {
    let report = run(|_| Act::Usual).await;
    assert_eq!(report.failure, None);
    assert_eq!((report.transport, report.counts.tools), (Transport::Http, 2));
    assert_eq!(report.protocol_version.as_deref(), Some("2025-06-18"));
    assert_eq!(report.oddities, []);
    // As an event, with a question before it.
    let report = run(|asked| match asked.method() {
        "tools/list" => {
            let ask = r#"{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{}}"#;
            let list = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"tools":[{{"name":5}}]}}}}"#, asked.body["id"]);
            let body = format!(": hello\n\ndata: {ask}\n\nevent: message\ndata: {list}\n\n");
            answer("200 OK", "content-type: text/event-stream", &body)
        }
        _ => Act::Usual,
    })
    .await;
    assert_eq!((report.failure, report.counts.tools), (None, 1));
    assert_eq!(report.oddities, [Oddity::UnofferedRequests(vec!["sampling/createMessage".to_owned()])]);
}

#[tokio::test]
async fn the_new_protocol_and_headers() {
    let (send, heads) = mpsc::channel();
    let send = std::sync::Mutex::new(send);
    let url = serve(move |asked| {
        send.lock().expect("a lock").send(asked.head.clone()).expect("somebody listens");
        match asked.method() {
            "server/discover" => json(
                asked,
                r#""result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"private"}"#,
            ),
            _ => Act::Usual,
        }
    })
    .await;
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let headers =
        vec![header("Authorization", "Bearer x"), header("Host", "evil"), header("Mcp-Method", "a"), header("a b", "")];
    let report = contact(Contact { url, headers, ..Contact::default() }).await;
    assert_eq!((report.failure, report.counts.tools), (None, 2));
    assert_eq!(report.protocol_version.as_deref(), Some("2026-07-28"));
    let heads: Vec<String> = heads.try_iter().collect();
    assert!(!heads.is_empty());
    for head in heads {
        assert!(head.contains("authorization: bearer x") && !head.contains("evil"), "{head}");
        assert!(head.contains("mcp-protocol-version: 2026-07-28") && !head.contains("mcp-method: a\r"), "{head}");
    }
}

#[tokio::test]
async fn what_is_no_success() {
    let challenge = Challenge {
        status: 401,
        scheme: Some("Bearer".to_owned()),
        scope: Some("mcp".to_owned()),
        ..Challenge::default()
    };
    let header = "www-authenticate: Bearer scope=\"mcp\"";
    assert_eq!(fails("401 Unauthorized", header, "").await, Some(Failure::AuthorizationRequired(challenge)));
    let bare = Challenge { status: 403, ..Challenge::default() };
    assert_eq!(fails("403 Forbidden", "", "no").await, Some(Failure::AuthorizationRequired(bare)));
    let to = "https://elsewhere.example/mcp".to_owned();
    let location = "location: https://me:secret@elsewhere.example/mcp?token=1#x";
    assert_eq!(fails("308 Permanent Redirect", location, "").await, Some(Failure::Redirected { to }));
    let content_type = "text/html".to_owned();
    let page = "content-type: text/html";
    assert_eq!(fails("200 OK", page, "<html>login</html>").await, Some(Failure::NotMcp { content_type }));
    let error = |status, body: &str| Some(Failure::Status { status, body: body.to_owned() });
    assert_eq!(fails("500 Oh", page, "<h1>boom</h1>").await, error(500, "<h1>boom</h1>"));
    assert_eq!(fails("429 Slow", "", "").await, error(429, ""));
    assert_eq!(
        fails("404 Not Found", "content-type: application/json", "{\"error\":\"x\"}").await,
        error(404, "{\"error\":\"x\"}")
    );
    let content_type = "application/json".to_owned();
    assert_eq!(fails("200 OK", "content-type: application/json", "[1]").await, Some(Failure::NotMcp { content_type }));
    assert!(matches!(fails("200 OK", "", "").await, Some(Failure::Protocol(_))));
}

#[tokio::test]
async fn redirections_on_the_same_server_are_followed_as_clients_do() {
    let report = run(|asked| match asked.line.contains("/MCP/") {
        true => Act::Usual,
        false => answer("307 Temporary Redirect", "location: /mcp/", ""),
    })
    .await;
    assert_eq!((report.failure, report.counts.tools), (None, 2));
    let failure = run(|_| answer("307 Temporary Redirect", "location: /mcp", "")).await.failure;
    assert!(matches!(failure, Some(Failure::Redirected { .. })), "{failure:?}");
}

#[tokio::test]
async fn what_never_ends_is_ended() {
    let begun = Instant::now();
    let silent = run(|_| Act::Stay(String::new())).await.failure;
    assert!(matches!(silent, Some(Failure::TimedOut { phase: Phase::Handshake, .. })), "{silent:?}");
    let endless = run(|asked| match asked.method() {
        "tools/list" => Act::Stay("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: hello\n\n".to_owned()),
        _ => Act::Usual,
    })
    .await;
    assert!(matches!(endless.failure, Some(Failure::TimedOut { phase: Phase::List(_), .. })), "{endless:?}");
    let huge = run(|asked| match asked.method() {
        "tools/list" => answer("200 OK", "content-type: application/json", &"x".repeat(2 << 20)),
        _ => Act::Usual,
    })
    .await;
    assert!(matches!(huge.failure, Some(Failure::TooMuch(_))), "{huge:?}");
    let cut = run(|asked| match asked.method() {
        "tools/list" => answer("200 OK", "content-type: text/event-stream", ": hello\n\n"),
        _ => Act::Usual,
    })
    .await;
    assert!(matches!(cut.failure, Some(Failure::Protocol(_))), "{cut:?}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn nobody_is_there() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/?key=secret", listener.local_addr().expect("an address"));
    drop(listener);
    let said = |url: &str| contact(Contact { url: url.to_owned(), ..Contact::default() });
    let refused = "the connection was refused: nothing listens there".to_owned();
    assert_eq!(said(&url).await.failure, Some(Failure::Unreachable(refused)));
    for url in ["mcp.example", "ftp://a.example", "http://", "${URL}"] {
        assert!(matches!(said(url).await.failure, Some(Failure::Unreachable(_))), "{url}");
    }
}

#[tokio::test]
async fn tls_is_not_spoken_with_a_server_that_does_not() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("https://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.read_buf(&mut Vec::new()).await;
            let _ = socket.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n").await;
        }
    });
    let why = "it does not speak TLS: is it `http://`?".to_owned();
    assert_eq!(contact(Contact { url, ..Contact::default() }).await.failure, Some(Failure::Unreachable(why)));
}

/// A server of the old kind, whose answers come over the stream.
fn old(endpoint: &'static str) -> impl Fn(&Asked) -> Act + Send + Sync + 'static {
    let (send, receive) = unbounded_channel();
    send.send(format!(": hello\n\nevent: endpoint\ndata: {endpoint}\n\n")).expect("a channel");
    let receive = Arc::new(Mutex::new(receive));
    move |asked| {
        if asked.line.starts_with("GET /SSE") {
            return Act::Events(receive.clone());
        }
        if !asked.line.starts_with("POST /MESSAGES?S=1") {
            return answer("404 Not Found", "", "");
        }
        if let Act::Answer(text) = usual(asked)
            && let Some((_, body)) = text.split_once("\r\n\r\n{")
        {
            send.send(format!("event: message\ndata: {{{body}\n\n")).expect("somebody listens");
        }
        answer("202 Accepted", "", "Accepted")
    }
}

#[tokio::test]
async fn the_old_transport_is_spoken_where_it_is_meant_and_found_where_it_is_not() {
    for transport in [Some(Transport::Sse), Some(Transport::Http), None] {
        let url = serve(old("/messages?s=1")).await + "/sse";
        let report = contact(Contact { url, transport, ..Contact::default() }).await;
        assert_eq!((report.failure, report.transport, report.counts.tools), (None, Transport::Sse, 2));
    }
    // The other way round.
    let url = serve(|_| Act::Usual).await;
    let report = contact(Contact { url, transport: Some(Transport::Sse), ..Contact::default() }).await;
    assert_eq!((report.failure, report.transport), (None, Transport::Http));
}

#[tokio::test]
async fn messages_of_the_old_transport_stay_on_the_server() {
    let url = serve(old("http://elsewhere.example/messages")).await + "/sse";
    let failure = contact(Contact { url, transport: Some(Transport::Sse), ..Contact::default() }).await.failure;
    let why = "it wants messages to be sent to another server: http://elsewhere.example".to_owned();
    assert_eq!(failure, Some(Failure::Protocol(why)));
}
