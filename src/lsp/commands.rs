//! `workspace/executeCommand`: what an editor reaches by name, and one without lenses or source actions in no other
//! way.

use std::str::FromStr;

use serde_json::Value;
use tower_lsp_server::Client;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{ExecuteCommandParams, Uri, WorkspaceEdit};

use super::documents::Documents;
use super::worker::WorkerHandle;
use super::{actions, edits};
use crate::text;

/// Applies every safe fix in the open documents, or in the one whose URI is the argument.
pub(super) const FIX_ALL: &str = "mcp-analyzer.fixAll";

/// Answers the request.
pub(super) async fn execute(
    client: &Client,
    documents: &Documents,
    worker: &WorkerHandle,
    params: ExecuteCommandParams,
) -> Result<Option<Value>> {
    if params.command != FIX_ALL {
        return Err(Error::invalid_params(format!("there is no command `{}`", text::shown(&params.command))));
    }
    let uris = match params.arguments.as_slice() {
        [] => documents.uris(),
        [Value::String(uri)] if documents.is_ours(uri) => vec![uri.clone()],
        _ => return Err(Error::invalid_params(format!("`{FIX_ALL}` takes the URI of an open document, or nothing"))),
    };
    for uri in uris.iter().filter_map(|uri| Uri::from_str(uri).ok()) {
        let name = uri.clone();
        let Some(Some(owned)) = worker.ask(move |worker| Some(worker.view(name.as_str())?.owned())).await else {
            continue;
        };
        if let Some(edit) = actions::fix_all(owned, move |action, view| edits::workspace_edit(action, view, &uri)).await
        {
            tokio::spawn(apply(client.clone(), edit));
        }
    }
    Ok(None)
}

/// Has the client apply an edit. Only this task waits for it: some clients answer late, and some never.
async fn apply(client: Client, edit: WorkspaceEdit) {
    match client.apply_edit(edit).await {
        Ok(answer) if answer.applied => {}
        Ok(_) => log::warn!("workspace/applyEdit: the client did not apply it"),
        Err(error) => log::warn!("workspace/applyEdit: {}", error.code),
    }
}
