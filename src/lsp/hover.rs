//! `textDocument/hover`. Tokens are counted on a thread of their own, never on the worker.

use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use super::convert;
use super::queue::WorkerHandle;
use super::view::View;
use crate::analysis;
use crate::tokens::Vocabulary;

/// Answers the request.
pub(super) async fn hover(worker: &WorkerHandle, params: HoverParams) -> Result<Option<Hover>> {
    let place = params.text_document_position_params;
    let found = worker.ask(move |worker| {
        let View { report, support, .. } = worker.view(place.text_document.uri.as_str())?;
        let hover =
            analysis::hover(&report, convert::offset(report.text(), place.position, support.encoding), convert::now())?;
        let range = convert::range(report.text(), hover.range, support.encoding);
        Some((hover, range))
    });
    let Some((hover, range)) = found.await.flatten() else { return Ok(None) };
    let value = tokio::task::spawn_blocking(move || hover.markdown(Some(Vocabulary::count)));
    let Ok(value) = value.await else { return Ok(None) };
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Ok(Some(Hover { contents, range: Some(range) }))
}
