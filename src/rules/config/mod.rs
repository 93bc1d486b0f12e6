//! Rules about the keys of config files and about how servers are reached.

mod address;
pub(super) mod command_with_arguments;
pub(super) mod conflicting_transport;
pub(super) mod empty_config;
pub(super) mod insecure_url;
pub(super) mod invalid_transport_type;
pub(super) mod invalid_url;
mod launch;
pub(super) mod missing_transport;
pub(super) mod missing_transport_type;
pub(super) mod unknown_key;
pub(super) mod wrong_root_key;
pub(super) mod wrong_value_type;
