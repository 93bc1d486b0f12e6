//! Probes in the background, some at a time, for whoever does not wait.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use futures::FutureExt;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

use super::{Request, probe};
use crate::facts::{Failure, ProbeReport};
use crate::model::dialect::Transport;

/// How many servers are asked at a time.
pub const AT_A_TIME: usize = 8;

/// Threads that ask; they wait for most of the time.
const THREADS: usize = 2;
/// How long all that is under way may take to end.
const END: Duration = Duration::from_secs(2);

/// Asks servers on threads of its own, which it starts when there is something to ask. Dropped, it ends every probe.
#[derive(Debug)]
pub struct Prober {
    runtime: Option<Runtime>,
    places: Arc<Semaphore>,
}

/// A probe that is under way; ends it where it is dropped.
#[derive(Debug)]
pub struct Running {
    task: Option<AbortHandle>,
    is_cancelled: Arc<AtomicBool>,
}

impl Default for Prober {
    fn default() -> Prober {
        Prober { runtime: None, places: Arc::new(Semaphore::new(AT_A_TIME)) }
    }
}

impl Prober {
    /// Starts a probe. `done` is called on a thread of its own when it is done, and never where it was cancelled.
    pub fn start(&mut self, request: Request, done: impl FnOnce(ProbeReport) + Send + 'static) -> Running {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let (places, was_cancelled) = (self.places.clone(), is_cancelled.clone());
        let task = async move {
            // It is never closed.
            let _place = places.acquire_owned().await;
            let asked = AssertUnwindSafe(probe(&request)).catch_unwind().await;
            let report = asked.unwrap_or_else(|_| {
                let mut report = ProbeReport::new(request.launch.id(), &request.name, Transport::Stdio);
                report.failure = Some(Failure::NotStarted("mcp-analyzer itself failed: please report it".to_owned()));
                report
            });
            if !was_cancelled.load(Ordering::Acquire) {
                done(report);
            }
        };
        if self.runtime.is_none() {
            let built = Builder::new_multi_thread().worker_threads(THREADS).thread_name("probe").enable_all().build();
            self.runtime = built.map_err(|error| log::error!("no threads to ask servers on: {error}")).ok();
        }
        let task = self.runtime.as_ref().map(|runtime| runtime.spawn(task).abort_handle());
        Running { task, is_cancelled }
    }
}

impl Drop for Prober {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        // A runtime must not be dropped where another one is at work, and the caller may be.
        let ended = thread::Builder::new().spawn(move || runtime.shutdown_timeout(END));
        if let Ok(thread) = ended {
            // It does not panic, and if it did it would be too late to say so.
            let _ = thread.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Release);
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::path::Path;
    use std::sync::mpsc;

    use super::*;
    use crate::model::launch::Launch;
    use crate::probe::Limits;

    fn request(script: &str) -> Request {
        let words = ["sh", "-c", script].map(str::to_owned);
        let launch = Launch::command(&words, Path::new("/")).expect("a command");
        Request { name: "a".to_owned(), launch, limits: Limits::default(), environment: Vec::new(), home: None }
    }

    #[test]
    fn all_are_asked_and_who_is_cancelled_says_nothing() {
        let mut prober = Prober::default();
        let (send, receive) = mpsc::channel();
        let mut start = |script: &str| {
            let send = send.clone();
            prober.start(request(script), move |report| send.send(report.failure.is_some()).expect("somebody listens"))
        };
        let cancelled: Vec<Running> = (0..AT_A_TIME).map(|_| start("exec sleep 300")).collect();
        let running: Vec<Running> = (0..AT_A_TIME + 2).map(|_| start("exit 1")).collect();
        drop(cancelled);
        for _ in &running {
            assert_eq!(receive.recv_timeout(Duration::from_secs(30)), Ok(true));
        }
        drop(send);
        drop(prober);
        assert_eq!(receive.recv_timeout(Duration::from_secs(30)), Err(mpsc::RecvTimeoutError::Disconnected));
    }

    #[tokio::test]
    async fn it_ends_within_another_runtime() {
        let (send, receive) = tokio::sync::oneshot::channel::<()>();
        let mut prober = Prober::default();
        let _running = prober.start(request("exec sleep 300"), move |_| drop(send));
        drop(prober);
        assert!(receive.await.is_err());
    }
}
