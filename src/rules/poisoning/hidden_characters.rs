use super::hidden::{code_points, command_length, hidden, runs, spelled};
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::syntax::{Member, Value, ValueKind, characters};
use crate::text::{Edit, TextRange, shown};

rule! {
    /// ## What it does
    /// Finds characters that nobody sees in any text of a tool: zero-width characters, marks that turn the direction of
    /// what follows, variation selectors outside emoji, the tag block, commands to a terminal and other control
    /// characters but tab and the ends of lines. An escape such as `\u200b` counts, and so does one of half a surrogate
    /// pair. Where an emoji or a script needs such a character it is left alone, and so is the soft hyphen.
    ///
    /// ## Why
    /// A model reads them. They can hold whole instructions that a person who reviews the tool does not see, split a
    /// word so that no filter finds it, or show a text in another order. Those that came by copying make two names
    /// that look the same differ.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "get_weather", "description": "Fetch the weather\u200b of a city.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "get_weather", "description": "Fetch the weather of a city. ❤️", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: removes them. Unsafe in names, keys and values that the server compares, since it has to follow, and
    /// where nothing else stands there.
    ///
    /// ## Sources
    /// Unicode Technical Standard 39 and 51; ECMA-48; published attacks with the tag block, with variation selectors
    /// and with escape sequences of terminals.
    "hidden-characters", Poisoning, Tool(check), Error;
    fix: Safe;
    help: "remove the characters, and find out where they came from";
    since: "0.1.0";
}

/// Further runs that one finding names.
const RELATED: usize = 8;
/// Keys whose text a person or model reads, and nobody compares.
const PROSE: &[&str] = &["description", "title", "$comment", "examples"];

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    if !may_hide(tool.text) {
        return;
    }
    visit(tool, tool.element, &mut Vec::new(), out);
}

/// Whether a text as it is written can stand for anything but printed ASCII. Most tools end here.
fn may_hide(raw: &str) -> bool {
    let bytes = raw.as_bytes();
    let is_escaped = |at: usize| matches!(bytes.get(at + 1), Some(b'u' | b'b' | b'f'));
    bytes.iter().any(|byte| !matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~'))
        || memchr::memchr_iter(b'\\', bytes).any(is_escaped)
}

fn visit<'v>(tool: &Tool<'v>, value: &'v Value, path: &mut Vec<&'v str>, out: &mut Sink) {
    match &value.kind {
        ValueKind::String(_) => {
            let key = path.last().copied().unwrap_or_default();
            let is_prose = PROSE.contains(&key);
            string(tool, value.range, &format!("`{}`", shown(key)), is_prose, &[], out);
        }
        ValueKind::Array(elements) => elements.iter().for_each(|element| visit(tool, element, path, out)),
        ValueKind::Object(members) => {
            for member in members {
                let name = shown(&member.key.name);
                string(tool, member.key.range, &format!("the key `{name}`"), false, members, out);
                path.push(&member.key.name);
                visit(tool, &member.value, path, out);
                path.pop();
            }
        }
        _ => {}
    }
}

/// `members` are those of the object whose key it is.
fn string(tool: &Tool, range: TextRange, place: &str, is_prose: bool, members: &[Member], out: &mut Sink) {
    if !tool.text.get(range.as_usize()).is_some_and(may_hide) {
        return;
    }
    let (text, ranges): (Vec<char>, Vec<TextRange>) = characters(tool.text, range).unzip();
    let mut marks = hidden(&text);
    let half_at =
        |index: usize| (text[index] == char::REPLACEMENT_CHARACTER).then(|| half(tool.text, ranges[index]))?;
    (0..text.len()).for_each(|index| marks[index] |= half_at(index).is_some());
    let hidden = || (0..text.len()).filter(|index| marks[*index]);
    let found: Vec<char> = hidden().map(|index| text[index]).collect();
    let runs = runs(&marks, &ranges);
    let Some(first) = runs.first() else { return };
    let count = match found.len() {
        1 => "a hidden character".to_owned(),
        count => format!("{count} hidden characters"),
    };
    // What a command to a terminal is made of besides is ASCII.
    let codes = hidden().filter(|index| !matches!(text[*index], ' '..='~'));
    let codes = code_points(codes.map(|index| half_at(index).unwrap_or(text[index].into())));
    let mut message = format!("{count} in {place}: {codes}");
    if let Some(text) = spelled(&found) {
        message.push_str(&format!(", which spell `{}`", shown(&text)));
    }
    let edits = runs.iter().map(|run| Edit::remove(*run)).collect();
    let title = if found.len() == 1 { "remove the hidden character" } else { "remove the hidden characters" };
    // Where nobody sees anything else, nothing is left.
    let leaves_text = text.iter().zip(&marks).any(|(char, hidden)| !hidden && !char.is_whitespace());
    let fix = if is_prose && leaves_text { Fix::safe(title, edits) } else { Fix::unsafe_(title, edits) };
    let seen: String = text.iter().zip(&marks).filter(|(_, hidden)| !**hidden).map(|(char, _)| *char).collect();
    let is_taken = members.iter().any(|member| *member.key.name == *seen);
    let finding = out.add(*first, message).fix(Some(fix).filter(|_| !is_taken));
    if !is_prose {
        finding.note("the server has to write it without them, too");
    }
    let command = hidden().map(|index| &text[index..]).find(|text| command_length(text) > 0);
    if let Some(command) = command {
        let command: String = command[..command_length(command)].iter().collect();
        finding.note(format!("a terminal obeys `{}` and shows nothing of it", shown(&command)));
    }
    if hidden().any(|index| half_at(index).is_some()) {
        finding.note("half a surrogate pair is no text: programs that write UTF-8 fail on it or drop it");
    }
    for run in runs.iter().skip(1).take(RELATED) {
        finding.related(*run, "hidden, too");
    }
}

/// The half of a surrogate pair that an escape stands for.
fn half(text: &str, range: TextRange) -> Option<u32> {
    let code = u32::from_str_radix(text.get(range.as_usize())?.strip_prefix("\\u")?, 16).ok()?;
    (0xD800..=0xDFFF).contains(&code).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::{Safe, Unsafe};

    #[test]
    fn a_key_does_not_become_one_that_is_there() {
        let text = r#"[{"name": "a", "inputSchema": {"properties": {"p\u200b": {}, "p": {}}}}]"#;
        assert_eq!(findings(Ruleset::only(&RULE), "tools.json", text)[0].fixes, []);
    }

    #[test]
    fn marks_the_first_run_of_each_text() {
        check(
            &RULE,
            r#"
[{"name": "a\u200bb", "description": "x\u200b\u200d y \ufeff", "inputSchema": {"properties": {"\u2060k": {"enum": ["é\udb40\udc68\udb40\udc69"]}}}},
            ^^^^^^ a hidden character in `name`: U+200B
                                       ^^^^^^^^^^^^ 3 hidden characters in `description`: U+200B, U+200D, U+FEFF
                                                                                               ^^^^^^ in the key `\u{2060}k`
                                                                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^ which spell `hi`
 {"name": "b", "description": "the family 👨‍👩‍👧 and heart ❤️", "annotations": {"title": "\u0041 \ud83d\udc68\u200d\ud83d\udc69"}, "inputSchema": {}}]
"#,
        );
        let found = findings(
            Ruleset::only(&RULE),
            "tools.json",
            "[{\"name\": \"a\", \"description\": \"é\u{200b}x\", \"inputSchema\": {}}]",
        );
        assert_eq!(found[0].range.len(), '\u{200b}'.len_utf8());
    }

    #[test]
    fn control_characters_are_hidden_and_the_ends_of_lines_are_not() {
        check(
            &RULE,
            r#"
[{"name": "a", "description": "\u001b[31mx\u001b[0m\ty\r\n", "title": "\ud800\b \ufffd", "inputSchema": {}}]
                               ^^^^^^^^^^ 9 hidden characters in `description`: U+001B a terminal obeys `\u{1b}[31m` and shows
                                                                       ^^^^^^^^ 2 hidden characters in `title`: U+D800, U+0008 half a surrogate
"#,
        );
    }

    #[test]
    fn removes_them_all_and_says_where_that_changes_what_is_compared() {
        let fixed = |applicability, before: &str, after: &str| {
            let tool = |rest: &str| format!(r#"[{{"name": "a", "inputSchema": {{}}, {rest}}}]"#);
            check_fix(&RULE, applicability, "tools.json", &tool(before), &tool(after));
        };
        fixed(Safe, r#""description": "\u200ba\u200b\u200d\n""#, r#""description": "a\n""#);
        fixed(Safe, r#""description": "\u001b[1;31ma\u001b[0m\tb""#, r#""description": "a\tb""#);
        fixed(Safe, "\r\n\"title\": \"a\u{202e}\"\r\n", "\r\n\"title\": \"a\"\r\n");
        fixed(Unsafe, r#""x\u200b": 1"#, r#""x": 1"#);
        fixed(Unsafe, r#""description": " \u200b""#, r#""description": " ""#);
    }
}
