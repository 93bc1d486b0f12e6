//! What the rules over a list know of the schemas of one tool. Small, since it is compared after every edit.

use crate::model::Tool;
use crate::text::TextRange;

/// Keywords that the `parameters` of Gemini's API have no room for: first those that carry meaning, then those that
/// only narrow. What is left out says nothing that a model could use (`$schema`, `$id`), or is taken by now
/// (`additionalProperties`).
pub(super) const DROPPED: [&str; 16] = [
    "$ref",
    "oneOf",
    "allOf",
    "not",
    "const",
    "if",
    "patternProperties",
    "prefixItems",
    "dependentRequired",
    "dependentSchemas",
    "contains",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "uniqueItems",
    "examples",
];
/// How many of them carry meaning.
pub(super) const MEANINGFUL: usize = 11;

/// Names of the property of a result that says what went wrong.
const ERRORS: &[&str] = &["error", "errors", "error_message", "errorMessage", "error_msg", "errorMsg", "err"];
/// Names of the property of a result that holds what was asked for.
const RESULTS: &[&str] = &["result", "results", "data", "items", "response", "output", "payload", "records", "entries"];

/// A name and where it stands in the tool.
pub(super) type Named = (&'static str, TextRange);

/// What the rules over a list know of the schemas of one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemaFacts {
    /// Which of [`DROPPED`] the input schema has, one bit each.
    pub(super) dropped: u16,
    /// Where the first of them stands; of those that carry meaning, if there are any.
    pub(super) dropped_at: TextRange,
    /// The property of the output schema that says what went wrong.
    pub(super) error: Option<Named>,
    /// The property of the output schema that holds what was asked for.
    pub(super) result: Option<Named>,
}

impl SchemaFacts {
    /// The facts of a tool.
    pub(in crate::rules) fn of(tool: &Tool) -> SchemaFacts {
        let mut facts = SchemaFacts::default();
        let mut first = DROPPED.len();
        for schema in tool.schemas() {
            for (index, keyword) in DROPPED.iter().enumerate() {
                let Some(member) = schema.member(keyword) else { continue };
                facts.dropped |= 1 << index;
                if first == DROPPED.len() || first >= MEANINGFUL && index < MEANINGFUL {
                    (first, facts.dropped_at) = (index, member.key.range);
                }
            }
        }
        let output = tool.declaration.get("outputSchema").and_then(|schema| schema.get("properties"));
        let find =
            |names: &[&'static str]| names.iter().find_map(|name| Some((*name, output?.member(name)?.key.range)));
        (facts.error, facts.result) = (find(ERRORS), find(RESULTS));
        facts
    }

    /// Whether the input schema has this one of [`DROPPED`].
    pub(super) fn drops(&self, index: usize) -> bool {
        self.dropped & 1 << index != 0
    }
}
