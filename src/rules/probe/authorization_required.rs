use super::told;
use crate::facts::Failure;
use crate::model::launch::Unresolved;
use crate::rules::{Context, Probed, Sink};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Says that a server wants somebody to sign in before it tells what it exposes.
    ///
    /// ## Why
    /// It is no mistake. Your client signs you in, and mcp-analyzer does not: it opens no browser and has no tokens but
    /// those of the entry. Nothing is checked of what the server lists.
    ///
    /// ## Bad
    /// ```json seen
    /// {"server": {"fails": "sign in"}}
    /// ```
    ///
    /// ## Good
    /// ```json seen
    /// {"server": {"tools": []}}
    /// ```
    ///
    /// ## Fix
    /// None. Where the server takes a token in a header, put a valid one into the entry, by a variable. Who writes the
    /// server can let it list its tools to anybody and ask for the token when one is called.
    ///
    /// ## Sources
    /// MCP 2025-11-25, authorization; RFC 9728.
    "authorization-required", Probe, Probe(check), Information;
    help: "sign in with your client, or put a valid token into the `headers` or `env` of the entry";
    since: "0.1.0";
}

fn check(probed: &Probed, _: &Context, out: &mut Sink) {
    let Some(failure) = probed.report().and_then(|report| report.failure.as_ref()) else { return };
    let challenge = match failure {
        Failure::AuthorizationRequired(challenge) => Some(challenge),
        Failure::Unresolved(Unresolved::SignIn) => None,
        _ => return,
    };
    let finding = out.add(probed.range, told(failure));
    if let Some(challenge) = challenge {
        let facts = [
            ("the scheme is", &challenge.scheme),
            ("how to sign in is written at", &challenge.resource_metadata),
            ("it asks for the scope", &challenge.scope),
            ("it calls the reason", &challenge.error),
        ];
        for (words, value) in facts {
            if let Some(value) = value {
                finding.note(format!("{words} `{}`", shown(value)));
            }
        }
    }
    finding.note("for authors: a server may list its tools without a token, and ask for it when one is called");
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::of_report;
    use crate::facts::{Challenge, Failure};
    use crate::model::launch::Unresolved;

    #[test]
    fn tells_what_the_challenge_says() {
        let challenge = Challenge {
            status: 401,
            scheme: Some("Bearer".to_owned()),
            resource_metadata: Some("https://notes.example/.well-known/oauth-protected-resource".to_owned()),
            scope: Some("notes:read".to_owned()),
            error: None,
        };
        let found = of_report(&RULE, |report| report.failure = Some(Failure::AuthorizationRequired(challenge)));
        assert_eq!(found.len(), 1, "{found:#?}");
        let notes = found[0].notes.join("\n");
        for fact in ["`Bearer`", "`https://notes.example/", "`notes:read`", "for authors"] {
            assert!(notes.contains(fact), "{notes}");
        }
        // No variable reaches a server that is contacted, and none is set for what is not started.
        assert!(!notes.contains("reason") && !notes.contains("MCP_PROBE"), "{notes}");
    }

    #[test]
    fn a_bridge_that_would_open_a_browser_is_the_same() {
        let found = of_report(&RULE, |report| report.failure = Some(Failure::Unresolved(Unresolved::SignIn)));
        assert_eq!(found.len(), 1, "{found:#?}");
    }
}
