//! What ends the process from outside. Whoever has started servers listens for it, since they run in groups of their own
//! and nobody else ends them.

/// Waits until the user, or the system, wants this process to end.
#[cfg(unix)]
pub async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let mut signals: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect();
    if signals.is_empty() {
        std::future::pending::<()>().await;
    }
    let waits = signals.iter_mut().map(|signal| Box::pin(signal.recv()));
    futures::future::select_all(waits).await;
}

/// Waits until the user wants this process to end.
#[cfg(not(unix))]
pub async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
