//! What stands in an input schema without `properties` and means nothing there: parameters, or a schema one level deeper.

use super::unknown_schema_keyword::{is_known, is_misspelt};
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::{Role, Subschema, TYPES, Types, is_typed};
use crate::syntax::{Member, Value, ValueKind, written_like};
use crate::text::{Edit, shown};

/// What stands under keys that no keyword has, in a schema that has no `properties`.
#[derive(Debug)]
pub(super) struct Strays<'v> {
    schema: &'v Value,
    /// The objects.
    members: Vec<&'v Member>,
}

impl<'v> Strays<'v> {
    /// Those of a schema; none where it names its parameters in the right place.
    pub(super) fn of(schema: &'v Value) -> Option<Strays<'v>> {
        let unknown = || schema.members().iter().filter(|member| !is_known(&member.key.name));
        // `"query": "string"` and a list of arguments are meant for parameters, too.
        let is_meant = |value: &Value| match &value.kind {
            ValueKind::Object(members) => !members.is_empty(),
            ValueKind::Array(elements) => !elements.is_empty(),
            ValueKind::String(text) => TYPES.contains(&&**text),
            kind => *kind == ValueKind::Bool(true),
        };
        let are_there = unknown().any(|member| is_meant(&member.value)) && schema.get("properties").is_none();
        let is_full = |member: &&Member| !member.value.members().is_empty();
        are_there.then(|| Strays { schema, members: unknown().filter(is_full).collect() })
    }

    /// What is said of them, where they are meant for parameters or hold them.
    pub(super) fn message(&self) -> Option<String> {
        let name = shown(&self.members.first()?.key.name);
        if self.are_parameters() && self.deeper().is_none() {
            let others = self.members.len() - 1;
            return Some(match others {
                0 => format!("`{name}` stands outside `properties`"),
                _ => format!("`{name}` and {others} more stand outside `properties`"),
            });
        }
        let is_clear = self.map().is_some() || self.deeper().is_some();
        is_clear.then(|| format!("`{name}` is no keyword of a schema"))
    }

    /// What a person may have meant.
    pub(super) fn fix(&self, tool: &Tool) -> Option<Fix> {
        let (first, last) = (self.members.first()?, self.members.last()?);
        let name = shown(&first.key.name);
        if let Some(deeper) = self.deeper() {
            let edit = Edit::replace(self.schema.range, &tool.text[deeper.range.as_usize()]);
            return Some(Fix::suggestion(format!("take what is in `{name}` for the schema"), vec![edit]));
        }
        if let Some(map) = self.map() {
            let edit = Edit::replace(map.key.range, "\"properties\"");
            return Some(Fix::suggestion(format!("rename `{name}` to `properties`"), vec![edit]));
        }
        let inside =
            |member: &&Member| first.range().start <= member.range().start && member.range().end <= last.range().end;
        let are_together = self.schema.members().iter().filter(inside).count() == self.members.len();
        if !self.are_parameters() || !are_together {
            return None;
        }
        let around = match self.schema.get("type") {
            Some(_) => serde_json::json!({"properties": {}}),
            None => serde_json::json!({"type": "object", "properties": {}}),
        };
        let around = written_like(tool.text, self.schema, &around);
        let edits = vec![
            Edit::insert(first.range().start, around.trim_start_matches('{').trim_end_matches('}')),
            Edit::insert(last.range().end, "}"),
        ];
        Some(Fix::suggestion("put the parameters under `properties`", edits))
    }

    fn are_parameters(&self) -> bool {
        self.members.iter().all(|member| {
            let schema = &member.value;
            is_typed(schema) && (schema.get("type").is_none() || !Types::of(schema).is_empty())
        })
    }

    /// The schema that is all there is in this one.
    fn deeper(&self) -> Option<&'v Value> {
        let is_all = self.members.len() == self.schema.members().len();
        self.lone()
            .map(|member| &member.value)
            .filter(|value| is_all && value.get("properties").is_some_and(Value::is_object))
    }

    /// The map of parameters that is under another name than `properties`.
    fn map(&self) -> Option<&'v Member> {
        let is_map =
            |map: &Value| map.members().iter().all(|member| member.value.is_object() && is_typed(&member.value));
        self.lone().filter(|member| is_map(&member.value))
    }

    fn lone(&self) -> Option<&'v Member> {
        match *self.members.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }
}

/// Whether it is an input schema that has no `properties` and is not about to get them, and names nothing else instead.
pub(super) fn lacks_properties(schema: &Subschema) -> bool {
    matches!(schema.role, Role::Root)
        && !schema.has("properties")
        && schema.get("additionalProperties").is_none_or(|value| value.as_bool() == Some(false))
        && Strays::of(schema.value).is_none()
        && !is_misspelt(schema.value, "properties")
}
