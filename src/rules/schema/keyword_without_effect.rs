use super::breach::takes;
use super::keywords::{self, speaks_of, with_article};
use crate::diagnostic::{Fix, Tag};
use crate::model::Tool;
use crate::model::schema::{Role, Subschema, Types, takes_named_schemas, takes_schema};
use crate::rules::{Context, Sink};
use crate::syntax::{Member, without_member};

rule! {
    /// ## What it does
    /// Finds keywords that say nothing of values of the `type` beside them, such as `properties` of a string or
    /// `minLength` of an array, and those that need another one that is not there: `then` without `if`.
    ///
    /// ## Why
    /// JSON Schema ignores them. Either the type is wrong, or the keyword is, and the check that somebody wanted is not
    /// made.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "add_tags", "description": "Add tags to a note and return all of them.", "inputSchema": {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}, "minLength": 1, "description": "Tags to add"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "add_tags", "description": "Add tags to a note and return all of them.", "inputSchema": {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "description": "Tags to add"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe where it is `true`, `false` or an empty list, or lacks the keyword that it needs: removes the keyword. Unsafe
    /// elsewhere, for then the type is more likely wrong. Unsafe: the keyword that does the same for the type.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 core 7.6.1: assertions are limited to the types they are about.
    "keyword-without-effect", Schema, Tool(check), Warning;
    fix: Unsafe;
    help: "write the type that is meant, or take the keyword out";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let types = match schema.role {
            // By MCP the input is an object, whatever is said.
            Role::Root => Some(Types::named("object")),
            _ => keywords::types(schema),
        };
        for (index, member) in schema.value.members().iter().enumerate() {
            let keyword = &*member.key.name;
            // What is of the wrong kind is invalid in the first place.
            if !takes(keyword, &member.value) {
                continue;
            }
            let message = if let Some(types) = types.filter(|types| !speaks_of(keyword, *types)) {
                format!("`{keyword}` says nothing of {}", with_article(types))
            } else if let Some(needed) = needs(keyword).filter(|needed| !schema.has(needed)) {
                format!("`{keyword}` has no effect without `{needed}`")
            } else {
                continue;
            };
            let finding = out.add(member.key.range, message);
            finding.tag(Tag::Unnecessary);
            finding.fixes.extend(fixes(tool, schema, member, index, types.unwrap_or(schema.types)));
        }
    }
}

/// The keyword without which another means nothing.
fn needs(keyword: &str) -> Option<&'static str> {
    match keyword {
        "then" | "else" => Some("if"),
        "minContains" | "maxContains" => Some("contains"),
        _ => None,
    }
}

fn fixes(tool: &Tool, schema: &Subschema, member: &Member, index: usize, types: Types) -> Vec<Fix> {
    let keyword = &*member.key.name;
    let edits = without_member(tool.text, schema.value, index);
    // What asks for nothing, or cannot, is noise. All else was written for a type that is not there.
    let is_noise = needs(keyword).is_some()
        || member.value.as_bool().is_some()
        || member.value.is_array() && member.value.elements().is_empty();
    let title = format!("remove `{keyword}`");
    let mut fixes = vec![match is_noise && !holds_schemas(member) {
        true => Fix::safe(title, edits),
        false => Fix::unsafe_(title, edits),
    }];
    let meant = ["Length", "Items", "Properties"].into_iter().find_map(|of| {
        let other = format!("{}{of}", keyword.get(..3)?);
        let is_bound = matches!(keyword.get(3..)?, "Length" | "Items" | "Properties" | "imum");
        (is_bound && speaks_of(&other, types) && !schema.has(&other)).then_some(other)
    });
    let is_count = member.value.as_number().is_some_and(|number| number.fract() == 0.0 && number >= 0.0);
    if let Some(other) = meant.filter(|_| is_count) {
        let mut fix = Fix::rename_key(member.key.range, &other);
        fix.applicability = crate::diagnostic::Applicability::Unsafe;
        // A bound of a number says rather that the type is wrong.
        let at = if keyword.ends_with("imum") { fixes.len() } else { 0 };
        fixes.insert(at, fix);
    }
    fixes
}

fn holds_schemas(member: &Member) -> bool {
    let keyword = &*member.key.name;
    takes_named_schemas(keyword) || takes_schema(keyword) && member.value.is_object()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::{self, Safe, Unsafe};

    #[test]
    fn marks_the_keyword() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "string", "items": {}, "minimum": 1}, "minLength": {"type": ["integer", "null"], "minLength": 1}}}},
                                                                                        ^^^^^^^ `items` says nothing of a string
                                                                                                     ^^^^^^^^^
                                                                                                                                                               ^^^^^^^^^^^ of an integer or null
 {"name": "b", "inputSchema": {"properties": {"x": {"then": {}, "minContains": 1, "contains": {}}, "y": {"type": ["array", "string"], "maxLength": 1, "items": {}}}}},
                                                    ^^^^^^ has no effect without `if`
 {"name": "d", "inputSchema": {"properties": {}, "multipleOf": 2}}, {"name": "e", "inputSchema": {"type": "string", "minLength": 1}},
                                                 ^^^^^^^^^^^^ `multipleOf` says nothing of an object
                                                                                                                    ^^^^^^^^^^^ of an object
 {"name": "c", "inputSchema": {"properties": {"x": {"type": "string", "required": true}, "y": {"type": "int", "items": {}}, "z": {"type": "INTEGER", "minimum": 1, "format": "int32"}, "v": {"minLength": 1, "properties": {}}}}}]
"##,
        );
    }

    #[test]
    fn removes_or_renames() {
        let fixed = |applicability: Applicability, before: &str, after: &str| {
            let tool =
                |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
            check_fix(&RULE, applicability, "tools.json", &tool(before), &tool(after));
        };
        fixed(
            Safe,
            "{\r\n\t\"type\": \"array\",\r\n\t\"additionalProperties\": false\r\n}",
            "{\r\n\t\"type\": \"array\"\r\n}",
        );
        fixed(Unsafe, r#"{"type": "array", "minLength": 1}"#, r#"{"type": "array", "minItems": 1}"#);
        fixed(Unsafe, r#"{"type": "string", "maximum": 9}"#, r#"{"type": "string"}"#);
        fixed(Unsafe, r#"{"type": "string", "properties": {"a": {}}}"#, r#"{"type": "string"}"#);
    }
}
