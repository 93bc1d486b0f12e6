//! Rules about secrets and risks in config files.

pub(super) mod hardcoded_secret;
