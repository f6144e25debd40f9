//! The slot of an arbiter: whose code runs on its thread now, and which episodes live there.
//!
//! Foreign code runs between [`EpisodeOnSlot::enter`] and the end of what that returns. Both are a few stores
//! without a clock: the watchdog looks at the slots now and then.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use pin_project_lite::pin_project;
use rustc_hash::FxHashMap;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::UnboundedSender;

use super::locked;
use crate::config::Plan;
use rolecall_core::domain::{EpisodeId, Seat};
use rolecall_core::evaluation::EpisodeResult;

/// An episode by its place in the plan; smaller than its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EpisodeKey {
    /// The cell's place in the plan.
    pub(crate) cell: u32,
    pub(crate) task: u32,
    pub(crate) repeat: u32,
}

impl EpisodeKey {
    pub(crate) fn of(id: &EpisodeId, plan: &Plan) -> Self {
        let cell = plan.cells.iter().position(|cell| cell.name == id.cell);
        Self { cell: cell.map_or(u32::MAX, |cell| cell as u32), task: id.task, repeat: id.repeat }
    }

    pub(crate) fn id(self, plan: &Plan) -> Option<EpisodeId> {
        let cell = plan.cells.get(self.cell as usize)?;
        Some(EpisodeId { cell: cell.name.clone(), task: self.task, repeat: self.repeat })
    }
}

/// The one whose code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    Strategy,
    Metrics,
    Environment,
    User,
    /// The role with this place in the cell's list.
    Role(u16),
}

/// The activity on the thread of one arbiter, and the episodes that live there.
///
/// Threads that write their slots with every poll must not share lines of the processor's cache:
/// these have 64 bytes, and are fetched in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Slot {
    /// Counts up when foreign code begins and when it ends: odd while it runs. Only the arbiter's
    /// own thread writes this and the next two.
    turns: AtomicU64,
    /// Cell and code of who runs.
    who: AtomicU64,
    /// Task and repeat of it.
    episode: AtomicU64,
    given_up: AtomicBool,
    /// The leases of the episodes that live here. They are kept here, and not by the episodes, so that they can be
    /// taken from episodes whose thread never returns.
    episodes: Mutex<FxHashMap<EpisodeKey, Lease>>,
}

/// The things that an episode holds.
#[derive(Debug)]
struct Lease {
    finished: UnboundedSender<EpisodeResult>,
    /// Its result was handed over.
    is_over: bool,
    _permit: OwnedSemaphorePermit,
}

/// An episode's place on an arbiter; the episode gives up what it holds when this is dropped.
#[derive(Debug)]
pub(crate) struct EpisodeLease(EpisodeOnSlot);

/// The place where the code of an episode runs, for whoever runs it.
#[derive(Clone, Debug)]
pub(crate) struct EpisodeOnSlot {
    slot: Arc<Slot>,
    key: EpisodeKey,
}

/// Foreign code runs until this is dropped.
#[must_use]
pub(crate) struct Entered<'a> {
    /// The slot, and the number of this turn; none within another turn.
    turn: Option<(&'a Slot, u64)>,
}

impl Slot {
    /// Gives an episode its place. It keeps the permit and a way to hand its result over.
    pub(crate) fn lease(
        self: &Arc<Self>,
        key: EpisodeKey,
        permit: OwnedSemaphorePermit,
        finished: UnboundedSender<EpisodeResult>,
    ) -> EpisodeLease {
        self.held(|episodes| episodes.insert(key, Lease { finished, is_over: false, _permit: permit }));
        EpisodeLease(EpisodeOnSlot { slot: Arc::clone(self), key })
    }

    /// Takes everything from the episodes that live here, since the thread does not return. What
    /// they may still do changes nothing. Returns those whose results are missing.
    pub(crate) fn give_up(&self) -> Vec<EpisodeKey> {
        self.given_up.store(true, Ordering::Relaxed);
        let open = self.held(std::mem::take).into_iter().filter(|(_, lease)| !lease.is_over);
        let mut open: Vec<EpisodeKey> = open.map(|(key, _)| key).collect();
        open.sort_by_key(|key| (key.cell, key.task, key.repeat));
        open
    }

    fn held<T>(&self, change: impl FnOnce(&mut FxHashMap<EpisodeKey, Lease>) -> T) -> T {
        change(&mut locked(&self.episodes))
    }

    /// Notes that foreign code begins.
    fn enter(&self, key: EpisodeKey, activity: Activity) -> Entered<'_> {
        let turn = self.turns.load(Ordering::Relaxed);
        if turn % 2 == 1 {
            return Entered { turn: None };
        }
        let who = u64::from(key.cell) << 32 | u64::from(activity.code());
        let episode = u64::from(key.task) << 32 | u64::from(key.repeat);
        self.who.store(who, Ordering::Relaxed);
        self.episode.store(episode, Ordering::Relaxed);
        self.turns.store(turn + 1, Ordering::Release);
        Entered { turn: Some((self, turn + 1)) }
    }

    /// Episodes that live here.
    pub(super) fn episodes(&self) -> usize {
        self.held(|episodes| episodes.len())
    }

    /// The turn that runs now and whose it is.
    pub(super) fn running(&self) -> Option<(u64, EpisodeKey, Activity)> {
        let turn = self.turns.load(Ordering::Acquire);
        let who = self.who.load(Ordering::Relaxed);
        let episode = self.episode.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let is_same = self.turns.load(Ordering::Relaxed) == turn;
        let key = EpisodeKey { cell: (who >> 32) as u32, task: (episode >> 32) as u32, repeat: episode as u32 };
        (turn % 2 == 1 && is_same).then(|| (turn, key, Activity::of(who as u32)))
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        if let Some((slot, turn)) = self.turn {
            slot.turns.store(turn + 1, Ordering::Release);
        }
    }
}

impl EpisodeLease {
    pub(crate) fn on_slot(&self) -> &EpisodeOnSlot {
        &self.0
    }

    /// Whether the arbiter was given up: the episode must do nothing any more.
    pub(crate) fn is_given_up(&self) -> bool {
        self.0.slot.given_up.load(Ordering::Relaxed)
    }

    /// Hands the result over. False if the arbiter was given up meanwhile: the episode counts as
    /// open, and must not be closed.
    pub(crate) fn finish(&self, result: EpisodeResult) -> bool {
        self.0.slot.held(|episodes| {
            let Some(lease) = episodes.get_mut(&self.0.key) else {
                return false;
            };
            lease.is_over = true;
            // The launcher may be gone if the run was stopped the hard way.
            let _ = lease.finished.send(result);
            true
        })
    }
}

impl Drop for EpisodeLease {
    fn drop(&mut self) {
        let EpisodeOnSlot { slot, key } = &self.0;
        drop(slot.held(|episodes| episodes.remove(key)));
    }
}

impl EpisodeOnSlot {
    /// Notes that code of the episode begins.
    pub(crate) fn enter(&self, activity: Activity) -> Entered<'_> {
        self.slot.enter(self.key, activity)
    }

    /// The future, with each of its polls noted.
    pub(crate) fn watch<F: Future>(&self, activity: Activity, future: F) -> Watched<F> {
        Watched { on_slot: self.clone(), activity, future }
    }
}

pin_project! {
    /// A future whose polls are noted.
    pub(crate) struct Watched<F> {
        on_slot: EpisodeOnSlot,
        activity: Activity,
        #[pin]
        future: F,
    }
}

impl<F: Future> Future for Watched<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let watched = self.project();
        let _entered = watched.on_slot.enter(*watched.activity);
        watched.future.poll(context)
    }
}

impl Activity {
    /// The code of a seat; roles are counted as they stand in their cell's list.
    pub(crate) fn of_seat(seat: &Seat, role: usize) -> Self {
        match seat {
            Seat::Conductor => Self::Strategy,
            Seat::Environment => Self::Environment,
            Seat::User => Self::User,
            Seat::Role(_) => Self::Role(u16::try_from(role).unwrap_or(u16::MAX)),
        }
    }

    fn code(self) -> u32 {
        match self {
            Self::Strategy => 0,
            Self::Metrics => 1,
            Self::Environment => 2,
            Self::User => 3,
            Self::Role(place) => 4 + u32::from(place),
        }
    }

    fn of(code: u32) -> Self {
        match code {
            0 => Self::Strategy,
            1 => Self::Metrics,
            2 => Self::Environment,
            3 => Self::User,
            role => Self::Role(u16::try_from(role - 4).unwrap_or(u16::MAX)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: EpisodeKey = EpisodeKey { cell: 7, task: 12, repeat: 3 };

    #[test]
    fn a_slot_says_whose_code_runs_and_tells_turns_apart() {
        let slot = Slot::default();
        assert_eq!(slot.running(), None);
        let first = slot.enter(KEY, Activity::Role(2));
        let (turn, key, activity) = slot.running().unwrap();
        assert_eq!((key, activity), (KEY, Activity::Role(2)));
        // Whoever is called by foreign code runs in its name.
        let within = slot.enter(KEY, Activity::Metrics);
        assert_eq!(slot.running().unwrap().2, Activity::Role(2));
        drop(within);
        assert_eq!(slot.running().unwrap().0, turn);
        drop(first);
        assert_eq!(slot.running(), None);
        let _second = slot.enter(KEY, Activity::User);
        assert_ne!(slot.running().unwrap().0, turn);
    }

    #[test]
    fn every_code_is_read_back() {
        let all = [
            Activity::Strategy,
            Activity::Metrics,
            Activity::Environment,
            Activity::User,
            Activity::Role(0),
            Activity::Role(u16::MAX),
        ];
        for activity in all {
            assert_eq!(Activity::of(activity.code()), activity);
        }
    }
}
