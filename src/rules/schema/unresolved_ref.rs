use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::{Reference, Target};
use crate::rules::{Context, Sink};
use crate::syntax::Value;
use crate::text::{Edit, nearest, shown};

rule! {
    /// ## What it does
    /// Finds `$ref`s that name a place of the schema which does not exist, by JSON pointer, `$anchor` or `$id`, or one
    /// that is no schema. Pointers count from the schema of the tool, not from the list.
    ///
    /// ## Why
    /// A validator stops at it, so that the tool cannot be called; some SDKs lose the whole list.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "add_node", "description": "Add a node to the outline and return its position.", "inputSchema": {"type": "object", "properties": {"node": {"$ref": "#/$defs/Nod", "description": "Node to add"}, "parent": {"$ref": "#/$defs/Node", "description": "Node above it"}}, "$defs": {"Node": {"type": "object", "properties": {"label": {"type": "string", "description": "Its label"}}}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "add_node", "description": "Add a node to the outline and return its position.", "inputSchema": {"type": "object", "properties": {"node": {"type": "object", "description": "Node to add", "properties": {"label": {"type": "string", "description": "Its label"}}}}}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe, where a definition has this name elsewhere, or nearly this name: names that one.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 core 8.2.3; XiaomiMiMo/MiMo-Code pull request 1733.
    "unresolved-ref", Schema, Tool(check), Error;
    fix: Unsafe;
    help: "name a place of this schema, such as `#/$defs/NAME`, and define it there";
    since: "0.1.0";
}

/// How many names are guessed in one tool.
const MAX_GUESSES: usize = 50;

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let mut guesses = 0;
    for reference in tool.references().iter() {
        let written = shown(reference.text());
        let range = reference.member.value.range;
        let message = match reference.target {
            Target::Nothing => format!("`{written}` names nothing in this schema"),
            Target::Value(value) if !value.is_object() && value.as_bool().is_none() && value.is_readable() => {
                format!("`{written}` names {}, not a schema", value.kind_name())
            }
            _ => continue,
        };
        guesses += 1;
        match Some(reference).filter(|_| guesses <= MAX_GUESSES).and_then(|reference| meant(tool, reference)) {
            None => out.add(range, message),
            Some(meant) => {
                let edit = Edit::replace(range, serde_json::Value::from(&*meant).to_string());
                let meant = shown(&meant);
                out.add(range, format!("{message}: did you mean `{meant}`?"))
                    .fix(Fix::unsafe_(format!("name `{meant}`"), vec![edit]))
            }
        };
    }
}

/// The definition that is meant: the one of this name, wherever it is looked for, else of nearly this name.
fn meant(tool: &Tool, reference: &Reference) -> Option<String> {
    let root = tool.schema()?;
    let last = reference.text().rsplit(['/', '#']).next()?.replace("~1", "/").replace("~0", "~");
    let names = |key| root.get(key).map(Value::members).unwrap_or_default().iter().map(|member| &*member.key.name);
    let pointer = |key: &str, name: &str| format!("#/{key}/{}", name.replace('~', "~0").replace('/', "~1"));
    let keys = ["$defs", "definitions"];
    let same = keys.iter().find(|key| names(key).any(|name| name == last)).map(|key| pointer(key, &last));
    same.or_else(|| keys.iter().find_map(|key| nearest(&last, names(key)).map(|name| pointer(key, name))))
        .filter(|pointer| pointer != reference.text())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Unsafe;

    #[test]
    fn marks_what_is_named() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/x"}, "y": {"$ref": "#y"}, "z": {"$ref": "#/type"}, "$ref": {"type": "string"}, "v": {"$ref": 1}},
                                                            ^^^^^^^^^^^
                                                                                        ^^^^
                                                                                                             ^^^^^^^^ a string, not a schema
  "type": "object", "$defs": {"v": {}}, "default": {"$ref": "#/$defs/x"}}},
 {"name": "b", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/x"}, "y": {"$ref": "#"}, "z": {"$ref": "https://x.example/y#/z"}}, "$defs": {"x": true}}},
 {"name": "c", "inputSchema": {"$id": "urn:a", "properties": {"x": {"$ref": "urn:a#/none"}}, "$defs": {"a": {"$id": "urn:b"}}}},
                                                                            ^^^^^^^^^^^^^ `urn:a#/none` names nothing in this schema
 {"name": "d", "inputSchema": {"$id": "urn:a", "properties": {"x": {"$ref": "urn:a#/none"}}, "$defs": {"a": {"$id": "urn:a"}}}}]
"##,
        );
    }

    #[test]
    fn the_one_that_is_meant_is_offered() {
        let tool = |reference: &str| {
            format!(
                r##"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{"$ref": "{reference}"}}}}, "$defs": {{"a/Node": {{}}}}}}}}]"##
            )
        };
        for reference in ["#/definitions/a~1Node", "#/$defs/a~1Nod"] {
            check_fix(&RULE, Unsafe, "tools.json", &tool(reference), &tool("#/$defs/a~1Node"));
        }
    }
}
