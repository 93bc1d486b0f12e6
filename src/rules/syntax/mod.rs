//! Rules about the text itself, before it means anything.

pub(super) mod comment_in_json;
pub(super) mod duplicate_key;
pub(super) mod syntax_error;
pub(super) mod trailing_comma;
