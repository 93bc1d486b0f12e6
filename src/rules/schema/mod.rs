//! Rules about the schemas of tools.

mod breach;
pub(super) mod facts;
mod meta;
mod pattern;

pub(super) mod array_without_items;
pub(super) mod deep_nesting;
pub(super) mod empty_output_schema;
pub(super) mod error_envelope;
pub(super) mod gemini_dropped_keyword;
pub(super) mod gemini_format;
pub(super) mod input_schema_not_object;
pub(super) mod invalid_mcp_header;
pub(super) mod invalid_output_schema;
pub(super) mod invalid_property_key;
pub(super) mod invalid_schema;
pub(super) mod large_enum;
pub(super) mod lookaround_pattern;
pub(super) mod missing_input_schema;
pub(super) mod missing_param_type;
pub(super) mod open_object;
pub(super) mod output_shape;
pub(super) mod pagination;
pub(super) mod sensitive_mcp_header;
pub(super) mod too_many_params;
pub(super) mod unanchored_pattern;
pub(super) mod unbounded_array;
pub(super) mod unconstrained_string;
pub(super) mod undeclared_enum;
pub(super) mod undefined_required;
