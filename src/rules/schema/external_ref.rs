use crate::model::Tool;
use crate::model::schema::Target;
use crate::rules::{Context, Sink};
use crate::text::shown;

rule! {
    /// ## What it does
    /// Finds `$ref`s that lead out of the schema: to a URL, or to another file.
    ///
    /// ## Why
    /// A tool is sent without the files that are beside it, and clients fetch nothing that a server names, for good
    /// reason. The model never sees what is described there, and validators stop.
    ///
    /// ## Bad
    /// ```json
    /// [{"name": "add_place", "description": "Add a place to the map and return its identifier.", "inputSchema": {"type": "object", "properties": {"place": {"$ref": "https://maps.example/schemas/place.json", "description": "Place to add"}}}}]
    /// ```
    ///
    /// ## Good
    /// ```json
    /// [{"name": "add_place", "description": "Add a place to the map and return its identifier.", "inputSchema": {"type": "object", "properties": {"place": {"type": "object", "description": "Place to add", "properties": {"name": {"type": "string", "description": "Its name"}}}}}}]
    /// ```
    ///
    /// ## Fix
    /// None: what it names is not here. Nothing is fetched.
    ///
    /// ## Sources
    /// JSON Schema 2020-12 core 8.2.3 and 9.4.2.
    "external-ref", Schema, Tool(check), Warning;
    help: "write what it names into this schema";
    since: "0.1.0";
}

fn check(tool: &Tool, _: &Context, out: &mut Sink) {
    for reference in tool.references().iter().filter(|reference| matches!(reference.target, Target::Elsewhere)) {
        let written = shown(reference.text());
        out.add(reference.member.value.range, format!("`{written}` leads out of the schema, where nobody looks"));
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::analysis::testing::check;

    #[test]
    fn marks_what_is_elsewhere() {
        check(
            &RULE,
            r##"
[{"name": "a", "inputSchema": {"properties": {"x": {"$ref": "https://x.example/a.json#/$defs/x"}, "y": {"$ref": "./b.json"}, "z": {"$ref": "Node"}}}},
                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^                 ^^^^^^^^^^
 {"name": "b", "inputSchema": {"$id": "https://x.example/a.json", "properties": {"x": {"$ref": "a.json#/$defs/y"}, "y": {"$ref": "#/$defs/y"}}}}]
"##,
        );
    }
}
