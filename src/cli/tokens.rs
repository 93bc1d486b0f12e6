//! `mcp-analyzer tokens`

use std::io;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::lists::{List, ListOptions, Meant, for_each_model, gather};
use super::{Exit, OutputFormat, exact, output};
use crate::analysis::Ruleset;
use crate::provider::{Declaration, Model, Provider};
use crate::render::{Counted, TokenList, Tokens};
use crate::text::{counted, nearest};
use crate::tokens::Vocabulary;

/// As wide as a table is where no terminal says otherwise.
const WIDTH: usize = 80;

/// The options of `tokens`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    lists: ListOptions,
    /// Whose models count; those that the settings target, or all, unless said
    #[arg(long = "provider", value_name = "PROVIDER", value_delimiter = ',', value_parser = provider_parser())]
    providers: Vec<Asked>,
    /// The model that counts, such as `claude-opus-5` or `gpt-4o`; one of each provider
    #[arg(long = "model", value_name = "MODEL", value_parser = model)]
    models: Vec<Model>,
    /// Show this many tools of a list, the largest
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Exit with 1 where all tools together are larger than this by our count, in tokens
    #[arg(long, value_name = "N")]
    budget: Option<usize>,
    /// Have the providers themselves count: sends them the tools, with your key from ANTHROPIC_API_KEY, OPENAI_API_KEY,
    /// GEMINI_API_KEY or GOOGLE_API_KEY
    #[arg(long)]
    exact: bool,
    /// What the answer looks like
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// A value of `--provider`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    All,
    One(Provider),
}

fn provider_parser() -> impl TypedValueParser<Value = Asked> {
    let names = Provider::ALL.iter().map(|provider| provider.id()).chain(["all"]);
    PossibleValuesParser::new(names).map(|name| {
        let named = Provider::ALL.iter().find(|provider| provider.id() == name);
        named.map_or(Asked::All, |provider| Asked::One(*provider))
    })
}

/// The value of `--model`.
fn model(name: &str) -> Result<Model, String> {
    Model::named(name).ok_or_else(|| {
        let meant = nearest(name, Model::NAMES.iter().copied());
        let meant = meant.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
        format!("{meant}known models: {}", Model::NAMES.join(", "))
    })
}

pub(super) fn run(options: &Options) -> io::Result<Exit> {
    if let Some(error) = options.contradiction() {
        output::message(&error);
        return Ok(Exit::Unusable);
    }
    let gathered = match gather(&options.lists, Meant::All)? {
        Ok(gathered) => gathered,
        Err(exit) => return Ok(exit),
    };
    let models = options.models(&gathered.rules);
    let mut lists: Vec<TokenList> = gathered.lists.iter().map(|list| count(list, &models)).collect();
    let mut is_incomplete = gathered.is_incomplete;
    if options.exact {
        match exact::ask(&gathered.lists, &models, &mut lists)? {
            exact::Asked::Complete => {}
            exact::Asked::Incomplete => is_incomplete = true,
            exact::Asked::NoKey => return Ok(Exit::Unusable),
            exact::Asked::Interrupted => return Ok(Exit::Interrupted),
        }
    }
    let servers = gathered.servers.shown();
    let tokens = Tokens { models: &models, lists: &lists, servers: &servers, error: gathered.error.as_deref() };
    match options.format {
        OutputFormat::Json => output::write(&tokens.json()?)?,
        OutputFormat::Text => {
            let width = output::columns().unwrap_or(WIDTH);
            output::write(&tokens.text(options.top, width, output::style()))?;
        }
    }
    let over = options.budget.and_then(|budget| over_budget(&tokens, budget));
    over.iter().for_each(|over| output::remark(over));
    if options.budget.is_some() && over.is_none() && !tokens.is_complete() {
        output::message("whether that is within the budget is not known, since no model counts all of the tools");
        is_incomplete = true;
    }
    Ok(match (is_incomplete, over) {
        (true, _) => Exit::Unusable,
        (false, Some(_)) => Exit::Findings,
        (false, None) => Exit::Clean,
    })
}

impl Options {
    /// What two options say that cannot both be.
    fn contradiction(&self) -> Option<String> {
        for (index, model) in self.models.iter().enumerate() {
            let provider = model.family.provider();
            if let Some(other) = self.models[..index].iter().find(|other| other.family.provider() == provider) {
                let (one, two, label) = (&other.name, &model.name, provider.label());
                return Some(format!("`{one}` and `{two}` are both of {label}; `--model` takes one of each provider"));
            }
            let is_told = |asked: &Asked| matches!(asked, Asked::All) || *asked == Asked::One(provider);
            if !self.providers.is_empty() && !self.providers.iter().any(is_told) {
                let (name, id) = (&model.name, provider.id());
                return Some(format!("`{name}` is a model of {id}, which `--provider` leaves out"));
            }
        }
        None
    }

    /// The models that count, in the order of [`Provider::ALL`].
    fn models(&self, rules: &Ruleset) -> Vec<Model> {
        let named = |provider| self.models.iter().find(|model| model.family.provider() == provider);
        let is_asked = |provider: Provider| match (self.providers.is_empty(), self.models.is_empty()) {
            (false, _) => {
                self.providers.iter().any(|asked| matches!(asked, Asked::All) || *asked == Asked::One(provider))
            }
            (true, false) => named(provider).is_some(),
            (true, true) => rules.targets().has_provider(provider),
        };
        let asked = Provider::ALL.iter().copied().filter(|provider| is_asked(*provider));
        asked.map(|provider| named(provider).unwrap_or_else(|| rules.models().of(provider)).clone()).collect()
    }
}

/// What a list costs with each of the models, as we count.
fn count(list: &List, models: &[Model]) -> TokenList {
    list.with_tools(|tools| TokenList {
        name: list.name.clone(),
        is_of_server: list.is_of_server,
        tools: tools.iter().filter(|tool| tool.is_declared()).map(|tool| tool.label().to_owned()).collect(),
        uncounted: tools.iter().filter(|tool| !tool.is_declared()).count(),
        counted: for_each_model(tools, models, |model, declarations| {
            let count = Vocabulary::count;
            let parts = |tool: &Declaration| model.family.parts(tool, &count).unwrap_or_default();
            let cost = model.cost(declarations, &count);
            Counted { cost, parts: declarations.iter().map(parts).collect(), exact: None }
        }),
    })
}

/// By how much the tools are larger than a budget, by the model that has most of them; `None` where they are not.
fn over_budget(tokens: &Tokens, budget: usize) -> Option<String> {
    let (total, model) = tokens.totals().into_iter().flatten().zip(tokens.models).max_by_key(|(total, _)| *total)?;
    let over = total.checked_sub(budget).filter(|over| *over > 0)?;
    let sign = model.accuracy().sign();
    let over = counted(over, "token");
    Some(format!("over the budget of {budget} by {sign}{over}: {sign}{total} with {}", model.name))
}
