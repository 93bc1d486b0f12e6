//! `$/progress` of a probe, with a button that ends it.

use tokio::sync::oneshot;
use tower_lsp_server::ls_types::ProgressToken;

use super::probing::Remote;
use crate::text::shown;

/// Progress that the client shows until this is dropped.
pub(super) struct Progress {
    /// Its name.
    pub(super) token: ProgressToken,
    _end: oneshot::Sender<()>,
}

impl Progress {
    /// Has the client show progress. Only a task waits for its answer: some clients answer late, and some never.
    pub(super) fn begin(remote: &Remote, number: u64, server: &str) -> Progress {
        let token = ProgressToken::String(format!("mcp-analyzer/probe/{number}"));
        let title = format!("Probing `{}`", shown(server));
        let (end, ended) = oneshot::channel::<()>();
        let (client, name) = (remote.client.clone(), token.clone());
        remote.runtime.spawn(async move {
            if let Err(error) = client.create_work_done_progress(name.clone()).await {
                return log::warn!("window/workDoneProgress/create: {}", error.code);
            }
            // Also where it is over by now: Helix shows that there is progress from here on.
            let progress = client.progress(name, title).with_cancel_button().begin().await;
            // It is dropped, never sent.
            let _ = ended.await;
            progress.finish().await;
        });
        Progress { token, _end: end }
    }
}
