//! rolecall: conversational language agents as casts of message-passing actors.

pub mod environments;
pub mod text;
