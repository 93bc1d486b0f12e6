//! Rules about what a model is told of a tool and its parameters.

pub(super) mod missing_description;
