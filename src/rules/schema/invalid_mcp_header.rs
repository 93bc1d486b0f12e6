use rustc_hash::FxHashMap;

use crate::diagnostic::Severity;
use crate::model::schema::{Role, Schemas, Subschema};
use crate::model::{Form, Tool};
use crate::rules::{Context, Sink};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds `x-mcp-header` where MCP does not allow it. Its value becomes the name of an HTTP header, `Mcp-Param-…`: a
    /// string of letters, digits and ``!#$%&'*+-.^_`|~``, for one parameter only, capitals aside. The parameter is a
    /// string, an integer or a boolean, and reached from the root through `properties` alone.
    ///
    /// ## Why
    /// Clients that speak HTTP have to leave the tool out of the list, and the server does not learn of it.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "run_query", "description": "Run a query in a region and return its rows.", "inputSchema": {"type": "object", "properties": {"region": {"type": "string", "description": "Where to run it", "x-mcp-header": "The Region"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "run_query", "description": "Run a query in a region and return its rows.", "inputSchema": {"type": "object", "properties": {"region": {"type": "string", "description": "Where to run it", "x-mcp-header": "Region"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// None: whoever reads the header has to know its name.
    ///
    /// ## Sources
    /// MCP 2026-07-28, basic/transports/streamable-http, custom headers from tool parameters; RFC 9110 section 5.6.2.
    "invalid-mcp-header", Schema, Tool(check), Error;
    help: "give each header a name of its own, on a string, an integer or a boolean that only `properties` lead to";
    since: "0.1.0";
}

/// Keywords that say of what types a value may be.
const SAYING_TYPES: &[&str] = &["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"];

/// The keyword.
pub(super) const KEYWORD: &str = "x-mcp-header";

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    if tool.form != Form::Mcp {
        return;
    }
    let schemas = tool.schemas();
    let mut first = FxHashMap::default();
    for schema in schemas {
        let Some(member) = schema.member(KEYWORD).filter(|member| member.value.is_readable()) else { continue };
        let mut add = |message: String| {
            let finding = out.add(member.value.range, message);
            finding.note("clients that speak HTTP have to leave the tool out");
        };
        let name = member.value.as_str();
        match name {
            None => add(format!("the name of a header has to be a string, not {}", member.value.kind_name())),
            Some("") => add("the name of a header must not be empty".to_owned()),
            Some(name) if !name.bytes().all(is_token) => {
                add(format!("`{}` has characters that no name of a header may have", shown(name)));
            }
            Some(_) => {}
        }
        let place = schemas.place(schema);
        if let Some(around) = obstacle(schemas, schema) {
            add(match around.role {
                Role::Root => "a header is for a parameter, not for all of the input".to_owned(),
                Role::Keyword(keyword) | Role::Named(keyword, _) => {
                    format!(
                        "{place} is under `{}`, and only a parameter under nothing but `properties` has a header",
                        shown(keyword)
                    )
                }
                Role::Property(_) => continue,
            });
        } else if let Some(kind) = ["number", "array", "object"].into_iter().find(|kind| schema.types.contains(kind)) {
            add(format!("{place} takes the type `{kind}`, and a header holds a string, an integer or a boolean"));
        } else if !SAYING_TYPES.iter().any(|keyword| schema.has(keyword)) {
            out.add_as(Severity::Warning, member.value.range, format!("{place} has a header, and no `type`"))
                .note("a header holds a string, an integer or a boolean, and this may be anything");
        }
        let Some(name) = name.filter(|name| !name.is_empty()) else { continue };
        let earlier = *first.entry(name.to_ascii_lowercase()).or_insert(member.value.range);
        if earlier != member.value.range {
            out.add(member.value.range, format!("another parameter has the header `{}`, too", shown(name)))
                .related(earlier, "the first of this name")
                .note("clients that speak HTTP have to leave the tool out");
        }
    }
}

/// Whether a byte may be in a token of HTTP.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Why a schema is no parameter that only `properties` lead to: the schema itself or the nearest one around it that is
/// no property, unless that is the root around it.
fn obstacle<'s, 'v>(schemas: &'s Schemas<'v>, schema: &'s Subschema<'v>) -> Option<&'s Subschema<'v>> {
    let is_property = |around: &&Subschema| matches!(around.role, Role::Property(_));
    if !is_property(&schema) {
        return Some(schema);
    }
    schemas.outwards(schema).find(|around| !is_property(around)).filter(|around| !matches!(around.role, Role::Root))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_name() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"properties": {"a": {"type": "string", "x-mcp-header": "R"}, "b": {"type": "integer", "x-mcp-header": "r"}, "c": {"type": "number", "x-mcp-header": "N"},
                                                                                                                                     ^^^ another parameter has the header `r`
                                                                                                                                                                                   ^^^ `c` takes the type `number`
  "d": {"$ref": "", "x-mcp-header": ""}, "e": {"$ref": "", "x-mcp-header": 1}, "f": {"enum": [], "x-mcp-header": "a b"}, "g": {"const": 1, "x-mcp-header": "é"}, "h": {"type": ["boolean", "null"], "x-mcp-header": "H"},
                                    ^^                                     ^                                     ^^^^^                                     ^^^
  "i": {"properties": {"j": {"type": "string", "x-mcp-header": "J"}}}, "k": {"items": {"type": "string", "x-mcp-header": "K"}}, "x-mcp-header": {"type": "array"}}}},
                                                                                                                         ^^^ is under `items`, and only a parameter
 {"name": "c", "inputSchema": {"properties": {"x": {"x-mcp-header": "A"}}}},
                                                                    ^^^ `x` has a header, and no `type`
 {"name": "b", "inputSchema": {"x-mcp-header": "B", "properties": {"x": {"anyOf": [{"type": "string", "x-mcp-header": "A"}]}}}}]
                                               ^^^
                                                                                                                      ^^^
"#,
        );
    }
}
