//! The state in which a run is resumed: episodes that an earlier process closed or
//! left open, and beginnings that another run played.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustc_hash::FxHashSet;

use super::casting::{Cast, LastTask, cast_of};
use super::replay::{Difference, ReplayRules, ReplayedEpisode, alike, block_on, over_episodes, replay_events};
use crate::config::Plan;
use rolecall_core::domain::{EpisodeId, Event, Fork, Steering};
use rolecall_core::log::{LogError, RecordedEpisode, RunLog};

/// The episodes of a run that exist before it starts.
#[derive(Default)]
pub struct ResumeState {
    closed: FxHashSet<EpisodeId>,
    open: BTreeMap<EpisodeId, ReplayedEpisode>,
    forks: Option<Forks>,
}

/// Beginnings that another run played; nothing but these episodes belongs to the run.
struct Forks {
    /// None if all were begun before.
    parent: Option<RunLog>,
    name: String,
    /// The number of events that each takes over.
    events: BTreeMap<EpisodeId, u32>,
    steering: Steering,
}

/// The reason why a run cannot be gone on with.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeStateError {
    /// Its log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log holds an episode that the config does not give.
    #[error("the log has episode `{0}`, which the config does not play: the log is that of another config")]
    Foreign(EpisodeId),
    /// An episode does not come out as its log has it.
    #[error(
        "{}episode `{episode}` does not come out as its log has it: the log was changed (restore it from a \
         copy, or undo the change), or it is that of another config, other data or another version\n\
         {difference}",
        place.as_ref().map_or_else(String::new, |(path, line)| format!("`{}` line {line}: ", path.display()))
    )]
    Differs {
        /// The file and the line of the first event that differs, if the log has one in its place.
        place: Option<(PathBuf, u64)>,
        /// The episode.
        episode: EpisodeId,
        /// Its first difference.
        difference: Difference,
    },
    /// An episode was cut off within what it takes over from another run, and the rest of that is
    /// not to be had.
    #[error("episode `{episode}` cannot take over the rest of its beginning: {problem}")]
    Beginning {
        /// The episode.
        episode: EpisodeId,
        /// The problem.
        problem: String,
    },
    /// Setting an open episode up panicked (a strategy's factory, for instance).
    #[error("episode `{episode}` cannot be set up: {panic}")]
    Panicked {
        /// The episode.
        episode: EpisodeId,
        /// The panic's text.
        panic: String,
    },
    /// The system gives no timers for the deadlines of turns.
    #[error("no timers for the deadlines of turns: {0}")]
    Timers(String),
}

impl ResumeState {
    /// The state of a run by its log. Episodes that are open there are gone through
    /// again, on all cores; with `changed`, the config need not be the one that they began with:
    /// what roles and users did is taken from the log.
    ///
    /// # Errors
    /// The first difference between an open episode and its log, and whatever else says that this
    /// log is not one of this plan.
    pub fn of(plan: &Plan, log: &RunLog, changed: bool) -> Result<Self, ResumeStateError> {
        let mut closed = FxHashSet::default();
        let mut open = Vec::new();
        for id in log.ids() {
            if !plan.plays(id) {
                return Err(ResumeStateError::Foreign(id.clone()));
            }
            if log.is_closed(id)? {
                closed.insert(id.clone());
            } else {
                open.push(id);
            }
        }
        let rules = ReplayRules { taken: changed, changed, ..ReplayRules::default() };
        Ok(Self { closed, open: revive(plan, log, &open, &rules)?, forks: None })
    }

    /// Has the run consist of episodes that another run, which is called so, began: each takes over
    /// so many events of the parent's and goes on from there. The parent's log may be missing if all
    /// of them are closed or open here.
    #[must_use]
    pub fn forked(mut self, parent: Option<RunLog>, name: &str, events: BTreeMap<EpisodeId, u32>) -> Self {
        self.forks = Some(Forks { parent, name: name.to_owned(), events, steering: Steering::default() });
        self
    }

    /// Has this happen where the episodes leave those of the other run.
    #[must_use]
    pub fn steered(mut self, steering: Steering) -> Self {
        if let Some(forks) = &mut self.forks {
            forks.steering = steering;
        }
        self
    }

    /// Beginnings that must be read from the parent's log, since what is here does not go as far.
    pub fn needed<'a>(&self, events: &'a BTreeMap<EpisodeId, u32>) -> Vec<&'a EpisodeId> {
        let here = |(id, events): &(&EpisodeId, &u32)| {
            let open = self.open.get(id);
            self.is_closed(id) || open.is_some_and(|episode| episode.logged >= **events as usize)
        };
        events.iter().filter(|beginning| !here(beginning)).map(|(id, _)| id).collect()
    }

    /// Has open episodes that were cut off within what they take over from the parent take over the
    /// rest. What is in the log of it is not written again.
    ///
    /// # Errors
    /// If the log is not the beginning of what is taken over.
    pub fn with_whole_beginnings(mut self, plan: &Plan) -> Result<Self, ResumeStateError> {
        let Some(forks) = &self.forks else {
            return Ok(self);
        };
        let short = |(id, episode): (&EpisodeId, &ReplayedEpisode)| {
            (episode.logged < *forks.events.get(id)? as usize).then(|| id.clone())
        };
        let short: Vec<EpisodeId> = self.open.iter().filter_map(short).collect();
        for id in short {
            let whole = self.whole_beginning(plan, &id)?;
            self.open.insert(id, whole);
        }
        Ok(self)
    }

    fn whole_beginning(&self, plan: &Plan, id: &EpisodeId) -> Result<ReplayedEpisode, ResumeStateError> {
        let failed = |problem| ResumeStateError::Beginning { episode: id.clone(), problem };
        let lost = || failed("the log of the run that it branched off from is gone".to_owned());
        let (by, events) = self.beginning(id).ok_or_else(lost)?.map_err(failed)?;
        let mut whole = fork(known_cast(plan, id, &events)?, by, &events).map_err(failed)?;
        if let Some(open) = self.open.get(id) {
            let (here, there) = (open.conductor.record.since(0), whole.conductor.record.since(0));
            let mut pairs = here.iter().zip(&there).take(open.logged);
            if let Some((here, there)) = pairs.find(|(here, there)| !alike(here, there)) {
                return Err(ResumeStateError::Differs {
                    place: None,
                    episode: id.clone(),
                    difference: Difference::between(here, there),
                });
            }
            (whole.logged, whole.digest, whole.paid_before) = (open.logged, open.digest, open.paid_before);
        }
        Ok(whole)
    }

    /// Whether the episode is closed.
    pub fn is_closed(&self, id: &EpisodeId) -> bool {
        self.closed.contains(id)
    }

    /// Number of episodes that are closed.
    pub fn closed(&self) -> usize {
        self.closed.len()
    }

    /// Number of episodes that were begun and are open.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Whether the episode is to be played, from its beginning or on.
    pub(super) fn plays(&self, id: &EpisodeId) -> bool {
        let here = |forks: &Forks| forks.events.contains_key(id);
        !self.closed.contains(id) && self.forks.as_ref().is_none_or(here)
    }

    /// Takes the episode out as it was left open.
    pub(super) fn take(&mut self, id: &EpisodeId) -> Option<ReplayedEpisode> {
        self.open.remove(id)
    }

    /// Number of episodes that are left to be played, of so many in all.
    pub fn left(&self, planned: usize) -> usize {
        self.forks.as_ref().map_or(planned, |forks| forks.events.len()).saturating_sub(self.closed.len())
    }

    /// The number of repeats of which an episode is left to be played, of so many in all.
    pub(super) fn repeats(&self, planned: u32) -> u32 {
        let highest = |forks: &Forks| forks.events.keys().map(|id| id.repeat + 1).max();
        self.forks.as_ref().map_or(planned, |forks| highest(forks).unwrap_or_default())
    }

    /// Whether the run consists of episodes that another run began.
    pub(super) fn is_forked(&self) -> bool {
        self.forks.is_some()
    }

    /// The beginning that the episode takes over from the parent, if it does, or why it cannot be
    /// read.
    pub(super) fn beginning(&self, id: &EpisodeId) -> Option<Result<(Fork, Vec<Event>), String>> {
        let forks = self.forks.as_ref()?;
        let events = *forks.events.get(id)?;
        let episode = forks.parent.as_ref()?.episode(id);
        let beginning = episode.map(|mut episode| {
            let fork = Fork::of(&forks.name, id, &episode.events, events, &forks.steering);
            episode.events.truncate(events as usize);
            (fork, episode.events)
        });
        Some(beginning.map_err(|error| error.to_string()))
    }
}

/// Goes through open episodes again, on all cores.
fn revive(
    plan: &Plan,
    log: &RunLog,
    open: &[&EpisodeId],
    rules: &ReplayRules,
) -> Result<BTreeMap<EpisodeId, ReplayedEpisode>, ResumeStateError> {
    let last = LastTask::default();
    let work = |id: &EpisodeId, episode: Result<RecordedEpisode, LogError>| {
        let episode = episode?;
        let cast = last.cast_of(plan, id, &episode.events).ok_or_else(|| ResumeStateError::Foreign(id.clone()))?;
        Ok((id.clone(), revive_one(cast, log, &episode, rules.clone())?))
    };
    let panicked = |id: &EpisodeId, panic| Err(ResumeStateError::Panicked { episode: id.clone(), panic });
    over_episodes(log, open, work, panicked)?.into_iter().collect()
}

fn revive_one(
    cast: Cast,
    log: &RunLog,
    RecordedEpisode { id, events, .. }: &RecordedEpisode,
    rules: ReplayRules,
) -> Result<ReplayedEpisode, ResumeStateError> {
    let replayed =
        block_on(replay_events(cast, events, rules)).map_err(|error| ResumeStateError::Timers(error.to_string()))?;
    replayed.map_err(|difference| ResumeStateError::Differs {
        place: log.line_of(id, difference.seq),
        episode: id.clone(),
        difference,
    })
}

fn known_cast(plan: &Plan, id: &EpisodeId, events: &[Event]) -> Result<Cast, ResumeStateError> {
    cast_of(plan, id, events).ok_or_else(|| ResumeStateError::Foreign(id.clone()))
}

/// Takes the beginning of another run's episode over, or says why that is not possible.
pub(super) fn fork(cast: Cast, fork: Fork, events: &[Event]) -> Result<ReplayedEpisode, String> {
    let rules = ReplayRules { taken: true, fork: Some(fork), ..ReplayRules::default() };
    let replayed = block_on(replay_events(cast, events, rules)).map_err(|error| error.to_string())?;
    replayed.map_err(|difference| format!("it cannot go on from there: {difference}"))
}

/// The reason why an episode cannot be gone on with by another cast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The episode.
    pub episode: EpisodeId,
    /// The first difference.
    pub problem: String,
}

/// Looks for an episode whose beginning the plan's cast can take over from the parent's log, up to so
/// many events. If there is none, this is why the first one cannot be gone on with.
///
/// # Errors
/// When the parent's log cannot be read.
pub fn misfit(plan: &Plan, parent: &RunLog, events: &BTreeMap<EpisodeId, u32>) -> Result<Option<Misfit>, LogError> {
    let mut first = None;
    for (id, events) in events {
        let Err(problem) = fits(plan, parent, id, *events)? else {
            return Ok(None);
        };
        first.get_or_insert_with(|| Misfit { episode: id.clone(), problem });
    }
    Ok(first)
}

fn fits(plan: &Plan, parent: &RunLog, id: &EpisodeId, events: u32) -> Result<Result<(), String>, LogError> {
    let mut log = parent.episode(id)?.events;
    let by = Fork::of("", id, &log, events, &Steering::default());
    log.truncate(events as usize);
    let cast = cast_of(plan, id, &log).ok_or_else(|| format!("the config gives no episode `{id}`"));
    Ok(cast.and_then(|cast| fork(cast, by, &log).map(drop)))
}
