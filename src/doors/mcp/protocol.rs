//! Revisions of the protocol and their names, what both sides send alike, and why a call has no result.

use std::fmt;

use reqwest::Url;
use serde_json::{Map, Value, json};

use crate::wire::RpcError;

/// The revision that this room speaks: each request says it, and nothing is agreed upon before.
pub const MODERN: &str = "2026-07-28";

/// Revisions before that, oldest first: sessions that begin with `initialize`.
pub const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The key of a request's `_meta` that says its revision.
pub const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// The key of a request's `_meta` that says what the client can do.
pub const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// The key of a request's `_meta` that says who the client is.
pub(super) const CLIENT_KEY: &str = "io.modelcontextprotocol/clientInfo";

/// The key of an answer's `_meta` that says who the server is.
pub(super) const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// Codes of errors that MCP adds to those of JSON-RPC, or that only a server sends.
pub mod code {
    /// It is no JSON.
    pub const PARSE: i64 = -32700;
    /// It is no message.
    pub const INVALID_REQUEST: i64 = -32600;
    /// A header says something else than the message.
    pub const HEADER_MISMATCH: i64 = -32020;
    /// The revision is not spoken here.
    pub const UNSUPPORTED_VERSION: i64 = -32022;
}

/// The newest of the revisions with a handshake.
pub(super) const LAST_HANDSHAKE: &str = HANDSHAKE[HANDSHAKE.len() - 1];

/// Who we are, to the other side.
pub(super) fn ourselves() -> Value {
    json!({ "name": "rolecall", "version": env!("CARGO_PKG_VERSION") })
}

/// The parameters of a request of the modern revision.
pub(super) fn with_meta(mut params: Map<String, Value>) -> Map<String, Value> {
    params.insert(
        "_meta".to_owned(),
        json!({
            VERSION_KEY: MODERN,
            CAPABILITIES_KEY: {},
            CLIENT_KEY: ourselves(),
        }),
    );
    params
}

/// The revision that a connection is spoken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// Nothing is agreed upon yet.
    Greeting,
    /// One of the revisions with sessions.
    Handshake(&'static str),
    /// The one without.
    Modern,
}

impl Era {
    /// The revision, once it is known.
    pub(super) fn version(self) -> Option<&'static str> {
        match self {
            Self::Greeting => None,
            Self::Handshake(version) => Some(version),
            Self::Modern => Some(MODERN),
        }
    }
}

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum CallError {
    /// The server cannot be reached, or breaks the protocol.
    #[error("{0}")]
    Gone(String),
    /// It answered with an error.
    #[error("{0}")]
    Refused(RpcError),
}

impl CallError {
    /// A server at an address that cannot be reached, and why.
    pub(super) fn gone(url: &Url, problem: impl fmt::Display) -> Self {
        Self::Gone(format!("the MCP server `{url}`: {problem}"))
    }
}
