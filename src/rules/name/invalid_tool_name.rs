use crate::diagnostic::{Fix, Severity};
use crate::provider::Feature;
use crate::rules::name::{Style, Taken};
use crate::rules::{Context, Nameless, Sink, Toolset};
use crate::text::{TextRange, shown};

rule! {
    /// ## What it does
    /// Finds tool names that MCP does not allow: empty, longer than 128 characters, or with anything in them but the
    /// letters A to Z, digits, `_`, `-` and `.`. A name that MCP allows and an API refuses is a warning: one with a `.`,
    /// or one of more than 64 characters. It is silent where none of the APIs that you target minds. Finds elements of the list that have no `name`, too, or
    /// one that is no string, and elements that are no objects.
    ///
    /// ## Why
    /// Some clients drop such a tool, some the whole server. Others pass it on, and the model's API answers every
    /// request with an error.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "New Note", "description": "Store a new note and return its path.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "new_note", "description": "Store a new note and return its path.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe, since the server has to follow: renames the tool to a valid form of its name, here and in the
    /// descriptions that speak of it. There is none for a name with letters of other scripts, for one that is too
    /// long, and where another tool of the list has the new name. Safe, where a key is nearly `name`: renames the key.
    ///
    /// ## Sources
    /// MCP 2025-11-25 and 2026-07-28, server/tools, "Tool Names"; OpenAI's API reference, function names:
    /// `^[a-zA-Z0-9_-]{1,64}$`; Anthropic's Messages API, tool names.
    "invalid-tool-name", Name, Toolset(check), Error;
    fix: Unsafe;
    help: "name the tool with 1 to 64 letters A to Z, digits, `_` and `-`, which MCP and every provider allow";
    since: "0.1.0";
}

/// What [`Feature::LongName`] is more than; MCP accepts [`MCP_LENGTH`].
const API_LENGTH: usize = 64;
const MCP_LENGTH: usize = 128;

fn check(toolset: &Toolset, cx: &Context, out: &mut Sink) {
    let mut taken = None;
    for tool in toolset.tools {
        if let Some((why, range)) = &tool.nameless {
            say_nameless(why, *range, out.on(tool.item));
        }
        let Some((name, range)) = &tool.name else { continue };
        let Some(Problem { message, minded }) = problem(name) else { continue };
        match minded.map(|feature| cx.verdicts(feature)) {
            Some(None) => continue,
            Some(Some(verdicts)) => out
                .on(tool.item)
                .add_as(Severity::Warning, *range, message)
                .note(format!("MCP allows the name; {}", verdicts.note())),
            None => out
                .on(tool.item)
                .add(*range, message)
                .note("MCP allows 1 to 128 letters A to Z, digits, `_`, `-` and `.`; not every API takes the last, or more than 64"),
        }
        .fix(
            taken
                .get_or_insert_with(|| Taken::new(toolset, Style::Snake))
                .free(name)
                .map(|new| Fix::rename_tool(name, &new)),
        );
    }
}

fn say_nameless(why: &Nameless, range: TextRange, out: &mut Sink) {
    match why {
        Nameless::Missing => out.add(range, "this tool has no `name`"),
        Nameless::Misspelt { key, name } => {
            // One that is not valid is for a person to mend as a whole.
            let fix = problem(name).is_none().then(|| Fix::rename_key(range, "name"));
            out.add(range, format!("`{}` is no key of a tool: did you mean `name`?", shown(key))).fix(fix)
        }
        Nameless::NoString(kind) => out.add(range, format!("the `name` of this tool is {kind}, not a string")),
        Nameless::NoObject(kind) => {
            let finding = out.add(range, format!("an element of a tool list has to be an object, not {kind}"));
            finding.help = "take the element out of the list, or write a tool in its place";
            finding
        }
    };
}

/// What is wrong with a name.
struct Problem {
    message: String,
    /// Where MCP allows it: what some readers do not.
    minded: Option<Feature>,
}

fn problem(name: &str) -> Option<Problem> {
    let problem = |message: String, minded| Some(Problem { message, minded });
    let is_api = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    if name.is_empty() {
        return problem("the name of the tool is empty".to_owned(), None);
    }
    if let Some(char) = name.chars().find(|char| !is_api(*char) && *char != '.') {
        let what = match char {
            ' ' => "a space".to_owned(),
            _ if !char.is_ascii() && char.is_alphanumeric() => {
                format!("`{char}` (U+{:04X}), which is not ASCII,", u32::from(char))
            }
            _ => format!("`{}`", shown(char.encode_utf8(&mut [0; 4]))),
        };
        return problem(format!("the tool name `{}` has {what} in it", shown(name)), None);
    }
    // Only ASCII is left: bytes are characters.
    let length = name.len();
    if length > MCP_LENGTH {
        return problem(
            format!("the tool name `{}` has {length} characters; {MCP_LENGTH} are allowed", shown(name)),
            None,
        );
    }
    if length > API_LENGTH {
        let message = format!(
            "the tool name `{}` has {length} characters; not every API takes more than {API_LENGTH}",
            shown(name)
        );
        return problem(message, Some(Feature::LongName));
    }
    name.contains('.').then(|| Problem {
        message: format!("the tool name `{}` has a `.` in it, which not every API takes", shown(name)),
        minded: Some(Feature::DottedName),
    })
}

#[cfg(test)]
mod tests;
