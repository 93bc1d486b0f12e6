use super::RULE;
use crate::analysis::testing::of_report;
use crate::diagnostic::Severity::{self, Error, Information, Warning};
use crate::facts::{Failure, Noise, Oddity};
use crate::model::dialect::Transport;

#[test]
fn is_as_loud_as_clients_suffer() {
    let cases: [(Oddity, Severity, &str); 9] = [
        (Oddity::NoList { method: "tools/list", found: "an object" }, Error, "`tools/list` has an object where"),
        (Oddity::NoList { method: "prompts/list", found: "null" }, Warning, "`prompts/list` has null where"),
        (Oddity::CursorNotString { method: "tools/list" }, Error, "is no string"),
        (Oddity::LenientHandshake("`serverInfo` is missing".to_owned()), Error, "not valid: `serverInfo`"),
        (Oddity::ListFailed { method: "prompts/list", reason: "no".to_owned() }, Warning, "cannot list it: no"),
        (Oddity::NotUtf8, Warning, "not UTF-8"),
        (Oddity::DiedOnDiscover, Warning, "`server/discover`"),
        (Oddity::UnknownIds(2), Warning, "2 answers"),
        (Oddity::UnofferedRequests(vec!["roots/list".to_owned()]), Information, "`roots/list`"),
    ];
    for (oddity, severity, words) in cases {
        let found = of_report(&RULE, |report| report.oddities.push(oddity));
        assert_eq!(found.len(), 1, "{words}");
        assert_eq!(found[0].severity, severity, "{words}");
        assert!(found[0].message.contains(words), "{}", found[0].message);
    }
}

#[test]
fn what_comes_over_http_and_is_no_message_is_a_note() {
    let found = |transport| {
        of_report(&RULE, |report| {
            report.transport = transport;
            report.noise = Noise { lines: 3, first: vec!["ping".to_owned()] };
        })
    };
    assert_eq!(found(Transport::Stdio), []);
    let found = found(Transport::Http);
    assert_eq!(found[0].severity, Information);
    assert_eq!(found[0].message, "3 events are no messages of the protocol, the first is `ping`");
}

#[test]
fn what_the_pages_do_wrong_is_another_rules() {
    let found = of_report(&RULE, |report| {
        report.oddities.push(Oddity::EndlessPages { method: "tools/list", pages: 100 });
    });
    assert_eq!(found, []);
}

#[test]
fn a_flood_is_one_problem() {
    let found = of_report(&RULE, |report| report.failure = Some(Failure::TooMuch("a line of 20 MiB".to_owned())));
    assert_eq!(found.len(), 1, "{found:#?}");
}
