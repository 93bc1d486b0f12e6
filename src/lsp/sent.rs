//! The commands that show a tool list as a provider's API receives it: one opens a document, the other answers with the
//! text. The list is read and the file written by the keeper. Messages and logs name places only, no values.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tower_lsp_server::Client;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp_server::ls_types::{MessageType, ShowDocumentParams};
use xxhash_rust::xxh3::xxh3_128;

use super::convert;
use super::documents::Documents;
use super::queue::WorkerHandle;
use super::support::Support;
use super::view::View;
use super::views::Source;
use crate::analysis::{AsSent, Listed, Sent, Unsent};
use crate::model::Kind;
use crate::model::launch::LaunchId;
use crate::provider::Provider;
use crate::render::visible_json;
use crate::text::{counted, shown, shown_up_to};

/// Opens the list that the argument names.
pub(super) const VIEW: &str = "mcp-analyzer.view";
/// Answers with it.
pub(super) const VIEW_TEXT: &str = "mcp-analyzer.viewText";

/// Characters of a place that are told.
const MAX_POINTER: usize = 200;

/// The code of a request that was right and cannot be answered, in the protocol.
const REQUEST_FAILED: ErrorCode = ErrorCode::ServerError(-32803);

/// The argument of both.
#[derive(Deserialize, Serialize)]
struct Argument {
    uri: String,
    provider: String,
    /// The server of a config file whose saved list is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    launch: Option<LaunchId>,
}

/// The argument of [`VIEW`] for a list of a document.
pub(super) fn argument(uri: &str, view: &AsSent) -> Value {
    json!(Argument { uri: uri.to_owned(), provider: view.provider.id().to_owned(), launch: view.launch })
}

/// A list that somebody wants to see, and whose API is to receive it.
struct Wanted {
    provider: Provider,
    listed: Listed,
    source: Source,
}

/// Writes the list and has the client open it. Whoever waits for the answer does not wait for that.
pub(super) async fn view(
    client: &Client,
    support: Support,
    documents: &Arc<Documents>,
    worker: &WorkerHandle,
    arguments: Vec<Value>,
) -> Result<Value> {
    let Wanted { provider, listed, source } = wanted(VIEW, worker, arguments).await?;
    let documents = documents.clone();
    let written = kept(worker, move || {
        let sent = listed.sent(provider);
        let views = documents.views.as_ref().ok_or("your home directory is not known, where it would be written")?;
        let path = views.write(&source, provider, &text(&sent)).map_err(|error| error.to_string())?;
        Ok::<_, String>((path, sent.unsent))
    });
    let (path, unsent) = written.await?.map_err(failed)?;
    let answer = json!({ "provider": provider.id(), "path": path, "dropped": dropped(&unsent) });
    tokio::spawn(show(client.clone(), support, provider, path, unsent));
    Ok(answer)
}

/// The list as a text.
pub(super) async fn view_text(worker: &WorkerHandle, arguments: Vec<Value>) -> Result<Value> {
    let Wanted { provider, listed, .. } = wanted(VIEW_TEXT, worker, arguments).await?;
    kept(worker, move || {
        let sent = listed.sent(provider);
        json!({ "provider": provider.id(), "text": text(&sent), "dropped": dropped(&sent.unsent) })
    })
    .await
}

async fn wanted(command: &str, worker: &WorkerHandle, mut arguments: Vec<Value>) -> Result<Wanted> {
    let wrong = |takes: &str| Error::invalid_params(format!("`{command}` takes {takes}"));
    let argument = if arguments.len() == 1 { arguments.pop() } else { None };
    let argument = argument.and_then(|argument| Argument::deserialize(argument).ok());
    let Argument { uri, provider, launch } = argument.ok_or_else(|| wrong("one object with `uri` and `provider`"))?;
    let provider = Provider::ALL.iter().find(|known| known.id() == provider);
    let provider = *provider.ok_or_else(|| wrong("`anthropic`, `openai` or `gemini` as `provider`"))?;
    let is_saved = launch.is_some();
    let found = worker.ask(move |worker| {
        let View { report, document, facts, .. } = worker.view(&uri)?;
        if let Some(launch) = launch {
            let asked = facts.of(launch)?.report.as_ref()?;
            let listed = Listed::saved(asked.snapshot.as_ref()?.text());
            return Some((listed, Source { hash: launch.to_string(), name: asked.name.clone() }));
        }
        let name = document.path.as_deref().and_then(|path| path.file_stem());
        let name = name.map_or_else(|| "tools".to_owned(), |name| name.to_string_lossy().into_owned());
        let source = Source { hash: format!("{:032x}", xxh3_128(uri.as_bytes())), name };
        matches!(report.kind(), Kind::Tools).then(|| (Listed::of(&report), source))
    });
    let (listed, source) = found.await.flatten().ok_or_else(|| {
        Error::invalid_params(match is_saved {
            true => "it is not known what this server lists",
            false => "this document is no tool list; that of a server in a config file is viewed at the server's name",
        })
    })?;
    Ok(Wanted { provider, listed, source })
}

/// What comes of something that takes its time, or needs the disk.
async fn kept<T: Send + 'static>(worker: &WorkerHandle, job: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let (sender, answer) = oneshot::channel();
    worker.post(move |worker| {
        worker.probing.keeper.run(move || {
            // A request that was cancelled has nobody who waits.
            if !sender.is_closed() {
                let _ = sender.send(job());
            }
        });
    });
    answer.await.map_err(|_| failed("the list could not be read; please report this".to_owned()))
}

fn failed(message: String) -> Error {
    Error { code: REQUEST_FAILED, message: message.into(), data: None }
}

/// The same as the command line writes.
fn text(sent: &Sent) -> String {
    visible_json(format!("{:#}\n", sent.json))
}

fn dropped(unsent: &[Unsent]) -> Value {
    unsent.iter().map(|it| json!({ "tool": it.tool, "pointer": it.pointer, "why": it.why })).collect()
}

/// Opens a view, and tells what is not in it.
async fn show(client: Client, support: Support, provider: Provider, path: PathBuf, unsent: Vec<Unsent>) {
    let uri = convert::uri(&path).filter(|_| support.show_document);
    let is_shown = match uri {
        Some(uri) => {
            let params = ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: None };
            client.show_document(params).await.unwrap_or_else(|error| {
                log::warn!("window/showDocument: {}", error.code);
                false
            })
        }
        None => false,
    };
    let label = provider.label();
    let mut told = Vec::new();
    if !is_shown {
        told.push(format!("what {label} receives is in `{}`", typed(&path)));
    }
    if let Some(first) = unsent.first() {
        let (verb, such) = if unsent.len() == 1 { ("is", ": ") } else { ("are", ", such as ") };
        let things = counted(unsent.len(), "thing");
        told.push(format!("{things} {verb} not sent to {label}{such}{}", place(first)));
        let lines = unsent.iter().map(|it| format!("\n{}: {}", place(it), it.why));
        client.log_message(MessageType::INFO, format!("not sent to {label}:{}", lines.collect::<String>())).await;
    }
    if !told.is_empty() {
        let message = format!("mcp-analyzer: {}", convert::unlinked(&told.join("; ")));
        client.show_message(MessageType::INFO, message).await;
    }
}

/// A path as a user types it: some editors show one line of a message, and that ends early.
fn typed(path: &Path) -> String {
    let home = std::env::home_dir().filter(|home| cfg!(unix) && home.is_absolute());
    match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}

fn place(Unsent { tool, pointer, .. }: &Unsent) -> String {
    match (&**tool, &**pointer) {
        ("", "") => "a tool without a name".to_owned(),
        ("", pointer) => format!("`{}`", shown_up_to(pointer, MAX_POINTER)),
        (tool, pointer) => format!("`{}` of `{}`", shown_up_to(pointer, MAX_POINTER), shown(tool)),
    }
}
