//! What was counted of tools, in a few numbers: rules and faces ask these, and count nothing.

use super::cost::Unrendered;
use super::{Declaration, Models, Provider, Targets, Vocabulary};

/// What one tool costs on every turn with each of the models, in tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCost {
    tokens: [Result<usize, Unrendered>; Provider::ALL.len()],
    schemas: [usize; Provider::ALL.len()],
}

impl ToolCost {
    /// Counts a tool. `count` counts a text.
    pub fn of(tool: &Declaration, models: &Models, count: &impl Fn(Vocabulary, &str) -> usize) -> ToolCost {
        let tokens = |tool: &Declaration, provider| {
            let family = models.of(provider).family;
            family.text(tool).map(|text| family.tokens(&text, count))
        };
        let each = [Provider::Anthropic, Provider::OpenAi, Provider::Gemini];
        let whole = each.map(|provider| tokens(tool, provider));
        let rest = Declaration { schema: None, ..*tool };
        let schemas = each.map(|provider| {
            let Ok(whole) = &whole[provider as usize] else { return 0 };
            tool.schema.map_or(0, |_| whole.saturating_sub(tokens(&rest, provider).unwrap_or_default()))
        });
        ToolCost { tokens: whole, schemas }
    }

    /// What a tool cannot cost more than, and its schema neither: for texts, which are not counted, since none has more
    /// tokens than bytes.
    pub fn at_most(tool: &Declaration, models: &Models) -> ToolCost {
        let tokens = [Provider::Anthropic, Provider::OpenAi, Provider::Gemini].map(|provider| {
            let family = models.of(provider).family;
            family.text(tool).map(|text| family.at_most(&text))
        });
        let schemas = tokens.each_ref().map(|tokens| tokens.as_ref().copied().unwrap_or_default());
        ToolCost { tokens, schemas }
    }

    /// All of it, to a provider's model.
    ///
    /// # Errors
    /// Where it is not known how that model reads the tool.
    pub fn tokens(&self, provider: Provider) -> Result<usize, &Unrendered> {
        self.tokens[provider as usize].as_ref().copied()
    }

    /// The largest with the providers that the user targets, and whose that is.
    pub fn most(&self, targets: Targets) -> Option<(Provider, usize)> {
        most(targets, |provider| self.tokens(provider).ok())
    }

    /// The same of the input schema alone.
    pub fn most_of_schema(&self, targets: Targets) -> Option<(Provider, usize)> {
        most(targets, |provider| Some(self.schemas[provider as usize]))
    }
}

/// What several tools cost together on every turn with each of the models, in tokens; without what comes once because
/// there are tools at all, which is [`super::Model::overhead`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    tokens: [usize; Provider::ALL.len()],
    /// How many tools they are.
    pub tools: usize,
}

impl Costs {
    /// Adds a tool. What cannot be rendered for a provider counts as nothing there.
    pub fn add(&mut self, tool: &ToolCost) {
        self.tools += 1;
        for (sum, tokens) in self.tokens.iter_mut().zip(&tool.tokens) {
            *sum += tokens.as_ref().copied().unwrap_or_default();
        }
    }

    /// Together with others.
    pub fn with(mut self, others: Costs) -> Costs {
        self.tools += others.tools;
        self.tokens.iter_mut().zip(others.tokens).for_each(|(sum, tokens)| *sum += tokens);
        self
    }

    /// With a provider's model.
    pub fn of(&self, provider: Provider) -> usize {
        self.tokens[provider as usize]
    }

    /// The largest with the providers that the user targets, and whose that is.
    pub fn most(&self, targets: Targets) -> Option<(Provider, usize)> {
        most(targets, |provider| Some(self.of(provider)))
    }
}

impl<'c> FromIterator<&'c ToolCost> for Costs {
    fn from_iter<T: IntoIterator<Item = &'c ToolCost>>(tools: T) -> Costs {
        let mut costs = Costs::default();
        tools.into_iter().for_each(|tool| costs.add(tool));
        costs
    }
}

/// Of equal ones the first.
fn most(targets: Targets, tokens: impl Fn(Provider) -> Option<usize>) -> Option<(Provider, usize)> {
    let meant = Provider::ALL.iter().rev().filter(|provider| targets.has_provider(**provider));
    meant.filter_map(|provider| Some((*provider, tokens(*provider)?))).max_by_key(|(_, tokens)| *tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::read;

    fn cost(tool: &str) -> ToolCost {
        let value = read(tool).value;
        let tool = crate::model::Tool::new(tool, &value, crate::model::Form::default());
        ToolCost::of(&Declaration::from(&tool), &Models::default(), &|_, text| text.len())
    }

    #[test]
    fn a_schema_costs_what_the_tool_costs_more_than_without_it() {
        let with = cost(
            r#"{"name": "a", "description": "b", "inputSchema": {"type": "object", "properties": {"c": {"type": "string"}}}}"#,
        );
        let without = cost(r#"{"name": "a", "description": "b"}"#);
        for provider in Provider::ALL {
            let difference = with.tokens(*provider).expect("a number") - without.tokens(*provider).expect("a number");
            let only = Targets::new(Some(&[*provider]), None);
            assert_eq!(with.most_of_schema(only), Some((*provider, difference)));
            assert_eq!(without.most_of_schema(only), Some((*provider, 0)));
            assert!(difference > 0, "{provider:?}");
        }
    }

    #[test]
    fn the_largest_is_that_of_the_providers_that_are_meant() {
        let tool = cost(r#"{"name": "a", "inputSchema": {"type": "object", "properties": {"c": {"type": "string"}}}}"#);
        let costs: Costs = [&tool, &tool].into_iter().collect();
        let all = Provider::ALL.iter().map(|provider| costs.of(*provider)).max();
        assert_eq!(costs.most(Targets::default()).map(|(_, tokens)| tokens), all);
        let openai = Targets::new(Some(&[Provider::OpenAi]), None);
        assert_eq!(costs.most(openai), Some((Provider::OpenAi, 2 * tool.tokens(Provider::OpenAi).expect("a number"))));
        assert_eq!(costs.tools, 2);
    }
}
