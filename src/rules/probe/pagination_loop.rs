use crate::facts::Oddity;
use crate::rules::{Context, Probed, Sink};

rule! {
    /// ## What it does
    /// Finds lists whose pages do not end: a cursor comes a second time, or a page more follows however many were read.
    ///
    /// ## Why
    /// A client reads pages until one has no `nextCursor`. It asks for ever, stops with an error, or shows its model
    /// the same tools many times over.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"tools": [], "odd": "cursor"}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": []}}
    /// ```
    ///
    /// ## Fix
    /// None: the server has to leave `nextCursor` out of its last page.
    ///
    /// ## Sources
    /// MCP, pagination; DeusData/codebase-memory-mcp issue 1247, where 8 tools became 160.
    "pagination-loop", Probe, Probe(check), Error;
    help: "leave `nextCursor` out of the last page, and give every page another one";
    since: "0.1.0";
}

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let Some(report) = probed.report() else { return };
    for oddity in &report.oddities {
        let message = match oddity {
            Oddity::CursorRepeats { method, pages } => {
                format!("the pages of `{method}` do not end: after {pages} of them a cursor comes a second time")
            }
            Oddity::EndlessPages { method, pages } => {
                format!("the pages of `{method}` do not end: after {pages} of them there is still another")
            }
            _ => continue,
        };
        out.add(probed.range, message)
            .note("clients that read every page ask for ever, give up, or list the same several times");
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::of_report;
    use crate::facts::Oddity;

    #[test]
    fn is_told_for_each_list() {
        let found = of_report(&RULE, |report| {
            report.oddities = vec![
                Oddity::CursorRepeats { method: "tools/list", pages: 3 },
                Oddity::NotUtf8,
                Oddity::EndlessPages { method: "resources/list", pages: 100 },
            ];
        });
        let messages: Vec<&str> = found.iter().map(|finding| &*finding.message).collect();
        assert_eq!(messages.len(), 2, "{messages:#?}");
        assert!(messages[0].contains("`tools/list`") && messages[0].contains("after 3"), "{messages:#?}");
        assert!(messages[1].contains("`resources/list`") && messages[1].contains("after 100"), "{messages:#?}");
    }
}
