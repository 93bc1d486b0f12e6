use std::sync::Arc;

use super::markdown::{code, escaped};
use super::*;
use crate::analysis::testing::document;
use crate::analysis::{Analysis, Ruleset, World};
use crate::provider::Model;
use crate::settings::Settings;
use crate::tokens::Vocabulary;

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
    assert!(costs.starts_with("Anthropic ≈**") && costs.contains("** · OpenAI **") && costs.contains("** · Gemini **"));
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
    let remote = at(".mcp.json", &text.replace('¦', "").replace("\"w\"", "\"¦w\"")).expect("a hover").markdown(None);
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
    for part in ["1 tool · 2 minutes ago", "calls itself `x'y`", "stdio · MCP `2025-11-25` · ready after 250 ms"] {
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
    let hover =
        at("tools.json", r#"[{"name": "a", "inputSchema": {"properties": {}, "required": ["¦x"]}}]"#).expect("a hover");
    let markdown = hover.markdown(None);
    assert!(markdown.starts_with("**undefined-required** (error)\n\nFinds names in `required`"), "{markdown}");
    let rest = "**To do:** define the property, or take its name out of `required`. A safe fix is offered.\n\n\
        To silence it: the action \"ignore\" here, or `undefined-required = \"off\"` under `[levels]`. \
        More: `mcp-analyzer rule undefined-required`";
    assert!(markdown.ends_with(rest), "{markdown}");
    assert!(at("tools.json", r#"{"a": "¦b"}"#).is_none());
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

/// The hover at the mark, by settings, with everything counted a byte a token; the costs alone, where there are any.
fn costs(settings: &str, marked: &str) -> String {
    let markdown = by_settings(settings, marked);
    markdown.split("\n\n---\n\n").nth(1).unwrap_or_default().to_owned()
}

fn by_settings(settings: &str, marked: &str) -> String {
    let offset = marked.find('¦').expect("a mark");
    let document = document("tools.json", &marked.replace('¦', ""));
    let settings: Settings = toml::from_str(settings).expect("settings");
    let rules = Arc::new(Ruleset::new(&settings, false));
    let mut analysis = Analysis::default();
    let report = analysis.check(&World::new(&document, &rules));
    hover(&report, offset, 0).map(|hover| hover.markdown(Some(|_, text| text.len()))).unwrap_or_default()
}

const OPENAI: &str = "targets.providers = ['openai']\n";

#[test]
fn what_costs_most_is_named_with_the_enum_in_it() {
    let filters = r#"{"type": "object", "properties": {"status": {"type": "string", "enum": ["open and assigned", "closed by its author", "waiting for an answer"]}}}"#;
    let sort = r#"{"type": "array", "items": {"type": "string", "enum": ["ascending", "descending"]}}"#;
    let tool = format!(
        r#"[{{"¦name": "get_it", "description": "Get what there is.", "inputSchema": {{"type": "object", "properties": {{"a/b~c": {{"type": "string"}}, "filters": {filters}, "sort": {sort}}}}}}}]"#
    );
    let costs = costs(OPENAI, &tool);
    let largest = costs.lines().find(|line| line.starts_with("- largest for OpenAI: `filters` "));
    let largest = largest.expect(&costs);
    assert!(largest.contains(" %, the enum of `status` 70) · "), "{largest}");
    assert!(largest.contains(" · `sort` ") && largest.contains(", its enum 26)"), "{largest}");
    assert!(largest.contains(" · description ") && largest.contains("`a/b~c` "), "{largest}");
}

#[test]
fn a_small_part_is_not_named_and_no_more_than_four_are() {
    let long = "what it is ".repeat(9);
    let parameter = |name: &str| format!(r#""{name}": {{"type": "string", "description": "{long}"}}"#);
    let parameters: Vec<String> = ["a", "b", "c", "d", "e"].map(parameter).to_vec();
    let tool = format!(
        r#"[{{"¦name": "x", "description": "Get.", "inputSchema": {{"type": "object", "properties": {{{}}}}}}}]"#,
        parameters.join(", ")
    );
    let costs = costs(OPENAI, &tool);
    let largest = costs.lines().find(|line| line.starts_with("- largest")).expect("a line");
    assert_eq!(largest.matches('`').count(), 8, "{largest}");
    assert!(!largest.contains("description"), "{largest}");
}

#[test]
fn what_fixes_save_is_counted_after_them() {
    let tool = |values: &str, required: &str| {
        format!(
            r#"[{{"¦name": "get_it", "description": "Get it.", "inputSchema": {{"type": "object", "properties": {{"a": {{"type": "string", "enum": [{values}]}}}}, "required": [{required}]}}}}]"#
        )
    };
    let line = |costs: &str| costs.lines().find(|line| line.contains(" would save ")).map(str::to_owned);
    let anthropic = "targets.providers = ['anthropic']\n";
    let number = |costs: &str| {
        let number = costs.split("**").nth(1).expect("a number");
        number.parse::<usize>().expect("a number")
    };
    let whole = tool(r#""x", "y""#, r#""a""#);
    let after = costs(anthropic, &whole);
    for (values, required) in [(r#""x", "y", "y""#, r#""a", "b""#), (r#""x", "y""#, r#""a", "b""#)] {
        let before = costs(anthropic, &tool(values, required));
        let saved = number(&before) - number(&after);
        let told = format!("- fixing it would save ≈{saved} tokens a turn for Anthropic");
        assert_eq!(line(&before), Some(told));
    }
    assert_eq!(line(&after), None);
    // OpenAI's models are not shown what is required and not there.
    assert_eq!(line(&costs(OPENAI, &tool(r#""x", "y""#, r#""a", "b""#))), None);
}

#[test]
fn what_providers_do_not_take_is_told() {
    let tool = r##"[{"¦name": "a", "inputSchema": {"$schema": "x", "type": "object", "additionalProperties": false, "properties": {"x": {"oneOf": [{"type": "string"}], "const": 1}, "y": {"oneOf": []}, "z": {"type": "array"}}}}]"##;
    let told = costs("", tool);
    assert!(told.contains("- Gemini drops `oneOf` ×2, `const`, where it is sent as `parameters`"), "{told}");
    assert!(told.contains("- OpenAI may refuse requests with it: `array-without-items`\n"), "{told}");
    assert!(told.contains("- Gemini may refuse requests with it: `array-without-items`\n"), "{told}");
    let openai = costs(OPENAI, tool);
    assert!(openai.contains("- OpenAI may refuse") && !openai.contains("Gemini"), "{openai}");
}

#[test]
fn what_cannot_be_rendered_says_why() {
    let recursive = r##"[{"¦name": "a", "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#/$defs/`](command:x)"}}, "required": ["x"], "$defs": {"`](command:x)": {"type": "object", "properties": {"y": {"$ref": "#/$defs/`](command:x)"}}, "required": ["y"]}}}}]"##;
    let told = costs("", recursive);
    assert!(told.starts_with("Anthropic ≈**") && !told.contains("Gemini **"), "{told}");
    let why = "- cannot be rendered for Gemini: `#/$defs/'](command:x)` leads back to itself\n";
    assert!(told.contains(why), "{told}");
    assert!(told.contains(" definition `'](command:x)` "), "{told}");
    let objects = r#"[{"¦name": "a", "inputSchema": {"type": "object", "properties": {"x": {"enum": [{"a": 1}]}}}}]"#;
    let told = costs("targets.providers = ['gemini']\n", objects);
    assert!(told.starts_with("- cannot be rendered for Gemini: an object in `enum`"), "{told}");
    assert!(!told.contains("tokens"), "{told}");
}

#[test]
fn the_models_are_the_users_and_say_how_good_they_are() {
    let tool = r#"[{"¦name": "a", "inputSchema": {"type": "object", "properties": {}}}]"#;
    let told = costs("targets.models = ['claude-opus-5', 'gpt-4o', 'gemini-3-flash']\n", tool);
    let models = "a size by `claude-opus-5` (not calibrated, ±12 %), `gpt-4o` (±3.5 %), `gemini-3-flash`; \
        the bill depends on caching and the client";
    assert!(told.ends_with(models) && told.contains("OpenAI ≈**"), "{told}");
    assert_eq!(told.matches("bill").count(), 1);
    let named = Model::named("[x](command:y)gpt-5").or_else(|| Model::named("gpt-5 [x](command:y)"));
    let told = costs::a_size(named.iter());
    assert!(told.starts_with("a size by `gpt-5 [x](command:y)`"), "{told}");
}

#[test]
fn what_is_broken_or_a_providers_own_has_no_costs() {
    for tool in [
        r#"[{"¦name": "a", "inputSchema": {"type": "object", "properties": {"b": {"type": "string"}}]"#,
        r#"[{"name": "b", "inputSchema": {}}, {"¦name": "a", "description": "x" "inputSchema": {}}]"#,
        r#"[{"name": "b", "inputSchema": {}}, {"type": "web_search_20250305", "¦name": "web_search"}]"#,
    ] {
        let told = by_settings("", tool);
        assert!(told.starts_with("tool `") && !told.contains("tokens on every turn"), "{tool}: {told}");
    }
    let parameter = r#"[{"name": "a", "inputSchema": {"type": "object", "properties": {"¦b": {"type" "string"}}}}]"#;
    assert!(!by_settings("", parameter).contains("tokens,"));
}

#[test]
fn a_parameter_tells_its_share() {
    let tool = r#"[{"name": "a", "inputSchema": {"type": "object", "properties": {"¦filters": {"type": "string", "enum": ["one of them", "another"]}, "limit": {"type": "integer"}}}}]"#;
    let parameter = costs(OPENAI, tool);
    let part = "filters?: \"one of them\" | \"another\"";
    let whole = costs(OPENAI, &tool.replace('¦', "").replacen("\"name\"", "\"¦name\"", 1));
    let whole: usize = whole.split("**").nth(1).and_then(|number| number.parse().ok()).expect("a number");
    let share = (part.len() as f64 * 100.0 / whole as f64).round();
    assert_eq!(parameter, format!("OpenAI **{}** tokens, {share} % of the tool, its enum 25", part.len()));
    let all = costs("", tool);
    assert!(all.starts_with("Anthropic ≈**") && all.contains("** · OpenAI **") && all.contains("** · Gemini **"));
    let hostile = costs("", &tool.replace("filters", "`](command:x)/~<b>"));
    assert!(hostile.contains(" % of the tool"), "{hostile}");
    // Gemini is not told of what cannot be rendered for it.
    let told = costs("", &tool.replace(r#""type": "integer""#, r##""enum": [[]]"##));
    assert!(told.contains("OpenAI **") && !told.contains("Gemini"), "{told}");
}

/// The hover at the mark once the tools were counted, if they are to be.
fn of_list(marked: &str, is_counted: bool) -> Option<String> {
    let offset = marked.find('¦').expect("a mark");
    let document = document("tools.json", &marked.replace('¦', ""));
    let rules = Arc::new(Ruleset::new(&Settings::default(), false));
    let world = World::new(&document, &rules);
    let mut analysis = Analysis::default();
    analysis.check(&world);
    if let Some(uncounted) = analysis.uncounted(&document.uri).filter(|_| is_counted) {
        analysis.take_counts(uncounted.count(Vocabulary::count), &world);
    }
    let hover = hover(&analysis.last(&document.uri).expect("it was checked"), offset, 0)?;
    Some(hover.markdown(None)).filter(|markdown| hover.subject.is_some() && !markdown.starts_with("tool "))
}

#[test]
fn a_list_tells_what_it_costs_where_that_was_counted() {
    let tool = |name: &str, times: usize| {
        format!(r#"{{"name": "{name}", "description": "{}", "inputSchema": {{}}}}"#, "Get it. ".repeat(times))
    };
    let tools = [tool("a", 1), tool("`](command:x)", 30), tool("c", 3), tool("d", 4), tool("e", 5), tool("f", 20)];
    let tools = tools.join(", ");
    let under_key = format!(r#"{{"¦tools": [{tools}]}}"#);
    assert_eq!(of_list(&under_key, false).as_deref(), Some("6 tools · what they cost is being counted"));
    let told = of_list(&under_key, true).expect("a hover");
    assert!(
        told.starts_with("6 tools · Anthropic ≈**") && told.contains(" % of a 200k window\n\n- and once"),
        "{told}"
    );
    assert!(told.contains("- and once a request, for having tools at all: Anthropic 497 · OpenAI 14 · Gemini 1\n"));
    let largest =
        told.lines().find(|line| line.starts_with("- largest for Anthropic: `'](command:x)` ≈")).expect(&told);
    let order: Vec<&str> = largest.split('`').skip(1).step_by(2).collect();
    assert_eq!(order, ["'](command:x)", "f", "e", "d", "c"]);
    assert_eq!(told.matches("bill").count(), 1);
    let same = [
        format!("¦[{tools}]"),
        format!(r#"{{"tools": ¦[{tools}]}}"#),
        format!(r#"{{"result": {{"tools¦": [{tools}]}}}}"#),
        format!(r#"[{{"functionDeclarations": [{}]}}, {{"¦functionDeclarations": [{tools}]}}]"#, tool("z", 1)),
    ];
    for text in same {
        assert_eq!(of_list(&text, true).as_deref(), Some(&*told), "{text}");
    }
    for other in [format!(r#"{{"tools": [{tools}], "¦x": []}}"#), format!(r#"{{"¦x": 1, "tools": [{tools}]}}"#)] {
        assert_eq!(of_list(&other, true), None, "{other}");
    }
    let own = r#"{"tools": ¦[{"type": "web_search"}, {"name": "b", "inputSchema": {}, "x" 1}]}"#;
    assert_eq!(of_list(own, true).as_deref(), Some("2 tools"));
    let broken = of_list(&format!(r#"¦[{}, {{"name": "b" "description": 1}}]"#, tool("a", 1)), true);
    assert!(broken.is_some_and(|told| told.starts_with("2 tools, 1 of them not counted · ")));
}

#[test]
fn a_token_is_told_in_no_cost() {
    let token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    let tool = format!(
        r#"[{{"¦name": "a", "inputSchema": {{"type": "object", "properties": {{"{token}": {{"type": "string"}}}}}}}}]"#
    );
    let told = by_settings("", &tool);
    assert!(told.contains("- largest for ") && !told.contains(token), "{told}");
}
