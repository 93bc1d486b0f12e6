use super::invalid_pattern::is_understood;
use super::pattern::{has_end, operators};
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::model::schema::Role;
use crate::rules::{Context, Sink};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds patterns that do not start with `^` or do not end with `$`, on each side of a `|`. What other dialects have
    /// for the ends, such as `\A`, is not looked at.
    ///
    /// ## Why
    /// JSON Schema lets a pattern match anywhere in the text, so that `[0-9]+s` takes `about 10seconds`, which is seldom
    /// meant. Servers built on llama.cpp make a grammar of the pattern and refuse every request with one that lacks an
    /// end.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "set_delay", "description": "Set the delay of a job and return the old one.", "inputSchema": {"type": "object", "properties": {"delay": {"type": "string", "pattern": "[0-9]+s", "description": "The delay, such as 5s"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "set_delay", "description": "Set the delay of a job and return the old one.", "inputSchema": {"type": "object", "properties": {"delay": {"type": "string", "pattern": "^[0-9]+s$", "description": "The delay, such as 5s"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe: writes the missing ends and `.*` before them, which takes the same texts as long as they have one line. A
    /// suggestion where neither end is there: holds the whole text to the pattern.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.3.3; ggml-org/llama.cpp issue 26930, containers/kubernetes-mcp-server issue 758.
    "unanchored-pattern", Schema, Tool(check), Information;
    fix: Unsafe;
    help: "start the pattern with `^` and end it with `$`";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let Some(pattern) = schema.get("pattern") else { continue };
        // What is no pattern is another rule's.
        let Some(text) = pattern.as_str().filter(|text| !text.is_empty() && is_understood(text)) else { continue };
        // What must not match is rightly looked for anywhere.
        if tool.schemas().outwards(schema).any(|around| matches!(around.role, Role::Keyword("not" | "if"))) {
            continue;
        }
        let Some(branches) = branches(text) else { continue };
        let count = |has: fn(&Branch) -> bool| branches.iter().filter(|branch| has(branch)).count();
        let [starts, ends] = [count(|branch| branch.has_start), count(|branch| branch.has_end)];
        let is_all = |count: usize| count == branches.len();
        let (missing, note) = match (starts, ends) {
            (starts, ends) if is_all(starts) && is_all(ends) => continue,
            (0, 0) => ("neither starts with `^` nor ends with `$`", "it matches anywhere in the text"),
            (0, ends) if is_all(ends) => ("does not start with `^`", "anything may stand before it"),
            (starts, 0) if is_all(starts) => ("does not end with `$`", "anything may stand behind it"),
            _ => ("has `^` or `$` in some of its branches only", "an end holds for its own side of a `|`"),
        };
        let message = format!("the pattern of {} {missing}", tool.schemas().place(schema));
        let write = |whole: &str| {
            let edit = Edit::replace(pattern.range, serde_json::Value::from(whole).to_string());
            (format!("write `{}`", shown(whole)), vec![edit])
        };
        let (title, edits) = write(&whole(&branches));
        let finding = out.add(pattern.range, message);
        finding.note(note).fix(Fix::unsafe_(title, edits));
        if starts + ends == 0 {
            let grouped = if branches.len() > 1 { format!("(?:{text})") } else { text.to_owned() };
            let (title, edits) = write(&format!("^{grouped}$"));
            finding.fix(Fix::suggestion(format!("hold the whole text to it: {title}"), edits));
        }
    }
}

/// One side of a `|` that stands in no group, without its ends.
struct Branch<'p> {
    inner: &'p str,
    has_start: bool,
    has_end: bool,
}

/// The branches of a pattern; `None` where there are ends elsewhere.
fn branches(pattern: &str) -> Option<Vec<Branch<'_>>> {
    let (mut depth, mut start, mut ends) = (0, 0, 0);
    let mut branches = Vec::new();
    for (at, char) in operators(pattern).chain([(pattern.len(), '|')]) {
        match char {
            '(' => depth += 1,
            ')' => depth -= 1,
            '^' | '$' => ends += 1,
            '|' if depth == 0 => {
                let whole = &pattern[start..at];
                let (has_start, has_end) = (whole.starts_with('^'), has_end(whole));
                ends -= usize::from(has_start) + usize::from(has_end);
                let inner = &whole[usize::from(has_start)..whole.len() - usize::from(has_end)];
                branches.push(Branch { inner, has_start, has_end });
                start = at + 1;
            }
            _ => {}
        }
    }
    (ends == 0).then_some(branches)
}

/// The pattern with both ends, and room for what it lets stand around it.
fn whole(branches: &[Branch]) -> String {
    let has_room = |inner: &str| {
        let last = Vec::from_iter(operators(inner));
        last.ends_with(&[(inner.len().wrapping_sub(2), '.'), (inner.len().wrapping_sub(1), '*')])
    };
    let room = |is_wanted: bool| if is_wanted { ".*" } else { "" };
    let inside = |branch: &Branch| {
        let before = room(!branch.has_start && !branch.inner.starts_with(".*"));
        let behind = room(!branch.has_end && !has_room(branch.inner));
        format!("{before}{}{behind}", branch.inner)
    };
    match branches {
        [one] => format!("^{}$", inside(one)),
        // What all have in common stands around them.
        [first, others @ ..]
            if others.iter().all(|other| (other.has_start, other.has_end) == (first.has_start, first.has_end)) =>
        {
            let inner = Vec::from_iter(branches.iter().map(|branch| branch.inner)).join("|");
            format!("^{}(?:{inner}){}$", room(!first.has_start), room(!first.has_end))
        }
        _ => format!("^(?:{})$", Vec::from_iter(branches.iter().map(inside)).join("|")),
    }
}

#[cfg(test)]
mod tests;
