//! What a list of tools costs, and what of a tool costs most.

use std::collections::HashMap;
use std::fmt;

use super::page::{Subject, choices};
use super::{Declaration, Family, Vocabulary};
use crate::model::schema::{Schemas, followed};
use crate::syntax::{Value, pointer_at};

/// Why the text of a tool is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrendered {
    why: String,
}

impl Unrendered {
    pub(super) fn new(why: String) -> Unrendered {
        Unrendered { why }
    }
}

/// Only Gemini's API unfolds schemas, and only there something can be in the way.
impl fmt::Display for Unrendered {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "cannot be rendered for {}: {}", super::Provider::Gemini.label(), self.why)
    }
}

/// What a list costs on every turn, in tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListCost {
    /// What each tool adds, in the order of the list.
    pub tools: Vec<Result<usize, Unrendered>>,
    /// The sum of them, without those that cannot be rendered: the size of the list, of which people speak.
    pub total: usize,
    /// What comes besides, once a request because it has tools at all. Whoever has several lists pays it once.
    pub overhead: usize,
}

impl ListCost {
    /// The cost of such tools; none for an empty list, which is not sent.
    pub fn new(tools: Vec<Result<usize, Unrendered>>, overhead: usize) -> ListCost {
        let overhead = if tools.is_empty() { 0 } else { overhead };
        let total = tools.iter().flatten().sum();
        ListCost { tools, total, overhead }
    }
}

/// A part of a tool and what it adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it is: a JSON pointer into the declaration.
    pub pointer: String,
    /// What it adds, to within a token or two; over thousands of tools, the parts of one never came to 1 % more than the
    /// whole.
    pub tokens: usize,
    /// Whether it is an `enum`, whose tokens are those of a parameter or definition as well.
    pub is_inside: bool,
}

impl Family {
    /// What the parts of a tool add, in their order: the description, each parameter, each definition, and each `enum` in
    /// there. Parts that its models do not see are left out,
    /// and so is every `enum` for Gemini 2.5, which reads it as a part of a type.
    pub fn parts(
        self,
        tool: &Declaration,
        count: &impl Fn(Vocabulary, &str) -> usize,
    ) -> Result<Vec<Part>, Unrendered> {
        let places = places(tool);
        let by_subject: HashMap<Subject, usize> =
            places.iter().enumerate().map(|(index, place)| (place.0, index)).collect();
        let mut tokens = vec![0; places.len()];
        for (subject, text) in self.page(tool)?.parts() {
            if let Some(index) = by_subject.get(&subject) {
                tokens[*index] += self.part_tokens(text, count);
            }
        }
        let parts = places.into_iter().zip(tokens).filter(|(_, tokens)| *tokens > 0);
        Ok(parts.map(|((_, pointer, is_inside), tokens)| Part { pointer, tokens, is_inside }).collect())
    }
}

/// What can be a part, with its pointer and whether it lies in another.
fn places(tool: &Declaration) -> Vec<(Subject, String, bool)> {
    let mut places = vec![(Subject::Description, "/description".to_owned(), false)];
    let Some(schema) = tool.schema else { return places };
    let root = followed(schema, schema);
    let named = [(root, "properties"), (schema, "$defs"), (schema, "definitions")];
    let members = named.into_iter().flat_map(|(schema, key)| schema.get(key).map(Value::members).unwrap_or_default());
    // Of the definition that the whole schema stands for, its properties are the parts.
    let members = members.filter(|member| !member.value.range.contains(root.range));
    let schemas = Schemas::of(schema);
    let enums = schemas.iter().filter_map(|schema| choices(schema.value));
    let mut values: Vec<(&Value, bool)> = members.map(|member| (&member.value, false)).collect();
    values.extend(enums.map(|choices| (choices, true)));
    values.sort_by_key(|(value, _)| value.range.start);
    places.extend(values.into_iter().map(|(value, is_inside)| {
        (Subject::of(value), format!("/{}{}", tool.schema_key, pointer_at(schema, value.range)), is_inside)
    }));
    places
}

#[cfg(test)]
mod tests;
