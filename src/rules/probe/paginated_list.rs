use crate::facts::Oddity;
use crate::rules::{Context, Probed, Sink};

rule! {
    /// ## What it does
    /// Says that the tools of a server come in more than one page.
    ///
    /// ## Why
    /// MCP allows it, and several clients read the first page only. The other tools are missing there, and nothing says
    /// so.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"pages": 2, "tools": [{"name": "find_notes", "inputSchema": {"type": "object"}}, {"name": "read_note", "inputSchema": {"type": "object"}}]}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": [{"name": "find_notes", "inputSchema": {"type": "object"}}, {"name": "read_note", "inputSchema": {"type": "object"}}]}}
    /// ```
    ///
    /// ## Fix
    /// None. The server's author can make its pages larger.
    ///
    /// ## Sources
    /// github/copilot-cli issue 4006, Factory-AI/factory issue 7, open-webui/open-webui issue 29879, vercel/ai issue
    /// 19240, the last two mended in 2026.
    "paginated-list", Probe, Probe(check), Information;
    help: "let the server send all of its tools in one page";
    since: "0.1.0";
}

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let Some(report) = probed.report() else { return };
    let (tools, pages) = (report.counts.tools, report.counts.tool_pages);
    // Of pages that do not end another rule speaks.
    let is_endless = |oddity: &Oddity| match oddity {
        Oddity::CursorRepeats { method, .. } | Oddity::EndlessPages { method, .. } => *method == "tools/list",
        _ => false,
    };
    if pages > 1 && !report.oddities.iter().any(is_endless) {
        out.add(probed.range, format!("the {tools} tools come in {pages} pages, and some clients read the first only"))
            .note("the other tools are missing there, and nothing says so");
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::of_report;
    use crate::facts::Oddity;

    #[test]
    fn is_silent_about_pages_that_do_not_end() {
        let found = of_report(&RULE, |report| {
            report.counts.tool_pages = 3;
            report.oddities.push(Oddity::CursorRepeats { method: "tools/list", pages: 3 });
        });
        assert_eq!(found, []);
        let found = of_report(&RULE, |report| {
            report.counts.tools = 101;
            report.counts.tool_pages = 3;
            report.oddities.push(Oddity::CursorRepeats { method: "prompts/list", pages: 3 });
        });
        assert_eq!(found.len(), 1);
        assert!(found[0].message.starts_with("the 101 tools come in 3 pages"), "{}", found[0].message);
    }
}
