//! `textDocument/documentSymbol`.

use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind, Uri,
};

use super::convert;
use super::queue::WorkerHandle;
use super::view::View;
use crate::analysis::{self, Symbol};
use crate::text::{Encoding, Text};

/// Answers the request.
pub(super) async fn symbols(
    worker: &WorkerHandle,
    params: DocumentSymbolParams,
) -> Result<Option<DocumentSymbolResponse>> {
    let uri = params.text_document.uri;
    let found = worker.ask(move |worker| {
        let View { report, support, .. } = worker.view(uri.as_str())?;
        let symbols = analysis::symbols(&report);
        Some(if support.nested_symbols {
            DocumentSymbolResponse::Nested(nested(&symbols, report.text(), support.encoding))
        } else {
            let mut out = Vec::new();
            flat(&symbols, None, &uri, report.text(), support.encoding, &mut out);
            DocumentSymbolResponse::Flat(out)
        })
    });
    Ok(found.await.flatten())
}

fn nested(symbols: &[Symbol], text: &Text, encoding: Encoding) -> Vec<DocumentSymbol> {
    let nest = |symbol: &Symbol| {
        #[expect(deprecated, reason = "the field has no default")]
        DocumentSymbol {
            name: symbol.name.clone(),
            detail: symbol.detail.clone(),
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            range: convert::range(text, symbol.range, encoding),
            selection_range: convert::range(text, symbol.selection, encoding),
            children: (!symbol.children.is_empty()).then(|| nested(&symbol.children, text, encoding)),
        }
    };
    symbols.iter().map(nest).collect()
}

fn flat(
    symbols: &[Symbol],
    container: Option<&str>,
    uri: &Uri,
    text: &Text,
    encoding: Encoding,
    out: &mut Vec<SymbolInformation>,
) {
    for symbol in symbols {
        #[expect(deprecated, reason = "the field has no default")]
        out.push(SymbolInformation {
            name: symbol.name.clone(),
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: Location { uri: uri.clone(), range: convert::range(text, symbol.range, encoding) },
            container_name: container.map(str::to_owned),
        });
        flat(&symbol.children, Some(&symbol.name), uri, text, encoding, out);
    }
}

const fn kind(kind: analysis::SymbolKind) -> SymbolKind {
    match kind {
        analysis::SymbolKind::Tool => SymbolKind::FUNCTION,
        analysis::SymbolKind::Parameter => SymbolKind::FIELD,
        analysis::SymbolKind::Server => SymbolKind::MODULE,
    }
}
