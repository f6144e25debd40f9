//! Jobs: the episodes of a run in playing order, so many to each.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::capped;
use rolecall_core::domain::{CellName, EpisodeId};
use rolecall_run::config::Plan;

/// The number of a job of a run, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(pub u32);

/// Eight digits, so that names sort as numbers do.
impl fmt::Display for JobId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:08}", self.0)
    }
}

impl FromStr for JobId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// The jobs of a run. Everybody who has its plan numbers them alike.
#[derive(Clone, Debug)]
pub struct Jobs {
    openings: Vec<Opening>,
    repeats: u32,
    per_job: u32,
    episodes: u64,
}

/// A task with the cells that share it.
#[derive(Clone, Debug)]
struct Opening {
    /// Episodes of all openings before it.
    start: u64,
    task: u32,
    cells: Vec<CellName>,
}

impl Jobs {
    /// The jobs of a plan, of so many episodes each; the last may be shorter.
    pub fn new(plan: &Plan, per_job: u32) -> Self {
        let mut jobs = Self { openings: Vec::new(), repeats: plan.repeats, per_job: per_job.max(1), episodes: 0 };
        for (task, cells) in plan.openings() {
            let cells: Vec<CellName> =
                cells.iter().filter_map(|cell| Some(plan.cells.get(*cell)?.name.clone())).collect();
            let start = jobs.episodes;
            jobs.episodes += cells.len() as u64 * u64::from(plan.repeats);
            jobs.openings.push(Opening { start, task, cells });
        }
        jobs
    }

    /// Number of jobs.
    pub fn count(&self) -> u32 {
        capped(self.episodes.div_ceil(u64::from(self.per_job)))
    }

    /// The episodes of a job, in playing order; none if the run has no such job.
    pub fn episodes(&self, job: JobId) -> Vec<EpisodeId> {
        let first = u64::from(job.0) * u64::from(self.per_job);
        (first..(first + u64::from(self.per_job)).min(self.episodes)).filter_map(|index| self.episode(index)).collect()
    }

    /// The job of an episode; none if the run has no such episode.
    pub fn of(&self, id: &EpisodeId) -> Option<JobId> {
        let (opening, cell) = self
            .openings
            .iter()
            .filter(|opening| opening.task == id.task)
            .find_map(|opening| Some((opening, opening.cells.iter().position(|cell| *cell == id.cell)? as u64)))?;
        let within = u64::from(id.repeat) * opening.cells.len() as u64 + cell;
        let job = (opening.start + within) / u64::from(self.per_job);
        (id.repeat < self.repeats).then(|| u32::try_from(job).ok().map(JobId))?
    }

    /// The episode at a place of the playing order.
    fn episode(&self, index: u64) -> Option<EpisodeId> {
        let opening =
            self.openings.get(self.openings.partition_point(|opening| opening.start <= index).checked_sub(1)?)?;
        let (within, cells) = (index - opening.start, opening.cells.len() as u64);
        let cell = opening.cells.get(usize::try_from(within % cells).ok()?)?;
        Some(EpisodeId { cell: cell.clone(), task: opening.task, repeat: u32::try_from(within / cells).ok()? })
    }
}
