//! The Model Context Protocol: its messages, and an environment whose tools are those of a server
//! (docs/mcp.md). Imports the ports, the wire, and how answers are compared.
//!
//! Both eras are spoken, on both sides: revision 2026-07-28, where each request says all, and those before, where
//! a session begins with `initialize`.

mod answers;
mod client;
mod environment;
mod http;
mod protocol;
mod server;
mod tasks;

pub use answers::{ListedTool, Page, Shown, Spoken, chosen};
pub use http::{Answered, Events};
pub use protocol::{CAPABILITIES_KEY, HANDSHAKE, MODERN, VERSION_KEY, code};
pub use server::{Called, Given, Headers, Reaction, Reply, Server, Tool, Way};
pub use tasks::ENTRIES;
