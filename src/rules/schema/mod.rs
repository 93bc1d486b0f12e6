//! Rules about input schemas.

mod breach;
mod inline;
mod layout;
mod members;
mod meta;

pub(super) mod accepts_any_object;
pub(super) mod array_without_items;
pub(super) mod duplicate_required;
pub(super) mod external_ref;
pub(super) mod free_form_object;
pub(super) mod input_schema_not_object;
pub(super) mod invalid_schema;
pub(super) mod missing_input_schema;
pub(super) mod missing_param_type;
pub(super) mod missing_required_list;
pub(super) mod no_properties;
pub(super) mod recursive_ref;
pub(super) mod r#ref;
pub(super) mod root_composition;
pub(super) mod undefined_required;
pub(super) mod unresolved_ref;
pub(super) mod unsupported_dialect;
