//! Episodes of a run with all that exports need: events, the requests that were sent, the result.

use std::io;
use std::path::Path;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use rolecall_core::domain::{EpisodeId, Event, Message, Opened, Seat, Transcript, UserSees, Visibility};
use rolecall_core::evaluation::{EpisodeResult, Seal, Stored, measure};
use rolecall_core::log::{Digest, EventEncoder, LogError, RecordedEpisode, RunLog};
use rolecall_core::ports::Metric;
use rolecall_core::text::visible;
use rolecall_run::config::{Cell, Plan};
use rolecall_run::runtime::{RebuiltCall, SentRequest, rebuild_requests};

/// Why an episode cannot be exported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Its log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Its events were changed after it closed.
    #[error(
        "episode `{0}`: its events are not those that were there when it closed; `rolecall logs verify` \
         says more of the log"
    )]
    Changed(EpisodeId),
    /// A request to a model cannot be proved.
    #[error(
        "episode `{episode}`, turn {turn} of `{seat}` (event {seq}): {problem}; undo what was changed of the \
         config, prompts and cards since, or leave the episode out (`rolecall show RUN {episode} --prompts` \
         shows the call)"
    )]
    Unproved {
        /// The episode.
        episode: EpisodeId,
        /// Who called.
        seat: Seat,
        /// The turn of the seat, from 1.
        turn: u32,
        /// The event of the call.
        seq: u32,
        /// The problem.
        problem: String,
    },
    /// The run plays no such cell any more.
    #[error("episode `{0}`: the config has no such cell any more")]
    NoCell(EpisodeId),
    /// A view cannot be rendered.
    #[error("the view of a seat cannot be written down: {0}")]
    View(String),
    /// A file cannot be written.
    #[error("`{path}` cannot be written: {problem}")]
    Write {
        /// The file.
        path: String,
        /// Why.
        problem: String,
    },
}

impl ExportError {
    /// A file that cannot be written.
    pub(super) fn write(path: &Path, error: &io::Error) -> Self {
        Self::Write { path: visible(&path.to_string_lossy()).into_owned(), problem: error.to_string() }
    }
}

/// A run whose episodes are exported.
pub struct PlayedRun {
    log: RunLog,
    plan: Plan,
    metrics: Vec<&'static dyn Metric>,
    /// Digests of episodes by the results, read if `timings.jsonl` lacks one.
    sealed: OnceLock<FxHashMap<EpisodeId, Digest>>,
}

/// One episode of it.
pub struct PlayedEpisode {
    /// Which one.
    pub id: EpisodeId,
    /// Its events, in order.
    pub events: Vec<Event>,
    /// Its calls of models in the order of the log, each with its request.
    pub calls: Vec<RebuiltCall>,
    /// Its result.
    pub result: EpisodeResult,
    /// Who sees what of it.
    pub visibility: Visibility,
}

impl PlayedRun {
    /// A run with its plan, made anew from its config; results have these metrics.
    pub fn new(log: RunLog, plan: Plan, metrics: Vec<&'static dyn Metric>) -> Self {
        Self { log, plan, metrics, sealed: OnceLock::new() }
    }

    /// The log.
    pub fn log(&self) -> &RunLog {
        &self.log
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Does `work` with each of these episodes, on all cores, and hands what comes of it to `take`, on this
    /// thread and in their order. In memory are few episodes at a time.
    ///
    /// # Errors
    /// With the first episode that was changed or cannot be read, and the first error of `work` and `take`.
    pub fn over_episodes<T: Send, E: From<ExportError> + From<LogError> + Send>(
        &self,
        ids: &[EpisodeId],
        work: impl Fn(PlayedEpisode) -> Result<T, E> + Sync,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let played = |_: &EpisodeId, episode: Result<RecordedEpisode, LogError>| work(self.played(episode?)?);
        self.log.over_episodes(ids, played, |done| take(done?))
    }

    /// One of its episodes; none if it has no such.
    ///
    /// # Errors
    /// As [`PlayedRun::over_episodes`].
    pub fn episode(&self, id: &EpisodeId) -> Result<Option<PlayedEpisode>, ExportError> {
        if self.log.has(id) { self.played(self.log.episode(id)?).map(Some) } else { Ok(None) }
    }

    fn played(&self, recorded: RecordedEpisode) -> Result<PlayedEpisode, ExportError> {
        let noted = self.noted_digest(&recorded.id);
        if noted.is_some_and(|noted| digest(&recorded) != Some(noted)) {
            return Err(ExportError::Changed(recorded.id));
        }
        let visibility = self.visibility(&recorded)?;
        let result = measure(&recorded.log(), &self.metrics);
        let RecordedEpisode { id, events } = recorded;
        let mut calls = Vec::new();
        if (events.iter()).any(|event| matches!(event.message, Message::ModelCalled(_))) {
            rebuild_requests(&self.plan, &id, &events, &mut |call| calls.push(call));
        }
        Ok(PlayedEpisode { id, events, calls, result, visibility })
    }

    /// The digest of an episode's events as it was noted when it closed.
    fn noted_digest(&self, id: &EpisodeId) -> Option<Digest> {
        let by_results = || {
            let sealed = self.sealed.get_or_init(|| {
                let stored = Stored::read(self.log.folder(), self.log.record());
                let results = stored.map(|stored| stored.results).unwrap_or_default();
                let digest = |seal: Seal| match seal {
                    Seal::Whole(digest) => Some(digest),
                    Seal::Broken | Seal::Absent => None,
                };
                results.into_iter().filter_map(|stored| Some((stored.result.episode, digest(stored.seal)?))).collect()
            });
            sealed.get(id).copied()
        };
        self.log.recorded_digest(id).or_else(by_results)
    }

    /// The cell that played the episode.
    pub(super) fn cell(&self, id: &EpisodeId) -> Result<&Cell, ExportError> {
        self.plan.cells.iter().find(|cell| cell.name == id.cell).ok_or_else(|| ExportError::NoCell(id.clone()))
    }

    fn visibility(&self, recorded: &RecordedEpisode) -> Result<Visibility, ExportError> {
        let cell = self.cell(&recorded.id)?;
        let opened = opened(&recorded.events);
        let kind = opened.and_then(|opened| opened.user.as_ref());
        let user = (cell.users.iter()).find(|user| kind.is_some_and(|kind| user.kind == *kind));
        Ok(Visibility {
            user_sees: user.map_or_else(UserSees::default, |user| user.sees),
            hidden_thoughts: cell.hidden_thoughts.clone(),
            environment_hears: cell.tasks.hears(),
        })
    }
}

impl PlayedEpisode {
    /// How it was opened.
    pub fn opened(&self) -> Option<&Opened> {
        opened(&self.events)
    }

    /// The events before this one are those of the episode that it branched off from.
    pub fn branch_point(&self) -> u32 {
        let fork = self.opened().and_then(|opened| opened.fork.as_deref());
        fork.map_or(0, |fork| fork.events)
    }

    /// The request of the call that this event records; none if it cannot be proved to be the one that was sent.
    pub fn request(&self, seq: u32) -> Option<&SentRequest> {
        self.calls
            .get(self.calls.binary_search_by_key(&seq, |call| call.seq).ok()?)
            .filter(|call| call.agrees())?
            .request
            .as_ref()
            .ok()
    }

    /// Proves that its calls were sent the requests that were made again, and that its turns follow from the
    /// replies. Those of the episode that it branched off from are left out.
    ///
    /// # Errors
    /// The first call of which that cannot be said.
    pub fn prove(&self) -> Result<(), ExportError> {
        let from = self.branch_point();
        for call in self.calls.iter().filter(|call| call.seq >= from) {
            let problem = match &call.request {
                Err(why) => why.to_string(),
                Ok(_) if !call.agrees() => {
                    "what the config sends as it is now has another hash than what was sent".to_owned()
                }
                Ok(_) if !call.follows => "the turn does not come out of the recorded reply".to_owned(),
                Ok(_) => continue,
            };
            return Err(ExportError::Unproved {
                episode: self.id.clone(),
                seat: call.seat.clone(),
                turn: call.call.turn + 1,
                seq: call.seq,
                problem,
            });
        }
        Ok(())
    }

    /// Its events as seats see them.
    ///
    /// # Errors
    /// When they are not numbered as they should be.
    pub fn transcript(&self) -> Result<Transcript, ExportError> {
        let transcript = Transcript::new(self.visibility.clone());
        for event in &self.events {
            transcript.append(event.clone()).map_err(|_| ExportError::Changed(self.id.clone()))?;
        }
        Ok(transcript)
    }
}

fn opened(events: &[Event]) -> Option<&Opened> {
    match &events.first()?.message {
        Message::Opened(opened) => Some(opened),
        _ => None,
    }
}

/// The digest of the episode's lines; none if an event has no line.
fn digest(episode: &RecordedEpisode) -> Option<Digest> {
    let encoder = EventEncoder::new(&episode.id);
    let mut digest = Digest::default();
    let mut line = Vec::new();
    for event in &episode.events {
        line.clear();
        encoder.encode(event, &mut line).ok()?;
        digest.add(&line);
    }
    Some(digest)
}
