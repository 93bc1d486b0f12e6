//! Taking a command line apart, and writing its parts into an entry's `command` and `args`.

use crate::model::Server;
use crate::syntax::{Member, Place, insert_elements, insert_member};
use crate::text::Edit;

/// The words of a command line as a shell would split it; `None` where it would do more than split: run several
/// programs, redirect, put something in.
pub(super) fn shell_words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, '|' | '&' | ';' | '<' | '>' | '`') => return None,
            (_, '$') if characters.peek() == Some(&'(') => return None,
            // Before a space it joins; before a letter it is a path of Windows.
            (None, '\\') if characters.peek() == Some(&' ') => word.get_or_insert_default().extend(characters.next()),
            (_, '\\') if matches!(characters.peek(), Some('"' | '\'')) => return None,
            (None, space) if space.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// The edits that make `program` the command of an entry, with `arguments` before those that it has. `None` where it
/// has something else than an array there.
pub(super) fn launch(server: &Server, command: &Member, program: &str, arguments: &[String]) -> Option<Vec<Edit>> {
    let mut edits = vec![Edit::replace(command.value.range, serde_json::Value::from(program).to_string())];
    edits.extend(match server.member("args") {
        _ if arguments.is_empty() => None,
        None => Some(insert_member(server.text, server.value, Place::Behind(&["command"]), "args", &arguments.into())),
        Some(args) if args.value.is_array() => Some(insert_elements(server.text, &args.value, arguments)),
        Some(_) => return None,
    });
    Some(edits)
}

#[cfg(test)]
mod tests {
    use super::shell_words;

    #[test]
    fn quotes_keep_words_together() {
        let split = |line: &str| shell_words(line).map(|words| words.join("|"));
        assert_eq!(split("-y  docs@1.0.0").as_deref(), Some("-y|docs@1.0.0"));
        assert_eq!(split(r#"--name "a b" --x='c d'"#).as_deref(), Some("--name|a b|--x=c d"));
        assert_eq!(split(r"C:\Tools\a.js my\ file").as_deref(), Some(r"C:\Tools\a.js|my file"));
        assert_eq!(split("''").as_deref(), Some(""));
        for line in ["a && b", "a | b", "a > b", "$(a)", "`a`", "a \"b", "it's", r#"a \"b\""#] {
            assert_eq!(split(line), None, "{line}");
        }
    }
}
