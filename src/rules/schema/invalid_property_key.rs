use std::cell::LazyCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::Fix;
use crate::model::{Form, Tool};
use crate::provider::Feature;
use crate::rules::{Context, Sink};
use crate::syntax::Value;
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds parameters whose names have other characters than ASCII letters, digits, `_`, `.` and `-`, or more than 64
    /// of them. Properties inside parameters may be called anything.
    ///
    /// ## Why
    /// Anthropic's API refuses every request that has such a tool in it, and with it all other tools.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_calls", "description": "List phone calls of a period and return their lengths.", "inputSchema": {"type": "object", "properties": {"start<": {"type": "string", "description": "Calls before this time"}}, "required": ["start<"], "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_calls", "description": "List phone calls of a period and return their lengths.", "inputSchema": {"type": "object", "properties": {"start_lt": {"type": "string", "description": "Calls before this time"}}, "required": ["start_lt"], "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe: renames the parameter, in `required`, too. The server has to take the new name.
    ///
    /// ## Sources
    /// The answer of Anthropic's API: property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'; twilio-labs/mcp issue
    /// 56, aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws issue 709: the first level only.
    "invalid-property-key", Schema, Tool(check), Error;
    fix: Unsafe;
    help: "name the parameter with letters, digits, `_`, `.` and `-`, and map the name back in the server";
    since: "0.1.0";
}

/// The most characters that a name may have.
const MAX: usize = 64;

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let Some(verdicts) = cx.verdicts(Feature::PropertyKey) else { return };
    let Some(properties) = tool.schema().and_then(|schema| schema.get("properties")) else { return };
    // A list for OpenAI or Gemini, whose `parameters` Anthropic never sees.
    if tool.form == Form::Function {
        return;
    }
    let names = LazyCell::new(|| FxHashSet::from_iter(properties.members().iter().map(|member| &*member.key.name)));
    let required = tool.schema().and_then(|schema| schema.get("required")).map_or(&[][..], Value::elements);
    let required = LazyCell::new(|| {
        let named = required.iter().filter_map(|element| Some((element.as_str()?, element.range)));
        FxHashMap::from_iter(named)
    });
    for property in properties.members() {
        let (name, range) = (&*property.key.name, property.key.range);
        // A reference that stands a level too deep, of which another rule tells.
        if name == "$ref" && property.value.as_str().is_some() {
            continue;
        }
        let message = if name.is_empty() {
            "a parameter has an empty name".to_owned()
        } else if !name.chars().all(is_allowed) {
            format!("the name `{}` has other characters than letters, digits, `_`, `.` and `-`", shown(name))
        } else if name.len() > MAX {
            format!("the name `{}` has {} characters, and {MAX} are allowed", shown(name), name.len())
        } else {
            continue;
        };
        let finding = out.add(range, message);
        finding.note(verdicts.note());
        if let Some(to) = renamed(name).filter(|to| !names.contains(&**to)) {
            let places = std::iter::once(range).chain(required.get(name).copied());
            let edits = places.map(|range| Edit::replace(range, format!("\"{to}\"")));
            finding.fix(Fix::unsafe_(format!("rename to `{to}`"), edits.collect()));
        }
    }
}

fn is_allowed(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '_' | '.' | '-')
}

/// The nearest name that is allowed; `None` where letters would be lost.
fn renamed(name: &str) -> Option<String> {
    let mut out = String::new();
    for (index, char) in name.char_indices() {
        let is_or_equal = || name[index..].chars().nth(1) == Some('=');
        match char {
            _ if is_allowed(char) => out.push(char),
            _ if char.is_alphanumeric() => return None,
            '<' | '>' => {
                out.push_str(if char == '<' { "_lt" } else { "_gt" });
                out.push_str(if is_or_equal() { "e" } else { "" });
            }
            _ if out.ends_with(['_', '.', '-']) => {}
            _ => out.push('_'),
        }
    }
    let out = out.trim_matches('_');
    (!out.is_empty() && out.len() <= MAX).then(|| out.to_owned())
}

#[cfg(test)]
mod tests;
