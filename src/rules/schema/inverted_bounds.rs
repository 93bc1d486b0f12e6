use crate::diagnostic::Fix;
use crate::model::Tool;
use crate::rules::{Context, Sink};
use crate::text::{Edit, shown};

rule! {
    /// ## What it does
    /// Finds a lower bound above the upper one: of a number, a length, or a number of elements or properties; and two
    /// bounds of an integer with no whole number between them.
    ///
    /// ## Why
    /// No value can satisfy both, so no call can be right.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "list_orders", "description": "List the latest orders with their totals.", "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer", "minimum": 100, "maximum": 1, "description": "How many"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "list_orders", "description": "List the latest orders with their totals.", "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "How many"}}}}]
    /// ```
    ///
    /// ## Fix
    /// Unsafe: exchanges the two, where that helps.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 validation 6.2 to 6.5.
    "inverted-bounds", Schema, Tool(check), Error;
    fix: Unsafe;
    help: "let the lower bound be at most the upper one";
    since: "0.1.0";
}

/// A lower bound, an upper bound, and whether they may be equal.
const PAIRS: &[(&str, &str, bool)] = &[
    ("minimum", "maximum", true),
    ("exclusiveMinimum", "maximum", false),
    ("minimum", "exclusiveMaximum", false),
    ("exclusiveMinimum", "exclusiveMaximum", false),
    ("minLength", "maxLength", true),
    ("minItems", "maxItems", true),
    ("minContains", "maxContains", true),
    ("minProperties", "maxProperties", true),
];

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for schema in tool.schemas() {
        for (lower, upper, may_be_equal) in PAIRS {
            let bounds = schema.get(lower).zip(schema.get(upper));
            let Some((low, high)) = bounds else { continue };
            let Some((low_number, high_number)) = low.as_number().zip(high.as_number()) else { continue };
            let is_equal = low_number == high_number;
            let is_in_order = low_number < high_number || is_equal && *may_be_equal;
            let is_whole = schema.types.is("integer");
            if is_in_order && !(is_whole && is_between_whole(lower, low_number, upper, high_number)) {
                continue;
            }
            let [low_text, high_text] = [low, high].map(|value| &tool.text[value.range.as_usize()]);
            let what = if is_in_order { "whole number" } else { "value" };
            let message =
                format!("no {what} fits: `{lower}` is `{}` and `{upper}` is `{}`", shown(low_text), shown(high_text));
            let exchange = vec![Edit::replace(low.range, high_text), Edit::replace(high.range, low_text)];
            out.add(low.range, message)
                .related(high.range, "the upper bound")
                .fix((!is_equal && !is_in_order).then(|| Fix::unsafe_("exchange the two", exchange)));
        }
    }
}

/// Whether two bounds of a number are in order with no whole number between them.
fn is_between_whole(lower: &str, low: f64, upper: &str, high: f64) -> bool {
    let lowest = if lower == "exclusiveMinimum" { low.floor() + 1.0 } else { low.ceil() };
    let highest = if upper == "exclusiveMaximum" { high.ceil() - 1.0 } else { high.floor() };
    upper.ends_with("imum") && lowest > highest
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::{check, check_fix};
    use crate::diagnostic::Applicability::Unsafe;

    #[test]
    fn marks_the_lower_bound() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"minimum": 2, "maximum": 1.5}, "y": {"exclusiveMinimum": 1, "maximum": 1}, "z": {"minLength": 9, "maxLength": 1}}}},
                                                               ^ `minimum` is `2` and `maximum` is `1.5`
                                                                                                             ^
                                                                                                                                                  ^
 {"name": "b", "inputSchema": {"properties": {"x": {"minimum": 1, "maximum": 1}, "y": {"minimum": "2", "maximum": 1}, "z": {"minItems": 1, "maxLength": 0}, "v": {"minimum": 2, "exclusiveMaximum": true}}}}]
"##,
        );
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"type": "integer", "exclusiveMinimum": 5, "exclusiveMaximum": 6}, "y": {"type": "integer", "minimum": 1.2, "maximum": 1.8}}}},
                                                                                           ^ no whole number fits
                                                                                                                                                          ^^^
 {"name": "b", "inputSchema": {"properties": {"x": {"type": "number", "exclusiveMinimum": 5, "exclusiveMaximum": 6}, "y": {"type": "integer", "exclusiveMinimum": 5, "maximum": 6}}}}]
"##,
        );
    }

    #[test]
    fn exchanges_the_two() {
        let tool = |schema: &str| format!(r#"[{{"name": "a", "inputSchema": {{"properties": {{"x": {schema}}}}}}}]"#);
        let [before, after] = [r#"{"maxItems": 1, "minItems": 10}"#, r#"{"maxItems": 10, "minItems": 1}"#];
        check_fix(&RULE, Unsafe, "tools.json", &tool(before), &tool(after));
    }
}
