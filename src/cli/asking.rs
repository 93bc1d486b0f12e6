//! Asks servers and waits for them. When the user interrupts that, nothing that was started stays behind.

use std::io;
use std::time::Duration;

use futures::stream::{self, StreamExt};

use crate::facts::ProbeReport;
use crate::probe::interrupt::interrupted;
use crate::probe::prober::AT_A_TIME;
use crate::probe::{Request, probe};

/// How long what was dropped may take to be gone.
const END: Duration = Duration::from_secs(5);

/// Asks every server, some at a time, and tells `done` of each; `None` where the user interrupts it.
///
/// Probes run on this thread and are dropped on it: what they started is killed before this returns.
pub(super) fn ask(requests: Vec<Request>, mut done: impl FnMut(&ProbeReport)) -> io::Result<Option<Vec<ProbeReport>>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let reports = runtime.block_on(async {
        let mut probes = stream::iter(requests).map(async |request| probe(&request).await).buffer_unordered(AT_A_TIME);
        let mut reports = Vec::new();
        let all = async {
            while let Some(report) = probes.next().await {
                done(&report);
                reports.push(report);
            }
        };
        tokio::select! {
            biased;
            () = interrupted() => None,
            () = all => Some(reports),
        }
    });
    if reports.is_none() {
        runtime.shutdown_timeout(END);
    } else {
        // Whoever has listened for an interrupt has to go on doing so: it no longer ends the process by itself.
        runtime.spawn(async {
            interrupted().await;
            end();
        });
        std::mem::forget(runtime);
    }
    Ok(reports)
}

/// The exit code of a process that was interrupted.
pub(super) const INTERRUPTED: u8 = 130;

#[expect(clippy::exit, reason = "this is what the signal would do, and no server is running")]
fn end() {
    std::process::exit(INTERRUPTED.into());
}
