//! JSON Schemas as values: following local references, and visiting every subschema.
//! Source of the keywords: JSON Schema 2020-12 core and validation, and draft-07 for `definitions`, `dependencies`.

use crate::syntax::{Member, Value, resolve};

/// The types of JSON Schema.
pub const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// References followed one after another before a chain counts as endless.
const MAX_REFERENCES: usize = 16;

/// Keywords whose value is one schema.
const ONE: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords whose value is an array of schemas; `items` may be one or an array.
const MANY: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems", "items"];
/// Keywords whose value maps names to schemas.
const NAMED: &[&str] = &["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];

/// The schema that `schema` stands for within the document `root`: itself, or what its `$ref` names there. A `$ref`
/// that names nothing here, or itself, is not followed.
pub fn followed<'v>(schema: &'v Value, root: &'v Value) -> &'v Value {
    let mut schema = schema;
    for _ in 0..MAX_REFERENCES {
        let Some(reference) = schema.get("$ref").and_then(Value::as_str) else { return schema };
        let Some(target) = reference.strip_prefix('#').and_then(|pointer| resolve(root, pointer)) else {
            return schema;
        };
        if std::ptr::eq(target, schema) {
            return schema;
        }
        schema = target;
    }
    schema
}

/// Whether the value of a keyword is one schema; that of `items` may be.
pub fn takes_schema(keyword: &str) -> bool {
    keyword == "items" || ONE.contains(&keyword)
}

/// Where a subschema stands in its parent.
#[derive(Clone, Copy, Debug)]
pub enum Role<'v> {
    /// It is the schema of the whole.
    Root,
    /// It is a property.
    Property(&'v Member),
    /// It stands under another keyword.
    Keyword(&'v str),
}

/// Visits a schema and every schema inside it, parents first. What is no object or boolean is not visited.
pub fn walk<'v>(schema: &'v Value, visit: &mut dyn FnMut(&'v Value, Role<'v>)) {
    walk_as(schema, Role::Root, visit);
}

fn walk_as<'v>(schema: &'v Value, role: Role<'v>, visit: &mut dyn FnMut(&'v Value, Role<'v>)) {
    if schema.as_bool().is_some() {
        visit(schema, role);
        return;
    }
    if !schema.is_object() {
        return;
    }
    visit(schema, role);
    for member in schema.members() {
        let keyword = &*member.key.name;
        if NAMED.contains(&keyword) {
            for named in member.value.members() {
                let role = if keyword == "properties" { Role::Property(named) } else { Role::Keyword(keyword) };
                walk_as(&named.value, role, visit);
            }
        } else if MANY.contains(&keyword) && member.value.is_array() {
            member.value.elements().iter().for_each(|element| walk_as(element, Role::Keyword(keyword), visit));
        } else if takes_schema(keyword) {
            walk_as(&member.value, Role::Keyword(keyword), visit);
        }
    }
}

/// Whether a schema says of what type its values are: by `type`, or by `enum`, `const`, a composition or a reference.
pub fn is_typed(schema: &Value) -> bool {
    ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"].iter().any(|keyword| schema.get(keyword).is_some())
}

/// Whether `type` names this type, alone or among others.
pub fn has_type(schema: &Value, name: &str) -> bool {
    schema.get("type").is_some_and(|types| {
        types.as_str() == Some(name) || types.elements().iter().any(|element| element.as_str() == Some(name))
    })
}
