//! What a secret looks like: the tokens of well-known services by their shape, passwords in URLs, and random text under
//! a name that speaks of a secret. And what does not count: placeholders and references to variables.
//!
//! *Precision first:* a text that may be something else is none.

use crate::text::TextRange;

/// A secret in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secret {
    /// What it is, with an article: `a GitHub token`.
    pub kind: &'static str,
    /// Where it is in the text.
    pub range: TextRange,
}

/// The shape of one service's tokens.
struct Shape {
    kind: &'static str,
    prefix: &'static str,
    /// How many characters follow the prefix at least.
    minimum: usize,
    letters: Letters,
}

/// What a token is made of behind its prefix.
#[derive(Clone, Copy)]
enum Letters {
    /// Letters and digits.
    Plain,
    /// Also `_` and `-`.
    Word,
    /// Also `.`.
    Dotted,
    /// Upper-case letters and digits, exactly as many as the minimum.
    Upper,
}

impl Letters {
    fn have(self, char: char) -> bool {
        match self {
            Letters::Plain => char.is_ascii_alphanumeric(),
            Letters::Word => char.is_ascii_alphanumeric() || matches!(char, '_' | '-'),
            Letters::Dotted => char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.'),
            Letters::Upper => char.is_ascii_uppercase() || char.is_ascii_digit(),
        }
    }
}

const fn shape(kind: &'static str, prefix: &'static str, minimum: usize, letters: Letters) -> Shape {
    Shape { kind, prefix, minimum, letters }
}

/// From the services' own documentation and the rules of secret scanners. A longer prefix stands before a shorter one.
#[rustfmt::skip] // one service a line
static SHAPES: &[Shape] = &[
    shape("an Anthropic API key", "sk-ant-", 24, Letters::Word),
    shape("an OpenRouter API key", "sk-or-", 24, Letters::Word),
    shape("an OpenAI API key", "sk-proj-", 24, Letters::Word),
    shape("an OpenAI API key", "sk-svcacct-", 24, Letters::Word),
    shape("an OpenAI API key", "sk-admin-", 24, Letters::Word),
    shape("an API key", "sk-", 32, Letters::Plain),
    shape("a Stripe key", "sk_live_", 16, Letters::Plain),
    shape("a Stripe key", "sk_test_", 16, Letters::Plain),
    shape("a Stripe key", "rk_live_", 16, Letters::Plain),
    shape("a Stripe key", "rk_test_", 16, Letters::Plain),
    shape("an ElevenLabs API key", "sk_", 40, Letters::Plain),
    shape("a GitHub token", "github_pat_", 40, Letters::Word),
    shape("a GitHub token", "ghp_", 30, Letters::Plain),
    shape("a GitHub token", "gho_", 30, Letters::Plain),
    shape("a GitHub token", "ghu_", 30, Letters::Plain),
    shape("a GitHub token", "ghs_", 30, Letters::Plain),
    shape("a GitHub token", "ghr_", 30, Letters::Plain),
    shape("a GitLab token", "glpat-", 20, Letters::Dotted),
    shape("a Slack token", "xoxa-", 20, Letters::Word),
    shape("a Slack token", "xoxb-", 20, Letters::Word),
    shape("a Slack token", "xoxp-", 20, Letters::Word),
    shape("a Slack token", "xoxr-", 20, Letters::Word),
    shape("a Slack token", "xoxs-", 20, Letters::Word),
    shape("a Slack token", "xapp-", 20, Letters::Word),
    shape("an AWS access key", "AKIA", 16, Letters::Upper),
    shape("an AWS access key", "ASIA", 16, Letters::Upper),
    shape("a Google API key", "AIza", 35, Letters::Word),
    shape("an npm token", "npm_", 36, Letters::Plain),
    shape("a PyPI token", "pypi-", 40, Letters::Word),
    shape("a Hugging Face token", "hf_", 30, Letters::Plain),
    shape("a SendGrid API key", "SG.", 40, Letters::Dotted),
    shape("a Notion token", "ntn_", 40, Letters::Plain),
    shape("a Notion token", "secret_", 43, Letters::Plain),
    shape("a Linear API key", "lin_api_", 32, Letters::Plain),
    shape("a Figma token", "figd_", 30, Letters::Word),
    shape("a Tavily API key", "tvly-", 20, Letters::Word),
    shape("a Firecrawl API key", "fc-", 32, Letters::Plain),
    shape("a Brave API key", "BSA", 27, Letters::Word),
    shape("a Supabase token", "sbp_", 40, Letters::Plain),
    shape("a Perplexity API key", "pplx-", 40, Letters::Plain),
    shape("a Groq API key", "gsk_", 40, Letters::Plain),
    shape("an xAI API key", "xai-", 40, Letters::Plain),
    shape("a Replicate token", "r8_", 37, Letters::Plain),
    shape("a DigitalOcean token", "dop_v1_", 64, Letters::Plain),
    shape("an Airtable token", "pat", 76, Letters::Dotted),
    shape("an Atlassian token", "ATATT3", 60, Letters::Word),
    shape("a Context7 API key", "ctx7sk-", 30, Letters::Word),
    shape("a Docker token", "dckr_pat_", 20, Letters::Word),
    shape("a Grafana token", "glsa_", 32, Letters::Word),
    shape("a LangSmith API key", "lsv2_", 32, Letters::Word),
    shape("an NVIDIA API key", "nvapi-", 40, Letters::Word),
    shape("a Pinecone API key", "pcsk_", 40, Letters::Word),
    shape("a PostHog API key", "phx_", 40, Letters::Plain),
    shape("a Shopify token", "shpat_", 32, Letters::Plain),
    shape("an Apify token", "apify_api_", 30, Letters::Plain),
];

/// No token is shorter, prefix included.
const SHORTEST_TOKEN: usize = 20;
/// No token is longer, but for web tokens: a text of one run of characters is not read again and again.
const LONGEST_TOKEN: usize = 512;

/// Words in texts that stand for a value still to come.
const PLACEHOLDER_WORDS: &[&str] = &[
    "your",
    "example",
    "xxx",
    "...",
    "…",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "replace",
    "insert",
    "dummy",
    "sample",
    "redacted",
    "todo",
    "<",
    ">",
    "***",
    "1234567",
    "abcdefg",
    "goes-here",
    "goes_here",
    "-here",
    "_here",
];

/// Words that people write in place of a random text.
const PLAIN_WORDS: &[&str] = &["my-", "my_", "secret", "password", "token", "key", "test", "demo", "local", "dev"];

/// Passwords that protect nothing.
const COMMON_PASSWORDS: &[&str] = &[
    "admin",
    "guest",
    "mypassword",
    "pass",
    "passwd",
    "password",
    "postgres",
    "pwd",
    "root",
    "secret",
    "test",
    "user",
];

/// Every secret that shows by itself: a token of a known shape, a private key, a password in a URL, a token in the
/// query of a URL. Sorted and disjoint.
pub fn secrets(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = private_key(text).into_iter().collect();
    found.extend(shaped(text));
    found.extend(url_password(text));
    found.extend(url_parameters(text));
    found.sort_by_key(|secret| (secret.range.start, std::cmp::Reverse(secret.range.end)));
    let mut end = 0;
    found.retain(|secret| {
        let is_free = secret.range.start >= end;
        end = end.max(secret.range.end);
        is_free
    });
    found
}

/// The secret that a value is because of its name; none where it shows by itself. `Bearer` and the like before it are no
/// part of it. In a header a shorter text is enough: nothing else stands there.
pub fn named_secret(name: &str, value: &str, in_header: bool) -> Option<Secret> {
    let text = value.trim_start();
    let scheme = ["Bearer ", "Basic ", "Token ", "token "].into_iter().find(|scheme| text.starts_with(scheme));
    let text = &text[scheme.map_or(0, str::len)..];
    let is_long = is_random(text, if in_header { 16 } else { 20 });
    let is_secret = is_secret_name(name) && is_long && (has_digit(text) || in_header && scheme.is_some());
    let range = TextRange::new(value.len() - text.len(), value.len());
    (is_secret && secrets(text).is_empty()).then_some(Secret { kind: "a secret", range })
}

/// Whether a text under a name that speaks of a secret is one: long and random, no word, path or number.
fn is_random(text: &str, minimum: usize) -> bool {
    let is_token = |char: char| char.is_ascii_alphanumeric() || "_-.+/=~:|".contains(char);
    let lower = text.to_ascii_lowercase();
    let has_letter = text.contains(|char: char| char.is_ascii_alphabetic());
    let is_path = text.starts_with(['/', '.', '~']) || text.contains("://") || text.matches('/').count() > 3;
    text.len() >= minimum
        && has_letter
        && !is_path
        && text.chars().all(is_token)
        && !is_placeholder(text)
        && !PLAIN_WORDS.iter().any(|word| lower.contains(word))
        && entropy(text) >= 3.0
}

/// Whether a text contains a digit; a random one of some length does.
fn has_digit(text: &str) -> bool {
    text.contains(|char: char| char.is_ascii_digit())
}

/// Whether a text stands for a value that is to come from elsewhere: a placeholder or a reference to a variable.
pub fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let lower = text.to_lowercase();
    let is_reference = text.starts_with(['$', '{', '%', '[']) || text.contains("${") || text.contains("{{");
    let mut run = 0;
    let mut last = '\0';
    let repeats = text.chars().any(|char| {
        run = if char == last { run + 1 } else { 1 };
        last = char;
        run > 4
    });
    text.is_empty() || is_reference || repeats || PLACEHOLDER_WORDS.iter().any(|word| lower.contains(word))
}

/// Whether the name of a variable, header, flag or parameter speaks of a secret.
pub fn is_secret_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_public = lower.contains("public") || lower.contains("publishable");
    let ends = ["key", "token", "secret", "password", "passwd", "pwd", "authorization", "_pat", "-pat"];
    !is_public && ends.iter().any(|end| lower.ends_with(end))
}

/// Whether a text may be the name of a variable, header, flag or parameter.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-'))
}

/// The name that stands before a value: `key` in `https://x.example/?key=`, `Authorization` in `Authorization: Bearer `.
pub fn name_before(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let text = ["Bearer", "Basic"].into_iter().find_map(|scheme| text.strip_suffix(scheme)).unwrap_or(text);
    let text = text.trim_end().strip_suffix(['=', ':'])?;
    text.rsplit(['&', '?', ' ']).next().filter(|name| is_name(name))
}

/// The name of an environment variable that is called like this: `my notes_X-Key` becomes `MY_NOTES_X_KEY`.
pub fn variable_name(name: &str) -> String {
    let words = name.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("_").to_ascii_uppercase();
    match joined.chars().next() {
        None => "SECRET".to_owned(),
        Some('0'..='9') => format!("_{joined}"),
        Some(_) => joined,
    }
}

fn shaped(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut at = 0;
    // A token stands in a run of such characters; most runs are too short for one.
    while let Some(start) = text[at..].find(|char| Letters::Dotted.have(char)).map(|length| at + length) {
        at = text[start..].find(|char| !Letters::Dotted.have(char)).map_or(text.len(), |length| start + length);
        if at - start >= SHORTEST_TOKEN {
            found.extend(
                shaped_in(&text[start..at]).map(|secret| Secret { range: secret.range.shifted(start), ..secret }),
            );
        }
    }
    found
}

/// The tokens in a run of letters, digits, `_`, `-` and `.`.
fn shaped_in(run: &str) -> impl Iterator<Item = Secret> + '_ {
    let starts = run.char_indices().filter(|(start, char)| {
        let is_inside = run[..*start].ends_with(|char| Letters::Word.have(char));
        !is_inside && char.is_ascii_alphabetic()
    });
    starts.filter_map(|(start, _)| {
        let rest = &run[start..];
        let token = SHAPES.iter().find_map(|shape| {
            let tail = rest.strip_prefix(shape.prefix)?;
            let tail = &tail[..tail.len().min(LONGEST_TOKEN)];
            let length = tail.find(|char| !shape.letters.have(char)).unwrap_or(tail.len());
            let fits = match shape.letters {
                Letters::Upper => length == shape.minimum,
                _ => length >= shape.minimum,
            };
            let is_real = fits && has_digit(&tail[..length]) && !is_placeholder(&tail[..length]);
            is_real.then_some((shape.kind, shape.prefix.len() + length))
        });
        let (kind, length) = token.or_else(|| web_token(rest))?;
        Some(Secret { kind, range: TextRange::new(start, start + length) })
    })
}

/// A JSON Web Token: three parts, the first two of which are JSON objects in base 64.
fn web_token(text: &str) -> Option<(&'static str, usize)> {
    let mut parts = text.split('.');
    let header = parts.next().filter(|header| header.starts_with("eyJ") && header.len() >= 12)?;
    let payload = parts.next().filter(|payload| payload.starts_with("eyJ") && payload.len() >= 8)?;
    let signature = parts.next().filter(|signature| !signature.is_empty())?;
    let length = header.len() + payload.len() + signature.len() + 2;
    (!is_placeholder(&text[..length])).then_some(("a web token (JWT)", length))
}

fn private_key(text: &str) -> Option<Secret> {
    const END: &str = "PRIVATE KEY-----";
    let start = text.find("-----BEGIN ")?;
    let header = text[start..].find(END).filter(|length| *length < 40)? + END.len();
    let body = &text[start + header..];
    let end = body.find(END).map_or(text.len(), |length| start + header + length + END.len());
    let content = body.split("-----").next().unwrap_or_default();
    let is_real = content.len() > 40 && !is_placeholder(content);
    is_real.then_some(Secret { kind: "a private key", range: TextRange::new(start, end) })
}

/// Where the parts of the first URL in a text stand: the end of its `://`, the end of its host, its own end.
fn url(text: &str) -> Option<(usize, usize, usize)> {
    let start = text.find("://")? + 3;
    let end_of =
        |ends: &str| text[start..].find(|char| ends.contains(char)).map_or(text.len(), |length| start + length);
    Some((start, end_of("/?# \t\n\"'"), end_of(" \t\n\"'")))
}

fn url_password(text: &str) -> Option<Secret> {
    let (start, host_end, _) = url(text)?;
    let at = start + text[start..host_end].rfind('@')?;
    let colon = start + text[start..at].find(':')?;
    let (user, password, host) = (&text[start..colon], &text[colon + 1..at], &text[at + 1..host_end]);
    let lower = password.to_lowercase();
    let is_local =
        ["localhost", "127.0.0.1", "[::1]", "host.docker.internal"].iter().any(|name| host.starts_with(name));
    let is_weak = password == user || COMMON_PASSWORDS.contains(&&*lower);
    let is_real = !password.is_empty() && !is_placeholder(password) && !is_weak && !is_local;
    is_real.then_some(Secret { kind: "a password", range: TextRange::new(colon + 1, at) })
}

fn url_parameters(text: &str) -> Vec<Secret> {
    let Some((start, _, end)) = url(text) else { return Vec::new() };
    let Some(query) = text[start..end].find('?').map(|length| start + length + 1) else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = query;
    for parameter in text[query..end].split(['&', '#']) {
        if let Some((name, value)) = parameter.split_once('=')
            && is_secret_name(name)
            && is_random(value, 16)
            && has_digit(value)
        {
            let value_at = at + name.len() + 1;
            found.push(Secret { kind: "a secret", range: TextRange::new(value_at, value_at + value.len()) });
        }
        at += parameter.len() + 1;
    }
    found
}

/// Shannon's entropy in bits a character.
fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let length = text.len() as f64;
    let share = |count: &u32| f64::from(*count) / length;
    -counts.iter().filter(|count| **count > 0).map(|count| share(count) * share(count).log2()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts that look like tokens are put together here, so that no scanner takes this file for a leak.
    const RANDOM: &str = "4fKq81ZpLw7Rb2XcVt9Jh3Nd5Gs6Ym0QaTeU1iOo8BzWx7Cv2Kr";

    fn found(text: &str) -> Vec<(&'static str, &str)> {
        secrets(text).iter().map(|secret| (secret.kind, &text[secret.range.as_usize()])).collect()
    }

    #[test]
    fn every_shape_is_found_and_its_placeholders_are_not() {
        for shape in SHAPES {
            assert!(shape.prefix.len() + shape.minimum >= SHORTEST_TOKEN);
            let random = RANDOM.repeat(2);
            let random = if let Letters::Upper = shape.letters { "4FKQ81ZPLW7RB2XC" } else { &random };
            let token = format!("{}{}", shape.prefix, &random[..shape.minimum]);
            let text = format!("--key={token} x");
            assert_eq!(found(&text), [(shape.kind, &*token)]);
            assert_eq!(found(&format!("{}{}", shape.prefix, "x".repeat(shape.minimum))), []);
            assert_eq!(found(&format!("{}your_token_{}", shape.prefix, &random[..shape.minimum])), []);
            assert_eq!(found(&format!("x{token}")), [], "inside a word");
        }
        assert_eq!(found("sk-..."), []);
        assert_eq!(found(concat!("AKIA", "IOSFODNN7EXAMPLE")), []);
    }

    #[test]
    fn urls_web_tokens_and_private_keys() {
        assert_eq!(found("postgresql://u:S3cretPw9@db.example/x"), [("a password", "S3cretPw9")]);
        for harmless in [
            "postgresql://postgres:postgres@localhost:5432/app",
            "postgresql://app:Pw83hd@localhost/app",
            "postgresql://user:password@db.example/app",
            "postgresql://user:<password>@db.example/app",
            "postgresql://user:${DB_PASSWORD}@db.example/app",
            "https://x.example:8080/@scope/name",
            "https://x.example/mcp?key=short&tokens=1",
            "https://x.example/mcp?token=${TOKEN}",
            "npm://a@b",
        ] {
            assert_eq!(found(harmless), [], "{harmless}");
        }
        let random = &RANDOM[..24];
        let url = format!("https://x.example/mcp?user=a&api-key={random}#top");
        assert_eq!(found(&url), [("a secret", random)]);
        assert_eq!(found("?token=eyJhbGciOiJub25lIn0.eyJhIjoxfQ.x")[0].0, "a web token (JWT)");
        let key = format!("-----BEGIN EC {0}-----\n{RANDOM}\n-----END EC {0}-----", "PRIVATE KEY");
        assert_eq!(found(&key), [("a private key", &*key)]);
        assert_eq!(found("-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----"), []);
    }

    #[test]
    fn a_long_text_is_looked_through_once() {
        for word in ["eyJ.", "eyJhbGciOiJub25l.x.", "glpat-.", "SG.", "pat."] {
            assert_eq!(found(&word.repeat((1 << 16) / word.len())), [], "{word}");
        }
    }

    #[test]
    fn random_text_is_told_from_words() {
        assert!(is_random(&RANDOM[..20], 20));
        assert!(is_random("9041882e-c0b9-65f5-a069-ab95c2797070", 20));
        for plain in [
            "my-super-secret-value-123",
            "YOUR_GOOGLE_CLIENT_SECRET",
            "/home/someone/keys/id_ed25519.pem",
            "https://x.example/a1b2c3d4e5f6",
            "00000000-0000-0000-0000-000000000000",
            "{lksypw-3489-sdfkj3-sdf}",
            "a sentence of 5 words, more",
            "aaaabbbbaaaabbbbaaaa1",
            "2026110112345678901234",
        ] {
            assert!(!is_random(plain, 20), "{plain}");
        }
    }

    #[test]
    fn variables_are_upper_case_words() {
        assert_eq!(variable_name("my notes_X-Key"), "MY_NOTES_X_KEY");
        assert_eq!(variable_name("7zip"), "_7ZIP");
        assert_eq!(variable_name("\u{7b14}\u{8bb0}"), "SECRET");
    }

    #[test]
    fn names_speak_of_secrets() {
        for name in ["API_KEY", "githubToken", "X-API-Key", "--password", "apikey", "GH_PAT", "Authorization"] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["PATH", "KEY_FILE", "MAX_TOKENS", "STRIPE_PUBLISHABLE_KEY", "PUBLIC_KEY", "compat"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
