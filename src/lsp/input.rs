//! stdin, read by a thread of its own: bytes go through the [`Framer`], and what it lets through goes to the protocol
//! library, which therefore only ever sees whole messages that it can decode.

use std::io::{self, Read};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc;

use super::framer::{Framed, Framer};
use super::output::Output;

/// Frames that wait for the protocol library before the reader waits too.
const QUEUED_FRAMES: usize = 64;

/// What the protocol library reads from.
pub(super) struct Input {
    frames: mpsc::Receiver<Vec<u8>>,
    frame: Vec<u8>,
    at: usize,
}

impl Input {
    /// Starts the reader. The receiver wakes up when nothing more will be read: at the end of stdin, or after `exit`.
    pub(super) fn start(
        mut framer: Framer,
        output: Arc<Output>,
    ) -> io::Result<(Input, tokio::sync::oneshot::Receiver<()>)> {
        let (sender, frames) = mpsc::channel(QUEUED_FRAMES);
        let (ended, end) = tokio::sync::oneshot::channel();
        let read = move || {
            // Dropped with the thread, which is what the receiver waits for.
            let _ended: tokio::sync::oneshot::Sender<()> = ended;
            let mut stdin = io::stdin().lock();
            let mut buffer = vec![0; 64 * 1024];
            let mut framed = Vec::new();
            loop {
                let length = match stdin.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(length) => length,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return log::error!("stdin: {error}"),
                };
                framer.feed(&buffer[..length], &mut framed);
                for framed in framed.drain(..) {
                    match framed {
                        Framed::Answer(body) => output.send_message(&body),
                        Framed::Forward(frame) => {
                            if sender.blocking_send(frame).is_err() {
                                return;
                            }
                        }
                    }
                }
                if framer.has_exited() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("reader".into()).spawn(read)?;
        Ok((Input { frames, frame: Vec::new(), at: 0 }, end))
    }
}

impl AsyncRead for Input {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.at >= self.frame.len() {
            match self.frames.poll_recv(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(None) => return Poll::Ready(Ok(())),
                Poll::Ready(Some(frame)) => {
                    self.frame = frame;
                    self.at = 0;
                }
            }
        }
        let length = out.remaining().min(self.frame.len() - self.at);
        out.put_slice(&self.frame[self.at..self.at + length]);
        self.at += length;
        if self.at == self.frame.len() {
            self.frame = Vec::new();
            self.at = 0;
        }
        Poll::Ready(Ok(()))
    }
}
