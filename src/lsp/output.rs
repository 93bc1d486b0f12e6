//! The one owner of stdout. Whatever leaves the server does so as a whole frame under one lock, so that frames of the
//! worker and answers of the protocol library never mix. Knows nothing of what a frame says.

use std::fs::File;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::task::{Context, Poll};
use std::thread::JoinHandle;

use parking_lot::Mutex;
use tokio::io::AsyncWrite;

/// Where frames go.
#[derive(Debug)]
pub(super) struct Output {
    stdout: Mutex<File>,
    queue: Sender<Outgoing>,
}

#[derive(Debug)]
enum Outgoing {
    Frame(Vec<u8>),
    End,
}

impl Output {
    /// Takes stdout over, and starts the thread that writes what is queued.
    pub(super) fn start() -> io::Result<(Arc<Output>, JoinHandle<()>)> {
        let (queue, queued) = mpsc::channel();
        let output = Arc::new(Output { stdout: Mutex::new(stdout()?), queue });
        let writer = output.clone();
        let thread = std::thread::Builder::new().name("writer".into()).spawn(move || writer.write_queued(&queued))?;
        Ok((output, thread))
    }

    /// Writes a frame now, and waits for a client that does not read. Not for the runtime's thread.
    pub(super) fn write(&self, frame: &[u8]) {
        // A client that is gone also closes stdin, which ends the process.
        if let Err(error) = self.stdout.lock().write_all(frame) {
            log::debug!("stdout: {error}");
        }
    }

    /// Hands a frame to the writer's thread.
    pub(super) fn send(&self, frame: Vec<u8>) {
        // The receiver lives until `finish`; what comes later has nobody to go to.
        let _ = self.queue.send(Outgoing::Frame(frame));
    }

    /// Hands a message to the writer's thread.
    pub(super) fn send_message(&self, body: &[u8]) {
        self.send(framed(body));
    }

    /// Ends the writer's thread once it has written what is queued.
    pub(super) fn finish(&self) {
        let _ = self.queue.send(Outgoing::End);
    }

    fn write_queued(&self, queued: &Receiver<Outgoing>) {
        while let Ok(Outgoing::Frame(frame)) = queued.recv() {
            self.write(&frame);
        }
    }
}

/// A message with its header.
pub(super) fn framed(body: &[u8]) -> Vec<u8> {
    let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    frame.extend_from_slice(body);
    frame
}

/// A copy of stdout without the line buffer of the standard library, which would cut every frame in two.
fn stdout() -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
    }
    #[cfg(windows)]
    {
        use std::os::windows::io::AsHandle;
        Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
    }
}

/// What the protocol library writes to. It takes every message whole, and never waits.
pub(super) struct ProtocolOutput(pub(super) Arc<Output>);

impl AsyncWrite for ProtocolOutput {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.0.send(bytes.to_vec());
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
