//! Where the model calls of an episode are written down, and what a turn waits for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::{EncodedRequest, ModelError, ModelRequest, RequestHash};
use crate::domain::{EpisodeId, ModelCall, Seat};

/// Names a call within its episode.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallKey {
    /// Who called.
    pub seat: Seat,
    /// In which of its turns.
    pub turn: u32,
    /// In which attempt at the turn.
    pub attempt: u32,
    /// Number of the call within the attempt.
    pub call: u32,
}

impl CallKey {
    /// The call's name in the run.
    pub(super) fn in_run(&self, episode: &EpisodeId) -> String {
        let Self { seat, turn, attempt, call } = self;
        format!("{episode}/{seat}/{turn}/{attempt}/{call}")
    }
}

/// Where the calls of an episode are written down. The runtime has one for live episodes, and one
/// that answers from a log.
#[async_trait]
pub trait CallBook: Send + Sync {
    /// The mark that tells the run from all others, for servers that keep replies by the key of a request:
    /// the same after a resume. Empty by default: there is no run.
    fn run(&self) -> Arc<str> {
        Arc::default()
    }

    /// Told of each request before anybody is asked: as the turn made it, with its seed, and as it was
    /// written down for the model. Nothing is done with it unless a book says otherwise.
    fn asked(&self, _key: &CallKey, _model: &str, _request: &ModelRequest, _encoded: &EncodedRequest) {}

    /// Fails if no world may ask a server for vectors, as where nothing may be paid.
    ///
    /// # Errors
    /// The reason.
    fn allow_embedding(&self) -> Result<(), ModelError> {
        Ok(())
    }

    /// The call as the log already holds it, if the episode is played again.
    fn recorded(&self, key: &CallKey) -> Option<Arc<ModelCall>>;

    /// The number of equal requests that the seat made before in this episode; counts this one. 0 where
    /// nobody counts.
    fn occurrence(&self, _seat: &Seat, _request: RequestHash) -> u32 {
        0
    }

    /// Takes back what [`occurrence`](Self::occurrence) counted: the call failed. The log does not
    /// hold it, and a resumed episode must count alike.
    fn failed(&self, _seat: &Seat, _request: RequestHash) {}

    /// Fails if a limit of the episode forbids further calls.
    fn allow(&self) -> Result<(), ModelError>;

    /// Writes calls of one open request down. When it returns, they survive the process.
    async fn record(&self, request: u32, calls: Vec<ModelCall>) -> Result<(), ModelError>;

    /// The most bytes of a completion that are recorded, and so read (`limits.answer_bytes`). All, where
    /// nobody says otherwise.
    fn answer_bytes(&self) -> usize {
        usize::MAX
    }

    /// Notes that a participant in another process died and was started again.
    fn restarted(&self) {}

    /// Notes what happened on the way to a reply, or to an error.
    fn tally(&self, _model: &str, _trace: &CallTrace, _failed: bool) {}
}

/// Records nothing and allows everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBook;

#[async_trait]
impl CallBook for NoBook {
    fn recorded(&self, _: &CallKey) -> Option<Arc<ModelCall>> {
        None
    }

    fn allow(&self) -> Result<(), ModelError> {
        Ok(())
    }

    async fn record(&self, _: u32, _: Vec<ModelCall>) -> Result<(), ModelError> {
        Ok(())
    }
}

/// Time that a turn spends without being slow itself: waiting for a permit, a rate, a server that
/// is away. The turn's deadline does not count it.
#[derive(Clone, Debug, Default)]
pub struct Waiting(Arc<WaitingState>);

#[derive(Debug, Default)]
struct WaitingState {
    waiting: AtomicU32,
    waited_us: AtomicU64,
}

impl Waiting {
    /// Says that a wait begins; it lasts until the guard is dropped.
    pub fn begin(&self) -> WaitingGuard<'_> {
        self.0.waiting.fetch_add(1, Ordering::Relaxed);
        WaitingGuard(self)
    }

    /// Adds a wait that is over.
    pub fn add(&self, waited: Duration) {
        let waited = u64::try_from(waited.as_micros()).unwrap_or(u64::MAX);
        self.0.waited_us.fetch_add(waited, Ordering::Relaxed);
    }

    /// Whether somebody is waiting now.
    pub fn is_waiting(&self) -> bool {
        self.0.waiting.load(Ordering::Relaxed) > 0
    }

    /// All waits that are over.
    pub fn waited(&self) -> Duration {
        Duration::from_micros(self.0.waited_us.load(Ordering::Relaxed))
    }
}

/// A wait that goes on.
#[derive(Debug)]
pub struct WaitingGuard<'a>(&'a Waiting);

impl Drop for WaitingGuard<'_> {
    fn drop(&mut self) {
        self.0.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

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
    /// Tokens of the prompt, where the server was asked and answered.
    pub prompt_tokens: u64,
    /// Tokens of the prompt that the server had in its own cache.
    pub cached_tokens: u64,
    /// Tokens of the prompts of requests whose answer did not come whole, estimated.
    pub lost_tokens: u64,
    /// The cost of the call by the prices of the config, with that of lost tokens; nothing if the cache answered it, or
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
