//! The runs below a folder, as lists of runs show them.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::NONE;
use crate::evaluation::{EpisodeResult, Standing, stored_results};
use crate::log::{LogError, Parent, RUN, RunLog, RunRecord, is_running};

/// A run that was found.
#[derive(Clone, Debug)]
pub struct FoundRun {
    /// The name of its folder.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// When it began: the time at which its `run.toml` was written.
    pub began: Timestamp,
}

/// The runs below a folder, newest first; none if there is no such folder.
pub fn newest(logs: &Path) -> Vec<FoundRun> {
    let entries = fs::read_dir(logs).into_iter().flatten().flatten();
    let run = |entry: fs::DirEntry| {
        let folder = entry.path();
        let written = fs::metadata(folder.join(RUN)).ok()?.modified().ok()?;
        Some(FoundRun {
            began: Timestamp::try_from(written).ok()?,
            name: entry.file_name().to_string_lossy().into_owned(),
            folder,
        })
    };
    let mut found: Vec<FoundRun> = entries.filter_map(run).collect();
    found.sort_by_cached_key(|run| Reverse((run.began, run.name.clone())));
    found
}

/// The numbers of a run's episodes so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Episodes that are closed.
    pub closed: usize,
    /// Episodes that count.
    pub counted: usize,
    /// Episodes that count and are solved.
    pub solved: usize,
}

impl Tally {
    /// Counts results as well.
    pub fn add(&mut self, results: &[EpisodeResult]) {
        for result in results {
            let standing = result.standing();
            let counts = standing == Standing::Counted;
            self.closed += usize::from(standing != Standing::Unfinished);
            self.counted += usize::from(counts);
            self.solved += usize::from(counts && result.success);
        }
    }

    /// The share of the counted episodes that were solved; none if none counts.
    pub fn success(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.solved as f64 / self.counted as f64)
    }
}

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunState {
    /// All of it was played.
    Finished,
    /// Somebody writes it.
    Running,
    /// It ended before everything was played.
    Interrupted,
    /// It cannot be read.
    Unreadable,
}

names! { RunState, as_str:
    Finished => "finished", Running => "running", Interrupted => "interrupted", Unreadable => "unreadable",
}

/// Computes the results of a run from its events.
type Measures<'a> = &'a dyn Fn(&RunLog) -> Result<Vec<EpisodeResult>, LogError>;

/// A run as a line of a list.
#[derive(Clone, Debug)]
pub struct RunOverview {
    /// The run.
    pub found: FoundRun,
    /// Its episodes, as far as it was known how many there are to be.
    pub planned: Option<u64>,
    /// Outcomes of its episodes so far.
    pub tally: Tally,
    /// Its state.
    pub state: RunState,
    /// The run that it branched off from.
    pub parent: Option<Parent>,
    /// Cost of its episodes so far; none without prices.
    pub cost: Option<f64>,
    /// The currency of the cost.
    pub currency: Option<String>,
    /// Its cells.
    pub cells: usize,
}

impl RunOverview {
    /// Looks into a run. One that cannot be read is listed as such: the others are still of interest.
    pub fn of(found: FoundRun, measures: Measures<'_>) -> Self {
        let mut line = Self {
            found,
            planned: None,
            tally: Tally::default(),
            state: RunState::Unreadable,
            parent: None,
            cost: None,
            currency: None,
            cells: 0,
        };
        // What cannot be read stays as it is.
        let _ = line.look(measures);
        line
    }

    fn look(&mut self, measures: Measures<'_>) -> Result<(), LogError> {
        let folder = &self.found.folder;
        let record = RunRecord::read(folder)?;
        self.planned = record.episodes;
        self.cells = record.cells.len();
        let stored = stored_results(folder, &record);
        let results = match stored {
            Some(results) => results,
            None => measures(&RunLog::open(folder)?)?,
        };
        self.tally.add(&results);
        let costs = results.iter().filter_map(EpisodeResult::cost);
        self.cost = costs.reduce(|sum, cost| sum + cost);
        (self.currency, self.parent) = (record.currency, record.parent);
        let closed = self.tally.closed as u64;
        self.state = match self.planned {
            _ if is_running(folder) => RunState::Running,
            Some(planned) if closed < planned => RunState::Interrupted,
            _ => RunState::Finished,
        };
        Ok(())
    }

    /// The number of its episodes, with how many there are to be if these are others.
    pub fn episodes(&self) -> String {
        let closed = self.tally.closed;
        match self.planned.filter(|planned| *planned != closed as u64) {
            Some(planned) => format!("{closed} of {planned}"),
            None => closed.to_string(),
        }
    }

    /// Its cost with the currency; none without prices.
    pub fn price(&self) -> Option<String> {
        let currency = self.currency.as_deref().unwrap_or_default();
        let text = |cost: f64| format!("{cost:.2} {currency}").trim_end().to_owned();
        self.cost.map(text)
    }

    /// Date and time of day at which it began, where the reader is.
    pub fn began(&self) -> String {
        let time = self.found.began.to_zoned(TimeZone::system());
        let text = time.strftime("%Y-%m-%d %H:%M").to_string();
        if text.is_empty() { NONE.to_owned() } else { text }
    }
}
