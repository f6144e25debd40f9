//! Runs as they are at a moment, read again when somebody looks and something may have changed. The log is the
//! source: all that is live is made of two snapshots.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use tokio::sync::watch;

use super::choice::Views;
use super::page::{Problem, blocking};
use crate::locked;
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::{EpisodeResult, Standing, recorded_or_measured};
use rolecall_core::log::{EVENTS, LogError, RUN, RunLog, Tail, is_running};
use rolecall_core::ports::Metric;
use rolecall_core::reports::Tally;

/// The time between two looks at a run that goes on: at least, and as a multiple of what a look takes.
const PAUSE: Duration = Duration::from_millis(400);
const SHARE: u32 = 8;

/// Episodes of a run that are read at the same time for those who look at them.
const READERS: usize = 2;

/// Runs that are kept in memory.
const MOST_KEPT: usize = 8;

/// A run at a moment.
pub(super) struct Snapshot {
    /// The name of its folder.
    pub(super) name: String,
    pub(super) log: RunLog,
    /// The results of closed episodes.
    pub(super) closed: Vec<Arc<EpisodeResult>>,
    /// The episodes that were begun and are not closed.
    pub(super) open: Vec<EpisodeId>,
    /// Somebody writes it.
    pub(super) running: bool,
    pub(super) tally: Tally,
    /// Rows that were asked for lately.
    pub(super) views: Views,
}

impl Snapshot {
    /// A number that changes with everything that is shown of the run as a whole.
    pub(super) fn version(&self) -> u64 {
        let (closed, open) = (self.closed.len() as u64, self.open.len() as u64);
        (closed * 2 + u64::from(self.running)).wrapping_mul(1 << 24) + open
    }

    /// The result of an episode, once it is closed.
    pub(super) fn result(&self, id: &EpisodeId) -> Option<&EpisodeResult> {
        self.closed.iter().find(|result| result.episode == *id).map(|result| &**result)
    }
}

/// A run that somebody looks at.
pub(super) struct Watched {
    name: String,
    folder: PathBuf,
    metrics: Vec<&'static dyn Metric>,
    reading: tokio::sync::Mutex<Option<Reading>>,
    news: watch::Sender<Option<Arc<Snapshot>>>,
    /// Somebody looks again and again.
    followed: AtomicBool,
    /// Leave to read episodes for viewers.
    pub(super) readers: tokio::sync::Semaphore,
}

/// The last look.
struct Reading {
    snapshot: Arc<Snapshot>,
    /// The results, as far as they were read.
    tail: Tail,
    at: Instant,
    took: Duration,
    mark: Mark,
}

/// Lengths of files, which tell that a run that is over was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark(Option<u64>, Option<u64>);

impl Mark {
    fn of(folder: &Path) -> Self {
        let length = |name| fs::metadata(folder.join(name)).ok().map(|file| file.len());
        Self(length(EVENTS), length(RUN))
    }
}

impl Watched {
    fn new(name: &str, folder: PathBuf, metrics: Vec<&'static dyn Metric>) -> Self {
        Self {
            name: name.to_owned(),
            folder,
            metrics,
            reading: tokio::sync::Mutex::default(),
            news: watch::Sender::new(None),
            followed: AtomicBool::new(false),
            readers: tokio::sync::Semaphore::new(READERS),
        }
    }

    /// The run as it is, or was a moment ago if looking takes long.
    pub(super) async fn fresh(self: &Arc<Self>) -> Result<Arc<Snapshot>, Problem> {
        let mut reading = self.reading.lock().await;
        if let Some(last) = &*reading
            && self.is_good(last)
        {
            return Ok(Arc::clone(&last.snapshot));
        }
        let (watched, last) = (Arc::clone(self), reading.take());
        let read = blocking(move || Ok(watched.read(last)?)).await?;
        Ok(Arc::clone(&reading.insert(read).snapshot))
    }

    fn is_good(&self, last: &Reading) -> bool {
        if last.snapshot.running {
            last.at.elapsed() < pause(last.took)
        } else {
            !is_running(&self.folder) && last.mark == Mark::of(&self.folder)
        }
    }

    #[expect(clippy::disallowed_methods, reason = "for what is shown when, no result")]
    fn read(&self, last: Option<Reading>) -> Result<Reading, LogError> {
        let began = Instant::now();
        // Asked first: what was written before the end is then read.
        let (running, mark) = (is_running(&self.folder), Mark::of(&self.folder));
        let log = match last.as_ref().map(|last| last.snapshot.log.refreshed()) {
            Some(Ok(log)) => log,
            _ => RunLog::open(&self.folder)?,
        };
        let (mut tail, mut closed) = match last.filter(|last| running && last.snapshot.running) {
            Some(last) => (last.tail, last.snapshot.closed.clone()),
            None => (Tail::results(&self.folder), Vec::new()),
        };
        if running {
            while let Some(chunk) = tail.grown()? {
                closed.extend(chunk.lines().filter_map(|(_, line)| EpisodeResult::decode(line).ok()).map(Arc::new));
            }
        } else {
            closed = recorded_or_measured(&log, &self.metrics)?
                .into_iter()
                .filter(|result| result.standing() != Standing::Unfinished)
                .map(Arc::new)
                .collect();
        }
        let known: FxHashSet<&EpisodeId> = closed.iter().map(|result| &result.episode).collect();
        let open = log.ids().filter(|id| !known.contains(id)).cloned().collect();
        let mut tally = Tally::default();
        closed.iter().for_each(|result| tally.add(std::slice::from_ref(result)));
        Ok(Reading {
            snapshot: Arc::new(Snapshot {
                name: self.name.clone(),
                log,
                closed,
                open,
                running,
                tally,
                views: Views::default(),
            }),
            tail,
            at: Instant::now(),
            took: began.elapsed(),
            mark,
        })
    }

    /// Tells of every change from now on, as long as the run goes on.
    pub(super) fn follow(self: &Arc<Self>) -> watch::Receiver<Option<Arc<Snapshot>>> {
        let receiver = self.news.subscribe();
        if !self.followed.swap(true, Ordering::AcqRel) {
            let watched = Arc::clone(self);
            tokio::spawn(async move { watched.look_on().await });
        }
        receiver
    }

    async fn look_on(self: Arc<Self>) {
        loop {
            let fresh = self.fresh().await.ok();
            let running = fresh.as_ref().is_some_and(|fresh| fresh.running);
            self.news.send_replace(fresh);
            if !running || self.news.receiver_count() == 0 {
                break;
            }
            let took = self.reading.lock().await.as_ref().map(|last| last.took);
            tokio::time::sleep(pause(took.unwrap_or_default())).await;
        }
        self.followed.store(false, Ordering::Release);
    }
}

/// The time until the next look, by what the last one took.
fn pause(took: Duration) -> Duration {
    PAUSE.max(took * SHARE)
}

/// The runs that somebody looks at, by name.
pub(super) struct Runs {
    logs: PathBuf,
    metrics: Vec<&'static dyn Metric>,
    all: Mutex<Kept>,
}

/// The runs in memory, each with the number of the look at which it was asked for last, and the number of looks.
#[derive(Default)]
struct Kept {
    looks: u64,
    runs: FxHashMap<String, (u64, Arc<Watched>)>,
}

impl Runs {
    pub(super) fn new(logs: PathBuf, metrics: Vec<&'static dyn Metric>) -> Self {
        Self { logs, metrics, all: Mutex::default() }
    }

    /// The run of this name. Names lead nowhere else: they are looked up among those of the folder.
    pub(super) fn of(&self, name: &str) -> Result<Arc<Watched>, Problem> {
        let mut all = locked(&self.all);
        let Kept { looks, runs: known } = &mut *all;
        *looks += 1;
        if let Some((look, watched)) = known.get_mut(name) {
            *look = *looks;
            return Ok(Arc::clone(watched));
        }
        let folder = fs::read_dir(&self.logs)
            .into_iter()
            .flatten()
            .flatten()
            .find(|entry| entry.file_name().to_str() == Some(name))
            .map(|entry| entry.path())
            .filter(|folder| folder.join(RUN).exists())
            .ok_or_else(|| Problem::missing(format!("There is no run `{name}` here.")))?;
        let watched = Arc::new(Watched::new(name, folder, self.metrics.clone()));
        if known.len() >= MOST_KEPT
            && let Some(oldest) = known.iter().min_by_key(|(_, (look, _))| *look)
        {
            known.remove(&oldest.0.clone());
        }
        known.insert(name.to_owned(), (*looks, Arc::clone(&watched)));
        Ok(watched)
    }
}
