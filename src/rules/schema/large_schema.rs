use crate::rules::{Context, Priced, Sink};

rule! {
    /// ## What it does
    /// Finds input schemas that cost more than 1,000 tokens with one of the models that are meant. The limit is
    /// `schemaTokens` under `[limits]`.
    ///
    /// ## Why
    /// The model is sent all of it on every turn, whether it calls the tool or not, and has to find its way through it
    /// when it does.
    ///
    /// ## Bad
    /// ```json tools.jsonc
    /// [{"name": "update_form", "description": "Fill in the fields of a form.", "inputSchema": {"type": "object", "properties": {
    ///   "form_id": {"type": "string", "description": "Identifier of the form, as list_forms returns it."},
    ///   "answer_1": {"type": "string", "description": "Answer to question 1 of the form. Left out, the answer that is there stays as it is. An empty string takes the answer away, and whoever gave it is told so by a message."},
    ///   // … and 23 more
    ///   "is_final": {"type": "boolean", "description": "Whether nothing can be changed afterwards."}
    /// }, "required": ["form_id"]}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "update_form", "description": "Fill in the fields of a form. Answers that are left out stay as they are; an empty string takes one away, and whoever gave it is told so.", "inputSchema": {"type": "object", "properties": {
    ///   "form_id": {"type": "string", "description": "Identifier of the form, as list_forms returns it."},
    ///   "answers": {"type": "array", "description": "The answers to change.", "items": {"type": "object", "properties": {
    ///     "question": {"type": "integer", "description": "Number of the question, from 1."},
    ///     "answer": {"type": "string", "description": "The new answer."}
    ///   }, "required": ["question", "answer"]}}
    /// }, "required": ["form_id"]}}]
    /// ```
    ///
    /// ## Fix
    /// None: what can go is for a person to say. The hover on the tool's name tells which parameters cost most.
    ///
    /// ## Sources
    /// How each provider's models read a tool and how that is counted: docs/tokens.md. Anthropic, Writing effective
    /// tools for agents (2025-09).
    "large-schema", Schema, Cost(check), Warning;
    help: "say once what several parameters have in common, or make two tools of one";
    since: "0.1.0";
}

fn check(priced: &Priced, cx: &Context, out: &mut Sink) {
    for (tool, cost) in priced.tools.iter().zip(priced.costs) {
        let (Some(range), Some(cost)) = (tool.schema_key, cost) else { continue };
        let Some((provider, tokens)) = cost.most_of_schema(cx.targets) else { continue };
        if tokens > cx.budget.schema {
            let model = priced.models.of(provider);
            let message = format!(
                "the input schema of {} costs {}{tokens} tokens on every turn, more than {}",
                tool.quoted("this tool"),
                model.accuracy().sign(),
                cx.budget.schema
            );
            out.on(tool.item).add(range, message).note(format!("counted for {}", model.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::Ruleset;
    use crate::analysis::testing::findings;
    use crate::settings::Settings;
    use crate::text::TextRange;

    fn found(settings: &str, tools: &str) -> Vec<(TextRange, String, String)> {
        let rules = Ruleset::new(&toml::from_str::<Settings>(settings).expect("settings"), false);
        let found = findings(rules, "tools.json", tools).into_iter().filter(|finding| finding.rule == RULE.name);
        found.map(|finding| (finding.range, finding.message, finding.notes.concat())).collect()
    }

    #[test]
    fn the_limit_is_the_users() {
        // Gemini reads more marks than letters of so small a schema.
        let tools = r#"[{"name": "a", "description": "Get a.", "inputSchema": {"type": "object", "properties": {"b": {"type": "string"}}}}]"#;
        assert_eq!(found("", tools), []);
        let all = found("limits.schemaTokens = 10", tools);
        let [(range, message, note)] = all.as_slice() else { unreachable!("{all:?}") };
        assert_eq!(&tools[range.as_usize()], "\"inputSchema\"");
        assert!(
            message.starts_with("the input schema of `a` costs 18 tokens") && message.ends_with(", more than 10"),
            "{message}"
        );
        assert_eq!(note, "counted for gemini-3.6-flash");
    }

    #[test]
    fn the_model_is_the_users() {
        let tools = r#"[{"name": "a", "inputSchema": {"type": "object", "properties": {"b": {"type": "string"}}}}]"#;
        let settings = "limits.schemaTokens = 4\ntargets = {providers = ['openai'], models = ['gpt-4o']}";
        let all = found(settings, tools);
        assert_eq!(all[0].2, "counted for gpt-4o");
    }

    #[test]
    fn the_description_of_the_tool_is_no_part_of_it() {
        let long = "Get what is there. ".repeat(400);
        let tools =
            format!(r#"[{{"name": "a", "description": "{long}", "inputSchema": {{"type": "object"}}}}, {{}}, null]"#);
        assert_eq!(found("", &tools), []);
    }

    #[test]
    fn what_is_broken_is_not_counted() {
        let tools = r#"[{"name": "a", "inputSchema": {"type": "object", "properties": {"b": {"type": "string}}}}]"#;
        assert_eq!(found("limits.schemaTokens = 1", tools), []);
    }
}
