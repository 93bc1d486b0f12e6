use super::*;
use crate::model::{Form, Tool};
use crate::provider::Model;
use crate::provider::Provider;
use crate::syntax::read;

/// So that parts add up.
fn bytes(_: Vocabulary, text: &str) -> usize {
    text.len()
}

fn with_tool<T>(text: &str, check: impl Fn(&Declaration) -> T) -> T {
    let value = read(text).value;
    check(&Declaration::from(&Tool::new(text, &value, Form::Mcp)))
}

/// The cost of a tool with this schema for each family.
fn costs(schema: &str) -> Vec<Result<usize, String>> {
    with_tool(&format!(r#"{{"name": "a_tool", "description": "Does it.", "inputSchema": {schema}}}"#), |tool| {
        let parts = |family: &Family| family.parts(tool, &bytes).map_err(|unrendered| unrendered.to_string());
        let text = |family: &Family| family.text(tool).map_err(|unrendered| unrendered.to_string());
        Family::ALL
            .iter()
            .map(|family| {
                assert_eq!(parts(family).err(), text(family).err());
                text(family).map(|text| family.tokens(&text, &bytes))
            })
            .collect()
    })
}

#[test]
fn a_list_is_its_tools_and_what_comes_once_is_apart() {
    with_tool(r#"{"name": "ping", "description": "Pings."}"#, |tool| {
        for provider in Provider::ALL {
            let model = Model::standard(*provider);
            assert_eq!(model.cost(&[], &bytes), ListCost { tools: Vec::new(), total: 0, overhead: 0 });
            let cost = model.cost(&[*tool, *tool], &bytes);
            let one = cost.tools[0].clone().expect("a number");
            assert!(one > 10 && cost.total == 2 * one && cost.overhead == model.overhead, "{cost:?}");
        }
    });
}

#[test]
fn what_goes_in_a_circle_has_no_cost_for_gemini() {
    let schema = r##"{"type": "object", "properties": {"tree": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": {"type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}}}}"##;
    let costs = costs(schema);
    assert!(costs[..4].iter().all(Result::is_ok), "{costs:?}");
    let why = "cannot be rendered for Gemini: `#/$defs/Node` leads back to itself";
    assert!(costs[4..].iter().all(|cost| cost.as_ref().is_err_and(|unrendered| unrendered == why)), "{costs:?}");
}

#[test]
fn what_cannot_be_read_has_a_cost_or_a_reason() {
    let nested = |levels: usize| {
        let (open, close) = (r#"{"type": "object", "properties": {"a": "#, "}}");
        format!("{}{{}}{}", open.repeat(levels), close.repeat(levels))
    };
    let arrays = format!("{}{{}}{}", r#"{"type": "array", "items": "#.repeat(120), "}".repeat(120));
    let arrays = format!(r#"{{"properties": {{"a": {arrays}}}}}"#);
    for schema in [
        "null",
        "true",
        "[]",
        "3",
        "{",
        r#"{"type": "object", "properties": {"a": {"enum": [{"b": 1}, [2]]}}}"#,
        r#"{"properties": {"a": {"type": "string", "enum": [{"b": 1}, null, true, 1.5]}}, "required": [{}, 3, null]}"#,
        r#"{"properties": {"\ud800": {"type": "string", "description": "\udfff \ud83d", "enum": ["\ud800"]}}}"#,
        r#"{"properties": [1], "required": {}, "items": 3, "type": {}, "anyOf": null, "enum": "a", "$defs": 1, "nullable": "x"}"#,
        r#"{"properties": {"a": {"properties": 1, "items": [[]], "type": [1, {}], "anyOf": [], "description": {}, "$ref": 3}}}"#,
        r##"{"properties": {"a": {"$ref": "#/nowhere"}, "b": {"$ref": "other.json"}, "c": {"$ref": "#"}}}"##,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"b": true, "c": false, "d": null}}}}"##,
        &nested(50),
        &nested(100),
        &nested(120),
        &nested(1000),
        &arrays,
    ] {
        let costs = costs(schema);
        assert!(costs[..4].iter().all(Result::is_ok), "{schema}: {costs:?}");
        for unrendered in costs[4..].iter().flat_map(|cost| cost.as_ref().err()) {
            assert!(unrendered.starts_with("cannot be rendered for Gemini: "), "{unrendered}");
        }
    }
    assert_eq!(
        costs(r#"{"properties": {"a": {"type": "string", "enum": [{"b": 1}]}}}"#)[6].as_ref().err().map(|why| &**why),
        Some("cannot be rendered for Gemini: an object in `enum`, which takes strings")
    );
}

#[test]
fn nothing_explodes() {
    // Each definition names the next one twice.
    let definitions = (0..60).map(|at| {
        let next = at + 1;
        format!(r##""d{at}": {{"type": "object", "properties": {{"a": {{"$ref": "#/$defs/d{next}"}}, "b": {{"$ref": "#/$defs/d{next}"}}}}}}"##)
    });
    let definitions: Vec<String> = definitions.collect();
    let schema = format!(
        r##"{{"properties": {{"x": {{"$ref": "#/$defs/d0"}}}}, "$defs": {{{}, "d60": {{}}}}}}"##,
        definitions.join(", ")
    );
    assert!(costs(&schema)[6].as_ref().is_err_and(|why| why.contains("unfold into more than")));
    // A long word that is written again and again.
    let (long, many) = ("x".repeat(100_000), 0..1_000);
    let properties = many.map(|at| {
        format!(r##""p{at}": {{"$ref": "#/$defs/e"}}, "o{at}": {{"type": "object", "properties": {{"a": {{}}}}}}"##)
    });
    let schema = format!(
        r#"{{"properties": {{"{long}": {{"type": "object", "properties": {{{}}}}}}}, "$defs": {{"e": {{"enum": ["{long}"]}}}}}}"#,
        properties.collect::<Vec<_>>().join(", ")
    );
    let costs_of_long = costs(&schema);
    assert!(
        costs_of_long[5..].iter().all(|cost| cost.as_ref().is_err_and(|why| why.contains("longer than"))),
        "{costs_of_long:?}"
    );
    let types = r#""object", "OBJECT", "array", "#.repeat(200);
    let deep = (0..6).fold("{}".to_owned(), |inner, _| {
        format!(r#"{{"type": [{types} "null"], "properties": {{"a": {inner}}}, "items": {inner}}}"#)
    });
    assert!(costs(&format!(r#"{{"properties": {{"a": {deep}}}}}"#)).iter().all(Result::is_ok));
}

#[test]
fn parts_say_what_costs_most() {
    let text = r##"{"name": "paint", "description": "Paints the hull.", "inputSchema": {"type": "object", "properties": {
        "colour": {"type": "string", "enum": ["red", "green"], "description": "Which."},
        "a/b~c": {"type": "object", "properties": {"deep": {"type": "integer", "enum": [1, 2]}}},
        "port": {"$ref": "#/$defs/Port"}}, "$defs": {"Port": {"type": "object", "properties": {"city": {"type": "string"}}}}}}"##;
    with_tool(text, |tool| {
        for family in Family::ALL {
            let parts = family.parts(tool, &bytes).expect("parts");
            let pointers: Vec<&str> = parts.iter().map(|part| &*part.pointer).collect();
            let mut expected = vec![
                "/description",
                "/inputSchema/properties/colour",
                "/inputSchema/properties/colour/enum",
                "/inputSchema/properties/a~1b~0c",
                "/inputSchema/properties/a~1b~0c/properties/deep/enum",
                "/inputSchema/properties/port",
                "/inputSchema/$defs/Port",
            ];
            // Only Anthropic's models see definitions.
            if !matches!(family, Family::Claude | Family::NewerClaude) {
                expected.pop();
            }
            if *family == Family::Gemini25 {
                expected.retain(|pointer| !pointer.ends_with("/enum"));
            }
            assert_eq!(pointers, expected, "{family:?}");
            let outer: usize = parts.iter().filter(|part| !part.is_inside).map(|part| part.tokens).sum();
            let whole = family.tokens(&family.text(tool).expect("a text"), &bytes);
            assert!(outer > whole / 2 && outer <= whole, "{family:?}: {outer} of {whole}");
        }
    });
}
