//! Servers that are away. Calls wait instead of failing one after the other; one of them at a time
//! tries whether the server is back.
//!
//! A server is away when it could not be reached several times in a row, or when calls of several
//! episodes have failed and none has succeeded in between. What fails for the calls of one episode
//! only (a request that the server cannot digest) is no outage.
//!
//! Before anything has answered at the address, there is no server to wait for: the model is lost
//! after some seconds.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit, watch};
use tokio::time::{Instant, sleep_until};

use crate::ports::ModelError;
use crate::ports::model::{ModelHealth, RetryReason, RetrySettings};

/// How long calls go on trying to reach a server that was never there.
const FIRST_CONTACT: Duration = Duration::from_secs(3);
/// The longest wait between two looks whether a server is back.
const LONGEST_INTERVAL: Duration = Duration::from_secs(30);
/// After so many prompts in a row that its template refused, a server is not asked again.
const TEMPLATES: u32 = 2;
/// So many rounds of attempts in a row must fail before calls of several episodes are held back.
const ROUNDS: u32 = 4;

/// The state of the server of one model.
#[derive(Debug)]
pub(crate) struct Outage {
    model: String,
    /// The server's address, without secrets.
    address: String,
    retries: RetrySettings,
    state: Mutex<State>,
    changed: watch::Sender<()>,
    /// Whoever holds it tries whether the server is back; the others queue for it.
    turn: Semaphore,
}

#[derive(Debug, Default)]
struct State {
    standing: Standing,
    row: FailureRow,
    /// Something answered at the address, now or in an earlier process of the run.
    is_there: bool,
    /// Grows with every success.
    successes: u64,
    /// Requests that were not accepted.
    not_accepted: u32,
    /// Prompts that the server's template refused since it took one.
    untemplated: u32,
}

#[derive(Debug, Default)]
enum Standing {
    #[default]
    Working,
    Paused(Pause),
    Lost(ModelError, String),
}

#[derive(Debug)]
struct Pause {
    error: ModelError,
    reason: RetryReason,
    end: Instant,
    next: Instant,
    interval: Duration,
}

/// Failures since the last success.
#[derive(Debug, Default)]
struct FailureRow {
    failures: u32,
    /// When the first of them was.
    since: Option<Instant>,
    unreachable: u32,
    /// The episode that failed first.
    episode: String,
    /// Others failed as well.
    several: bool,
}

/// An attempt that failed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure<'a> {
    pub(crate) error: &'a ModelError,
    pub(crate) reason: RetryReason,
    /// It shows that something answers at the address.
    pub(crate) is_there: bool,
    /// The server asks to wait.
    pub(crate) asks_to_wait: bool,
    /// No other request is on its way.
    pub(crate) alone: bool,
    /// The episode's name.
    pub(crate) episode: &'a str,
    /// The call has used up its attempts, and how many calls had succeeded when it began.
    pub(crate) exhausted: Option<u64>,
}

/// The right to try whether a server is back.
#[derive(Debug)]
pub(crate) struct Probe<'a> {
    _turn: SemaphorePermit<'a>,
}

impl Outage {
    pub(crate) fn new(model: &str, address: String, retries: RetrySettings) -> Self {
        Self {
            model: model.to_owned(),
            address,
            retries,
            state: Mutex::default(),
            changed: watch::Sender::new(()),
            turn: Semaphore::new(1),
        }
    }

    /// The state, for those who watch.
    pub(crate) fn health(&self) -> ModelHealth {
        match &self.state().standing {
            Standing::Working => ModelHealth::Working,
            Standing::Paused(pause) => ModelHealth::Paused(format!("{}; trying again", pause.error)),
            Standing::Lost(_, why) => ModelHealth::Lost(why.clone()),
        }
    }

    /// Whether requests may be sent.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state().standing, Standing::Working)
    }

    /// The number of calls that have succeeded.
    pub(crate) fn successes(&self) -> u64 {
        self.state().successes
    }

    /// Waits until requests may be sent. Gives the right to a probe if the server is away and it is
    /// time to try; an error if the model is lost.
    pub(crate) async fn over(&self) -> Result<Option<Probe<'_>>, ModelError> {
        loop {
            let mut changes = self.changed.subscribe();
            match &self.state().standing {
                Standing::Working => return Ok(None),
                Standing::Lost(error, _) => return Err(error.clone()),
                Standing::Paused(_) => {}
            }
            tokio::select! {
                biased;
                _ = changes.changed() => {}
                turn = self.turn.acquire() => {
                    if let Ok(turn) = turn && self.is_time().await {
                        return Ok(Some(Probe { _turn: turn }));
                    }
                }
            }
        }
    }

    /// Waits until it is time to try; false if there is nothing to try any more.
    async fn is_time(&self) -> bool {
        loop {
            let mut changes = self.changed.subscribe();
            let until = {
                let mut state = self.state();
                let Standing::Paused(pause) = &state.standing else {
                    return false;
                };
                let now = Instant::now();
                if now >= pause.end {
                    let error = pause.error.clone();
                    self.lose_waiting(&mut state, error);
                    return false;
                }
                if now >= pause.next {
                    return true;
                }
                pause.next.min(pause.end)
            };
            tokio::select! {
                _ = changes.changed() => {}
                () = sleep_until(until) => {}
            }
        }
    }

    /// A call has succeeded. Whoever waits goes on if it was a probe: other answers may have been on
    /// their way since before the outage.
    pub(crate) fn succeeded(&self, probe: Option<&Probe<'_>>) {
        let mut state = self.state();
        state.successes += 1;
        state.untemplated = 0;
        drop(state);
        self.answered(probe);
    }

    /// The server answered, if only with a refusal: it is not away.
    pub(crate) fn answered(&self, probe: Option<&Probe<'_>>) {
        let mut state = self.state();
        state.is_there = true;
        state.row.clear();
        if probe.is_some() {
            self.resume(&mut state);
        }
    }

    /// Notes that the server did not accept a request. Where none was ever accepted (no such route,
    /// no such model, no such option), the run need not find that out episode by episode.
    pub(crate) fn not_accepted(&self, error: &ModelError, probe: Option<&Probe<'_>>) {
        self.answered(probe);
        let mut state = self.state();
        state.not_accepted = state.not_accepted.saturating_add(1);
        if let ModelError::Template(_) = error {
            state.untemplated += 1;
            if state.untemplated >= TEMPLATES {
                let (model, why) = (&self.model, "every further prompt of this kind would fail alike");
                let why = format!("{error} (`[models.{model}]`): {why}");
                self.lose_in(&mut state, error.clone(), why);
            }
            return;
        }
        if state.successes == 0 && state.not_accepted >= self.retries.attempts.max(1) {
            let why = format!(
                "{error}; it accepted no request so far: look at `base_url` and `model`, and at \
                 what `rolecall models probe` says"
            );
            self.lose_in(&mut state, error.clone(), why);
        }
    }

    fn resume(&self, state: &mut State) {
        state.row.clear();
        if matches!(state.standing, Standing::Paused(_)) {
            state.standing = Standing::Working;
            tracing::warn!(model = %self.model, "the model answers again");
            self.changed.send_replace(());
        }
    }

    /// Notes that the server answered in an earlier process of the run: it is waited for from the
    /// beginning.
    pub(crate) fn was_there(&self) {
        self.state().is_there = true;
    }

    /// Whether anything has answered at the address.
    pub(crate) fn is_there(&self) -> bool {
        self.state().is_there
    }

    /// The rest of the time for which a server that does not answer is waited for.
    pub(crate) fn patience(&self) -> Duration {
        self.retries.outage.saturating_sub(self.state().row.lasted())
    }

    /// An attempt has failed. Says whether calls wait now.
    pub(crate) fn failed(&self, failure: Failure<'_>) -> bool {
        let mut state = self.state();
        state.row.add(failure);
        state.is_there |= failure.is_there;
        if !state.is_there {
            let row = &state.row;
            let exhausted = failure.exhausted.is_some();
            let for_some_time = row.failures > 1 && row.lasted() >= FIRST_CONTACT;
            let lost = match failure.reason {
                RetryReason::Unreachable => exhausted || for_some_time,
                // It may fail for one request only, while others are on their way.
                _ => row.several && (exhausted || for_some_time) || failure.alone && for_some_time,
            };
            if lost {
                let why = self.never_there(failure);
                self.lose_in(&mut state, failure.error.clone(), why);
            }
            return false;
        }
        let outage = self.retries.outage;
        if failure.asks_to_wait && !outage.is_zero() && state.row.lasted() >= outage {
            self.lose_waiting(&mut state, failure.error.clone());
        }
        match &state.standing {
            Standing::Paused(_) => return true,
            Standing::Lost(..) => return false,
            Standing::Working if self.retries.outage.is_zero() => return false,
            Standing::Working => {}
        }
        let attempts = self.retries.attempts.max(1);
        let row = &state.row;
        let all_fail = failure.reason != RetryReason::RateLimit && row.failures >= attempts.saturating_mul(ROUNDS);
        let none_succeeds = failure.exhausted == Some(state.successes);
        let away = row.unreachable >= attempts || row.several && (all_fail || none_succeeds);
        if away {
            let error = failure.error.clone();
            tracing::warn!(model = %self.model, %error, "the model does not answer: calls wait");
            let interval = self.retries.first_wait.min(LONGEST_INTERVAL);
            let now = Instant::now();
            state.standing = Standing::Paused(Pause {
                error,
                reason: failure.reason,
                end: later(now, self.retries.outage),
                next: later(now, interval),
                interval,
            });
            self.changed.send_replace(());
        }
        away
    }

    /// A probe has failed: the next one follows later, unless the server has answered something
    /// else.
    pub(crate) fn probe_failed(&self, probe: Probe<'_>, error: &ModelError, reason: RetryReason) {
        let mut state = self.state();
        let Standing::Paused(pause) = &mut state.standing else {
            return;
        };
        if reason == RetryReason::RateLimit && pause.reason != RetryReason::RateLimit {
            self.resume(&mut state);
            return;
        }
        (pause.error, pause.reason) = (error.clone(), reason);
        pause.interval = (pause.interval * 2).min(LONGEST_INTERVAL);
        pause.next = later(Instant::now(), pause.interval);
        drop(state);
        drop(probe);
    }

    /// The model will not answer without somebody's help.
    pub(crate) fn lose(&self, error: ModelError, why: String) {
        self.lose_in(&mut self.state(), error, why);
    }

    /// It was waited for as long as the config says.
    fn lose_waiting(&self, state: &mut State, error: ModelError) {
        let seconds = self.retries.outage.as_secs_f64();
        let model = &self.model;
        let why = format!("{error}, for {seconds} s (`models.{model}.retries`, outage_seconds)");
        self.lose_in(state, error, why);
    }

    /// Remedy for a server that never was there.
    fn never_there(&self, failure: Failure<'_>) -> String {
        let (error, model, address) = (failure.error, &self.model, &self.address);
        let remedy = match failure.reason {
            RetryReason::Unreachable => format!("start it, or correct `models.{model}.base_url`"),
            _ => format!("look at what it says itself, and at `models.{model}.base_url`"),
        };
        format!("{error}; {address} has not answered one request of this run: {remedy}")
    }

    fn lose_in(&self, state: &mut State, error: ModelError, why: String) {
        if matches!(state.standing, Standing::Lost(..)) {
            return;
        }
        tracing::error!(model = %self.model, why, "the model is lost");
        state.standing = Standing::Lost(error, why);
        self.changed.send_replace(());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FailureRow {
    fn clear(&mut self) {
        (self.failures, self.unreachable, self.several) = (0, 0, false);
        self.since = None;
    }

    /// The time since the first failure.
    fn lasted(&self) -> Duration {
        self.since.map(|since| since.elapsed()).unwrap_or_default()
    }

    fn add(&mut self, failure: Failure<'_>) {
        if self.failures == 0 {
            failure.episode.clone_into(&mut self.episode);
            self.since = Some(Instant::now());
        }
        self.several |= self.episode != failure.episode;
        self.failures = self.failures.saturating_add(1);
        self.unreachable = match failure.reason {
            RetryReason::Unreachable => self.unreachable.saturating_add(1),
            // It was reached.
            _ => 0,
        };
    }
}

/// A moment after another one; a far one instead of none.
pub(crate) fn later(moment: Instant, wait: Duration) -> Instant {
    const FAR: Duration = Duration::from_secs(365 * 24 * 3600);
    moment.checked_add(wait).unwrap_or(moment + FAR)
}

#[cfg(test)]
#[path = "outage_tests.rs"]
mod tests;
