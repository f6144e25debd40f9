//! The books in which calls of models are written down: by the conductor of a live episode, or from the log
//! of an episode that is played again.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use actix::WeakRecipient;
use async_trait::async_trait;
use rustc_hash::FxHashMap;

use super::allowance::Allowance;
use super::locked;
use super::requests::Requests;
use rolecall_core::domain::{Event, Message, ModelCall, Seat};
use rolecall_core::log::ModelTally;
use rolecall_core::maps::ordered;
use rolecall_core::ports::ModelError;
use rolecall_core::ports::model::{CallBook, CallKey, CallTrace, EncodedRequest, ModelRequest, RequestHash};

/// The number of times that each request was made, by seat.
#[derive(Debug, Default)]
struct Occurrences(Mutex<FxHashMap<(Seat, RequestHash), u32>>);

impl Occurrences {
    /// Counts the requests of calls that were made.
    fn of(made: &[Event]) -> Self {
        let occurrences = Self::default();
        for (key, call) in calls_of(made) {
            if let Ok(request) = call.request.parse() {
                occurrences.next(&key.seat, request);
            }
        }
        occurrences
    }

    fn next(&self, seat: &Seat, request: RequestHash) -> u32 {
        let mut counts = locked(&self.0);
        let count = counts.entry((seat.clone(), request)).or_default();
        *count += 1;
        *count - 1
    }

    fn take_back(&self, seat: &Seat, request: RequestHash) {
        if let Some(count) = locked(&self.0).get_mut(&(seat.clone(), request)) {
            *count = count.saturating_sub(1);
        }
    }
}

/// The calls of models in the log of an episode that is gone on with.
#[derive(Debug, Default)]
pub(crate) struct LoggedCalls {
    /// Calls of the turn that has no answer yet.
    open: FxHashMap<CallKey, Arc<ModelCall>>,
    /// The number of times that each request of the turns before was made.
    before: Occurrences,
}

impl LoggedCalls {
    /// The calls of complete turns, and those of the turn without an answer.
    pub(crate) fn of(complete: &[Event], open: &[Event]) -> Self {
        Self { open: calls_of(open).collect(), before: Occurrences::of(complete) }
    }
}

fn calls_of(log: &[Event]) -> impl Iterator<Item = (CallKey, Arc<ModelCall>)> {
    log.iter().filter_map(|event| {
        let Message::ModelCalled(call) = &event.message else {
            return None;
        };
        let key = CallKey { seat: event.from.clone(), turn: call.turn, attempt: call.attempt, call: call.call };
        Some((key, Arc::new(ModelCall::clone(call))))
    })
}

/// Calls for the conductor to record, of the open request of this number.
pub(crate) struct Called {
    pub(crate) request: u32,
    pub(crate) calls: Vec<ModelCall>,
}

impl actix::Message for Called {
    type Result = Result<(), ModelError>;
}

/// The book of a live episode.
pub(crate) struct LiveBook {
    pub(crate) run: Arc<str>,
    pub(crate) episode: WeakRecipient<Called>,
    pub(crate) allowance: Arc<Allowance>,
    /// Calls that the log already holds.
    pub(crate) logged: LoggedCalls,
    pub(crate) tallies: Arc<Tallies>,
    pub(crate) answer_bytes: usize,
}

#[async_trait]
impl CallBook for LiveBook {
    fn run(&self) -> Arc<str> {
        Arc::clone(&self.run)
    }

    fn recorded(&self, key: &CallKey) -> Option<Arc<ModelCall>> {
        self.logged.open.get(key).cloned()
    }

    fn occurrence(&self, seat: &Seat, request: RequestHash) -> u32 {
        self.logged.before.next(seat, request)
    }

    fn failed(&self, seat: &Seat, request: RequestHash) {
        self.logged.before.take_back(seat, request);
    }

    fn allow(&self) -> Result<(), ModelError> {
        self.allowance.check()
    }

    async fn record(&self, request: u32, mut calls: Vec<ModelCall>) -> Result<(), ModelError> {
        let logged = &self.logged.open;
        if !logged.is_empty() {
            calls.retain(|call| !logged.values().any(|logged| **logged == *call));
            if calls.is_empty() {
                return Ok(());
            }
        }
        let episode = self.episode.upgrade().ok_or(ModelError::Cancelled)?;
        episode.send(Called { request, calls }).await.map_err(|_| ModelError::Cancelled)?
    }

    fn answer_bytes(&self) -> usize {
        self.answer_bytes
    }

    fn restarted(&self) {
        self.tallies.restarts.fetch_add(1, Ordering::Relaxed);
    }

    fn tally(&self, model: &str, trace: &CallTrace, failed: bool) {
        self.tallies.add(model, trace, failed);
    }
}

/// The book of an episode that is played again from its log.
#[derive(Debug, Default)]
pub(crate) struct LoggedBook {
    calls: FxHashMap<CallKey, Arc<ModelCall>>,
    /// The calls of the open request, for the conductor to record.
    made: Mutex<Vec<ModelCall>>,
    /// The requests of the open turn, where they are wanted. Then each is answered by the reply to the
    /// call of its place, whatever was asked for that: the hashes are compared later.
    requests: Option<Requests>,
}

impl LoggedBook {
    /// A book of the calls of a log, with the requests of the open turn if these are wanted.
    pub(crate) fn of(log: &[Event], with_requests: bool) -> Self {
        let requests = with_requests.then(Requests::default);
        Self { calls: calls_of(log).collect(), made: Mutex::default(), requests }
    }

    /// The requests that are kept, if they are.
    pub(crate) fn requests(&self) -> Option<&Requests> {
        self.requests.as_ref()
    }

    /// Takes the calls that were made since the last time.
    pub(crate) fn take(&self) -> Vec<ModelCall> {
        std::mem::take(&mut *locked(&self.made))
    }
}

#[async_trait]
impl CallBook for LoggedBook {
    fn asked(&self, key: &CallKey, model: &str, request: &ModelRequest, encoded: &EncodedRequest) {
        if let Some(requests) = &self.requests {
            requests.add(key, model, request, encoded);
        }
    }

    fn recorded(&self, key: &CallKey) -> Option<Arc<ModelCall>> {
        let call = self.calls.get(key)?;
        let asked = self.requests.as_ref().and_then(|all| all.hash(key));
        Some(match asked {
            Some(hash) => Arc::new(ModelCall { request: hash.to_string(), ..ModelCall::clone(call) }),
            None => Arc::clone(call),
        })
    }

    fn allow(&self) -> Result<(), ModelError> {
        Err(ModelError::NotRecorded("the log does not hold this call".to_owned()))
    }

    async fn record(&self, _: u32, calls: Vec<ModelCall>) -> Result<(), ModelError> {
        locked(&self.made).extend(calls);
        Ok(())
    }
}

/// The tallies of an episode's calls, by model, for `timings.jsonl`. A list: an
/// episode has few models, and a tree has room for eleven.
#[derive(Debug, Default)]
pub(crate) struct Tallies {
    models: Mutex<Vec<(String, ModelTally)>>,
    /// How often a participant in another process was started again.
    pub(crate) restarts: AtomicU32,
}

impl Tallies {
    fn add(&self, model: &str, trace: &CallTrace, failed: bool) {
        let mut tallies = locked(&self.models);
        if let Some((_, tally)) = tallies.iter_mut().find(|(known, _)| known == model) {
            return tally.add(trace, failed);
        }
        let mut tally = ModelTally::default();
        tally.add(trace, failed);
        tallies.reserve_exact(1);
        tallies.push((model.to_owned(), tally));
    }

    /// The tallies by model; none if no model was called.
    pub(crate) fn snapshot(&self) -> BTreeMap<String, ModelTally> {
        ordered(locked(&self.models).iter().cloned())
    }
}
