use super::meta::{Breach, Draft, breaches};
use crate::model::schema::TYPES;
use crate::model::{Form, Tool};
use crate::rules::{Context, Sink};
use crate::syntax::{Value, resolve};
use crate::text::{nearest, shown};

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

/// The keyword that a pointer ends with; `None` where it ends with the name of a property or the like, or an index.
fn keyword<'p>(schema: &Value, pointer: &'p str) -> Option<&'p str> {
    let (parent, last) = pointer.rsplit_once('/')?;
    let is_named = |part: &str| {
        matches!(
            part,
            "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas" | "dependencies"
        )
    };
    let (_, container) = parent.rsplit_once('/').unwrap_or_default();
    let is_name = is_named(container) && keyword(schema, parent).is_some();
    let is_index = resolve(schema, parent).is_some_and(Value::is_array);
    (!is_name && !is_index).then_some(last)
}

fn message(schema: &Value, pointer: &str, value: &Value, breach: Breach) -> String {
    let (parent, last) = pointer.rsplit_once('/').unwrap_or_default();
    let Some(keyword) = keyword(schema, pointer) else {
        // A named schema, or the element of a list.
        let list = self::keyword(schema, parent);
        let last = last.replace("~1", "/").replace("~0", "~");
        return match list {
            Some("type") => unknown_type(value),
            Some("required") => format!("`required` lists names, and this is {}", value.kind_name()),
            Some("properties") => {
                format!("the schema of `{}` has to be an object, not {}", shown(&last), value.kind_name())
            }
            Some(list) => format!("`{}` has to hold schemas, and this is {}", shown(list), value.kind_name()),
            None => format!("this has to be a schema, not {}", value.kind_name()),
        };
    };
    match breach {
        Breach::Empty => format!("`{keyword}` must not be empty"),
        Breach::Repeated => format!("`{keyword}` has the same element twice"),
        Breach::TooSmall if keyword == "multipleOf" => "`multipleOf` has to be more than 0".to_owned(),
        Breach::TooSmall => format!("`{keyword}` must not be negative"),
        Breach::Kind if keyword == "type" => unknown_type(value),
        Breach::Kind | Breach::Other => match expected(keyword) {
            Some(expected) if describes(value, expected) => format!("this `{keyword}` is not valid"),
            Some(expected) => format!("`{keyword}` has to be {expected}, not {}", value.kind_name()),
            None => format!("`{}` must not be {} here", shown(keyword), value.kind_name()),
        },
    }
}

fn unknown_type(value: &Value) -> String {
    match value.as_str() {
        None if value.is_array() => "this list of types is not valid".to_owned(),
        None => format!("a `type` has to be the name of one, not {}", value.kind_name()),
        Some(name) => {
            let meant = if matches!(name, "int" | "long") { Some("integer") } else { None }
                .or_else(|| matches!(name, "float" | "double" | "decimal").then_some("number"))
                .or_else(|| matches!(name, "str" | "text" | "date").then_some("string"))
                .or_else(|| matches!(name, "list" | "tuple").then_some("array"))
                .or_else(|| matches!(name, "dict" | "map" | "json").then_some("object"))
                .or_else(|| nearest(name, TYPES));
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            format!("`{}` is no type of JSON Schema{meant}", shown(name))
        }
    }
}

/// What the value of a keyword has to be.
fn expected(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "a number",
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => "a whole number",
        "title" | "description" | "$comment" | "format" | "pattern" | "$ref" | "$id" | "$schema" | "$anchor"
        | "contentEncoding" | "contentMediaType" => "a string",
        "uniqueItems" | "readOnly" | "writeOnly" | "deprecated" => "a boolean",
        "required" => "an array of names",
        "enum" | "examples" => "an array",
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => "an array of schemas",
        "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas" => "an object of schemas",
        "items"
        | "additionalProperties"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "additionalItems" => "a schema",
        _ => return None,
    })
}

/// Whether a value is what it has to be, so that something else must be wrong with it.
fn describes(value: &Value, expected: &str) -> bool {
    expected == value.kind_name() || expected.starts_with(value.kind_name()) && !expected.ends_with("number")
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
[{"name": "a", "parameters": {"type": "OBJECT", "properties": {"x": {"type": "STRING", "nullable": true}, "y": {"type": "String", "multipleOf": 0}}}}]
                                                                                                                        ^^^^^^^^
                                                                                                                                                ^
"#,
        );
    }
}
