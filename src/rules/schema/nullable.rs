//! What it takes for a parameter to stop taking null.

use crate::model::schema::{Role, Schemas, Subschema};
use crate::syntax::{Value, without_element, without_member};
use crate::text::Edit;

/// Whether a schema is that of a property that may be left out.
pub(super) fn is_optional(schemas: &Schemas, schema: &Subschema) -> bool {
    let Role::Property(member) = schema.role else { return false };
    let required = schemas.parent(schema).and_then(|parent| parent.get("required"));
    !required.is_some_and(|names| names.elements().iter().any(|name| name.as_str() == Some(&*member.key.name)))
}

/// Whether null is what leaving it out stands for.
pub(super) fn is_null_by_default(schema: &Subschema) -> bool {
    schema.get("default").is_some_and(Value::is_null)
}

/// The edits that take null out of what stands beside the type: the default, and one in the `enum`.
pub(super) fn without_null(text: &str, schema: &Subschema) -> Vec<Edit> {
    let default = schema.value.members().iter().rposition(|member| &*member.key.name == "default");
    let default = default.filter(|_| is_null_by_default(schema));
    let mut edits = default.map(|index| without_member(text, schema.value, index)).unwrap_or_default();
    if let Some(values) = schema.get("enum")
        && let Some(null) = values.elements().iter().position(Value::is_null)
        && values.elements().len() > 1
    {
        edits.extend(without_element(text, values, null));
    }
    edits
}
