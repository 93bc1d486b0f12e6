//! Texts and positions.
mod range;
pub use range::{Edit, Splice, TextRange, apply_edits};
