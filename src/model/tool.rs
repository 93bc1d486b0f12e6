//! One tool of a list, in the shapes that MCP and the providers give it.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::schema::{References, Schemas};
use crate::syntax::{Member, Value, ValueKind};
use crate::text::{TextRange, nearest, shown};

/// Who writes a tool this way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// MCP's `tools/list`: the schema is under `inputSchema`.
    #[default]
    Mcp,
    /// Anthropic's Messages API: `input_schema`.
    Anthropic,
    /// OpenAI's and Gemini's function declarations: `parameters`, which may be left out.
    Function,
}

impl Form {
    /// The key of the input schema.
    pub const fn schema_key(self) -> &'static str {
        match self {
            Form::Mcp => "inputSchema",
            Form::Anthropic => "input_schema",
            Form::Function => "parameters",
        }
    }

    /// Every form.
    pub const ALL: [Form; 3] = [Form::Mcp, Form::Anthropic, Form::Function];
}

/// What tells, of an element, whether it is a tool: the same for an element that was read and one that was folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    /// `name` is a string.
    pub has_name: bool,
    /// There is a `description`.
    pub has_description: bool,
    /// One of the schema keys is there, with any value.
    pub form: Option<Form>,
    /// That value is an object.
    pub has_schema: bool,
    /// It wraps its declaration: `{"type": "function", "function": {…}}`.
    pub is_wrapper: bool,
}

impl Shape {
    /// The shape of an array's element or of a whole document.
    pub fn of(value: &Value) -> Shape {
        match &value.kind {
            ValueKind::Folded(folded) if folded.is_object => {
                let first = |key: &str| folded.keys.iter().rfind(|(name, _)| &**name == key).map(|(_, first)| *first);
                Shape::from_first_bytes(first)
            }
            ValueKind::Object(_) => Shape::from_first_bytes(|key| {
                value.get(key).map(|value| match &value.kind {
                    ValueKind::String(_) => b'"',
                    ValueKind::Object(_) | ValueKind::Folded(_) => b'{',
                    _ => 0,
                })
            }),
            _ => Shape::default(),
        }
    }

    fn from_first_bytes(first: impl Fn(&str) -> Option<u8>) -> Shape {
        let form = Form::ALL.into_iter().find(|form| first(form.schema_key()).is_some());
        let is_wrapper = first("function") == Some(b'{');
        Shape {
            has_name: first("name") == Some(b'"'),
            has_description: first("description").is_some(),
            form: form.or(is_wrapper.then_some(Form::Function)),
            has_schema: form.is_some_and(|form| first(form.schema_key()) == Some(b'{')),
            is_wrapper,
        }
    }

    /// Whether this alone shows that a tool is meant: a string `name` and one of the schema keys, or a wrapper.
    pub fn is_tool(self) -> bool {
        (self.has_name && self.form.is_some()) || self.is_wrapper
    }

    /// Whether the object is one tool all by itself.
    pub fn is_lone_tool(self) -> bool {
        (self.has_name && self.has_schema) || self.is_wrapper
    }
}

/// A tool. Ranges are relative to the element of the list.
#[derive(Clone, Debug)]
pub struct Tool<'v> {
    /// The text that its ranges count in.
    pub text: &'v str,
    /// The element of the list.
    pub element: &'v Value,
    /// The object that holds the name: the element itself, or what it wraps.
    pub declaration: &'v Value,
    /// How it is written.
    pub form: Form,
    /// How the first of its list is written that shows it.
    pub list_form: Form,
    schemas: OnceCell<Schemas<'v>>,
    references: OnceCell<References<'v>>,
}

impl<'v> Tool<'v> {
    /// The tool that an element of a list stands for. `text` is what the element was read from; `list_form` is how its
    /// neighbours are written, for an element that does not show it.
    pub fn new(text: &'v str, element: &'v Value, list_form: Form) -> Tool<'v> {
        let shape = Shape::of(element);
        let wrapped = element.get("function").filter(|_| shape.is_wrapper);
        let form = shape.form.unwrap_or(list_form);
        Tool {
            text,
            element,
            declaration: wrapped.unwrap_or(element),
            form,
            list_form,
            schemas: OnceCell::new(),
            references: OnceCell::new(),
        }
    }

    /// Whether it is a provider's own, which the model knows without being told: `{"type": "code_interpreter"}`. Nobody
    /// here chooses its name, or describes it.
    pub fn is_built_in(&self) -> bool {
        let shape = Shape::of(self.element);
        let kind = self.element.get("type").and_then(Value::as_str);
        kind.is_some_and(|kind| !matches!(kind, "function" | "custom"))
            && shape.form.is_none()
            && !shape.has_description
    }

    /// Whether somebody has to tell a provider of it: it is not a provider's own, and has a name to be told by.
    pub fn is_declared(&self) -> bool {
        self.name().is_some() && !self.is_built_in()
    }

    /// The name and its range, quotes included, where it is a string.
    pub fn name(&self) -> Option<(&'v str, TextRange)> {
        let value = self.declaration.get("name")?;
        Some((value.as_str()?, value.range))
    }

    /// The tool for messages: its name between backticks, else "this tool".
    pub fn quoted(&self) -> Cow<'static, str> {
        self.name().map_or(Cow::Borrowed("this tool"), |(name, _)| format!("`{}`", shown(name)).into())
    }

    /// The name as it is, else "this tool".
    pub fn label(&self) -> &'v str {
        self.name().map_or("this tool", |(name, _)| name)
    }

    /// Where to point when the tool as a whole is meant: its name, else its opening bracket.
    pub fn range(&self) -> TextRange {
        self.name().map_or_else(|| self.element.opening(), |(_, range)| range)
    }

    /// The description, whatever its value.
    pub fn description(&self) -> Option<&'v Member> {
        self.declaration.member("description")
    }

    /// The text of the description, where it is a string.
    pub fn description_text(&self) -> Option<&'v str> {
        self.description()?.value.as_str()
    }

    /// The input schema, whatever its value.
    pub fn input_schema(&self) -> Option<&'v Member> {
        self.declaration.member(self.form.schema_key())
    }

    /// The input schema, where it is an object.
    pub fn schema(&self) -> Option<&'v Value> {
        self.input_schema().map(|member| &member.value).filter(|value| value.is_object())
    }

    /// The input schema and every schema inside it; none where it is no object. Listed once for all who ask.
    pub fn schemas(&self) -> &Schemas<'v> {
        self.schemas.get_or_init(|| self.schema().map_or(Schemas::NONE, Schemas::of))
    }

    /// The `$ref`s of the input schema. Resolved once for all who ask.
    pub fn references(&self) -> &References<'v> {
        self.references.get_or_init(|| References::of(self.schemas()))
    }

    /// The member that stands in for `key`, which the tool lacks.
    pub fn misspelt(&self, key: &str) -> Option<&'v Member> {
        misspelt(self.declaration, key, KEYS)
    }

    /// The parameters: the properties of the input schema, a `$ref` at its root followed.
    pub fn parameters(&self) -> &'v [Member] {
        let Some(schema) = self.schema() else { return &[] };
        super::schema::followed(schema, schema).get("properties").map(Value::members).unwrap_or_default()
    }
}

/// Whether a key is one of a tool's.
pub fn is_key(key: &str) -> bool {
    KEYS.contains(&key) || key.starts_with("x-")
}

/// Whether a key may be meant for one of a tool's.
pub fn is_nearly_key(key: &str) -> bool {
    is_key(key) || nearest(key, KEYS.iter().copied()).is_some()
}

/// Keys of a tool, none of which is another one misspelt.
const KEYS: &[&str] = &[
    "_meta",
    "annotations",
    "description",
    "execution",
    "icons",
    "inputSchema",
    "input_schema",
    "name",
    "outputSchema",
    "parameters",
    "strict",
    "title",
    "type",
];

/// The member that stands in for `key`, which the object lacks: nearly the same word and none of the `known` ones, with
/// a value that would do.
pub fn misspelt<'v>(object: &'v Value, key: &str, known: &[&str]) -> Option<&'v Member> {
    let has_right_type = |value: &Value| {
        if key.ends_with("chema") {
            value.is_object()
        } else {
            value.as_str().is_some_and(|text| !text.trim().is_empty())
        }
    };
    let is_meant = |member: &&Member| {
        let written = member.key.name.trim();
        has_right_type(&member.value)
            && (written.eq_ignore_ascii_case(key) || !known.contains(&written) && nearest(written, [key]).is_some())
    };
    object.members().iter().filter(|_| object.get(key).is_none()).find(is_meant)
}
