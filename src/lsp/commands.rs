//! `workspace/executeCommand`: what an editor reaches by name, and one without lenses or source actions in no other
//! way.

use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp_server::Client;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{Command, ExecuteCommandParams, Uri, WorkspaceEdit};

use super::documents::Documents;
use super::queue::WorkerHandle;
use super::support::Support;
use super::{actions, edits, sent};
use crate::analysis::{Ask, Consent, Order};
use crate::model::launch::LaunchId;
use crate::text;

/// Applies every safe fix in the open documents, or in the one whose URI is the argument.
const FIX_ALL: &str = "mcp-analyzer.fixAll";
/// Asks the server that the argument names.
const PROBE: &str = "mcp-analyzer.probe";
/// Asks every server of the open documents, or of the one whose URI is the argument.
const PROBE_ALL: &str = "mcp-analyzer.probeAll";
/// Ends every probe, or that of the server that the argument names.
const CANCEL_PROBE: &str = "mcp-analyzer.cancelProbe";

/// What this client can use.
pub(super) fn names(support: &Support) -> impl Iterator<Item = &'static str> {
    // All that the first one does is to have edits applied.
    let others = [PROBE, PROBE_ALL, CANCEL_PROBE, sent::VIEW, sent::VIEW_TEXT];
    support.apply_edits.then_some(FIX_ALL).into_iter().chain(others)
}

/// The argument of [`PROBE`].
#[derive(Deserialize, Serialize)]
struct ProbeArguments {
    uri: String,
    server: String,
    launch: LaunchId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    consent: Option<String>,
}

/// A command that gives an order about a document.
pub(super) fn command(title: String, uri: &str, order: &Order) -> Command {
    let (command, argument) = match order {
        Order::Ask(ask) => (PROBE, json!(probe(uri, ask))),
        Order::View(view) => (sent::VIEW, sent::argument(uri, view)),
    };
    Command { title, command: command.to_owned(), arguments: Some(vec![argument]) }
}

fn probe(uri: &str, ask: &Ask) -> ProbeArguments {
    ProbeArguments {
        uri: uri.to_owned(),
        server: ask.server.clone(),
        launch: ask.launch,
        consent: ask.consent.map(|consent| consent.word().to_owned()),
    }
}

/// Answers the request.
pub(super) async fn execute(
    client: &Client,
    support: Support,
    documents: &Arc<Documents>,
    worker: &WorkerHandle,
    params: ExecuteCommandParams,
) -> Result<Option<Value>> {
    let name = params.command.as_str();
    let wrong = |takes: &str| Error::invalid_params(format!("`{name}` takes {takes}"));
    let uris = || match params.arguments.as_slice() {
        [] => Ok(documents.uris()),
        [Value::String(uri)] if documents.is_ours(uri) => Ok(vec![uri.clone()]),
        _ => Err(wrong("the URI of an open document, or nothing")),
    };
    let server = || match params.arguments.as_slice() {
        [argument] => ProbeArguments::deserialize(argument).map_err(|_| wrong("`uri`, `server` and `launch`")),
        _ => Err(wrong("one object")),
    };
    match name {
        FIX_ALL => fix_all(client, worker, uris()?).await,
        PROBE => {
            let ProbeArguments { uri, server, launch, consent } = server()?;
            let consent = match consent {
                Some(word) => match Consent::ALL.iter().find(|(known, _)| *known == word) {
                    Some((_, consent)) => Some(*consent),
                    None => return Err(wrong("`once`, `always` or `never` as `consent`")),
                },
                None => None,
            };
            worker.post(move |worker| worker.probe(&uri, Ask { server, launch, consent }));
        }
        PROBE_ALL => {
            let uris = uris()?;
            worker.post(move |worker| worker.probe_all(&uris));
        }
        CANCEL_PROBE if params.arguments.is_empty() => worker.post(|worker| worker.cancel_all()),
        CANCEL_PROBE => {
            let launch = server()?.launch;
            worker.post(move |worker| worker.cancel(vec![launch]));
        }
        sent::VIEW => return sent::view(client, support, documents, worker, params.arguments).await.map(Some),
        sent::VIEW_TEXT => return sent::view_text(worker, params.arguments).await.map(Some),
        _ => return Err(Error::invalid_params(format!("there is no command `{}`", text::shown(name)))),
    }
    Ok(None)
}

/// Has every safe fix of these documents applied.
async fn fix_all(client: &Client, worker: &WorkerHandle, uris: Vec<String>) {
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
}

/// Has the client apply an edit. Only this task waits for it: some clients answer late, and some never.
async fn apply(client: Client, edit: WorkspaceEdit) {
    match client.apply_edit(edit).await {
        Ok(answer) if answer.applied => {}
        Ok(_) => log::warn!("workspace/applyEdit: the client did not apply it"),
        Err(error) => log::warn!("workspace/applyEdit: {}", error.code),
    }
}
