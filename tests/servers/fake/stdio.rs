//! Over stdin and stdout.

use std::io::{self, BufRead, Write};
use std::process;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::Orders;
use crate::protocol::{Request, answer};

/// Something that looks like a secret, which nothing may show.
const SECRET: &str = concat!("ghp_", "4fKq81ZpLw7Rb2XcVt9Jh3Nd5Gs6Ym0QaTeU");

const UNOFFERED: &[&str] = &["sampling/createMessage", "roots/list", "elicitation/create"];

pub fn serve(orders: &Orders) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let behaviour = &*orders.behaviour;
    match behaviour {
        "closes" => return Ok(()),
        "exit" => {
            let (code, words) = orders.value.split_once(' ').unwrap_or((&orders.value, ""));
            writeln!(io::stderr(), "{words}")?;
            process::exit(code.parse().unwrap_or_default());
        }
        "banner" => writeln!(out, "Listening with token {SECRET}\n  and more")?,
        "log-line" => writeln!(out, r#"{{"level": "info", "message": "started"}}"#)?,
        "noise" => loop {
            writeln!(out, "{}", "noise ".repeat(100))?;
        },
        "stderr-flood" => {
            (0..100_000).try_for_each(|_| writeln!(io::stderr(), "{}", "complaint ".repeat(10)))?;
            writeln!(io::stderr(), "the last word, with {SECRET}")?;
        }
        _ if behaviour == "silent" || orders.value == "silent" => {
            return io::copy(&mut io::stdin(), &mut io::sink()).map(|_| ());
        }
        _ => {}
    }
    out.flush()?;
    let mut unanswered: Option<Request> = None;
    let mut refusals = Vec::new();
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let Some(mut request) = Request::of(&message) else {
            // The answers to what it asked.
            if message.get("method").is_none() {
                refusals.push(message["error"]["code"].as_i64().unwrap_or_default());
            }
            if let ("asks", true, Some(request)) = (behaviour, refusals.len() == UNOFFERED.len(), &unanswered) {
                let tool = json!({"name": "refusals", "description": format!("{refusals:?}"), "inputSchema": {}});
                writeln!(out, "{}", request.result(json!({"tools": [tool]})))?;
                out.flush()?;
                refusals.clear();
            }
            continue;
        };
        let text = answer(orders, &request);
        match (behaviour, &*request.method) {
            ("late", "initialize") => {
                thread::sleep(Duration::from_millis(orders.number() as u64));
                writeln!(out, "{text}")?;
            }
            ("dies-on-discover", "server/discover") => process::exit(1),
            ("ignores-discover", "server/discover") | ("hangs", "tools/list") => {}
            ("late-discover", "server/discover") => unanswered = Some(request),
            ("late-discover", "initialize") => {
                if let Some(late) = unanswered.take() {
                    writeln!(out, "{}", late.error(-32601, "Method not found"))?;
                }
                writeln!(out, "{text}")?;
            }
            ("crash", "tools/list") if request.cursor.is_some() => {
                out.write_all(&text.as_bytes()[..text.len() / 2])?;
                out.flush()?;
                writeln!(io::stderr(), "Error: out of paper")?;
                process::exit(3);
            }
            ("half-line", "tools/list") => return out.write_all(&text.as_bytes()[..text.len() / 2]),
            ("no-newline", "tools/list") => return out.write_all(text.as_bytes()),
            ("not-utf8", "tools/list") => {
                let (before, after) = text.split_once("thing by").unwrap_or_default();
                out.write_all(&[before.as_bytes(), b"\xe9t\xe9 by", after.as_bytes(), b"\n"].concat())?;
            }
            ("wrong-ids", "tools/list") => {
                request.id = json!("never asked");
                writeln!(out, "{}", answer(orders, &request))?;
            }
            ("twice", "tools/list") => write!(out, "{text}\n{text}\n")?,
            ("asks", "tools/list") => {
                for (number, method) in UNOFFERED.iter().enumerate() {
                    let id = format!("fake-{number}");
                    writeln!(out, "{}", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {}}))?;
                }
                unanswered = Some(request);
            }
            _ => writeln!(out, "{text}")?,
        }
        out.flush()?;
    }
    if behaviour == "deaf" {
        // Once more, now that its input has ended.
        orders.note_process()?;
        loop {
            thread::park();
        }
    }
    Ok(())
}
