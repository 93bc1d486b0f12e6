//! Messages a line each, over the pipes of a process.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;

use super::Limits;
use super::tap::Tap;

/// Bytes that are read at a time.
const CHUNK: usize = 64 << 10;

/// The two pipes of a process. More than one conversation can be begun over them, one after the other.
pub(super) struct Pipes<W> {
    writer: Arc<Mutex<Option<W>>>,
    inbox: Arc<Mutex<mpsc::Receiver<ServerJsonRpcMessage>>>,
    /// Weak, so that the inbox ends with the reader.
    inject: mpsc::WeakSender<ServerJsonRpcMessage>,
    tap: Tap,
    /// Ends with the pipes.
    _reader: JoinSet<()>,
}

/// A transport of lines. Where the other side closes, or says more than is read, the conversation ends at once.
pub(super) struct Lines<W> {
    writer: Arc<Mutex<Option<W>>>,
    inbox: Arc<Mutex<mpsc::Receiver<ServerJsonRpcMessage>>>,
    inject: mpsc::WeakSender<ServerJsonRpcMessage>,
    tap: Tap,
    discover: Duration,
    /// Who waits for an answer to `server/discover`.
    waiting: JoinSet<()>,
}

impl<W> Pipes<W> {
    /// Reads from the one and writes to the other.
    pub(super) fn new(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: W,
        tap: &Tap,
        limits: &Limits,
    ) -> Pipes<W> {
        let (outbox, inbox) = mpsc::channel(64);
        let inject = outbox.downgrade();
        let mut task = JoinSet::new();
        task.spawn(read(reader, outbox, tap.clone(), limits.clone()));
        let (writer, inbox) = (Arc::new(Mutex::new(Some(writer))), Arc::new(Mutex::new(inbox)));
        Pipes { writer, inbox, inject, tap: tap.clone(), _reader: task }
    }

    /// A transport over them, which waits for an answer to `server/discover` so long.
    pub(super) fn lines(&self, discover: Duration) -> Lines<W> {
        Lines {
            writer: self.writer.clone(),
            inbox: self.inbox.clone(),
            inject: self.inject.clone(),
            tap: self.tap.clone(),
            discover,
            waiting: JoinSet::new(),
        }
    }
}

/// Reads lines until the end, the last one with or without a line break.
async fn read(reader: impl AsyncRead + Unpin, outbox: mpsc::Sender<ServerJsonRpcMessage>, tap: Tap, limits: Limits) {
    let mut reader = BufReader::with_capacity(CHUNK, reader);
    let mut line = Vec::new();
    while let Ok(chunk) = reader.fill_buf().await {
        if chunk.is_empty() {
            break;
        }
        let end = memchr::memchr(b'\n', chunk);
        let length = end.map_or(chunk.len(), |end| end + 1);
        if !tap.count(length, line.len() + length, &limits) {
            return;
        }
        line.extend_from_slice(&chunk[..length]);
        reader.consume(length);
        if end.is_some() {
            if deliver(&line, &outbox, &tap).await.is_err() {
                return;
            }
            line.clear();
        }
    }
    // Whether anybody still waits for it does not matter.
    let _ = deliver(&line, &outbox, &tap).await;
}

/// Passes on one frame; an error where nobody is there to take it.
async fn deliver(frame: &[u8], outbox: &mpsc::Sender<ServerJsonRpcMessage>, tap: &Tap) -> Result<(), ()> {
    let Some(message) = understood(frame, tap) else { return Ok(()) };
    outbox.send(message).await.map_err(drop)
}

/// The message of one frame.
pub(super) fn understood(frame: &[u8], tap: &Tap) -> Option<ServerJsonRpcMessage> {
    let text = tap.hear(frame)?;
    let message = serde_json::from_str(&text).ok();
    if message.is_none() {
        tap.noise(&text);
    }
    message
}

/// What stands for the answer to `server/discover` that does not come: the parser's own patience cannot be set.
pub(super) fn no_discovery(id: RequestId) -> ServerJsonRpcMessage {
    let error = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "no answer to server/discover in time", None);
    ServerJsonRpcMessage::error(error, Some(id))
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleClient> for Lines<W> {
    type Error = io::Error;

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let Some(id) = self.tap.asked(&message) {
            let (tap, inject, patience) = (self.tap.clone(), self.inject.clone(), self.discover);
            self.waiting.spawn(async move {
                tokio::time::sleep(patience).await;
                if tap.give_up(&id)
                    && let Some(inject) = inject.upgrade()
                {
                    // Nobody is there to take it where the conversation has ended.
                    let _ = inject.send(no_discovery(id)).await;
                }
            });
        }
        let writer = self.writer.clone();
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut writer = writer.lock().await;
            let pipe = writer.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            pipe.write_all(&line).await?;
            pipe.flush().await
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        self.inbox.lock().await.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.lock().await.take();
        Ok(())
    }
}
