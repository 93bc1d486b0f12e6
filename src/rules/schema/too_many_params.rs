use crate::model::Tool;
use crate::rules::{Context, Sink};

rule! {
    /// ## What it does
    /// Finds tools with more than 25 parameters.
    ///
    /// ## Why
    /// A model that has to fill in that many leaves some out and confuses others, and pays for all of them with every
    /// request. Mostly it is one endpoint of a web API as it is, or several tools in one.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "place", "description": "Place letters on a board and return the board.", "inputSchema": {"type": "object", "properties": {"a": {}, "b": {}, "c": {}, "d": {}, "e": {}, "f": {}, "g": {}, "h": {}, "i": {}, "j": {}, "k": {}, "l": {}, "m": {}, "n": {}, "o": {}, "p": {}, "q": {}, "r": {}, "s": {}, "t": {}, "u": {}, "v": {}, "w": {}, "x": {}, "y": {}, "z": {}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "place_letters", "description": "Place letters on a board and return the board.", "inputSchema": {"type": "object", "properties": {"letters": {"type": "string", "description": "The letters, in their order"}}, "additionalProperties": false}}]
    /// ```
    ///
    /// ## Fix
    /// None: which of them belong to a tool of their own is not in the list.
    ///
    /// ## Sources
    /// The limit of 25 is that of the quality card; the providers' guides to tool use: few parameters, each with its use.
    "too-many-params", Schema, Tool(check), Warning;
    help: "leave out what nobody sets, or make several tools of it";
    since: "0.1.0";
}

/// The most parameters that are not worth a word.
const MAX: usize = 25;

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    let count = tool.parameters().len();
    if count > MAX
        && let Some(member) = tool.input_schema()
    {
        let properties = member.value.member("properties").unwrap_or(member);
        out.add(properties.key.range, format!("{} has {count} parameters, more than {MAX}", tool.quoted()));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_the_key_of_the_properties() {
        let tool = |count: usize| {
            let properties: Vec<String> = (0..count).map(|number| format!("\"p{number}\": {{}}")).collect();
            let text = r#"
[{"name": "a", "inputSchema": {"properties": {}}}]
                               ^^^^^^^^^^^^ `a` has 26 parameters
"#;
            text.replace("{}", &format!("{{{}}}", properties.join(", ")))
        };
        check(&RULE, &tool(26));
        check(&RULE, &tool(25).replace('^', " ").replace("`a` has 26 parameters", ""));
    }
}
