//! Branches that the pages begin, in which people take seats. They live in this process.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::branch::{BranchArguments, begin_branch};
use crate::config_arguments::{person, without_person};
use crate::output;
use crate::reload_plan::reload_plan;
use crate::runs::siblings;
use rolecall_core::domain::EpisodeId;
use rolecall_doors::serve::Lobby;
use rolecall_doors::serve::web::TakeSeat;
use rolecall_run::config::Absent;
use rolecall_run::registry::Registry;

/// Where the people sit.
const WEB: &str = "web";

/// The branches of a folder of runs.
pub(super) struct Branches {
    logs: PathBuf,
    lobby: Lobby,
    registry: Registry,
    playing: Mutex<Vec<JoinHandle<()>>>,
}

impl Branches {
    pub(super) fn new(logs: PathBuf, lobby: Lobby, registry: &Registry) -> Self {
        Self { logs, lobby, registry: registry.clone(), playing: Mutex::default() }
    }

    /// Begins one, and gives its name.
    pub(super) fn begin(&self, order: &TakeSeat) -> anyhow::Result<String> {
        let line = self.line(order)?;
        let (playing, record, _) = begin_branch(&BranchArguments::read(line)?, true, &self.registry)?;
        let playing = playing.in_lobby(&self.lobby, &record)?;
        let (_, name) = siblings(playing.writer.folder());
        let thread = std::thread::Builder::new().name("branch".to_owned());
        let branch = thread.spawn(move || {
            let played = playing.through(true, 0);
            if let Err(error) = played.and_then(|over| over.finish(true)) {
                output::complain(&error);
            }
        })?;
        self.playing().push(branch);
        Ok(name)
    }

    /// The same as a command.
    fn line(&self, order: &TakeSeat) -> anyhow::Result<Vec<OsString>> {
        let run = self.logs.join(&order.run);
        let cell = order.episode.parse::<EpisodeId>()?.cell;
        let everywhere = person(None, &order.seat, WEB).to_vec();
        let plan = reload_plan(&run, &everywhere, &[], Absent::Refused, &self.registry)?;
        let left = without_person(&plan.resolved.record, &order.seat);
        let sets = match left.contains(&cell.as_str()) {
            // The cell says itself who sits there.
            true => person(Some(cell.as_str()), &order.seat, WEB).to_vec(),
            false => everywhere,
        };
        let mut line = vec![run.into_os_string(), order.episode.clone().into()];
        line.extend(["--at".into(), order.at.to_string().into()]);
        for set in sets {
            line.extend(["--set".into(), set.into()]);
        }
        let logs = self.logs.clone().into_os_string();
        line.extend(["--quiet".into(), "--logs".into(), logs]);
        Ok(line)
    }

    /// Waits until all have ended, which a signal has told them to.
    pub(super) fn wait(&self) {
        let playing = std::mem::take(&mut *self.playing());
        for branch in playing {
            // What went wrong in one was said there.
            let _ = branch.join();
        }
    }

    fn playing(&self) -> std::sync::MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
