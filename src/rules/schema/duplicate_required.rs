use rustc_hash::FxHashMap;

use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::syntax::without_elements;
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds names that a `required` lists more than once, at any depth.
    ///
    /// ## Why
    /// JSON Schema wants every name once. Who checks schemas before they use them refuses the tool, and the second
    /// name may be a slip for another one.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "merge_notes", "description": "Merge two notes and return the merged text.", "inputSchema": {"type": "object", "properties": {"first": {"type": "string", "description": "First note"}, "second": {"type": "string", "description": "Second note"}}, "required": ["first", "first"]}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "merge_notes", "description": "Merge two notes and return the merged text.", "inputSchema": {"type": "object", "properties": {"first": {"type": "string", "description": "First note"}, "second": {"type": "string", "description": "Second note"}}, "required": ["first", "second"]}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: keeps the first of them.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.5.3.
    "duplicate-required", Schema, Tool(check), Warning;
    fix: Safe;
    help: "list every name once";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let Some(required) = schema.get("required").filter(|required| required.elements().len() > 1) else { continue };
        // By the name, in the order of the text.
        let mut names: Vec<(&str, Vec<usize>)> = Vec::new();
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        for (index, element) in required.elements().iter().enumerate() {
            let Some(name) = element.as_str() else { continue };
            let place = *known.entry(name).or_insert_with(|| {
                names.push((name, Vec::new()));
                names.len() - 1
            });
            names[place].1.push(index);
        }
        for (name, places) in &names {
            let [first, others @ ..] = places.as_slice() else { continue };
            let Some(second) = others.first() else { continue };
            let range = |index: &usize| required.elements()[*index].range;
            out.add(range(second), format!("`{}` is required twice", shown(name)))
                .related(range(first), "the first time")
                .fix(Fix::safe("keep the first", without_elements(tool.text, required, others)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn marks_the_second() {
        check(
            &RULE,
            r#"
[{"name": "a", "inputSchema": {"required": ["x", "y", "x", "x"], "properties": {"required": ["y", "y"], "z": {"required": ["y", 1, 1, "y"]}}}},
                                                      ^^^ `x` is required twice
                                                                                                                                      ^^^
 {"name": "b", "inputSchema": {"required": "x", "enum": [{"required": ["x", "x"]}]}}]
"#,
        );
    }

    #[test]
    fn the_first_stays() {
        let tool = |required: &str| format!(r#"[{{"name": "a", "inputSchema": {{"required": {required}}}}}]"#);
        let fixed = |before: &str, after: &str| check_fix(&RULE, Safe, "tools.json", &tool(before), &tool(after));
        fixed(r#"["x", "x", "y", "x"]"#, r#"["x", "y"]"#);
        fixed("[\r\n  \"x\",\r\n  \"x\"\r\n]", "[\r\n  \"x\"\r\n]");
    }
}
