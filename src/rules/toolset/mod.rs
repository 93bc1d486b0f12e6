//! Rules about the tools of one list together. They see facts, not tools, and take time linear in the list.

pub(super) mod duplicate_description;
pub(super) mod duplicate_tool_name;
