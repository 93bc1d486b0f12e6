//! `textDocument/codeAction`. Actions are computed from the newest text; the client's diagnostics only say which of
//! them an action belongs to.

use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, NumberOrString,
};

use super::queue::WorkerHandle;
use super::view::{OwnedView, View};
use super::{commands, convert, edits};
use crate::analysis::{self, Action, ActionKind, Analysis, Effect, Order};

/// The kind of the action that applies every safe fix.
pub(super) const SOURCE_FIX_ALL: &str = "source.fixAll.mcp-analyzer";

/// Answers the request.
pub(super) async fn actions(worker: &WorkerHandle, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
    let only = params.context.only.clone();
    // Without a wish an editor asks for what it lists at a place; what holds for the whole file is not among it.
    let is_wanted = move |kind: &str| {
        only.as_ref().map_or(!kind.starts_with("source."), |only| {
            only.iter().any(|wanted| kind.strip_prefix(wanted.as_str()).is_some_and(is_end_of_word))
        })
    };
    let is_fix_all_wanted = is_wanted(SOURCE_FIX_ALL);
    let found = worker.ask(move |worker| {
        let view = worker.view(params.text_document.uri.as_str())?;
        let range = convert::text_range(view.report.text(), params.range, view.support.encoding);
        let world = view.world();
        let found = analysis::actions(&view.report, &world, range);
        let out = found.iter().filter(|action| is_wanted(kind(action).as_str()));
        let out: Vec<CodeActionOrCommand> = out.filter_map(|action| offered(action, &view, &params)).collect();
        Some((out, is_fix_all_wanted.then(|| (params.clone(), view.owned()))))
    });
    let Some((mut out, wanted)) = found.await.flatten() else { return Ok(None) };
    if let Some((params, owned)) = wanted {
        out.extend(fix_all(owned, move |action, view| offered(action, view, &params)).await);
    }
    Ok(Some(out))
}

/// What `make` makes of the action that applies every safe fix, where there is something to fix.
pub(super) async fn fix_all<T: Send + 'static>(
    owned: OwnedView,
    make: impl FnOnce(&Action, &View) -> Option<T> + Send + 'static,
) -> Option<T> {
    // Checks the whole text again and again, which would keep the worker from the next keystroke.
    let fixing = tokio::task::spawn_blocking(move || {
        let mut analysis = Analysis::default();
        let report = analysis.check(&owned.world());
        let action = analysis::fix_all_action(&report, &owned.world())?;
        make(&action, &owned.view(report))
    });
    fixing.await.ok().flatten()
}

fn is_end_of_word(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('.')
}

/// An action as this client knows them.
fn offered(action: &Action, view: &View, params: &CodeActionParams) -> Option<CodeActionOrCommand> {
    let uri = &params.text_document.uri;
    let command = match &action.effect {
        Effect::Order(Order::Ask(_)) if view.configuration.is_restricted() => return None,
        Effect::Order(order) => Some(commands::command(action.title.clone(), uri.as_str(), order)),
        Effect::Edits(_) | Effect::IgnoreInSettings(_) => None,
    };
    if !view.support.code_actions {
        // It could do nothing with an edit.
        return command.map(CodeActionOrCommand::Command);
    }
    let edit = match &command {
        Some(_) => None,
        None => Some(edits::workspace_edit(action, view, uri)?),
    };
    let place = action.finding.map(|(rule, range)| {
        let code = NumberOrString::String(rule.to_owned());
        (Some(code), convert::range(view.report.text(), range, view.support.encoding))
    });
    let mended = params.context.diagnostics.iter().filter(|diagnostic| {
        place.as_ref().is_some_and(|(code, range)| diagnostic.code == *code && diagnostic.range == *range)
    });
    let diagnostics: Vec<_> = mended.cloned().collect();
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        title: action.title.clone(),
        kind: Some(kind(action)),
        diagnostics: (!diagnostics.is_empty()).then_some(diagnostics),
        edit,
        command,
        is_preferred: action.is_preferred.then_some(true),
        ..CodeAction::default()
    }))
}

fn kind(action: &Action) -> CodeActionKind {
    match action.kind {
        ActionKind::QuickFix => CodeActionKind::QUICKFIX,
        ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        ActionKind::FixAll => CodeActionKind::new(SOURCE_FIX_ALL),
    }
}
