//! Rules about the keys of config files and about how servers are reached.

pub(super) mod conflicting_transport;
pub(super) mod missing_transport;
pub(super) mod unknown_key;
pub(super) mod wrong_root_key;
