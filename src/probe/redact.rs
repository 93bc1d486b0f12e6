//! Keeps secrets out of what is shown.

/// A text without these secrets.
pub(super) fn redacted(text: &str, secrets: &[String]) -> String {
    secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "•••"))
}
