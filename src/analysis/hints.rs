//! What tools cost, behind their names. Only what was counted; counts nothing.

use super::Report;
use super::listed::name_place;
use crate::model::Kind;
use crate::provider::{Provider, ToolCost};
use crate::text::{TextRange, shown};

/// A few words that an editor shows in a line, which are not in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where they stand: behind the name of a tool.
    pub offset: usize,
    /// What the tool costs with the provider for whose model that is most.
    pub label: String,
    /// The same for each provider that the user targets, a line each. Plain text.
    pub tooltip: String,
}

/// The hints whose place is in `range`.
pub fn hints(report: &Report, range: TextRange) -> Vec<Hint> {
    if !matches!(report.kind(), Kind::Tools) {
        return Vec::new();
    }
    let hint = |index: usize| {
        let tool = report.item(index);
        if !tool.range().intersects(range) {
            return None;
        }
        let cost = report.cost(index)?;
        let (provider, tokens) = cost.most(report.targets())?;
        let offset = name_place(report, &tool).filter(|name| range.touches(name.end))?.end;
        let sign = report.models().of(provider).accuracy().sign();
        Some(Hint { offset, label: format!("{sign}{tokens} tokens"), tooltip: tooltip(report, cost) })
    };
    (0..report.len()).filter_map(hint).collect()
}

fn tooltip(report: &Report, cost: &ToolCost) -> String {
    let meant = Provider::ALL.iter().filter(|provider| report.targets().has_provider(**provider));
    let line = |provider: &Provider| {
        let model = report.models().of(*provider);
        match cost.tokens(*provider) {
            Ok(tokens) => {
                let sign = model.accuracy().sign();
                format!("\n{}: {sign}{tokens}, as {} counts", provider.label(), shown(&model.name))
            }
            Err(unrendered) => format!("\n{unrendered}"),
        }
    };
    format!("tokens on every turn{}", meant.map(line).collect::<String>())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::testing::document;
    use crate::analysis::{Analysis, Ruleset, World};
    use crate::settings::Settings;

    /// The hints of a list in which a token is a byte, before it was counted and after.
    fn hinted(text: &str, settings: &str, range: impl Fn(&str) -> TextRange) -> (usize, Vec<Hint>) {
        let document = document("tools.json", text);
        let settings: Settings = toml::from_str(settings).expect("settings");
        let rules = Arc::new(Ruleset::new(&settings, false));
        let world = World::new(&document, &rules);
        let mut analysis = Analysis::default();
        let before = hints(&analysis.check(&world), range(text)).len();
        if let Some(uncounted) = analysis.uncounted(&document.uri) {
            analysis.take_counts(uncounted.count(|_, text| text.len()), &world);
        }
        let report = analysis.last(&document.uri).expect("a report");
        (before, hints(&report, range(text)))
    }

    fn all(text: &str) -> TextRange {
        TextRange::new(0, text.len())
    }

    const TWO: &str = r#"[{"name": "get_a", "description": "Gets a.", "inputSchema": {"type": "object"}},
 {"description": "No name.", "inputSchema": {}}, {"description": "b", "name": "get_b", "inputSchema": {}}]"#;

    #[test]
    fn a_hint_stands_behind_the_name_of_each_tool_that_was_counted() {
        let (before, after) = hinted(TWO, "", all);
        assert_eq!(before, 0, "nothing was counted");
        let places: Vec<&str> = after.iter().map(|hint| &TWO[..hint.offset]).collect();
        assert!(places[0].ends_with("\"get_a\"") && places[1].ends_with("\"get_b\""), "{places:?}");
        assert_eq!(after.len(), 2);
        let second = |text: &str| TextRange::new(text.find('\n').expect("a line"), text.len());
        assert_eq!(hinted(TWO, "", second).1, after[1..]);
        let inside = |text: &str| TextRange::empty(text.find("Gets").expect("a text"));
        assert_eq!(hinted(TWO, "", inside).1, [], "the name is not in the range");
    }

    #[test]
    fn the_largest_is_shown_and_each_that_is_targeted_told() {
        let (_, all_hints) = hinted(TWO, "", all);
        let Hint { label, tooltip, .. } = &all_hints[0];
        let number = |line: &str| -> usize {
            let number = line.split_once(": ").expect("a provider").1.split(',').next().expect("a number");
            number.trim_start_matches('≈').parse().expect("a number")
        };
        let lines: Vec<&str> = tooltip.lines().collect();
        assert_eq!(lines.len(), 4, "{tooltip}");
        assert_eq!(lines[0], "tokens on every turn");
        assert!(
            lines[1].starts_with("Anthropic: ≈") && lines[1].ends_with(", as claude-sonnet-4-6 counts"),
            "{tooltip}"
        );
        let most = lines[1..].iter().map(|line| number(line)).max().expect("three");
        assert_eq!(label.trim_start_matches('≈'), format!("{most} tokens"));
        let (_, one) = hinted(TWO, "targets.providers = ['openai']\ntargets.models = ['gpt-4o']", all);
        assert_eq!(one[0].tooltip.lines().count(), 2);
        assert!(one[0].tooltip.ends_with(", as gpt-4o counts"), "{}", one[0].tooltip);
    }

    #[test]
    fn a_tool_that_is_broken_has_none() {
        let broken = TWO.replace("\"type\": \"object\"", "\"type\": \"object\",,");
        let (_, after) = hinted(&broken, "", all);
        assert!(after.iter().all(|hint| broken[..hint.offset].ends_with("\"get_b\"")), "{after:?}");
    }

    #[test]
    fn what_cannot_be_rendered_says_why() {
        let endless = r##"[{"name": "get_a", "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#"}}}}]"##;
        let (_, after) = hinted(endless, "", all);
        let last = after[0].tooltip.lines().last().expect("a line");
        assert!(last.starts_with("cannot be rendered for Gemini: "), "{last}");
        assert_eq!(hinted(endless, "targets.providers = ['gemini']", all).1, []);
        assert_eq!(hinted(r#"{"mcpServers": {"name": {}}}"#, "", all).1, []);
    }
}
