use super::meta::Draft;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds input schemas whose `$schema` names another dialect than JSON Schema 2020-12 or draft-07.
    ///
    /// ## Why
    /// MCP takes a schema without `$schema` for 2020-12, and asks of nobody to know another dialect. The validators that
    /// most clients use know draft-07 as well; at any other name they stop, and the tool cannot be called.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "wait", "description": "Wait before the next step and return the time.", "inputSchema": {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "properties": {"seconds": {"type": "number", "description": "How long to wait"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "wait", "description": "Wait before the next step and return the time.", "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {"seconds": {"type": "number", "description": "How long to wait"}}}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion: declare 2020-12. Whether the keywords mean the same there is for you to see.
    ///
    /// ## Sources
    /// MCP 2026-07-28, server/tools: 2020-12 is the default; ajv-validator/ajv issue 1254.
    "unsupported-dialect", Schema, Tool(check), Warning;
    fix: Suggestion;
    help: "write the schema in JSON Schema 2020-12, and leave `$schema` out or name that";
    since: "0.1.0";
}

/// The URI of the dialect that MCP has by default.
const DEFAULT: &str = "https://json-schema.org/draft/2020-12/schema";

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(value) = tool.schema().and_then(|schema| schema.get("$schema")) else { return };
    let Some(declared) = value.as_str() else { return };
    let message = match Draft::declared(declared) {
        Some(Draft::Draft7 | Draft::Draft202012) => return,
        Some(draft) => format!("few clients know JSON Schema {}", draft.name()),
        None => format!("`{}` is no dialect of JSON Schema that clients know", shown(declared)),
    };
    let edit = Edit::replace(value.range, format!("\"{DEFAULT}\""));
    out.add(value.range, message).fix(Fix::suggestion("declare JSON Schema 2020-12", vec![edit]));
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_dialect() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#"}},
 {"name": "b", "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"a": {"$schema": "x"}}}},
 {"name": "c", "inputSchema": {"$schema": "https://json-schema.org/draft/2019-09/schema"}},
                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ few clients know JSON Schema 2019-09
 {"name": "d", "inputSchema": {"$schema": "https://x.example/mine"}}, {"name": "e", "inputSchema": {"$schema": 1}}]
                                          ^^^^^^^^^^^^^^^^^^^^^^^^ `https://x.example/mine` is no dialect
"#,
        );
    }
}
