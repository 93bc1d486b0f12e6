//! Writing what `$ref`s name in their places, all of a schema at once, so that every way of it is one edit of the text.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::layout::{indentation, moved, starts_line};
use super::meta::Draft;
use crate::model::Tool;
use crate::model::schema::{Reference, Role, Subschema, Target};
use crate::syntax::{Member, Value, read, resolve, without_members};
use crate::text::{Edit, TextRange};

/// No more text than this is written, in bytes: definitions that name each other twice double with every step.
const MAX_WRITTEN: usize = 256 << 10;

/// Keywords that assert nothing: beside a `$ref` they speak of this place, and win.
const ANNOTATIONS: &[&str] =
    &["$comment", "default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"];
/// Keywords that hold what is named, and assert nothing where they stand.
const HOLDERS: &[&str] = &["$defs", "$schema", "definitions"];
/// Keywords of which one asserts by what another beside it says.
const ENTWINED: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "maxContains",
    "minContains",
    "patternProperties",
    "prefixItems",
    "properties",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords by which a place is found; there may not be two of it.
const NAMES: &[&str] = &["$anchor", "$dynamicAnchor", "$id", "$recursiveAnchor", "$schema", "id"];

/// The `$ref`s of a tool that can be replaced by what they name.
pub(super) struct Inlined<'a, 'v> {
    tool: &'a Tool<'v>,
    /// By the index of the schema that has the `$ref`.
    edits: BTreeMap<usize, Vec<Edit>>,
    /// By the same index, the schema that is named in the end.
    targets: FxHashMap<usize, usize>,
    /// Of the schemas that are named, whether a copy needs nothing but itself.
    is_whole: FxHashMap<usize, bool>,
}

impl<'a, 'v> Inlined<'a, 'v> {
    /// What can be replaced; `None` where the text is broken, or would grow too much.
    pub(super) fn of(tool: &'a Tool<'v>) -> Option<Self> {
        // They look for names from outside in, which copies would change.
        let is_dynamic = |schema: &Subschema| schema.has("$dynamicRef") || schema.has("$recursiveRef");
        if tool.schemas().iter().any(is_dynamic) || !read(tool.text).errors.is_empty() {
            return None;
        }
        // Those that are met on the way of others come first.
        let mut references: Vec<&Reference> = tool.references().iter().collect();
        references.sort_by_key(|reference| reference.depth);
        let mut inlined =
            Inlined { tool, edits: BTreeMap::new(), targets: FxHashMap::default(), is_whole: FxHashMap::default() };
        let mut written = 0;
        for reference in references {
            let Some(target) = inlined.target(reference) else { continue };
            inlined.targets.insert(reference.schema, target);
            // What is met inside is in here already, so that it stays as it is found.
            if !inlined.is_whole.contains_key(&target) {
                inlined.is_whole.insert(target, inlined.is_whole(target));
            }
            let Some(edits) = inlined.replaced(reference, target) else { continue };
            written += edits.iter().map(|edit| edit.new_text.len()).sum::<usize>();
            if written > MAX_WRITTEN {
                return None;
            }
            inlined.edits.insert(reference.schema, edits);
        }
        Some(inlined)
    }

    /// Whether a `$ref` is one of them.
    pub(super) fn has(&self, reference: &Reference) -> bool {
        self.edits.contains_key(&reference.schema)
    }

    /// The edits after which none of them is left, nor a definition that only they named.
    pub(super) fn edits(&self) -> Vec<Edit> {
        let schemas = self.tool.schemas();
        let dropped = self.dropped();
        let is_dropped = |index: &usize| {
            let at = dropped.partition_point(|(start, _)| start <= index);
            at.checked_sub(1).is_some_and(|before| *index < dropped[before].1)
        };
        let mut edits: Vec<Edit> =
            self.edits.iter().filter(|(index, _)| !is_dropped(index)).flat_map(|(_, edits)| edits.clone()).collect();
        let members: FxHashSet<*const Member> = dropped
            .iter()
            .filter_map(|(index, _)| match schemas.at(*index).role {
                Role::Named(_, member) => Some(std::ptr::from_ref(member)),
                _ => None,
            })
            .collect();
        for schema in schemas.iter().filter(|schema| schema.has("$defs") || schema.has("definitions")) {
            let mut emptied = Vec::new();
            for (index, holder) in schema.value.members().iter().enumerate() {
                if !matches!(&*holder.key.name, "$defs" | "definitions") {
                    continue;
                }
                let all = holder.value.members();
                let gone: Vec<usize> =
                    (0..all.len()).filter(|at| members.contains(&std::ptr::from_ref(&all[*at]))).collect();
                match gone.len() {
                    0 => {}
                    count if count == all.len() => emptied.push(index),
                    _ => edits.extend(without_members(self.tool.text, &holder.value, &gone)),
                }
            }
            edits.extend(without_members(self.tool.text, schema.value, &emptied));
        }
        edits
    }

    /// The definitions that nothing names afterwards, as stretches of schemas that are in no other one.
    fn dropped(&self) -> Vec<(usize, usize)> {
        let schemas = self.tool.schemas();
        let around = |target: usize| {
            let parent = |index: &usize| schemas.parent_index(*index);
            std::iter::successors(Some(target), parent).filter(|index| schemas.is_definition(*index))
        };
        let (mut named, mut kept) = (FxHashSet::default(), FxHashSet::default());
        let mut known = FxHashSet::default();
        for reference in self.tool.references().iter() {
            known.insert(std::ptr::from_ref(&reference.member.value));
            match reference.target {
                Target::Schema(target) if self.has(reference) => named.extend(around(target)),
                Target::Schema(target) => kept.extend(around(target)),
                Target::Value(_) | Target::Unclear => return Vec::new(),
                Target::Nothing | Target::Elsewhere => {}
            }
        }
        // Keywords of others name definitions as well, such as OpenAPI's `discriminator`.
        let mut others: Vec<usize> = Vec::new();
        if let Some(root) = schemas.root() {
            each_string(root, &mut |value, text| {
                let target = text.strip_prefix('#').filter(|_| !known.contains(&std::ptr::from_ref(value)));
                others.extend(target.and_then(|pointer| resolve(root, pointer)).map(|target| target.range.start));
            });
        }
        others.sort_unstable();
        let mut all: Vec<usize> = named.difference(&kept).copied().collect();
        all.sort_unstable();
        let mut dropped: Vec<(usize, usize)> = Vec::new();
        for index in all {
            let range = schemas.at(index).value.range;
            let is_inside = dropped.last().is_some_and(|(_, end)| index < *end);
            let first = others.get(others.partition_point(|other| *other < range.start));
            if !is_inside && first.is_none_or(|first| *first >= range.end) {
                dropped.push((index, schemas.end(index)));
            }
        }
        dropped
    }

    /// The edits that replace one `$ref`, all that are met on its way being in here already.
    fn replaced(&self, reference: &Reference<'v>, target_index: usize) -> Option<Vec<Edit>> {
        let schemas = self.tool.schemas();
        let own = schemas.at(reference.schema).value;
        let target = schemas.at(target_index);
        let has_siblings = own.members().len() > 1;
        if reference.is_endless
            || !target.value.is_object()
            || target.has("$ref") && has_siblings
            || own.get("$id").is_some()
        {
            return None;
        }
        let cut = self.cut(own, target.value)?;
        if !self.is_whole[&target_index] || target.has("$ref") && !cut.is_empty() {
            return None;
        }
        self.written(own, reference.member, target_index, &cut)
    }

    /// Whether a copy of a schema can do without names and `$ref`s.
    fn is_whole(&self, target: usize) -> bool {
        let schemas = self.tool.schemas();
        (target..schemas.end(target)).all(|index| {
            let inner = schemas.at(index);
            let is_named = index != target && NAMES.iter().any(|name| inner.has(name));
            !is_named && (!inner.has("$ref") || self.edits.contains_key(&index))
        })
    }

    /// The schema that is named in the end, by a way of schemas that are nothing but a `$ref`.
    fn target(&self, reference: &Reference) -> Option<usize> {
        let Target::Schema(target) = reference.target else { return None };
        let is_step = self.tool.schemas().at(target).value.members().len() == 1 && !reference.is_endless;
        Some(self.targets.get(&target).copied().filter(|_| is_step).unwrap_or(target))
    }

    /// Which members of the target do not come along; `None` where the two cannot be one schema.
    fn cut(&self, own: &Value, target: &Value) -> Option<Vec<usize>> {
        if has_twice(own) || has_twice(target) || target.get("$schema").is_some() {
            return None;
        }
        // Until draft-07 nothing beside a `$ref` counts.
        let draft = Draft::of(self.tool.schema()?);
        let ignores_siblings = matches!(draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7);
        let is_entwined = |object: &Value| object.members().iter().any(|member| ENTWINED.contains(&&*member.key.name));
        let own_name = |name: &&str| matches!(*name, "$anchor" | "$id" | "$defs" | "definitions");
        let at = |name: &str| target.members().iter().position(|member| &*member.key.name == name);
        let mut cut: Vec<usize> =
            (0..target.members().len()).filter(|index| own_name(&&*target.members()[*index].key.name)).collect();
        for sibling in own.members() {
            let name = &*sibling.key.name;
            if name == "$ref" || HOLDERS.contains(&name) {
                continue;
            }
            let is_note = ANNOTATIONS.contains(&name);
            match at(name) {
                Some(index) if is_note || self.is_same(&sibling.value, &target.members()[index].value) => {
                    cut.push(index)
                }
                Some(_) => return None,
                None if ignores_siblings && !is_note => return None,
                None if ENTWINED.contains(&name) && is_entwined(target) => return None,
                None => {}
            }
        }
        cut.sort_unstable();
        cut.dedup();
        Some(cut)
    }

    /// Whether two values are written alike and hold no schema.
    fn is_same(&self, value: &Value, other: &Value) -> bool {
        let is_plain = value.members().is_empty() && value.elements().iter().all(|element| !element.is_object());
        is_plain
            && !value.is_object()
            && self.tool.text[value.range.as_usize()] == self.tool.text[other.range.as_usize()]
    }

    fn written(&self, own: &Value, reference: &Member, target_index: usize, cut: &[usize]) -> Option<Vec<Edit>> {
        let (schemas, text) = (self.tool.schemas(), self.tool.text);
        let target = schemas.at(target_index).value;
        let is_cut = |range: TextRange| cut.iter().any(|index| target.members()[*index].range().contains(range));
        let mut edits = without_members(text, target, cut);
        let inner = self.edits.range(target_index..schemas.end(target_index)).flat_map(|(_, edits)| edits);
        edits.extend(inner.filter(|edit| !is_cut(edit.range)).cloned());
        edits.sort_by_key(|edit| edit.range);
        let base = target.range.start;
        for edit in &mut edits {
            edit.range = TextRange::new(edit.range.start - base, edit.range.end - base);
        }
        let copy = crate::text::apply_edits(&text[target.range.as_usize()], &edits);

        let key = reference.key.range.start;
        let before = &text[own.range.start + 1..key];
        let after = &text[reference.range().end..own.range.end - 1];
        if before.trim().is_empty() && after.trim().trim_start_matches(',').is_empty() {
            let copy = moved(&copy, indentation(text, base), indentation(text, own.range.start));
            return Some(vec![Edit::replace(own.range, copy)]);
        }
        let (first, last) = (target.members().first()?, target.members().last()?);
        let has_comment = !text[last.range().end..target.range.end - 1].trim().trim_start_matches(',').is_empty();
        let members = copy.get(1..copy.len() - 1)?.trim().trim_end_matches(',').trim_end();
        if has_comment || members.is_empty() {
            return None;
        }
        let is_in_lines = starts_line(text, first.key.range.start);
        if !is_in_lines || starts_line(text, key) {
            let from = if is_in_lines { first.key.range.start } else { base };
            let members = moved(members, indentation(text, from), indentation(text, key));
            return Some(vec![Edit::replace(reference.range(), members)]);
        }
        let outer = indentation(text, own.range.start);
        let from = indentation(text, first.key.range.start);
        let step = from.strip_prefix(indentation(text, base)).unwrap_or("  ");
        let inner = format!("{outer}{step}");
        let mut edits = vec![Edit::replace(reference.range(), moved(members, from, &inner))];
        let line_break = if text[target.range.as_usize()].contains("\r\n") { "\r\n" } else { "\n" };
        edits.extend(in_lines(text, own, &format!("{line_break}{inner}"), &format!("{line_break}{outer}")));
        edits.sort_by_key(|edit| edit.range);
        Some(edits)
    }
}

/// The edits that put every member of an object on a line of its own; none where there are comments between them, or
/// definitions, which may be removed.
fn in_lines(text: &str, object: &Value, inner: &str, outer: &str) -> Vec<Edit> {
    let members = object.members();
    let (Some(first), Some(last)) = (members.first(), members.last()) else { return Vec::new() };
    if members.iter().any(|member| HOLDERS.contains(&&*member.key.name)) {
        return Vec::new();
    }
    let mut gaps = vec![(TextRange::new(object.range.start + 1, first.key.range.start), "", inner)];
    gaps.extend(
        members.windows(2).map(|pair| (TextRange::new(pair[0].range().end, pair[1].key.range.start), ",", inner)),
    );
    gaps.push((TextRange::new(last.range().end, object.range.end - 1), "", outer));
    if gaps.iter().any(|(range, comma, _)| text[range.as_usize()].trim() != *comma) {
        return Vec::new();
    }
    gaps.into_iter().map(|(range, comma, space)| Edit::replace(range, format!("{comma}{space}"))).collect()
}

/// Whether an object has a key more than once.
fn has_twice(object: &Value) -> bool {
    let mut known = FxHashSet::default();
    !object.members().iter().all(|member| known.insert(&*member.key.name))
}

fn each_string<'v>(value: &'v Value, visit: &mut impl FnMut(&'v Value, &'v str)) {
    if let Some(text) = value.as_str() {
        visit(value, text);
    }
    value.members().iter().for_each(|member| each_string(&member.value, visit));
    value.elements().iter().for_each(|element| each_string(element, visit));
}
