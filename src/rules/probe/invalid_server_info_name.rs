use crate::rules::{Context, Probed, Sink};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds servers whose own name, `serverInfo.name`, is empty or has something else in it than the letters A to Z,
    /// digits, `_` and `-`.
    ///
    /// ## Why
    /// Some clients and gateways put this name before those of the tools, to tell servers apart. With a space or a dot
    /// in it that makes names that the APIs of models refuse.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"tools": [], "serverInfo": {"name": "Notes of the team", "version": "1.0.0"}}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": [], "serverInfo": {"name": "team-notes", "version": "1.0.0"}}}
    /// ```
    ///
    /// ## Fix
    /// None: the server gives itself this name. What people are to read goes into `serverInfo.title`.
    ///
    /// ## Sources
    /// modelcontextprotocol/csharp-sdk issue 679; MCP 2025-06-18, schema, `BaseMetadata`: `name` is for programs, `title`
    /// for people.
    "invalid-server-info-name", Probe, Probe(check), Information;
    help: "name the server with letters A to Z, digits, `_` and `-`, and put words for people into `title`";
    since: "0.1.0";
}

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let Some(name) = probed.report().and_then(|report| report.server.name.as_deref()) else { return };
    let is_plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    let message = match name.chars().find(|char| !is_plain(*char)) {
        _ if name.is_empty() => "the server calls itself by an empty name".to_owned(),
        None => return,
        Some(' ') => format!("the server calls itself `{}`, with a space in it", shown(name)),
        Some(char) => {
            format!("the server calls itself `{}`, with `{}` in it", shown(name), shown(char.encode_utf8(&mut [0; 4])))
        }
    };
    out.add(probed.range, message)
        .note("some clients put this name before those of the tools, and models' APIs refuse what comes of that");
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::of_report;

    #[test]
    fn names_what_is_in_the_way() {
        let found = |name: &str| {
            let found = of_report(&RULE, |report| report.server.name = Some(name.to_owned()));
            found.first().map(|finding| finding.message.clone())
        };
        assert_eq!(found("mcp-server-every_thing2"), None);
        assert_eq!(
            found("local.net server").as_deref(),
            Some("the server calls itself `local.net server`, with `.` in it")
        );
        assert_eq!(found("My Server").as_deref(), Some("the server calls itself `My Server`, with a space in it"));
        assert!(found("").is_some());
    }
}
