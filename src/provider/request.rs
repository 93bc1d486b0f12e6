//! The list as each provider's API receives it, and what is left out of it on the way.

use std::collections::HashSet;
use std::ptr;

use serde_json::{Map, Value as Json, json};

use super::gemini::{self, Layers, Targets};
use super::page::kept_members;
use super::{Declaration, Provider};
use crate::model::Tool;
use crate::syntax::{Value, ValueKind, pointer_at, pointer_token};

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
const NOT_HERE: &str = "names nothing in this schema";
const CIRCLE: &str = "leads back to itself, or too far on; `parameters` knows no references";
const TOO_MUCH: &str = "what it names is too much to put in its place, and `parameters` knows no references";
const NO_NAME: &str = "a tool without a name cannot be declared";

/// So many bytes of definitions are put in the place of references, in all tools of a list together. Definitions that name
/// others twice each would double with every step.
const MAX_UNFOLDED: usize = 1 << 20;
/// What each of them counts at least.
const MIN_UNFOLDED: usize = 64;

/// What Gemini's `parameters` takes; everything else is left out. Source: `Schema` in the reference of the Gemini API
/// (2026-11).
pub(super) const SUBSET: &[&str] = &[
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
/// API with the schema as `parameters`. With it what of each tool is left out; not a `$ref` that gave way to what it names,
/// nor the definitions. A provider's own tools stay as they are.
pub fn api_json(provider: Provider, tools: &[Tool]) -> (Json, Vec<Dropped>) {
    let mut dropped = Vec::new();
    let mut declarations = Vec::with_capacity(tools.len());
    let mut unfolded = 0;
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
                    let mut subset = Subset {
                        root: schema,
                        root_pointer: format!("/{}", declaration.schema_key),
                        targets: Targets::of(Some(schema)),
                        open: Vec::new(),
                        unfolded: &mut unfolded,
                        told: HashSet::new(),
                        drop: &mut drop,
                    };
                    let parameters = subset.schema(schema, 0);
                    if parameters != json!({}) {
                        out.insert("parameters".to_owned(), parameters);
                    }
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
/// `nullable`, and what a `$ref` names is put in its place, as Google's own library writes them (google-genai 3.6.1,
/// `Schema.from_json_schema`). Where that would go on for ever or for too long, the `$ref` is left out.
struct Subset<'d, 'v> {
    root: &'v Value,
    root_pointer: String,
    targets: Targets<'v>,
    /// The schemas that the one at hand stands in, by reference or in the text.
    open: Vec<*const Value>,
    /// How many bytes of the list were put in the place of references.
    unfolded: &'d mut usize,
    /// What was told: a definition can be put in many places.
    told: HashSet<*const Value>,
    drop: &'d mut dyn FnMut(String, &'static str),
}

impl<'v> Subset<'_, 'v> {
    fn schema(&mut self, schema: &'v Value, nesting: usize) -> Json {
        if !schema.is_object() && schema.as_bool() != Some(true) {
            self.drop(schema, NOT_IN_SUBSET);
        }
        let layers = Layers::of(schema, &self.targets);
        let opened = self.open.len();
        let mut out = Map::new();
        for (at, layer) in layers.all.iter().copied().enumerate() {
            self.open.push(layer);
            let next = layers.all.get(at + 1).copied();
            let only = gemini::only_other_than_null(layer).filter(|only| next.is_some_and(|next| ptr::eq(next, *only)));
            let by_reference = next.filter(|_| only.is_none());
            let reference = layer.get("$ref");
            let cut = reference.and_then(|_| self.cut(layer, by_reference, nesting));
            if let (Some(reference), Some(why)) = (reference, cut) {
                self.drop(reference, why);
            }
            // What is said outside counts.
            for (key, value) in self.members(layer, only.is_some(), nesting) {
                out.entry(key).or_insert(value);
            }
            if cut.is_some() && only.is_none() {
                break;
            }
        }
        self.open.truncate(opened);
        if layers.is_nullable {
            out.insert("nullable".to_owned(), json!(true));
        }
        Json::Object(out)
    }

    /// Why what a layer names cannot stand in its place.
    fn cut(&mut self, layer: &'v Value, next: Option<&'v Value>, nesting: usize) -> Option<&'static str> {
        let Some(next) = next else { return Some(if self.targets.names(layer) { CIRCLE } else { NOT_HERE }) };
        if self.open.contains(&ptr::from_ref(next)) {
            return Some(CIRCLE);
        }
        // A definition costs something however short it is.
        *self.unfolded += next.range.len().max(MIN_UNFOLDED);
        (nesting > gemini::MAX_NESTING || *self.unfolded > MAX_UNFOLDED).then_some(TOO_MUCH)
    }

    /// What one schema says itself; not its `anyOf` where `is_optional` says that it is the next layer.
    fn members(&mut self, schema: &'v Value, is_optional: bool, nesting: usize) -> Map<String, Json> {
        let mut out = Map::new();
        for member in kept_members(schema) {
            let (key, value) = (&*member.key.name, &member.value);
            match key {
                // What is named of the definitions stands where it is named.
                "$ref" | "$defs" | "definitions" => {}
                "anyOf" if is_optional => {}
                "properties" if value.is_object() => {
                    let properties = kept_members(value).into_iter();
                    let properties = properties
                        .map(|property| (property.key.name.to_string(), self.schema(&property.value, nesting + 1)));
                    let properties = properties.collect();
                    out.insert(key.to_owned(), Json::Object(properties));
                }
                "items" if value.is_object() => _ = out.insert(key.to_owned(), self.schema(value, nesting + 1)),
                "anyOf" if value.is_array() && gemini::only_other_than_null(schema).is_none() => {
                    let variants = value.elements().iter().map(|variant| self.schema(variant, nesting + 1));
                    let variants = variants.collect();
                    out.insert(key.to_owned(), variants);
                }
                "properties" | "items" | "anyOf" => self.drop(value, NOT_IN_SUBSET),
                "type" => write_type(value, &mut out),
                _ if SUBSET.contains(&key) => _ = out.insert(key.to_owned(), value.to_json()),
                _ => self.drop(value, NOT_IN_SUBSET),
            }
        }
        out
    }

    fn drop(&mut self, value: &'v Value, why: &'static str) {
        if self.told.insert(value) {
            (self.drop)(format!("{}{}", self.root_pointer, pointer_at(self.root, value.range)), why);
        }
    }
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
    match names.as_slice() {
        [] => {}
        [name] => _ = out.insert("type".to_owned(), json!(name)),
        names => {
            let any_of = || names.iter().map(|name| json!({"type": name})).collect();
            out.entry("anyOf").or_insert_with(any_of);
        }
    }
}

#[cfg(test)]
mod tests;
