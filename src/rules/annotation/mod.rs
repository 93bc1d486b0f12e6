//! Rules about annotations: what a tool says of its behaviour.

use crate::model::Tool;
use crate::syntax::{Member, Value};

pub(super) mod annotation_contradicts_name;
pub(super) mod contradictory_annotations;
pub(super) mod directory_annotations;
pub(super) mod invalid_annotation_type;
pub(super) mod missing_read_only_hint;
pub(super) mod ungated_mutation;
pub(super) mod unknown_annotation;

/// What a tool can say of itself, `true` or `false`. Source: MCP 2026-07-28, schema, `ToolAnnotations`.
pub(in crate::rules) const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/// The annotations of a tool, where they are an object.
fn annotations<'v>(tool: &Tool<'v>) -> Option<&'v Value> {
    tool.declaration.get("annotations").filter(|value| value.is_object())
}

/// What a hint of a tool says, where it is a boolean.
fn hint<'v>(tool: &Tool<'v>, name: &str) -> Option<(bool, &'v Member)> {
    let member = annotations(tool)?.member(name)?;
    Some((member.value.as_bool()?, member))
}
