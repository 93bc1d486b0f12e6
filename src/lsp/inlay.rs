//! `textDocument/inlayHint`.

use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip};

use super::convert;
use super::queue::WorkerHandle;
use crate::analysis::{self, Hint};

/// Answers the request.
pub(super) async fn hints(worker: &WorkerHandle, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let uri = params.text_document.uri;
    let found = worker.ask(move |worker| {
        let view = worker.view(uri.as_str())?;
        let (text, encoding) = (view.report.text(), view.support.encoding);
        let range = convert::text_range(text, params.range, encoding);
        let hint = |Hint { offset, label, tooltip }| InlayHint {
            position: convert::position(text, offset, encoding),
            label: InlayHintLabel::String(label),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(tooltip)),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        };
        let hints = analysis::hints(&view.report, range).into_iter().map(hint).collect();
        worker.costs_are_told(uri.as_str());
        Some(hints)
    });
    Ok(found.await.flatten())
}
