//! What the pages have the program do: make requests of a log again, and begin branches in which people sit.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use anyhow::Context;

use crate::cli::branch::{BranchArguments, begin_branch};
use crate::cli::output;
use crate::cli::progress::prepare;
use crate::cli::reload_plan::{ReloadedPlan, reload_plan};
use crate::cli::runs::siblings;
use crate::config::Absent;
use crate::domain::EpisodeId;
use crate::log::RunLog;
use crate::registry::HUMAN;
use crate::runtime::{RebuiltCall, rebuild_requests};
use crate::serve::Lobby;
use crate::serve::web::{Program, TakeSeat};

/// Episodes whose requests are kept: readers go from one call of an episode to the next.
const MOST_KEPT: usize = 4;

/// The calls of an episode.
type Calls = (PathBuf, EpisodeId, Vec<RebuiltCall>);

/// This program.
#[derive(Default)]
pub(crate) struct OwnProgram {
    kept: Mutex<Vec<Calls>>,
    /// The folder of the runs and the lobby, where people may play.
    play: Option<(PathBuf, Lobby)>,
    /// The branches that are played.
    branches: Mutex<Vec<JoinHandle<()>>>,
}

impl OwnProgram {
    /// The program where people may take seats of the runs in a folder, if that is said.
    pub(super) fn playing(play: Option<(PathBuf, Lobby)>) -> Self {
        Self {
            play,
            ..Self::default()
        }
    }

    /// Waits until the branches have ended, which a signal has told them to.
    pub(super) fn wait(&self) {
        let branches = std::mem::take(&mut *held(&self.branches));
        for branch in branches {
            // What went wrong in one was said there.
            let _ = branch.join();
        }
    }

    fn begin(&self, order: &TakeSeat) -> anyhow::Result<String> {
        let (logs, lobby) = self.play.as_ref().context("nobody can play here")?;
        let (table, key) = match order.seat.as_str() {
            "user" => ("user".to_owned(), "kind"),
            role => (format!("roles.{role}"), "implementation"),
        };
        let (run, logs) = (logs.join(&order.run), logs.as_os_str().to_owned());
        let (at, person) = (order.at.to_string(), format!("{table}.{key}={HUMAN}"));
        let mut line: Vec<std::ffi::OsString> =
            vec!["rolecall".into(), "branch".into(), run.into()];
        line.extend([order.episode.clone().into(), "--at".into(), at.into()]);
        line.extend([
            "--set".into(),
            person.into(),
            "--set".into(),
            format!("{table}.at=web").into(),
        ]);
        line.extend(["--quiet".into(), "--logs".into(), logs]);
        let (playing, record, _) = begin_branch(&BranchArguments::read(line)?, true)?;
        let playing = playing.in_lobby(lobby, &record)?;
        let (_, name) = siblings(playing.writer.folder());
        let thread = std::thread::Builder::new().name("branch".to_owned());
        let branch = thread.spawn(move || {
            let played = playing.through(true, 0).and_then(|over| over.finish(true));
            if let Err(error) = played {
                output::complain(&error);
            }
        })?;
        held(&self.branches).push(branch);
        Ok(name)
    }
}

impl Program for OwnProgram {
    fn request(&self, run: &RunLog, episode: &EpisodeId, seq: u32) -> Result<RebuiltCall, String> {
        let mut kept = held(&self.kept);
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
        self.play.is_some()
    }

    fn take_seat(&self, order: &TakeSeat) -> Result<String, String> {
        self.begin(order).map_err(|error| format!("{error:#}"))
    }
}

fn held<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
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
