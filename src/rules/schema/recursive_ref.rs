use rustc_hash::FxHashMap;

use crate::diagnostic::Severity;
use crate::model::Tool;
use crate::model::schema::{Reference, Target};
use crate::provider::Feature;
use crate::rules::{Context, Sink};

rule! {
    /// ## What it does
    /// Finds `$ref`s that lead back to where they stand: a tree whose branches are trees. A circle is told of once, at
    /// its first `$ref`. One of nothing but `$ref`s is an error.
    ///
    /// ## Why
    /// JSON Schema allows it, but Gemini refuses the tool, and clients that put in what a `$ref` names never come to an
    /// end or leave a hole. The model then sees nothing of the inner levels.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "draw_tree", "description": "Draw a tree and return the picture as text.", "inputSchema": {"type": "object", "properties": {"tree": {"$ref": "#/$defs/Tree", "description": "Tree to draw"}}, "$defs": {"Tree": {"type": "object", "properties": {"label": {"type": "string", "description": "Text of the node"}, "branches": {"type": "array", "description": "Trees below", "items": {"$ref": "#/$defs/Tree"}}}}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "draw_tree", "description": "Draw a tree and return the picture as text.", "inputSchema": {"type": "object", "properties": {"nodes": {"type": "array", "description": "Nodes of the tree", "items": {"type": "object", "properties": {"label": {"type": "string", "description": "Text of the node"}, "parent": {"type": "string", "description": "Label of the node above"}}}}}}}]
    /// ```
    ///
    /// ## Fix
    /// None: a flat list with the parent of each element, a few levels written out, or text in a known format are
    /// other schemas for the same thing.
    ///
    /// ## Sources
    /// google-gemini/gemini-cli issue 14945; google/adk-python issue 3870; mastra-ai/mastra pull request 15400.
    "recursive-ref", Schema, Tool(check), Warning;
    help: "describe it without a circle: as a flat list, or with as many levels as are needed";
    since: "0.1.0";
}

fn check(tool: &Tool, cx: &Context, out: &mut Sink) {
    let references = tool.references();
    if references.iter().all(|reference| reference.circle.is_none()) {
        return;
    }
    let verdicts = cx.verdicts(Feature::RecursiveReference);
    // By the number of the circle, in the order of the text.
    let mut order: Vec<usize> = Vec::new();
    let mut circles: FxHashMap<usize, Vec<_>> = FxHashMap::default();
    for reference in references.iter() {
        if let Some(number) = reference.circle {
            circles.entry(number).or_insert_with(|| {
                order.push(number);
                Vec::new()
            });
            circles.entry(number).or_default().push(reference);
        }
    }
    for circle in order.iter().filter_map(|number| circles.get(number)) {
        let [first, others @ ..] = circle.as_slice() else { continue };
        let Target::Schema(target) = first.target else { continue };
        let schemas = tool.schemas();
        let place = schemas.place(schemas.at(target));
        let range = first.member.value.range;
        let step = |at: &&Reference| match at.target {
            Target::Schema(target) => references.at(target),
            _ => None,
        };
        let is_empty = std::iter::successors(Some(*first), |at| step(at)).nth(circle.len()).is_some();
        let finding = if is_empty {
            out.add_as(Severity::Error, range, format!("this `$ref` leads to {place}, which is nothing but itself"))
        } else if verdicts.is_empty() {
            continue;
        } else {
            out.add(range, format!("this `$ref` makes {place} part of itself")).note(verdicts.note())
        };
        for other in others.iter().take(MAX_RELATED) {
            finding.related(other.member.value.range, "of the same circle");
        }
    }
}

/// Other places of a circle that are shown.
const MAX_RELATED: usize = 10;

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn a_circle_is_told_of_once() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"y": {"$ref": "#/$defs/y"}, "z": {"$ref": "#"}}}},
                                                                                        ^^^ this `$ref` makes the schema part of itself
 {"name": "b", "inputSchema": {"properties": {"x": {"items": {"$ref": "#/properties/x"}}, "y": {"properties": {"l": {"$ref": "#y"}, "r": {"$ref": "#y"}}, "$anchor": "y"}}}},
                                                                      ^^^^^^^^^^^^^^^^
                                                                                                                             ^^^^ part of itself
 {"name": "c", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/p"}}, "$defs": {"p": {"items": {"$ref": "#/$defs/q"}}, "q": {"not": {"$ref": "#/$defs/p"}}}}},
                                                                                                             ^^^^^^^^^^^ makes `q` part of itself
 {"name": "d", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/x", "title": "t"}}, "$defs": {"x": {"$ref": "#/properties/x"}}}}]
                                                            ^^^^^^^^^^^ leads to `x`, which is nothing but itself
"##,
        );
    }
}
