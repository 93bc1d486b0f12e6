//! What the worker is still to do. Everything is done in the order in which it came.

use std::collections::VecDeque;

use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use super::worker::Worker;

type Job = Box<dyn FnOnce(&mut Worker) + Send>;

pub(super) enum Task {
    /// A document has a new text.
    Changed(String),
    Job(Job),
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    is_ended: bool,
}

/// What handlers hold of the worker.
#[derive(Default)]
pub(super) struct WorkerHandle {
    queue: Mutex<Queue>,
    wake: Condvar,
}

impl WorkerHandle {
    /// Says that a document has a new text.
    pub(super) fn changed(&self, uri: &str) {
        let mut queue = self.queue.lock();
        // The newest text is what is checked, whenever that is.
        if !queue.tasks.iter().any(|task| matches!(task, Task::Changed(queued) if queued == uri)) {
            queue.tasks.push_back(Task::Changed(uri.to_owned()));
        }
        drop(queue);
        self.wake.notify_one();
    }

    /// Runs a closure on the worker, after what came before it.
    pub(super) fn post(&self, job: impl FnOnce(&mut Worker) + Send + 'static) {
        self.queue.lock().tasks.push_back(Task::Job(Box::new(job)));
        self.wake.notify_one();
    }

    /// Runs a closure on the worker and waits for what it returns; `None` where it failed.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&mut Worker) -> T + Send + 'static,
    ) -> Option<T> {
        let (sender, answer) = oneshot::channel();
        self.post(move |worker| {
            // A request that was cancelled has nobody who waits.
            if !sender.is_closed() {
                let _ = sender.send(ask(worker));
            }
        });
        answer.await.ok()
    }

    /// Ends the worker.
    pub(super) fn end(&self) {
        self.queue.lock().is_ended = true;
        self.wake.notify_one();
    }

    /// What is to be done next; `None` at the end.
    pub(super) fn next(&self) -> Option<Task> {
        let mut queue = self.queue.lock();
        loop {
            if queue.is_ended {
                return None;
            }
            if let Some(task) = queue.tasks.pop_front() {
                return Some(task);
            }
            self.wake.wait(&mut queue);
        }
    }
}
