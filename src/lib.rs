//! rolecall: conversational language agents as casts of message-passing actors.

pub mod cli;
pub mod config;
pub mod domain;
pub mod environments;
pub mod evaluation;
pub mod log;
pub mod ports;
pub mod registry;
pub mod reports;
pub mod roles;
pub mod runtime;
pub mod strategies;
pub mod text;
pub mod users;
