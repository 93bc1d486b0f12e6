//! The list as each provider's API receives it, and what is left out of it on the way.

use serde_json::{Map, Value as Json, json};

use super::page::kept_members;
use super::{Declaration, Provider, gemini};
use crate::model::Tool;
use crate::syntax::{Value, ValueKind, pointer_token};

/// Something of a tool that a provider does not receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The index of the tool in the list.
    pub tool: usize,
    /// Where it is: a JSON pointer into the tool's declaration.
    pub pointer: String,
    /// Why it is not sent.
    pub why: &'static str,
}

const NOT_SENT: &str = "the API takes nothing of the kind; clients keep it to themselves";
const NOT_IN_SUBSET: &str = "not in the part of OpenAPI's schemas that `parameters` takes";
const NO_NAME: &str = "a tool without a name cannot be declared";

/// What Gemini's `parameters` takes; everything else is left out. Source: `Schema` in the reference of the Gemini API
/// (2026-11).
const SUBSET: &[&str] = &[
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "nullable",
    "pattern",
    "properties",
    "propertyOrdering",
    "required",
    "title",
    "type",
];

/// The value of `tools` in a request to this provider: of Anthropic's messages API, OpenAI's responses API, or the Gemini
/// API with the schema as `parameters`. With it what of each tool is left out. A provider's own tools stay as they are.
pub fn api_json(provider: Provider, tools: &[Tool]) -> (Json, Vec<Dropped>) {
    let mut dropped = Vec::new();
    let mut declarations = Vec::with_capacity(tools.len());
    for (index, tool) in tools.iter().enumerate() {
        let declaration = Declaration::from(tool);
        if tool.is_built_in() {
            declarations.push(tool.element.to_json());
            continue;
        }
        let mut drop = |pointer: String, why| dropped.push(Dropped { tool: index, pointer, why });
        if tool.name().is_none() {
            drop(String::new(), NO_NAME);
            continue;
        }
        for member in kept_members(tool.declaration) {
            let key = &*member.key.name;
            let is_sent = matches!(key, "name" | "description" | "type")
                || key == declaration.schema_key
                || key == "strict" && provider != Provider::Gemini;
            if !is_sent {
                drop(format!("/{}", pointer_token(key)), NOT_SENT);
            }
        }
        let mut out = Map::new();
        if provider == Provider::OpenAi {
            out.insert("type".to_owned(), json!("function"));
        }
        out.insert("name".to_owned(), json!(declaration.name));
        if let Some(description) = declaration.description {
            out.insert("description".to_owned(), json!(description));
        }
        let strict = tool.declaration.get("strict").and_then(Value::as_bool);
        let schema = declaration.schema.map(Value::to_json);
        let schema = schema.unwrap_or_else(|| json!({"type": "object", "properties": {}}));
        match provider {
            Provider::Anthropic => {
                out.insert("input_schema".to_owned(), schema);
                out.extend(strict.map(|strict| ("strict".to_owned(), json!(strict))));
            }
            Provider::OpenAi => {
                out.insert("parameters".to_owned(), schema);
                // Left out, it would be taken for true, and most schemas would be refused.
                out.insert("strict".to_owned(), json!(strict.unwrap_or_default()));
            }
            Provider::Gemini => {
                if let Some(schema) = declaration.schema {
                    let pointer = format!("/{}", declaration.schema_key);
                    out.insert("parameters".to_owned(), subset(schema, &pointer, &mut drop));
                }
            }
        }
        declarations.push(Json::Object(out));
    }
    let list = match provider {
        Provider::Gemini => json!([{"functionDeclarations": declarations}]),
        Provider::Anthropic | Provider::OpenAi => Json::Array(declarations),
    };
    (list, dropped)
}

/// A schema as `parameters` takes it. An `anyOf` of a schema and `null`, and a list of a type and `null`, become
/// `nullable`, as Google's own libraries write them.
fn subset(schema: &Value, pointer: &str, drop: &mut impl FnMut(String, &'static str)) -> Json {
    let mut out = Map::new();
    for member in kept_members(schema) {
        let (key, value) = (&*member.key.name, &member.value);
        let inside = format!("{pointer}/{}", pointer_token(key));
        match key {
            "properties" => {
                let properties = kept_members(value).into_iter().map(|property| {
                    let name = &*property.key.name;
                    (name.to_owned(), subset(&property.value, &format!("{inside}/{}", pointer_token(name)), drop))
                });
                out.insert(key.to_owned(), Json::Object(properties.collect()));
            }
            "items" if value.is_object() => {
                out.insert(key.to_owned(), subset(value, &inside, drop));
            }
            "items" => drop(inside, NOT_IN_SUBSET),
            "anyOf" => match gemini::only_other_than_null(schema) {
                Some(only) => {
                    let at =
                        value.elements().iter().position(|variant| std::ptr::eq(variant, only)).unwrap_or_default();
                    let Json::Object(only) = subset(only, &format!("{inside}/{at}"), drop) else { continue };
                    only.into_iter().for_each(|(key, value)| _ = out.entry(key).or_insert(value));
                    out.insert("nullable".to_owned(), json!(true));
                }
                None => {
                    let variants = value.elements().iter().enumerate();
                    let variants = variants.map(|(at, variant)| subset(variant, &format!("{inside}/{at}"), drop));
                    out.insert(key.to_owned(), variants.collect());
                }
            },
            "type" => write_type(value, &mut out),
            _ if SUBSET.contains(&key) => _ = out.insert(key.to_owned(), value.to_json()),
            _ => drop(inside, NOT_IN_SUBSET),
        }
    }
    Json::Object(out)
}

/// One type in capitals; several as an `anyOf`, which is what there is.
fn write_type(value: &Value, out: &mut Map<String, Json>) {
    let upper = |value: &Value| value.as_str().map(str::to_uppercase);
    let ValueKind::Array(elements) = &value.kind else {
        out.insert("type".to_owned(), upper(value).map_or_else(|| value.to_json(), Json::String));
        return;
    };
    let mut names: Vec<String> = elements.iter().filter_map(upper).collect();
    let all = names.len();
    names.retain(|name| name != "NULL");
    if names.len() < all {
        out.insert("nullable".to_owned(), json!(true));
    }
    if let [name] = names.as_slice() {
        out.insert("type".to_owned(), json!(name));
    } else {
        out.insert("anyOf".to_owned(), names.iter().map(|name| json!({"type": name})).collect());
    }
}

#[cfg(test)]
mod tests;
