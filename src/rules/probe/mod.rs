//! Rules about what came of starting or contacting a server, shown on its entry.

pub(super) mod untrusted_server;
