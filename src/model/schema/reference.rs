//! Where the `$ref`s of a schema lead, and which of them go in a circle. Only places of the schema itself are known:
//! nothing is fetched.
//!
//! Source: JSON Schema 2020-12 core 8.2; draft-07 core 8 for `$id` as the name of a place.

use rustc_hash::FxHashMap;

use super::{Role, Schemas};
use crate::syntax::{Member, Value};

/// An object with more members than this is looked up by a map.
const FEW: usize = 16;

/// What a `$ref` leads to.
#[derive(Clone, Copy, Debug)]
pub enum Target<'v> {
    /// The schema at this index of [`Schemas`].
    Schema(usize),
    /// A value of the document that is not known to be a schema.
    Value(&'v Value),
    /// A place of this document that does not exist.
    Nothing,
    /// Another document.
    Elsewhere,
    /// Several places have this name, or readers look at different ones.
    Unclear,
}

/// A schema's `$ref`.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'v> {
    /// The index in [`Schemas`] of the schema that has it.
    pub schema: usize,
    /// The `$ref`, a string.
    pub member: &'v Member,
    /// Where it leads.
    pub target: Target<'v>,
    /// Where it goes in a circle: a number that all `$ref`s of the same circles have, and no others.
    pub circle: Option<usize>,
    /// Whether it leads into a circle, or goes in one.
    pub is_endless: bool,
    /// A number that is greater than that of every `$ref` that is met on its way, those of its own circles aside.
    pub depth: usize,
}

impl<'v> Reference<'v> {
    /// What is written.
    pub fn text(&self) -> &'v str {
        self.member.value.as_str().unwrap_or_default()
    }
}

/// The `$ref`s of a schema, in the order of [`Schemas`].
#[derive(Clone, Debug, Default)]
pub struct References<'v> {
    all: Vec<Reference<'v>>,
}

impl<'v> References<'v> {
    /// The `$ref`s inside of schemas.
    pub fn of(schemas: &Schemas<'v>) -> References<'v> {
        let written = schemas.iter().enumerate().filter_map(|(index, schema)| {
            let member = schema.member("$ref").filter(|member| member.value.as_str().is_some())?;
            Some(Reference {
                schema: index,
                member,
                target: Target::Nothing,
                circle: None,
                is_endless: false,
                depth: 0,
            })
        });
        let mut all: Vec<Reference> = written.collect();
        if all.is_empty() {
            return References { all };
        }
        let mut places = Places::of(schemas);
        for reference in &mut all {
            reference.target = places.target(reference.schema, reference.text());
        }
        mark_circles(schemas, &mut all);
        References { all }
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Reference<'v>> {
        self.all.iter()
    }

    /// The `$ref` of the schema at this index of [`Schemas`].
    pub fn at(&self, schema: usize) -> Option<&Reference<'v>> {
        self.all.binary_search_by_key(&schema, |reference| reference.schema).ok().map(|at| &self.all[at])
    }
}

/// Finds what references name.
struct Places<'s, 'v> {
    schemas: &'s Schemas<'v>,
    /// The index of every schema.
    index: FxHashMap<*const Value, usize>,
    /// For every schema the one around it that has the URI that its references count from.
    resource: Vec<usize>,
    /// The schemas with a URI; `None` where several have the same.
    by_uri: FxHashMap<String, Option<usize>>,
    uri: FxHashMap<usize, String>,
    /// The schemas with a name within a resource; `None` where several have the same.
    by_anchor: FxHashMap<(usize, &'v str), Option<usize>>,
    /// Whether some URI is that of several schemas.
    is_ambiguous: bool,
    /// The members of large objects.
    members: FxHashMap<*const Value, FxHashMap<&'v str, &'v Value>>,
}

impl<'s, 'v> Places<'s, 'v> {
    fn of(schemas: &'s Schemas<'v>) -> Self {
        let mut places = Places {
            schemas,
            index: FxHashMap::default(),
            resource: Vec::with_capacity(schemas.len()),
            by_uri: FxHashMap::default(),
            uri: FxHashMap::default(),
            by_anchor: FxHashMap::default(),
            is_ambiguous: false,
            members: FxHashMap::default(),
        };
        for (index, schema) in schemas.iter().enumerate() {
            places.index.insert(std::ptr::from_ref(schema.value), index);
            let around = schema.parent.map_or(0, |parent| places.resource[parent]);
            let id = schema.get("$id").and_then(Value::as_str);
            let uri = id.map(|id| id.split('#').next().unwrap_or_default()).filter(|uri| !uri.is_empty());
            if let Some(uri) = uri {
                let uri = joined(places.uri.get(&around).map_or("", String::as_str), uri);
                places.by_uri.entry(uri.clone()).and_modify(|known| *known = None).or_insert(Some(index));
                places.uri.insert(index, uri);
            }
            let resource = if uri.is_some() { index } else { around };
            places.resource.push(resource);
            let draft_07 = id.and_then(|id| id.strip_prefix('#'));
            let anchors = ["$anchor", "$dynamicAnchor"].into_iter().filter_map(|key| schema.get(key)?.as_str());
            for anchor in anchors.chain(draft_07).filter(|anchor| !anchor.is_empty()) {
                let same = |known: &mut Option<usize>| *known = known.filter(|known| *known == index);
                places.by_anchor.entry((resource, anchor)).and_modify(same).or_insert(Some(index));
            }
        }
        places.is_ambiguous = places.by_uri.values().any(Option::is_none);
        places
    }

    fn target(&mut self, schema: usize, reference: &str) -> Target<'v> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let own = self.resource[schema];
        let base = self.uri.get(&own).map_or("", String::as_str);
        let resource = match uri {
            "" => Some(own),
            _ => match self.by_uri.get(&joined(base, uri)) {
                Some(known) => *known,
                None if self.is_ambiguous => None,
                // One word is the name of a definition rather than of a file that stands nowhere.
                None if base.is_empty() && uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') => {
                    return Target::Nothing;
                }
                None => return Target::Elsewhere,
            },
        };
        let Some(resource) = resource else { return Target::Unclear };
        let found = if fragment.is_empty() {
            Some(Target::Schema(resource))
        } else if fragment.starts_with('/') {
            let decoded = decoded(fragment);
            let mut from = |start: usize| {
                let start = self.schemas.at(start).value;
                self.pointed(start, fragment).or_else(|| self.pointed(start, decoded.as_deref()?))
            };
            match from(resource) {
                Some(value) => Some(
                    self.index
                        .get(&std::ptr::from_ref(value))
                        .map_or(Target::Value(value), |index| Target::Schema(*index)),
                ),
                // Many readers count from the whole.
                None => from(0).map(|_| Target::Unclear),
            }
        } else {
            self.by_anchor.get(&(resource, fragment)).map(|known| known.map_or(Target::Unclear, Target::Schema))
        };
        found.unwrap_or(if self.is_ambiguous { Target::Unclear } else { Target::Nothing })
    }

    /// The value at a JSON pointer.
    fn pointed(&mut self, start: &'v Value, pointer: &str) -> Option<&'v Value> {
        pointer.strip_prefix('/')?.split('/').try_fold(start, |value, token| {
            if value.is_array() {
                return value.elements().get(token.parse::<usize>().ok()?);
            }
            let token = token.replace("~1", "/").replace("~0", "~");
            if value.members().len() <= FEW {
                return value.get(&token);
            }
            let by_name = self
                .members
                .entry(std::ptr::from_ref(value))
                .or_insert_with(|| value.members().iter().map(|member| (&*member.key.name, &member.value)).collect());
            by_name.get(&*token).copied()
        })
    }
}

/// A URI as it is meant where another is the base. Steps like `..` are left as they are: such a URI is met nowhere.
fn joined(base: &str, uri: &str) -> String {
    let has_scheme = uri.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    });
    if has_scheme {
        return uri.to_owned();
    }
    let path = base.find("://").map_or(0, |at| at + 3);
    let host_end = base[path..].find('/').map_or(base.len(), |at| path + at);
    let kept = if uri.starts_with('/') { host_end } else { base.rfind('/').map_or(0, |at| at + 1).max(path) };
    format!("{}{uri}", &base[..kept])
}

/// A fragment without its percent signs; `None` where it has none, or they make no text.
fn decoded(fragment: &str) -> Option<String> {
    if !fragment.contains('%') {
        return None;
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, after @ ..] = rest {
        let pair = after.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.filter(|_| *first == b'%').and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Finds the circles in linear time (Tarjan's strongly connected components), without recursion. The steps are from a
/// schema to those directly inside it, and to what its `$ref` names.
fn mark_circles(schemas: &Schemas, references: &mut [Reference]) {
    const UNSEEN: usize = usize::MAX;
    let count = schemas.len();
    let mut steps: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, schema) in schemas.iter().enumerate() {
        if let Some(parent) = schema.parent {
            steps[parent].push(index);
        }
    }
    let mut is_own_target = vec![false; count];
    for reference in &*references {
        if let Target::Schema(target) = reference.target {
            steps[reference.schema].push(target);
            is_own_target[reference.schema] |= target == reference.schema;
        }
    }
    let (mut order, mut low, mut component) = (vec![UNSEEN; count], vec![0; count], vec![UNSEEN; count]);
    // Of every component whether it is, or leads to, a circle; a component is numbered after those it leads to.
    let mut is_circle: Vec<bool> = Vec::new();
    let mut is_endless: Vec<bool> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut path: Vec<(usize, usize)> = Vec::new();
    let mut next = 0;
    // Every schema is inside the first.
    path.push((0, 0));
    while let Some((at, step)) = path.last_mut() {
        let at = *at;
        if *step == 0 {
            (order[at], low[at]) = (next, next);
            next += 1;
            open.push(at);
        }
        if let Some(to) = steps[at].get(*step) {
            *step += 1;
            if order[*to] == UNSEEN {
                path.push((*to, 0));
            } else if component[*to] == UNSEEN {
                low[at] = low[at].min(order[*to]);
            }
            continue;
        }
        path.pop();
        if let Some((parent, _)) = path.last() {
            low[*parent] = low[*parent].min(low[at]);
        }
        if low[at] == order[at] {
            let first = open.iter().rposition(|member| *member == at).unwrap_or_default();
            let members = open.split_off(first);
            let number = is_circle.len();
            members.iter().for_each(|member| component[*member] = number);
            is_circle.push(members.len() > 1 || is_own_target[at]);
            let leads_on = members.iter().flat_map(|member| &steps[*member]).map(|to| component[*to]);
            let is_on_the_way = leads_on.filter(|to| *to != number).any(|to| is_endless[to]);
            is_endless.push(is_circle[number] || is_on_the_way);
        }
    }
    for reference in references {
        let from = component[reference.schema];
        reference.depth = from;
        if let Target::Schema(target) = reference.target {
            let to = component[target];
            reference.circle = (from == to && is_circle[to]).then_some(to);
            reference.is_endless = is_endless[to];
        }
    }
}

impl<'v> Schemas<'v> {
    /// The index behind the last schema inside the one at `index`, itself included: they are one stretch.
    pub fn end(&self, index: usize) -> usize {
        let end = self.at(index).value.range.end;
        index + self.all[index..].partition_point(|schema| schema.value.range.start < end)
    }

    /// The index of the schema that the one at `index` is directly inside of.
    pub fn parent_index(&self, index: usize) -> Option<usize> {
        self.at(index).parent
    }

    /// Whether a schema at an index stands by a name under `$defs` or `definitions`.
    pub fn is_definition(&self, index: usize) -> bool {
        matches!(self.at(index).role, Role::Named("$defs" | "definitions", _))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::read;

    /// Where every `$ref` leads, and the number of circles.
    fn targets(text: &str) -> (Vec<String>, usize) {
        let value = read(text).value;
        let schemas = Schemas::of(&value);
        let references = References::of(&schemas);
        let shown = references.iter().map(|reference| match reference.target {
            Target::Schema(index) => {
                schemas.place(schemas.at(index)) + if reference.is_endless { " endless" } else { "" }
            }
            Target::Value(value) => value.kind_name().to_owned(),
            other => format!("{other:?}").to_lowercase(),
        });
        let mut circles: Vec<usize> = references.iter().filter_map(|reference| reference.circle).collect();
        circles.sort_unstable();
        circles.dedup();
        (shown.collect(), circles.len())
    }

    #[test]
    fn a_reference_names_a_place_by_pointer_anchor_or_id() {
        let text = r##"{"properties": {
            "a": {"$ref": "#/$defs/a~1b"}, "b": {"$ref": "#/%24defs/a~1b"}, "c": {"$ref": "#tag"}, "d": {"$ref": "item.json"},
            "e": {"$ref": "https://x.example/s/item.json#/properties/n"}, "f": {"$ref": "#/$defs/none"}, "g": {"$ref": "other.json"},
            "h": {"$ref": "urn:x"}, "i": {"$ref": "#old"}, "j": {"$ref": "#/x-more/1"}, "k": {"$ref": "#none"}},
            "$id": "https://x.example/s/root.json", "x-more": [{}, 3],
            "$defs": {"a/b": {}, "t": {"$anchor": "tag"}, "o": {"$id": "#old"}, "i": {"$id": "item.json", "properties": {"n": {"$ref": "#/properties/n2"}, "n2": {}}}}}"##;
        let expected = [
            "`a/b`",
            "`a/b`",
            "`t`",
            "`i`",
            "`i.n`",
            "nothing",
            "elsewhere",
            "elsewhere",
            "`o`",
            "a number",
            "nothing",
            "`i.n2`",
        ];
        assert_eq!(targets(text), (expected.map(str::to_owned).to_vec(), 0));
    }

    #[test]
    fn what_two_places_claim_is_unclear() {
        let text = r##"{"properties": {"a": {"$ref": "i"}, "b": {"$ref": "#x"}, "c": {"$ref": "#/$defs/p"}, "d": {"$ref": "Node"}},
            "$defs": {"p": {"$id": "i", "$anchor": "x"}, "q": {"$id": "i"}}}"##;
        assert_eq!(targets(text).0, ["unclear", "unclear", "`p`", "unclear"]);
        let word = targets(r#"{"properties": {"d": {"$ref": "Node"}}}"#);
        assert_eq!(word.0, ["nothing"]);
    }

    #[test]
    fn circles_are_told_apart() {
        let text = r##"{"properties": {"self": {"$ref": "#/properties/self"}, "tree": {"$ref": "#/$defs/tree"}, "leaf": {"$ref": "#/$defs/leaf"}},
            "$defs": {"tree": {"items": {"$ref": "#/$defs/branch"}}, "branch": {"anyOf": [{"$ref": "#/$defs/tree"}, {"$ref": "#/$defs/leaf"}]}, "leaf": {}}}"##;
        let (found, circles) = targets(text);
        assert_eq!(
            found,
            ["`self` endless", "`tree` endless", "`leaf`", "`branch` endless", "`tree` endless", "`leaf`"]
        );
        assert_eq!(circles, 2);
        assert_eq!(targets(r##"{"items": {"$ref": "#"}, "contains": {"$ref": "#"}}"##).1, 1);
    }

    #[test]
    fn a_long_chain_and_many_names_take_a_moment() {
        let definitions: Vec<String> =
            (0..5000).map(|at| format!(r##""d{at}": {{"items": {{"$ref": "#/$defs/d{}"}}}}"##, at + 1)).collect();
        let text = format!(r#"{{"$defs": {{{}}}}}"#, definitions.join(", "));
        let (found, circles) = targets(&text);
        assert_eq!((found.len(), found[4999].as_str(), circles), (5000, "nothing", 0));
    }
}
