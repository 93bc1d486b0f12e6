use super::*;
use crate::model::Form;
use crate::syntax::read;
use expect_test::{Expect, expect};

const LIST: &str = r##"[
    {"name": "find_boats", "title": "Find boats", "description": "Finds boats.", "annotations": {"readOnlyHint": true}, "inputSchema": {
        "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "additionalProperties": false, "required": ["port"],
        "properties": {"port": {"anyOf": [{"type": "string", "const": "here"}, {"type": "null"}], "description": "Where."},
            "size": {"type": ["number", "null"], "exclusiveMinimum": 0}, "tag/s": {"type": ["string", "integer"], "$ref": "#/x"},
            "any": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string", "minLength": 1}}]}, "list": {"items": [{}]}}}},
    {"name": "ping"},
    {"description": "No name."},
    {"type": "web_search_20250305", "name": "web_search"}
]"##;

fn sent(provider: Provider, list: &str) -> (Json, Vec<Dropped>) {
    let value = read(list).value;
    let tools: Vec<Tool> = value.elements().iter().map(|element| Tool::new(list, element, Form::Mcp)).collect();
    api_json(provider, &tools)
}

fn check(provider: Provider, expected: Expect) {
    let (json, dropped) = sent(provider, LIST);
    let mut out = serde_json::to_string_pretty(&json).expect("JSON");
    for Dropped { tool, pointer, why } in dropped {
        out += &format!("\n{tool} {pointer}: {why}");
    }
    expected.assert_eq(&out);
}

#[test]
fn anthropic_takes_three_things() {
    check(
        Provider::Anthropic,
        expect![[r##"
            [
              {
                "name": "find_boats",
                "description": "Finds boats.",
                "input_schema": {
                  "$schema": "http://json-schema.org/draft-07/schema#",
                  "type": "object",
                  "additionalProperties": false,
                  "required": [
                    "port"
                  ],
                  "properties": {
                    "port": {
                      "anyOf": [
                        {
                          "type": "string",
                          "const": "here"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "Where."
                    },
                    "size": {
                      "type": [
                        "number",
                        "null"
                      ],
                      "exclusiveMinimum": 0
                    },
                    "tag/s": {
                      "type": [
                        "string",
                        "integer"
                      ],
                      "$ref": "#/x"
                    },
                    "any": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "array",
                          "items": {
                            "type": "string",
                            "minLength": 1
                          }
                        }
                      ]
                    },
                    "list": {
                      "items": [
                        {}
                      ]
                    }
                  }
                }
              },
              {
                "name": "ping",
                "input_schema": {
                  "type": "object",
                  "properties": {}
                }
              },
              {
                "type": "web_search_20250305",
                "name": "web_search"
              }
            ]
            0 /title: the API takes nothing of the kind; clients keep it to themselves
            0 /annotations: the API takes nothing of the kind; clients keep it to themselves
            2 : a tool without a name cannot be declared"##]],
    );
}

#[test]
fn openai_takes_a_function() {
    check(
        Provider::OpenAi,
        expect![[r##"
            [
              {
                "type": "function",
                "name": "find_boats",
                "description": "Finds boats.",
                "parameters": {
                  "$schema": "http://json-schema.org/draft-07/schema#",
                  "type": "object",
                  "additionalProperties": false,
                  "required": [
                    "port"
                  ],
                  "properties": {
                    "port": {
                      "anyOf": [
                        {
                          "type": "string",
                          "const": "here"
                        },
                        {
                          "type": "null"
                        }
                      ],
                      "description": "Where."
                    },
                    "size": {
                      "type": [
                        "number",
                        "null"
                      ],
                      "exclusiveMinimum": 0
                    },
                    "tag/s": {
                      "type": [
                        "string",
                        "integer"
                      ],
                      "$ref": "#/x"
                    },
                    "any": {
                      "anyOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "array",
                          "items": {
                            "type": "string",
                            "minLength": 1
                          }
                        }
                      ]
                    },
                    "list": {
                      "items": [
                        {}
                      ]
                    }
                  }
                },
                "strict": false
              },
              {
                "type": "function",
                "name": "ping",
                "parameters": {
                  "type": "object",
                  "properties": {}
                },
                "strict": false
              },
              {
                "type": "web_search_20250305",
                "name": "web_search"
              }
            ]
            0 /title: the API takes nothing of the kind; clients keep it to themselves
            0 /annotations: the API takes nothing of the kind; clients keep it to themselves
            2 : a tool without a name cannot be declared"##]],
    );
}

#[test]
fn gemini_takes_a_part_of_the_schema() {
    check(
        Provider::Gemini,
        expect![[r#"
            [
              {
                "functionDeclarations": [
                  {
                    "name": "find_boats",
                    "description": "Finds boats.",
                    "parameters": {
                      "type": "OBJECT",
                      "required": [
                        "port"
                      ],
                      "properties": {
                        "port": {
                          "description": "Where.",
                          "type": "STRING",
                          "nullable": true
                        },
                        "size": {
                          "nullable": true,
                          "type": "NUMBER"
                        },
                        "tag/s": {
                          "anyOf": [
                            {
                              "type": "STRING"
                            },
                            {
                              "type": "INTEGER"
                            }
                          ]
                        },
                        "any": {
                          "anyOf": [
                            {
                              "type": "STRING"
                            },
                            {
                              "type": "ARRAY",
                              "items": {
                                "type": "STRING",
                                "minLength": 1
                              }
                            }
                          ]
                        },
                        "list": {}
                      }
                    }
                  },
                  {
                    "name": "ping"
                  },
                  {
                    "type": "web_search_20250305",
                    "name": "web_search"
                  }
                ]
              }
            ]
            0 /title: the API takes nothing of the kind; clients keep it to themselves
            0 /annotations: the API takes nothing of the kind; clients keep it to themselves
            0 /inputSchema/$schema: not in the part of OpenAPI's schemas that `parameters` takes
            0 /inputSchema/additionalProperties: not in the part of OpenAPI's schemas that `parameters` takes
            0 /inputSchema/properties/port/anyOf/0/const: not in the part of OpenAPI's schemas that `parameters` takes
            0 /inputSchema/properties/size/exclusiveMinimum: not in the part of OpenAPI's schemas that `parameters` takes
            0 /inputSchema/properties/tag~1s/$ref: names nothing in this schema
            0 /inputSchema/properties/list/items: not in the part of OpenAPI's schemas that `parameters` takes
            2 : a tool without a name cannot be declared"#]],
    );
}

/// What Gemini is sent for a schema, and what is left out of it.
fn parameters(schema: &str) -> (Json, Vec<(String, &'static str)>) {
    let (json, dropped) = sent(Provider::Gemini, &format!(r#"[{{"name": "a_tool", "inputSchema": {schema}}}]"#));
    let dropped = dropped.into_iter().map(|dropped| (dropped.pointer, dropped.why));
    (json[0]["functionDeclarations"][0]["parameters"].clone(), dropped.collect())
}

#[test]
fn gemini_is_sent_what_a_reference_names() {
    let port = json!({"type": "OBJECT", "description": "Where.", "properties": {"city": {"type": "STRING"}}});
    let (json, dropped) = parameters(
        r##"{"type": "object", "properties": {"from": {"$ref": "#/$defs/Port"}, "to": {"$ref": "#/$defs/Port", "description": "Whither."},
            "via": {"anyOf": [{"$ref": "#/$defs/Port"}, {"type": "null"}]}, "stops": {"type": "array", "items": {"$ref": "#/$defs/Port"}}},
            "$defs": {"Port": {"type": "object", "description": "Where.", "properties": {"city": {"type": "string", "const": "x"}}}}}"##,
    );
    let with = |key: &str, value: Json| {
        let mut port = port.clone();
        port[key] = value;
        port
    };
    let properties = json!({"from": port, "to": with("description", json!("Whither.")), "via": with("nullable", json!(true)),
        "stops": {"type": "ARRAY", "items": port}});
    assert_eq!(json, json!({"type": "OBJECT", "properties": properties}));
    assert_eq!(dropped, [("/inputSchema/$defs/Port/properties/city/const".to_owned(), NOT_IN_SUBSET)]);
    let (json, _) = parameters(r##"{"$ref": "#/definitions/a", "definitions": {"a": {"type": "object"}}}"##);
    assert_eq!(json, json!({"type": "OBJECT"}));
}

#[test]
fn a_reference_without_end_is_cut_where_it_comes_back() {
    let (json, dropped) = parameters(
        r##"{"properties": {"tree": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": {"type": "object", "properties": {
            "left": {"$ref": "#/$defs/Node", "description": "Smaller."}, "all": {"$ref": "#"}, "other": {"$ref": "a.json"}}}}}"##,
    );
    let node = json!({"type": "OBJECT", "properties": {"left": {"description": "Smaller."}, "all": {}, "other": {}}});
    assert_eq!(json, json!({"properties": {"tree": node}}));
    let inside = |key: &str| format!("/inputSchema/$defs/Node/properties/{key}/$ref");
    assert_eq!(dropped, [(inside("left"), CIRCLE), (inside("all"), CIRCLE), (inside("other"), NOT_HERE)]);
    for circle in [
        r##"{"$ref": "#"}"##,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
        r##"{"properties": {"a": {"anyOf": [{"$ref": "#/properties/a"}, {"type": "null"}]}}}"##,
    ] {
        let (_, dropped) = parameters(circle);
        assert!(dropped.iter().all(|(_, why)| *why == CIRCLE) && dropped.len() == 1, "{circle}: {dropped:?}");
    }
}

#[test]
fn references_unfold_only_so_far() {
    // Each definition names the next one twice.
    let definitions = (0..60).map(|at| {
        let next = format!(r##"{{"$ref": "#/$defs/d{}"}}"##, at + 1);
        format!(r#""d{at}": {{"type": "object", "properties": {{"a": {next}, "b": {next}}}}}"#)
    });
    let definitions = definitions.collect::<Vec<_>>().join(", ");
    let (json, dropped) =
        parameters(&format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{definitions}, "d60": {{}}}}}}"##));
    assert!((100_000..2_000_000).contains(&json.to_string().len()), "{}", json.to_string().len());
    assert!(!dropped.is_empty() && dropped.iter().all(|(_, why)| *why == TOO_MUCH), "{dropped:?}");
    // Each names the next one once, for ever deeper.
    let definitions = (0..10_000).map(|at| format!(r##""d{at}": {{"items": {{"$ref": "#/$defs/d{}"}}}}"##, at + 1));
    let definitions = definitions.collect::<Vec<_>>().join(", ");
    let (_, dropped) =
        parameters(&format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{definitions}, "d10000": {{}}}}}}"##));
    assert!(dropped.len() == 1 && dropped[0].1 == TOO_MUCH, "{dropped:?}");
}
