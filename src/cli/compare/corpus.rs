//! The responses of both sides, for figures of all of them together.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::sides::{ComparedRun, Pair as Sides};
use crate::runs;
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::{CorpusDifference, EpisodeResult, Overlap, Pair, Pairs, ResponsePairs};
use rolecall_core::ports::Response;
use rolecall_run::registry::Registry;

/// The responses of runs, each read once.
#[derive(Default)]
pub(super) struct Responses(BTreeMap<PathBuf, BTreeMap<EpisodeId, Response>>);

impl Responses {
    /// The differences of all responses of the pairs together; and whether there are none because the
    /// responses are of several languages. Only logs of tasks that ask for responses are read.
    pub(super) fn compared(
        &mut self,
        sides: &Sides,
        pairs: &Pairs<'_>,
        registry: &Registry,
    ) -> anyhow::Result<(Vec<CorpusDifference>, bool)> {
        let has_figures = |result: &EpisodeResult| {
            let mut names = result.measures.names();
            names.any(|name| Overlap::named(name).is_some())
        };
        let both = |pair: &Pair<'_>| has_figures(pair.first) && has_figures(pair.second);
        if !pairs.pairs.iter().any(both) {
            return Ok((Vec::new(), false));
        }
        for side in [&sides.base, &sides.other] {
            self.read(&side.run, registry)?;
        }
        let of = |run: &ComparedRun, result: &EpisodeResult| self.0.get(&run.folder)?.get(&result.episode);
        let responses = |pair: &Pair<'_>| {
            let first = of(&sides.base.run, pair.first)?;
            Some([first, of(&sides.other.run, pair.second)?])
        };
        let tasks = pairs.tasks().map(|task| task.iter().filter_map(responses).collect());
        let tasks: Vec<ResponsePairs<'_>> = tasks.filter(|task: &Vec<_>| !task.is_empty()).collect();
        let found = CorpusDifference::all(&tasks);
        let several = found.is_empty() && !tasks.is_empty();
        Ok((found, several))
    }

    fn read(&mut self, run: &ComparedRun, registry: &Registry) -> anyhow::Result<()> {
        if self.0.contains_key(&run.folder) {
            return Ok(());
        }
        let mut responses = BTreeMap::new();
        for episode in runs::open(&run.folder)?.episodes()? {
            let episode = episode?;
            if let Some(response) = registry.response(&episode.log()) {
                responses.insert(episode.id, response);
            }
        }
        self.0.insert(run.folder.clone(), responses);
        Ok(())
    }
}
