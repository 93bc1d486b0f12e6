//! `textDocument/definition`: from a server's name to what it listed.

use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{GotoDefinitionParams, GotoDefinitionResponse, Location, Range};

use super::convert;
use super::queue::WorkerHandle;

/// Answers the request.
pub(super) async fn definition(
    worker: &WorkerHandle,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>> {
    let place = params.text_document_position_params;
    let found = worker.ask(move |worker| {
        let view = worker.view(place.text_document.uri.as_str())?;
        let offset = convert::offset(view.report.text(), place.position, view.support.encoding);
        let index = view.report.items().position(|item| item.key().touches(offset))?;
        let snapshot = view.report.known(index)?.report.as_ref()?.snapshot.as_ref()?;
        let uri = convert::uri(snapshot.path.as_deref()?)?;
        Some(GotoDefinitionResponse::Scalar(Location { uri, range: Range::default() }))
    });
    Ok(found.await.flatten())
}
