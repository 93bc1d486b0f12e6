//! Rules about text that is meant for the model and hidden from people.

mod hidden;

pub(super) mod hidden_characters;
