//! Whether somebody is writing a run: a file that is there, and locked, as long as that is so.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::LogError;
use super::folder::RUNNING;
use crate::files;

/// The number of tries for the lock, and the wait between them: whoever asks whether the
/// run goes on ([`is_running`]) holds it for a moment.
const TRIES: usize = 25;
const BETWEEN: Duration = Duration::from_millis(10);

/// No such file has more bytes that matter.
const LARGEST: u64 = 200;

/// The file in which the system says which of its starts this one is.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";

/// The writer's end: makes the file, holds its lock and removes it at the end. A process that is
/// killed leaves the file behind, but the system takes its lock away.
#[derive(Debug)]
pub(crate) struct Mark {
    path: PathBuf,
    locked: File,
    /// The words of the one who left the file behind: its process, and the start of its machine.
    left: Option<String>,
    /// Put back what was left behind: what it explains is not put right yet.
    kept: bool,
}

impl Mark {
    /// Makes the file, or takes over one that a killed process left behind.
    ///
    /// Fails with [`LogError::Busy`] if somebody else holds the lock.
    pub(crate) fn set(folder: &Path) -> Result<Self, LogError> {
        let path = folder.join(RUNNING);
        for _ in 0..TRIES {
            let (file, made) = match open(&path) {
                Ok(opened) => opened,
                // Removed between two looks.
                Err(error) if error.kind() == ErrorKind::NotFound && folder.is_dir() => continue,
                Err(error) => return Err(LogError::lock(&path, &error)),
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    thread::park_timeout(BETWEEN);
                    continue;
                }
                // Some file systems have no locks; then the file alone must do.
                Err(TryLockError::Error(_)) if made => {}
                Err(TryLockError::Error(_)) => break,
            }
            // The last holder may have removed the file between opening and locking: then this
            // lock keeps nobody out.
            if is_at(&file, &path) {
                let left = (!made).then(|| said(&path));
                let mut mark = Self { path, locked: file, left, kept: false };
                files::step();
                mark.sign();
                files::step();
                return Ok(mark);
            }
        }
        Err(LogError::Busy { folder: folder.to_owned(), process: holder(&path) })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Has what a process left behind, which did not come to its end, stay there as it was, unless
    /// it is [settled](Self::settle).
    pub(super) fn keep(&mut self) {
        self.kept = self.left.is_some();
    }

    /// Notes that the last writer's remains are put right.
    pub(super) fn settle(&mut self) {
        self.kept = false;
        self.left = None;
    }

    /// Whether the machine may have failed while the last writer was at it: it did not come to its
    /// end, and the machine was started anew since, as far as is known. A process that is killed
    /// loses nothing that it wrote.
    pub(super) fn machine_may_have_failed(&self) -> bool {
        let Some(left) = &self.left else {
            return false;
        };
        let then = left.lines().nth(1).map(str::trim);
        then.is_none_or(|then| boot().is_none_or(|now| now != then))
    }

    /// Writes down which process this is, for people, and which start of the machine, for whoever
    /// goes on after it.
    fn sign(&mut self) {
        let boot = boot().map_or(String::new(), |boot| format!("{boot}\n"));
        self.write(&format!("{}\n{boot}", std::process::id()));
    }

    /// Writes the text; if that fails, it is not needed.
    fn write(&mut self, text: &str) {
        let _ = self.locked.set_len(0);
        let _ = self.locked.rewind();
        let _ = self.locked.write_all(text.as_bytes());
    }
}

/// Which start of the machine this is; none if the system does not say.
fn boot() -> Option<String> {
    let text = fs::read_to_string(BOOT).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

impl Drop for Mark {
    fn drop(&mut self) {
        if let Some(left) = self.left.take().filter(|_| self.kept) {
            return self.write(&left);
        }
        // If it cannot be removed, it stays without a lock, which says the same. While it is
        // locked, nobody else can have put another one in its place, but people can.
        if is_at(&self.locked, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens the file, and says whether it was made.
fn open(path: &Path) -> io::Result<(File, bool)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    match options.clone().create_new(true).open(path) {
        Ok(file) => return Ok((file, true)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    // Opening a pipe would wait for somebody at its other end.
    if !fs::metadata(path)?.is_file() {
        let why = "it is no regular file; remove it if nobody writes the run";
        return Err(io::Error::new(ErrorKind::InvalidInput, why));
    }
    Ok((options.open(path)?, false))
}

/// Whether the open file is the one of that name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(found)) = (file.metadata(), fs::symlink_metadata(path)) else {
        return false;
    };
    (open.dev(), open.ino()) == (found.dev(), found.ino())
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// The process that the file names.
fn holder(path: &Path) -> Option<u32> {
    said(path).lines().next()?.trim().parse().ok()
}

/// The text of the file; empty if it is no text.
fn said(path: &Path) -> String {
    let mut text = String::new();
    let read = crate::files::open(path).map(|file| file.take(LARGEST).read_to_string(&mut text));
    if matches!(read, Ok(Ok(_))) { text } else { String::new() }
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
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Barrier};

    use super::*;

    #[test]
    fn the_mark_is_there_as_long_as_it_is_held() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_running(folder.path()));
        let mark = Mark::set(folder.path()).unwrap();
        assert!(is_running(folder.path()));
        let busy = Mark::set(folder.path()).unwrap_err();
        let process = Some(std::process::id());
        assert!(matches!(&busy, LogError::Busy { process: named, .. } if *named == process));
        drop(mark);
        assert!(!is_running(folder.path()) && !folder.path().join(RUNNING).exists());
        assert!(Mark::set(folder.path()).is_ok());
    }

    #[test]
    fn a_mark_that_a_killed_process_left_says_nothing_and_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(RUNNING);
        fs::write(&path, "99999999 and more").unwrap();
        assert!(!is_running(folder.path()));
        let _mark = Mark::set(folder.path()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let number = std::process::id().to_string();
        assert_eq!(text.lines().next(), Some(&*number));
    }

    #[test]
    fn what_was_left_behind_stays_until_it_is_settled_and_says_whether_the_machine_failed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(RUNNING);
        let here = boot().map(|boot| (format!("1\n{boot}\n"), false));
        for (left, failed) in [("1\n".to_owned(), true), ("1\nx\n".to_owned(), true)].into_iter().chain(here) {
            fs::write(&path, &left).unwrap();
            let mut mark = Mark::set(folder.path()).unwrap();
            mark.keep();
            assert_eq!(mark.machine_may_have_failed(), failed);
            drop(mark);
            assert_eq!(fs::read_to_string(&path).unwrap(), left);
            assert!(!is_running(folder.path()));
            let mut mark = Mark::set(folder.path()).unwrap();
            mark.keep();
            mark.settle();
            drop(mark);
            assert!(!path.exists());
        }
        // Somebody who came to the end leaves nothing to explain.
        let mut mark = Mark::set(folder.path()).unwrap();
        mark.keep();
        assert!(!mark.machine_may_have_failed());
        drop(mark);
        assert!(!path.exists());
    }

    /// A mark that is removed by its holder at the moment when somebody else has opened it.
    #[test]
    fn many_who_want_it_have_it_one_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let inside = Arc::new(AtomicUsize::new(0));
        let had = Arc::new(AtomicUsize::new(0));
        let start = Arc::new(Barrier::new(8));
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let (inside, had, start) = (inside.clone(), had.clone(), start.clone());
                let folder = folder.path().to_owned();
                thread::spawn(move || {
                    start.wait();
                    for _ in 0..200 {
                        let Ok(mark) = Mark::set(&folder) else {
                            continue;
                        };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two have it");
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        had.fetch_add(1, Ordering::SeqCst);
                        drop(mark);
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert!(had.load(Ordering::SeqCst) >= 200);
        assert!(!folder.path().join(RUNNING).exists());
    }

    #[test]
    fn what_a_person_put_in_its_place_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(RUNNING);
        let mark = Mark::set(folder.path()).unwrap();
        fs::remove_file(&path).unwrap();
        fs::write(&path, "mine").unwrap();
        drop(mark);
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
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
        thread::spawn(move || answer.send((is_running(&path), Mark::set(&path).is_err())));
        let limit = Duration::from_secs(10);
        assert_eq!(answered.recv_timeout(limit), Ok((false, true)));
    }
}
