//! What a tool, a parameter and a server are, in a few words.

use super::markdown::{code, escaped};
use crate::facts::ProbeReport;
use crate::model::{Server, Tool, schema};
use crate::syntax::{Member, Value};
use crate::text::{TextRange, counted};

/// The parameter whose name is at `offset`.
pub(super) fn parameter_at<'v>(tool: &Tool<'v>, offset: usize) -> Option<&'v Member> {
    tool.parameters().iter().find(|member| member.key.range.touches(offset))
}

/// The name of the tool or a key of it, where that is at `offset`.
pub(super) fn place_of_tool(tool: &Tool, offset: usize) -> Option<TextRange> {
    if let Some(name) = tool.declaration.member("name").filter(|member| member.range().touches(offset)) {
        return Some(name.value.range);
    }
    let mut members = tool.element.members().iter().chain(tool.declaration.members());
    members.find(|member| member.key.range.touches(offset)).map(|member| member.key.range)
}

/// The tool.
pub(super) fn tool(tool: &Tool) -> String {
    let parameters = tool.parameters();
    let names = tool.schema().and_then(|schema| schema.get("required")).map(Value::elements).unwrap_or_default();
    let is_required = |key: &str| names.iter().any(|name| name.as_str() == Some(key));
    let required = parameters.iter().filter(|member| is_required(&member.key.name)).count();
    let count = match (parameters.len(), required) {
        (0, _) => "no parameters".to_owned(),
        (1, 0) => "1 parameter".to_owned(),
        (1, _) => "1 parameter, required".to_owned(),
        (all, required) => format!("{all} parameters, {required} required"),
    };
    format!("tool {} · {count}", code(tool.label()))
}

/// A parameter of it.
pub(super) fn parameter(tool: &Tool, parameter: &Member) -> String {
    let root = tool.schema();
    let value = root.map_or(&parameter.value, |root| schema::followed(&parameter.value, root));
    let required = root.and_then(|root| schema::followed(root, root).get("required")).map(Value::elements);
    let is_required =
        required.is_some_and(|names| names.iter().any(|name| name.as_str() == Some(&*parameter.key.name)));
    let mut out = format!("parameter {} of {}", code(&parameter.key.name), code(tool.label()));
    if let Some(types) = value.get("type") {
        let names = types.as_str().into_iter().chain(types.elements().iter().filter_map(Value::as_str));
        out += &format!(" · {}", names.map(code).collect::<Vec<_>>().join(" or "));
    }
    out += if is_required { " · required" } else { " · optional" };
    let values = value.get("enum").map(Value::elements).unwrap_or_default();
    if !values.is_empty() {
        let shown: Vec<String> = values.iter().take(12).map(|value| code(&value.to_json().to_string())).collect();
        let more = if values.len() > shown.len() {
            format!(" and {} more", values.len() - shown.len())
        } else {
            String::new()
        };
        out += &format!("\n\none of {}{more}", shown.join(", "));
    }
    if let Some(default) = value.get("default") {
        out += &format!("\n\ndefault {}", code(&default.to_json().to_string()));
    }
    if let Some(description) = value.get("description").and_then(Value::as_str) {
        out += &format!("\n\n{}", escaped(description));
    }
    out
}

/// A server, without what may be secret.
pub(super) fn server(server: &Server) -> String {
    let text = |key| server.value.get(key).and_then(Value::as_str);
    // Arguments and values of variables may be secrets: only how many there are, and the names.
    let transport = match (text("command"), text("url")) {
        (Some(command), _) => match server.arguments().count() {
            0 => format!("started as {}", code(command)),
            1 => format!("started as {} with 1 argument", code(command)),
            count => format!("started as {} with {count} arguments", code(command)),
        },
        (None, Some(url)) => {
            let host =
                url.split_once("://").map_or(url, |(_, rest)| rest).split(['/', '?', '#']).next().unwrap_or_default();
            format!("reached at {}", code(host.rsplit('@').next().unwrap_or_default()))
        }
        (None, None) => "neither started nor reached".to_owned(),
    };
    let mut subject = format!("server {} of {} · {transport}", code(server.name()), server.dialect.name);
    let variables = server.value.get("env").map(Value::members).unwrap_or_default();
    if !variables.is_empty() {
        let names: Vec<String> = variables.iter().map(|member| code(&member.key.name)).collect();
        subject += &format!("\n\nenvironment: {}", names.join(", "));
    }
    subject
}

/// What a server answered, as far as its status does not say it.
pub(super) fn answered(report: &ProbeReport) -> String {
    let mut out = String::new();
    let others = [
        (report.counts.resources, "resource"),
        (report.counts.resource_templates, "resource template"),
        (report.counts.prompts, "prompt"),
    ];
    for (count, noun) in others.into_iter().filter(|(count, _)| *count > 0) {
        out += &format!(" · {}", counted(count, noun));
    }
    if let Some(name) = &report.server.name {
        out += &format!("\n\nit calls itself {}", code(name));
        out += &report.server.version.as_ref().map(|version| format!(" {}", code(version))).unwrap_or_default();
    }
    if let Some(version) = &report.protocol_version {
        out += &format!("\n\n{} · MCP {}", report.transport.name(), code(version));
        out +=
            &report.timings.ready.map(|ready| format!(" · ready after {} ms", ready.as_millis())).unwrap_or_default();
        out +=
            &report.timings.tools.map(|tools| format!(", its tools in {} ms", tools.as_millis())).unwrap_or_default();
    }
    out
}
