//! What an action does, as an edit of the workspace in the shape that the client knows.

use std::collections::HashMap;
use std::path::Path;

use tower_lsp_server::ls_types::{
    AnnotatedTextEdit, ChangeAnnotation, CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges,
    OneOf, OptionalVersionedTextDocumentIdentifier, ResourceOp, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use super::convert;
use super::view::View;
use crate::analysis::{Action, Effect};
use crate::diagnostic::Applicability;
use crate::settings::Ignore;
use crate::settings_files;
use crate::text::{Text, TextRange};

const ANNOTATION: &str = "mcp-analyzer";

/// The edit of an action in the document `uri`; `None` where the client could not apply it.
pub(super) fn workspace_edit(action: &Action, view: &View, uri: &Uri) -> Option<WorkspaceEdit> {
    let edits = match &action.effect {
        Effect::IgnoreInSettings(ignore) => return ignore_in_settings(ignore, view),
        Effect::Edits(edits) => edits,
        Effect::Order(_) => return None,
    };
    let text = view.report.text();
    let edits = edits.iter().map(|edit| TextEdit {
        range: convert::range(text, edit.range, view.support.encoding),
        new_text: edit.new_text.clone(),
    });
    if !view.support.document_changes {
        return Some(plain(uri, edits.collect()));
    }
    let is_asked = action.applicability == Applicability::Unsafe && view.support.change_annotations;
    let annotated = |text_edit| match is_asked {
        true => OneOf::Right(AnnotatedTextEdit { text_edit, annotation_id: ANNOTATION.to_owned() }),
        false => OneOf::Left(text_edit),
    };
    let annotation = ChangeAnnotation {
        label: action.title.clone(),
        needs_confirmation: Some(true),
        description: Some("may change what the file does".to_owned()),
    };
    Some(WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(vec![TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version: view.document.version },
            edits: edits.map(annotated).collect(),
        }])),
        change_annotations: is_asked.then(|| HashMap::from([(ANNOTATION.to_owned(), annotation)])),
        ..WorkspaceEdit::default()
    })
}

/// One more entry at the end of the settings file that is nearest to the document.
fn ignore_in_settings(ignore: &Ignore, view: &View) -> Option<WorkspaceEdit> {
    let (place, before) = view.configuration.place_for(view.document.path.as_deref())?;
    let uri = convert::uri(&place)?;
    let mut ignore = ignore.clone();
    ignore.path = view.document.path.as_deref().map(|path| glob(path, &place));
    let text = before.clone().unwrap_or_default();
    let after = settings_files::with_ignore(&text, &ignore);
    let new_text = after.get(text.len()..)?.to_owned();
    let content = Text::new(&text);
    let range = convert::range(&content, TextRange::empty(content.len()), view.support.encoding);
    let edit = TextEdit { range, new_text };
    if !view.support.document_changes {
        return before.map(|_| plain(&uri, vec![edit]));
    }
    let edit = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version: None },
        edits: vec![OneOf::Left(edit)],
    };
    let document_changes = match before {
        Some(_) => DocumentChanges::Edits(vec![edit]),
        None if !view.support.create_files => return None,
        None => {
            let options = CreateFileOptions { overwrite: None, ignore_if_exists: Some(true) };
            let create = CreateFile { uri, options: Some(options), annotation_id: None };
            DocumentChanges::Operations(vec![
                DocumentChangeOperation::Op(ResourceOp::Create(create)),
                DocumentChangeOperation::Edit(edit),
            ])
        }
    };
    Some(WorkspaceEdit { document_changes: Some(document_changes), ..WorkspaceEdit::default() })
}

/// A glob that fits this file only, as seen from a settings file.
fn glob(path: &Path, settings_file: &Path) -> String {
    let relative = settings_file.parent().and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path);
    let segments: Vec<_> = relative.iter().map(|segment| segment.to_string_lossy()).collect();
    let joined = if relative.is_absolute() { path.to_string_lossy().into_owned() } else { segments.join("/") };
    globset::escape(&joined)
}

fn plain(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit { changes: Some(HashMap::from([(uri.clone(), edits)])), ..WorkspaceEdit::default() }
}
