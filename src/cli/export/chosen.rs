//! The episodes that are exported.

use std::collections::BTreeMap;

use super::arguments::ExportArguments;
use crate::{episodes, runs};
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::{EpisodeResult, Standing};
use rolecall_core::log::RunLog;
use rolecall_run::registry::Registry;

/// The episodes of a run that are asked for, and those that are left out, by reason.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub(super) results: Vec<EpisodeResult>,
    /// Episodes that say something of the agents, those included that are left out.
    pub(super) counted: usize,
    /// Those of them that were solved.
    pub(super) solved: usize,
    pub(super) refused: BTreeMap<&'static str, u64>,
}

impl Chosen {
    pub(super) fn of(arguments: &ExportArguments, run: &RunLog, registry: &Registry) -> anyhow::Result<Self> {
        let mut results = runs::results_of(run, registry)?;
        if arguments.episode.is_empty() {
            results = arguments.choice.apply(results, run.record())?;
        } else {
            let ids = episodes::chosen(run, &arguments.episode, &arguments.choice, registry)?;
            results.retain(|result| ids.contains(&result.episode));
        }
        let mut chosen = Self::default();
        for result in results {
            let counts = result.standing() == Standing::Counted;
            chosen.counted += usize::from(counts);
            chosen.solved += usize::from(counts && result.success);
            match refusal(arguments, &result) {
                Some(reason) => chosen.refuse(reason, 1),
                None => chosen.results.push(result),
            }
        }
        if let Some(most) = arguments.rows.best_of {
            let before = chosen.results.len();
            chosen.keep_best(most as usize);
            chosen.refuse("not among the best", (before - chosen.results.len()) as u64);
        }
        Ok(chosen)
    }

    pub(super) fn ids(&self) -> Vec<EpisodeId> {
        self.results.iter().map(|result| result.episode.clone()).collect()
    }

    fn refuse(&mut self, reason: &'static str, count: u64) {
        if count > 0 {
            *self.refused.entry(reason).or_default() += count;
        }
    }

    /// Keeps the best episodes of each task in each cell, of equal ones the earlier; their order stays.
    fn keep_best(&mut self, most: usize) {
        let mut ranked: BTreeMap<_, Vec<&EpisodeResult>> = BTreeMap::new();
        for result in &self.results {
            let task = (result.episode.cell.clone(), result.task.clone());
            ranked.entry(task).or_default().push(result);
        }
        let best = ranked.into_values().flat_map(|mut own| {
            own.sort_by(|one, other| other.reward.total_cmp(&one.reward));
            own.truncate(most);
            own.into_iter().map(|result| result.episode.clone())
        });
        let best: rustc_hash::FxHashSet<EpisodeId> = best.collect();
        self.results.retain(|result| best.contains(&result.episode));
    }
}

/// Why an episode is left out, if it is.
fn refusal(arguments: &ExportArguments, result: &EpisodeResult) -> Option<&'static str> {
    let wanted = &arguments.rows;
    match result.standing() {
        Standing::Broken | Standing::Cancelled if arguments.format.is_log() => {}
        Standing::Broken => return Some("broken"),
        Standing::Cancelled | Standing::Unfinished => return Some("not over"),
        Standing::Counted => {}
    }
    let too_low = wanted.min_reward.is_some_and(|least| result.reward < least);
    if wanted.success && !result.success {
        return Some("not solved");
    }
    too_low.then_some("reward too low")
}
