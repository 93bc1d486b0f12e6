//! The JSON of `tokens`, schema version 1: a stable contract.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::{Counted, TokenList, Tokens};
use crate::provider::Model;
use crate::render::json::visible;
use crate::render::{Server, ServerOutcome};

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    model: Json,
    tools: Vec<Tool<'a>>,
    /// The sum of the tools; null where no list is known, or some tool could not be counted.
    total: Json,
    /// What comes once a request because it has tools at all.
    overhead: Json,
    /// What the providers themselves count, with what comes once; of the only list.
    #[serde(skip_serializing_if = "Map::is_empty")]
    exact: Map<String, Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    servers: Vec<Wire<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<&'a str>,
    /// Null where it cannot be rendered.
    tokens: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Json>,
    parts: Vec<WirePart<'a>>,
}

#[derive(Serialize)]
struct WirePart<'a> {
    pointer: &'a str,
    /// Of the providers whose models see it.
    tokens: Map<String, Json>,
}

#[derive(Serialize)]
struct Wire<'a> {
    name: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    exact: Map<String, Json>,
}

impl Tokens<'_> {
    /// The document that `tokens --format json` prints.
    ///
    /// # Errors
    /// Never in practice: those of the serializer.
    pub fn json(&self) -> serde_json::Result<String> {
        let names = self.models.iter().map(|model| json!(model.name));
        let totals = self.totals().map(|totals| {
            let known = |(index, total): (usize, usize)| if self.counts_all(index) { json!(total) } else { Json::Null };
            totals.into_iter().enumerate().map(known).collect()
        });
        let document = Document {
            schema: 1,
            model: by_provider(self.models, names),
            tools: self.lists.iter().flat_map(|list| tools(list, self.models)).collect(),
            total: by_provider(self.models, totals.unwrap_or_else(|| vec![Json::Null; self.models.len()])),
            overhead: by_provider(self.models, self.overheads().into_iter().map(Json::from)),
            exact: match self.lists {
                [list] => exact(list, self.models),
                _ => Map::new(),
            },
            servers: self.servers.iter().map(|it| self.server(it)).collect(),
            error: self.error,
        };
        Ok(visible(serde_json::to_string_pretty(&document)?) + "\n")
    }

    fn server<'a>(&'a self, server: &Server<'a>) -> Wire<'a> {
        let (status, error) = match server.outcome {
            ServerOutcome::Listed(_) => ("ok", None),
            ServerOutcome::Failed(_, reason) => ("failed", Some(reason)),
            ServerOutcome::Skipped(reason) => ("skipped", Some(reason)),
        };
        let list = self.lists.iter().find(|list| list.is_of_server && list.name == server.name);
        let exact = list.map(|list| exact(list, self.models)).unwrap_or_default();
        Wire { name: server.name, status, error, exact }
    }
}

fn by_provider(models: &[Model], values: impl IntoIterator<Item = Json>) -> Json {
    models.iter().map(|model| model.family.provider().id().to_owned()).zip(values).collect()
}

fn tools<'a>(list: &'a TokenList, models: &'a [Model]) -> impl Iterator<Item = Tool<'a>> {
    list.tools.iter().enumerate().map(move |(index, name)| {
        let counted = || models.iter().zip(&list.counted);
        let of = |counted: &Counted| counted.cost.tools[index].as_ref().ok().map_or(Json::Null, |tokens| json!(tokens));
        let error = |(model, counted): (&Model, &Counted)| {
            let error = counted.cost.tools[index].as_ref().err()?;
            Some((model.family.provider().id().to_owned(), json!(error.to_string())))
        };
        let errors: Map<String, Json> = counted().filter_map(error).collect();
        Tool {
            name,
            server: list.is_of_server.then_some(&list.name),
            tokens: by_provider(models, list.counted.iter().map(of)),
            errors: (!errors.is_empty()).then_some(Json::Object(errors)),
            parts: parts(counted().map(|(model, counted)| (model, &counted.parts[index]))),
        }
    })
}

/// The parts in the order of the first model that sees them.
fn parts<'a>(counted: impl Iterator<Item = (&'a Model, &'a Vec<crate::provider::Part>)>) -> Vec<WirePart<'a>> {
    let mut out: Vec<WirePart> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (model, parts) in counted {
        for part in parts {
            let index = *places.entry(&part.pointer).or_insert(out.len());
            if index == out.len() {
                out.push(WirePart { pointer: &part.pointer, tokens: Map::new() });
            }
            out[index].tokens.insert(model.family.provider().id().to_owned(), json!(part.tokens));
        }
    }
    out
}

fn exact(list: &TokenList, models: &[Model]) -> Map<String, Json> {
    let counted = models.iter().zip(&list.counted);
    let answered = counted.filter_map(|(model, counted)| Some((model.family.provider().id(), counted.exact?)));
    answered.map(|(id, exact)| (id.to_owned(), json!(exact))).collect()
}
