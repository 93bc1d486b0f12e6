//! The language server as the protocol library sees it. Handlers change texts before their first `.await` and hand
//! everything else to the worker; none computes, and none waits for the client.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use serde_json::Value;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::*;
use tower_lsp_server::{Client, LanguageServer};

use super::documents::{Changed, Documents};
use super::probing::Remote;
use super::queue::WorkerHandle;
use super::support::Support;
use super::{actions, commands, convert, definition, hover, inlay, lens, registration, symbols};
use crate::settings_files;

/// The server's end of the protocol.
pub(super) struct Server {
    pub(super) client: Client,
    pub(super) documents: Arc<Documents>,
    pub(super) worker: Arc<WorkerHandle>,
    pub(super) support: OnceLock<Support>,
    pub(super) is_shut_down: Arc<AtomicBool>,
}

impl Server {
    fn support(&self) -> Support {
        self.support.get().copied().unwrap_or_default()
    }

    /// Takes what the editor is set to now, and checks everything again.
    fn configure(worker: &WorkerHandle, section: Value) {
        worker.post(move |worker| {
            let problems = worker.configuration.set_editor(section);
            problems.iter().for_each(|problem| worker.show_warning(problem));
            worker.publish_all();
        });
    }

    /// Asks the editor what it is set to.
    async fn pull_configuration(client: Client, worker: Arc<WorkerHandle>) {
        let item = ConfigurationItem { scope_uri: None, section: Some("mcpAnalyzer".to_owned()) };
        match client.configuration(vec![item]).await {
            Ok(mut sections) if !sections.is_empty() => Self::configure(&worker, sections.swap_remove(0)),
            Ok(_) => {}
            Err(error) => log::warn!("workspace/configuration: {}", error.code),
        }
    }

    /// Looks whether the settings files are still those that were read, where the client does not tell of it. Not at
    /// every keystroke: that costs a look at each folder above the open files.
    fn look_after_settings(&self) {
        if !self.support().watched_files {
            self.worker.post(|worker| {
                if worker.configuration.is_stale() {
                    worker.configuration.reload();
                    worker.publish_all();
                }
            });
        }
    }

    /// The user no longer wants to wait for a probe.
    pub(super) async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        self.worker.post(move |worker| worker.cancel_progress(&params.token));
    }

    fn reload_settings(&self) {
        self.worker.post(|worker| {
            worker.configuration.reload();
            worker.publish_all();
        });
    }
}

impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let support = *self.support.get_or_init(|| Support::new(&params.capabilities));
        let folders = folders(&params);
        let options = params.initialization_options;
        let remote = Remote { client: self.client.clone(), runtime: tokio::runtime::Handle::current() };
        self.worker.post(move |worker| {
            worker.support = support;
            worker.probing.remote = Some(remote);
            let problems = worker.configuration.initialize(options, folders);
            problems.iter().for_each(|problem| worker.show_warning(problem));
        });
        Ok(InitializeResult {
            capabilities: registration::capabilities(&support),
            server_info: Some(ServerInfo {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..InitializeResult::default()
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        let support = self.support();
        let (client, worker) = (self.client.clone(), self.worker.clone());
        tokio::spawn(async move {
            let registrations = registration::registrations(&support);
            if !registrations.is_empty()
                && let Err(error) = client.register_capability(registrations).await
            {
                log::warn!("client/registerCapability: {}", error.code);
            }
            if support.configuration {
                Self::pull_configuration(client, worker).await;
            }
        });
    }

    async fn shutdown(&self) -> Result<()> {
        self.is_shut_down.store(true, Ordering::Relaxed);
        self.worker.post(|worker| worker.probing.shut_down());
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.look_after_settings();
        let uri = params.text_document.uri.as_str().to_owned();
        if self.documents.open(params.text_document) {
            self.worker.changed(&uri);
        }
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        match self.documents.change(uri.as_str(), version, params.content_changes, self.support().encoding) {
            Changed::Yes => self.worker.changed(uri.as_str()),
            Changed::NotServed => {}
            Changed::Unknown => log::error!("textDocument/didChange of a document that is not open"),
        }
    }

    async fn will_save(&self, params: WillSaveTextDocumentParams) {
        let uri = params.text_document.uri.as_str().to_owned();
        if self.documents.is_ours(&uri) {
            self.worker.post(move |worker| worker.probing.will_save(uri, params.reason));
        }
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        let path = convert::path(&params.text_document.uri);
        match path.is_some_and(|path| path.ends_with(settings_files::FILE_NAME)) {
            true => self.reload_settings(),
            false => self.look_after_settings(),
        }
        let uri = params.text_document.uri.as_str().to_owned();
        if self.documents.is_ours(&uri) {
            self.worker.post(move |worker| worker.saved(&uri));
        }
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri.as_str().to_owned();
        if self.documents.close(&uri) {
            self.worker.post(move |worker| worker.close(&uri));
        }
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        if self.support().configuration {
            tokio::spawn(Self::pull_configuration(self.client.clone(), self.worker.clone()));
            return;
        }
        // What is not under our name is somebody else's.
        let mut settings = params.settings;
        if let Some(section) = settings.as_object_mut().and_then(|members| members.shift_remove("mcpAnalyzer")) {
            Self::configure(&self.worker, section);
        }
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let paths = |folders: Vec<WorkspaceFolder>| -> Vec<PathBuf> {
            folders.iter().filter_map(|folder| convert::path(&folder.uri)).collect()
        };
        let (added, removed) = (paths(params.event.added), paths(params.event.removed));
        self.worker.post(move |worker| {
            worker.configuration.change_folders(added, &removed);
            worker.publish_all();
        });
    }

    async fn did_change_watched_files(&self, _: DidChangeWatchedFilesParams) {
        self.reload_settings();
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        hover::hover(&self.worker, params).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        actions::actions(&self.worker, params).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        commands::execute(&self.client, self.support(), &self.documents, &self.worker, params).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        lens::lenses(&self.worker, params).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        inlay::hints(&self.worker, params).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        definition::definition(&self.worker, params).await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        symbols::symbols(&self.worker, params).await
    }
}

/// The folders of the workspace; a client without them may have one root.
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    #[expect(deprecated, reason = "older clients know nothing else")]
    let root = params.root_uri.as_ref();
    let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    let all: Vec<PathBuf> = folders.filter_map(convert::path).collect();
    if all.is_empty() { root.and_then(convert::path).into_iter().collect() } else { all }
}
