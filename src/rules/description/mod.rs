//! Rules about what a model is told of a tool and its parameters.

mod draft;

pub(super) mod missing_description;
pub(super) mod missing_param_description;
pub(super) mod short_description;
