use crate::rules::toolset::tool_limit::{count, over};
use crate::rules::{Context, Sink, Toolset};

rule! {
    /// ## What it does
    /// Finds lists with more than 40 tools. Where there are more than a client or an API takes, `tool-limit` says so
    /// instead.
    ///
    /// ## Why
    /// Every request carries every tool: they take room and money, and the more there are, the more often a model
    /// chooses the wrong one. The tools of other servers come on top.
    ///
    /// ## Bad
    /// ```json tools.jsonc
    /// [
    ///   {"name": "open_sheet_1", "description": "Open sheet 1 of the workbook.", "inputSchema": {"type": "object", "properties": {}}},
    ///   // … and 39 more
    ///   {"name": "close_workbook", "description": "Close the workbook without saving.", "inputSchema": {"type": "object", "properties": {}}}
    /// ]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "open_sheet", "description": "Open one sheet of the workbook by its number.", "inputSchema": {"type": "object", "properties": {"number": {"type": "integer", "description": "Number of the sheet, from 1"}}}},
    ///  {"name": "close_workbook", "description": "Close the workbook without saving.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// None: which tools can go is for you to say.
    ///
    /// ## Sources
    /// Cursor's limit until 2025 (github.com/bun913/mcp-testrail/issues/6); OpenAI's guide to function calling advises
    /// fewer than 20 at a time. Of 120 public servers, 12 have more.
    "many-tools", Toolset, Toolset(check), Warning;
    help: "leave out what is rarely used, make one tool of several that differ in a parameter, or offer groups to choose from";
    since: "0.1.0";
}

/// More tools than this are many.
const MANY: usize = 40;

fn check(toolset: &Toolset, cx: &Context, out: &mut Sink) {
    let count = count(toolset);
    let Some((first, range)) = toolset.first_named() else { return };
    if count > MANY && over(toolset, cx).is_none() {
        let message = format!("this list has {count} tools, and among more than {MANY} it is hard to choose");
        out.on(first.item).add(range, message);
    }
}
