//! Tasks of the program for the pages: rebuild the requests of a log, and begin branches where people play.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::progress::prepare;
use crate::reload_plan::reload_plan;
use rolecall_core::domain::EpisodeId;
use rolecall_core::log::RunLog;
use rolecall_doors::serve::web::{Program, TakeSeat};
use rolecall_run::config::Absent;
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{RebuiltCall, rebuild_requests};

/// Episodes whose requests are kept: readers go from one call of an episode to the next.
const MOST_KEPT: usize = 4;

/// The calls of an episode.
type Calls = (PathBuf, EpisodeId, Vec<RebuiltCall>);

/// Begins a branch in which a person takes a seat, and gives its name.
pub(super) type TakesSeats = Box<dyn Fn(&TakeSeat) -> anyhow::Result<String> + Send + Sync>;

/// This program.
pub(crate) struct OwnProgram {
    registry: Registry,
    kept: Mutex<Vec<Calls>>,
    /// Where people may take seats: what begins the branch.
    take: Option<TakesSeats>,
}

impl OwnProgram {
    /// The program with a registry, where nobody may take a seat.
    pub(crate) fn new(registry: &Registry) -> Self {
        Self { registry: registry.clone(), kept: Mutex::default(), take: None }
    }

    /// Lets people take seats: `take` begins their branches.
    pub(super) fn playing(self, take: TakesSeats) -> Self {
        Self { take: Some(take), ..self }
    }
}

impl Program for OwnProgram {
    fn request(&self, run: &RunLog, episode: &EpisodeId, seq: u32) -> Result<RebuiltCall, String> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let of_call = |calls: &[RebuiltCall]| calls.iter().find(|call| call.seq == seq).cloned();
        let known = kept.iter().find(|(folder, id, _)| folder == run.folder() && id == episode);
        if let Some(call) = known.and_then(|(_, _, calls)| of_call(calls)) {
            return Ok(call);
        }
        let calls = calls(run, episode, &self.registry).map_err(|error| format!("{error:#}"))?;
        let found = of_call(&calls);
        kept.truncate(MOST_KEPT - 1);
        kept.insert(0, (run.folder().to_owned(), episode.clone(), calls));
        found.ok_or_else(|| "the episode, played again, makes no such call".to_owned())
    }

    fn may_play(&self) -> bool {
        self.take.is_some()
    }

    fn take_seat(&self, order: &TakeSeat) -> Result<String, String> {
        let take = self.take.as_ref().ok_or("nobody can play here")?;
        take(order).map_err(|error| format!("{error:#}"))
    }
}

fn calls(run: &RunLog, episode: &EpisodeId, registry: &Registry) -> anyhow::Result<Vec<RebuiltCall>> {
    let events = run.episode(episode)?.events;
    let plan = reload_plan(run.folder(), &[], &[], Absent::Taken, registry)?.resolved.plan;
    prepare(&plan, true)?;
    let mut calls = Vec::new();
    rebuild_requests(&plan, episode, &events, &mut |call| calls.push(call));
    Ok(calls)
}
