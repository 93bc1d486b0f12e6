use crate::diagnostic::{Applicability, Fix};
use crate::model::{Dialect, Server};
use crate::rules::config::address::{Address, is_open};
use crate::rules::{Context, Sink};
use crate::text::{Edit, nearest, shown};

rule! {
    /// ## What it does
    /// Finds a `url` that no client can connect to: without `http` or `https`, with another scheme than the
    /// client knows, with white space, without a host.
    ///
    /// ## Why
    /// The client fails with a message about the network, or shows no server at all, and white space at the end of a
    /// line is nothing that anybody sees.
    ///
    /// ## Bad
    /// ```json .vscode/mcp.json
    /// {"servers": {"docs": {"type": "http", "url": "localhost:8008/mcp"}}}
    /// ```
    ///
    /// ## Good
    /// ```json .vscode/mcp.json
    /// {"servers": {"docs": {"type": "http", "url": "http://localhost:8008/mcp"}}}
    /// ```
    ///
    /// ## Fix
    /// Safe: takes the white space around it away, mends a scheme that is nearly right, puts `http://` before a host of
    /// this machine or network. A suggestion: `https://` before any other host.
    ///
    /// ## Sources
    /// RFC 3986; microsoft/vscode issue 266421, biegehydra/BifrostMCP issue 7; the sources of the clients' dialects.
    "invalid-url", Config, Server(check), Error;
    fix: Safe;
    help: "write the whole URL, `http` or `https` at its start, without spaces";
    since: "0.1.0";
}

/// Schemes whose URLs have a host.
const WITH_HOST: &[&str] = &["http", "https", "ws", "wss"];

fn check(server: &Server, _: &Context, out: &mut Sink) {
    let Some(url) = server.member("url").filter(|_| server.dialect.remote) else { return };
    // An empty one is missing-transport's.
    let Some(text) = url.value.as_str().filter(|text| !text.trim().is_empty()) else { return };
    let Some(Wrong { what, better }) = wrong(text, server.dialect) else { return };
    let message = format!("the `url` of `{}` {what}", shown(server.name()));
    let fix = better.and_then(|better| mended(better, server.dialect)).map(|(title, applicability, text)| {
        let edits = vec![Edit::replace(url.value.range, serde_json::Value::from(text).to_string())];
        match applicability {
            Applicability::Safe => Fix::safe(title, edits),
            Applicability::Unsafe | Applicability::Suggestion => Fix::suggestion(title, edits),
        }
    });
    out.add(url.value.range, message).fix(fix);
}

/// What is wrong with a URL, as the rest of a sentence, and how to do better.
struct Wrong {
    what: String,
    better: Option<Better>,
}

/// What a fix does, whom to trust with it, and the URL afterwards.
type Better = (String, Applicability, String);

/// The fix after which nothing is wrong, where a first one leads there.
fn mended((title, applicability, text): Better, dialect: &Dialect) -> Option<Better> {
    match wrong(&text, dialect) {
        None => Some((title, applicability, text)),
        Some(Wrong { better, .. }) => {
            let (_, next, text) = mended(better?, dialect)?;
            Some((title, applicability.min(next), text))
        }
    }
}

fn wrong(text: &str, dialect: &Dialect) -> Option<Wrong> {
    let wrong = |what: &str, better| Some(Wrong { what: what.to_owned(), better });
    let trimmed = text.trim();
    if trimmed.len() < text.len() {
        let place = if text.starts_with(char::is_whitespace) { "starts" } else { "ends" };
        let better = ("remove the white space".to_owned(), Applicability::Safe, trimmed.to_owned());
        return wrong(&format!("{place} with white space"), Some(better));
    }
    if text.starts_with(['$', '{', '<', '%']) {
        return None;
    }
    // A variable may have spaces in its name, where it asks for something.
    if !is_open(text) && text.contains(char::is_whitespace) {
        return wrong("has white space in it", None);
    }
    let schemes = dialect.url_schemes;
    let Some(address) = Address::of(text) else { return Some(without_scheme(text)) };
    let scheme = address.scheme.to_ascii_lowercase();
    if !schemes.contains(&&*scheme) {
        let better = nearest(&scheme, schemes.iter().copied()).map(|meant| {
            let url = format!("{meant}{}", &text[address.scheme.len()..]);
            (format!("use `{meant}`"), Applicability::Safe, url)
        });
        let what = format!("starts with `{}://`, which {} cannot connect to", shown(address.scheme), dialect.name);
        return wrong(&what, better);
    }
    if !WITH_HOST.contains(&&*scheme) {
        return None;
    }
    if address.host.is_empty() {
        return wrong("has no host", None);
    }
    let is_port = |port: &str| port.is_empty() || is_open(address.host) || is_open(port) || port.parse::<u16>().is_ok();
    if address.port.is_some_and(|port| !is_port(port)) {
        return wrong("has a port that is no number up to 65535", None);
    }
    None
}

fn without_scheme(text: &str) -> Wrong {
    let what = "has no `http://` or `https://`".to_owned();
    let letters = text.len() - text.trim_start_matches(|char: char| char.is_ascii_alphabetic()).len();
    let (word, rest) = text.split_at(letters);
    let scheme = word.to_ascii_lowercase();
    // `http:/host`, `https//host`
    let host = rest.trim_start_matches([':', '/', '\\']);
    if matches!(&*scheme, "http" | "https") && host.len() < rest.len() && !host.is_empty() {
        let better = (format!("start with `{scheme}://`"), Applicability::Safe, format!("{scheme}://{host}"));
        return Wrong { what, better: Some(better) };
    }
    let rest = text.strip_prefix("//").unwrap_or(text);
    let near = format!("http://{rest}");
    let better = match Address::of(&near) {
        Some(address) if address.host.is_empty() || address.host.starts_with('.') => None,
        Some(address) if is_local(&address) => {
            Some(("start with `http://`".to_owned(), Applicability::Safe, near.clone()))
        }
        _ => Some(("start with `https://`".to_owned(), Applicability::Suggestion, format!("https://{rest}"))),
    };
    Wrong { what, better }
}

/// Whether a host without a scheme is one of this machine or network for sure: any word is a name without a dot.
fn is_local(address: &Address) -> bool {
    address.is_near() && (address.host.contains('.') || address.host.eq_ignore_ascii_case("localhost"))
}

#[cfg(test)]
mod tests;
