//! From text to spanned values: JSON and JSONC today, other formats behind the same interface.
//!
//! Two parts that never meet: the reader, which turns a text into [`Value`]s and exact errors and whose result depends
//! on the text alone, and the incremental [`Tree`], which says after an edit what need not be read again. Knows
//! nothing of what a document means.

mod characters;
mod error;
mod insertion;
mod json;
mod pointer;
mod removal;
mod tree;
mod value;

pub use characters::characters;
pub use error::{SyntaxError, SyntaxErrorKind};
pub use insertion::{Place, insert_elements, insert_member, written_like};
pub use json::{Reading, outline, read, read_member};
pub use pointer::{pointer_at, pointer_token, resolve};
pub use removal::{without_element, without_elements, without_member, without_members};
pub use tree::{Engine, Tree};
pub use value::{Folded, Key, Member, Value, ValueKind};
