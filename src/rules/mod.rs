//! The rules: one file each, pure, and blind to everything but the item they are given.
//!
//! A rule states one fact about one item. It does not iterate over documents, knows no settings and asks nobody; the
//! driver in `analysis` does that. [`ALL`] lists every rule; what else is said of them (documentation, the table in
//! the README, the editor's list) is generated from here.

#[macro_use]
mod rule;
mod facts;

mod annotation;
mod config;
mod description;
mod name;
mod poisoning;
mod probe;
mod schema;
mod security;
mod syntax;
mod toolset;
mod verbs;

pub use facts::{Nameless, Silent, ToolFacts, Toolset};
pub use rule::{Budget, Check, Context, Document, Family, File, Listed, Piece, Priced, Probed, Rule, Servers, Sink};
pub use schema::facts::SchemaFacts;
pub use syntax::invalid_ignore_comment::ignored;

/// Every rule, by family and name.
#[rustfmt::skip] // one a line, so that a rule is one line in every diff
pub static ALL: &[&Rule] = &[
    &syntax::byte_order_mark::RULE,
    &syntax::comment_in_json::RULE,
    &syntax::duplicate_key::RULE,
    &syntax::file_too_large::RULE,
    &syntax::invalid_ignore_comment::RULE,
    &syntax::syntax_error::RULE,
    &syntax::trailing_comma::RULE,
    &syntax::trailing_content::RULE,
    &syntax::unrecognised_file::RULE,
    &config::command_with_arguments::RULE,
    &config::conflicting_transport::RULE,
    &config::empty_config::RULE,
    &config::insecure_url::RULE,
    &config::invalid_transport_type::RULE,
    &config::invalid_url::RULE,
    &config::missing_transport::RULE,
    &config::missing_transport_type::RULE,
    &config::unknown_key::RULE,
    &config::wrong_root_key::RULE,
    &config::wrong_value_type::RULE,
    &security::hardcoded_secret::RULE,
    &name::generic_tool_name::RULE,
    &name::invalid_tool_name::RULE,
    &name::mixed_name_styles::RULE,
    &name::name_without_verb::RULE,
    &name::tool_name_case::RULE,
    &description::description_not_imperative::RULE,
    &description::description_repeats_name::RULE,
    &description::filler_description::RULE,
    &description::long_description::RULE,
    &description::missing_description::RULE,
    &description::missing_param_description::RULE,
    &description::path_scope_undocumented::RULE,
    &description::short_description::RULE,
    &description::truncated_description::RULE,
    &description::undocumented_result::RULE,
    &description::vague_description::RULE,
    &schema::accepts_any_object::RULE,
    &schema::array_without_items::RULE,
    &schema::boolean_exclusive_bound::RULE,
    &schema::boolean_subschema::RULE,
    &schema::const_union::RULE,
    &schema::deep_nesting::RULE,
    &schema::duplicate_enum::RULE,
    &schema::duplicate_required::RULE,
    &schema::empty_enum::RULE,
    &schema::empty_output_schema::RULE,
    &schema::enum_type_mismatch::RULE,
    &schema::enum_without_type::RULE,
    &schema::error_envelope::RULE,
    &schema::external_ref::RULE,
    &schema::free_form_object::RULE,
    &schema::gemini_dropped_keyword::RULE,
    &schema::gemini_format::RULE,
    &schema::input_schema_not_object::RULE,
    &schema::invalid_default::RULE,
    &schema::invalid_mcp_header::RULE,
    &schema::invalid_output_schema::RULE,
    &schema::invalid_pattern::RULE,
    &schema::invalid_property_key::RULE,
    &schema::invalid_schema::RULE,
    &schema::inverted_bounds::RULE,
    &schema::keyword_without_effect::RULE,
    &schema::large_enum::RULE,
    &schema::large_schema::RULE,
    &schema::lookaround_pattern::RULE,
    &schema::missing_input_schema::RULE,
    &schema::missing_param_type::RULE,
    &schema::missing_required_list::RULE,
    &schema::nested_null::RULE,
    &schema::no_properties::RULE,
    &schema::non_string_enum::RULE,
    &schema::open_object::RULE,
    &schema::output_shape::RULE,
    &schema::pagination::RULE,
    &schema::recursive_ref::RULE,
    &schema::r#ref::RULE,
    &schema::root_composition::RULE,
    &schema::sensitive_mcp_header::RULE,
    &schema::too_many_params::RULE,
    &schema::tuple_items::RULE,
    &schema::type_array::RULE,
    &schema::unanchored_pattern::RULE,
    &schema::unbounded_array::RULE,
    &schema::unconstrained_string::RULE,
    &schema::undeclared_enum::RULE,
    &schema::undefined_required::RULE,
    &schema::unknown_schema_keyword::RULE,
    &schema::unresolved_ref::RULE,
    &schema::unsupported_dialect::RULE,
    &annotation::annotation_contradicts_name::RULE,
    &annotation::contradictory_annotations::RULE,
    &annotation::directory_annotations::RULE,
    &annotation::invalid_annotation_type::RULE,
    &annotation::missing_read_only_hint::RULE,
    &annotation::ungated_mutation::RULE,
    &annotation::unknown_annotation::RULE,
    &toolset::confusable_tool_names::RULE,
    &toolset::cross_server_ambiguous::RULE,
    &toolset::cross_server_near_name::RULE,
    &toolset::cross_server_same_name::RULE,
    &toolset::duplicate_description::RULE,
    &toolset::duplicate_tool_name::RULE,
    &toolset::many_tools::RULE,
    &toolset::similar_descriptions::RULE,
    &toolset::token_budget::RULE,
    &toolset::tool_limit::RULE,
    &poisoning::hidden_characters::RULE,
    &probe::authorization_required::RULE,
    &probe::instructions_truncated::RULE,
    &probe::invalid_server_info_name::RULE,
    &probe::malformed_tool::RULE,
    &probe::no_tools::RULE,
    &probe::paginated_list::RULE,
    &probe::pagination_loop::RULE,
    &probe::protocol_error::RULE,
    &probe::protocol_version::RULE,
    &probe::server_failed::RULE,
    &probe::server_timeout::RULE,
    &probe::slow_start::RULE,
    &probe::stdout_noise::RULE,
    &probe::untrusted_server::RULE,
];

/// The rule that says what is not JSON: its fixes are the ones after which a text has to be less broken.
pub const SYNTAX_ERROR: &str = syntax::syntax_error::RULE.name;

/// The rule that says what counts only once: the others speak of the last of equal keys.
pub const DUPLICATE_KEY: &str = syntax::duplicate_key::RULE.name;

/// The rule that says that a server was not asked since nobody has agreed to it.
pub const UNTRUSTED_SERVER: &str = probe::untrusted_server::RULE.name;

/// The rule with this name.
pub fn by_name(name: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.name == name)
}
