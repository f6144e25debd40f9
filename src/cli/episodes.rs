//! The episodes of a run that a command is about.

use crate::cli::runs;
use crate::cli::show::{ChoiceArguments, find};
use crate::domain::EpisodeId;
use crate::log::RunLog;
use crate::text::unique;

/// The ids of the named episodes, each once, in the order of the names; without names, those of all
/// episodes that the choice lets through.
pub(crate) fn chosen(run: &RunLog, names: &[String], choice: &ChoiceArguments) -> anyhow::Result<Vec<EpisodeId>> {
    if !names.is_empty() {
        let ids = names.iter().map(|name| find(run, name));
        return Ok(unique(ids.collect::<anyhow::Result<Vec<_>>>()?));
    }
    if choice.is_everything() {
        return Ok(run.ids().cloned().collect());
    }
    // The recorded results say enough for a choice, so that the events need not be read.
    let results = choice.apply(runs::results_of(run)?, run.record())?;
    Ok(results.into_iter().map(|result| result.episode).collect())
}
