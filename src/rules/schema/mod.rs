//! Rules about input schemas.

pub(super) mod undefined_required;
