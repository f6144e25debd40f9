//! Whether somebody is writing a run: a file that is there, and locked, as long as that is so.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::LogError;
use super::folder::RUNNING;

/// The writer's end: makes the file, holds its lock and removes it at the end. A process that is
/// killed leaves the file behind, but the system takes its lock away.
pub(super) struct Mark {
    path: PathBuf,
    _locked: File,
}

impl Mark {
    /// Makes the file in a folder that is not yet a run to any reader.
    pub(super) fn set(folder: &Path) -> Result<Self, LogError> {
        let path = folder.join(RUNNING);
        let file = File::create_new(&path).map_err(|error| LogError::create(&path, &error))?;
        // Some file systems have no locks; then the file alone must do.
        let _ = file.lock();
        Ok(Self {
            path,
            _locked: file,
        })
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        // If it cannot be removed, it stays without a lock, which says the same.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether a process is writing the run in this folder.
///
/// A run that was killed is not running: its file is there but nobody holds the lock. On a file
/// system without locks, it counts as running until somebody removes the file.
pub fn is_running(folder: &Path) -> bool {
    let path = folder.join(RUNNING);
    // Opening a pipe would wait for somebody who writes into it.
    if !path.is_file() {
        return false;
    }
    let Ok(file) = File::open(path) else {
        return false;
    };
    match file.try_lock_shared() {
        Ok(()) => false,
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_there_as_long_as_it_is_held() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_running(folder.path()));
        let mark = Mark::set(folder.path()).unwrap();
        assert!(is_running(folder.path()));
        assert!(Mark::set(folder.path()).is_err());
        drop(mark);
        assert!(!is_running(folder.path()) && !folder.path().join(RUNNING).exists());
    }

    #[test]
    fn a_mark_that_a_killed_process_left_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(RUNNING), "").unwrap();
        assert!(!is_running(folder.path()));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_its_place_holds_up_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join(RUNNING);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let (answer, answered) = std::sync::mpsc::channel();
        let path = folder.path().to_owned();
        std::thread::spawn(move || answer.send(is_running(&path)));
        let limit = std::time::Duration::from_secs(10);
        assert_eq!(answered.recv_timeout(limit), Ok(false));
    }
}
