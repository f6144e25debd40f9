//! JSON-RPC 2.0 in lines, with programs that rolecall starts and with sockets. Knows no method of any
//! protocol. Imports texts.
//!
//! A [`Peer`] is one connection. Calls may come from any thread, synchronous or not; one thread of the
//! process reads all connections. A line is serialised once, straight into the bytes that are written.

mod connection;
mod lines;
mod message;
mod out;
mod peer;
mod rules;
mod shared;
mod target;
mod time;

pub use lines::{LineTooLong, Lines, MOST_BYTES};
pub use message::{BadMessage, Id, Message, RpcError, read};
pub use peer::{Peer, Pending};
pub use rules::{Belongs, Gone, Rules, Signal};
pub use target::{Address, BadAddress, Program, Target};
pub use time::{Watch, pause, spawn, wait, within};

#[cfg(test)]
mod tests;
