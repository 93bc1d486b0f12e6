//! Documents at random: tool lists in every form, config files of every client, and every text that the project shows,
//! with right and wrong members strewn in. What is drawn shrinks to a small tree in a plain layout.

use std::fmt;

use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::fragments::{
    DECLARATION, DESCRIPTIONS, Fragments, KEYWORDS, LISTS, NAMES, PARAMETERS, ROOT_MEMBERS, ROOTS, SERVER,
};
use super::layout::{self, Layout};
use crate::analysis::testing::document;
use crate::analysis::tests::{FRAGMENTS, example};
use crate::model::dialect;
use crate::rules;
use crate::syntax::{Value, ValueKind, read};
use crate::text::TextRange;

/// A file.
#[derive(Clone)]
pub(super) struct Sample {
    pub(super) path: String,
    pub(super) text: String,
}

impl fmt::Debug for Sample {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {:?}", self.path, self.text)
    }
}

/// A text without its layout: scalars and keys as they are written, and keys as often as they come.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Scalar(String),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    fn read(text: &str) -> Node {
        Node::of(text, &read(text).value)
    }

    fn of(text: &str, value: &Value) -> Node {
        let raw = |range: TextRange| text[range.as_usize()].to_owned();
        match &value.kind {
            ValueKind::Array(elements) => Node::Array(elements.iter().map(|element| Node::of(text, element)).collect()),
            ValueKind::Object(members) => Node::Object(
                members.iter().map(|member| (raw(member.key.range), Node::of(text, &member.value))).collect(),
            ),
            _ => Node::Scalar(raw(value.range)),
        }
    }

    fn children(&mut self) -> Box<dyn Iterator<Item = &mut Node> + '_> {
        match self {
            Node::Scalar(_) => Box::new(std::iter::empty()),
            Node::Array(elements) => Box::new(elements.iter_mut()),
            Node::Object(members) => Box::new(members.iter_mut().map(|(_, value)| value)),
        }
    }

    fn count_objects(&mut self) -> usize {
        usize::from(matches!(self, Node::Object(_))) + self.children().map(Node::count_objects).sum::<usize>()
    }

    /// The members of the object at this index, the outermost coming first.
    fn object(&mut self, index: &mut usize) -> Option<&mut Vec<(String, Node)>> {
        // A match on `self` that returns a part of it would borrow it for the rest of the function.
        if matches!(self, Node::Object(_)) {
            if *index == 0 {
                let Node::Object(members) = self else { return None };
                return Some(members);
            }
            *index -= 1;
        }
        self.children().find_map(|child| child.object(index))
    }

    /// Leaves of equal keys the first.
    fn drop_doubles(&mut self) {
        if let Node::Object(members) = self {
            let mut names = Vec::new();
            members.retain(|(name, _)| {
                let is_new = !names.contains(name);
                names.push(name.clone());
                is_new
            });
        }
        self.children().for_each(Node::drop_doubles);
    }

    /// The text of a frame with this in the place of `@`.
    fn framed(self, frame: &str) -> Node {
        let mut node = Node::read(&frame.replace('@', "\"@\""));
        node.put(&self);
        node
    }

    fn put(&mut self, inner: &Node) {
        match self {
            Node::Scalar(text) if text == "\"@\"" => *self = inner.clone(),
            _ => self.children().for_each(|child| child.put(inner)),
        }
    }
}

type Member = (String, Node);

fn quoted(key: &str) -> String {
    format!("\"{key}\"")
}

/// Every member of the tables.
fn members(tables: &[Fragments]) -> Vec<Member> {
    let pairs = tables.iter().copied().flatten();
    pairs.flat_map(|(key, values)| values.iter().map(|value| (quoted(key), Node::read(value)))).collect()
}

fn member(key: &'static str, value: impl Strategy<Value = Node>) -> impl Strategy<Value = Member> {
    value.prop_map(move |value| (quoted(key), value))
}

fn value_of(table: &'static [&'static str]) -> impl Strategy<Value = Node> {
    select(table).prop_map(Node::read)
}

/// A schema with schemas inside it to this depth.
fn schema(depth: usize) -> BoxedStrategy<Node> {
    let keyword = select(members(&[KEYWORDS])).boxed();
    let keyword = match depth.checked_sub(1) {
        None => keyword,
        Some(depth) => prop_oneof![
            4 => keyword,
            1 => member("properties", properties(depth)),
            1 => member("items", schema(depth)),
            1 => member("anyOf", vec(schema(depth), 1..3).prop_map(Node::Array)),
        ]
        .boxed(),
    };
    let types = KEYWORDS[0].1;
    (weighted(0.7, member("type", value_of(types))), vec(keyword, 0..5))
        .prop_map(|(kind, rest)| Node::Object(kind.into_iter().chain(rest).collect()))
        .boxed()
}

fn properties(depth: usize) -> BoxedStrategy<Node> {
    let name = select(PARAMETERS).prop_map(quoted);
    vec((name, schema(depth)), 0..5).prop_map(Node::Object).boxed()
}

/// An input schema: mostly an object with properties.
fn input_schema() -> impl Strategy<Value = Node> {
    let kind = weighted(0.8, Just(Node::read("\"object\"")));
    (
        weighted(0.9, member("type", kind.prop_map(|kind| kind.unwrap_or(Node::read("\"string\""))))),
        properties(1),
        vec(select(members(&[KEYWORDS])), 0..3),
    )
        .prop_map(|(kind, properties, rest)| {
            let properties = (quoted("properties"), properties);
            Node::Object(kind.into_iter().chain([properties]).chain(rest).collect())
        })
}

fn tool() -> impl Strategy<Value = Node> {
    let keys = select(&["inputSchema", "inputSchema", "input_schema", "parameters"][..]);
    let parts = (
        weighted(0.95, member("name", value_of(NAMES))),
        weighted(0.85, member("description", value_of(DESCRIPTIONS))),
        weighted(0.9, (keys.prop_map(quoted), input_schema())),
        vec(select(members(&[DECLARATION])), 0..4),
    );
    let members = parts.prop_map(|(name, description, schema, rest)| {
        Vec::from_iter(name.into_iter().chain(description).chain(schema).chain(rest))
    });
    (members.prop_shuffle(), weighted(0.15, Just(()))).prop_map(|(members, wrapped)| {
        let tool = Node::Object(members);
        match wrapped {
            Some(()) => tool.framed(r#"{"type": "function", "function": @}"#),
            None => tool,
        }
    })
}

fn tools() -> impl Strategy<Value = (String, Node)> {
    let tools = prop_oneof![9 => tool(), 1 => value_of(&["null", "\"get_ticket\"", "{}"])];
    (select(&["tools.json", "tools.jsonc"][..]), select(LISTS), vec(tools, 0..6))
        .prop_map(|(path, frame, tools)| (path.to_owned(), Node::Array(tools).framed(frame)))
}

fn config() -> impl Strategy<Value = (String, Node)> {
    let server = prop_oneof![
        8 => vec(select(members(&[SERVER])), 0..8).prop_map(Node::Object),
        1 => value_of(&["null", "\"npx -y tickets\"", "[]", "true"]),
    ];
    let names = select(&["tickets", "files", "my server", "", "ü", "_note", "command"][..]).prop_map(quoted);
    let frames = (select(dialect::ALL), any::<Index>(), weighted(0.4, select(ROOTS)));
    (frames, vec((names, server), 0..5), vec(select(members(&[ROOT_MEMBERS])), 0..2)).prop_map(
        |((dialect, place, frame), servers, rest)| {
            let path = place.get(dialect.places).replace('*', "x");
            let own = format!("{{\"{}\": @}}", dialect.root_key());
            let mut root = Node::Object(servers).framed(frame.unwrap_or(&own));
            if let Node::Object(members) = &mut root {
                members.extend(rest);
            }
            (path, root)
        },
    )
}

/// What the project shows: its fixtures, and the bad example of every rule.
pub(super) fn shown() -> Vec<Sample> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut out = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                out.push(Sample { path: path.to_string_lossy().into_owned(), text });
            }
        }
    }
    out.sort_by(|one, other| one.path.cmp(&other.path));
    out.extend(rules::ALL.iter().map(|rule| {
        let (path, text) = example(rule, "Bad");
        Sample { path, text }
    }));
    out
}

fn shown_trees() -> Vec<(String, Node)> {
    let whole = shown().into_iter().filter(|sample| read(&sample.text).errors.is_empty());
    whole.map(|sample| (sample.path, Node::read(&sample.text))).collect()
}

/// Every kind of file.
pub(super) fn samples() -> impl Strategy<Value = Sample> {
    let file = prop_oneof![3 => tools(), 2 => config(), 3 => select(shown_trees())];
    let strewn = (any::<Index>(), any::<Index>(), select(members(&[KEYWORDS, DECLARATION, SERVER])));
    let slips = prop_oneof![
        3 => Just(Vec::new()),
        1 => vec((any::<Index>(), 0usize..9, select(FRAGMENTS)), 1..4),
    ];
    let layouts = (layout::layouts(), prop::bool::weighted(0.2));
    (file, vec(strewn, 0..6), layouts, slips).prop_map(|((path, mut root), strewn, (layout, has_doubles), slips)| {
        for (object, at, member) in strewn {
            let count = root.count_objects();
            if count > 0
                && let Some(members) = root.object(&mut object.index(count))
            {
                members.insert(at.index(members.len() + 1), member);
            }
        }
        if !has_doubles {
            root.drop_doubles();
        }
        let mut document = document(&path, &layout.text(&root));
        for (at, length, fragment) in slips {
            let start = at.index(document.text().len() + 1);
            document.apply(TextRange::new(start, start + length.saturating_sub(6)), fragment);
        }
        Sample { path, text: document.text().to_string() }
    })
}

/// A shown file in a layout; itself where it is not whole.
pub(super) fn laid_out(sample: &Sample, layout: &Layout) -> Sample {
    let is_whole = read(&sample.text).errors.is_empty();
    let text = if is_whole { layout.text(&Node::read(&sample.text)) } else { sample.text.clone() };
    Sample { path: sample.path.clone(), text }
}

/// Every shown file in every layout.
pub(super) fn shown_in_layouts() -> impl Strategy<Value = Sample> {
    (select(shown()), layout::layouts()).prop_map(|(sample, layout)| laid_out(&sample, &layout))
}
