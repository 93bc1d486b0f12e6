//! Over HTTP: one thread and one request a connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::Value;

use crate::Orders;
use crate::protocol::{Request, answer};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const SESSION: &str = "5e55-10n";

/// The streams of the old transport, on which answers go.
type Streams = Arc<Mutex<Vec<TcpStream>>>;

pub fn serve(orders: Orders) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let path = if orders.behaviour.starts_with("old") { "sse" } else { "mcp" };
    writeln!(io::stdout(), "http://{}/{path}", listener.local_addr()?)?;
    let streams = Streams::default();
    for stream in listener.incoming() {
        let (stream, orders, streams) = (stream?, orders.clone(), streams.clone());
        // Whoever asked may have gone.
        thread::spawn(move || _ = exchange(stream, &orders, &streams));
    }
    Ok(())
}

/// What a request says.
#[derive(Default)]
struct Asked {
    verb: String,
    path: String,
    session: Option<String>,
    authorization: String,
    body: Value,
}

impl Asked {
    fn read(stream: &TcpStream) -> io::Result<Asked> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let mut words = line.split(' ').map(str::to_owned);
        let mut asked = Asked {
            verb: words.next().unwrap_or_default(),
            path: words.next().unwrap_or_default(),
            ..Asked::default()
        };
        let mut length = 0;
        loop {
            line.clear();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.split_once(':') else { break };
            match &*name.to_ascii_lowercase() {
                "content-length" => length = value.trim().parse().unwrap_or_default(),
                "authorization" => asked.authorization = value.trim().to_owned(),
                "mcp-session-id" => asked.session = Some(value.trim().to_owned()),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        asked.body = serde_json::from_slice(&body).unwrap_or_default();
        Ok(asked)
    }
}

fn exchange(mut stream: TcpStream, orders: &Orders, streams: &Streams) -> io::Result<()> {
    if orders.behaviour == "closes" {
        return Ok(());
    }
    let asked = Asked::read(&stream)?;
    match &*orders.behaviour {
        "hang" => stay(stream),
        "hangs" if asked.body["method"] == "tools/list" => stay(stream),
        "status" => {
            let (status, header) = orders.value.split_once(' ').unwrap_or((&orders.value, "X-Nothing: 1"));
            let body =
                format!("no entry with {} or ?api_key=sk-secret-0123456789abcdef0123456789", asked.authorization);
            respond(&mut stream, status, "text/plain", &[header], &body)
        }
        "redirect" => {
            let location = format!("Location: {}", orders.value);
            respond(&mut stream, "307", "text/plain", &[&location], "")
        }
        "moved" if asked.path != "/moved" => respond(&mut stream, "308", "text/plain", &["Location: /moved"], ""),
        "html" => respond(&mut stream, "200", "text/html; charset=utf-8", &[], "<!doctype html><title>Welcome</title>"),
        "endless" => {
            head(&mut stream, "200", EVENTS, &[])?;
            loop {
                stream.write_all(b"event: message\ndata: {\"level\": \"info\"}\n\n")?;
            }
        }
        old if old.starts_with("old") => old_exchange(stream, orders, streams, &asked),
        _ => modern_exchange(&mut stream, orders, &asked),
    }
}

/// Streamable HTTP, with a session that it insists on.
fn modern_exchange(stream: &mut TcpStream, orders: &Orders, asked: &Asked) -> io::Result<()> {
    if asked.verb == "DELETE" {
        return respond(stream, "200", JSON, &[], "");
    }
    if asked.verb != "POST" {
        return respond(stream, "405", "text/plain", &["Allow: POST, DELETE"], "");
    }
    let is_first = matches!(asked.body["method"].as_str(), Some("initialize" | "server/discover"));
    if !is_first && asked.session.as_deref() != Some(SESSION) {
        return respond(stream, "400", "text/plain", &[], "no session");
    }
    let Some(request) = Request::of(&asked.body) else { return respond(stream, "202", JSON, &[], "") };
    let session = format!("Mcp-Session-Id: {SESSION}");
    let headers: &[&str] = if request.method == "initialize" { &[&session] } else { &[] };
    let text = answer(orders, &request);
    match &*orders.behaviour {
        // As the TypeScript SDK does where there is no session yet.
        _ if request.method == "server/discover" && orders.value != "plain" => {
            let body = r#"{"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "Bad Request"}}"#;
            respond(stream, "400", JSON, &[], body)
        }
        "late-401" if request.method == "tools/list" => respond(stream, "401", JSON, &[], ""),
        "events" => {
            let body = format!(": a comment\n\nid: 1\nevent: message\ndata: {text}\n\n");
            respond(stream, "200", EVENTS, headers, &body)
        }
        _ => respond(stream, "200", JSON, headers, &text),
    }
}

/// The transport of 2024: answers go on a stream that was opened before.
fn old_exchange(mut stream: TcpStream, orders: &Orders, streams: &Streams, asked: &Asked) -> io::Result<()> {
    let mut open = streams.lock().unwrap_or_else(PoisonError::into_inner);
    match (&*asked.verb, &*asked.path) {
        ("GET", "/sse") => {
            head(&mut stream, "200", EVENTS, &[])?;
            let origin = if orders.behaviour == "old-elsewhere" { &*orders.value } else { "" };
            write!(stream, "event: endpoint\ndata: {origin}/messages?session=1\n\n")?;
            open.push(stream);
            Ok(())
        }
        ("POST", "/messages?session=1") => {
            respond(&mut stream, "202", "text/plain", &[], "Accepted")?;
            let Some(request) = Request::of(&asked.body) else { return Ok(()) };
            let Some(stream) = open.last_mut() else { return Ok(()) };
            write!(stream, "event: message\ndata: {}\n\n", answer(orders, &request))
        }
        ("POST", _) => respond(&mut stream, "404", "text/plain", &[], "Cannot POST"),
        _ => respond(&mut stream, "405", "text/plain", &[], ""),
    }
}

/// Answers never.
fn stay(_: TcpStream) -> io::Result<()> {
    loop {
        thread::park();
    }
}

fn head(stream: &mut TcpStream, status: &str, content_type: &str, headers: &[&str]) -> io::Result<()> {
    write!(stream, "HTTP/1.1 {status} .\r\nContent-Type: {content_type}\r\nConnection: close\r\n")?;
    headers.iter().try_for_each(|header| write!(stream, "{header}\r\n"))?;
    stream.write_all(b"\r\n")
}

fn respond(stream: &mut TcpStream, status: &str, content_type: &str, headers: &[&str], body: &str) -> io::Result<()> {
    let length = format!("Content-Length: {}", body.len());
    head(stream, status, content_type, &[headers, &[&length]].concat())?;
    stream.write_all(body.as_bytes())
}
