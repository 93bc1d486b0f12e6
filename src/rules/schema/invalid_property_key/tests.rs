use super::{RULE, renamed};
use crate::analysis::Ruleset;
use crate::analysis::testing::{check, check_fix, findings};
use crate::diagnostic::Applicability::Unsafe;

#[test]
fn marks_the_key_of_parameters() {
    check(
        &RULE,
        r#"
[{"name": "a", "inputSchema": {"properties": {"名前": {}, "a.b-c_D1": {"properties": {"$in": {}}}, "force!": {}, "": {}}}}]
                                              ^^^^ `名前`
                                                                                                 ^^^^^^^^
                                                                                                               ^^ a parameter has an empty name
"#,
    );
    let tool = |name: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"{name}": {{}}}}}}}}]"#);
    check(&RULE, &tool(&"x".repeat(64)));
    let found = findings(Ruleset::only(&RULE), "tools.json", &tool(&"x".repeat(65)));
    assert!(found[0].message.ends_with("has 65 characters, and 64 are allowed"), "{}", found[0].message);
}

#[test]
fn renames_it_in_required() {
    let tool = |name: &str| {
        let schema = format!(r#"{{"required": ["x", "{name}"], "properties": {{"x": {{}}, "{name}": {{}}}}}}"#);
        format!(r#"[{{"name": "a", "inputSchema": {schema}}}]"#)
    };
    check_fix(&RULE, Unsafe, "tools.json", &tool("filter[id]"), &tool("filter_id"));
}

#[test]
fn keeps_what_a_name_says() {
    for (from, to) in [
        ("force!", Some("force")),
        ("types[]", Some("types")),
        ("Start<=", Some("Start_lte")),
        ("$top", Some("top")),
        ("@a.b c", Some("a.b_c")),
        ("größe", None),
        ("?", None),
    ] {
        assert_eq!(renamed(from).as_deref(), to, "{from}");
    }
}
