use crate::model::Tool;
use crate::rules::{Context, Sink};

rule! {
    /// ## What it does
    /// Finds descriptions of tools that are shorter than 20 characters. A character of Chinese, Japanese or Korean
    /// counts as three, since it says as much. An empty description is `missing-description`'s.
    ///
    /// ## Why
    /// So few words rarely say what the tool does, when to use it and what it returns.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "get_weather", "description": "Weather.", "inputSchema": {"type": "object", "properties": {}}}]
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

const SHORT: usize = 20;

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let Some(member) = tool.description() else { return };
    let Some(text) = member.value.as_str().map(str::trim) else { return };
    if !text.is_empty() && text.chars().map(weight).sum::<usize>() < SHORT {
        let message = match text.chars().count() {
            1 => format!("the description of {} has 1 character", tool.quoted()),
            count => format!("the description of {} has only {count} characters", tool.quoted()),
        };
        out.add(member.value.range, message);
    }
}

/// How much one character says, in letters.
fn weight(char: char) -> usize {
    match u32::from(char) {
        0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => {
            3
        }
        _ => 1,
    }
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
