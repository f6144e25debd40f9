//! The threads that run actors. One that never returns is given up, and a fresh one takes its place.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use actix::{Arbiter, ArbiterHandle};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::UnboundedSender;

use super::directory::Directory;
use super::slot::{EpisodeKey, EpisodeLease, Slot};
use super::watchdog::{Look, Watchdog};
use crate::config::Plan;
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::EpisodeResult;

/// The arbiters of a run, each with its slot.
pub(super) struct Arbiters {
    plan: Arc<Plan>,
    all: RefCell<Vec<(Arbiter, Arc<Slot>)>>,
    /// Whose turn it is to get an episode.
    turn: Cell<usize>,
    watchdog: RefCell<Watchdog>,
}

impl Arbiters {
    /// Starts as many as the plan says. Must be called within an actix system.
    pub(super) fn start(plan: &Arc<Plan>) -> Self {
        let count = plan.run.arbiters.max(1);
        let start = |_| (Arbiter::new(), Arc::default());
        Self {
            plan: Arc::clone(plan),
            all: RefCell::new((0..count).map(start).collect()),
            turn: Cell::default(),
            watchdog: RefCell::new(Watchdog::new(Arc::clone(plan))),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.all.borrow().len()
    }

    /// Gives the episode a place on the arbiter whose turn it is.
    pub(super) fn lease(
        &self,
        id: &EpisodeId,
        permit: OwnedSemaphorePermit,
        finished: &UnboundedSender<EpisodeResult>,
    ) -> (ArbiterHandle, EpisodeLease) {
        let all = self.all.borrow();
        let turn = self.turn.get();
        self.turn.set(turn + 1);
        let (arbiter, slot) = &all[turn % all.len()];
        (arbiter.handle(), slot.lease(EpisodeKey::of(id, &self.plan), permit, finished.clone()))
    }

    /// Looks who keeps a thread to itself, and gives up the threads of which nothing more is
    /// expected. Returns the episodes of these that are open, besides what is to be told.
    pub(super) fn look(&self, live: &Directory, ending: bool) -> (Look, Vec<EpisodeId>) {
        let mut all = self.all.borrow_mut();
        let slots: Vec<&Slot> = all.iter().map(|(_, slot)| &**slot).collect();
        let look = self.watchdog.borrow_mut().look(&slots, ending);
        let mut open = Vec::new();
        for place in &look.hopeless {
            let fresh = (Arbiter::new(), Arc::default());
            let (arbiter, slot) = std::mem::replace(&mut all[*place], fresh);
            // In case it does return.
            arbiter.stop();
            open.extend(slot.give_up().iter().filter_map(|key| key.id(&self.plan)));
        }
        open.iter().for_each(|id| live.leave(id));
        (look, open)
    }

    pub(super) fn stop(&self) {
        for (arbiter, _) in self.all.borrow().iter() {
            arbiter.stop();
        }
    }
}
