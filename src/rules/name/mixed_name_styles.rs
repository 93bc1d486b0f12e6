use crate::diagnostic::Fix;
use crate::rules::name::{MANY, Style, Taken};
use crate::rules::{Context, Sink, ToolFacts, Toolset};
use crate::text::{TextRange, shown};

rule! {
    /// ## What it does
    /// Finds tool names that are written in another style than most names of their list: `getForecast` beside
    /// `list_cities` and `find_city`. Names of one small word fit everywhere; names of a scheme of their own, such as
    /// `city-findByName`, are left alone, and so are lists with fewer than three names that show a style.
    ///
    /// ## Why
    /// A model writes the names of tools from the examples before it. Where most are alike and some are not, it writes
    /// those wrong, and the call fails.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_cities", "description": "List the cities that have a weather station.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "getForecast", "description": "Fetch the forecast for the next seven days.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "find_warning", "description": "Look up storm warnings that are in force today.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_cities", "description": "List the cities that have a weather station.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "get_forecast", "description": "Fetch the forecast for the next seven days.", "inputSchema": {"type": "object", "properties": {}}},
    ///  {"name": "find_warning", "description": "Look up storm warnings that are in force today.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe, since the server has to follow: renames the tool, here and in the descriptions that speak of it. There
    /// is none where another tool of the list has the new name, or would get it.
    ///
    /// ## Sources
    /// Counted over 120 public servers in November 2026: none mixes two of these styles; some have a scheme of their own.
    "mixed-name-styles", Name, Toolset(check), Warning;
    fix: Unsafe;
    help: "write all tool names of a list in one style";
    since: "0.1.0";
}

/// With fewer names than this that show a style, none is the style of the list.
pub(super) const ENOUGH: usize = 3;

/// A list whose names show several styles.
pub(super) struct Mixed<'a> {
    /// The style of most names; of several as common, the one that most lists have.
    pub(super) style: Style,
    /// How many names are in it.
    count: usize,
    /// The tools whose name shows another style.
    others: Vec<(&'a ToolFacts, &'a str, TextRange, Style)>,
}

/// What a list is mixed of, where it is.
pub(super) fn mixed<'a>(toolset: &Toolset<'a>) -> Option<Mixed<'a>> {
    let styled = toolset.tools.iter().filter_map(|tool| {
        let (name, range) = tool.name.as_ref()?;
        Some((tool, &**name, *range, Style::of(name)?))
    });
    let mut styled: Vec<_> = styled.collect();
    let count = |style: &Style| styled.iter().filter(|(.., other)| other == style).count();
    // Of equal ones the last is the maximum.
    let style = Style::ALL.into_iter().rev().max_by_key(count)?;
    let count = count(&style);
    if styled.len() < ENOUGH || count == styled.len() {
        return None;
    }
    styled.retain(|(.., other)| *other != style);
    Some(Mixed { style, count, others: styled })
}

fn check(toolset: &Toolset, _: &Context, out: &mut Sink) {
    let Some(Mixed { style, count, others }) = mixed(toolset) else { return };
    let (label, all) = (style.label(), others.len() + count);
    if others.len() > MANY {
        let Some((tool, name, range, other)) = others.first() else { return };
        let message = format!(
            "{} tool names of this list are in other styles than {label}, such as `{}` in {}",
            others.len(),
            shown(name),
            other.label()
        );
        out.on(tool.item).add(*range, message).note(format!("{count} of {all} are in {label}"));
        return;
    }
    let taken = Taken::new(toolset, style);
    for (tool, name, range, other) in others {
        let message =
            format!("`{}` is in {}, and other tool names of this list are in {label}", shown(name), other.label());
        out.on(tool.item)
            .add(range, message)
            .note(format!("{count} of {all} names that show a style are in {label}"))
            .fix(taken.free(name).map(|new| Fix::rename_tool(name, &new)));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::{check, check_fix, findings};
    use crate::diagnostic::Applicability::Unsafe;
    use crate::rules::name::tool_name_case;

    fn list(names: &[&str]) -> String {
        let tools = names.iter().map(|name| format!(r#"{{"name": "{name}", "inputSchema": {{}}}}"#));
        format!("[{}]", tools.collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn marks_what_is_not_like_most() {
        check(
            &RULE,
            r#"
[{"name": "getForecast", "inputSchema": {}}, {"name": "list_cities", "inputSchema": {}}, {"name": "find", "inputSchema": {}},
          ^^^^^^^^^^^^^ `getForecast` is in camelCase, and other tool names of this list are in snake_case
 {"name": "find_city", "inputSchema": {}}, {"name": "city-find", "inputSchema": {}}, {"name": "city_findAll", "inputSchema": {}}]
                                                    ^^^^^^^^^^^ 2 of 4
"#,
        );
    }

    #[test]
    fn keeps_quiet_where_there_is_one_style() {
        let count = |names: &[&str]| findings(Ruleset::only(&RULE), "tools.json", &list(names)).len();
        assert_eq!(count(&["getA", "get_b"]), 0);
        assert_eq!(count(&["get-all", "find", "post-userById", "userBy-id", "GET-x"]), 0);
        assert_eq!(count(&["getA", "getB", "getC", "find"]), 0);
        assert_eq!(count(&["getAll", "get_all", "listAll", "list_all"]), 2);
        let names: Vec<String> = (0..50).map(|at| format!("{}{at}", ["get_", "getA"][at % 2])).collect();
        assert_eq!(count(&names.iter().map(String::as_str).collect::<Vec<_>>()), 1);
    }

    #[test]
    fn renames_to_a_free_name_in_the_style_of_most() {
        let before = list(&["getUser", "find_user", "listUsers"]);
        check_fix(&RULE, Unsafe, "tools.json", &before, &before.replace("find_user", "findUser"));
        let fixes = |names: &[&str]| findings(Ruleset::only(&RULE), "tools.json", &list(names))[0].fixes.len();
        assert_eq!(fixes(&["getUser", "get_user", "find_user"]), 0);
        assert_eq!(fixes(&["getUser", "get-user", "find_user"]), 0);
        assert_eq!(fixes(&["getUser", "find", "find_user", "find_all"]), 1);
    }

    /// One name gets one advice, and a list is told one style.
    #[test]
    fn speaks_where_the_rule_of_snake_case_does_not() {
        let lists: &[&[&str]] = &[
            &["getA", "get_b", "get_c"],
            &["getA", "getB", "get_c"],
            &["get-a", "GetB", "get_c", "Get_D", "find"],
            &["Get_D", "getA", "get_b", "list_c"],
            &["getA", "getB"],
        ];
        for names in lists {
            let found = |rule| findings(Ruleset::only(rule), "tools.json", &list(names));
            let (mixed, case) = (found(&RULE), found(&tool_name_case::RULE));
            assert!(mixed.iter().all(|one| case.iter().all(|other| one.range != other.range)), "{names:?}");
            let advice = |word| mixed.iter().any(|finding| finding.message.ends_with(word));
            assert!(case.is_empty() || mixed.is_empty() || advice("in snake_case"), "{names:?}");
        }
    }
}
