//! The language server.
//!
//! Six threads: the reader cuts stdin into messages and answers those that the protocol library would stumble over
//! (`input`, `framer`); the runtime's one thread dispatches messages and changes texts (`server`, `documents`);
//! the worker owns the analysis and publishes (`worker`, `publish`, `frame`), and has servers asked (`probing`,
//! `consent`), which other threads do; the keeper reads and writes the user's files about them (`keeper`); the writer
//! writes answers (`output`); one counts tokens when there are tools (`counting`).
//!
//! *Invariant:* a text changes before the first `.await` of its handler, so that changes keep their order. *Invariant:*
//! no handler computes or waits for the client. *Invariant:* log lines hold no text of documents.

mod actions;
mod commands;
mod consent;
mod convert;
mod counting;
mod definition;
mod documents;
mod edits;
mod frame;
mod framer;
mod hover;
mod inlay;
mod input;
mod keeper;
mod lens;
mod output;
mod probing;
mod progress;
mod publish;
mod queue;
mod registration;
mod sent;
mod server;
mod settings;
mod support;
mod symbols;
mod view;
mod views;
mod worker;

use std::future::Future;
use std::io;
use std::pin::pin;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::task::Poll;
use std::time::Duration;

use tower_lsp_server::{LspService, Server};

use convert::Spellings;
use documents::Documents;
use framer::Framer;
use input::Input;
use output::{Output, ProtocolOutput};
use queue::WorkerHandle;
use views::Views;
use worker::Worker;

use crate::probe::interrupt::interrupted;

/// Requests that are answered at a time; behind as many unanswered ones even a change of the text would wait.
const CONCURRENT_REQUESTS: usize = 256;

/// How long unanswered requests may hold the end of the process up.
const GRACE: Duration = Duration::from_secs(2);

/// How long the worker may hold it up.
const END: Duration = Duration::from_secs(5);

/// Speaks the protocol on stdin and stdout until the client says `exit` or is gone.
pub fn run() -> ExitCode {
    // The message of a panic may quote the text that it stumbled over; its place is enough to find it by.
    std::panic::set_hook(Box::new(|panic| match panic.location() {
        Some(place) => log::error!("panic at {place}"),
        None => log::error!("panic"),
    }));
    match serve() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            log::error!("the server cannot start: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the client said `shutdown` before the end.
fn serve() -> io::Result<bool> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (output, writer) = Output::start()?;
    let spellings = Spellings::default();
    let (input, end_of_input) = Input::start(Framer::new(spellings.clone()), output.clone())?;
    let documents = Arc::new(Documents::new(Views::of_user()));
    let handle = Arc::new(WorkerHandle::default());
    let (worker_handle, worker_documents, worker_output) = (handle.clone(), documents.clone(), output.clone());
    let (ended, worker_end) = mpsc::channel();
    std::thread::Builder::new().name("worker".into()).spawn(move || {
        // Dropped with the thread, which is what the end waits for.
        let _ended: mpsc::Sender<()> = ended;
        Worker::new(worker_handle, worker_documents, worker_output, spellings).run();
    })?;

    let is_shut_down = Arc::new(AtomicBool::new(false));
    let (service, socket) = LspService::build(|client| server::Server {
        client,
        documents,
        worker: handle.clone(),
        support: OnceLock::new(),
        is_shut_down: is_shut_down.clone(),
    })
    .custom_method("window/workDoneProgress/cancel", server::Server::cancel_progress)
    .finish();
    let server = Server::new(input, ProtocolOutput(output.clone()), socket).concurrency_level(CONCURRENT_REQUESTS);
    runtime.block_on(async {
        let end = async {
            let input = async {
                // The sender is dropped, never used.
                let _ = end_of_input.await;
                tokio::time::sleep(GRACE).await;
            };
            // The servers that are being asked are to be ended first.
            first_of(input, interrupted()).await;
        };
        first_of(server.serve(service), end).await;
    });
    handle.end();
    // It ends the servers that are being asked.
    let _ = worker_end.recv_timeout(END);
    output.finish();
    // What is still in a blocking thread is nobody's any more.
    runtime.shutdown_background();
    if writer.join().is_err() {
        log::error!("the writer failed");
    }
    Ok(is_shut_down.load(Ordering::Relaxed))
}

/// Waits for whichever ends first.
async fn first_of(one: impl Future<Output = ()>, other: impl Future<Output = ()>) {
    let (mut one, mut other) = (pin!(one), pin!(other));
    std::future::poll_fn(|context| match one.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(()),
        Poll::Pending => other.as_mut().poll(context),
    })
    .await;
}
