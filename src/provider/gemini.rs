//! What Google's Gemini models read of tools. Each generation reads something else: Gemini 3 declarations in a notation
//! of its own, Gemini 2.5 Python ([`python`]), Gemini 2.0 is billed for the strings alone. Found by comparing with the
//! counts that the Gemini API reported for recorded requests in public repositories; they are those of Gemma 3's
//! vocabulary.
//!
//! None of them shows `format`, `pattern`, bounds, `default`, `title` or `anyOf`; what is recorded has no `enum` and no
//! `anyOf` in it, so that these are as good as the notation's description. An `anyOf` of a schema and `null` is taken
//! for that schema, as Google's own libraries send it.
//!
//! What a `$ref` names is rendered in its place, as it is where the schema is sent as `parametersJsonSchema`. A client that
//! sends `parameters` drops it ([`super::api_json`]), and pays less.

pub(super) mod python;

use super::Declaration;
use super::cost::Unrendered;
use super::page::{self, Page, Subject};
use crate::model::schema::{References, Schemas, followed};
use crate::syntax::{Member, Value, ValueKind};
use crate::text::shown;

/// The mark around a string in a declaration. It is one token.
pub(super) const QUOTE: &str = "<escape>";
/// What stands between two strings of Gemini 2.0. It costs nothing.
pub(super) const BREAK: &str = "\0";

/// Schemas nested deeper than this are not rendered: a guard of the stack.
const MAX_NESTING: usize = 100;
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
    if let Some(schema) = tool.schema.filter(|schema| !schema.members().is_empty()) {
        writer.page.push(separator);
        writer.page.push("parameters:");
        writer.schema(followed(schema, schema), 0)?;
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
    tool.schema.map_or(Ok(()), |schema| writer.strings(followed(schema, schema), 0))
}

struct Writer<'p, 'v> {
    page: &'p mut Page,
    root: Option<&'v Value>,
    schemas: usize,
}

impl<'p, 'v> Writer<'p, 'v> {
    fn new(tool: &Declaration<'v>, page: &'p mut Page) -> Result<Self, Unrendered> {
        refuse_circles(tool)?;
        Ok(Writer { page, root: tool.schema, schemas: 0 })
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

    fn quoted(&mut self, text: &str) {
        self.page.push(QUOTE);
        self.page.push(text);
        self.page.push(QUOTE);
    }

    fn schema(&mut self, schema: &'v Value, nesting: usize) -> Result<(), Unrendered> {
        self.enter(nesting)?;
        let layers = Layers::of(schema, self.root);
        let mut separator = "";
        self.page.push("{");
        let mut key = |writer: &mut Self, key: &str| {
            writer.page.push(separator);
            writer.page.push(key);
            separator = ",";
        };
        if let Some(description) = layers.find(|schema| page::description(schema)) {
            key(self, "description:");
            self.quoted(description);
        }
        if let Some(choices) = layers.find(page::choices) {
            let start = self.page.text.len();
            key(self, "enum:");
            self.list(choices, "enum")?;
            self.page.note(Subject::of(choices), start);
        }
        if layers.is_nullable {
            key(self, "nullable:true");
        }
        let mut properties = layers.properties();
        if !properties.is_empty() {
            properties.sort_by(|one, other| one.key.name.cmp(&other.key.name));
            key(self, "properties:{");
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
            key(self, "required:");
            self.list(required, "required")?;
        }
        if let Some(items) = layers.get("items").filter(|items| !items.members().is_empty()) {
            key(self, "items:");
            self.schema(items, nesting + 1)?;
        }
        if let Some(kind) = layers.kind() {
            key(self, "type:");
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
        let layers = Layers::of(schema, self.root);
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
        if let Some(items) = layers.get("items").filter(|items| items.is_object()) {
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

/// A schema and what it stands for: the schema that its `$ref` names, or the only one beside `null` in its `anyOf`. What
/// the first says counts.
struct Layers<'v> {
    all: Vec<&'v Value>,
    is_nullable: bool,
}

impl<'v> Layers<'v> {
    fn of(schema: &'v Value, root: Option<&'v Value>) -> Layers<'v> {
        let mut layers = Layers { all: vec![schema], is_nullable: false };
        let mut schema = schema;
        while layers.all.len() < MAX_LAYERS {
            layers.is_nullable |= schema.get("nullable").and_then(Value::as_bool) == Some(true)
                || schema.get("type").is_some_and(|kind| kind.elements().iter().any(is_null));
            let target = root.map_or(schema, |root| followed(schema, root));
            let next = if std::ptr::eq(target, schema) { only_other_than_null(schema) } else { Some(target) };
            let Some(next) = next else { break };
            layers.is_nullable |= std::ptr::eq(target, schema);
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
        self.find(|schema| schema.get("properties").map(page::kept_members)).unwrap_or_default()
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

fn refuse_circles(tool: &Declaration) -> Result<(), Unrendered> {
    let Some(schema) = tool.schema else { return Ok(()) };
    match References::of(&Schemas::of(schema)).iter().find(|reference| reference.is_endless) {
        Some(reference) => Err(Unrendered::new(format!("`{}` leads back to itself", shown(reference.text())))),
        None => Ok(()),
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
