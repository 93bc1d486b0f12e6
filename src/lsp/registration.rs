//! What the server tells the client that it can do, at the start and afterwards.

use serde_json::json;
use tower_lsp_server::ls_types::*;

use super::actions::SOURCE_FIX_ALL;
use super::commands;
use super::support::Support;
use crate::settings_files::FILE_NAME;

/// What every client is told.
pub(super) fn capabilities(support: &Support) -> ServerCapabilities {
    let code_actions = CodeActionOptions {
        code_action_kinds: Some(vec![
            CodeActionKind::QUICKFIX,
            CodeActionKind::REFACTOR_REWRITE,
            CodeActionKind::SOURCE_FIX_ALL,
            CodeActionKind::new(SOURCE_FIX_ALL),
        ]),
        ..CodeActionOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(support.encoding_kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            // Alone a save does not say whether the user made it.
            will_save: Some(true),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        // A client that knows only commands is not told of kinds.
        code_action_provider: Some(match support.code_actions {
            true => CodeActionProviderCapability::Options(code_actions),
            false => CodeActionProviderCapability::Simple(true),
        }),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: support.inlay_hints.then_some(OneOf::Left(true)),
        definition_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: commands::names(support).map(str::to_owned).collect(),
            ..ExecuteCommandOptions::default()
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            ..WorkspaceServerCapabilities::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// What the client is asked to tell.
pub(super) fn registrations(support: &Support) -> Vec<Registration> {
    let registration = |method: &str, options| Registration {
        id: method.to_owned(),
        method: method.to_owned(),
        register_options: options,
    };
    let mut out = Vec::new();
    if support.watched_files {
        let options = json!({ "watchers": [{ "globPattern": format!("**/{FILE_NAME}") }] });
        out.push(registration("workspace/didChangeWatchedFiles", Some(options)));
    }
    if support.configuration_changes {
        let options = json!({ "section": "mcpAnalyzer" });
        out.push(registration("workspace/didChangeConfiguration", Some(options)));
    }
    out
}
