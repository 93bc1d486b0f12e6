//! An MCP server of protocol version 2026-07-28, as rmcp builds it; it speaks the older ones as well.
//!
//! `modern` talks over stdin and stdout. `modern http` writes its URL to stdout and serves until its stdin ends.

use std::io;
use std::sync::Arc;

use rmcp::model::{
    ListPromptsResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams, Prompt, Resource,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService, stdio};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

#[derive(Clone)]
struct Modern;

impl ServerHandler for Modern {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        ServerConfig::new(capabilities).with_instructions("Convert first, then compare.")
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let text = |description: &str| json!({"type": "string", "description": description});
        Ok(ListToolsResult::with_all_items(vec![
            tool(
                "convert_length",
                "Converts a length from one unit to another.",
                json!({"length": text("A number and its unit, as in `3 km`."), "unit": text("The unit to convert to.")}),
            ),
            tool("list_units", "Lists the units of length that are known, with their names.", json!({})),
        ]))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new("units://length", "length")]))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new("compare", Some("Compares two lengths."), None)]))
    }
}

fn tool(name: &'static str, description: &'static str, properties: Value) -> Tool {
    let schema = [("type".to_owned(), json!("object")), ("properties".to_owned(), properties)];
    Tool::new(name, description, Arc::new(schema.into_iter().collect()))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    if std::env::args().nth(1).as_deref() != Some("http") {
        let service = Modern.serve(stdio()).await.map_err(io::Error::other)?;
        service.waiting().await.map_err(io::Error::other)?;
        return Ok(());
    }
    let service = StreamableHttpService::new(
        || Ok(Modern),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    io::Write::write_all(&mut io::stdout(), format!("http://{}/mcp\n", listener.local_addr()?).as_bytes())?;
    let (ended, end) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        let _ = ended.send(());
    });
    // Not gracefully: a client may hold a stream open.
    tokio::select! {
        result = async { axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await } => result,
        _ = end => Ok(()),
    }
}
