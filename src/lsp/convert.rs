//! Between the protocol's positions, ranges and URIs and our offsets and paths. Alone knows both.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use tower_lsp_server::ls_types::{Position, Range, Uri};

use crate::text::{Encoding, LineColumn, Text, TextRange};

/// The position of a byte offset.
pub(super) fn position(text: &Text, offset: usize, encoding: Encoding) -> Position {
    let place = text.line_column(offset, encoding);
    Position { line: place.line, character: place.column }
}

/// The range of a byte range.
pub(super) fn range(text: &Text, range: TextRange, encoding: Encoding) -> Range {
    Range { start: position(text, range.start, encoding), end: position(text, range.end, encoding) }
}

/// The byte offset of a position; total, as [`Text::offset`] is.
pub(super) fn offset(text: &Text, position: Position, encoding: Encoding) -> usize {
    text.offset(LineColumn { line: position.line, column: position.character }, encoding)
}

/// The byte range of a range, whichever end comes first.
pub(super) fn text_range(text: &Text, range: Range, encoding: Encoding) -> TextRange {
    let start = offset(text, range.start, encoding);
    let end = offset(text, range.end, encoding);
    TextRange::new(start.min(end), start.max(end))
}

/// The path of a document. VS Code names its own settings files, on disk too, by a scheme of their own.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    matches!(uri.scheme().as_str(), "file" | "vscode-userdata")
        .then(|| uri.to_file_path())?
        .map(|path| path.into_owned())
}

/// The URI of an absolute path.
pub(super) fn uri(path: &Path) -> Option<Uri> {
    path.is_absolute().then(|| Uri::from_file_path(path))?
}

/// A URI that some client spells with characters that a URI cannot hold, with those encoded; `None` where it is
/// beyond that.
pub(super) fn repaired_uri(wrong: &str) -> Option<String> {
    let is_file = wrong.starts_with("file:");
    let bytes = wrong.as_bytes();
    let mut out = String::with_capacity(wrong.len() + 16);
    for (at, byte) in bytes.iter().copied().enumerate() {
        match byte {
            b'\\' if is_file => out.push('/'),
            b'%' if bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) => out.push('%'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(byte.into()),
            _ if b"-._~:/?#@!$&'()*+,;=".contains(&byte) => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&out).is_ok().then_some(out)
}

/// How clients spell the URIs that had to be repaired, by the repaired URI. Diagnostics go out under their spelling.
#[derive(Clone, Debug, Default)]
pub(super) struct Spellings(Arc<Mutex<FxHashMap<String, String>>>);

impl Spellings {
    /// Remembers one.
    pub(super) fn insert(&self, repaired: String, original: String) {
        self.0.lock().insert(repaired, original);
    }

    /// The client's spelling of a URI.
    pub(super) fn original(&self, uri: &str) -> String {
        self.0.lock().get(uri).cloned().unwrap_or_else(|| uri.to_owned())
    }
}

/// A message in which an editor finds no link to make, whatever names it quotes.
pub(super) fn unlinked(message: &str) -> String {
    message.replace("](", "] (")
}

/// The seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_characters_of_uris_are_encoded() {
        let path_of = |wrong: &str| path(&repaired_uri(wrong)?.parse().ok()?);
        assert_eq!(path_of("file:///a b.json"), Some("/a b.json".into()));
        assert_eq!(path_of("file:///[x]/100%.json"), Some("/[x]/100%.json".into()));
        assert_eq!(path_of("file:///a%20b \u{e9}.json"), Some("/a b \u{e9}.json".into()));
        assert_eq!(repaired_uri(r"file:///C:\a.json").as_deref(), Some("file:///C:/a.json"));
        assert_eq!(repaired_uri("no scheme"), None);
    }
}
