//! What Google's Gemini models read of tools. Each generation reads something else: Gemini 3 declarations in a notation
//! of its own, Gemini 2.5 Python ([`python`]), Gemini 2.0 is billed for the strings alone. Found by comparing with the
//! counts that the Gemini API reported for recorded requests in public repositories; they are those of Gemma 3's
//! vocabulary.
//!
//! None of them shows `format`, `pattern`, bounds, `default`, `title` or `anyOf`; what is recorded has no `enum` and no
//! `anyOf` in it, so that these are as good as the notation's description. An `anyOf` of a schema and `null` is taken
//! for that schema, as Google's own libraries send it.
//!
//! What a `$ref` names is rendered in its place: where the schema is sent as `parametersJsonSchema` the API puts it there,
//! and for `parameters`, which knows no `$ref`, the client does ([`super::api_json`]).

pub(super) mod python;

use rustc_hash::FxHashMap;

use super::Declaration;
use super::cost::Unrendered;
use super::page::{self, Page, Subject};
use crate::model::schema::{References, Schemas, Target};
use crate::syntax::{Member, Value, ValueKind};
use crate::text::shown;

/// The mark around a string in a declaration. It is one token.
pub(super) const QUOTE: &str = "<escape>";
/// What stands between two strings of Gemini 2.0. It costs nothing.
pub(super) const BREAK: &str = "\0";

/// Schemas nested deeper than this are not rendered: a guard of the stack.
pub(super) const MAX_NESTING: usize = 100;
/// Unfolded references can be exponentially many.
const MAX_SCHEMAS: usize = 50_000;
/// So can a long `enum` or name that is written again and again.
const MAX_TEXT: usize = 4 << 20;
/// References followed one after another.
const MAX_LAYERS: usize = 16;

/// Writes a tool for Gemini 3.
pub(super) fn write_declaration(tool: &Declaration, page: &mut Page) -> Result<(), Unrendered> {
    let mut writer = Writer::new(tool, page)?;
    writer.page.push("declaration:");
    writer.page.push(tool.name);
    writer.page.push("{");
    let mut separator = "";
    if let Some(description) = tool.description.filter(|text| !text.is_empty()) {
        writer.page.push("description:");
        writer.quoted(description);
        writer.page.note(Subject::Description, 0);
        separator = ",";
    }
    if let Some(schema) = tool.schema {
        let start = writer.page.text.len();
        writer.page.push(separator);
        writer.page.push("parameters:");
        writer.schema(schema, 0)?;
        writer.take_back_nothing(start);
    }
    writer.page.push("}");
    Ok(())
}

/// Writes the strings of a tool that Gemini 2.0 is billed for.
pub(super) fn write_strings(tool: &Declaration, page: &mut Page) -> Result<(), Unrendered> {
    let mut writer = Writer::new(tool, page)?;
    writer.string(tool.name);
    if let Some(description) = tool.description.filter(|text| !text.is_empty()) {
        let start = writer.page.text.len();
        writer.string(description);
        writer.page.note(Subject::Description, start);
    }
    tool.schema.map_or(Ok(()), |schema| writer.strings(schema, 0))
}

struct Writer<'p, 'v> {
    page: &'p mut Page,
    targets: Targets<'v>,
    schemas: usize,
}

impl<'p, 'v> Writer<'p, 'v> {
    fn new(tool: &Declaration<'v>, page: &'p mut Page) -> Result<Self, Unrendered> {
        let targets = Targets::of(tool.schema);
        targets.refuse_circles()?;
        Ok(Writer { page, targets, schemas: 0 })
    }

    fn enter(&mut self, nesting: usize) -> Result<(), Unrendered> {
        self.schemas += 1;
        refuse_depth(nesting)?;
        refuse_length(self.page.text.len())?;
        if self.schemas > MAX_SCHEMAS {
            return Err(Unrendered::new(format!("its references unfold into more than {MAX_SCHEMAS} schemas")));
        }
        Ok(())
    }

    fn key(&mut self, separator: &mut &str, key: &str) {
        self.page.push(separator);
        self.page.push(key);
        *separator = ",";
    }

    /// A schema of which nothing is shown is left out, and its key.
    fn take_back_nothing(&mut self, start: usize) -> bool {
        let is_nothing = self.page.text.ends_with(":{}");
        if is_nothing {
            self.page.text.truncate(start);
        }
        is_nothing
    }

    fn quoted(&mut self, text: &str) {
        self.page.push(QUOTE);
        self.page.push(text);
        self.page.push(QUOTE);
    }

    fn schema(&mut self, schema: &'v Value, nesting: usize) -> Result<(), Unrendered> {
        self.enter(nesting)?;
        let layers = Layers::of(schema, &self.targets);
        let mut separator = "";
        self.page.push("{");
        if let Some(description) = layers.get("description").and_then(Value::as_str).filter(|text| !text.is_empty()) {
            self.key(&mut separator, "description:");
            self.quoted(description);
        }
        if let Some(choices) = layers.get("enum").filter(|choices| !choices.elements().is_empty()) {
            let start = self.page.text.len();
            self.key(&mut separator, "enum:");
            self.list(choices, "enum")?;
            self.page.note(Subject::of(choices), start);
        }
        if layers.is_nullable {
            self.key(&mut separator, "nullable:true");
        }
        let mut properties = layers.properties();
        if !properties.is_empty() {
            properties.sort_by(|one, other| one.key.name.cmp(&other.key.name));
            self.key(&mut separator, "properties:{");
            for (at, member) in properties.into_iter().enumerate() {
                self.page.push(if at == 0 { "" } else { "," });
                let start = self.page.text.len();
                self.page.push(&member.key.name);
                self.page.push(":");
                self.schema(&member.value, nesting + 1)?;
                self.page.note(Subject::of(&member.value), start);
            }
            self.page.push("}");
        }
        if let Some(required) = layers.get("required").filter(|required| !required.elements().is_empty()) {
            self.key(&mut separator, "required:");
            self.list(required, "required")?;
        }
        if let Some(items) = layers.find(|schema| schema.get("items").filter(|items| items.is_object())) {
            let before = (self.page.text.len(), separator);
            self.key(&mut separator, "items:");
            self.schema(items, nesting + 1)?;
            if self.take_back_nothing(before.0) {
                separator = before.1;
            }
        }
        if let Some(kind) = layers.kind() {
            self.key(&mut separator, "type:");
            self.quoted(&kind.to_uppercase());
        }
        self.page.push("}");
        Ok(())
    }

    fn list(&mut self, values: &Value, key: &str) -> Result<(), Unrendered> {
        self.page.push("[");
        for (at, value) in values.elements().iter().enumerate() {
            self.page.push(if at == 0 { "" } else { "," });
            match &value.kind {
                ValueKind::String(text) => self.quoted(text),
                ValueKind::Number(text) => self.page.push(text),
                ValueKind::Bool(true) => self.page.push("true"),
                ValueKind::Bool(false) => self.page.push("false"),
                ValueKind::Null | ValueKind::Unreadable => self.page.push("null"),
                _ => return Err(odd_value(value, key)),
            }
        }
        self.page.push("]");
        Ok(())
    }

    fn string(&mut self, text: &str) {
        self.page.push(text);
        self.page.push(BREAK);
    }

    fn strings(&mut self, schema: &'v Value, nesting: usize) -> Result<(), Unrendered> {
        self.enter(nesting)?;
        let layers = Layers::of(schema, &self.targets);
        for key in ["format", "description"] {
            if let Some(text) = layers.get(key).and_then(Value::as_str) {
                self.string(text);
            }
        }
        for key in ["enum", "required"] {
            let Some(values) = layers.get(key) else { continue };
            let start = self.page.text.len();
            for value in values.elements() {
                match &value.kind {
                    ValueKind::String(text) | ValueKind::Number(text) => self.string(text),
                    ValueKind::Object(_) | ValueKind::Array(_) => return Err(odd_value(value, key)),
                    _ => {}
                }
            }
            self.page.note(Subject::of(values), start);
        }
        if let Some(items) = layers.find(|schema| schema.get("items").filter(|items| items.is_object())) {
            self.strings(items, nesting + 1)?;
        }
        for member in layers.properties() {
            let start = self.page.text.len();
            self.string(&member.key.name);
            self.strings(&member.value, nesting + 1)?;
            self.page.note(Subject::of(&member.value), start);
        }
        Ok(())
    }
}

/// What each `$ref` inside of a schema names.
pub(super) struct Targets<'v> {
    by_schema: FxHashMap<*const Value, &'v Value>,
    endless: Option<&'v str>,
}

impl<'v> Targets<'v> {
    pub fn of(schema: Option<&'v Value>) -> Targets<'v> {
        let schemas = schema.map_or(Schemas::NONE, Schemas::of);
        let references = References::of(&schemas);
        let named = references.iter().filter_map(|reference| {
            let target = match reference.target {
                Target::Schema(index) => schemas.at(index).value,
                Target::Value(value) => value,
                Target::Nothing | Target::Elsewhere | Target::Unclear => return None,
            };
            Some((std::ptr::from_ref(schemas.at(reference.schema).value), target))
        });
        let endless = references.iter().find(|reference| reference.is_endless);
        Targets { by_schema: named.collect(), endless: endless.map(|reference| reference.text()) }
    }

    /// What a schema stands for: itself, or what its `$ref` names in the end.
    pub fn followed(&self, schema: &'v Value) -> &'v Value {
        let next = |schema: &&'v Value| self.by_schema.get(&std::ptr::from_ref(*schema)).copied();
        std::iter::successors(Some(schema), next).take(MAX_LAYERS).last().unwrap_or(schema)
    }

    /// Whether a schema has a `$ref` that names something.
    pub fn names(&self, schema: &Value) -> bool {
        self.by_schema.contains_key(&std::ptr::from_ref(schema))
    }

    fn refuse_circles(&self) -> Result<(), Unrendered> {
        let leads_back = |text| Err(Unrendered::new(format!("`{}` leads back to itself", shown(text))));
        self.endless.map_or(Ok(()), leads_back)
    }
}

/// A schema and what it stands for: the schema that its `$ref` names, or the only one beside `null` in its `anyOf`. What
/// the first says counts.
pub(super) struct Layers<'v> {
    /// From the outside in; the first is the schema itself.
    pub all: Vec<&'v Value>,
    /// Whether one of them says so, or leaves the choice of `null`.
    pub is_nullable: bool,
}

impl<'v> Layers<'v> {
    pub fn of(schema: &'v Value, targets: &Targets<'v>) -> Layers<'v> {
        let mut layers = Layers { all: vec![schema], is_nullable: false };
        let mut schema = schema;
        while layers.all.len() < MAX_LAYERS {
            layers.is_nullable |= schema.get("nullable").and_then(Value::as_bool) == Some(true)
                || schema.get("type").is_some_and(|kind| kind.elements().iter().any(is_null));
            let only = only_other_than_null(schema);
            layers.is_nullable |= only.is_some();
            let target = targets.followed(schema);
            let next = if std::ptr::eq(target, schema) { only } else { Some(target) };
            let Some(next) = next else { break };
            layers.all.push(next);
            schema = next;
        }
        layers
    }

    fn find<T>(&self, what: impl Fn(&'v Value) -> Option<T>) -> Option<T> {
        self.all.iter().find_map(|schema| what(schema))
    }

    fn get(&self, key: &str) -> Option<&'v Value> {
        self.find(|schema| schema.get(key))
    }

    fn properties(&self) -> Vec<&'v Member> {
        let properties = self.find(|schema| schema.get("properties").filter(|properties| properties.is_object()));
        properties.map(page::kept_members).unwrap_or_default()
    }

    /// The first of its types other than `null`, else that.
    fn kind(&self) -> Option<&'v str> {
        let of_one = |schema| names(schema).find(|name| !name.eq_ignore_ascii_case("null"));
        self.find(of_one).or_else(|| self.find(|schema| names(schema).next()))
    }
}

fn is_null(kind: &Value) -> bool {
    kind.as_str().is_some_and(|name| name.eq_ignore_ascii_case("null"))
}

/// The types of a schema, as they are written.
fn names(schema: &Value) -> impl Iterator<Item = &str> {
    let value = schema.get("type");
    let list = value.map(Value::elements).unwrap_or_default();
    value.and_then(Value::as_str).into_iter().chain(list.iter().filter_map(Value::as_str))
}

/// The only other schema in an `anyOf` with a `null` in it.
pub(super) fn only_other_than_null(schema: &Value) -> Option<&Value> {
    let [one, other] = schema.get("anyOf")?.elements() else { return None };
    match (one.get("type").is_some_and(is_null), other.get("type").is_some_and(is_null)) {
        (true, false) => Some(other),
        (false, true) => Some(one),
        _ => None,
    }
}

fn refuse_depth(nesting: usize) -> Result<(), Unrendered> {
    if nesting > MAX_NESTING {
        return Err(Unrendered::new(format!("its schema is nested more than {MAX_NESTING} levels")));
    }
    Ok(())
}

fn refuse_length(length: usize) -> Result<(), Unrendered> {
    if length > MAX_TEXT {
        return Err(Unrendered::new(format!("its text is longer than {} MB", MAX_TEXT >> 20)));
    }
    Ok(())
}

fn odd_value(value: &Value, key: &str) -> Unrendered {
    Unrendered::new(format!("{} in `{key}`, which takes strings", value.kind_name()))
}
