//! How much is done for a text of some length, for every face.

/// Texts up to this length are checked by every rule, in bytes; longer ones by those about syntax.
pub(super) const FULL: usize = 16 << 20;
/// Longer texts are not read, in bytes.
pub const MAX_TEXT: usize = 64 << 20;

/// How much is done for a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Service {
    /// Everything.
    #[default]
    Full,
    /// Rules about syntax, and nothing that is said of tools and servers.
    Syntax,
}

impl Service {
    /// For a text of so many bytes.
    pub(super) fn of(bytes: usize) -> Service {
        if bytes > FULL { Service::Syntax } else { Service::Full }
    }
}

/// Why a text of more than [`MAX_TEXT`] is not checked.
pub fn unread() -> String {
    format!("it is larger than {} MiB, which is the most that is read", MAX_TEXT >> 20)
}
