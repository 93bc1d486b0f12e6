use super::RULE;
use crate::analysis::Ruleset;
use crate::analysis::testing::{check_at, check_fix, findings};
use crate::diagnostic::Applicability::Unsafe;

/// Put together where it is used, so that no scanner takes this file for a leak.
const RANDOM: &str = "4fKq81ZpLw7Rb2XcVt9Jh3Nd5Gs6Ym0QaTeU1iOo";

fn servers(root: &str, server: &str) -> String {
    format!(r#"{{"{root}": {{"my notes": {server}}}}}"#)
}

#[test]
fn points_at_the_secret_alone() {
    check_at(
        &RULE,
        ".mcp.json",
        r#"
{"mcpServers": {"a": {"command": "x", "args": ["--db", "postgres://app:S3cretPw9@db.example/x", "API_KEY=4fKq81ZpLw7Rb2XcVt9Jh3Nd"]},
                                                                       ^^^^^^^^^ a password stands in the arguments in plain text
                                                                                                         ^^^^^^^^^^^^^^^^^^^^^^^^ a secret stands in the arguments
                "b": {"url": "https://x.example/mcp?apiKey=4fKq81ZpLw7Rb2Xc", "headers": {"Authorization": "Bearer 4fKq81ZpLw7Rb2Xc", "X-API-Key": "4fKq81ZpLw7Rb2Xc"}},
                                                                                                                   ^^^^^^^^^^^^^^^^ the header `Authorization`
                                                                                                                                                    ^^^^^^^^^^^^^^^^ the header `X-API-Key`
                                                           ^^^^^^^^^^^^^^^^ a secret stands in the `url`
                "c": {"command": "x", "environment": {"A": "postgres://app:S3cr\u0065tPw9@db.example/x", "NOTES_TOKEN": "4fKq81ZpLw7Rb2XcVt9Jh3Nd"}}}}
                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the variable `A`
                                                                                                                         ^^^^^^^^^^^^^^^^^^^^^^^^ the variable `NOTES_TOKEN`
"#,
    );
}

#[test]
fn placeholders_references_and_harmless_values_are_left_alone() {
    check_at(
        &RULE,
        ".cursor/mcp.json",
        r#"
{"mcpServers": {"a": {"command": "npx", "args": ["-y", "@scope/server@1.2.3", "--token", "${env:TOKEN}", "--port=8080",
  "postgresql://postgres:postgres@localhost:5432/app", "--header", "Authorization: Bearer ${TOKEN}", "--api-key", "YOUR_API_KEY_1"],
  "env": {"API_KEY": "your-api-key-here-1234", "TOKEN": "<token>", "SECRET": "xxxxxxxxxxxxxxxxxxxxxxxx", "PASSWORD": "changeme",
  "OPENAI_API_KEY": "sk-...", "KEY": "{{ some_secret_value_1 }}", "K2_KEY": "$HOME_SECRET_VALUE_12345", "DB_PASSWORD": "postgres",
  "COMMIT": "4fKq81ZpLw7Rb2XcVt9Jh3Nd", "KEY_FILE": "/home/someone/keys/id_ed25519_2026", "TOKEN_LIMIT": "100000", "E": "",
  "MODEL_KEY": "claude-sonnet-4-5-key", "N": null, "PROJECT_KEY": "PROJ"}},
 "b": {"url": "https://x.example/mcp?project=4fKq81ZpLw7Rb2XcVt9J", "headers": {"Authorization": "Bearer <token>", "Accept": "application/json"}}}}
"#,
    );
}

#[test]
fn the_variable_is_written_as_the_client_writes_it() {
    let secret = &RANDOM[..24];
    let fixed = |path: &str, before: &str, after: &str| {
        let root = if path.contains("vscode") { "servers" } else { "mcpServers" };
        check_fix(&RULE, Unsafe, path, &servers(root, before), &servers(root, after));
    };
    fixed(
        ".vscode/mcp.json",
        &format!("{{\r\n  // ours\r\n  \"env\": {{\"NOTES_KEY\": \"{secret}\"}}}}"),
        "{\r\n  // ours\r\n  \"env\": {\"NOTES_KEY\": \"${env:NOTES_KEY}\"}}",
    );
    fixed(
        ".mcp.json",
        &format!(r#"{{"headers": {{"Authorization": "Bearer {secret}"}}}}"#),
        r#"{"headers": {"Authorization": "Bearer ${MY_NOTES_AUTHORIZATION}"}}"#,
    );
    fixed(
        ".mcp.json",
        &format!(r#"{{"args": ["--api-key", "{secret}"]}}"#),
        r#"{"args": ["--api-key", "${MY_NOTES_API_KEY}"]}"#,
    );
    fixed(
        ".mcp.json",
        &format!(r#"{{"args": ["-e", "NOTES_KEY={secret}"]}}"#),
        r#"{"args": ["-e", "NOTES_KEY=${NOTES_KEY}"]}"#,
    );
    fixed(
        ".cursor/mcp.json",
        &format!(r#"{{"args": ["--header", "X-Api-Key: {secret}"]}}"#),
        r#"{"args": ["--header", "X-Api-Key: ${env:MY_NOTES_X_API_KEY}"]}"#,
    );
    fixed(
        ".mcp.json",
        &format!(r#"{{"url": "https://x.example/mcp?profile=a&token={secret}&x=1"}}"#),
        r#"{"url": "https://x.example/mcp?profile=a&token=${MY_NOTES_TOKEN}&x=1"}"#,
    );
    let token = format!("pplx-{}{}", RANDOM, &RANDOM[..8]);
    fixed(
        ".mcp.json",
        &format!(r#"{{"args": ["--config", "{{\"key\":\"{token}\"}}"]}}"#),
        r#"{"args": ["--config", "{\"key\":\"${MY_NOTES_TOKEN}\"}"]}"#,
    );
    fixed(
        ".mcp.json",
        r#"{"env": {"DATABASE_URL": "postgres://app:S3cretPw9@db.example/x"}}"#,
        r#"{"env": {"DATABASE_URL": "${DATABASE_URL}"}}"#,
    );
}

#[test]
fn a_client_without_variables_gets_a_note() {
    let text = servers("mcpServers", &format!(r#"{{"command": "x", "env": {{"NOTES_KEY": "{RANDOM}"}}}}"#));
    let found = findings(Ruleset::only(&RULE), "claude_desktop_config.json", &text);
    assert_eq!(found.len(), 1);
    assert!(found[0].fixes.is_empty());
    assert!(found[0].notes[0].contains("reads no variables in this file"));
}

#[test]
fn two_secrets_have_two_variables() {
    let (one, other) = (format!("ghp_{}", &RANDOM[..36]), format!("ghp_{}", RANDOM[..36].to_uppercase()));
    let server =
        format!(r#"{{"command": "x", "args": ["--api-key={one}", "--api-key", "{other}", "--api-key={one}"]}}"#);
    let found = findings(Ruleset::only(&RULE), ".mcp.json", &servers("mcpServers", &server));
    let titles: Vec<&str> = found.iter().map(|finding| finding.fixes[0].title.as_str()).collect();
    assert_eq!(titles.len(), 3);
    assert_eq!(titles[0], titles[2]);
    assert!(titles[1].contains("_API_KEY_2`"), "{titles:?}");
}

/// Neither what is said nor what is written repeats the secret.
#[test]
fn the_secret_is_never_repeated() {
    let secrets = [RANDOM.to_owned(), format!("ghp_{}", &RANDOM[..36]), format!("sk-ant-api03-{RANDOM}")];
    for path in [".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", "claude_desktop_config.json"] {
        let root = if path.contains("vscode") { "servers" } else { "mcpServers" };
        for secret in &secrets {
            let server = format!(
                r#"{{"command": "run --key={secret}", "args": ["--token={secret}", "--token", "{secret}", "http://u:{secret}@x.example/?key={secret}",
                     "\u0041uthorization: Bearer {secret}", "a=\u0041 {secret}"],
                     "env": {{"A_KEY": "{secret}", "B": "{secret} \u0041 {secret}", "C_TOKEN": "x {secret}"}},
                     "headers": {{"Authorization": "Basic {secret}", "X-Token": "{secret}"}},
                     "url": "https://x.example/{secret}?token={secret}"}}"#
            );
            let found = findings(Ruleset::only(&RULE), path, &servers(root, &server));
            assert!(found.len() >= 8, "{found:#?}");
            let said = format!("{found:?}");
            assert!(!said.contains(&secret[8..20]), "{said}");
        }
    }
}
