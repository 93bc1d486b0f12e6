use jsonschema_regex::is_valid_ecma_regex;

use super::pattern::{broken, foreign, slashed};
use crate::diagnostic::{Fix, Severity};
use crate::model::Tool;
use crate::model::schema::Role;
use crate::rules::{Context, Sink};
use crate::text::{Edit, TextRange, shown};

rule! {
    /// ## What it does
    /// Finds a `pattern`, or a key of `patternProperties`, that is no regular expression: a problem where it is broken in
    /// every dialect, a warning where it is not one in JavaScript's Unicode mode, which JSON Schema recommends, or where it stands
    /// between slashes. Nothing is ever matched.
    ///
    /// ## Why
    /// Validators refuse a schema with such a pattern, and the tool with it. Inline flags and Python's named groups work where the server
    /// was written in Python, and nowhere else.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "read_log", "description": "Read the log of an app and return its last lines.", "inputSchema": {"type": "object", "properties": {"app": {"type": "string", "pattern": "^[\\w-.]+$", "description": "Name of the app, as in shop-api"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "read_log", "description": "Read the log of an app and return its last lines.", "inputSchema": {"type": "object", "properties": {"app": {"type": "string", "pattern": "^[\\w.-]+$", "description": "Name of the app, as in shop-api"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe where a `\` is missing or too much, as in `[\w-.]` and `\@`. Unsafe: a named group as JavaScript has it; no
    /// slashes. None where the pattern is broken.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 core 6.4: patterns are ECMA-262's, in Unicode mode.
    "invalid-pattern", Schema, Tool(check), Error;
    fix: Safe;
    help: "write the pattern as JavaScript has it";
    since: "0.1.0";
}

/// Longer patterns are data rather than anybody's writing.
const MAX_LENGTH: usize = 10_000;

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        if let Some((pattern, range)) = schema.get("pattern").and_then(|value| Some((value.as_str()?, value.range))) {
            check_pattern(pattern, range, out);
        }
        if let Role::Named("patternProperties", member) = schema.role {
            check_pattern(&member.key.name, member.key.range, out);
        }
    }
}

/// Whether every reader takes a pattern, and as it is meant.
pub(super) fn is_understood(pattern: &str) -> bool {
    pattern.len() <= MAX_LENGTH && slashed(pattern).is_none() && is_valid_ecma_regex(pattern)
}

fn check_pattern(pattern: &str, range: TextRange, out: &mut Sink) {
    if pattern.len() > MAX_LENGTH {
        return;
    }
    let written = shown(pattern);
    let write = |mended: &str| {
        let edit = Edit::replace(range, serde_json::Value::from(mended).to_string());
        (format!("write `{}`", shown(mended)), vec![edit])
    };
    if let Some((inner, flags)) = slashed(pattern) {
        let (title, edits) = write(inner);
        out.add_as(Severity::Warning, range, format!("the pattern `{written}` stands between slashes"))
            .note("a slash is matched like any other character, and nothing is before a `^` or behind a `$`")
            .fix(flags.is_empty().then(|| Fix::unsafe_(title, edits)));
    } else if is_valid_ecma_regex(pattern) {
        // Most are, and nothing is to be said of them.
    } else if let Some(what) = broken(pattern) {
        out.add(range, format!("the pattern `{written}` is no regular expression: {what}"));
    } else {
        let what = foreign(pattern).map(|(_, what)| what);
        // Groups are unknown in every mode; of escapes and hyphens the other one is lenient.
        let (mode, note) = match what.is_some_and(|what| what.starts_with('(')) {
            true => ("", "JSON Schema has JavaScript's patterns; a server in another language may take this one"),
            false => {
                let note = "JSON Schema recommends this mode: validators that keep to it refuse the pattern, others may \
                            take it";
                (" in Unicode mode", note)
            }
        };
        let message = match what {
            Some(what) => format!("the pattern `{written}` has `{}`, unknown to JavaScript{mode}", shown(what)),
            None => format!("the pattern `{written}` is no regular expression of JavaScript{mode}"),
        };
        let fix = mended(pattern).map(|(mended, is_safe)| {
            let (title, edits) = write(&mended);
            if is_safe { Fix::safe(title, edits) } else { Fix::unsafe_(title, edits) }
        });
        out.add_as(Severity::Warning, range, message).note(note).fix(fix);
    }
}

/// The pattern as Unicode mode takes it, and whether it is the same for all others.
fn mended(pattern: &str) -> Option<(String, bool)> {
    const MAX_MENDED: usize = 20;
    let (mut mended, mut is_safe) = (pattern.to_owned(), true);
    for _ in 0..MAX_MENDED {
        let Some((at, what)) = foreign(&mended) else { break };
        let end = at + what.len();
        let escaped = what.strip_prefix('\\').filter(|rest| rest.len() == 1);
        if what == "(?P<" {
            // Python has no other way to name a group.
            is_safe = false;
            mended.replace_range(at..end, "(?<");
        } else if what.ends_with('-') && what.len() == 3 {
            mended.insert(end - 1, '\\');
        } else if escaped.is_some_and(|char| char.bytes().all(|byte| byte.is_ascii_punctuation())) {
            mended.remove(at);
        } else {
            return None;
        }
    }
    is_valid_ecma_regex(&mended).then_some((mended, is_safe))
}

#[cfg(test)]
mod tests;
