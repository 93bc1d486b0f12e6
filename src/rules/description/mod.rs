//! Rules about what a model is told of a tool and its parameters.

mod draft;
mod lack;
mod mention;

pub(super) mod description_not_imperative;
pub(super) mod description_repeats_name;
pub(super) mod filler_description;
pub(super) mod long_description;
pub(super) mod missing_description;
pub(super) mod missing_param_description;
pub(super) mod path_scope_undocumented;
pub(super) mod short_description;
pub(super) mod truncated_description;
pub(super) mod undocumented_result;
pub(super) mod vague_description;
