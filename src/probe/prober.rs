//! Probes in the background, some at a time, for whoever does not wait.

use tokio::sync::oneshot;

use super::Request;
use crate::facts::ProbeReport;

/// How many servers are asked at a time.
pub const AT_A_TIME: usize = 8;

/// Asks servers on threads of its own.
#[derive(Debug, Default)]
pub struct Prober {}

/// A probe that is under way; ends it where it is dropped.
#[derive(Debug)]
pub struct Running {
    _cancel: oneshot::Sender<()>,
}

impl Prober {
    /// Starts a probe. `done` is called on a thread of its own when it is done, and never where it was cancelled.
    pub fn start(&mut self, request: Request, done: impl FnOnce(ProbeReport) + Send + 'static) -> Running {
        let (cancel, _) = oneshot::channel();
        let _ = (request, done);
        Running { _cancel: cancel }
    }
}
