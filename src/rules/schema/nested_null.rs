use super::meta::Draft;
use super::nullable::{is_null_by_default, is_optional, without_null};
use super::places::{Places, Remedy};
use crate::diagnostic::Applicability;
use crate::model::Tool;
use crate::model::schema::Subschema;
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Value, without_element};
use crate::text::Edit;

rule! {
    /// ## What it does
    /// Finds parameters that may be left out and take null as well, by an `anyOf` or `oneOf`; one finding for all of a
    /// tool.
    ///
    /// ## Why
    /// Two ways to say the same. The model reads a nested schema where a type would do, at three times the tokens, and
    /// some converters to OpenAPI lose what is inside. Most servers in Python have it, since it is what their SDK makes
    /// of `Optional`.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_users", "description": "List the users of a workspace with their roles.", "inputSchema": {"type": "object", "properties": {"prefix": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null, "description": "What the names start with"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_users", "description": "List the users of a workspace with their roles.", "inputSchema": {"type": "object", "properties": {"prefix": {"type": "string", "description": "What the names start with"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe where null is the default: what the parameter takes beside null moves out of the `anyOf`. Unsafe elsewhere:
    /// null may mean something of its own, such as to empty a field.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.5.3: what is not in `required` may be left out; pydantic's schema of `Optional`.
    "nested-null", Schema, Tool(check), Information;
    fix: Safe;
    help: "let a caller leave the parameter out, and take null out of its schema";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let mut places = Places::default();
    for schema in tool.schemas() {
        let null_of = |union: &Member| {
            let branches = union.value.elements();
            branches.iter().position(is_null).filter(|_| branches.len() > 1)
        };
        let mut unions = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.member(keyword));
        let Some((union, null)) = unions.find_map(|union| Some((union, null_of(union)?))) else { continue };
        if is_optional(tool.schemas(), schema) {
            places.add(tool.schemas().place(schema), union.key.range, remedy(tool, schema, union, null));
        }
    }
    let message = |names: &str, are_several: bool| match are_several {
        true => format!("{names} take null, and may be left out as well"),
        false => format!("{names} takes null, and may be left out as well"),
    };
    let title = |applicability: Applicability| match applicability {
        Applicability::Safe => "take null out: to leave the parameter out says the same".to_owned(),
        _ => "take null out".to_owned(),
    };
    places.report(out, message, title);
}

/// Whether a schema says "null" and nothing else.
fn is_null(schema: &Value) -> bool {
    let is_said = |member: &Member| matches!(&*member.key.name, "type" | "title" | "description");
    schema.get("type").and_then(Value::as_str).is_some_and(|name| name.eq_ignore_ascii_case("null"))
        && schema.members().iter().all(is_said)
}

fn remedy(tool: &Tool, schema: &Subschema, union: &Member, null: usize) -> Option<Remedy> {
    if schema.has("enum") || schema.has("const") {
        return None;
    }
    let mut edits = match union.value.elements() {
        [_, _] => {
            vec![Edit::replace(union.range(), unwrapped(tool, schema, union, &union.value.elements()[1 - null])?)]
        }
        _ => without_element(tool.text, &union.value, null),
    };
    edits.extend(without_null(tool.text, schema));
    Some(Remedy::new(is_null_by_default(schema), edits))
}

/// The members of the one `branch` beside null as members of the schema around it, in the layout of that one. `None`
/// where the two say different things by the same keyword, or a comment would be lost.
fn unwrapped(tool: &Tool, schema: &Subschema, union: &Member, branch: &Value) -> Option<String> {
    let has_deaf_siblings = matches!(Draft::of(tool.schema()?), Draft::Draft4 | Draft::Draft6 | Draft::Draft7);
    if branch.get("$ref").is_some() && has_deaf_siblings {
        return None;
    }
    let text = tool.text;
    let mut out = String::new();
    for (index, member) in branch.members().iter().enumerate() {
        match schema.get(&member.key.name) {
            Some(_) if member.key.name == union.key.name => {}
            Some(own) if own.to_json() == member.value.to_json() => continue,
            Some(_) => return None,
            None => {}
        }
        if !out.is_empty() {
            out.push_str(&text[branch.members()[index - 1].range().end..member.range().start]);
        }
        out.push_str(&text[member.range().as_usize()]);
    }
    let around = [&text[union.range().start..branch.range.start], &text[branch.range.end..union.range().end]];
    let has_comment = around.into_iter().any(|text| text.contains("//") || text.contains("/*"));
    if out.is_empty() || has_comment {
        return None;
    }
    let indentation = |member: &Member| line_start(text, member.key.range.start);
    Some(match (indentation(branch.members().first()?), indentation(union)) {
        (Some(inner), Some(outer)) => out.replace(inner, outer),
        _ => out,
    })
}

/// The line break and white space before `offset`, where there is nothing else on its line.
fn line_start(text: &str, offset: usize) -> Option<&str> {
    let space = text[..offset].trim_end_matches([' ', '\t']).len();
    text[..space].ends_with('\n').then(|| &text[space - 1..offset])
}

#[cfg(test)]
mod tests;
