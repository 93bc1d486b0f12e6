//! Value trees.
mod value;
pub use value::{Folded, Key, Member, Value, ValueKind};
