use crate::diagnostic::{Fix, Severity};
use crate::model::Root;
use crate::rules::{Context, Document, Sink};
use crate::syntax::Member;
use crate::text::{Edit, TextRange, shown};

rule! {
    /// ## What it does
    /// Finds config files whose servers stand under a key that the client does not read: `mcpServers` in VS Code's
    /// `mcp.json`, `servers` in `.mcp.json`, `mcpServer`, or no key at all.
    ///
    /// ## Why
    /// The file is valid JSON, so nobody complains: the client just shows no servers. Every client has its own key,
    /// and instructions on the web are for one of them.
    ///
    /// ## Bad
    /// ```json .vscode/mcp.json
    /// {"mcpServers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}}
    /// ```
    ///
    /// ## Good
    /// ```json .vscode/mcp.json
    /// {"servers": {"docs": {"command": "uvx", "args": ["docs-server@1.0.0"]}}}
    /// ```
    ///
    /// ## Fix
    /// Safe: renames the key, takes the servers out of a key around it, or puts the key around them. Where another
    /// client reads the file as it is, this is a warning; keep what the client that you use reads.
    ///
    /// ## Sources
    /// The sources of the clients' dialects; microsoft/vscode issue 261857 asks for a map of these keys.
    "wrong-root-key", Config, Document(check), Error;
    fix: Safe;
    help: "put the servers under the key that the client reads";
    since: "0.1.0";
}

fn check(document: &Document, _: &Context, out: &mut Sink) {
    let dialect = document.dialect;
    let root_key = dialect.root_key();
    match document.root {
        Root::Found | Root::Missing => {}
        Root::Foreign(path) => {
            let Some(outer) = document.members().iter().rfind(|member| path.first() == Some(&member.key.name)) else {
                return;
            };
            let written = path.join(".");
            let quoted = shown(&written);
            let other = dialect.other_readers.iter().find(|(key, _)| *key == written).map(|(_, reader)| *reader);
            let severity = if other.is_some() { Severity::Warning } else { RULE.severity };
            let message = format!("`{quoted}` is not read here: {} reads servers under `{root_key}`", dialect.name);
            let finding = out.add_as(severity, outer.key.range, message);
            match other {
                Some(reader) => finding.note(format!(
                    "{reader} reads `{quoted}` in a file of this name; a file for both clients needs both keys"
                )),
                None => finding.note(format!("{} shows none of these servers, and no error", dialect.name)),
            };
            let edits = match (dialect.roots[0], path.as_slice()) {
                ([own], [_]) => Some(vec![Edit::replace(outer.key.range, format!("\"{own}\""))]),
                ([own], [_, inner]) => unwrapped(document, outer, inner, own),
                _ => None,
            };
            finding.fix(edits.map(|edits| Fix::safe(format!("rename `{quoted}` to `{root_key}`"), edits)));
        }
        Root::Bare => {
            let Some(first) = document.members().first() else { return };
            let message = format!("servers stand at the top here: {} reads them under `{root_key}`", dialect.name);
            let finding = out.add(first.key.range, message);
            if let [own] = dialect.roots[0] {
                let fix = wrapped(document, own).map(|edits| Fix::safe(format!("put the servers into `{own}`"), edits));
                finding.fix(fix);
            }
        }
    }
}

/// Takes the servers under `inner` out of the key around them, where nothing is lost by that.
fn unwrapped(document: &Document, outer: &Member, inner: &str, own: &str) -> Option<Vec<Edit>> {
    let text = document.text;
    let members = outer.value.members();
    let (first, last) = (members.first()?, members.last()?);
    let may_move = |member: &Member| {
        let is_taken = document.members().iter().any(|other| other.key.name == member.key.name);
        *member.key.name == *inner
            || !is_taken && document.dialect.root_keys.is_some_and(|keys| keys.contains(&&*member.key.name))
    };
    let start = TextRange::new(outer.key.range.start, first.key.range.start);
    let end = TextRange::new(last.value.range.end, outer.value.range.end);
    let opens = text[outer.key.range.end..start.end].chars().all(|char| char.is_whitespace() || ":{".contains(char));
    let closes = text[end.as_usize()].chars().all(|char| char.is_whitespace() || ",}".contains(char));
    if !members.iter().all(may_move) || !opens || !closes || !document.reading.errors.is_empty() {
        return None;
    }
    let mut edits = vec![Edit::remove(start), Edit::remove(end)];
    let key = members.iter().rfind(|member| *member.key.name == *inner)?.key.range;
    if inner != own {
        edits.push(Edit::replace(key, format!("\"{own}\"")));
    }
    Some(edits)
}

/// Puts `key` around all that the root holds, on lines of its own where the members have lines of their own.
fn wrapped(document: &Document, key: &str) -> Option<Vec<Edit>> {
    let text = document.text;
    let root = document.reading.value.range;
    if !document.reading.errors.is_empty() || !text[root.as_usize()].ends_with('}') {
        return None;
    }
    let (open, close) = (root.start + 1, root.end - 1);
    let before = &text[open..document.members().first()?.key.range.start];
    let line = before.rfind('\n').map_or("", |at| {
        let start = if before[..at].ends_with('\r') { at - 1 } else { at };
        before.get(start..).filter(|line| line.trim().is_empty()).unwrap_or("\n")
    });
    let end = if line.is_empty() { close } else { open + text[open..close].trim_end().len() };
    Some(vec![Edit::insert(open, format!("{line}\"{key}\": {{")), Edit::insert(end, format!("{line}}}"))])
}

#[cfg(test)]
mod tests;
