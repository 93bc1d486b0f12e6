//! `mcp-analyzer view`

use std::collections::{BTreeMap, HashMap};
use std::io;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::lists::{ListOptions, Meant, gather};
use super::{Exit, output};
use crate::model::Tool;
use crate::provider::{Dropped, Provider, api_json};
use crate::render;
use crate::text::shown;

/// More tools than these are counted where the same is left out of them.
const NAMED: usize = 4;

/// The options of `view`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    lists: ListOptions,
    /// Whose API receives it
    #[arg(long = "as", value_name = "PROVIDER", value_parser = provider_parser())]
    provider: Provider,
}

fn provider_parser() -> impl TypedValueParser<Value = Provider> {
    PossibleValuesParser::new(Provider::ALL.iter().map(|provider| provider.id())).map(|id| {
        let provider = Provider::ALL.iter().find(|provider| provider.id() == id);
        *provider.expect("only these are let through")
    })
}

pub(super) fn run(options: &Options) -> io::Result<Exit> {
    let lists = match gather(&options.lists, Meant::Only)? {
        Ok(lists) => lists,
        Err(exit) => return Ok(exit),
    };
    for list in &lists.lists {
        let (json, dropped) = list.with_tools(|tools| {
            let (json, dropped) = api_json(options.provider, tools);
            (json, told(&dropped, tools))
        });
        output::write(&(render::visible_json(serde_json::to_string_pretty(&json)?) + "\n"))?;
        if !options.lists.quiet {
            dropped.iter().for_each(|line| output::remark(line));
        }
    }
    Ok(if lists.is_incomplete { Exit::Unusable } else { Exit::Clean })
}

/// What is left out, a line for what the same tools have and for the same reason.
fn told(dropped: &[Dropped], tools: &[Tool]) -> Vec<String> {
    let mut by_place: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for Dropped { tool, pointer, why } in dropped {
        let owners = by_place.entry((why, pointer)).or_default();
        if owners.last() != Some(tool) {
            owners.push(*tool);
        }
    }
    let mut groups: Vec<(&[usize], &str, Vec<&str>)> = Vec::new();
    let mut places: HashMap<(&[usize], &str), usize> = HashMap::new();
    for ((why, pointer), owners) in &by_place {
        let index = *places.entry((owners, why)).or_insert(groups.len());
        if index == groups.len() {
            groups.push((owners, why, Vec::new()));
        }
        groups[index].2.push(pointer);
    }
    // What most of them have first, then by place.
    groups.sort_by_key(|(owners, ..)| (std::cmp::Reverse(owners.len()), owners[0]));
    let line = |(owners, why, pointers): &(&[usize], &str, Vec<&str>)| {
        let pointers: Vec<_> = pointers.iter().map(|pointer| shown(pointer)).filter(|it| !it.is_empty()).collect();
        let pointers = if pointers.is_empty() { String::new() } else { format!("{}: ", pointers.join(", ")) };
        format!("{}: {pointers}{why}", whose(owners, tools))
    };
    groups.iter().map(line).collect()
}

fn whose(owners: &[usize], tools: &[Tool]) -> String {
    if owners.len() == tools.len() && tools.len() > 1 {
        return format!("all {} tools", tools.len());
    }
    let name = |index: &usize| match tools[*index].name() {
        Some((name, _)) => shown(name).into_owned(),
        None => format!("tool {}", index + 1),
    };
    let names: Vec<String> = owners.iter().take(NAMED).map(name).collect();
    match owners.len() - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Form;
    use crate::syntax::read;

    #[test]
    fn what_many_tools_lose_is_told_once() {
        let tool = |name: &str, more: &str| {
            format!(r#"{{"name": "{name}", "inputSchema": {{"$schema": "x", "type": "object"}}, "title": "T"{more}}}"#)
        };
        let mut texts: Vec<String> = ["a", "b", "c", "d", "e"].map(|name| tool(name, r#", "annotations": {}"#)).into();
        texts.push(tool("f\u{202e}", r#", "outputSchema": {}"#));
        texts.push(r#"{"description": "x", "inputSchema": {}}"#.to_owned());
        let values: Vec<_> = texts.iter().map(|text| read(text).value).collect();
        let tools: Vec<Tool> =
            texts.iter().zip(&values).map(|(text, value)| Tool::new(text, value, Form::Mcp)).collect();
        let lines = |provider| told(&api_json(provider, &tools).1, &tools);
        const KEPT: &str = "the API takes nothing of the kind; clients keep it to themselves";
        assert_eq!(
            lines(Provider::Anthropic),
            [
                format!("a, b, c, d and 2 more: /title: {KEPT}"),
                format!("a, b, c, d and 1 more: /annotations: {KEPT}"),
                format!("f\\u{{202e}}: /outputSchema: {KEPT}"),
                "tool 7: a tool without a name cannot be declared".to_owned(),
            ]
        );
        let whole = told(&api_json(Provider::Gemini, &tools[..5]).1, &tools[..5]);
        assert_eq!(whole[1], format!("all 5 tools: /annotations, /title: {KEPT}"));
        assert!(whole[0].starts_with("all 5 tools: /inputSchema/$schema: not in "), "{whole:?}");
    }
}
