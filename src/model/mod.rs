//! What the values of a document mean: which client reads it, which servers it configures, which tools it lists.
//!
//! Everything here is a view over [`crate::syntax`] values, made per item and on demand; nothing is kept. Lowering is
//! total: what is missing or of the wrong type is `None`, and a rule says so. Knows nothing of rules.

pub mod dialect;

pub mod launch;
pub mod mask;
mod recognise;
pub mod schema;
pub mod secret;
pub mod server;
pub mod similar;
mod tool;

pub use dialect::Dialect;
pub use recognise::{Item, Kind, List, Otherwise, Recognised, Root, looks_like_server, outline, recognise};
pub use server::Server;
pub use tool::{Form, Shape, Tool, is_key, misspelt};
