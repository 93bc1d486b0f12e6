//! Rules about the tools of one list together, or of the servers of one config file. They see facts, not tools, and take
//! time linear in the list.

mod clash;
pub(super) mod confusable_tool_names;
pub(super) mod cross_server_ambiguous;
pub(super) mod cross_server_near_name;
pub(super) mod cross_server_same_name;
pub(super) mod duplicate_description;
pub(super) mod duplicate_tool_name;
pub(super) mod many_tools;
pub(super) mod similar_descriptions;
pub(super) mod token_budget;
pub(super) mod tool_limit;
