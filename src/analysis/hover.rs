//! What is said of the place under the pointer: the tool with its cost, the parameter, the server, and the rules that
//! found something there. Text of the document is escaped; no command link is ever written.

use super::Report;
use crate::model::{Kind, Server, Tool, schema};
use crate::provider::Provider;
use crate::rules::{self, Rule};
use crate::syntax::{self, Member, Value};
use crate::text::TextRange;

/// The context window that shares are given of, in tokens.
pub const WINDOW: usize = 200_000;

/// Longer texts of a document are cut.
const MAX_TEXT: usize = 300;

/// What is said of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The place.
    pub range: TextRange,
    /// The text that a model reads of the tool, to be counted; `None` where no tool is meant.
    pub tool_text: Option<String>,
    subject: Option<String>,
    rules: Vec<&'static str>,
}

/// What is said of the place at `offset`; `None` where there is nothing to say.
pub fn hover(report: &Report, offset: usize) -> Option<Hover> {
    let item = report.items().find(|item| item.range().touches(offset));
    let mut hover = item.and_then(|item| {
        let text = report.text().slice(item.range());
        let base = item.range().start;
        let offset = offset - base;
        let hover = match report.kind() {
            Kind::Config(dialect) => {
                let (key, reading) = syntax::read_member(&text)?;
                server(&Server { text: &text, key: &key, value: &reading.value, dialect }, offset)
            }
            _ => {
                let reading = syntax::read(&text);
                tool(&Tool::new(&text, &reading.value, report.list(item.list()).form), offset)
            }
        }?;
        Some(Hover { range: hover.range.shifted(base), ..hover })
    });
    let findings = report.findings();
    let found = findings.iter().filter(|finding| finding.range().touches(offset));
    for finding in found {
        let hover = hover.get_or_insert_with(|| Hover {
            range: finding.range(),
            tool_text: None,
            subject: None,
            rules: Vec::new(),
        });
        if !hover.rules.contains(&finding.diagnostic.rule) {
            hover.rules.push(finding.diagnostic.rule);
        }
    }
    hover
}

impl Hover {
    /// The hover as Markdown. `tokens` is the count of `tool_text`, where it is known.
    pub fn markdown(&self, tokens: Option<usize>) -> String {
        let mut parts: Vec<String> = self.subject.iter().cloned().collect();
        if let Some(text) = &self.tool_text {
            let provider = Provider::OpenAi;
            parts.push(match tokens.map(|count| provider.tool_tokens(text, count)) {
                Some(tokens) => {
                    let share = tokens as f64 * 100.0 / WINDOW as f64;
                    format!("{}: **{tokens} tokens** on every turn, {share:.2} % of a 200k window", provider.label())
                }
                None => format!("{}: tokens are being counted", provider.label()),
            });
        }
        let rules = self.rules.iter().filter_map(|name| rules::by_name(name));
        parts.extend(rules.map(|rule| {
            format!(
                "**{}** ({})\n\n{}\n\n{}",
                rule.name,
                rule.severity.name(),
                rule.section("What it does"),
                rule.section("Why")
            )
        }));
        parts.join("\n\n---\n\n")
    }
}

impl Rule {
    /// The text under a heading of the rule's page.
    pub fn section(&self, heading: &str) -> String {
        let start = self.doc.split(" ## ").find_map(|section| section.strip_prefix(heading)?.strip_prefix('\n'));
        let lines = start.unwrap_or_default().lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n").trim().to_owned()
    }
}

fn tool(tool: &Tool, offset: usize) -> Option<Hover> {
    let found = |range, subject| Hover { range, tool_text: None, subject: Some(subject), rules: Vec::new() };
    if let Some(parameter) = tool.parameters().iter().find(|member| member.key.range.touches(offset)) {
        return Some(found(parameter.key.range, parameter_text(tool, parameter)));
    }
    let on_name = tool.declaration.member("name").filter(|member| member.range().touches(offset));
    let on_key = || {
        let members = tool.element.members().iter().chain(tool.declaration.members());
        members.into_iter().find(|member| member.key.range.touches(offset))
    };
    let range = match on_name {
        Some(member) => member.value.range,
        None => on_key()?.key.range,
    };
    let parameters = tool.parameters();
    let required = tool.schema().and_then(|schema| schema.get("required")).map_or(0, |list| list.elements().len());
    let count = match (parameters.len(), required) {
        (0, _) => "no parameters".to_owned(),
        (1, 0) => "1 parameter".to_owned(),
        (1, _) => "1 parameter, required".to_owned(),
        (all, required) => format!("{all} parameters, {required} required"),
    };
    let subject = format!("tool **{}** · {count}", escaped(tool.label()));
    let text = Provider::OpenAi.tool_text(tool.label(), tool.description_text(), tool.schema());
    Some(Hover { tool_text: Some(text), ..found(range, subject) })
}

fn parameter_text(tool: &Tool, parameter: &Member) -> String {
    let root = tool.schema();
    let value = root.map_or(&parameter.value, |root| schema::followed(&parameter.value, root));
    let required = root.and_then(|root| schema::followed(root, root).get("required")).map(Value::elements);
    let is_required =
        required.is_some_and(|names| names.iter().any(|name| name.as_str() == Some(&*parameter.key.name)));
    let mut out = format!("parameter **{}** of {}", escaped(&parameter.key.name), escaped(tool.label()));
    if let Some(types) = value.get("type") {
        let names = types.as_str().into_iter().chain(types.elements().iter().filter_map(Value::as_str));
        out += &format!(" · {}", names.map(escaped).collect::<Vec<_>>().join(" or "));
    }
    out += if is_required { " · required" } else { " · optional" };
    let values = value.get("enum").map(Value::elements).unwrap_or_default();
    if !values.is_empty() {
        let shown: Vec<String> = values.iter().take(12).map(|value| escaped(&value.to_json().to_string())).collect();
        let more = if values.len() > shown.len() {
            format!(" and {} more", values.len() - shown.len())
        } else {
            String::new()
        };
        out += &format!("\n\none of {}{more}", shown.join(", "));
    }
    if let Some(default) = value.get("default") {
        out += &format!("\n\ndefault {}", escaped(&default.to_json().to_string()));
    }
    if let Some(description) = value.get("description").and_then(Value::as_str) {
        out += &format!("\n\n{}", escaped(description));
    }
    out
}

fn server(server: &Server, offset: usize) -> Option<Hover> {
    if !server.key.range.touches(offset) {
        return None;
    }
    let text = |key| server.value.get(key).and_then(Value::as_str);
    // Arguments and values of variables may be secrets: only how many there are, and the names.
    let transport = match (text("command"), text("url")) {
        (Some(command), _) => match server.arguments().count() {
            0 => format!("started as {}", escaped(command)),
            1 => format!("started as {} with 1 argument", escaped(command)),
            count => format!("started as {} with {count} arguments", escaped(command)),
        },
        (None, Some(url)) => {
            let host =
                url.split_once("://").map_or(url, |(_, rest)| rest).split(['/', '?', '#']).next().unwrap_or_default();
            format!("reached at {}", escaped(host.rsplit('@').next().unwrap_or_default()))
        }
        (None, None) => "neither started nor reached".to_owned(),
    };
    let mut subject = format!("server **{}** of {} · {transport}", escaped(server.name()), server.dialect.name);
    let variables = server.value.get("env").map(Value::members).unwrap_or_default();
    if !variables.is_empty() {
        let names: Vec<String> = variables.iter().map(|member| escaped(&member.key.name)).collect();
        subject += &format!("\n\nenvironment: {}", names.join(", "));
    }
    Some(Hover { range: server.key.range, tool_text: None, subject: Some(subject), rules: Vec::new() })
}

/// Text of a document as Markdown that shows it and does nothing else: one line, cut, every mark escaped, what cannot
/// be seen by its number.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for (count, char) in text.chars().enumerate() {
        if count == MAX_TEXT {
            out.push('…');
            break;
        }
        match char {
            '\n' | '\r' | '\t' => out.push(' '),
            _ if char.is_ascii_punctuation() => out.extend(['\\', char]),
            _ if is_invisible(char) => out += &format!("U+{:04X}", u32::from(char)),
            _ => out.push(char),
        }
    }
    out
}

/// Controls, and what changes the direction or look of its neighbours.
fn is_invisible(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::testing::document;
    use crate::analysis::{Analysis, Ruleset, World};
    use crate::settings::Settings;

    fn at(path: &str, marked: &str) -> Option<Hover> {
        let offset = marked.find('¦').expect("a mark");
        let document = document(path, &marked.replace('¦', ""));
        let rules = Arc::new(Ruleset::new(&Settings::default(), false));
        hover(&Analysis::default().check(&World { document: &document, rules: &rules, read_as: None }), offset)
    }

    #[test]
    fn a_tool_tells_what_it_costs() {
        let text = r#"{"tools": [{"name": "get_¦weather", "description": "Get the *weather*.", "inputSchema": {"type": "object", "properties": {"city": {"type": "string", "description": "City name"}, "days": {"type": "integer", "enum": [1, 7], "default": 1, "description": "[x](command:y)"}}, "required": ["city"]}}]}"#;
        let hover = at("tools.json", text).expect("a hover");
        let markdown = hover.markdown(Some(200));
        assert!(markdown.starts_with("tool **get\\_weather** · 2 parameters, 1 required"), "{markdown}");
        assert!(markdown.contains("tokens** on every turn, 0.10 % of a 200k window"), "{markdown}");
        assert!(hover.tool_text.is_some_and(|text| text.contains("type get_weather = (_: {")));
        let parameter =
            at("tools.json", &text.replace('¦', "").replace("\"days\"", "\"da¦ys\"")).expect("a hover").markdown(None);
        assert!(parameter.starts_with("parameter **days** of get\\_weather · integer · optional"), "{parameter}");
        assert!(parameter.contains("one of 1, 7") && parameter.contains("default 1"), "{parameter}");
        assert!(!parameter.contains("](command:"), "{parameter}");
    }

    #[test]
    fn a_server_hides_its_secrets() {
        let text = r#"{"mcpServers": {"g¦h": {"command": "npx", "args": ["--token", "s3cret"], "env": {"TOKEN": "s3cret"}}, "w": {"url": "https://u:s3cret@h.example/p?key=s3cret"}}}"#;
        let markdown = at(".mcp.json", text).expect("a hover").markdown(None);
        assert!(markdown.contains("server **gh** of Claude Code · started as npx with 2 arguments"), "{markdown}");
        let remote =
            at(".mcp.json", &text.replace('¦', "").replace("\"w\"", "\"¦w\"")).expect("a hover").markdown(None);
        assert!(remote.contains("reached at h\\.example"), "{remote}");
        assert!(!markdown.contains("s3cret") && !remote.contains("s3cret"));
    }

    #[test]
    fn a_finding_tells_its_rule() {
        let hover = at("tools.json", r#"[{"name": "a", "inputSchema": {"properties": {}, "required": ["¦x"]}}]"#)
            .expect("a hover");
        assert!(
            hover.markdown(None).contains("**undefined-required** (error)\n\nFinds names in `required`"),
            "{hover:?}"
        );
        assert_eq!(at("tools.json", r#"{"a": "¦b"}"#), None);
    }
}
