//! What the pages have the program do: make requests of a log again.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::cli::progress::prepare;
use crate::cli::reload_plan::{ReloadedPlan, reload_plan};
use crate::config::Absent;
use crate::domain::EpisodeId;
use crate::log::RunLog;
use crate::runtime::{RebuiltCall, rebuild_requests};
use crate::serve::web::{Program, TakeSeat};

/// Episodes whose requests are kept: readers go from one call of an episode to the next.
const MOST_KEPT: usize = 4;

/// The calls of an episode.
type Calls = (PathBuf, EpisodeId, Vec<RebuiltCall>);

/// This program.
#[derive(Default)]
pub(crate) struct OwnProgram {
    kept: Mutex<Vec<Calls>>,
}

impl Program for OwnProgram {
    fn request(&self, run: &RunLog, episode: &EpisodeId, seq: u32) -> Result<RebuiltCall, String> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let of_call = |calls: &[RebuiltCall]| calls.iter().find(|call| call.seq == seq).cloned();
        let known = kept
            .iter()
            .find(|(folder, id, _)| folder == run.folder() && id == episode);
        if let Some(call) = known.and_then(|(_, _, calls)| of_call(calls)) {
            return Ok(call);
        }
        let calls = calls(run, episode).map_err(|error| format!("{error:#}"))?;
        let found = of_call(&calls);
        kept.truncate(MOST_KEPT - 1);
        kept.insert(0, (run.folder().to_owned(), episode.clone(), calls));
        found.ok_or_else(|| "the episode, played again, makes no such call".to_owned())
    }

    fn may_play(&self) -> bool {
        false
    }

    fn take_seat(&self, _: &TakeSeat) -> Result<String, String> {
        Err("nobody can play here".to_owned())
    }
}

fn calls(run: &RunLog, episode: &EpisodeId) -> anyhow::Result<Vec<RebuiltCall>> {
    let events = run.episode(episode)?.events;
    let ReloadedPlan { resolved, .. } = reload_plan(run.folder(), &[], &[], Absent::Taken)?;
    prepare(&resolved.plan, true)?;
    let mut calls = Vec::new();
    rebuild_requests(&resolved.plan, episode, &events, &mut |call| {
        calls.push(call)
    });
    Ok(calls)
}
