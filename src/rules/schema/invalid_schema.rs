use super::breach::{keyword, message};
use super::meta::{Breach, Draft, breaches};
use crate::model::{Form, Tool};
use crate::rules::{Context, Sink};
use crate::syntax::{Value, resolve};

rule! {
    /// ## What it does
    /// Finds the places where an input schema is no JSON Schema: a type that does not exist, a bound that is no
    /// number, a `required` that is no list. The draft that `$schema` names decides, and 2020-12 where it names none.
    ///
    /// ## Why
    /// Whoever validates the schema first refuses the tool: SDKs when they receive the list, model providers with
    /// every request. Whoever does not ignores the keyword, and the rule that it was meant to be.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "wait", "description": "Wait before the next step and return the time.", "inputSchema": {"type": "object", "properties": {"seconds": {"type": "number", "description": "How long to wait", "exclusiveMinimum": true}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "wait", "description": "Wait before the next step and return the time.", "inputSchema": {"type": "object", "properties": {"seconds": {"type": "number", "description": "How long to wait", "exclusiveMinimum": 0}}}}]
    /// ```
    ///
    /// ## Fix
    /// None: what was meant is not in the list.
    ///
    /// ## Sources
    /// The meta-schemas of JSON Schema draft-04, draft-06, draft-07, 2019-09 and 2020-12; MCP 2026-07-28, server/tools:
    /// 2020-12 is the default.
    "invalid-schema", Schema, Tool(check), Error;
    help: "write the keyword as JSON Schema has it";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(schema) = tool.schema() else { return };
    let draft = Draft::of(schema);
    let mut found: Vec<(String, Breach)> = breaches(schema, draft, tool.form == Form::Function);
    // The type of the root has a rule of its own.
    found.retain(|(pointer, _)| pointer != "/type");
    for (pointer, breach) in &found {
        let Some(value) = resolve(schema, pointer).filter(|value| is_closed(tool.text, value)) else { continue };
        let finding = out.add(value.range, message(schema, pointer, value, *breach));
        match (keyword(schema, pointer), value.as_bool()) {
            (Some("exclusiveMinimum" | "exclusiveMaximum"), Some(_)) => {
                finding.note("only draft-04 has a boolean here; since then it is the bound itself")
            }
            (Some("required"), Some(_)) => finding.note("the object around it lists the names of what is required"),
            (Some("items"), None) if value.is_array() => {
                finding.note("an array of schemas is the form of draft-07 and before; 2020-12 has `prefixItems`")
            }
            _ => finding.note(format!("checked by JSON Schema {}", draft.name())),
        };
    }
}

/// Whether a list or object that is wrong for what it lacks has its end, or somebody is still typing.
fn is_closed(text: &str, value: &Value) -> bool {
    !(value.is_array() || value.is_object()) || text[value.range.as_usize()].ends_with([']', '}'])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_value_of_the_keyword() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "strng"}, "y": {"type": ["string", "nul"]}, "z": "string"}}},
                                                                              ^^^^^^^ `strng` is no type of JSON Schema; did you mean `string`?
                                                                                                      ^^^^^^^^^^^^^^^^^ list of types
                                                                                                                               ^^^^^^^^ the schema of `z` has to be an object, not a string
 {"name": "b", "inputSchema": {"type": "object", "properties": {"x": {"minimum": "1", "required": true}, "required": {"type": "int"}}, "required": ["x", "x"]}},
                                                                                 ^^^ `minimum` has to be a number, not a string
                                                                                                  ^^^^ `required` has to be an array of names, not a boolean
                                                                                                                              ^^^^^ did you mean `integer`?
                                                                                                                                                   ^^^^^^^^^^ the same element twice
 {"name": "c", "inputSchema": {"properties": {"x": {"minLength": -1}, "y": {"anyOf": []}, "e": {"enum": "a"}, "d": {"description": null}}}},
                                                                 ^^ must not be negative
                                                                                     ^^ must not be empty
                                                                                                        ^^^ has to be an array, not a string
                                                                                                                                   ^^^^ has to be a string, not null
 {"name": "d", "inputSchema": {"type": "objekt"}}]
"##,
        );
    }

    #[test]
    fn the_declared_draft_decides() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"x": {"items": [{}]}}}},
 {"name": "b", "inputSchema": {"properties": {"x": {"items": [{}]}}}},
                                                             ^^^^ `items` has to be a schema, not an array
 {"name": "c", "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"x": {"exclusiveMinimum": true}}}},
                                                                                                                                   ^^^^ only draft-04
 {"name": "d", "inputSchema": {"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"x": {"minimum": 1, "exclusiveMinimum": true}}}},
 {"name": "e", "inputSchema": {"$schema": "https://example.org/x", "properties": {"x": {"type": "nope"}}}}]
                                                                                                ^^^^^^
"##,
        );
    }

    #[test]
    fn what_cannot_be_read_and_what_gemini_writes_is_left_alone() {
        check(
            &RULE,
            r#"[{"name": "a", "inputSchema": {"properties": {"x": {"minimum": , "type": strin}, "y": {"type": [}}}}]"#,
        );
        check(
            &RULE,
            r#"
[{"name": "a", "description": "d", "parameters": {"type": "OBJECT", "properties": {"x": {"type": "STRING", "nullable": true}, "y": {"type": "String", "multipleOf": 0}}}}]
                                                                                                                                            ^^^^^^^^
                                                                                                                                                                    ^
"#,
        );
    }
}
