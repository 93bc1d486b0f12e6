//! Rules about input schemas.

mod breach;
mod keywords;
mod meta;
mod nullable;
mod places;

pub(super) mod array_without_items;
pub(super) mod boolean_exclusive_bound;
pub(super) mod boolean_subschema;
pub(super) mod const_union;
pub(super) mod duplicate_enum;
pub(super) mod empty_enum;
pub(super) mod enum_type_mismatch;
pub(super) mod enum_without_type;
pub(super) mod input_schema_not_object;
pub(super) mod invalid_default;
pub(super) mod invalid_pattern;
pub(super) mod invalid_schema;
pub(super) mod inverted_bounds;
pub(super) mod keyword_without_effect;
pub(super) mod missing_input_schema;
pub(super) mod missing_param_type;
pub(super) mod nested_null;
pub(super) mod non_string_enum;
pub(super) mod tuple_items;
pub(super) mod type_array;
pub(super) mod undefined_required;
pub(super) mod unknown_schema_keyword;
