use expect_test::expect;

use super::*;
use crate::model::{Form, Tool};
use crate::provider::{Declaration, Provider};
use crate::render::terminal::{is_hidden, tests::HOSTILE};
use crate::syntax::read;
use crate::tokens::Vocabulary;

fn list(name: &str, models: &[Model], tools: &[&str]) -> TokenList {
    // As many tokens as bytes.
    let count = |_: Vocabulary, text: &str| text.len();
    let values: Vec<_> = tools.iter().map(|text| read(text).value).collect();
    let tools: Vec<Tool> = tools.iter().zip(&values).map(|(text, value)| Tool::new(text, value, Form::Mcp)).collect();
    let declarations: Vec<Declaration> = tools.iter().map(Declaration::from).collect();
    let counted = models.iter().map(|model| Counted {
        cost: model.cost(&declarations, &count),
        parts: declarations.iter().map(|tool| model.family.parts(tool, &count).unwrap_or_default()).collect(),
        exact: None,
    });
    TokenList {
        name: name.to_owned(),
        is_of_server: true,
        uncounted: 0,
        tools: tools.iter().map(|tool| tool.label().to_owned()).collect(),
        counted: counted.collect(),
    }
}

fn standard(providers: &[Provider]) -> Vec<Model> {
    providers.iter().map(|provider| Model::standard(*provider)).collect()
}

fn tokens<'a>(models: &'a [Model], lists: &'a [TokenList]) -> Tokens<'a> {
    Tokens { models, lists, servers: &[], error: None }
}

const PING: &str = r#"{"name": "ping", "inputSchema": {"type": "object"}}"#;
const PAINT: &str = r#"{"name": "paint_the_hull_of_a_ship_in_a_colour", "description": "Paints.", "inputSchema": {"type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "green", "blue", "yellow", "black", "white", "brown"]}}}}"#;
const SAY: &str = r#"{"name": "say\u001b[31m\u202e", "description": "Says something long enough to be most of what it costs, and says it again."}"#;
const TREE: &str = r##"{"name": "tree", "description": "Grows.", "inputSchema": {"$ref": "#/$defs/Node", "$defs": {"Node":
    {"type": "object", "properties": {"child": {"$ref": "#/$defs/Node"}}}}}}"##;

#[test]
fn a_list_is_a_bar_per_tool() {
    let models = standard(&[Provider::OpenAi, Provider::Gemini]);
    let lists = [list("fs", &models, &[PING, PAINT, SAY, TREE])];
    expect![[r#"
        fs: 4 tools · 313 tokens with gpt-5 · at least 358 with gemini-3.6-flash
          0.2 % of a 200k window
          paint_the_hull_of_a_ship_in…  ██████████████████  197   55 %  42 % colour
          say\u{1b}[31m\u{202e}         ██████████▌         115   32 %  97 % description
          ping                          ████▏                46   13 %
          tree                                                -
          the number with gemini-3.6-flash is without 1 tool:
            tree cannot be rendered for Gemini: `#/$defs/Node` leads back to itself

        besides, once a request because it has tools at all: 14 with gpt-5, 1 with
          gemini-3.6-flash
        gpt-5: within 2 tokens on 39 recorded requests
        gemini-3.6-flash (Gemini 3): within 1 token on 13 recorded requests, none of
          them with `enum` or `anyOf`
        this is the size of the tools in a request, not a bill: what has been sent
          before may be cached for less, and clients rename tools, leave some out or
          load them late
    "#]]
    .assert_eq(&tokens(&models, &lists).text(None, 80, Text::Plain));
    expect![[r#"
        fs: 4 tools · 313 tokens with gpt-5
          at least 358 with gemini-3.6-flash
          0.2 % of a 200k window
          paint_the_hul…  ██████████  197   55 %
            42 % colour
          say\u{1b}[31m…  █████▊      115   32 %
            97 % description
          and 2 more, 46 tokens
          the number with gemini-3.6-flash is
            without 1 tool:
            tree cannot be rendered for Gemini:
              `#/$defs/Node` leads back to
              itself

        besides, once a request because it has
          tools at all: 14 with gpt-5, 1 with
          gemini-3.6-flash
        gpt-5: within 2 tokens on 39 recorded
          requests
        gemini-3.6-flash (Gemini 3): within 1
          token on 13 recorded requests, none of
          them with `enum` or `anyOf`
        this is the size of the tools in a
          request, not a bill: what has been
          sent before may be cached for less,
          and clients rename tools, leave some
          out or load them late
    "#]]
    .assert_eq(&tokens(&models, &lists).text(Some(2), 40, Text::Plain));
}

#[test]
fn several_lists_have_a_sum() {
    let models = standard(&[Provider::Anthropic]);
    let lists = [list("a", &models, &[PING]), list("none", &models, &[]), list("b", &models, &[PING, PING])];
    let tokens = tokens(&models, &lists);
    expect![[r#"
        a: 1 tool · ≈77 tokens with claude-sonnet-4-6 · 0.0 % of a 200k window
          ping  ████████████████████████████████████████████████████████████  ≈77  100 %

        none: 0 tools · 0 tokens with claude-sonnet-4-6 · 0.0 % of a 200k window

        b: 2 tools · ≈154 tokens with claude-sonnet-4-6 · 0.1 % of a 200k window
          ping  ████████████████████████████████████████████████████████████  ≈77   50 %
          and 1 more, ≈77 tokens

        together: 3 tools of 3 servers · ≈231 tokens with claude-sonnet-4-6
          0.1 % of a 200k window

        besides, once a request because it has tools at all: 497 with claude-sonnet-4-6
        claude-sonnet-4-6 (Claude up to 4.6): within 3 % of 68 published counts of
          single tools, 1 % on average
        this is the size of the tools in a request, not a bill: what has been sent
          before may be cached for less, and clients rename tools, leave some out or
          load them late
    "#]]
    .assert_eq(&tokens.text(Some(1), 80, Text::Plain));
    let one = lists[0].counted[0].cost.total;
    assert_eq!((tokens.totals(), tokens.overheads()), (Some(vec![3 * one]), vec![497]));
}

#[test]
fn nothing_costs_nothing() {
    let models = standard(&[Provider::OpenAi]);
    let lists = [list("tools.json", &models, &[])];
    let text = tokens(&models, &lists).text(None, 80, Text::Plain);
    assert_eq!(text, "tools.json: 0 tools · 0 tokens with gpt-5 · 0.0 % of a 200k window\n\n");
    assert_eq!(tokens(&models, &[]).totals(), None);
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let models = standard(Provider::ALL);
    let lists = [list("fs", &models, &[PING, PAINT, SAY, TREE]), list("b", &models, &[PAINT])];
    for width in [40, 60, 71, 72, 80, 200] {
        let text = tokens(&models, &lists).text(None, width, Text::Plain);
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > width).collect();
        assert!(wide.is_empty(), "{width}: {wide:#?}");
        let styled = tokens(&models, &lists).text(None, width, Text::Styled);
        assert_eq!(styled.split("\u{1b}[").count() % 2, 1, "every style ends");
        assert_ne!(styled, text);
    }
}

#[test]
fn what_a_terminal_would_obey_is_shown() {
    let models = standard(Provider::ALL);
    for hostile in HOSTILE {
        let name = serde_json::to_string(hostile).expect("a string");
        let tool =
            format!(r#"{{"name": {name}, "inputSchema": {{"properties": {{{name}: {{"description": "a b c"}}}}}}}}"#);
        let lists = [list(hostile, &models, &[&tool])];
        let tokens = tokens(&models, &lists);
        for text in [tokens.text(None, 80, Text::Plain), tokens.json().expect("JSON")] {
            assert!(!text.chars().any(|char| char != '\n' && is_hidden(char)), "{text:?}");
        }
    }
}

#[test]
fn a_large_part_is_named() {
    let part = |pointer: &str, tokens, is_inside| Part { pointer: pointer.to_owned(), tokens, is_inside };
    let named = |parts: &[Part]| large_part(parts, 100);
    assert_eq!(named(&[part("/description", 33, false), part("/inputSchema/properties/a", 33, false)]), None);
    assert_eq!(named(&[part("/description", 40, false)]).as_deref(), Some("40 % description"));
    let shade = part("/inputSchema/properties/a~1b", 50, false);
    let inner = |tokens| part("/inputSchema/properties/a~1b/items/enum", tokens, true);
    assert_eq!(named(&[shade.clone(), inner(45)]).as_deref(), Some("45 % enum of a/b"));
    assert_eq!(named(&[shade, inner(10)]).as_deref(), Some("50 % a/b"));
    let port = part("/inputSchema/$defs/Port", 101, false);
    assert_eq!(named(&[port]).as_deref(), Some("100 % definition Port"));
}

#[test]
fn json_tells_each_provider() {
    let models = standard(&[Provider::OpenAi, Provider::Gemini]);
    let lists = [list("fs", &models, &[PING, TREE])];
    let json: serde_json::Value = serde_json::from_str(&tokens(&models, &lists).json().expect("JSON")).expect("JSON");
    assert_eq!(json["model"], serde_json::json!({"openai": "gpt-5", "gemini": "gemini-3.6-flash"}));
    let tools = json["tools"].as_array().expect("tools");
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, [Some("ping"), Some("tree")]);
    assert_eq!((&tools[1]["server"], &tools[1]["tokens"]["gemini"]), (&"fs".into(), &serde_json::Value::Null));
    let error = "cannot be rendered for Gemini: `#/$defs/Node` leads back to itself";
    assert_eq!(tools[1]["errors"], serde_json::json!({"gemini": error}));
    assert_eq!(tools[1]["parts"][0]["pointer"], "/description");
    assert_eq!(tools[1]["parts"][0]["tokens"].as_object().map(serde_json::Map::len), Some(1));
    let sum: u64 = tools.iter().filter_map(|tool| tool["tokens"]["openai"].as_u64()).sum();
    assert_eq!(json["total"]["openai"], sum);
    assert_eq!(json["overhead"]["gemini"], 1);
    assert_eq!((json.get("servers"), json.get("error")), (None, None));
}
