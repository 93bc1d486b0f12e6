//! Rules about the tools of one list together. They see facts, not tools, and take time linear in the list.

pub(super) mod confusable_tool_names;
pub(super) mod duplicate_description;
pub(super) mod duplicate_tool_name;
pub(super) mod many_tools;
pub(super) mod similar_descriptions;
pub(super) mod tool_limit;
