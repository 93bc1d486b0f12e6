//! Rules about input schemas.

mod breach;
mod meta;

pub(super) mod array_without_items;
pub(super) mod input_schema_not_object;
pub(super) mod invalid_schema;
pub(super) mod missing_input_schema;
pub(super) mod missing_param_type;
pub(super) mod undefined_required;
