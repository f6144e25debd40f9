//! Letting others in: clients play a seat of a config's cast, over OpenEnv's wire or MCP
//! (docs/env-server.md, docs/mcp.md). Imports everything but the command line.

mod access;
mod desk;
mod listener;
mod lobby;
mod mcp;
pub mod openenv;
mod session;
mod sessions;
pub mod web;

pub use access::{Access, COOKIE_NAME, Grant, Tickets, Token};
pub use listener::{Closing, ListenError, Listener};
pub use lobby::{Lobby, OpenTurn, Refused, SeatKey};
pub use mcp::McpServer;
pub use session::{Session, SessionError};
pub use sessions::{LONGEST_NAME, Order, Sessions, Split};
