use crate::diagnostic::Severity;
use crate::provider::{Feature, Verdicts};
use crate::rules::{Context, Nameless, Sink, Toolset};

rule! {
    /// ## What it does
    /// Finds lists with more tools than an API or a client takes: 128 with OpenAI and VS Code, which is an error, and 80
    /// with Cursor, which is a warning.
    ///
    /// ## Why
    /// A request with too many tools is refused as a whole, or some of the tools never reach the model. The tools of
    /// other servers, and those of the client itself, count too.
    ///
    /// ## Bad
    /// ```json tools.jsonc
    /// [
    ///   {"name": "open_sheet_1", "description": "Open sheet 1 of the workbook.", "inputSchema": {"type": "object", "properties": {}}},
    ///   // … and 139 more
    ///   {"name": "close_workbook", "description": "Close the workbook without saving.", "inputSchema": {"type": "object", "properties": {}}}
    /// ]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "open_sheet", "description": "Open one sheet of the workbook by its number.", "inputSchema": {"type": "object", "properties": {"number": {"type": "integer", "description": "Number of the sheet, from 1"}}}},
    ///  {"name": "close_workbook", "description": "Close the workbook without saving.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// None: which tools can go is for you to say.
    ///
    /// ## Sources
    /// OpenAI's API reference, `tools`; github.com/microsoft/vscode-copilot-release/issues/11653;
    /// github.com/Snowflake-Labs/mcp/issues/77 (Cursor, September 2025).
    "tool-limit", Toolset, Toolset(check), Error;
    help: "leave tools out, make one of several that differ in a parameter, or split the server";
    since: "0.1.0";
}

/// What is minded by how many tools, the most first.
const LIMITS: [(usize, Feature, Severity); 2] =
    [(128, Feature::ManyTools, Severity::Error), (80, Feature::DozensOfTools, Severity::Warning)];

/// A limit that a list is over: how many tools are allowed, how bad it is, and who says so.
pub(super) struct Over {
    limit: usize,
    severity: Severity,
    verdicts: Verdicts,
}

/// The limit that a list is over, where somebody who is meant has one.
pub(super) fn over(toolset: &Toolset, cx: &Context) -> Option<Over> {
    let count = count(toolset);
    LIMITS.into_iter().filter(|(limit, ..)| count > *limit).find_map(|(limit, feature, severity)| {
        let verdicts = cx.verdicts(feature);
        (!verdicts.is_empty()).then_some(Over { limit, severity, verdicts })
    })
}

/// How many tools a list has.
pub(super) fn count(toolset: &Toolset) -> usize {
    let is_tool = |nameless: &Nameless| !matches!(nameless, Nameless::NoObject(_));
    toolset.tools.iter().filter(|tool| tool.nameless.as_ref().is_none_or(|(why, _)| is_tool(why))).count()
}

fn check(toolset: &Toolset, cx: &Context, out: &mut Sink) {
    let (Some(over), Some((first, range))) = (over(toolset, cx), toolset.first_named()) else { return };
    let message = format!(
        "this list has {} tools, more than the {} allowed by {}",
        count(toolset),
        over.limit,
        over.verdicts.who()
    );
    out.on(first.item).add_as(over.severity, range, message).note(over.verdicts.note());
}

#[cfg(test)]
mod tests {
    use super::super::many_tools;
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::findings;
    use crate::diagnostic::Severity;
    use crate::rules::Rule;
    use crate::settings::Settings;

    fn list(tools: usize) -> String {
        let tools = (0..tools).map(|index| format!(r#"{{"name": "a{index}", "inputSchema": {{}}}}"#));
        format!("[null, {}]", tools.collect::<Vec<_>>().join(","))
    }

    #[test]
    fn one_of_the_two_rules_speaks() {
        let said = |tools: usize, settings: &str| {
            let settings: Settings = toml::from_str(settings).expect("settings");
            let found = findings(Ruleset::new(&settings, false), "tools.json", &list(tools));
            let is_ours = |rule: &'static Rule| found.iter().find(|finding| finding.rule == rule.name).cloned();
            let ours = [&RULE, &many_tools::RULE].map(is_ours).into_iter().flatten();
            ours.map(|finding| (finding.rule, finding.severity, finding.notes.concat())).collect::<Vec<_>>()
        };
        assert_eq!(said(40, ""), []);
        assert_eq!(said(41, "")[0].0, "many-tools");
        assert_eq!((said(80, "").len(), said(80, "")[0].0), (1, "many-tools"));
        let cursor = &said(81, "")[..];
        assert!(
            matches!(cursor, [("tool-limit", Severity::Warning, note)] if note.starts_with("Cursor")),
            "{cursor:?}"
        );
        assert_eq!(said(81, "targets.clients = ['vscode']")[0].0, "many-tools");
        assert_eq!(said(128, "")[0].1, Severity::Warning);
        let all = &said(129, "")[..];
        assert!(
            matches!(all, [("tool-limit", Severity::Error, note)] if note.starts_with("OpenAI and VS Code")),
            "{all:?}"
        );
        let anthropic = "targets.providers = ['anthropic']\ntargets.clients = ['claude-code']";
        assert_eq!(said(500, anthropic)[0].0, "many-tools");
    }
}
