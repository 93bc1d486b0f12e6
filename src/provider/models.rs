//! Models by name, and the families of those that read a tool in the same way and count it with the same vocabulary.

use super::cost::{ListCost, Unrendered};
use super::page::Page;
use super::{Declaration, Provider, Vocabulary, anthropic, gemini, openai};

/// Models that read tools in the same way and count alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Claude up to 4.6.
    Claude,
    /// Claude since Opus 4.7, which has another vocabulary.
    NewerClaude,
    /// GPT-4o, GPT-4.1 and those of their time.
    Gpt4o,
    /// GPT-5.
    Gpt5,
    /// Gemini 2.0 and before.
    Gemini2,
    /// Gemini 2.5.
    Gemini25,
    /// Gemini 3.
    Gemini3,
}

/// How far a count may be off, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// How far off a list may be, in per cent: the largest error that was measured, or 1 where that is a token or two
    /// however long the tools are; of a family that could not be measured, what the evidence allows.
    pub per_cent: f64,
    /// Whether counts of tools that somebody published were compared.
    pub is_calibrated: bool,
    /// The same in words.
    pub says: &'static str,
    /// Where the published counts are from, or what else the estimate goes by. `docs/tokens.md` has all of it.
    pub source: &'static str,
    /// When they were published, or the recordings were last read: year and month.
    pub date: &'static str,
}

impl Accuracy {
    /// What to write before a number: `≈` if it is an estimate.
    pub fn sign(&self) -> &'static str {
        if self.per_cent > 1.0 { "≈" } else { "" }
    }
}

impl Family {
    /// Every family, by provider and age.
    pub const ALL: &[Family] = &[
        Family::Claude,
        Family::NewerClaude,
        Family::Gpt4o,
        Family::Gpt5,
        Family::Gemini2,
        Family::Gemini25,
        Family::Gemini3,
    ];

    /// Whose models they are.
    pub const fn provider(self) -> Provider {
        match self {
            Family::Claude | Family::NewerClaude => Provider::Anthropic,
            Family::Gpt4o | Family::Gpt5 => Provider::OpenAi,
            Family::Gemini2 | Family::Gemini25 | Family::Gemini3 => Provider::Gemini,
        }
    }

    /// The name that people know it by.
    pub const fn label(self) -> &'static str {
        match self {
            Family::Claude => "Claude up to 4.6",
            Family::NewerClaude => "Claude since Opus 4.7",
            Family::Gpt4o => "GPT-4o and GPT-4.1",
            Family::Gpt5 => "GPT-5",
            Family::Gemini2 => "Gemini 2.0",
            Family::Gemini25 => "Gemini 2.5",
            Family::Gemini3 => "Gemini 3",
        }
    }

    /// What its texts are counted with.
    pub const fn vocabulary(self) -> Vocabulary {
        match self.provider() {
            Provider::Anthropic => Vocabulary::Claude2,
            Provider::OpenAi => Vocabulary::O200k,
            Provider::Gemini => Vocabulary::Gemma3,
        }
    }

    /// How far its counts may be off.
    pub const fn accuracy(self) -> Accuracy {
        const RECORDED: &str = "requests recorded in the tests of github.com/pydantic/pydantic-ai";
        match self {
            Family::Claude => Accuracy {
                per_cent: 3.0,
                is_calibrated: true,
                says: "within 3 % of 68 published counts of single tools, 1 % on average",
                source: "what Claude Code's /context showed, in a post of 2025-10-17",
                date: "2025-10",
            },
            Family::NewerClaude => Accuracy {
                per_cent: 12.0,
                is_calibrated: false,
                says: "not calibrated: nobody has published counts of tools; perhaps 12 % off",
                source: "what people measured of prose, JSON and code",
                date: "2026-05",
            },
            Family::Gpt4o => Accuracy {
                per_cent: 3.5,
                is_calibrated: true,
                says: "exact on 24 counts of public tests, within 2 tokens on 17 of 22 recorded requests; \
                    up to 8 too many with descriptions of several lines",
                source: RECORDED,
                date: "2026-11",
            },
            Family::Gpt5 => Accuracy {
                per_cent: 1.0,
                is_calibrated: true,
                says: "within 2 tokens on 39 recorded requests",
                source: RECORDED,
                date: "2026-11",
            },
            Family::Gemini2 => Accuracy {
                per_cent: 5.0,
                is_calibrated: true,
                says: "within 1 token on 3 of 4 recorded requests; `parametersJsonSchema` is not counted there",
                source: RECORDED,
                date: "2026-11",
            },
            Family::Gemini25 => Accuracy {
                per_cent: 2.0,
                is_calibrated: true,
                says: "within 1 token on 16 recorded requests, few of them with `$ref` or `anyOf`",
                source: RECORDED,
                date: "2026-11",
            },
            Family::Gemini3 => Accuracy {
                per_cent: 1.0,
                is_calibrated: true,
                says: "within 1 token on 13 recorded requests, none of them with `enum` or `anyOf`",
                source: RECORDED,
                date: "2026-11",
            },
        }
    }

    /// The text that its models read of a tool, as far as it is known. In Gemini 3's, `<escape>` stands for
    /// the mark around strings; in Gemini 2.0's, NUL between them for nothing.
    pub fn text(self, tool: &Declaration) -> Result<String, Unrendered> {
        self.page(tool).map(|page| page.text)
    }

    pub(super) fn page(self, tool: &Declaration) -> Result<Page, Unrendered> {
        let mut page = Page::default();
        match self {
            Family::Claude | Family::NewerClaude => anthropic::write(tool, &mut page),
            Family::Gpt4o => openai::write(tool, false, &mut page),
            Family::Gpt5 => openai::write(tool, true, &mut page),
            Family::Gemini2 => gemini::write_strings(tool, &mut page)?,
            Family::Gemini25 => gemini::python::write(tool, &mut page)?,
            Family::Gemini3 => gemini::write_declaration(tool, &mut page)?,
        }
        Ok(page)
    }

    /// What a tool with this text adds to a list, in tokens. `count` counts a text.
    pub fn tokens(self, text: &str, count: &impl Fn(Vocabulary, &str) -> usize) -> usize {
        let tokens = self.part_tokens(text, count);
        match self {
            Family::Gpt4o | Family::Gpt5 => openai::tool_tokens(text, tokens),
            Family::Gemini2 | Family::Gemini3 => tokens + DECLARATION_MARKS,
            Family::Claude | Family::NewerClaude | Family::Gemini25 => tokens,
        }
    }

    /// What [`Family::tokens`] cannot exceed for this text, without a count: no text has more tokens than bytes.
    pub fn at_most(self, text: &str) -> usize {
        let bytes = text.len();
        match self {
            Family::Claude => anthropic::tokens(bytes),
            Family::NewerClaude => anthropic::newer_tokens(bytes, bytes),
            Family::Gpt4o | Family::Gpt5 | Family::Gemini25 => bytes,
            Family::Gemini2 | Family::Gemini3 => bytes + DECLARATION_MARKS,
        }
    }

    /// What a part of such a text comes to.
    pub(super) fn part_tokens(self, text: &str, count: &impl Fn(Vocabulary, &str) -> usize) -> usize {
        let count = |text: &str| if text.is_empty() { 0 } else { count(self.vocabulary(), text) };
        match self {
            Family::Claude => anthropic::tokens(count(text)),
            Family::NewerClaude => {
                let (words, breaks) = anthropic::words(text);
                anthropic::newer_tokens(count(text), count(&words).saturating_sub(breaks))
            }
            Family::Gpt4o | Family::Gpt5 | Family::Gemini25 => count(text),
            Family::Gemini2 => text.split(gemini::BREAK).map(count).sum(),
            Family::Gemini3 => text.split(gemini::QUOTE).map(|text| count(text) + 1).sum::<usize>() - 1,
        }
    }
}

/// A model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its name, as it was given.
    pub name: String,
    /// How it reads tools.
    pub family: Family,
    /// What a request costs once because it has tools at all, in tokens.
    pub overhead: usize,
    /// Whether it is one of those that its family's [`Accuracy`] is about.
    pub is_known: bool,
}

/// The models that costs are told of: one of each provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Models([Model; Provider::ALL.len()]);

impl Default for Models {
    fn default() -> Self {
        Models([Provider::Anthropic, Provider::OpenAi, Provider::Gemini].map(Model::standard))
    }
}

impl Models {
    /// These, and the standard ones of the other providers.
    pub fn new(models: impl IntoIterator<Item = Model>) -> Models {
        let mut all = Models::default();
        for model in models {
            let provider = model.family.provider();
            all.0[provider as usize] = model;
        }
        all
    }

    /// That of a provider.
    pub fn of(&self, provider: Provider) -> &Model {
        &self.0[provider as usize]
    }

    /// All of them, in the order of [`Provider::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = &Model> {
        self.0.iter()
    }
}

/// What Claude is told about tools before they are named, by model: in Anthropic's documentation of tool use (2026-11),
/// with the choice of a tool left to the model.
const TOOL_USE_PROMPTS: &[(&str, u32, u32, usize)] = &[
    ("opus", 5, 0, 286),
    ("sonnet", 5, 0, 354),
    ("opus", 4, 8, 290),
    ("opus", 4, 7, 675),
    ("opus", 4, 6, 497),
    ("sonnet", 4, 6, 497),
    ("opus", 4, 5, 496),
    ("sonnet", 4, 5, 496),
    ("haiku", 4, 5, 496),
    ("opus", 4, 1, 313),
    ("opus", 4, 0, 313),
    ("sonnet", 4, 0, 313),
    ("haiku", 3, 5, 264),
];
/// The same of models before that are not in the table, as it used to be given for all.
const OLD_TOOL_USE_PROMPT: usize = 346;
/// The same of those that came later, by the last that is known.
const NEW_TOOL_USE_PROMPT: usize = 354;
/// What a list costs beyond its text on the responses API, as recorded.
const GPT_4O_LIST: usize = 3;
const GPT_5_LIST: usize = 7;
/// The marks at the start and the end of a declaration to Gemini.
const DECLARATION_MARKS: usize = 2;

impl Model {
    /// Names that can be given, for messages and completions: the newest of each kind.
    pub const NAMES: &[&str] = &[
        "claude-opus-5",
        "claude-sonnet-5",
        "claude-sonnet-4-6",
        "claude-haiku-4-5",
        "gpt-5",
        "gpt-4.1",
        "gpt-4o",
        "gemini-3.6-flash",
        "gemini-2.5-flash",
    ];

    /// The model of this name: `claude-sonnet-4-5-20250929`, `anthropic/claude-3.5-sonnet`, `sonnet`, `gpt-4o`,
    /// `models/gemini-2.5-pro-preview-05-06`. A name that no model has yet is taken for the newest of its kind; `None`
    /// where the name is of none of the three providers.
    pub fn named(name: &str) -> Option<Model> {
        let lower = name.trim().to_ascii_lowercase();
        let words: Vec<&str> = lower
            .rsplit('/')
            .next()?
            .split(['@', ':'])
            .next()?
            .split(['-', '.', '_', ' '])
            .skip_while(|word| matches!(*word, "us" | "eu" | "apac" | "global" | "anthropic" | "openai" | "google"))
            .collect();
        let has = |word: &str| words.contains(&word);
        let tier = ["opus", "sonnet", "haiku", "fable", "mythos"].into_iter().find(|tier| has(tier));
        let model = |family, overhead, is_known| Model { name: name.trim().to_owned(), family, overhead, is_known };
        let kind = words.first().copied().unwrap_or_default();
        let version = version(&words);
        match kind {
            "" | "claude" | "gpt" | "gemini" if words.len() < 2 => {
                let provider = match &*lower {
                    "anthropic" | "claude" => Provider::Anthropic,
                    "openai" | "gpt" => Provider::OpenAi,
                    "google" | "gemini" => Provider::Gemini,
                    _ => return None,
                };
                Some(Model::standard(provider))
            }
            _ if kind == "claude" || tier == Some(kind) => {
                let tier = tier.unwrap_or("sonnet");
                let newest = TOOL_USE_PROMPTS.iter().find(|row| row.0 == tier).map_or((5, 0), |row| (row.1, row.2));
                let version = version.unwrap_or(newest);
                let row = TOOL_USE_PROMPTS.iter().find(|row| row.0 == tier && (row.1, row.2) == version);
                let is_old = version < (4, 7) && !matches!(tier, "fable" | "mythos");
                let (family, otherwise) = match is_old {
                    true => (Family::Claude, OLD_TOOL_USE_PROMPT),
                    false => (Family::NewerClaude, NEW_TOOL_USE_PROMPT),
                };
                Some(model(family, row.map_or(otherwise, |row| row.3), row.is_some() || is_old))
            }
            "gpt" | "chatgpt" | "o1" | "o3" | "o4" => {
                let is_before = has("4o") || has("35") || version.is_some_and(|version| version < (5, 0));
                let (family, list) = match is_before || kind != "gpt" {
                    true => (Family::Gpt4o, GPT_4O_LIST),
                    false => (Family::Gpt5, GPT_5_LIST),
                };
                let is_known = has("4o") || matches!(version, Some((5, _) | (4, 1)));
                Some(model(family, openai::NAMESPACE_TOKENS + list, is_known))
            }
            "gemini" => {
                let version = version.unwrap_or((3, 0));
                let family = match version {
                    (0..=1, _) | (2, 0..=4) => Family::Gemini2,
                    (2, _) => Family::Gemini25,
                    _ => Family::Gemini3,
                };
                Some(model(family, usize::from(family != Family::Gemini2), matches!(version.0, 2 | 3)))
            }
            _ => None,
        }
    }

    /// The one that is meant where nobody says: of each provider one that was measured.
    pub fn standard(provider: Provider) -> Model {
        let (name, family, overhead) = match provider {
            Provider::Anthropic => ("claude-sonnet-4-6", Family::Claude, 497),
            Provider::OpenAi => ("gpt-5", Family::Gpt5, openai::NAMESPACE_TOKENS + GPT_5_LIST),
            Provider::Gemini => ("gemini-3.6-flash", Family::Gemini3, 1),
        };
        Model { name: name.to_owned(), family, overhead, is_known: true }
    }

    /// How far its counts may be off.
    pub fn accuracy(&self) -> Accuracy {
        let accuracy = self.family.accuracy();
        if self.is_known {
            return accuracy;
        }
        Accuracy {
            per_cent: accuracy.per_cent.max(12.0),
            is_calibrated: false,
            says: "not calibrated: no counts of this model are known, it is taken for the next that is",
            ..accuracy
        }
    }

    /// What a list costs on every turn. `count` counts a text; whoever remembers counts does so in there.
    pub fn cost(&self, tools: &[Declaration], count: &impl Fn(Vocabulary, &str) -> usize) -> ListCost {
        let tools = tools.iter().map(|tool| self.family.text(tool).map(|text| self.family.tokens(&text, count)));
        ListCost::new(tools.collect(), self.overhead)
    }
}

/// The first two numbers of a name that are no dates: `4-5` in `claude-sonnet-4-5-20250929`, `4` in `gpt-4-0613`.
fn version(words: &[&str]) -> Option<(u32, u32)> {
    let number = |word: &&str| word.parse::<u32>().ok().filter(|_| word.len() <= 2);
    let mut numbers = words.iter().skip_while(|word| number(word).is_none()).map_while(number);
    numbers.next().map(|major| (major, numbers.next().unwrap_or_default()))
}

#[cfg(test)]
mod tests;
