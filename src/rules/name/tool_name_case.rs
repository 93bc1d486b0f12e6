use crate::diagnostic::Fix;
use crate::rules::name::mixed_name_styles::{ENOUGH, mixed};
use crate::rules::name::{MANY, Style, Taken};
use crate::rules::{Context, Sink, ToolFacts, Toolset};
use crate::text::{TextRange, shown};

rule! {
    /// ## What it does
    /// Finds tool names that are not in snake_case: `getForecast`, `GetForecast`, `get-forecast`. A list that is in
    /// one other style throughout, or that has more than twenty other names, is one finding. Where a list has several
    /// styles, `mixed-name-styles` speaks of them.
    ///
    /// ## Why
    /// Two of three published tools are in snake_case; where all tools of a client are, a model has less to mistype.
    /// Only a note: every client takes the other forms, and renaming a tool breaks whoever has allowed it by its name.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "getForecast", "description": "Fetch the forecast of a city for a week.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "get_forecast", "description": "Fetch the forecast of a city for a week.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe, since the server has to follow: renames the tool, here and in the descriptions that speak of it. There
    /// is none where another tool of the list has the new name, or would get it, and none for a whole list.
    ///
    /// ## Sources
    /// Counted over the 3,093 tools of 120 public servers in November 2026.
    "tool-name-case", Name, Toolset(check), Information;
    fix: Unsafe;
    help: "write tool names in snake_case, all of a list in the same way";
    since: "0.1.0";
}

fn check(toolset: &Toolset, _: &Context, out: &mut Sink) {
    let mixed = mixed(toolset);
    // What all names are to be like is told there.
    if mixed.as_ref().is_some_and(|mixed| mixed.style != Style::Snake) {
        return;
    }
    let is_told = |name: &str| mixed.is_some() && Style::of(name).is_some();
    let named: Vec<(&ToolFacts, &str, TextRange)> = toolset
        .tools
        .iter()
        .filter_map(|tool| tool.name.as_ref().map(|(name, range)| (tool, &**name, *range)))
        .collect();
    let other: Vec<_> = named.iter().filter(|(_, name, _)| is_other_case(name) && !is_told(name)).collect();
    let Some((first, first_name, first_range)) = other.first() else { return };
    let names = named.iter().map(|(_, name, _)| *name);
    if let Some(style) = style_of_all(names) {
        let label = style.label();
        let message = format!("the tool names of this list are in {label}, such as `{}`", shown(first_name));
        out.on(first.item).add(*first_range, message);
        return;
    }
    if other.len() > MANY {
        let (count, all) = (other.len(), named.len());
        let message = format!(
            "{count} of the {all} tool names of this list are not in snake_case, such as `{}`",
            shown(first_name)
        );
        out.on(first.item).add(*first_range, message);
        return;
    }
    let taken = Taken::new(toolset, Style::Snake);
    for (tool, name, range) in other {
        out.on(tool.item)
            .add(*range, format!("the tool name `{}` is not in snake_case", shown(name)))
            .fix(taken.free(name).map(|new| Fix::rename_tool(name, &new)));
    }
}

/// The style other than snake_case that a list keeps to. Two names of one are enough for it in kebab-case, which is
/// nobody's slip.
fn style_of_all<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Option<Style> {
    let is_kebab = |name: &str| name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    if names.clone().count() > 1 && names.clone().all(is_kebab) {
        return Some(Style::Kebab);
    }
    let styles = Vec::from_iter(names.filter_map(Style::of));
    let first = *styles.first()?;
    let is_kept = styles.len() >= ENOUGH && styles.iter().all(|style| *style == first);
    (is_kept && first != Style::Snake).then_some(first)
}

/// Whether a valid name has a form other than snake_case. What is not valid is another rule's.
fn is_other_case(name: &str) -> bool {
    let is_valid = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    is_valid
        && name.bytes().any(|byte| byte.is_ascii_uppercase() || byte == b'-')
        && Style::Snake.write(name).is_some_and(|snake| snake != name)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::Unsafe;

    fn list(names: &[&str]) -> String {
        let tools = names
            .iter()
            .map(|name| format!(r#"{{"name": "{name}", "description": "Like `getForecast`.", "inputSchema": {{}}}}"#));
        format!("[{}]", tools.collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn marks_each_name() {
        check(
            &RULE,
            r#"
[{"name": "getForecast", "inputSchema": {}}, {"name": "get_forecast_2", "inputSchema": {}},
          ^^^^^^^^^^^^^ `getForecast` is not in snake_case
 {"name": "run-It", "inputSchema": {}}, {"name": "RUN_it", "inputSchema": {}}, {"name": "a.B", "inputSchema": {}},
          ^^^^^^^^                               ^^^^^^^^
 {"name": "_private__x", "inputSchema": {}}]
"#,
        );
    }

    #[test]
    fn a_list_in_one_other_form_is_one_finding() {
        let found = |names: &[&str]| findings(Ruleset::only(&RULE), "tools.json", &list(names));
        let kebab = found(&["get-a", "b", "get-c"]);
        assert_eq!(kebab.len(), 1);
        assert!(kebab[0].message.contains("kebab-case"), "{}", kebab[0].message);
        assert_eq!(found(&["get-a", "get-b", "get_C"]).len(), 3);
        let camel = found(&["getA", "find", "getB", "getC"]);
        assert_eq!((camel.len(), camel[0].fixes.len()), (1, 0));
        assert!(camel[0].message.contains("camelCase"), "{}", camel[0].message);
        let capital: Vec<String> = (0..30).map(|index| format!("Get_thing{index}")).collect();
        let capital = found(&capital.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(capital.len(), 1);
        assert!(capital[0].message.starts_with("30 of the 30"), "{}", capital[0].message);
    }

    #[test]
    fn renames_everywhere_and_to_a_free_name() {
        let before = list(&["getForecast", "b"]);
        let after = before.replace("getForecast", "get_forecast");
        check_fix(&RULE, Unsafe, "tools.json", &before, &after);
        let fixes = |names: &[&str]| findings(Ruleset::only(&RULE), "tools.json", &list(names))[0].fixes.len();
        assert_eq!(fixes(&["getUser", "get_user"]), 0);
        assert_eq!(fixes(&["getUser", "get-user"]), 0);
        assert_eq!(fixes(&["getHTTPUrl", "b"]), 1);
    }
}
