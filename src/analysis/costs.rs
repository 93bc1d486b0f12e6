//! What the tools of a list cost, for whoever asks.

use super::Report;
use crate::model::{Form, Tool};
use crate::syntax::{self, Value};

/// Looks at the tools of a list, in its order. Reads all of them anew, which takes its time where the list is long.
pub fn with_tools<T>(report: &Report, look: impl FnOnce(&[Tool]) -> T) -> T {
    let texts: Vec<(String, Form)> = report
        .items()
        .map(|item| (report.text().slice(item.range()).into_owned(), report.list(item.list()).form))
        .collect();
    let values: Vec<Value> = texts.iter().map(|(text, _)| syntax::read(text).value).collect();
    let tools: Vec<Tool> =
        texts.iter().zip(&values).map(|((text, form), value)| Tool::new(text, value, *form)).collect();
    look(&tools)
}
