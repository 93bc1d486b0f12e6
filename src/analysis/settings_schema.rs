//! The JSON Schema of the settings with the names of rules, clients and models, which the settings themselves do not know.

use serde_json::Value;

use crate::model::dialect;
use crate::provider::Model;
use crate::rules;
use crate::settings;

/// The JSON Schema of a settings file, with every rule and client by name. Names of
/// models are examples: others are taken as well.
pub fn settings_schema() -> Value {
    let mut schema = settings::schema().to_value();
    let mut at = |pointer: &str, key: &str, value: Value| {
        let place = schema.pointer_mut(pointer).expect("the settings have this table");
        std::mem::replace(&mut place[key], value)
    };
    let mut level = at("/properties/levels", "additionalProperties", Value::Bool(false));
    // What the words mean would be said again with every rule.
    level.as_object_mut().expect("a schema").shift_remove("enumDescriptions");
    let levels = rules::ALL.iter().map(|rule| {
        let mut level = level.clone();
        level["description"] = rule.section("What it does").replace('\n', " ").into();
        (rule.name.to_owned(), level)
    });
    at("/properties/levels", "properties", Value::Object(levels.collect()));
    at("/properties/ignore/items/properties/rule", "enum", rules::ALL.iter().map(|rule| rule.name).collect());
    let client = "/properties/targets/properties/clients/items";
    at(client, "enum", dialect::ALL.iter().map(|dialect| dialect.id).collect());
    at(client, "enumDescriptions", dialect::ALL.iter().map(|dialect| dialect.name).collect());
    at("/properties/targets/properties/models/items", "examples", Model::NAMES.into());
    schema["title"] = "mcp-analyzer.toml".into();
    schema
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::analysis::misfits;
    use crate::settings::Settings;

    /// Whether the schema takes a tree, and whether reading it has nothing to say.
    fn verdicts(settings: Value) -> (bool, bool) {
        let schema = settings_schema();
        let by_schema = jsonschema::draft7::new(&schema).expect("a schema").is_valid(&settings);
        let mut is_known = true;
        let read = serde_ignored::deserialize::<_, _, Settings>(settings, |_| is_known = false);
        (by_schema, is_known && read.is_ok_and(|settings| misfits(&settings).is_empty()))
    }

    #[test]
    fn the_schema_takes_what_is_read_without_a_word() {
        assert!(jsonschema::draft7::meta::is_valid(&settings_schema()));
        for good in [
            json!({}),
            json!({"preset": "all", "syntax": "on", "limits": {"problemsPerFile": 5, "tokenBudget": 9000, "schemaTokens": 1}}),
            json!({"levels": {"syntax-error": "off", "tool-name-case": "hint"}}),
            json!({"ignore": [{"rule": "tool-name-case", "path": "a/**", "server": "a", "tool": "b", "reason": "c"}]}),
            json!({"targets": {"clients": ["vscode"], "providers": ["anthropic", "openai", "gemini"]}}),
            json!({"targets": {"clients": [], "providers": [], "models": []}}),
            json!({"targets": {"models": ["gpt-4o-2024-08-06", "sonnet"]}}),
        ] {
            assert_eq!(verdicts(good.clone()), (true, true), "{good}");
        }
        for bad in [
            json!({"prest": "all"}),
            json!({"preset": "some"}),
            json!({"syntax": true}),
            json!({"levels": {"syntax-eror": "off"}}),
            json!({"levels": {"syntax-error": "loud"}}),
            json!({"ignore": [{"path": "a"}]}),
            json!({"ignore": [{"rule": "syntax-eror"}]}),
            json!({"ignore": [{"rule": "syntax-error", "tol": "a"}]}),
            json!({"targets": {"clients": ["vs-code"]}}),
            json!({"targets": {"providers": ["google"]}}),
            json!({"targets": {"client": []}}),
            json!({"targets": {"models": ["gpt-5", "gpt-5"]}}),
            json!({"limits": {"problemsPerFile": -1}}),
            json!({"limits": {"tokenBudget": "20k"}}),
            json!({"limits": {"schemaTokens": -1}}),
        ] {
            assert_eq!(verdicts(bad.clone()), (false, false), "{bad}");
        }
    }
}
