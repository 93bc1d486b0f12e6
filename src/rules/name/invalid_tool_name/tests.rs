use super::{RULE, problem};
use crate::analysis::Ruleset;
use crate::analysis::testing::{check, check_fix, findings};
use crate::diagnostic::Applicability::{Safe, Unsafe};
use crate::diagnostic::Severity;
use crate::provider::Feature;

#[test]
fn marks_the_name() {
    check(
        &RULE,
        r#"
[{"name": "New Tool", "inputSchema": {}}, {"name": "", "inputSchema": {}},
          ^^^^^^^^^^ `New Tool` has a space
                                                   ^^ is empty
 {"name": "user/update", "inputSchema": {}}, {"name": "计算器", "inputSchema": {}},
          ^^^^^^^^^^^^^ has `/` in it
                                                      ^^^^^ not ASCII
 {"name": "a\nb\u200b", "inputSchema": {}}, {"name": "mail.send", "inputSchema": {}},
          ^^^^^^^^^^^^ `a\nb\u{200b}` has `\n` in it
                                                     ^^^^^^^^^^^ `mail.send` has a `.`
 {"name": "Ok-1_b", "inputSchema": {}}]
"#,
    );
}

#[test]
fn marks_what_stands_where_a_name_should() {
    check(
        &RULE,
        r#"
[{"name": "a", "inputSchema": {}}, {"name": 1, "inputSchema": {}}, {"inputSchema": {}}, {"name": null}, "b", [], null,
                                            ^ the `name` of this tool is a number, not a string
                                                                   ^ this tool has no `name`
                                                                                                 ^^^^ is null
                                                                                                        ^^^ has to be an object, not a string
                                                                                                             ^^ not an array
                                                                                                                 ^^^^ not null
 {"Name": "c"}, {"names": []}, {"type": "function", "function": {"description": "d"}}, {"type": "mcp"}, , {"name": }, {"x]
  ^^^^^^ `Name` is no key of a tool: did you mean `name`?
                ^              ^ this tool has no `name`
"#,
    );
    let list = |key: &str| format!(r#"[{{"name": "a", "inputSchema": {{}}}}, {{"{key}": "b", "inputSchema": {{}}}}]"#);
    check_fix(&RULE, Safe, "tools.json", &list("nmae"), &list("name"));
    let invalid = list("nmae").replace("\"b\"", "\"b c\"");
    assert_eq!(findings(Ruleset::only(&RULE), "tools.json", &invalid)[0].fixes, []);
    assert_eq!(findings(Ruleset::only(&RULE), "tools.json", &list("title"))[0].fixes, []);
}

#[test]
fn length_and_dots_are_louder_where_mcp_forbids_them() {
    let minded = |name: &str| problem(name).map(|problem| problem.minded);
    assert_eq!(minded(&"a".repeat(64)), None);
    assert_eq!(minded(&"a".repeat(65)), Some(Some(Feature::LongName)));
    assert_eq!(minded(&"a".repeat(128)), Some(Some(Feature::LongName)));
    assert_eq!(minded(&"a".repeat(129)), Some(None));
    assert_eq!(minded("a.b"), Some(Some(Feature::DottedName)));
    assert_eq!(minded("a.b c"), Some(None));
}

#[test]
fn only_who_is_meant_is_spoken_of() {
    let list = r#"[{"name": "a.b", "inputSchema": {}}, {"name": "a b", "inputSchema": {}}]"#;
    let found = |targets: &str| {
        let settings = toml::from_str(&format!("targets.providers = [{targets}]")).expect("settings");
        let mut found = findings(Ruleset::new(&settings, false), "tools.json", list);
        found.retain(|finding| finding.rule == RULE.name);
        Vec::from_iter(found.into_iter().map(|finding| (finding.severity, finding.notes.join(" "))))
    };
    let openai = found("'openai'");
    assert_eq!(openai[0].0, Severity::Warning);
    assert_eq!(openai[0].1, "MCP allows the name; OpenAI refuses every request with the tool");
    assert_eq!(found("'gemini'").iter().map(|(severity, _)| *severity).collect::<Vec<_>>(), [Severity::Error]);
}

#[test]
fn a_new_name_is_valid_and_free() {
    let list = |first: &str, second: &str| {
        format!(r#"[{{"name": "{first}", "inputSchema": {{}}}}, {{"name": "{second}", "inputSchema": {{}}}}]"#)
    };
    check_fix(&RULE, Unsafe, "tools.json", &list("mail.sendAll", "b"), &list("mail_send_all", "b"));
    check_fix(&RULE, Unsafe, "tools.json", &list(r"mail\u002esend", "b"), &list("mail_send", "b"));
    let fixes = |text: &str| findings(Ruleset::only(&RULE), "tools.json", text)[0].fixes.len();
    assert_eq!(fixes(&list("mail.send", "mail_send")), 0, "the new name is there already");
    assert_eq!(fixes(&list("mail.send", "mail-send")), 0, "the new name would be another's too");
    assert_eq!(fixes(&list("mail.send", "mail.send")), 0, "renaming would rename both");
    assert_eq!(fixes(&list("计算器!", "b")), 0);
}

#[test]
fn the_help_fits_what_has_no_name() {
    let found = findings(Ruleset::only(&RULE), "tools.json", r#"[{"name": "a b", "inputSchema": {}}, 1]"#);
    let help: Vec<bool> = found.iter().map(|finding| finding.help.contains("64 letters")).collect();
    assert_eq!(help, [true, false]);
}
