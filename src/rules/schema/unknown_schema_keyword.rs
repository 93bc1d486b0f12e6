use super::breach::takes;
use super::keywords::{all, speaks_of};
use crate::diagnostic::{Applicability, Fix};
use crate::model::Tool;
use crate::model::schema::{Role, Subschema, Types};
use crate::rules::{Context, Sink};
use crate::syntax::Member;
use crate::text::{nearest, shown};

rule! {
    /// ## What it does
    /// Finds keys of a schema that are nearly a keyword, with a value that the keyword takes: a slip, other capitals, or
    /// another way to join the words. All other keys that JSON Schema does not know are left alone.
    ///
    /// ## Why
    /// JSON Schema ignores what it does not know, without a word. The check that was wanted is not made, and with
    /// `propeties` the tool has no parameters.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_orders", "description": "List the latest orders with their totals.", "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer", "minimun": 1, "description": "How many"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_orders", "description": "List the latest orders with their totals.", "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer", "minimum": 1, "x-unit": "orders", "description": "How many"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe where one letter is wrong, or only capitals and joints: renames the key. Unsafe where two are.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 core 6.5: unknown keywords are annotations.
    "unknown-schema-keyword", Schema, Tool(check), Warning;
    fix: Safe;
    help: "write the keyword as JSON Schema has it";
    since: "0.1.0";
}

/// Keys that OpenAPI, editors and generators of forms and schemas add.
const OTHERS: &[&str] = &[
    "description",
    "discriminator",
    "enumDescriptions",
    "enumNames",
    "errorMessage",
    "example",
    "formatMaximum",
    "formatMinimum",
    "id",
    "markdownDescription",
    "nullable",
    "optional",
    "propertyOrdering",
];

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let mut taken: Vec<&str> = Vec::new();
        for member in schema.value.members() {
            let key = &*member.key.name;
            if all().any(|keyword| keyword == key) || OTHERS.contains(&key) || key.starts_with("x-") {
                continue;
            }
            // Of two slips for one keyword, one at most can be it.
            let Some(meant) = meant(schema, member).filter(|meant| !taken.contains(meant)) else { continue };
            taken.push(meant);
            let mut fix = Fix::rename_key(member.key.range, meant);
            if !is_one_slip(key, meant) {
                fix.applicability = Applicability::Unsafe;
            }
            let written = shown(key);
            out.add(member.key.range, format!("`{written}` is no keyword of a schema: did you mean `{meant}`?"))
                .note("JSON Schema ignores keys that it does not know")
                .fix(fix);
        }
    }
}

/// The keyword that is meant, where the schema lacks it and it would say something here.
fn meant(schema: &Subschema, member: &Member) -> Option<&'static str> {
    let key = &*member.key.name;
    let same_letters = || all().find(|keyword| letters(keyword).eq(letters(key)));
    let meant = same_letters().or_else(|| nearest(key, all()))?;
    let types = if matches!(schema.role, Role::Root) { Types::named("object") } else { schema.types };
    let is_wanted = types.is_empty() || speaks_of(meant, types);
    let is_reference = meant != "$ref" || member.value.as_str().is_some_and(|text| text.starts_with('#'));
    (is_wanted && is_reference && !schema.has(meant) && takes(meant, &member.value)).then_some(meant)
}

/// The letters of a key in lower case: `min_length` and `minLength` have the same.
fn letters(key: &str) -> impl Iterator<Item = char> {
    key.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase)
}

fn is_one_slip(key: &str, meant: &str) -> bool {
    strsim::damerau_levenshtein(key, meant) <= 1 || letters(key).eq(letters(meant))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::{self, Safe, Unsafe};

    #[test]
    fn marks_the_key() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"type": "object", "propeties": {"x": {"tpye": "string", "enums": ["a"]}}, "requried": ["x"]}},
                                                 ^^^^^^^^^^^ did you mean `properties`?
                                                                                                         ^^^^^^^^^^ did you mean `required`?
 {"name": "b", "inputSchema": {"properties": {"minimun": {"minimun": 1, "tpye": "string", "min_length": 2, "anyof": [{}]}, "y": {"ref": "#/$defs/y"}}}},
                                                          ^^^^^^^^^ did you mean `minimum`?
                                                                        ^^^^^^ did you mean `type`?
                                                                                          ^^^^^^^^^^^^ did you mean `minLength`?
                                                                                                           ^^^^^^^ did you mean `anyOf`?
                                                                                                                                 ^^^^^ did you mean `$ref`?
 {"name": "d", "inputSchema": {"properties": {"x": {"titel": "a", "titles": "b"}}}},
                                                    ^^^^^^^ did you mean `title`?
 {"name": "c", "inputSchema": {"properties": {"x": {"x-enums": ["a"], "tpye": "text", "type": "string", "minimun": 1, "items": {"note": "a"}, "ref": "docs", "example": 1, "title": "a", "nullable": true, "item": {}}}, "item": {"type": "string"}}}]
"##,
        );
    }

    #[test]
    fn renames_it() {
        let fixed = |applicability: Applicability, before: &str, after: &str| {
            let tool =
                |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
            check_fix(&RULE, applicability, "tools.json", &tool(before), &tool(after));
        };
        fixed(Safe, r#"{"max_items": 1}"#, r#"{"maxItems": 1}"#);
        fixed(Safe, r#"{"defualt": 1}"#, r#"{"default": 1}"#);
        fixed(Unsafe, r#"{"propretis": {}}"#, r#"{"properties": {}}"#);
    }
}
