use super::lack::{Lack, lack, redraft};
use crate::model::Tool;
use crate::rules::{Context, Sink};

rule! {
    /// ## What it does
    /// Finds descriptions of tools that could stand at any other tool: "Does stuff", "Processes the request", "Performs
    /// an operation on the data", "TODO". Looks at short ones only, all of whose words are of this kind. English only.
    ///
    /// ## Why
    /// A model decides by the description whether to call a tool, and this one gives it nothing to decide by.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "orders", "description": "Processes the request and returns the result.", "inputSchema": {"type": "object", "properties": {"customer": {"type": "string", "description": "Customer number"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "orders", "description": "List the open orders of a customer with their totals.", "inputSchema": {"type": "object", "properties": {"customer": {"type": "string", "description": "Customer number"}}}}]
    /// ```
    ///
    /// ## Fix
    /// A suggestion, where the name or the parameters say more: a first sentence made of them, for you to finish.
    ///
    /// ## Sources
    /// The providers' guides to tool use.
    "vague-description", Description, Tool(check), Warning;
    fix: Suggestion;
    help: "say what is done to what: a verb that tells, its object, and what comes back";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    if let Some((Lack::Vague, member)) = lack(tool) {
        out.add(member.value.range, format!("the description of {} does not say what it does", tool.quoted()))
            .fix(redraft(tool, member));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Suggestion;

    #[test]
    fn marks_the_text() {
        check(
            &RULE,
            r#"
[{"name": "sync", "description": "Does stuff.", "inputSchema": {}}, {"name": "b", "description": 1, "inputSchema": {}},
                                 ^^^^^^^^^^^^^ the description of `sync` does not say what it does
 {"name": "c", "description": "处理请求", "inputSchema": {}}, {"description": "This is a tool"}]
                                                                          ^^^^^^^^^^^^^^^^ of this tool
"#,
        );
    }

    #[test]
    fn drafts_what_says_more() {
        let tool = |text: &str| format!(r#"[{{"name": "merge_notes", "description": "{text}", "inputSchema": {{}}}}]"#);
        check_fix(&RULE, Suggestion, "tools.json", &tool("TODO"), &tool("Merge notes and return the result."));
    }
}
