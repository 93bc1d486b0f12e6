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

fn check(provider: Provider, expected: Expect) {
    let value = read(LIST).value;
    let tools: Vec<Tool> = value.elements().iter().map(|element| Tool::new(LIST, element, Form::Mcp)).collect();
    let (json, dropped) = api_json(provider, &tools);
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
                          "type": "STRING",
                          "nullable": true,
                          "description": "Where."
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
            0 /inputSchema/properties/tag~1s/$ref: not in the part of OpenAPI's schemas that `parameters` takes
            0 /inputSchema/properties/list/items: not in the part of OpenAPI's schemas that `parameters` takes
            2 : a tool without a name cannot be declared"#]],
    );
}
