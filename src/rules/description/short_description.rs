use super::lack::{Lack, lack};
use crate::model::Tool;
use crate::rules::{Context, Sink};

rule! {
    /// ## What it does
    /// Finds descriptions of tools that are shorter than 20 characters. A character of Chinese, Japanese or Korean
    /// counts as three, since it says as much. An empty description is `missing-description`'s; one that
    /// only repeats the name or could be any tool's is `description-repeats-name`'s or `vague-description`'s.
    ///
    /// ## Why
    /// So few words rarely say what the tool does, when to use it and what it returns.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "get_weather", "description": "Forecast.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "get_weather", "description": "Fetch the weather of a city for the next seven days.", "inputSchema": {"type": "object", "properties": {}}}]
    /// ```
    ///
    /// ## Fix
    /// None: what is missing is not in the list.
    ///
    /// ## Sources
    /// The providers' guides to tool use; Anthropic's asks for three to four sentences.
    "short-description", Description, Tool(check), Information;
    help: "say in one or two sentences what the tool does, when to use it and what it returns";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some((Lack::Short, member)) = lack(tool) else { return };
    let message = match member.value.as_str().map_or(0, |text| text.trim().chars().count()) {
        1 => format!("the description of {} has 1 character", tool.quoted()),
        count => format!("the description of {} has only {count} characters", tool.quoted()),
    };
    out.add(member.value.range, message);
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_text() {
        check(
            &RULE,
            r#"
[{"name": "a", "description": " Get weather. ", "inputSchema": {}}, {"name": "b", "description": "", "inputSchema": {}},
                              ^^^^^^^^^^^^^^^^ only 12 characters
 {"name": "c", "description": "Exactly twenty char.", "inputSchema": {}}, {"name": "d", "description": "查询城市的天气", "inputSchema": {}},
 {"name": "e", "description": "\u0041", "inputSchema": {}}, {"name": "f", "description": 1, "inputSchema": {}}]
                              ^^^^^^^^ 1 character
"#,
        );
    }
}
