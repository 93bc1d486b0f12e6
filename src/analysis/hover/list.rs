//! What a list of tools costs.

use super::super::costs::{LARGEST, by_size};
use super::costs::{a_size, on_every_turn, per_cent};
use super::markdown::named;
use crate::analysis::Report;
use crate::model::{self, Kind};
use crate::provider::{Costs, Model};
use crate::syntax::{Key, Value};
use crate::text::{TextRange, counted};

/// What is said of the list whose key or opening bracket is at `offset`, and where that is.
pub(super) fn list(report: &Report, offset: usize) -> Option<(TextRange, String)> {
    if !matches!(report.kind(), Kind::Tools) {
        return None;
    }
    // The outline is read only where the place is before the first tool of a list.
    let is_before = |index: &usize| report.item(*index).range().start >= offset;
    let first = (0..report.len()).find(is_before)?;
    let list = report.item(first).list();
    if first > 0 && report.item(first - 1).list() == list {
        return None;
    }
    let outline = model::outline(&String::from(report.text()));
    let range = place_of(&outline.value, None, report.item(first).range(), offset)?;
    let tools: Vec<usize> = (first..report.len()).take_while(|index| report.item(*index).list() == list).collect();
    Some((range, told(report, &tools)))
}

/// Where the key of the array is that a tool is in, or the bracket where it has none; if that is at `offset`.
fn place_of(value: &Value, key: Option<&Key>, tool: TextRange, offset: usize) -> Option<TextRange> {
    if value.elements().first().is_some_and(|first| first.range == tool) {
        let places = [key.map(|key| key.range), Some(value.opening())];
        return places.into_iter().flatten().find(|place| place.touches(offset));
    }
    let member = value.members().iter().find(|member| member.value.range.contains(tool));
    if let Some(member) = member {
        return place_of(&member.value, Some(&member.key), tool, offset);
    }
    let element = value.elements().iter().find(|element| element.range.contains(tool))?;
    place_of(element, None, tool, offset)
}

fn told(report: &Report, tools: &[usize]) -> String {
    let many = counted(tools.len(), "tool");
    let costs: Costs = tools.iter().filter_map(|index| report.cost(*index)).collect();
    // In a text that is too long for rules nothing is counted.
    if report.checked() > 0 && report.is_uncounted() {
        return format!("{many} · what they cost is being counted");
    }
    if costs.tools == 0 {
        return many;
    }
    let meant = report.models().iter().filter(|model| report.targets().has_provider(model.family.provider()));
    let models: Vec<&Model> = meant.collect();
    let numbers: Vec<(&Model, usize)> =
        models.iter().map(|model| (*model, costs.of(model.family.provider()))).collect();
    let left = match tools.len() - costs.tools {
        0 => String::new(),
        left => format!(", {left} of them not counted"),
    };
    let mut parts = vec![format!("{many}{left} · {}", on_every_turn(&numbers))];
    let once = models.iter().map(|model| format!("{} {}", model.family.provider().label(), model.overhead));
    let once = once.collect::<Vec<_>>().join(" · ");
    let mut lines = vec![format!("- and once a request, for having tools at all: {once}")];
    if let Some((provider, total)) = costs.most(report.targets()) {
        let tools = by_size(report, tools.iter().copied(), provider);
        let largest = tools.iter().take(LARGEST).map(|(index, tokens)| (report.item(*index).name(), *tokens));
        lines.extend(largest_of(report.models().of(provider), total, largest).map(|line| format!("- {line}")));
    }
    parts.push(lines.join("\n"));
    parts.push(a_size(models.into_iter()));
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// The largest tools of a list, by name, with their share of all; `None` where there is nothing to compare.
pub(super) fn largest_of<'n>(
    model: &Model,
    total: usize,
    largest: impl ExactSizeIterator<Item = (Option<&'n str>, usize)>,
) -> Option<String> {
    if largest.len() < 2 {
        return None;
    }
    let sign = model.accuracy().sign();
    let told = largest.map(|(name, tokens)| {
        let name = name.map_or_else(|| "one without a name".to_owned(), named);
        format!("{name} {sign}{tokens} ({})", per_cent(tokens, total))
    });
    Some(format!("largest for {}: {}", model.family.provider().label(), told.collect::<Vec<_>>().join(" · ")))
}
