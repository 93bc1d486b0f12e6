//! What readers of a tool list do with what not all of them take: the one table of it, with source and date. A reader
//! is a provider's API or a client that looks at the tools before it passes them on.
//!
//! Knows no rules. A rule names the [`Feature`] that it has found, and is told who minds it among those that the user
//! has in mind.

use super::Provider;
use crate::model::{Dialect, dialect};

/// Who the user has in mind, by `targets` in the settings: everybody unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Targets {
    providers: u8,
    /// By the index in [`dialect::ALL`].
    clients: u64,
}

impl Default for Targets {
    fn default() -> Self {
        Targets { providers: u8::MAX, clients: u64::MAX }
    }
}

impl Targets {
    /// These and no others; `None` and none at all stand for everybody.
    pub fn new(providers: Option<&[Provider]>, clients: Option<&[&Dialect]>) -> Targets {
        let everybody = Targets::default();
        let at = |client: &Dialect| dialect::ALL.iter().position(|known| known.id == client.id).unwrap_or_default();
        let providers = providers.filter(|providers| !providers.is_empty());
        let clients = clients.filter(|clients| !clients.is_empty());
        Targets {
            providers: providers.map_or(everybody.providers, |all| all.iter().map(|one| 1 << *one as u8).sum()),
            clients: clients.map_or(everybody.clients, |all| all.iter().fold(0, |bits, one| bits | 1 << at(one))),
        }
    }

    /// Whether a provider is one of them.
    pub fn has_provider(self, provider: Provider) -> bool {
        self.providers & 1 << provider as u8 != 0
    }

    /// Whether a client is one of them.
    pub fn has_client(self, id: &str) -> bool {
        dialect::ALL.iter().position(|known| known.id == id).is_some_and(|at| self.clients & 1 << at != 0)
    }
}

/// Who does something with a tool list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A provider's API.
    Provider(Provider),
    /// The client with this id.
    Client(&'static str),
}

impl Reader {
    /// The name that people know it by.
    pub fn label(self) -> &'static str {
        match self {
            Reader::Provider(provider) => provider.label(),
            Reader::Client(id) => Dialect::by_id(id).map_or(id, |dialect| dialect.name),
        }
    }

    fn is_meant(self, targets: Targets) -> bool {
        match self {
            Reader::Provider(provider) => targets.has_provider(provider),
            Reader::Client(id) => targets.has_client(id),
        }
    }
}

/// What a reader does, from mild to hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It takes the keyword out, or its model never sees it.
    Drops,
    /// It leaves the tool out, or calls of it fail.
    RefusesTool,
    /// It refuses every request that has the tool in it, other tools and all.
    RefusesRequest,
}

/// Something in a tool that JSON Schema and MCP allow, and not every reader takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// An array without `items`.
    ArrayWithoutItems,
    /// `items` as a list of schemas.
    ArrayFormItems,
    /// `prefixItems`.
    PrefixItems,
    /// `true` or `false` where a schema could be.
    BooleanSubschema,
    /// `exclusiveMinimum` or `exclusiveMaximum` as a boolean.
    BooleanBound,
    /// A list of types.
    TypeList,
    /// An `enum` of anything but strings.
    NonStringEnum,
    /// An `enum` with an empty string in it.
    EmptyEnumValue,
    /// An `enum` without `type`.
    UntypedEnum,
    /// A string `format` other than `enum` and `date-time`.
    Format,
    /// A keyword outside the part of OpenAPI's schemas that Gemini's `parameters` takes.
    DroppedKeyword,
    /// `anyOf`, `oneOf` or `allOf` at the root of the input schema.
    RootComposition,
    /// `enum` or `not` at the root of the input schema.
    RootEnum,
    /// An input schema without `properties`.
    NoProperties,
    /// A name in `required` without a property.
    UndefinedRequired,
    /// A reference.
    Reference,
    /// A reference that leads back to where it stands.
    RecursiveReference,
    /// An object without properties.
    EmptyObject,
    /// The key of a property with other characters than letters, digits, `_`, `.` and `-`, or more than 64.
    PropertyKey,
    /// A pattern that looks ahead or behind.
    LookaroundPattern,
    /// A tool name with a `.` in it.
    DottedName,
    /// A tool name of 65 to 128 characters.
    LongName,
    /// More than 80 tools.
    DozensOfTools,
    /// More than 128 tools.
    ManyTools,
    /// A description of a tool with more than 2,048 UTF-16 units.
    LongDescription,
    /// Instructions of a server with more than 2,048 characters.
    LongInstructions,
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Who.
    pub reader: Reader,
    /// What it meets.
    pub feature: Feature,
    /// What it does then.
    pub verdict: Verdict,
    /// The same in words, to follow its name.
    pub says: &'static str,
    /// Where that is written.
    pub source: &'static str,
    /// When it was written or last seen: year and month.
    pub date: &'static str,
}

const ANTHROPIC: Reader = Reader::Provider(Provider::Anthropic);
const OPENAI: Reader = Reader::Provider(Provider::OpenAi);
const GEMINI: Reader = Reader::Provider(Provider::Gemini);
const CLAUDE_CODE: Reader = Reader::Client("claude-code");
const CURSOR: Reader = Reader::Client("cursor");
const VSCODE: Reader = Reader::Client("vscode");

const fn row(
    feature: Feature,
    reader: Reader,
    verdict: Verdict,
    says: &'static str,
    source: &'static str,
    date: &'static str,
) -> Row {
    Row { reader, feature, verdict, says, source, date }
}

use Feature::*;
use Verdict::*;

/// Everything that is known, by feature.
#[rustfmt::skip] // one a line, so that a fact is one line in every diff
pub static TABLE: &[Row] = &[
    row(ArrayWithoutItems, OPENAI, RefusesRequest, "refuses every request with the tool", "github.com/mark3labs/mcphost/issues/35", "2025-05"),
    row(ArrayWithoutItems, GEMINI, RefusesRequest, "refuses every request with the tool", "github.com/ruvnet/ruflo/issues/1294", "2026-03"),
    row(ArrayWithoutItems, VSCODE, RefusesTool, "leaves the tool out", "github.com/agentscope-ai/ReMe/issues/84", "2026-01"),
    row(ArrayFormItems, ANTHROPIC, RefusesRequest, "refuses every request with the tool", "github.com/hyperdxio/hyperdx/pull/2925", "2026-08"),
    row(PrefixItems, VSCODE, RefusesTool, "leaves the tool out, for it wants `items`", "github.com/D4Vinci/Scrapling/issues/150", "2026-02"),
    row(PrefixItems, GEMINI, Drops, "drops `prefixItems` from `parameters`", "google-genai 3.6.1, types.Schema", "2026-11"),
    row(BooleanSubschema, GEMINI, RefusesRequest, "refuses every request with the tool", "github.com/github/copilot-cli/issues/4623", "2026-08"),
    row(BooleanBound, ANTHROPIC, RefusesRequest, "refuses every request with the tool", "github.com/Dokploy/mcp/issues/74", "2026-08"),
    row(TypeList, GEMINI, RefusesRequest, "refuses every request with the tool, where the client sends the schema as `parameters`", "github.com/github/copilot-cli/issues/4623", "2026-08"),
    row(NonStringEnum, GEMINI, RefusesRequest, "refuses every request with the tool", "github.com/router-for-me/CLIProxyAPI/issues/1075", "2026-01"),
    row(EmptyEnumValue, GEMINI, RefusesRequest, "refuses every request with the tool", "github.com/sbroenne/mcp-server-excel/issues/607", "2026-04"),
    row(UntypedEnum, GEMINI, RefusesRequest, "refuses every request with the tool, on Vertex AI", "github.com/google-gemini/gemini-cli/issues/4400", "2025-07"),
    row(RootComposition, ANTHROPIC, RefusesRequest, "refuses every request with the tool", "its answer: input_schema does not support oneOf, allOf, or anyOf at the top level", "2026-04"),
    row(RootComposition, OPENAI, RefusesRequest, "refuses every request with the tool", "its answer: schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "2025-06"),
    row(RootComposition, CLAUDE_CODE, RefusesTool, "leaves the tool out", "github.com/anthropics/claude-code/issues/95504", "2026-09"),
    row(RootEnum, OPENAI, RefusesRequest, "refuses every request with the tool", "its answer: schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "2025-06"),
    row(NoProperties, OPENAI, RefusesRequest, "refuses every request with the tool, unless the client adds them", "github.com/inboxapi/cli/issues/106", "2026-05"),
    row(UndefinedRequired, GEMINI, RefusesRequest, "refuses every request with the tool", "github.com/moltis-org/moltis/issues/747", "2026-04"),
    row(EmptyObject, GEMINI, RefusesRequest, "refuses every request with the tool, where the client sends the schema as `parameters`", "github.com/MarkusPfundstein/mcp-obsidian/issues/21", "2025-03"),
    row(DottedName, OPENAI, RefusesRequest, "refuses every request with the tool", "github.com/openai/codex/issues/8174", "2025-12"),
    row(DottedName, ANTHROPIC, RefusesRequest, "refuses every request with the tool", "its answer: string should match pattern '^[a-zA-Z0-9_-]{1,128}$'", "2025-11"),
    row(LongName, OPENAI, RefusesRequest, "refuses every request with the tool", "platform.openai.com function calling guide", "2025-06"),
    row(PropertyKey, ANTHROPIC, RefusesRequest, "refuses every request with the tool", "its answer: property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'", "2026-04"),
    row(Format, GEMINI, RefusesRequest, "refuses every request with such a format in `parameters`", "github.com/google-gemini/gemini-cli/issues/2237", "2025-07"),
    row(DroppedKeyword, GEMINI, Drops, "drops them from `parameters`, and keeps some in `parametersJsonSchema`", "google-genai 3.6.1, types.Schema", "2026-11"),
    row(LookaroundPattern, OPENAI, RefusesRequest, "refuses every request with the tool", "github.com/anomalyco/opencode/issues/32073", "2026-09"),
    row(DozensOfTools, CURSOR, RefusesTool, "warns of more than 80 tools, and has left out those over its limit", "github.com/Snowflake-Labs/mcp/issues/77", "2025-09"),
    row(ManyTools, OPENAI, RefusesRequest, "refuses a request with more than 128 tools", "platform.openai.com API reference, `tools`", "2025-06"),
    row(ManyTools, VSCODE, RefusesRequest, "refuses a request with more than 128 tools", "github.com/microsoft/vscode-copilot-release/issues/11653", "2025-07"),
    row(LongDescription, CLAUDE_CODE, Drops, "cuts descriptions of tools after 2048 characters", "github.com/anthropics/claude-code/issues/87650", "2026-08"),
    row(LongInstructions, CLAUDE_CODE, Drops, "cuts instructions after 2048 characters", "github.com/anthropics/claude-code/issues/81268", "2026-08"),
    row(Reference, GEMINI, Drops, "drops `$ref` from `parameters`", "google-genai 3.6.1, types.Schema", "2026-11"),
    row(Reference, OPENAI, Drops, "shows its model nothing of what `$ref` names", "the rendering that published token counts agree with", "2026-11"),
    row(RecursiveReference, GEMINI, RefusesRequest, "refuses every request with the tool", "github.com/google-gemini/gemini-cli/issues/14945", "2025-12"),
    row(RecursiveReference, OPENAI, Drops, "shows its model nothing of what `$ref` names", "the rendering that published token counts agree with", "2026-11"),
];

/// What the readers that are meant do with a feature, the hardest first; `None` where nobody is known to mind.
pub fn verdicts(feature: Feature, targets: Targets) -> Option<Verdicts> {
    let mut rows: Vec<&Row> =
        TABLE.iter().filter(|row| row.feature == feature && row.reader.is_meant(targets)).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.verdict));
    (!rows.is_empty()).then_some(Verdicts { rows })
}

/// What some readers do with a feature: one of them at least.
#[derive(Clone, Debug)]
pub struct Verdicts {
    rows: Vec<&'static Row>,
}

impl Verdicts {
    /// Who minds: `OpenAI and VS Code`.
    pub fn who(&self) -> String {
        self.rows.iter().map(|row| row.reader.label()).collect::<Vec<_>>().join(" and ")
    }

    /// All of it as one note: `OpenAI and Gemini refuse every request with the tool; VS Code leaves the tool out`.
    pub fn note(&self) -> String {
        let mut parts: Vec<(String, &str)> = Vec::new();
        for row in &self.rows {
            match parts.iter_mut().find(|(_, says)| *says == row.says) {
                Some((names, _)) => *names = format!("{names} and {}", row.reader.label()),
                None => parts.push((row.reader.label().to_owned(), row.says)),
            }
        }
        let joined = parts.iter().map(|(names, says)| match names.contains(" and ") {
            true => format!("{names} {}", plural(says)),
            false => format!("{names} {says}"),
        });
        joined.collect::<Vec<_>>().join("; ")
    }
}

/// `refuses it` as several do it: `refuse it`.
fn plural(says: &str) -> String {
    let (verb, rest) = says.split_once(' ').unwrap_or((says, ""));
    format!("{} {rest}", verb.strip_suffix('s').unwrap_or(verb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_whoever_is_meant() {
        let note = |feature, targets| verdicts(feature, targets).map(|verdicts| verdicts.note());
        assert_eq!(
            note(ArrayWithoutItems, Targets::default()).as_deref(),
            Some("OpenAI and Gemini refuse every request with the tool; VS Code leaves the tool out")
        );
        let anthropic =
            Targets::new(Some(&[Provider::Anthropic]), Dialect::by_id("cursor").as_ref().map(std::slice::from_ref));
        assert_eq!(note(ArrayWithoutItems, anthropic), None);
        let refused = note(RootComposition, anthropic);
        assert_eq!(refused.as_deref(), Some("Anthropic refuses every request with the tool"));
    }

    #[test]
    fn every_row_has_its_source_and_every_client_is_known() {
        for (index, row) in TABLE.iter().enumerate() {
            assert!(!row.source.is_empty() && row.date.len() == 7, "{row:?}");
            assert!(row.says.split(' ').next().is_some_and(|verb| verb.ends_with('s')), "{row:?}");
            if let Reader::Client(id) = row.reader {
                assert!(Dialect::by_id(id).is_some(), "{id}");
            }
            let same = |other: &&Row| other.feature == row.feature && other.reader == row.reader;
            assert_eq!(TABLE[..index].iter().find(same).map(|row| row.source), None, "{row:?}");
        }
    }
}
