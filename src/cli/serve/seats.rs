//! Branches that the pages begin, in which people take seats. They live in this process.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::cli::branch::{BranchArguments, begin_branch};
use crate::cli::output;
use crate::cli::runs::siblings;
use crate::registry::HUMAN;
use crate::serve::Lobby;
use crate::serve::web::TakeSeat;

/// The branches of a folder of runs.
pub(super) struct Branches {
    logs: PathBuf,
    lobby: Lobby,
    playing: Mutex<Vec<JoinHandle<()>>>,
}

impl Branches {
    pub(super) fn new(logs: PathBuf, lobby: Lobby) -> Self {
        Self {
            logs,
            lobby,
            playing: Mutex::default(),
        }
    }

    /// Begins one, and gives its name.
    pub(super) fn begin(&self, order: &TakeSeat) -> anyhow::Result<String> {
        let (playing, record, _) = begin_branch(&BranchArguments::read(self.line(order))?, true)?;
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
    fn line(&self, order: &TakeSeat) -> Vec<OsString> {
        let (table, key) = match order.seat.as_str() {
            "user" => ("user".to_owned(), "kind"),
            role => (format!("roles.{role}"), "implementation"),
        };
        let texts = [
            order.episode.clone(),
            "--at".to_owned(),
            order.at.to_string(),
            "--set".to_owned(),
            format!("{table}.{key}={HUMAN}"),
            "--set".to_owned(),
            format!("{table}.at=web"),
            "--quiet".to_owned(),
            "--logs".to_owned(),
        ];
        let run = self.logs.join(&order.run).into_os_string();
        let line = std::iter::once(run).chain(texts.map(OsString::from));
        line.chain([self.logs.clone().into_os_string()]).collect()
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
