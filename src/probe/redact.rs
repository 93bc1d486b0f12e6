//! What others say to us, without what nobody else is to see: the last words of a process, messages, bodies.
//!
//! In doubt it hides: a hidden word too much costs nothing. The lists themselves never come here.

use crate::model::mask::{self, masks};
use crate::text::TextRange;

/// What is shown in the place of a secret, whatever its length.
const MASKED: &str = "•••";

/// A shorter secret is in too many words that are none.
const SHORTEST: usize = 4;

/// Ends of names whose values are hidden, in small letters without `_` and `-`.
const NAMES: &[&str] = &[
    "accesstoken",
    "apikey",
    "authorization",
    "authtoken",
    "clientsecret",
    "cookie",
    "customerid",
    "developertoken",
    "email",
    "emailaddress",
    "passphrase",
    "passwd",
    "password",
    "phone",
    "phonenumber",
    "pwd",
    "refreshtoken",
    "secret",
];

/// What stands in the place of a value where somebody says that there is none.
const PROSE: &[&str] =
    &["expected", "field", "invalid", "is", "missing", "must", "no", "none", "not", "null", "required", "undefined"];

/// The text without these secrets, without what shows to be one, and without the values of names that speak of one.
pub(super) fn redacted(text: &str, secrets: &[String]) -> String {
    let mut hidden = masks(text);
    hidden.extend(named(text));
    for secret in secrets {
        // A scheme before it is none, and the secret may be repeated without it.
        let secret = secret.trim();
        let last = secret.rsplit(char::is_whitespace).next().unwrap_or_default();
        for known in [secret, last].into_iter().filter(|known| known.len() >= SHORTEST) {
            hidden.extend(text.match_indices(known).map(|(at, _)| TextRange::new(at, at + known.len())));
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for range in mask::merged(hidden).into_iter().filter(|range| !range.is_empty()) {
        out.push_str(&text[at..range.start]);
        out.push_str(MASKED);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// The values of [`NAMES`], quoted or not: `"email": "…"`, `api_key=…`, `phone: +1 555 0100`, `{'password': '…'}`.
fn named(text: &str) -> Vec<TextRange> {
    let is_word = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_word).map(|length| at + length) {
        at = text[start..].find(|char| !is_word(char)).map_or(text.len(), |length| start + length);
        let name: String =
            text[start..at].chars().filter(char::is_ascii_alphanumeric).map(|char| char.to_ascii_lowercase()).collect();
        if !NAMES.iter().any(|end| name.ends_with(end)) {
            continue;
        }
        if let Some(value) = value(text, at, &name) {
            found.push(value);
            at = value.end;
        }
    }
    found
}

/// The value of the name that ends here; `None` where none follows.
fn value(text: &str, end: usize, name: &str) -> Option<TextRange> {
    let rest = text[end..].trim_start_matches(['\\', '"', '\'', '`', ']']).trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix([':', '='])?.trim_start_matches(['>', '=']).trim_start();
    let start = text.len() - rest.len();
    let escapes = rest.len() - rest.trim_start_matches('\\').len();
    if let Some(quote) = rest[escapes..].chars().next().filter(|char| matches!(char, '"' | '\'' | '`')) {
        let inside = start + escapes + 1;
        return Some(TextRange::new(inside, inside + quoted(&text[inside..], quote, escapes)));
    }
    let is_end = |char: char| match name {
        _ if matches!(char, '\n' | '\r' | '"' | '`' | '\\' | '}') => true,
        // A scheme comes first, or several pairs.
        name if name.ends_with("authorization") || name.ends_with("cookie") => false,
        name if name.contains("phone") => !char.is_ascii_digit() && !"+-(). /".contains(char),
        _ => char.is_whitespace() || ",;&'])".contains(char),
    };
    let length = rest.find(is_end).unwrap_or(rest.len());
    let value = rest[..length].trim_end();
    let is_prose = PROSE.iter().any(|word| value.eq_ignore_ascii_case(word));
    (!value.is_empty() && !is_prose).then(|| TextRange::new(start, start + value.len()))
}

/// How much of a text is inside of a quote that was opened, after as many backslashes, before it: to its closing one,
/// or to the end of the line.
fn quoted(text: &str, quote: char, escapes: usize) -> usize {
    let mut backslashes = 0;
    for (at, char) in text.char_indices() {
        match char {
            '\n' | '\r' => return at,
            '\\' => {
                backslashes += 1;
                continue;
            }
            // With more before it, it is a part of the value.
            _ if char == quote && backslashes <= escapes => return at - backslashes,
            _ => {}
        }
        backslashes = 0;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn becomes(text: &str, expected: &str) {
        assert_eq!(redacted(text, &[]), expected);
    }

    #[test]
    fn values_of_known_names_are_hidden_quoted_or_not() {
        becomes(r#"{"customer_id": 1234567890, "n": 1}"#, r#"{"customer_id": •••, "n": 1}"#);
        becomes("email=a.b@c.example, next", "email=•••, next");
        becomes("user_email: a@b.example", "user_email: •••");
        becomes("phone: +49 (170) 123-45 and more", "phone: ••• and more");
        becomes(
            "{'refresh_token': 'abc', 'client_secret': \"d\\\"e\"}",
            "{'refresh_token': '•••', 'client_secret': \"•••\"}",
        );
        becomes(r#"body {\"access_token\":\"ab cd\",\"x\":1}"#, r#"body {\"access_token\":\"•••\",\"x\":1}"#);
        becomes("developerToken => abc def", "developerToken => ••• def");
        becomes("API-Key:abc", "API-Key:•••");
        becomes("password: hunter", "password: •••");
        becomes("password='it is long", "password='•••");
        becomes("Authorization: Bearer abc def\nnext", "Authorization: •••\nnext");
        becomes("Set-Cookie: a=b; c=d\r\nnext", "Set-Cookie: •••\r\nnext");
        becomes("config['api_key'] = 'abc'", "config['api_key'] = '•••'");
    }

    #[test]
    fn urls_and_shapes_are_hidden() {
        becomes("GET https://u:pass@h.example/a?token=abc&x=1", "GET https://u:•••@h.example/a?token=•••");
        let token = format!("ghp_{}", "a1B2".repeat(9));
        becomes(&format!("bad token {token}!"), "bad token •••!");
    }

    #[test]
    fn given_secrets_are_hidden_wherever_they_are() {
        let secrets = ["Bearer s3cr3t-value".to_owned(), "abc".to_owned(), "p\u{e4}ss".to_owned(), " ".to_owned()];
        let text = "no s3cr3t-value, xs3cr3t-valuex; abc is short; p\u{e4}ss";
        assert_eq!(redacted(text, &secrets), "no •••, x•••x; abc is short; •••");
    }

    #[test]
    fn other_words_stay() {
        for text in [
            "",
            "Error: Invalid API key",
            "email or phone is required",
            "Cannot find module 'x'",
            "API_KEY environment variable is required",
            "API_KEY: not set",
            "apiKey: Required",
            "at Object.<anonymous> (/srv/a.js:1:1)",
            "https://a.example:8080/mcp",
        ] {
            becomes(text, text);
        }
    }

    #[test]
    fn what_is_hidden_stays_hidden() {
        let once = redacted("password: a, email='b', Authorization: Basic abc", &[]);
        assert_eq!(redacted(&once, &[]), once);
    }

    #[test]
    fn no_text_takes_long() {
        let secrets = ["aaaa".to_owned(), "key=".to_owned()];
        for piece in [
            "key=",
            "key:Bearer ",
            "key=a,token=\"b c\" ",
            "email=",
            "password='",
            "password=\"\\",
            "token:'a\\",
            "a",
            "\\",
            "://",
            "phone: 1 ",
            "email\\\"",
            "pwd=\n",
        ] {
            redacted(&piece.repeat((1 << 17) / piece.len()), &secrets);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_redacted(
            text in "(?s)([a\"'`\\\\{}\\[\\]:,=>&\n é]|password|email|phone: |Authorization: |://|@|token=){0,40}",
            secret in "[aé]{0,6}",
        ) {
            let shown = redacted(&text, std::slice::from_ref(&secret));
            proptest::prop_assert!(secret.len() < SHORTEST || !shown.contains(&secret));
        }

        #[test]
        fn a_named_value_never_shows(value in "[a-z0-9]{6,20}", form in 0usize..6) {
            let text = [
                format!("password={value}"),
                format!("\"email\": \"{value}\""),
                format!("{{'api_key': '{value}'}}"),
                format!("{{\\\"client_secret\\\": \\\"{value}\\\"}}"),
                format!("Authorization: Token {value}"),
                format!("https://a.example/?x=1&access_token={value}&y=2"),
            ];
            proptest::prop_assert!(!redacted(&text[form], &[]).contains(&value));
        }
    }
}
