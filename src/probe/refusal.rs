//! What it means where HTTP brings no answer.

use std::error::Error;
use std::io::ErrorKind;
use std::iter;

use http::header::{LOCATION, WWW_AUTHENTICATE};
use reqwest::{Response, Url};

use crate::facts::{Challenge, Failure};

/// Why an answer is no success, where its head tells: somebody has to sign in, or it sends elsewhere.
pub(super) fn refusal(response: &Response) -> Option<Failure> {
    let status = response.status();
    match status.as_u16() {
        401 | 403 => {
            let values = response.headers().get_all(WWW_AUTHENTICATE).iter();
            let values: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
            Some(Failure::AuthorizationRequired(challenge(status.as_u16(), &values)))
        }
        300..=399 => {
            let mut to = target(response)?;
            // The setters fail only for URLs that have none of this.
            let _ = (to.set_username(""), to.set_password(None));
            to.set_query(None);
            to.set_fragment(None);
            Some(Failure::Redirected { to: to.to_string() })
        }
        _ => None,
    }
}

/// Where a redirection leads that keeps to the same server and the same message, as clients follow it.
pub(super) fn followed(response: &Response) -> Option<Url> {
    let keeps = matches!(response.status().as_u16(), 307 | 308);
    target(response).filter(|to| keeps && to.origin() == response.url().origin())
}

fn target(response: &Response) -> Option<Url> {
    response.url().join(response.headers().get(LOCATION)?.to_str().ok()?).ok()
}

/// Reads `WWW-Authenticate`; of several challenges that of OAuth counts, else the first.
fn challenge(status: u16, values: &[&str]) -> Challenge {
    let mut all: Vec<Challenge> = Vec::new();
    for part in values.iter().flat_map(|value| parts(value)) {
        // `Bearer realm="a"` begins a challenge, `scope="b"` goes on with it, `Negotiate` is one alone.
        let (head, value) = part.split_once('=').map_or((part, None), |(head, value)| (head, Some(value)));
        let mut words = head.split_whitespace();
        let (first, second) = (words.next().unwrap_or_default(), words.next());
        if second.is_some() || value.is_none() {
            all.push(Challenge { status, scheme: Some(first.to_owned()), ..Challenge::default() });
        }
        let (Some(known), Some(value)) = (all.last_mut(), value) else { continue };
        let value = Some(value.trim().trim_matches('"').replace("\\\"", "\""));
        match &*second.unwrap_or(first).to_ascii_lowercase() {
            "resource_metadata" => known.resource_metadata = value,
            "scope" => known.scope = value,
            "error" => known.error = value,
            _ => {}
        }
    }
    let is_bearer = |one: &Challenge| one.scheme.as_ref().is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer"));
    let position = all.iter().position(is_bearer).unwrap_or_default();
    all.into_iter().nth(position).unwrap_or(Challenge { status, ..Challenge::default() })
}

/// A header's parts between commas that are not quoted.
fn parts(value: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let is_end = |char: char| {
        is_quoted ^= char == '"';
        char == ',' && !is_quoted
    };
    value.split(is_end).map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Why nobody answers, in plain words.
pub fn plain(error: &reqwest::Error) -> String {
    let chain: Vec<&dyn Error> = iter::successors(Some(error as &dyn Error), |&error| error.source()).collect();
    let kinds = chain.iter().filter_map(|error| error.downcast_ref::<std::io::Error>());
    let kind = kinds.map(std::io::Error::kind).find(|kind| *kind != ErrorKind::Other);
    let innermost = chain.last().map(ToString::to_string).unwrap_or_default();
    // The error itself would name the URL, with whatever is in it.
    let says = |word: &str| chain.iter().skip(1).any(|error| error.to_string().to_ascii_lowercase().contains(word));
    if says("dns error") || says("failed to lookup address") {
        return "no host of this name is known".to_owned();
    }
    // The TLS library's word for what is no TLS at all.
    if says("corrupt message of type invalidcontenttype") {
        return "it does not speak TLS: is it `http://`?".to_owned();
    }
    if says("certificate") || chain.iter().any(|error| error.is::<rustls::Error>()) {
        return format!("no secure connection: {innermost}");
    }
    match kind {
        Some(ErrorKind::ConnectionRefused) => "the connection was refused: nothing listens there".to_owned(),
        Some(ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::UnexpectedEof) => {
            "the connection was closed before there was an answer".to_owned()
        }
        _ if error.is_timeout() => "no connection in time".to_owned(),
        _ if chain.len() > 1 => innermost,
        _ => "the request could not be sent".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges() {
        let text = |value: &str| Some(value.to_owned());
        let oauth = Challenge {
            status: 401,
            scheme: text("Bearer"),
            resource_metadata: text("https://a.example/.well-known/x?a=b,c"),
            scope: text("read write"),
            error: text("invalid_token"),
        };
        let header = r#"Bearer realm="a, b", resource_metadata="https://a.example/.well-known/x?a=b,c", scope="read write", error=invalid_token"#;
        assert_eq!(challenge(401, &[header]), oauth);
        assert_eq!(challenge(401, &["Negotiate, Basic realm=\"x\"", header]), oauth);
        assert_eq!(challenge(401, &[&format!("Negotiate, {header}, Basic scope=\"other\"")]), oauth);
        let basic = Challenge { status: 403, scheme: text("Basic"), ..Challenge::default() };
        assert_eq!(challenge(403, &["Basic realm=\"scope=\\\"a\\\"\""]), basic);
        for bare in [&[] as &[&str], &[""], &["="], &["a=b"]] {
            assert_eq!(challenge(403, bare), Challenge { status: 403, ..Challenge::default() });
        }
    }
}
