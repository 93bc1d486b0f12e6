//! JSON Schemas as values: following local references, and visiting every subschema.
//! Source of the keywords: JSON Schema 2020-12 core and validation, and draft-07 for `definitions`, `dependencies`.

mod reference;

use crate::syntax::{Member, Value, ValueKind, resolve};
use crate::text::{TextRange, shown};

pub use reference::{Reference, References, Target};

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
const NAMED: &[&str] = &["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

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

/// Whether the value of a keyword maps names to schemas: the keys in there are nobody's keywords.
pub fn takes_named_schemas(keyword: &str) -> bool {
    NAMED.contains(&keyword)
}

/// The values that stand where a keyword has schemas.
pub fn schemas_under<'v>(keyword: &str, value: &'v Value) -> Vec<&'v Value> {
    if takes_named_schemas(keyword) {
        value.members().iter().map(|member| &member.value).collect()
    } else if MANY.contains(&keyword) && value.is_array() {
        value.elements().iter().collect()
    } else if takes_schema(keyword) {
        vec![value]
    } else {
        Vec::new()
    }
}

/// Where a subschema stands in its parent.
#[derive(Clone, Copy, Debug)]
pub enum Role<'v> {
    /// It is the schema of the whole.
    Root,
    /// It is a property.
    Property(&'v Member),
    /// It stands by a name of its own under this keyword, such as `$defs`.
    Named(&'v str, &'v Member),
    /// It stands under this keyword, alone or in a list.
    Keyword(&'v str),
}

/// A schema and every schema inside it, parents before children, in the order of the text. What stands where a schema
/// should and is no object or boolean is left out. References are not followed, so it ends whatever they say.
#[derive(Clone, Debug)]
pub struct Schemas<'v> {
    all: Vec<Subschema<'v>>,
}

/// One of the schemas inside a schema, itself included.
#[derive(Clone, Copy, Debug)]
pub struct Subschema<'v> {
    /// The schema: an object or a boolean.
    pub value: &'v Value,
    /// Where it stands in its parent.
    pub role: Role<'v>,
    /// The index of its parent.
    parent: Option<usize>,
    /// What `type` allows; empty where it does not say.
    pub types: Types,
    /// One bit for each key, so that most of those that are not there need no search.
    keys: u64,
}

impl<'v> Schemas<'v> {
    /// The schemas inside `root`; none where it is no schema.
    pub fn of(root: &'v Value) -> Schemas<'v> {
        let mut schemas = Schemas { all: Vec::new() };
        schemas.add(root, Role::Root, None);
        schemas
    }

    /// No schemas.
    pub const NONE: Schemas<'static> = Schemas { all: Vec::new() };

    fn add(&mut self, value: &'v Value, role: Role<'v>, parent: Option<usize>) {
        if !value.is_object() && value.as_bool().is_none() {
            return;
        }
        let index = Some(self.all.len());
        let keys = value.members().iter().fold(0, |keys, member| keys | key_bit(&member.key.name));
        self.all.push(Subschema { value, role, parent, types: Types::of(value), keys });
        for member in value.members() {
            let keyword = &*member.key.name;
            if takes_named_schemas(keyword) {
                for named in member.value.members() {
                    let is_property = keyword == "properties";
                    let role = if is_property { Role::Property(named) } else { Role::Named(keyword, named) };
                    self.add(&named.value, role, index);
                }
            } else if MANY.contains(&keyword) && member.value.is_array() {
                member.value.elements().iter().for_each(|element| self.add(element, Role::Keyword(keyword), index));
            } else if takes_schema(keyword) {
                self.add(&member.value, Role::Keyword(keyword), index);
            }
        }
    }

    /// The schema of the whole.
    pub fn root(&self) -> Option<&'v Value> {
        self.all.first().map(|first| first.value)
    }

    /// Every schema, parents before children.
    pub fn iter(&self) -> std::slice::Iter<'_, Subschema<'v>> {
        self.all.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The schema at an index, which is one of [`Reference`].
    pub fn at(&self, index: usize) -> &Subschema<'v> {
        &self.all[index]
    }

    /// The schema that another is directly inside of.
    pub fn parent(&self, schema: &Subschema<'v>) -> Option<&Subschema<'v>> {
        schema.parent.map(|parent| &self.all[parent])
    }

    /// A schema and those around it, from the inside out.
    pub fn outwards<'a>(&'a self, schema: &'a Subschema<'v>) -> impl Iterator<Item = &'a Subschema<'v>> {
        std::iter::successors(Some(schema), |schema| self.parent(schema))
    }

    /// What a schema stands for: itself, or what its `$ref` names. See [`followed`].
    pub fn followed(&self, schema: &'v Value) -> &'v Value {
        self.root().map_or(schema, |root| followed(schema, root))
    }

    /// What a schema describes, for messages: the path of its property between backticks (`filter.tags[]`), the name of
    /// its definition, else "the schema".
    pub fn place(&self, schema: &Subschema<'v>) -> String {
        let mut path = String::new();
        for around in self.outwards(schema) {
            let (step, is_end) = match around.role {
                Role::Property(member) | Role::Named("patternProperties", member) => (&*member.key.name, false),
                Role::Named(_, member) => (&*member.key.name, true),
                Role::Keyword("items" | "prefixItems") => ("[]", false),
                Role::Keyword("additionalProperties") => ("*", false),
                Role::Root | Role::Keyword(_) => continue,
            };
            let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
            path.insert_str(0, dot);
            path.insert_str(0, step);
            if is_end {
                break;
            }
        }
        if path.is_empty() { "the schema".to_owned() } else { format!("`{}`", shown(&path)) }
    }
}

impl<'a, 'v> IntoIterator for &'a Schemas<'v> {
    type Item = &'a Subschema<'v>;
    type IntoIter = std::slice::Iter<'a, Subschema<'v>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'v> Subschema<'v> {
    /// The member for a keyword; of several the last, as a JSON parser keeps it.
    pub fn member(&self, keyword: &str) -> Option<&'v Member> {
        self.value.member(keyword).filter(|_| self.may_have(keyword))
    }

    /// The value of a keyword.
    pub fn get(&self, keyword: &str) -> Option<&'v Value> {
        if self.may_have(keyword) { self.value.get(keyword) } else { None }
    }

    /// Whether it has a keyword, whatever its value.
    pub fn has(&self, keyword: &str) -> bool {
        self.get(keyword).is_some()
    }

    fn may_have(&self, keyword: &str) -> bool {
        self.keys & key_bit(keyword) != 0
    }

    /// Where to point when it is meant as a whole: the name of the property or definition, else its first byte.
    pub fn range(&self) -> TextRange {
        match self.role {
            Role::Property(member) | Role::Named(_, member) => member.key.range,
            Role::Root | Role::Keyword(_) => self.value.opening(),
        }
    }
}

fn key_bit(key: &str) -> u64 {
    let bytes = key.as_bytes();
    let (first, last) = (bytes.first().copied().unwrap_or_default(), bytes.last().copied().unwrap_or_default());
    1 << ((usize::from(first) + 7 * usize::from(last) + 13 * bytes.len()) % 64)
}

/// A set of JSON Schema's types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types(u8);

impl Types {
    /// The types that a schema's `type` names, alone or in a list; Gemini's capitals count. Unknown ones do not.
    pub fn of(schema: &Value) -> Types {
        schema.get("type").map(Types::of_value).unwrap_or_default()
    }

    /// The types that the value of `type` names.
    pub fn of_value(value: &Value) -> Types {
        let names = value.as_str().into_iter().chain(value.elements().iter().filter_map(Value::as_str));
        Types(names.fold(0, |bits, name| bits | Types::named(name).0))
    }

    /// The type of this name, Gemini's capitals included; none where there is no such type.
    pub fn named(name: &str) -> Types {
        Types(TYPES.iter().position(|known| known.eq_ignore_ascii_case(name)).map_or(0, |at| 1 << at))
    }

    /// Their names.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        TYPES.iter().enumerate().filter(move |(at, _)| self.0 & 1 << at != 0).map(|(_, name)| *name)
    }

    /// Whether a value is of one of them. What could not be read is of every type.
    pub fn admit(self, value: &Value) -> bool {
        match &value.kind {
            ValueKind::Null => self.contains("null"),
            ValueKind::Bool(_) => self.contains("boolean"),
            ValueKind::Number(_) => {
                let is_whole = || value.as_number().is_none_or(|number| number.fract() == 0.0 || number.is_infinite());
                self.contains("number") || self.contains("integer") && is_whole()
            }
            ValueKind::String(_) => self.contains("string"),
            ValueKind::Array(_) => self.contains("array"),
            ValueKind::Object(_) => self.contains("object"),
            ValueKind::Folded(_) | ValueKind::Unreadable => true,
        }
    }

    /// Whether it names this type of [`TYPES`].
    pub fn contains(self, name: &str) -> bool {
        TYPES.iter().position(|known| *known == name).is_some_and(|at| self.0 & 1 << at != 0)
    }

    /// Whether it names this one and no other, `null` aside.
    pub fn is(self, name: &str) -> bool {
        let null = TYPES.iter().position(|known| *known == "null").map_or(0, |at| 1 << at);
        TYPES.iter().position(|known| *known == name).is_some_and(|at| self.0 & !null == 1 << at)
    }

    /// Whether it names none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::read;

    #[test]
    fn keywords_are_told_from_names() {
        let text = r##"{"type": "object", "properties": {"properties": {"type": "string"}, "items": {"$ref": "#/$defs/list"}, "not": 3, "any": true},
            "$defs": {"list": {"type": ["array", "null"], "items": [{"type": "STRING"}, {}]}}, "dependencies": {"a": ["b"], "b": {"required": ["c"]}},
            "enum": [{"type": "object"}], "default": {"items": {}}, "x-mine": {"items": {}}, "allOf": {"not": {}}}"##;
        let value = read(text).value;
        let schemas = Schemas::of(&value);
        let places: Vec<String> = schemas.iter().map(|schema| schemas.place(schema)).collect();
        assert_eq!(places, ["the schema", "`properties`", "`items`", "`any`", "`list`", "`list[]`", "`list[]`", "`b`"]);
        let list = schemas.iter().nth(4).expect("the definition");
        assert!(list.types.is("array") && list.types.contains("null") && !list.types.is("null"));
        assert!(schemas.iter().nth(5).is_some_and(|schema| schema.types.is("string")));
        assert!(list.has("items") && !list.has("$ref") && list.get("type").is_some());
        assert_eq!(schemas.outwards(list).count(), 2);
        assert!(list.types.names().eq(["array", "null"]));
        let admit = |name: &str, text: &str| Types::named(name).admit(&read(text).value);
        assert!(admit("INTEGER", "1.0") && !admit("integer", "1.5") && admit("number", "1e999") && !admit("no", "1"));
        assert_eq!(Schemas::of(&read("[{}]").value).iter().count(), 0);
    }
}
