//! The one thread that writes a run's files, in groups.
//!
//! Whatever was queued while the last group was being written is the next group; a group that
//! nobody waits for gathers for up to a millisecond. After a write error nothing more is written
//! to any file (a result whose events are lost would be a claim without evidence), but the thread
//! goes on emptying the queue, so that nobody waits for ever. A failure to make something survive the
//! end of the machine is a write error too.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::Deserialize;
use tokio::sync::{mpsc, oneshot};

use super::folder::{EVENTS, RESULTS, RUN, TIMINGS};
use super::handle::{LogHandle, Queued, WriterState};
use super::rotation::{Rotation, Rotations};
use super::running::{Mark, is_running};
use super::sink::{Appender, Outputs, Sink};
use super::syncer::Syncer;
use super::{LogError, RunRecord};
use crate::files;

/// Batches that wait at most; whoever appends more waits for room.
const QUEUE_CAPACITY: usize = 4096;
/// The time in which a group gathers that nobody waits for.
const GATHERING: Duration = Duration::from_millis(1);
/// A group of this many bytes is written without gathering more.
const GROUP_BYTES: usize = 1 << 20;
/// The rights to the folder of a run that is nobody else's business.
#[cfg(unix)]
const PRIVATE: u32 = 0o700;

/// Owns the thread that writes. Dropping it writes what is queued, as [`LogWriter::close`] does,
/// but has nobody to tell about errors.
pub struct LogWriter {
    handle: LogHandle,
    thread: Option<JoinHandle<Result<LogSummary, LogError>>>,
    folder: PathBuf,
    running: Option<Mark>,
}

/// The amounts that were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogSummary {
    /// Bytes of `events.jsonl`.
    pub event_bytes: u64,
    /// Batches written.
    pub batches: u64,
    /// Groups of batches: one write per file each.
    pub groups: u64,
    /// The longest that the queue was when the writer looked, in batches.
    pub max_depth: usize,
}

impl LogWriter {
    /// Makes the run's folder (and those above it), writes `run.toml` and starts the thread. A folder in
    /// which [nothing was begun](RunRecord::is_unbegun) is taken over.
    ///
    /// Fails if another folder is there, somebody else is writing it, or it cannot be written.
    pub fn create(folder: &Path, run_toml: &str, settings: &LogSettings) -> Result<Self, LogError> {
        if let Some(parent) = folder.parent() {
            fs::create_dir_all(parent).map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => LogError::create(parent, "it is a file"),
                _ => LogError::create(parent, error),
            })?;
        }
        files::step();
        let mark = take(folder, settings.private)?;
        let path = folder.join(RUN);
        files::replace(&path, run_toml.as_bytes()).map_err(|error| LogError::create(&path, error))?;
        Self::append(folder, mark, settings)
    }

    /// Writes behind what is in the folder.
    pub(super) fn append(folder: &Path, mark: Mark, settings: &LogSettings) -> Result<Self, LogError> {
        let open = |name: &str| {
            let path = folder.join(name);
            let opened = OpenOptions::new().append(true).create(true).open(&path);
            let file = opened.map_err(|error| LogError::create(&path, error))?;
            files::step();
            Appender::new(&path, file)
        };
        let files = Outputs { events: open(EVENTS)?, results: open(RESULTS)?, timings: open(TIMINGS)? };
        if settings.sync != Sync::Off {
            // Files whose names are not on the disk are lost with all that is in them.
            let parent = folder.parent().unwrap_or(folder);
            for folder in [folder, parent] {
                files::sync_folder(folder).map_err(|error| LogError::create(folder, error))?;
            }
        }
        let rotations = Rotations::start(folder, settings)?;
        let mut writer = Self::start(folder, files, QUEUE_CAPACITY, settings.sync, rotations)?;
        writer.running = Some(mark);
        Ok(writer)
    }

    fn start<S: Sink>(
        folder: &Path,
        files: Outputs<S>,
        capacity: usize,
        sync: Sync,
        rotations: Rotations<S>,
    ) -> Result<Self, LogError> {
        let failed = |error| LogError::create(folder, error);
        let (sender, queue) = mpsc::channel(capacity);
        let shared = Arc::new(WriterState::default());
        let syncer = match sync {
            Sync::EveryEpisode => {
                let syncer = Syncer::start(files.syncing()?, Arc::clone(&shared));
                Some(syncer.map_err(failed)?)
            }
            Sync::EveryEvent | Sync::Off => None,
        };
        let worker = Worker { queue, files, shared: Arc::clone(&shared), waiting: Vec::new(), sync, syncer, rotations };
        let builder = thread::Builder::new().name("log writer".to_owned());
        // The queue is asynchronous for those who append; here it is waited for on a thread.
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.map_err(failed)?;
        let thread = builder.spawn(move || runtime.block_on(worker.run())).map_err(failed)?;
        Ok(Self {
            handle: LogHandle { sender, shared, thread: thread.thread().clone(), copies: None },
            thread: Some(thread),
            folder: folder.to_owned(),
            running: None,
        })
    }

    /// A way to append.
    pub fn handle(&self) -> LogHandle {
        self.handle.clone()
    }

    /// The run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes what is queued, makes it survive the end of the machine and ends the thread. Blocks
    /// meanwhile. Handles that are still about get [`LogError::Closed`] from now on; what they are
    /// appending at this very moment may be lost, so close the log when the episodes are over.
    ///
    /// Fails with the first write error of the run.
    pub fn close(mut self) -> Result<LogSummary, LogError> {
        self.finish()
    }

    fn finish(&mut self) -> Result<LogSummary, LogError> {
        let Some(thread) = self.thread.take() else {
            return Err(LogError::Closed);
        };
        self.handle.shared.closing.cancel();
        self.handle.thread.unpark();
        let written = thread.join().unwrap_or(Err(LogError::Closed));
        self.running = None;
        written
    }
}

impl Drop for LogWriter {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

/// Makes the folder of a run, or takes one over that a killed process left behind.
fn take(folder: &Path, private: bool) -> Result<Mark, LogError> {
    let failed = |error| LogError::create(folder, error);
    let exists = || LogError::FolderExists { folder: folder.to_owned() };
    match make(folder, private) {
        Ok(()) => {}
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(failed(error)),
        Err(_) if !is_free(folder) => return Err(exists()),
        Err(_) => {}
    }
    files::step();
    let mark = Mark::set(folder)?;
    // Somebody else may have begun a run here a moment ago.
    if !RunRecord::is_unbegun(folder) {
        return Err(exists());
    }
    if private {
        set_private(folder).map_err(failed)?;
    }
    Ok(mark)
}

/// Whether a run may be begun here: nothing is there, or nothing was begun and nobody is about to.
pub fn is_free(folder: &Path) -> bool {
    match fs::symlink_metadata(folder) {
        Ok(_) => RunRecord::is_unbegun(folder) && !is_running(folder),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

#[cfg(unix)]
fn make(folder: &Path, private: bool) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let mode = if private { PRIVATE } else { 0o777 };
    fs::DirBuilder::new().mode(mode).create(folder)
}

#[cfg(unix)]
fn set_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(PRIVATE))
}

#[cfg(not(unix))]
fn make(folder: &Path, _private: bool) -> io::Result<()> {
    fs::create_dir(folder)
}

/// Elsewhere a folder has the rights of the one that holds it.
#[cfg(not(unix))]
fn set_private(_folder: &Path) -> io::Result<()> {
    Ok(())
}

struct Worker<S> {
    queue: mpsc::Receiver<Queued>,
    files: Outputs<S>,
    shared: Arc<WriterState>,
    waiting: Vec<oneshot::Sender<Result<(), LogError>>>,
    sync: Sync,
    syncer: Option<Syncer>,
    rotations: Rotations<S>,
}

impl<S: Sink> Worker<S> {
    async fn run(mut self) -> Result<LogSummary, LogError> {
        let closing = self.shared.closing.clone();
        while !closing.is_cancelled() {
            // Whoever appends meanwhile need not wake this thread.
            if self.may_gather() {
                thread::park_timeout(GATHERING);
            }
            self.take_queued();
            if self.files.gathered() == 0 && self.waiting.is_empty() {
                tokio::select! {
                    biased;
                    () = self.receive() => {}
                    () = closing.cancelled() => {}
                }
                continue;
            }
            self.write();
        }
        // Not `recv`: it would wait for senders that hold a place and may never use it.
        self.queue.close();
        // What was received last may not be written yet.
        self.write();
        while !self.queue.is_empty() {
            self.take_queued();
            self.write();
        }
        self.finish()
    }

    /// Waits for a batch.
    async fn receive(&mut self) {
        if let Some(queued) = self.queue.recv().await {
            self.take(queued);
        }
    }

    fn take_queued(&mut self) {
        let depth = self.queue.len();
        self.shared.max_depth.fetch_max(depth, Ordering::Relaxed);
        while self.files.gathered() < GROUP_BYTES
            && let Ok(queued) = self.queue.try_recv()
        {
            self.take(queued);
        }
    }

    fn take(&mut self, queued: Queued) {
        self.files.gather(&queued.batch);
        self.waiting.extend(queued.written);
        self.shared.batches.fetch_add(1, Ordering::Relaxed);
    }

    fn may_gather(&self) -> bool {
        self.waiting.is_empty()
            && !self.shared.hurry.swap(false, Ordering::AcqRel)
            && !self.shared.closing.is_cancelled()
    }

    fn write(&mut self) {
        let bytes = self.files.gathered() as u64;
        let result = match self.shared.failure.get() {
            Some(failure) => Err(failure.clone()),
            None if bytes == 0 => Ok(()),
            None => self.write_group(),
        };
        match &result {
            Ok(()) => {
                let group = u64::from(bytes > 0);
                self.shared.groups.fetch_add(group, Ordering::Relaxed);
                self.shared.bytes.fetch_add(bytes, Ordering::Relaxed);
            }
            Err(error) => {
                self.shared.failure.get_or_init(|| error.clone());
                self.files.discard_group();
            }
        }
        for waiting in self.waiting.drain(..) {
            // Whoever waited may be gone; that is no failure of the log.
            let _ = waiting.send(result.clone());
        }
    }

    /// Writes what was gathered, and makes it survive the end of the machine or has it made.
    fn write_group(&mut self) -> Result<(), LogError> {
        let closed = self.files.results.gathered() > 0;
        self.files.write_group()?;
        if self.sync == Sync::EveryEvent {
            self.files.sync()?;
        }
        if let Some(syncer) = &self.syncer {
            syncer.wrote(self.files.written(), closed);
        }
        self.rotate(Rotation::is_due)
    }

    /// Goes on in other files where that is due.
    fn rotate(&mut self, is_due: fn(&Rotation<S>, u64) -> bool) -> Result<(), LogError> {
        for rotation in &mut self.rotations.each {
            let (place, file) = self.files.of(rotation.series);
            let written = file.written();
            if !is_due(rotation, written) {
                continue;
            }
            if self.sync != Sync::Off {
                // A file that goes on where another one has holes would be of no use.
                file.sync()?;
            }
            let next = rotation.next(written)?;
            file.go_on_in(next.file)?;
            if let Some(syncer) = &self.syncer {
                syncer.go_on_in(place, file.syncing()?);
            }
            // Last: now neither this thread nor the syncer comes back to the closed file.
            (next.let_go)();
        }
        Ok(())
    }

    fn finish(mut self) -> Result<LogSummary, LogError> {
        self.syncer = None;
        if let Some(failure) = self.shared.failure.get() {
            return Err(failure.clone());
        }
        self.files.finish()?;
        if self.rotations.to_the_end {
            self.rotate(|rotation, written| !rotation.is_empty(written))?;
        }
        Ok(LogSummary {
            event_bytes: self.files.events.written(),
            batches: self.shared.batches.load(Ordering::Relaxed),
            groups: self.shared.groups.load(Ordering::Relaxed),
            max_depth: self.shared.max_depth.load(Ordering::Relaxed),
        })
    }
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;

/// How a run's files are written. Nothing that is written depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogSettings {
    /// The moment at which lines are made to survive the end of the machine.
    pub sync: Sync,
    /// Once `events.jsonl` has more bytes than this, it is closed and compressed, and a new one is
    /// begun.
    pub segment_bytes: u64,
    /// The folder can be read by nobody but its owner.
    pub private: bool,
    /// There are many episodes: results are closed and compressed as events are, and what is left of
    /// both when the run ends.
    pub many: bool,
}

impl Default for LogSettings {
    /// Every episode; 64 MiB.
    fn default() -> Self {
        Self { sync: Sync::default(), segment_bytes: 64 << 20, private: false, many: false }
    }
}

/// When lines are made to survive the end of the machine (power cut, crash of the system). The end
/// of the process alone loses nothing that was acknowledged, whatever is chosen here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sync {
    /// Before anybody is told that they are written.
    EveryEvent,
    /// Soon after an episode has closed, and at least once a second.
    #[default]
    EveryEpisode,
    /// When the run ends, and otherwise when the system likes.
    Off,
}

impl Sync {
    /// The words that configs use.
    pub const NAMES: [&str; 3] = ["every-episode", "every-event", "off"];
}
