//! Whatever a schema says, every family has a number or a reason for it, and every API a list.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value as Json;

use super::*;
use crate::analysis::testing::cases;
use crate::model::Form;
use crate::syntax::read;

fn tool_of(description: &str, schema: &str) -> String {
    format!(r#"{{"name": "a_tool", "description": "{description}", "inputSchema": {schema}}}"#)
}

/// Calls everything for a tool, checks what holds whatever the tool says, and gives its costs by family.
fn costs(text: &str) -> Vec<Result<usize, Unrendered>> {
    let value = read(text).value;
    let tool = Tool::new(text, &value, Form::Mcp);
    for provider in Provider::ALL {
        let (json, _) = api_json(*provider, std::slice::from_ref(&tool));
        assert_is_list(*provider, &json);
    }
    let declaration = Declaration::from(&tool);
    // Counting is slow without optimization: of a long tool, bytes.
    let is_long = text.len() > 100_000;
    let count = |vocabulary: Vocabulary, text: &str| if is_long { text.len() } else { vocabulary.count(text) };
    let cost = |family: &Family| {
        let parts = family.parts(&declaration, &count);
        let text = match family.text(&declaration) {
            Ok(text) => text,
            Err(unrendered) => {
                assert!(family.provider() == Provider::Gemini && parts.is_err(), "{family:?}: {unrendered}");
                return Err(unrendered);
            }
        };
        let whole = family.tokens(&text, &count);
        let parts = parts.expect("parts of what was rendered");
        let outer: usize = parts.iter().filter(|part| !part.is_inside).map(|part| part.tokens).sum();
        // A part is cut out of its surroundings, which may cost a token or two.
        assert!(outer <= whole + whole / 100 + 2, "{family:?}: {outer} of {whole}: {parts:?}\n{text}");
        Ok(whole)
    };
    Family::ALL.iter().map(cost).collect()
}

/// That a list has the shape that the API demands, for one tool, and is JSON.
fn assert_is_list(provider: Provider, json: &Json) {
    assert!(read(&json.to_string()).errors.is_empty(), "{json}");
    let tool = match provider {
        Provider::Anthropic | Provider::OpenAi => &json[0],
        Provider::Gemini => &json[0]["functionDeclarations"][0],
    };
    assert_eq!(tool["name"], "a_tool", "{provider:?}: {json}");
    match provider {
        Provider::Anthropic => assert!(tool["input_schema"].is_object(), "{json}"),
        Provider::OpenAi => assert!(tool["type"] == "function" && tool["parameters"].is_object(), "{json}"),
        Provider::Gemini => tool.get("parameters").into_iter().for_each(assert_is_subset),
    }
}

/// That `parameters` has only what it takes.
fn assert_is_subset(schema: &Json) {
    let members = schema.as_object().expect("a schema");
    assert!(members.keys().all(|key| request::SUBSET.contains(&&**key)), "{schema}");
    members
        .get("properties")
        .and_then(Json::as_object)
        .into_iter()
        .flat_map(|all| all.values())
        .for_each(assert_is_subset);
    members.get("anyOf").and_then(Json::as_array).into_iter().flatten().for_each(assert_is_subset);
    members.get("items").into_iter().for_each(assert_is_subset);
}

#[test]
fn no_schema_is_too_bad() {
    let many = |write: &dyn Fn(usize) -> String| (0..10_000).map(write).collect::<Vec<_>>().join(", ");
    let properties =
        many(&|at| format!(r#""p{at}": {{"type": "string", "description": "The one with number {at}."}}"#));
    let references = many(&|at| format!(r##""p{at}": {{"$ref": "#/$defs/d{at}"}}"##));
    let chain = many(&|at| {
        format!(r##""d{at}": {{"type": "object", "properties": {{"next": {{"$ref": "#/$defs/d{}"}}}}}}"##, at + 1)
    });
    let names = many(&|at| format!(r#""p{at}""#));
    let levels = format!(r#"{}{{}}{}"#, r#"{"type": "object", "properties": {"a": "#.repeat(100), "}}".repeat(100));
    let long = "all work and no play ".repeat(50_000);
    for schema in [
        "null",
        "true",
        r#"{"type": "object", "properties": {"a": true, "b": false, "c": {"items": true, "anyOf": [false, true]}}}"#,
        r#"{"properties": 3, "required": "a", "items": [], "anyOf": {"a": {}}, "enum": "a", "type": []}"#,
        r#"{"properties": {"a": {"type": ["null"]}, "b": {"type": ["string", "integer"], "anyOf": [{}]}}, "required": {"a": 1}}"#,
        r#"{"properties": {"a": {"type": "string"}, "a": {"type": "integer"}}, "properties": {"b": {}, "b": {"enum": ["x"]}}}"#,
        r#"{"properties": {"a": {"enum": [{"x": {"y": []}}, "b"], "type": "string"}}}"#,
        r#"{"description": "\ud800", "properties": {"\udfff": {"type": "string", "enum": ["\ud83d", "\ude00"]}}}"#,
        r##"{"$ref": "#"}"##,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
        r##"{"properties": {"a": {"$ref": "#"}, "b": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}, "$ref": 3}"##,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {"x": {"type": "string"}}}}}"##,
        &format!(
            r##"{{"$ref": "#/$defs/a", "$defs": {{"a": {{"type": "object", "properties": {{{properties}}}}}}}}}"##
        ),
        &levels,
        &format!(r#"{{"description": "{long}"}}"#),
        &format!(r#"{{"properties": {{{properties}}}, "required": [{names}]}}"#),
        &format!(r#"{{"properties": {{{references}}}, "$defs": {{{}}}}}"#, properties.replace("\"p", "\"d")),
        &format!(r##"{{"properties": {{"a": {{"$ref": "#/$defs/d0"}}}}, "$defs": {{{chain}, "d10000": {{}}}}}}"##),
    ] {
        let costs = costs(&tool_of("Does it.", schema));
        assert!(costs.iter().flatten().all(|cost| *cost > 0), "{costs:?}");
    }
    assert!(costs(&tool_of(&long, "{}")).iter().all(|cost| cost.as_ref().is_ok_and(|cost| *cost > long.len())));
}

/// A schema, or something where one should be.
fn schemas() -> impl Strategy<Value = String> {
    let name = || select(vec!["a", "b_c", "dE", "$x", "~/", "properties"]);
    let object = |members: Vec<(&str, String)>| {
        let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        format!("{{{}}}", members.join(", "))
    };
    let list = |elements: Vec<String>| format!("[{}]", elements.join(", "));
    let word =
        || select(vec!["1", "-2.5", "null", "true", "\"x y\"", "\"\\ud800\"", "{}", "[]"]).prop_map(str::to_owned);
    let leaf = prop_oneof![3 => Just(r#"{"type": "string"}"#.to_owned()), 1 => word()];
    leaf.prop_recursive(4, 40, 4, move |inner| {
        let named = prop::collection::vec((name(), inner.clone()), 0..4).prop_map(object).boxed();
        let inners = prop::collection::vec(inner.clone(), 0..3).prop_map(list);
        let words = prop::collection::vec(word(), 0..4).prop_map(list);
        let kinds = select(vec!["\"object\"", "\"array\"", "\"STRING\"", "[\"null\", \"object\"]"]);
        let places = select(vec!["#", "#/$defs/a", "#/$defs/b_c", "#/properties/a", "#/nowhere", "b.json"]);
        let optional = inner.clone().prop_map(|inner| format!("[{inner}, {{\"type\": \"null\"}}]"));
        let member = prop_oneof![
            4 => named.clone().prop_map(|value| ("properties", value)),
            3 => kinds.prop_map(|value| ("type", value.to_owned())),
            1 => named.prop_map(|value| ("$defs", value)),
            1 => places.prop_map(|place| ("$ref", format!("\"{place}\""))),
            1 => inners.prop_map(|value| ("anyOf", value)),
            1 => optional.prop_map(|value| ("anyOf", value)),
            2 => inner.clone().prop_map(|value| ("items", value)),
            1 => words.clone().prop_map(|value| ("enum", value)),
            1 => words.prop_map(|value| ("required", value)),
            2 => "[a-z (<escape>)\\PC]{0,20}".prop_map(|text| ("description", Json::from(text).to_string())),
            1 => (select(vec!["const", "items", "properties", "anyOf", "nullable"]), inner),
        ];
        prop::collection::vec(member, 0..5).prop_map(object)
    })
}

proptest! {
    #![proptest_config(cases(300))]
    #[test]
    fn every_schema_has_a_number_or_a_reason(schema in schemas()) {
        costs(&tool_of("Does it.", &schema));
    }

    /// What Gemini 3 reads is what `parameters` says. Not so 2.5: it shows the values of `additionalProperties` as well,
    /// which only `parametersJsonSchema` takes.
    #[test]
    fn what_is_sent_costs_what_was_said(schema in schemas()) {
        let text = tool_of("Does it.", &schema);
        let value = read(&text).value;
        let tool = Tool::new(&text, &value, Form::Mcp);
        let (json, _) = api_json(Provider::Gemini, std::slice::from_ref(&tool));
        let parameters = json[0]["functionDeclarations"][0].get("parameters").unwrap_or(&Json::Null).to_string();
        let sent_text = tool_of("Does it.", &parameters);
        let sent = read(&sent_text).value;
        let sent = Tool::new(&sent_text, &sent, Form::Mcp);
        if let Ok(said) = Family::Gemini3.text(&Declaration::from(&tool)) {
            prop_assert_eq!(Family::Gemini3.text(&Declaration::from(&sent)), Ok(said));
        }
    }
}
