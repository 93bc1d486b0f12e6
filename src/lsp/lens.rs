//! `textDocument/codeLens`.

use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{CodeLens, CodeLensParams, Command};

use super::queue::WorkerHandle;
use super::view::View;
use super::{commands, convert};
use crate::analysis::{self, Order};

/// Answers the request.
pub(super) async fn lenses(worker: &WorkerHandle, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
    let uri = params.text_document.uri;
    let found = worker.ask(move |worker| {
        let View { report, support, configuration, .. } = worker.view(uri.as_str())?;
        let lenses = analysis::lenses(&report, convert::now()).into_iter().map(|lens| {
            // Shown, and not clicked.
            let text = |title: String| Command { title, ..Command::default() };
            // VS Code would draw an icon, whatever name that is from.
            let title = lens.title.replace("$(", "$ (");
            let command = match lens.order {
                Some(Order::Ask(_)) if configuration.is_restricted() => text("not started: restricted mode".to_owned()),
                Some(order) => commands::command(title, uri.as_str(), &order),
                None => text(title),
            };
            let range = convert::range(report.text(), lens.range, support.encoding);
            CodeLens { range, command: Some(command), data: None }
        });
        let lenses = lenses.collect();
        worker.costs_are_told(uri.as_str());
        Some(lenses)
    });
    Ok(found.await.flatten())
}
