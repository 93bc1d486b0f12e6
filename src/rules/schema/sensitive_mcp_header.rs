use super::invalid_mcp_header::KEYWORD;
use crate::diagnostic::Fix;
use crate::model::schema::Role;
use crate::model::{Form, Tool};
use crate::rules::{Context, Sink};
use crate::syntax::{Value, without_member};
use crate::text::{shown, words};

rule! {
    /// ## What it does
    /// Finds parameters with `x-mcp-header` whose names speak of a secret or of a person: a password, a key, a token, a
    /// mail address.
    ///
    /// ## Why
    /// Clients copy the value into an HTTP header, which every proxy on the way can read and many write to their logs.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "open_vault", "description": "Open a vault and list its entries.", "inputSchema": {"type": "object", "properties": {"password": {"type": "string", "description": "Password of the vault", "x-mcp-header": "Vault-Password"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "open_vault", "description": "Open a vault and list its entries.", "inputSchema": {"type": "object", "properties": {"password": {"type": "string", "description": "Password of the vault"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe: removes `x-mcp-header`, so that no header is sent.
    ///
    /// ## Sources
    /// MCP 2026-07-28, server/tools, x-mcp-header: passwords, API keys, tokens and personal data should not have it.
    "sensitive-mcp-header", Schema, Tool(check), Warning;
    fix: Unsafe;
    help: "do not send secrets and personal data as headers";
    since: "0.1.0";
}

/// Words of a secret or of a person.
const WORDS: &[&str] = &[
    "apikey",
    "credential",
    "credentials",
    "email",
    "iban",
    "passphrase",
    "passport",
    "passwd",
    "password",
    "phone",
    "pwd",
    "secret",
    "ssn",
];
/// Words before `key` that make it one.
const KEYS: &[&str] = &["access", "api", "auth", "private", "secret", "signing"];
/// Words before `token` that make it something else.
const PLACES: &[&str] =
    &["continuation", "cursor", "idempotency", "next", "page", "pagination", "prev", "previous", "resume", "sync"];

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    if tool.form != Form::Mcp {
        return;
    }
    for schema in tool.schemas() {
        let Role::Property(property) = schema.role else { continue };
        let Some(header) = schema.get(KEYWORD).and_then(Value::as_str) else { continue };
        if !is_sensitive(&property.key.name) && !is_sensitive(header) {
            continue;
        }
        let members = schema.value.members();
        let Some(index) = members.iter().rposition(|member| &*member.key.name == KEYWORD) else { continue };
        let (name, header) = (shown(&property.key.name), shown(header));
        let message = format!("`{name}` is sent as the header `Mcp-Param-{header}`, which others on the way can read");
        out.add(members[index].range(), message)
            .fix(Fix::unsafe_("send no header", without_member(tool.text, schema.value, index)));
    }
}

/// Whether a name speaks of a secret or of a person.
fn is_sensitive(name: &str) -> bool {
    let words = words(name);
    words.iter().enumerate().any(|(index, word)| {
        let before = index.checked_sub(1).map_or("", |before| &words[before]);
        match word.as_str() {
            "key" => KEYS.contains(&before),
            "token" => index + 1 == words.len() && !PLACES.contains(&before),
            word => WORDS.contains(&word),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{RULE, is_sensitive};
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Unsafe;

    #[test]
    fn marks_the_annotation() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"apiKey": {"x-mcp-header": "K"}, "k": {"x-mcp-header": "Auth-Token"}, "password": {}, "region": {"x-mcp-header": "Region"}}}}]
                                                         ^^^^^^^^^^^^^^^^^^^ `apiKey` is sent as the header `Mcp-Param-K`
                                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
"#,
        );
        let told = |name: &str| is_sensitive(name);
        assert!(["user_email", "token", "secretName", "private-key"].into_iter().all(told));
        assert!(!["page_token", "nextPageToken", "token_count", "issue_key", "key"].into_iter().any(told));
    }

    #[test]
    fn removes_the_annotation() {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"pwd": {schema}}}}}}}]"#);
        let (before, after) = (r#"{"x-mcp-header": "P", "type": "string"}"#, r#"{"type": "string"}"#);
        check_fix(&RULE, Unsafe, "tools.json", &tool(before), &tool(after));
    }
}
