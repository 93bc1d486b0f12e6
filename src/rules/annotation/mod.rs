//! Rules about annotations: what a tool says of its behaviour.
