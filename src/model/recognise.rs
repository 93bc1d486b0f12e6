//! What a document is: a client's config file by its path, a tool list by its shape, or nothing of ours; and which
//! items it is made of. Works on an outline, so that a large list is not read to find out.

use super::dialect::{Dialect, FOREIGN_SERVER_KEYS, ROOT_KEYS};
use super::tool::{Form, Shape, is_nearly_key};
use crate::syntax::{self, Folded, Reading, SyntaxErrorKind, Value, ValueKind};
use crate::text::{TextRange, nearest};

/// Lists inside lists are looked for this deep: `[{"tools": {"server": {"tools": […]}}}]`.
const MAX_LIST_DEPTH: usize = 6;

/// Keys that a `tools/list` result may have beside `tools`. Source: MCP 2026-07-28, `ListToolsResult`.
const RESULT_KEYS: &[&str] = &["tools", "nextCursor", "_meta", "ttlMs", "cacheScope", "resultType"];

/// What a document is.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// The config file of a client.
    Config(&'static Dialect),
    /// Tool definitions.
    Tools,
    /// Nothing that we know.
    Unknown,
}

/// One item: a tool, or a server entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The whole item; a server entry starts with its key.
    pub range: TextRange,
    /// The value; for a tool the same as `range`.
    pub body: TextRange,
    /// The list that a tool belongs to, or the map that a server entry belongs to.
    pub list: usize,
}

/// What the tools of one list have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct List {
    /// How its tools are written.
    pub form: Form,
}

/// Where a config file's servers are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// Under the client's own root key.
    Found,
    /// Under a key that another client reads, or under a slip of the pen: the keys that lead there.
    Foreign(Vec<Box<str>>),
    /// At the top, without a root key.
    Bare,
    /// At the top stands what belongs into one server, without a name for it.
    Nameless,
    /// Nowhere.
    Missing,
}

/// A document, taken apart.
#[derive(Clone, Debug)]
pub struct Recognised {
    /// What it is.
    pub kind: Kind,
    /// The items in the order of the text.
    pub items: Vec<Item>,
    /// The lists that the tools belong to.
    pub lists: Vec<List>,
    /// Where the servers are; `Missing` for a tool list.
    pub root: Root,
    /// What is around the items, which are folded here, with the errors outside them.
    pub shell: Reading,
}

/// Reads a document as far as [`recognise`] needs it: objects in arrays that may be tools stay folded.
pub fn outline(text: &str) -> Reading {
    let may_be_tool = |folded: &Folded| {
        let has_tool_key = folded.keys.iter().any(|(key, first)| {
            matches!((&**key, first), ("name", b'"') | ("function", b'{'))
                || Form::ALL.iter().any(|form| form.schema_key() == &**key)
        });
        has_tool_key && !is_to_be_looked_into(folded)
    };
    syntax::outline(text, &may_be_tool)
}

/// Whether only the schema of what may be a function tells that it is one.
fn is_to_be_looked_into(folded: &Folded) -> bool {
    let has = |key: &str| folded.keys.iter().any(|(name, _)| &**name == key);
    has("parameters") && !["type", "function", "inputSchema", "input_schema"].into_iter().any(has)
}

/// What a document is that is nobody's config and has not the shape of a tool list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Nothing of ours.
    Unknown,
    /// A tool list all the same.
    Tools,
    /// A tool list while its text is broken, which may have cost it its shape.
    ToolsIfBroken,
}

/// Takes a document apart. `dialect` is the client whose file it is, by its path or by what the user says; else it is a
/// tool list by its shape, or what `otherwise` says.
pub fn recognise(outline: Reading, dialect: Option<&'static Dialect>, otherwise: Otherwise) -> Recognised {
    // What is nested too deeply may be fine JSON.
    let is_broken = || outline.errors.iter().any(|error| error.kind != SyntaxErrorKind::TooDeep);
    let mut found = match dialect {
        Some(dialect) => config(&outline.value, dialect),
        None => tools(&outline.value, otherwise == Otherwise::Tools, is_broken()),
    };
    if matches!(found.kind, Kind::Unknown) && otherwise == Otherwise::ToolsIfBroken && is_broken() {
        found = Recognised::new(Kind::Tools);
        let mut tools = Vec::new();
        find_tools(&outline.value, &mut tools);
        found.add_list(tools.iter().copied());
    }
    found.items.sort_by_key(|item| item.range);
    found.shell = shell(outline, &found.items);
    found
}

impl Recognised {
    fn new(kind: Kind) -> Self {
        let value = Value { range: TextRange::empty(0), kind: ValueKind::Unreadable };
        let shell = Reading { value, errors: Vec::new(), comments: Vec::new(), trailing_commas: Vec::new() };
        Self { kind, items: Vec::new(), lists: Vec::new(), root: Root::Missing, shell }
    }

    fn add_list<'v>(&mut self, elements: impl Iterator<Item = &'v Value> + Clone) {
        let form = elements.clone().find_map(|element| Shape::of(element).form).unwrap_or_default();
        let list = self.lists.len();
        self.lists.push(List { form });
        let items = elements.filter(|element| !element.range.is_empty());
        self.items.extend(items.map(|element| Item { range: element.range, body: element.range, list }));
    }

    fn add_servers(&mut self, map: &Value, list: usize) {
        self.items.extend(map.members().iter().map(|member| Item {
            range: member.range(),
            body: member.value.range,
            list,
        }));
    }
}

fn config(root: &Value, dialect: &'static Dialect) -> Recognised {
    let mut found = Recognised::new(Kind::Config(dialect));
    let own: Vec<&Value> = dialect.roots.iter().filter_map(|path| follow(root, path)).collect();
    if !own.is_empty() {
        found.root = Root::Found;
        own.iter().enumerate().for_each(|(list, map)| found.add_servers(map, list));
        return found;
    }
    if let Some(path) = foreign_root(root) {
        if let Some(map) = follow(root, &path) {
            found.add_servers(map, 0);
        }
        found.root = Root::Foreign(path.iter().map(|key| (*key).into()).collect());
    } else if !root.members().is_empty() && root.members().iter().all(|member| looks_like_server(&member.value)) {
        found.root = Root::Bare;
        found.add_servers(root, 0);
    } else if ["command", "url"].iter().any(|key| root.get(key).is_some_and(|value| value.as_str().is_some())) {
        found.root = Root::Nameless;
    }
    found
}

fn follow<'v>(root: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(root, |value, key| value.get(key))
}

/// The keys that lead to the servers where they are not the client's own: those of another client, or nearly those
/// of any.
fn foreign_root(root: &Value) -> Option<Vec<&str>> {
    let known = ROOT_KEYS.iter().find(|path| follow(root, path).is_some_and(|map| may_be_server_map(path, map)));
    if let Some(path) = known {
        return Some(path.to_vec());
    }
    let keys = || ROOT_KEYS.iter().filter(|path| path.len() == 1).map(|path| path[0]).filter(|key| *key != "mcp");
    let is_slip = |key: &str| {
        let key = key.trim();
        nearest(key, keys()).is_some() || keys().any(|known| letters(known).eq(letters(key)))
    };
    let slip = root.members().iter().rfind(|member| {
        let map = member.value.members();
        is_slip(&member.key.name) && map.iter().any(|member| looks_like_server(&member.value))
    });
    slip.map(|member| vec![&*member.key.name])
}

/// The letters of a key, in which `mcp_server` and `mcpServer` are the same.
fn letters(key: &str) -> impl Iterator<Item = char> {
    key.chars().filter(|char| char.is_alphanumeric()).map(|char| char.to_ascii_lowercase())
}

/// Whether a value under another client's root key is its server map. A key that speaks of MCP and servers needs no
/// other proof; `servers` and `mcp` are words that a file may have for something else.
fn may_be_server_map(path: &[&str], map: &Value) -> bool {
    let mut members = map.members().iter();
    match path {
        ["mcp"] => members.len() > 0 && members.all(|member| looks_like_server(&member.value)),
        ["servers"] => map.is_object() && members.all(|member| member.value.is_object()),
        _ => map.is_object(),
    }
}

/// Whether a value has a key that only server entries have.
pub fn looks_like_server(value: &Value) -> bool {
    ["command", "url", "serverUrl", "httpUrl", "uri"].iter().any(|key| value.get(key).is_some())
        || value.get("type").is_some()
            && value.members().iter().any(|member| FOREIGN_SERVER_KEYS.contains(&&*member.key.name))
}

fn tools(root: &Value, forced: bool, is_broken: bool) -> Recognised {
    let mut found = Recognised::new(Kind::Tools);
    find_lists(root, &mut found, 0);
    if found.lists.is_empty() && is_snapshot(root) {
        found.add_list(root.get("tools").map(Value::elements).unwrap_or_default().iter());
    } else if found.lists.is_empty() {
        let lone = Shape::of(root);
        let is_lone = lone.is_lone_tool() && looks_like_schema(root, lone);
        let list = root.get("tools").or_else(|| root.get("result")?.get("tools")).unwrap_or(root);
        match list.is_object() {
            // An answer of a server is none, nor is what has no key of a tool.
            true if is_lone || forced && (is_broken || may_be_tool(list)) => found.add_list(std::iter::once(list)),
            false if forced => found.add_list(list.elements().iter()),
            _ => found.kind = Kind::Unknown,
        }
    }
    found
}

/// Whether it is what a server listed when it was asked, saved, whatever that was.
fn is_snapshot(root: &Value) -> bool {
    root.get("snapshot").is_some_and(|version| version.as_number().is_some())
        && root.get("launch").is_some_and(|launch| launch.as_str().is_some())
}

/// Whether somebody who calls it a tool may be right.
fn may_be_tool(object: &Value) -> bool {
    let members = object.members();
    members.is_empty()
        || members.iter().any(|member| is_nearly_key(&member.key.name)) && object.get("jsonrpc").is_none()
}

/// `parameters` is a common word: by itself it makes a tool only where its value looks like a schema.
fn looks_like_schema(tool: &Value, shape: Shape) -> bool {
    if shape.form != Some(Form::Function) || shape.is_wrapper {
        return true;
    }
    tool.get("parameters").is_some_and(|schema| schema.get("type").is_some() || schema.get("properties").is_some())
}

/// The same for one that may be folded, whose schema cannot be seen: a function has a description, and it may have no
/// parameters.
fn is_tool_by_itself(element: &Value) -> bool {
    let shape = Shape::of(element);
    let is_function = shape.form == Some(Form::Function) && !shape.is_wrapper;
    let is_empty = || element.get("parameters").is_some_and(|schema| schema.members().is_empty());
    let may_be_schema = || !element.is_object() || looks_like_schema(element, shape) || is_empty();
    shape.is_lone_tool() && (!is_function || shape.has_description && may_be_schema())
}

fn find_lists(value: &Value, found: &mut Recognised, depth: usize) {
    if depth > MAX_LIST_DEPTH {
        return;
    }
    match &value.kind {
        ValueKind::Array(elements) => {
            if depth == 0 && elements.iter().any(is_tool_by_itself) {
                found.add_list(elements.iter());
            } else {
                elements.iter().for_each(|element| find_lists(element, found, depth + 1));
            }
        }
        ValueKind::Object(members) => {
            let is_result = members.iter().all(|member| RESULT_KEYS.contains(&&*member.key.name));
            for member in members {
                match (&*member.key.name, &member.value.kind) {
                    (
                        "tools" | "functionDeclarations" | "function_declarations" | "functions",
                        ValueKind::Array(elements),
                    ) => {
                        if is_tool_list(elements, is_result) {
                            found.add_list(elements.iter());
                        } else {
                            find_lists(&member.value, found, depth + 1);
                        }
                    }
                    ("tools", ValueKind::Object(servers)) => {
                        servers.iter().for_each(|server| find_lists(&server.value, found, depth + 2));
                    }
                    ("result", ValueKind::Object(_)) => find_lists(&member.value, found, depth + 1),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// The tools of a text whose list cannot be made out.
fn find_tools<'v>(value: &'v Value, found: &mut Vec<&'v Value>) {
    if Shape::of(value).is_tool() {
        found.push(value);
        return;
    }
    value.members().iter().for_each(|member| find_tools(&member.value, found));
    value.elements().iter().for_each(|element| find_tools(element, found));
}

/// Whether one element has a name and a schema key, or all have name and description, no key that no tool has, and
/// nothing but a result's keys stand beside the list.
fn is_tool_list(elements: &[Value], is_result: bool) -> bool {
    let shapes = || elements.iter().map(Shape::of);
    shapes().any(Shape::is_tool)
        || is_result
            && !elements.is_empty()
            && shapes().all(|shape| shape.has_name && shape.has_description)
            && elements.iter().all(has_keys_of_a_tool)
}

/// Whether all keys of an element are a tool's, nearly so, or what people write for a schema.
fn has_keys_of_a_tool(element: &Value) -> bool {
    let is_meant = |key: &str| {
        is_nearly_key(key) || matches!(key, "schema" | "args" | "arguments" | "params" | "input" | "inputs")
    };
    match &element.kind {
        ValueKind::Folded(folded) => folded.keys.iter().all(|(key, _)| is_meant(key)),
        _ => element.members().iter().all(|member| is_meant(&member.key.name)),
    }
}

/// What is left of the outline when the items are taken out.
fn shell(mut outline: Reading, items: &[Item]) -> Reading {
    fn fold(value: &mut Value, items: &[Item]) {
        let index = items.partition_point(|item| item.body.start < value.range.start);
        if items.get(index).is_some_and(|item| item.body == value.range) {
            value.kind = ValueKind::Folded(Folded { is_object: value.is_object(), keys: Vec::new() });
            return;
        }
        match &mut value.kind {
            ValueKind::Array(elements) => elements.iter_mut().for_each(|element| fold(element, items)),
            ValueKind::Object(members) => members.iter_mut().for_each(|member| fold(&mut member.value, items)),
            _ => {}
        }
    }
    fold(&mut outline.value, items);
    let is_inside = |range: TextRange| {
        let index = items.partition_point(|item| item.range.end < range.end);
        items.get(index).is_some_and(|item| item.range.contains(range))
    };
    outline.errors.retain(|error| {
        let index = items.partition_point(|item| item.range.end <= error.origin());
        !items.get(index).is_some_and(|item| error.is_within(item.range))
    });
    outline.comments.retain(|range| !is_inside(*range));
    outline.trailing_commas.retain(|range| !is_inside(*range));
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Vec<&str> {
        let found = recognise(outline(text), None, Otherwise::Unknown);
        found.items.iter().map(|item| &text[item.range.as_usize()]).collect()
    }

    #[test]
    fn what_a_server_listed_is_known_whatever_it_is() {
        let start = r#"{"snapshot": 1, "launch": "00", "name": "a""#;
        assert_eq!(items(&format!(r#"{start}, "tools": [1, {{"x": 2}}]}}"#)), ["1", r#"{"x": 2}"#]);
        for rest in ["}", r#", "tools": []}"#, r#", "tools": {"a": 1}}"#] {
            let text = format!("{start}{rest}");
            assert!(items(&text).is_empty(), "{text}");
            assert!(matches!(recognise(outline(&text), None, Otherwise::Unknown).kind, Kind::Tools), "{text}");
        }
    }

    #[test]
    fn tool_lists_are_known_by_their_shape() {
        let tool = r#"{"name": "a", "inputSchema": {}}"#;
        assert_eq!(items(tool), [tool]);
        assert_eq!(items(&format!("[{tool}]")), [tool]);
        assert_eq!(items(&format!(r#"{{"tools": [{tool}, {{"x": 1}}]}}"#)), [tool, r#"{"x": 1}"#]);
        assert_eq!(items(&format!(r#"{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": [{tool}]}}}}"#)), [tool]);
        assert_eq!(items(&format!(r#"[{{"config": 1, "tools": {{"s": {{"tools": [{tool}]}}}}}}]"#)), [tool]);
        assert_eq!(items(r#"{"tools": [{"name": "a", "description": "b"}]}"#).len(), 1);
        assert_eq!(items(r#"[{"type": "function", "function": {"name": "a"}}]"#).len(), 1);
        assert_eq!(items(r#"{"tools": [{"functionDeclarations": [{"name": "a", "parameters": {}}]}]}"#).len(), 1);
        assert_eq!(items(r#"{"tools": [{"name": "a", "inputSchema": null}]}"#).len(), 1);
    }

    #[test]
    fn other_json_is_left_alone() {
        assert_eq!(items(r#"{"name": "package", "version": "1.0.0"}"#), [""; 0]);
        assert_eq!(items(r#"{"name": "job", "parameters": {"image": "x"}}"#), [""; 0]);
        assert_eq!(items(r#"[{"name": "a", "description": "b"}]"#), [""; 0]);
        assert_eq!(items(r#"[{"name": "job", "parameters": {"image": "x"}}]"#), [""; 0]);
        assert_eq!(items(r#"{"version": 1, "tools": [{"name": "hammer", "description": "b"}]}"#), [""; 0]);
        assert_eq!(items(r#"{"tools": [{"name": "eslint", "version": "1", "description": "b"}]}"#), [""; 0]);
        assert_eq!(items(r#"[{"name": "render", "description": "b", "parameters": {"quality": 5}}]"#), [""; 0]);
        assert_eq!(items(""), [""; 0]);
    }

    #[test]
    fn what_is_said_to_be_a_tool_list_may_still_be_none() {
        fn found(text: &str) -> Option<Vec<&str>> {
            let found = recognise(outline(text), None, Otherwise::Tools);
            let items = found.items.iter().map(|item| &text[item.range.as_usize()]).collect::<Vec<_>>();
            matches!(found.kind, Kind::Tools).then_some(items)
        }
        let tool = r#"{"name": "a"}"#;
        for text in [tool.to_owned(), format!("[{tool}]"), format!(r#"{{"x": 1, "tools": [{tool}]}}"#)] {
            assert_eq!(found(&text), Some(vec![tool]));
        }
        let answer = format!(r#"{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": [{tool}]}}}}"#);
        assert_eq!(found(&answer), Some(vec![tool]));
        assert_eq!(found("{}"), Some(vec!["{}"]));
        for text in [r#"{"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}"#, r#"{"a": 1}"#] {
            assert_eq!(found(text), None, "{text}");
        }
        assert!(found(r#"{"a": 1"#).is_some());
    }

    #[test]
    fn a_broken_tool_list_without_its_shape_is_one_only_where_it_is_known_to_be() {
        let tool = r#"{"name": "a", "inputSchema": {}}"#;
        let found = |text: &str, otherwise| {
            let found = recognise(outline(text), None, otherwise);
            matches!(found.kind, Kind::Tools).then_some(found.items.len())
        };
        let no_bracket = format!(r#"{{"tools": {tool}, {tool}]}}"#);
        let no_brace = format!(r#""tools": [{tool}]}}"#);
        let no_quote = format!("{{\"tools: [\n  {tool}]}}");
        for (text, items) in [(&no_bracket, 1), (&no_brace, 0), (&no_quote, 0)] {
            assert_eq!(found(text, Otherwise::Unknown), None, "{text}");
            assert!(found(text, Otherwise::ToolsIfBroken).is_some_and(|count| count >= items), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
        for text in ["{}", "[]", r#"{"name": "package"}"#, &deep] {
            assert_eq!(found(text, Otherwise::ToolsIfBroken), None, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_between_items_is_not_taken_for_an_items_own() {
        let tool = r#"{"name": "a", "inputSchema": {}}"#;
        let errors = |text: &str, client: Option<&str>| {
            let found = recognise(outline(text), client.and_then(Dialect::by_id), Otherwise::Unknown);
            found.shell.errors.iter().map(|error| error.kind.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(errors(&format!("[{tool} {tool}]"), None), ["expected `,` before this"]);
        assert_eq!(errors(&format!("[{tool}{tool}]"), None), ["expected `,` before this"]);
        assert_eq!(errors(&format!(r#"{{"tools": [{tool}"#), None), ["expected `]`", "expected `}`"]);
        assert_eq!(errors(&format!("[{}", &tool[..tool.len() - 1]), None), ["expected `]`"], "the tool has the other");
        let client = Some("claude-code");
        assert_eq!(errors(r#"{"mcpServers": {"a": {} "b": {}}}"#, client), ["expected `,` before this"]);
        assert_eq!(errors(r#"{"mcpServers": {"a": {"command": "x"}"#, client), ["expected `}`"; 2]);
        assert_eq!(errors(r#"{"mcpServers": {"a": {"command": "x" "args": []}}}"#, client), [""; 0]);
    }

    #[test]
    fn a_config_says_where_its_servers_are() {
        let root = |text: &str| recognise(outline(text), Dialect::by_id("vscode"), Otherwise::Unknown).root;
        assert_eq!(root(r#"{"servers": {}}"#), Root::Found);
        let foreign = |keys: &[&str]| Root::Foreign(keys.iter().map(|key| (*key).into()).collect());
        assert_eq!(root(r#"{"mcpServers": {"a": {"command": "x"}}}"#), foreign(&["mcpServers"]));
        assert_eq!(root(r#"{"mcp": {"servers": {"a": {"command": "x"}}}}"#), foreign(&["mcp", "servers"]));
        assert_eq!(root(r#"{"mcpServers": {}}"#), foreign(&["mcpServers"]), "empty, and still meant for servers");
        assert_eq!(root(r#"{"mcpServers": {"a": {"comand": "x"}}}"#), foreign(&["mcpServers"]));
        for slip in ["mcpServer", "McpServers", "mcp_server", "MCP-Servers", "server", "servers ", "mcp servers"] {
            assert_eq!(root(&format!(r#"{{"{slip}": {{"a": {{"url": "x"}}}}}}"#)), foreign(&[slip]));
        }
        assert_eq!(root(r#"{"server": {"port": 1}}"#), Root::Missing);
        assert_eq!(root(r#"{"a": {"url": "x"}}"#), Root::Bare);
        assert_eq!(root(r#"{"command": "npx", "args": []}"#), Root::Nameless);
        assert_eq!(root(r#"{"inputs": []}"#), Root::Missing);
    }
}
