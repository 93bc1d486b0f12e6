//! What is said of the place under the pointer: the tool with its cost, the parameter, the server, and the rules that
//! found something there. Names and values of the document are code, its texts are escaped where Markdown would obey
//! them; no link is ever written.

use super::Report;
use super::asking::status;
use super::costs::{Count, WINDOW, told};
use super::secrets::hide_in;
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::facts::Known;
use crate::model::{Kind, Server, Tool, schema};
use crate::provider::{Declaration, Model, Provider, Targets, Unrendered};
use crate::rules::{self, Rule};
use crate::syntax::{self, Member, Value};
use crate::text::{TextRange, counted, is_invisible};

/// Longer texts of a document are cut.
const MAX_TEXT: usize = 300;

/// What is said of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The place.
    pub range: TextRange,
    /// What models read of the tool, to be counted; none where no tool is meant.
    costs: Vec<Cost>,
    subject: Option<String>,
    rules: Vec<Found>,
}

/// What a model reads of a tool, or why that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cost {
    model: Model,
    text: Result<String, Unrendered>,
}

/// What one rule found at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    rule: &'static str,
    /// Of its findings there the loudest, settings applied.
    severity: Severity,
    /// The most trusted kind of fix that is offered there.
    fix: Option<Applicability>,
}

/// What is said of the place at `offset`; `None` where there is nothing to say. `now`, in seconds since 1970, is what ages
/// count from.
pub fn hover(report: &Report, offset: usize, now: u64) -> Option<Hover> {
    let item = report.items().enumerate().find(|(_, item)| item.range().touches(offset));
    let mut hover = item.and_then(|(index, item)| {
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
                tool(&Tool::new(&text, &reading.value, report.list(item.list()).form), offset, report.targets())
            }
        }?;
        let mut subject = hover.subject;
        if let (Some(subject), Some(known)) = (&mut subject, report.known(index)) {
            *subject += &asked(known, now);
            let costs = report.costs(index).and_then(|costs| told(&costs, report.models(), report.targets()));
            *subject += &costs.map(|costs| format!("\n\n{costs}")).unwrap_or_default();
        }
        subject.iter_mut().for_each(|subject| hide_in(report.kind(), &text, subject));
        Some(Hover { range: hover.range.shifted(base), subject, ..hover })
    });
    let findings = report.findings();
    let found = findings.iter().filter(|finding| finding.range().touches(offset));
    for finding in found {
        let hover = hover.get_or_insert_with(|| Hover {
            range: finding.range(),
            costs: Vec::new(),
            subject: None,
            rules: Vec::new(),
        });
        let Diagnostic { rule, severity, fixes, .. } = finding.diagnostic;
        let fix = fixes.iter().map(|fix| fix.applicability).max();
        match hover.rules.iter_mut().find(|found| found.rule == *rule) {
            Some(found) => *found = Found { rule, severity: found.severity.max(*severity), fix: found.fix.max(fix) },
            None => hover.rules.push(Found { rule, severity: *severity, fix }),
        }
    }
    hover
}

impl Hover {
    /// The hover as Markdown, with what the tool costs where that can be counted.
    pub fn markdown(&self, count: Option<Count>) -> String {
        let mut parts: Vec<String> = self.subject.iter().cloned().collect();
        parts.extend(count.filter(|_| !self.costs.is_empty()).map(|count| told_costs(&self.costs, count)));
        parts.extend(self.rules.iter().filter_map(Found::markdown));
        parts.join("\n\n---\n\n")
    }
}

/// What a tool costs with the standard model of each provider.
fn told_costs(costs: &[Cost], count: Count) -> String {
    let mut numbers = Vec::new();
    let mut most = 0;
    let mut reasons = Vec::new();
    for Cost { model, text } in costs {
        let label = model.family.provider().label();
        match text {
            Ok(text) => {
                let tokens = model.family.tokens(text, &count);
                most = most.max(tokens);
                numbers.push(format!("{label} {}**{tokens}**", model.accuracy().sign()));
            }
            Err(reason) => reasons.push(format!("{label}: {reason}")),
        }
    }
    let share = most as f64 * 100.0 / WINDOW as f64;
    let models: Vec<&str> = costs.iter().map(|cost| &*cost.model.name).collect();
    let counted = match numbers.is_empty() {
        true => Vec::new(),
        false => vec![
            format!("{} tokens on every turn, {share:.2} % of a 200k window", numbers.join(" · ")),
            format!("as {} count; what is billed depends on caching and the client, too", models.join(", ")),
        ],
    };
    counted.into_iter().chain(reasons).collect::<Vec<_>>().join("\n\n")
}

impl Found {
    /// What the rule is about, what to do, and how to be rid of it.
    fn markdown(&self) -> Option<String> {
        let rule = rules::by_name(self.rule)?;
        let fix = match self.fix {
            Some(Applicability::Safe) => " A safe fix is offered.",
            Some(Applicability::Unsafe) => " A fix is offered that changes behaviour.",
            Some(Applicability::Suggestion) => " A fix is offered that you finish by hand.",
            None => "",
        };
        Some(format!(
            "**{name}** ({severity})\n\n{what}\n\n{why}\n\n**To do:** {help}.{fix}\n\n\
             To silence it: the action \"ignore\" here, or `{name} = \"off\"` under `[levels]`. More: `mcp-analyzer rule {name}`",
            name = rule.name,
            severity = self.severity.name(),
            what = rule.section("What it does"),
            why = rule.section("Why"),
            help = rule.help,
        ))
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

fn tool(tool: &Tool, offset: usize, targets: Targets) -> Option<Hover> {
    let found = |range, subject| Hover { range, costs: Vec::new(), subject: Some(subject), rules: Vec::new() };
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
    let names = tool.schema().and_then(|schema| schema.get("required")).map(Value::elements).unwrap_or_default();
    let is_required = |key: &str| names.iter().any(|name| name.as_str() == Some(key));
    let required = parameters.iter().filter(|member| is_required(&member.key.name)).count();
    let count = match (parameters.len(), required) {
        (0, _) => "no parameters".to_owned(),
        (1, 0) => "1 parameter".to_owned(),
        (1, _) => "1 parameter, required".to_owned(),
        (all, required) => format!("{all} parameters, {required} required"),
    };
    let subject = format!("tool {} · {count}", code(tool.label()));
    let declaration = Declaration::from(tool);
    let models =
        Provider::ALL.iter().filter(|provider| targets.has_provider(**provider)).map(|it| Model::standard(*it));
    let costs = models.map(|model| Cost { text: model.family.text(&declaration), model });
    Some(Hover { costs: costs.collect(), ..found(range, subject) })
}

fn parameter_text(tool: &Tool, parameter: &Member) -> String {
    let root = tool.schema();
    let value = root.map_or(&parameter.value, |root| schema::followed(&parameter.value, root));
    let required = root.and_then(|root| schema::followed(root, root).get("required")).map(Value::elements);
    let is_required =
        required.is_some_and(|names| names.iter().any(|name| name.as_str() == Some(&*parameter.key.name)));
    let mut out = format!("parameter {} of {}", code(&parameter.key.name), code(tool.label()));
    if let Some(types) = value.get("type") {
        let names = types.as_str().into_iter().chain(types.elements().iter().filter_map(Value::as_str));
        out += &format!(" · {}", names.map(code).collect::<Vec<_>>().join(" or "));
    }
    out += if is_required { " · required" } else { " · optional" };
    let values = value.get("enum").map(Value::elements).unwrap_or_default();
    if !values.is_empty() {
        let shown: Vec<String> = values.iter().take(12).map(|value| code(&value.to_json().to_string())).collect();
        let more = if values.len() > shown.len() {
            format!(" and {} more", values.len() - shown.len())
        } else {
            String::new()
        };
        out += &format!("\n\none of {}{more}", shown.join(", "));
    }
    if let Some(default) = value.get("default") {
        out += &format!("\n\ndefault {}", code(&default.to_json().to_string()));
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
            0 => format!("started as {}", code(command)),
            1 => format!("started as {} with 1 argument", code(command)),
            count => format!("started as {} with {count} arguments", code(command)),
        },
        (None, Some(url)) => {
            let host =
                url.split_once("://").map_or(url, |(_, rest)| rest).split(['/', '?', '#']).next().unwrap_or_default();
            format!("reached at {}", code(host.rsplit('@').next().unwrap_or_default()))
        }
        (None, None) => "neither started nor reached".to_owned(),
    };
    let mut subject = format!("server {} of {} · {transport}", code(server.name()), server.dialect.name);
    let variables = server.value.get("env").map(Value::members).unwrap_or_default();
    if !variables.is_empty() {
        let names: Vec<String> = variables.iter().map(|member| code(&member.key.name)).collect();
        subject += &format!("\n\nenvironment: {}", names.join(", "));
    }
    Some(Hover { range: server.key.range, costs: Vec::new(), subject: Some(subject), rules: Vec::new() })
}

/// What asking a server came to.
fn asked(known: &Known, now: u64) -> String {
    let mut out = match status(known, now) {
        status if status.is_empty() => String::new(),
        status => format!("\n\n{status}"),
    };
    let Some(report) = &known.report else { return out };
    let others = [
        (report.counts.resources, "resource"),
        (report.counts.resource_templates, "resource template"),
        (report.counts.prompts, "prompt"),
    ];
    for (count, noun) in others.into_iter().filter(|(count, _)| *count > 0) {
        out += &format!(" · {}", counted(count, noun));
    }
    if let Some(name) = &report.server.name {
        out += &format!("\n\nit calls itself {}", code(name));
        out += &report.server.version.as_ref().map(|version| format!(" {}", code(version))).unwrap_or_default();
    }
    if let Some(version) = &report.protocol_version {
        out += &format!("\n\n{} · MCP {}", report.transport.name(), code(version));
        out +=
            &report.timings.ready.map(|ready| format!(" · ready after {} ms", ready.as_millis())).unwrap_or_default();
        out +=
            &report.timings.tools.map(|tools| format!(", its tools in {} ms", tools.as_millis())).unwrap_or_default();
    }
    out
}

/// A name or value of a document as a code span, in which Markdown obeys nothing but the backtick.
fn code(text: &str) -> String {
    match one_line(text).replace('`', "'") {
        text if text.trim().is_empty() => "` `".to_owned(),
        text => format!("`{text}`"),
    }
}

/// Text of a document as a paragraph of Markdown that shows it and does nothing else: what could be a link is code, and
/// only those marks are escaped that would be obeyed where they stand, since some editors show the backslashes.
fn escaped(text: &str) -> String {
    let text = one_line(text);
    let mut out = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        if may_be_address(word) {
            out += &code(word);
        } else {
            escape_word(word, &mut out);
        }
    }
    out
}

/// Whether Markdown or an editor may make a link of a word as it stands.
fn may_be_address(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    lower.contains("://") || lower.contains("www.") || lower.contains("mailto:") || lower.contains('@')
}

fn escape_word(word: &str, out: &mut String) {
    let starts_line = out.is_empty();
    let mut before = None;
    let mut rest = word;
    while let Some(char) = rest.chars().next() {
        let at_start = starts_line && before.is_none();
        rest = &rest[char.len_utf8()..];
        let next = rest.chars().next();
        let is_obeyed = match char {
            '`' | '*' | '[' | ']' | '~' => true,
            '\\' => next.is_none_or(|next| next.is_ascii_punctuation()),
            '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
            '&' => {
                let name = rest.trim_start_matches(|char: char| char.is_ascii_alphanumeric() || char == '#');
                name.starts_with(';')
            }
            '_' => !(before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric)),
            '#' | '-' | '+' | '>' | '=' | '|' => at_start,
            '.' | ')' => starts_line && is_number(&word[..word.len() - rest.len() - 1]),
            _ => false,
        };
        if is_obeyed {
            out.push('\\');
        }
        out.push(char);
        before = Some(char);
    }
}

/// Whether a list may begin with this and a dot.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A text on one line, cut, with what cannot be seen by its number.
fn one_line(text: &str) -> String {
    let mut out = String::new();
    for (count, char) in text.chars().enumerate() {
        if count == MAX_TEXT {
            out.push('…');
            break;
        }
        match char {
            '\n' | '\r' | '\t' => out.push(' '),
            // What makes an emoji of a sign.
            '\u{fe0f}' => out.push(char),
            _ if char.is_control() || is_invisible(char) => out += &format!("U+{:04X}", u32::from(char)),
            _ => out.push(char),
        }
    }
    out
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
        hover(&Analysis::default().check(&World::new(&document, &rules)), offset, 0)
    }

    #[test]
    fn a_tool_tells_what_it_costs() {
        let text = r#"{"tools": [{"name": "get_¦weather", "description": "Get the *weather*.", "inputSchema": {"type": "object", "properties": {"city": {"type": "string", "description": "City name"}, "days": {"type": "integer", "enum": [1, 7], "default": 1, "description": "[x](command:y)"}}, "required": ["city", "town"]}}]}"#;
        let hover = at("tools.json", text).expect("a hover");
        let markdown = hover.markdown(Some(|_, text| text.len()));
        assert!(markdown.starts_with("tool `get_weather` · 2 parameters, 1 required"), "{markdown}");
        let costs = markdown.split("\n\n---\n\n").nth(1).expect("costs");
        assert!(
            costs.starts_with("Anthropic ≈**") && costs.contains("** · OpenAI **") && costs.contains("** · Gemini **")
        );
        assert!(costs.contains(" tokens on every turn, 0.") && costs.contains(" % of a 200k window"), "{costs}");
        let parameter =
            at("tools.json", &text.replace('¦', "").replace("\"days\"", "\"da¦ys\"")).expect("a hover").markdown(None);
        assert!(parameter.starts_with("parameter `days` of `get_weather` · `integer` · optional"), "{parameter}");
        assert!(parameter.contains("one of `1`, `7`") && parameter.contains("default `1`"), "{parameter}");
        assert!(parameter.contains(r"\[x\](command:y)"), "{parameter}");
    }

    #[test]
    fn a_text_is_shown_and_not_obeyed() {
        for plain in [
            "The result of search_tickets, it is, from 1 to 10 (see get-one): 50 % of R&D, x < 5, a > b, C:\\dir!",
            "a #tag, 3 - 1 + 2 = 4 | done 1. or 2)",
        ] {
            assert_eq!(escaped(plain), plain);
        }
        for (hostile, shown) in [
            ("[x](command:y)", "\\[x\\](command:y)"),
            ("![x](y)", "!\\[x\\](y)"),
            ("<img src=x>", "\\<img src=x>"),
            ("a </b> <!-- c", "a \\</b> \\<!-- c"),
            ("&lt;b&gt; &#60;", "\\&lt;b\\&gt; \\&#60;"),
            ("# heading", "\\# heading"),
            ("a\n# b\n\n- c", "a # b - c"),
            ("    indented", "indented"),
            ("- a", "\\- a"),
            ("+ a", "\\+ a"),
            ("> a", "\\> a"),
            ("===", "\\==="),
            ("---", "\\---"),
            ("|a|", "\\|a|"),
            ("1. a 2. b", "1\\. a 2. b"),
            ("12) a", "12\\) a"),
            ("```sh", "\\`\\`\\`sh"),
            ("~~~sh", "\\~\\~\\~sh"),
            ("**a** _b_ __c__", "\\*\\*a\\*\\* \\_b\\_ \\_\\_c\\_\\_"),
            ("\\[x\\](y)", "\\\\\\[x\\\\\\](y)"),
            ("a\\", "a\\\\"),
            ("<https://e.example>", "`<https://e.example>`"),
            ("see https://e.example/`x`, www.e.example", "see `https://e.example/'x',` `www.e.example`"),
            ("me@e.example", "`me@e.example`"),
            ("a\u{202e}b\u{1b}", "aU+202EbU+001B"),
        ] {
            assert_eq!(escaped(hostile), shown, "{hostile}");
        }
        assert_eq!(code("a_b"), "`a_b`");
        assert_eq!(code("a`](command:x) <b>\n# c``"), "`a'](command:x) <b> # c''`");
        assert_eq!([code(""), code(" \n")], ["` `", "` `"]);
    }

    #[test]
    fn a_server_hides_its_secrets() {
        let text = r#"{"mcpServers": {"g¦h": {"command": "npx", "args": ["--token", "s3cret"], "env": {"TOKEN": "s3cret"}}, "w": {"url": "https://u:s3cret@h.example/p?key=s3cret"}}}"#;
        let markdown = at(".mcp.json", text).expect("a hover").markdown(None);
        assert!(markdown.contains("server `gh` of Claude Code · started as `npx` with 2 arguments"), "{markdown}");
        let remote =
            at(".mcp.json", &text.replace('¦', "").replace("\"w\"", "\"¦w\"")).expect("a hover").markdown(None);
        assert!(remote.contains("reached at `h.example`"), "{remote}");
        assert!(!markdown.contains("s3cret") && !remote.contains("s3cret"));
    }

    #[test]
    fn a_server_tells_what_came_of_asking_it() {
        let tools = r#"{"a": {"tools": [{"name": "get_a"}], "protocolVersion": "2025-11-25", "ready": 0.25, "serverInfo": {"name": "x`y"}}}"#;
        let (document, facts) = crate::analysis::testing::seen(tools);
        let rules = Arc::new(Ruleset::new(&Settings::default(), false));
        let mut analysis = Analysis::default();
        let report = analysis.check(&World { facts: &facts, ..World::new(&document, &rules) });
        let markdown = hover(&report, report.item(0).key().start, 130).expect("a hover").markdown(None);
        for part in ["1 tool · 2 minutes ago", "calls itself `x'y`", "stdio · MCP `2025-11-25` · ready after 250 ms"]
        {
            assert!(markdown.contains(part), "{markdown}");
        }
    }

    #[test]
    fn a_token_is_told_nowhere() {
        let token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
        let server = format!(r#"{{"mcpServers": {{"a¦": {{"command": "{token}"}}}}}}"#);
        let tool = format!(
            r#"[{{"name": "a", "inputSchema": {{"properties": {{"x¦": {{"type": "string", "default": "{token}"}}}}}}}}]"#
        );
        for (path, text) in [(".mcp.json", server), ("tools.json", tool)] {
            let markdown = at(path, &text).expect("a hover").markdown(None);
            assert!(!markdown.contains(token), "{markdown}");
        }
    }

    #[test]
    fn a_finding_tells_its_rule() {
        let hover = at("tools.json", r#"[{"name": "a", "inputSchema": {"properties": {}, "required": ["¦x"]}}]"#)
            .expect("a hover");
        let markdown = hover.markdown(None);
        assert!(markdown.starts_with("**undefined-required** (error)\n\nFinds names in `required`"), "{markdown}");
        let rest = "**To do:** define the property, or take its name out of `required`. A safe fix is offered.\n\n\
            To silence it: the action \"ignore\" here, or `undefined-required = \"off\"` under `[levels]`. \
            More: `mcp-analyzer rule undefined-required`";
        assert!(markdown.ends_with(rest), "{markdown}");
        assert_eq!(at("tools.json", r#"{"a": "¦b"}"#), None);
    }

    #[test]
    fn a_finding_is_as_loud_as_the_user_set_it() {
        let text = r#"[{"name": "a", "inputSchema": {"properties": {}, "required": ["x", "x"]}}]"#;
        let settings = serde_json::json!({"levels": {"undefined-required": "hint"}});
        let settings: Settings = serde_json::from_value(settings).expect("settings");
        let document = document("tools.json", text);
        let rules = Arc::new(Ruleset::new(&settings, false));
        let mut analysis = Analysis::default();
        let report = analysis.check(&World::new(&document, &rules));
        let hover = hover(&report, text.find("\"x\"").expect("a finding"), 0).expect("a hover");
        assert!(hover.markdown(None).contains("**undefined-required** (hint)"), "{hover:?}");
    }

    #[test]
    fn no_rule_brings_a_link() {
        for rule in rules::ALL {
            let found = Found { rule: rule.name, severity: rule.severity, fix: rule.fix };
            let markdown = found.markdown().expect("a rule");
            assert!(["](", "://", "<"].iter().all(|mark| !markdown.contains(mark)), "{markdown}");
        }
    }
}
