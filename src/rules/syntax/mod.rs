//! Rules about the text itself, before it means anything.

pub(super) mod syntax_error;
