//! What the client can do, read once from what it says at the start.

use tower_lsp_server::ls_types::{ClientCapabilities, PositionEncodingKind, ResourceOperationKind};

use crate::text::Encoding;

/// What the client can do. Whatever it does not name it cannot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    /// How columns are counted.
    pub(super) encoding: Encoding,
    /// It shows places related to a finding.
    pub(super) related_information: bool,
    /// It knows versioned edits of documents.
    pub(super) document_changes: bool,
    /// It asks before it applies an edit that says so.
    pub(super) change_annotations: bool,
    /// It can create files in an edit.
    pub(super) create_files: bool,
    /// It applies edits when asked to.
    pub(super) apply_edits: bool,
    /// It knows code actions beside commands.
    pub(super) code_actions: bool,
    /// It answers `workspace/configuration`.
    pub(super) configuration: bool,
    /// It tells of changed configuration when asked to.
    pub(super) configuration_changes: bool,
    /// It watches files when asked to.
    pub(super) watched_files: bool,
    /// It knows symbols inside symbols.
    pub(super) nested_symbols: bool,
    /// It shows how long work goes on.
    pub(super) progress: bool,
    /// It answers questions with buttons.
    pub(super) questions: bool,
    /// It asks for lenses again when it is told to.
    pub(super) lens_refresh: bool,
    /// It shows hints between the words of a text.
    pub(super) inlay_hints: bool,
    /// It asks for those again when it is told to.
    pub(super) hint_refresh: bool,
    /// It opens documents when asked to.
    pub(super) show_document: bool,
}

impl Default for Support {
    fn default() -> Self {
        Self::new(&ClientCapabilities::default())
    }
}

impl Support {
    /// Reads the client's capabilities.
    pub(super) fn new(client: &ClientCapabilities) -> Self {
        let documents = client.text_document.as_ref();
        let workspace = client.workspace.as_ref();
        let window = client.window.as_ref();
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let creates = edits.and_then(|edits| edits.resource_operations.as_ref());
        let create_files = creates.is_some_and(|kinds| kinds.contains(&ResourceOperationKind::Create));
        // Files are created by document changes only; Neovim names the one and not the other.
        let document_changes = create_files || edits.and_then(|edits| edits.document_changes) == Some(true);
        let encodings = client.general.as_ref().and_then(|general| general.position_encodings.as_ref());
        let is_utf8 = encodings.is_some_and(|encodings| encodings.contains(&PositionEncodingKind::UTF8));
        Self {
            encoding: if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            related_information: documents
                .and_then(|documents| documents.publish_diagnostics.as_ref()?.related_information)
                .unwrap_or_default(),
            document_changes,
            change_annotations: document_changes
                && edits.is_some_and(|edits| edits.change_annotation_support.is_some()),
            create_files,
            apply_edits: workspace.and_then(|workspace| workspace.apply_edit).unwrap_or_default(),
            code_actions: documents
                .and_then(|documents| documents.code_action.as_ref()?.code_action_literal_support.as_ref())
                .is_some(),
            configuration: workspace.and_then(|workspace| workspace.configuration).unwrap_or_default(),
            configuration_changes: workspace
                .and_then(|workspace| workspace.did_change_configuration?.dynamic_registration)
                .unwrap_or_default(),
            watched_files: workspace
                .and_then(|workspace| workspace.did_change_watched_files?.dynamic_registration)
                .unwrap_or_default(),
            nested_symbols: documents
                .and_then(|documents| documents.document_symbol.as_ref()?.hierarchical_document_symbol_support)
                .unwrap_or_default(),
            progress: window.and_then(|window| window.work_done_progress).unwrap_or_default(),
            questions: window.is_some_and(|window| window.show_message.is_some()),
            lens_refresh: workspace
                .and_then(|workspace| workspace.code_lens.as_ref()?.refresh_support)
                .unwrap_or_default(),
            inlay_hints: documents.is_some_and(|documents| documents.inlay_hint.is_some()),
            hint_refresh: workspace
                .and_then(|workspace| workspace.inlay_hint.as_ref()?.refresh_support)
                .unwrap_or_default(),
            show_document: window.and_then(|window| window.show_document.as_ref()).is_some_and(|it| it.support),
        }
    }

    /// How columns are counted, as the protocol names it.
    pub(super) fn encoding_kind(&self) -> PositionEncodingKind {
        match self.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 | Encoding::Utf32 => PositionEncodingKind::UTF16,
        }
    }
}
