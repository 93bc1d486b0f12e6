use crate::facts::{Counts, Oddity};
use crate::rules::{Context, Probed, Sink};

rule! {
    /// ## What it does
    /// Says that a server lists nothing: no tools, no prompts, no resources.
    ///
    /// ## Why
    /// It costs a start and gives the model nothing. Many servers list their tools only once they are given a key, a
    /// folder or a list of what to switch on.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"tools": []}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": [{"name": "find_notes", "inputSchema": {"type": "object"}}]}}
    /// ```
    ///
    /// ## Fix
    /// None.
    ///
    /// ## Sources
    /// MCP, server features: a server without any of the three has nothing for a client.
    "no-tools", Probe, Probe(check), Information;
    help: "see which settings the server needs before it lists its tools, or take the entry out";
    since: "0.1.0";
}

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let Some(report) = probed.report() else { return };
    // What could not be read may be there.
    let is_unread = |oddity: &Oddity| matches!(oddity, Oddity::NoList { .. } | Oddity::ListFailed { .. });
    let is_read = report.failure.is_none() && report.snapshot.is_some() && !report.oddities.iter().any(is_unread);
    let Counts { tools, resources, resource_templates, prompts, .. } = report.counts;
    if is_read && [tools, resources, resource_templates, prompts].iter().all(|count| *count == 0) {
        out.add(probed.range, "the server lists no tools, no prompts and no resources");
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::of_report;
    use crate::facts::{Failure, Oddity};

    #[test]
    fn is_silent_where_there_is_or_may_be_something() {
        assert_eq!(of_report(&RULE, |_| {}).len(), 1);
        assert_eq!(of_report(&RULE, |report| report.counts.prompts = 1), []);
        assert_eq!(of_report(&RULE, |report| report.counts.resource_templates = 1), []);
        assert_eq!(of_report(&RULE, |report| report.failure = Some(Failure::Protocol("x".to_owned()))), []);
        assert_eq!(of_report(&RULE, |report| report.snapshot = None), []);
        let unread = Oddity::NoList { method: "tools/list", found: "null" };
        assert_eq!(of_report(&RULE, |report| report.oddities.push(unread)), []);
    }
}
