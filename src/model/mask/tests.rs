use super::*;

/// Put together here, so that no scanner takes this file for a leak.
const TOKEN: &str = concat!("ghp_", "4fKq81ZpLw7Rb2XcVt9Jh3Nd5Gs6Ym0QaTeU");

#[track_caller]
fn hides(text: &str, expected: &[&str]) {
    let found: Vec<&str> = masks(text).iter().map(|mask| &text[mask.as_usize()]).collect();
    assert_eq!(found, expected, "in {text}");
}

#[test]
fn what_follows_a_name_is_hidden() {
    hides(r#"{"env": {"API_KEY": "hunter2", "MODE": "fast"}}"#, &["hunter2"]);
    hides(r#"{"args": ["--api-key", "hunter two", "--mode", "x"]}"#, &["hunter two"]);
    hides(r#"{"args": ["--password=a,b&c"]}"#, &["a,b&c"]);
    hides(r#"{"command": "serve --token abc --port 1"}"#, &["abc"]);
    hides(r#"{"args": ["-H", "Authorization: Bearer abcdef"]}"#, &["abcdef"]);
    hides(r#"{"headers": {"Authorization": "Bearer abcdef", "X-Auth-Token1": "q w"}}"#, &["abcdef", "q w"]);
    hides(r#"{"url": "https://x.example/mcp?user=a&api_key=abc"}"#, &["abc"]);
    hides(r#"{"args": ["{\"token\": \"abc\", \"x\": \"y\"}"]}"#, &["abc"]);
    hides("{\n  // DB_PASS: s3cret9\n}", &["s3cret9"]);
    hides(r#"{"A_TOKEN": "with \" quote"}"#, &["with \\\" quote"]);
}

#[test]
fn broken_text_hides_no_less() {
    hides("{\"API_KEY\": \"hunter2\n}", &["hunter2"]);
    hides("{\"API_KEY\": hunter2, \"x\": 1}", &["hunter2"]);
    hides("{API_KEY: 'hunter2'}", &["hunter2"]);
    hides("{\"API_KEY: \"hunter2\"}", &["hunter2"]);
    hides("{\"API_KEY\" \"hunter2\"}", &[]);
    hides(r#"{"API_KEY": "hun"ter2", "x": 1}"#, &["hun\"ter2"]);
    hides("{\"args\": [\"--token\",\n  hunter2]}", &["hunter2"]);
}

#[test]
fn shapes_and_urls_are_hidden_anywhere() {
    hides(&format!("x {TOKEN}\n\"{TOKEN}"), &[TOKEN, TOKEN]);
    hides("postgres://a:b@localhost/x redis://:c@h", &["b", "c"]);
    hides(r#""https:\/\/a:b@h\/x""#, &[r"https:\/\/a:b@h\/x"]);
    hides(&format!(r#"["a", "x\n{TOKEN}"]"#), &[&format!("x\\n{TOKEN}")]);
    hides(&format!(r#""\u0067{}""#, &TOKEN[1..]), &[&format!("\\u0067{}", &TOKEN[1..])]);
    let key = format!("-----BEGIN {0}-----\\nabc\\n-----END {0}-----", "PRIVATE KEY");
    hides(&format!("\"{key}\" \"{key}\""), &[&key, &key]);
}

#[test]
fn references_and_other_words_stay() {
    for text in [
        r#"{"env": {"API_KEY": "${API_KEY}", "TOKEN": "$TOKEN", "A_KEY": "<your key>", "B_KEY": "%B_KEY%"}}"#,
        r#"{"headers": {"Authorization": "Bearer ${input:token}"}}"#,
        r#"{"url": "https://x.example/mcp?key=${KEY}&x=1"}"#,
        r#"{"API_KEY": "your-api-key-here", "API_TOKEN": ""}"#,
        r#"{"required": ["token", "path"], "token": {"type": "string"}, "keys": ["a"]}"#,
        r#"{"description": "The API key: get it from the settings", "token": true, "max_tokens": "5000"}"#,
        "https://x.example:8080/@scope/name postgres://u:${PW}@h http://[::1]:80/ mongodb://a:1,b:2/x http://a:${PORT}/",
    ] {
        hides(text, &[]);
    }
}

#[test]
fn masked_text_keeps_its_lines_and_columns() {
    let text = "a größe\nb";
    assert_eq!(masked(text, &[TextRange::new(2, text.len())]), "a •••••\n•");
}

#[test]
fn sentences_lose_secrets_and_their_pieces() {
    let text = r#"{"A_KEY": "hunter-number-2"}"#;
    let hidden = Hidden::new(text, &masks(text));
    for (sentence, expected) in [
        ("`hunter-number-2` is no value", "`•••` is no value"),
        ("insert `\"hunter-number-2\"`", "insert `\"•••\"`"),
        ("`hunter-num…` is no value", "`•••` is no value"),
        ("`number-2` is no value", "`•••` is no value"),
        ("a hunter-number stands here", "a hunter-number stands here"),
        ("`hunters` are `A_KEY`", "`hunters` are `A_KEY`"),
    ] {
        assert_eq!(hidden.without(sentence), expected);
    }
    let shown = Hidden::default().without(TOKEN).into_owned();
    assert_eq!(shown, MASKED);
}

#[test]
fn no_text_takes_long() {
    for piece in [
        "key=\"${a}&",
        "key=${a}&",
        "key:{",
        "PRIVATE KEY-----",
        "a.",
        "pat.",
        "eyJaaaaaaaaa.",
        "key ",
        "://",
        "--key \"your ",
        "key=",
        "key:a,",
    ] {
        masks(&piece.repeat(200_000 / piece.len()));
    }
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_masked(text in "(?s)([a\"'\\\\{}\\[\\]:,=\n é]|token|--key|://|@|ghp_|-----BEGIN |PRIVATE KEY-----){0,40}") {
        let masks = masks(&text);
        proptest::prop_assert!(masks.windows(2).all(|pair| pair[0].end < pair[1].start));
        let shown = masked(&text, &masks);
        proptest::prop_assert_eq!(shown.chars().count(), text.chars().count());
        let _ = Hidden::new(&text, &masks).without(&text);
    }
}
