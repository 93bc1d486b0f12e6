use super::layout::{indentation, moved};
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::Subschema;
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Place, Value, insert_member, without_member, written_like};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds input schemas with `anyOf`, `oneOf`, `allOf`, `enum` or `not` at their root. Deeper inside they are fine.
    ///
    /// ## Why
    /// JSON Schema and MCP allow it, but providers refuse every request that has such a tool in it, so that one tool
    /// breaks the whole session, and clients that know that leave the tool out.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "read_page", "description": "Read one page, by identifier or by path, and return its text.", "inputSchema": {"type": "object", "properties": {"id": {"type": "string", "description": "Identifier"}, "path": {"type": "string", "description": "Path of the page"}}, "anyOf": [{"required": ["id"]}, {"required": ["path"]}]}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "read_page", "description": "Read one page and return its text. Needs `id` or `path`.", "inputSchema": {"type": "object", "properties": {"id": {"type": "string", "description": "Identifier"}, "path": {"type": "string", "description": "Path of the page"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Suggestions: where branches only say what is required, say that in the description, their properties made those
    /// of all; what stands in an `allOf` goes to the root where nothing there has its keys. Check the rest in the server.
    ///
    /// ## Sources
    /// The answers of Anthropic's and OpenAI's APIs; anthropics/claude-code issue 95504.
    "root-composition", Schema, Tool(check), Error;
    fix: Suggestion;
    help: "move the alternatives into a property, or make them optional and describe which go together";
    since: "0.1.0";
}

const KEYWORDS: [(&str, Feature); 5] = [
    ("anyOf", Feature::RootComposition),
    ("oneOf", Feature::RootComposition),
    ("allOf", Feature::RootComposition),
    ("enum", Feature::RootEnum),
    ("not", Feature::RootEnum),
];

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let (Some(root), Some(schema)) = (tool.schemas().iter().next(), tool.input_schema()) else { return };
    for (keyword, feature) in KEYWORDS {
        let verdicts = cx.verdicts(feature);
        let Some(member) = root.member(keyword).filter(|member| member.value.is_readable()) else { continue };
        if verdicts.is_empty() {
            continue;
        }
        let message = format!("the `{}` of {} has `{keyword}` at its root", schema.key.name, tool.quoted());
        out.add(member.key.range, message).note(verdicts.note()).fix(fix(tool, root, member));
    }
}

fn fix(tool: &Tool, root: &Subschema, member: &Member) -> Option<Fix> {
    let branches = member.value.elements();
    if branches.is_empty() || !branches.iter().all(|branch| !branch.members().is_empty()) {
        return None;
    }
    match &*member.key.name {
        "allOf" => lifted(tool, root, member),
        "anyOf" | "oneOf" => told(tool, root, member),
        _ => None,
    }
}

/// The fix that moves what is in the elements of `allOf` to the root, where no two have a key.
fn lifted(tool: &Tool, root: &Subschema, member: &Member) -> Option<Fix> {
    let mut keys: Vec<&str> = root.value.members().iter().map(|member| &*member.key.name).collect();
    let mut pieces: Vec<String> = Vec::new();
    let to = indentation(tool.text, member.key.range.start);
    for branch in member.value.elements() {
        let (first, last) = (branch.members().first()?, branch.members().last()?);
        let from = indentation(tool.text, first.key.range.start);
        pieces.push(moved(&tool.text[first.key.range.start..last.range().end], from, to));
        keys.extend(branch.members().iter().map(|member| &*member.key.name));
    }
    keys.sort_unstable();
    if keys.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    let edit = Edit::replace(member.range(), pieces.join(", "));
    Some(Fix::suggestion("move what is in `allOf` to the root", vec![edit]))
}

/// The fix that drops the branches, tells of them in the description, and gives their properties to all.
fn told(tool: &Tool, root: &Subschema, member: &Member) -> Option<Fix> {
    const TELLABLE: &[&str] = &["description", "properties", "required", "title", "type"];
    let branches = member.value.elements();
    let keys = || branches.iter().flat_map(Value::members).map(|member| &*member.key.name);
    let description = &tool.description()?.value;
    let text = description.as_str()?.trim_end();
    if !keys().all(|key| TELLABLE.contains(&key)) || !tool.text[description.range.as_usize()].ends_with('"') {
        return None;
    }
    let alternatives: Vec<String> = branches.iter().map(needed).collect::<Option<_>>()?;
    let stop = if text.ends_with(['.', '!', '?']) || text.is_empty() { "" } else { "." };
    let only = if member.key.name.starts_with("one") && alternatives.len() > 1 { ", and only one of them" } else { "" };
    let sentence = format!("{stop} Needs {}{only}.", alternatives.join(" or "));
    let quoted = serde_json::Value::from(sentence).to_string();
    let mut edits = vec![Edit::insert(description.range.end - 1, &quoted[1..quoted.len() - 1])];

    let known = root.get("properties");
    let mut added = serde_json::Map::new();
    for property in branches.iter().filter_map(|branch| branch.get("properties")).flat_map(Value::members) {
        if known.is_none_or(|known| known.get(&property.key.name).is_none()) {
            added.entry(&*property.key.name).or_insert_with(|| property.value.to_json());
        }
    }
    let index = root.value.members().iter().rposition(|other| std::ptr::eq(other, member))?;
    match known {
        None => {
            let properties = written_like(tool.text, root.value, &added.into());
            edits.push(Edit::replace(member.range(), format!("\"properties\": {properties}")));
        }
        Some(known) => {
            edits.extend(without_member(tool.text, root.value, index));
            if known.members().is_empty() && !added.is_empty() {
                edits.push(Edit::replace(known.range, written_like(tool.text, root.value, &added.into())));
            } else {
                let insert =
                    |(name, value): (&String, _)| insert_member(tool.text, known, Place::Behind(&[]), name, value);
                edits.extend(added.iter().map(insert));
            }
        }
    }
    Some(Fix::suggestion(format!("drop `{}` and tell of it in the description", member.key.name), edits))
}

/// What a branch requires, in words; `None` where it requires nothing.
fn needed(branch: &Value) -> Option<String> {
    let names = branch.get("required")?.elements().iter().filter_map(Value::as_str);
    let names: Vec<String> = names.map(|name| format!("`{}`", shown(name))).collect();
    (!names.is_empty()).then(|| names.join(" and "))
}

#[cfg(test)]
mod tests;
