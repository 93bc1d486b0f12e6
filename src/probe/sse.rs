//! The HTTP of 2024: a stream of events from the server, which says where messages to it are posted.

use std::io;

use futures::{StreamExt, stream};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use reqwest::Url;
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;

use super::http::{Caller, Error, EventStream};
use crate::facts::Failure;

/// A conversation over events.
pub(super) struct Events {
    caller: Caller,
    /// Where messages go.
    endpoint: Url,
    stream: EventStream,
}

impl Events {
    /// Opens the stream and waits until it says where messages go; the tap knows of what goes wrong.
    pub(super) async fn open(caller: Caller) -> Result<Events, Error> {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("text/event-stream"))]);
        let response = caller.send(Method::GET, caller.url.clone(), headers, None).await?;
        let status = response.status();
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !status.is_success() {
            let failure = caller.status(response).await;
            return Err(caller.fail(status.as_u16(), failure));
        }
        if !kind.to_ascii_lowercase().starts_with("text/event-stream") {
            let failure = Failure::NotMcp { content_type: kind.to_owned() };
            return Err(caller.fail(status.as_u16(), failure));
        }
        let mut stream = caller.events(response);
        let wrong = loop {
            let Some(Ok(event)) = stream.next().await else {
                break "the stream of events ended before it said where messages go".to_owned();
            };
            if event.event.as_deref() != Some("endpoint") {
                continue;
            }
            let endpoint = caller.url.join(event.data.unwrap_or_default().trim());
            match endpoint {
                // Headers with secrets go there.
                Ok(endpoint) if endpoint.origin() == caller.url.origin() => {
                    return Ok(Events { caller, endpoint, stream });
                }
                Ok(endpoint) => {
                    let origin = endpoint.origin().ascii_serialization();
                    break format!("it wants messages to be sent to another server: {origin}");
                }
                Err(_) => break "where it wants messages to be sent is no URL".to_owned(),
            }
        };
        Err(caller.fail(status.as_u16(), Failure::Protocol(wrong)))
    }
}

impl Transport<RoleClient> for Events {
    type Error = io::Error;

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.caller.tap.asked(&message);
        let (caller, endpoint) = (self.caller.clone(), self.endpoint.clone());
        async move {
            let sent = caller.send(Method::POST, endpoint, HeaderMap::new(), Some(&message)).await;
            let response = sent.map_err(io::Error::other)?;
            let status = response.status();
            if status.is_success() {
                return Ok(());
            }
            let failure = caller.status(response).await;
            Err(io::Error::other(caller.fail(status.as_u16(), failure)))
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let event = self.stream.next().await?.ok()?;
            let Some(data) = event.data.filter(|_| event.event.as_deref() != Some("endpoint")) else { continue };
            if let Ok(message) = serde_json::from_str(&data) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.stream = stream::empty().boxed();
        Ok(())
    }
}
