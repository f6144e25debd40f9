//! Rules of a protocol for its calls, the signals that come for them, and why none comes.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;

use super::message::{Id, RpcError};

/// Rules of a protocol for its calls, beside JSON-RPC.
#[derive(Clone, Copy)]
pub struct Rules {
    /// The method and parameters of the notification that takes back the call of this number.
    pub cancel: fn(u64) -> (&'static str, Value),
    /// Sorts a request of the other side: the number of our call that it belongs to, or an answer
    /// at once.
    pub belongs: fn(&str, Option<&RawValue>) -> Belongs,
    /// Calls that were taken back must be answered within this time all the same; where three in a row are
    /// not, the other side hangs and the connection ends. None if they are not to be answered.
    pub answers_cancelled: Option<Duration>,
    /// Lines that are no messages are skipped with a warning, and break no rule.
    pub skips_lines: bool,
}

/// The place of a request of the other side.
pub enum Belongs {
    /// It belongs to our call of this number, and comes out of its [`Pending`](super::Pending).
    Call(u64),
    /// It is answered at once.
    Answered(Result<Value, RpcError>),
}

/// Why a connection is no more. The texts are harmless for terminals.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Gone {
    /// It never was: no such program, nobody listens.
    #[error("{0}")]
    NotStarted(Arc<str>),
    /// The other side ended, hung or closed the connection.
    #[error("{0}")]
    Died(Arc<str>),
    /// The other side broke the rules of the protocol.
    #[error("{0}")]
    Breach(Arc<str>),
}

/// A message about a call.
#[derive(Clone, Debug)]
pub enum Signal {
    /// Its answer; nothing follows.
    Answer(Result<Box<RawValue>, RpcError>),
    /// The other side asks something within it, and waits for [`Pending::answer`](super::Pending::answer).
    Request {
        /// The id that the answer names.
        id: Id,
        /// The method that it calls.
        method: String,
        /// With what.
        params: Option<Box<RawValue>>,
    },
    /// There will be no answer; nothing follows.
    Gone(Gone),
}
