use crate::model::Tool;
use crate::rules::{Context, Sink};

rule! {
    /// ## What it does
    /// Finds tools without a description, or with an empty one.
    ///
    /// ## Why
    /// A model decides by the description whether to call a tool. With the name alone it guesses.
    ///
    /// ## Bad
    /// ```json
    /// {"name": "list_files", "inputSchema": {"type": "object", "properties": {}}}
    /// ```
    ///
    /// ## Good
    /// ```json
    /// {"name": "list_files", "description": "List the files of a folder with their sizes.", "inputSchema": {"type": "object", "properties": {}}}
    /// ```
    ///
    /// ## Fix
    /// A suggestion: a first sentence made of the name and the parameters, for you to finish.
    ///
    /// ## Sources
    /// MCP 2026-07-28, server/tools; the providers' guides to tool use ask for a description of every tool.
    "missing-description", Description, Tool(check), Error;
    help: "say in one or two sentences what the tool does, when to use it and what it returns";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    match tool.description() {
        None => {
            out.add(tool.range(), format!("`{}` has no description", tool.label()));
        }
        Some(member) if member.value.as_str().is_some_and(|text| text.trim().is_empty()) => {
            out.add(member.value.range, format!("the description of `{}` is empty", tool.label()));
        }
        Some(_) => {}
    }
}
