//! A thread that reads and writes the user's files about servers, one thing after another, so that the worker waits for
//! no disk and for no lock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// How long what is still to be written may hold the end up.
const END: Duration = Duration::from_secs(1);

type Job = Box<dyn FnOnce() + Send>;

/// The thread. Dropped, it ends once everything is done.
pub(super) struct Keeper {
    jobs: Option<Sender<Job>>,
    end: Receiver<()>,
}

impl Keeper {
    /// Starts the thread.
    pub(super) fn start() -> Keeper {
        let (sender, jobs) = mpsc::channel::<Job>();
        let (ended, end) = mpsc::channel();
        let work = move || {
            // Dropped with the thread, which is what the end waits for.
            let _ended: Sender<()> = ended;
            while let Ok(job) = jobs.recv() {
                if catch_unwind(AssertUnwindSafe(job)).is_err() {
                    log::error!("a file about a server could not be read or written; please report this");
                }
            }
        };
        if let Err(error) = std::thread::Builder::new().name("keeper".into()).spawn(work) {
            log::error!("no server can be asked: {error}");
        }
        Keeper { jobs: Some(sender), end }
    }

    /// Does something after what came before it.
    pub(super) fn run(&self, job: impl FnOnce() + Send + 'static) {
        if let Some(jobs) = &self.jobs {
            // Without the thread nothing is known to be allowed, and nothing is done.
            let _ = jobs.send(Box::new(job));
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.jobs = None;
        let _ = self.end.recv_timeout(END);
    }
}
