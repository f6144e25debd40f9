//! The way to a reply: requests, retries, waits. It depends on clocks and servers, so it stands in
//! `timings.jsonl` and never in an event.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The way to a reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallTrace {
    /// Whether the reply came from the cache.
    pub cache: CacheUse,
    /// HTTP requests that were sent.
    pub requests: u32,
    /// Retries by their reasons.
    pub retries: BTreeMap<RetryReason, u64>,
    /// Time in which the call waited for a permit, a rate or a server that was away.
    pub waited: Duration,
    /// Time in which the server was asked.
    pub latency: Duration,
    /// Tokens of the prompt that the server had in its own cache.
    pub cached_tokens: u64,
    /// The cost of the call by the prices of the config; nothing if the cache answered it, or
    /// without prices.
    pub paid: Option<f64>,
}

/// The cache's part in a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheUse {
    /// It was not asked.
    #[default]
    Off,
    /// It did not hold the reply.
    Miss,
    /// It held the reply, or another call was already fetching it.
    Hit,
}

/// Why a request was sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RetryReason {
    /// 429.
    RateLimit,
    /// 5xx, 408 and 409.
    Server,
    /// No answer in time.
    Timeout,
    /// No connection.
    Unreachable,
    /// The answer was cut or made no sense.
    Cut,
}
