//! What a call of a server is spoken in, and why it has no result.

use std::fmt;

use reqwest::Url;

use super::protocol::MODERN;
use crate::wire::RpcError;

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
