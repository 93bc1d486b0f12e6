use super::lack::lack;
use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink, verbs};
use crate::text::{Edit, TextRange, shown};

rule! {
    /// ## What it does
    /// Finds descriptions of tools that start with words which could stand before any of them: "This tool will …", "A
    /// tool that …", "Used to …". Is silent where no verb follows that says what is done: "This tool is deprecated" is
    /// no filler. English only.
    ///
    /// ## Why
    /// The model is told the same in every request, and pays for it. What the tool does comes later than it could.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_notes", "description": "This tool is used to list the notes of a folder with their dates.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_notes", "description": "List the notes of a folder with their dates.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe, since the model reads another text: drops the words and goes on with a capital letter. There is none
    /// behind "for", where the sentence has to be turned.
    ///
    /// ## Sources
    /// The providers' guides to tool use.
    "filler-description", Description, Tool(check), Hint;
    fix: Unsafe;
    help: "start the description with what the tool does";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(member) = tool.description() else { return };
    let range = member.value.range;
    let Some(written) = tool.text.get(range.as_usize()).filter(|text| text.len() > 2 && text.starts_with('"')) else {
        return;
    };
    let mut start = 1;
    while let Some(space) = [" ", "\\n", "\\r", "\\t"].iter().find(|space| written[start..].starts_with(*space)) {
        start += space.len();
    }
    let Some(filler) = filler(&written[start..]) else { return };
    if lack(tool).is_some() {
        return;
    }
    let (start, end) = (range.start + start, range.start + start + filler.length);
    let words = written[start - range.start..end - range.start].trim_end();
    let rest = written[end - range.start..].chars().next();
    let capital = rest.filter(|_| filler.may_go).map(|first| Edit {
        range: TextRange::new(start, end + first.len_utf8()),
        new_text: first.to_uppercase().to_string(),
    });
    out.add(
        TextRange::new(start, start + words.len()),
        format!("the description of {} starts with `{}`, which says nothing", tool.quoted(), shown(words)),
    )
    .fix(capital.map(|edit| Fix::unsafe_(format!("drop `{}`", shown(words)), vec![edit])));
}

/// Whether a description starts with words that say nothing.
pub(super) fn starts_with_filler(text: &str) -> bool {
    filler(text).is_some()
}

/// Words that say nothing.
#[derive(Debug, PartialEq)]
struct Filler {
    /// How many bytes of them there are, up to the next word.
    length: usize,
    /// Whether what follows is a sentence without them.
    may_go: bool,
}

/// What a description may start with, and how the sentence goes on: the longer of two that start alike comes first.
const SUBJECTS: &[(&str, Next)] = &[
    ("this is a tool that ", Next::ThirdPerson),
    ("this is a tool to ", Next::Verb),
    ("this is a tool for ", Next::Noun),
    ("this tool ", Next::ThirdPerson),
    ("this function ", Next::ThirdPerson),
    ("a tool that ", Next::ThirdPerson),
    ("a tool to ", Next::Verb),
    ("a tool for ", Next::Noun),
    ("tool that ", Next::ThirdPerson),
    ("tool to ", Next::Verb),
    ("tool for ", Next::Noun),
    ("used to ", Next::Verb),
    ("used for ", Next::Noun),
    ("it will ", Next::Verb),
];

/// What may stand between a subject and its verb.
const AUXILIARIES: &[&str] = &[
    "will ",
    "can be used to ",
    "can ",
    "is used to ",
    "is designed to ",
    "allows you to ",
    "lets you ",
    "helps you to ",
    "helps you ",
    "helps to ",
];

#[derive(Clone, Copy)]
enum Next {
    Verb,
    ThirdPerson,
    Noun,
}

/// The filler that a text starts with.
fn filler(text: &str) -> Option<Filler> {
    let starts = |at: usize, words: &str| {
        text.get(at..at + words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words)).then_some(words.len())
    };
    let (mut length, mut next) = SUBJECTS.iter().find_map(|(words, next)| Some((starts(0, words)?, *next)))?;
    if let Next::ThirdPerson = next
        && let Some(more) = AUXILIARIES.iter().find_map(|words| starts(length, words))
    {
        length += more;
        next = Next::Verb;
    }
    let rest = &text[length..];
    let is_word = rest.starts_with(|char: char| char.is_ascii_lowercase());
    let fits = match next {
        Next::Noun => is_word,
        // `This tool set …` is about tools.
        Next::ThirdPerson => is_word && verbs::opening(rest).is_some_and(|verb| !rest.starts_with(&format!("{verb} "))),
        Next::Verb => is_word && verbs::opening(rest).is_some(),
    };
    fits.then_some(Filler { length, may_go: !matches!(next, Next::Noun) })
}

#[cfg(test)]
mod tests;
