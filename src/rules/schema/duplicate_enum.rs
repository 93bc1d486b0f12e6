use rustc_hash::FxHashMap;

use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::syntax::without_element;
use crate::text::{TextRange, shown};

rule! {
    /// ## What it does
    /// Finds values that an `enum` lists twice.
    ///
    /// ## Why
    /// It is most often a slip for another value, which is then missing. Validators by draft-04 and draft-06 refuse the
    /// schema.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "sort_rows", "description": "Sort the open sheet and return the first rows.", "inputSchema": {"type": "object", "properties": {"order": {"type": "string", "enum": ["asc", "desc", "asc"], "description": "Direction"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "sort_rows", "description": "Sort the open sheet and return the first rows.", "inputSchema": {"type": "object", "properties": {"order": {"type": "string", "enum": ["asc", "desc"], "description": "Direction"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Safe: removes the later one.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.1.2: the values of an `enum` should be unique.
    "duplicate-enum", Schema, Tool(check), Warning;
    fix: Safe;
    help: "list every value once";
    since: "0.1.0";
}

/// More findings of one `enum` help nobody.
const MAX_FINDINGS: usize = 20;

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        let Some(values) = schema.get("enum") else { continue };
        let mut first: FxHashMap<&str, TextRange> = FxHashMap::default();
        let mut found = 0;
        for (index, value) in values.elements().iter().enumerate() {
            // As it is written: 1 and 1.0 are left to be two.
            let written = &tool.text[value.range.as_usize()];
            let earlier = *first.entry(written).or_insert(value.range);
            if earlier != value.range && value.is_readable() && found < MAX_FINDINGS {
                found += 1;
                let name = value.as_str().unwrap_or(written);
                out.add(value.range, format!("`{}` is twice in this `enum`", shown(name)))
                    .related(earlier, "the first one")
                    .fix(Fix::safe("remove the second one", without_element(tool.text, values, index)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Safe;

    #[test]
    fn marks_the_later_one() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"enum": ["a", "b", "a", 1, 1, "1", null, 1.0]}, "y": {"enum": ["a", "A", , ]}}}}]
                                                                       ^^^ `a` is twice
                                                                               ^ `1` is twice
"##,
        );
    }

    #[test]
    fn removes_the_later_one() {
        let tool = |values: &str| {
            format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {{"enum": {values}}}}}}}}}]"#)
        };
        check_fix(&RULE, Safe, "tools.json", &tool("[\r\n\t1,\r\n\t1\r\n]"), &tool("[\r\n\t1\r\n]"));
    }
}
